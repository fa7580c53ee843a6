//! What the language has under a name, as data.

use ptc_lisp::{UnknownName, look_up};
use serde::Serialize;

/// A function, form or constant of the language.
#[derive(Debug, Serialize)]
pub struct Doc {
    name: &'static str,
    kind: &'static str,
    calls: Vec<String>,
    doc: String,
    examples: Vec<Example>,
}

#[derive(Debug, Serialize)]
struct Example {
    program: &'static str,
    value: &'static str,
}

/// The entry of a name, bare or with a namespace. Errors with the nearest known name.
pub fn doc(name: &str) -> Result<Doc, UnknownName> {
    let entry = look_up(name)?;
    let examples = entry.examples.iter().map(|(program, value)| Example { program, value });
    Ok(Doc {
        name: entry.name,
        kind: entry.kind.as_str(),
        calls: entry.calls,
        doc: entry.doc,
        examples: examples.collect(),
    })
}
