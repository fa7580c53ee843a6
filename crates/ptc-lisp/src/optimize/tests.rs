//! Helpers for the tests of all rewrites.

use crate::session::outcome::problems_text;
use crate::value::{FormatOptions, format};
use crate::{Session, SessionOptions};

/// The value of a program, or its problem without its place, and the fuel that it used.
pub(in crate::optimize) fn ending(source: &str) -> (String, u64) {
    let outcome = Session::new(SessionOptions::default()).run(source, &mut |_| unreachable!());
    let text = match outcome.value() {
        Some(value) => format(value, &FormatOptions::full()).text,
        None => problems_text(outcome.problems()).split(" at line").next().unwrap_or_default().to_owned(),
    };
    (text, outcome.usage.fuel)
}
