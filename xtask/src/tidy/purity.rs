//! Two crates promise not to do something that no manifest shows: the language accesses nothing outside, and the loop
//! decides without awaiting.

use std::collections::BTreeSet;
use std::path::Path;

use crate::code;
use crate::{Failure, Problem};

/// Where the language is.
const LANGUAGE: &str = "crates/ptc-lisp/src";
/// Modules of the standard library that give a program access to the outside.
const OUTSIDE: &[&str] = &["env", "fs", "net", "os", "process", "thread"];
/// The host's default clock, which is the machine's.
const CLOCK: (&str, &str) = ("crates/ptc-lisp/src/limits/machine_clock.rs", "SystemTime");

/// Where the loop decides.
const LOOP: [&str; 2] = ["crates/ptc-agent/src/machine.rs", "crates/ptc-agent/src/machine"];

pub(super) fn is_language(path: &Path) -> bool {
    path.starts_with(LANGUAGE) && code::is_code(path)
}

pub(super) fn is_loop(path: &Path) -> bool {
    LOOP.iter().any(|place| path.starts_with(place)) && code::is_code(path)
}

/// Names of the standard library that lead outside: modules after `std::`, and the clock.
pub(super) fn language(path: &Path, text: &str) -> Result<Vec<Problem>, Failure> {
    let mut found = BTreeSet::new();
    for named in code::paths(code::tokens(path, text)?) {
        let after_std = named.parts.windows(2).filter(|pair| pair.first().is_some_and(|part| part == "std"));
        found.extend(after_std.filter_map(|pair| pair.last().filter(|part| OUTSIDE.contains(&part.as_str())).cloned()));
        found.extend(named.parts.into_iter().filter(|part| part == CLOCK.1 && path != Path::new(CLOCK.0)));
    }
    let problem = |name: String| {
        let text = format!(
            "reaches for `std::{name}`. The language touches the outside through its host only: let the host do it."
        );
        Problem::whole(path, text)
    };
    Ok(found.into_iter().map(problem).collect())
}

/// Functions that await, or that must be awaited.
pub(super) fn awaiting(path: &Path, text: &str) -> Result<Vec<Problem>, Failure> {
    let waits = code::has_word(code::tokens(path, text)?, |word| ["async", "await"].contains(&word));
    let text_of = "awaits. The loop decides here, and `drive.rs` awaits: answer with an `Action`, and take an `Event`.";
    Ok(waits.then(|| Problem::whole(path, text_of)).into_iter().collect())
}
