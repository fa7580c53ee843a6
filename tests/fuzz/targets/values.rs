//! Values of programs as texts: printed and read again, as JSON, as tagged JSON.

use ptc_lisp::Value;
use ptc_lisp::values::{NoCells, NoRestore};

use super::lisp::{Input, limits, session, text};

/// The value of a program is the same after it was printed and read, and after it went through tagged JSON.
pub(crate) fn run(bytes: &[u8]) {
    let Some(input) = Input::of(bytes) else { return };
    let mut session = session();
    let outcome = session.run(input.program, &mut |call| input.answer(call));
    let Some(value) = outcome.value() else { return };
    let printed = text(value);
    assert_eq!(printed, text(&value.clone()), "a text does not change");
    if let Ok(json) = ptc_lisp::values::to_json(value, &NoCells) {
        let written = json.to_string();
        match Value::from_json_str(&written) {
            Ok(back) => {
                let again = ptc_lisp::values::to_json(&back, &NoCells);
                assert_eq!(again.map(|json| json.to_string()).ok(), Some(written), "JSON of {printed}");
            }
            Err(error) => panic!("{error}: {written}"),
        }
    }
    if let Ok(tagged) = ptc_lisp::values::to_tagged(value, &NoCells)
        && let Ok(back) = ptc_lisp::values::from_tagged(&tagged, &mut NoRestore)
    {
        assert_eq!(text(&back), printed, "through {tagged}");
        assert_eq!(
            ptc_lisp::values::to_tagged(&back, &NoCells).ok().map(|again| again.to_string()),
            Some(tagged.to_string())
        );
    }
    reads_back(&mut session, value, &printed);
}

/// What prints as data is read as that data; functions, cells and hidden entries do not.
fn reads_back(session: &mut ptc_lisp::Session, value: &Value, printed: &str) {
    if !is_readable(value) || printed.len() >= limits().source_bytes {
        return;
    }
    let read = session.run(&format!("'{printed}"), &mut |_| Ok(Value::Nil));
    if let Some(read) = read.value() {
        assert_eq!(text(read), printed, "{value:?} and {read:?}");
    } else {
        let why: Vec<_> = read.problems().iter().map(|problem| (problem.reason, problem.text())).collect();
        assert!(why.iter().all(|(reason, _)| reason.is_limit()), "{printed} is not read: {why:?}");
    }
}

/// Whether its text is complete: as in Clojure, names with odd characters print as they are, functions and cells as a
/// mark. Entries under names that begin with `_` do not print.
fn is_readable(value: &Value) -> bool {
    let is_plain = |name: &str| {
        let mut chars = name.chars();
        chars.next().is_some_and(|first| first.is_ascii_alphabetic())
            && chars.all(|c| c.is_ascii_alphanumeric() || "-?!*".contains(c))
            && !["nil", "true", "false"].contains(&name)
    };
    match value {
        Value::Nil | Value::Bool(_) | Value::Int(_) | Value::Big(_) => true,
        // Printed to 15 digits: that must be the same number.
        Value::Float(float) => text(value).parse() == Ok(*float),
        Value::Keyword(name) | Value::Symbol(name) => is_plain(name.as_str()),
        Value::Str(_) => true,
        Value::Vector(items) => items.iter().all(is_readable),
        Value::Set(members) => members.iter().all(is_readable),
        Value::Map(entries) => entries.iter().all(|(key, value)| {
            let is_hidden = match key {
                Value::Str(key) => key.as_str().starts_with('_'),
                Value::Keyword(name) | Value::Symbol(name) => name.as_str().starts_with('_'),
                _ => false,
            };
            !is_hidden && is_readable(key) && is_readable(value)
        }),
        _ => false,
    }
}
