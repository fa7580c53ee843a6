//! What must hold of a run besides its answer: how many turns it took, what it called, what it kept hidden.

#[cfg(test)]
mod tests;

use ptc_lisp::Map;
use ptc_transcript::{Turn, ValueForm, json_of};
use serde_json::Value as Json;

use crate::constraint::Constraint;

/// One thing that must hold of a run.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Assertion {
    /// The number of turns.
    Turns(Constraint),
    /// The programs of two turns, from 1, are not the same, whatever their blanks and line breaks.
    ProgramsDiffer(usize, usize),
    /// Programs called a tool at least this many times.
    Calls {
        /// The name after `tool/`.
        tool: String,
        /// How often at least.
        times: usize,
    },
    /// No text and no number of a data entry is in the answer.
    Hides(String),
    /// A program uses this definition of an earlier turn.
    Uses(String),
    /// A turn failed with this reason, such as `type_error`.
    Fails(String),
}

/// What assertions check.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Observed<'a> {
    pub(crate) turns: &'a [Turn],
    pub(crate) data: &'a Map,
    /// The answer, null when there is none.
    pub(crate) answer: &'a Json,
}

impl Assertion {
    /// Whether it holds; the error says what was found instead.
    pub(crate) fn judge(&self, seen: Observed<'_>) -> Result<(), String> {
        match self {
            Assertion::Turns(constraint) => {
                constraint.judge(&Json::from(seen.turns.len())).map_err(|problem| format!("number of turns: {problem}"))
            }
            Assertion::ProgramsDiffer(first, second) => differ(*first, *second, seen.turns),
            Assertion::Calls { tool, times } => calls(tool, *times, seen.turns),
            Assertion::Hides(entry) => hides(entry, seen),
            Assertion::Uses(name) => uses(name, seen.turns),
            Assertion::Fails(reason) => fails(reason, seen.turns),
        }
    }
}

fn differ(first: usize, second: usize, turns: &[Turn]) -> Result<(), String> {
    let words = |number: usize| -> Result<Vec<&str>, String> {
        let turn = turns.iter().find(|turn| turn.number() == number);
        let program = turn.and_then(Turn::program).ok_or_else(|| format!("there is no program in turn {number}"))?;
        Ok(program.split_whitespace().collect())
    };
    if words(first)? == words(second)? {
        return Err(format!("the programs of turns {first} and {second} are the same"));
    }
    Ok(())
}

fn calls(tool: &str, times: usize, turns: &[Turn]) -> Result<(), String> {
    let made = turns.iter().flat_map(Turn::tool_calls).filter(|call| &*call.name == tool).count();
    if made < times {
        return Err(format!("tool/{tool}: wanted {times} calls or more, got {made}"));
    }
    Ok(())
}

fn hides(entry: &str, seen: Observed<'_>) -> Result<(), String> {
    let hidden = seen.data.get_named(entry).ok_or_else(|| format!("there is no data/{entry} to hide"))?;
    let secrets = leaves(&json_of(hidden, ValueForm::Plain), Keys::Left);
    let told = leaves(seen.answer, Keys::Taken);
    let leaks = |secret: &&Json| {
        told.iter().any(|told| match (secret.as_str(), told.as_str()) {
            (Some(secret), Some(told)) => told.contains(secret),
            _ => *secret == told,
        })
    };
    match secrets.iter().find(leaks) {
        Some(secret) => Err(format!("the answer holds {secret} of data/{entry}")),
        None => Ok(()),
    }
}

/// How the keys of maps are treated.
#[derive(Clone, Copy, PartialEq)]
enum Keys {
    /// They are texts like all others.
    Taken,
    /// They only name fields.
    Left,
}

/// The texts and numbers in a value; empty texts are in everything and prove nothing.
fn leaves(value: &Json, keys: Keys) -> Vec<Json> {
    let mut waiting = vec![value];
    let mut leaves = Vec::new();
    while let Some(value) = waiting.pop() {
        match value {
            Json::Array(items) => waiting.extend(items),
            Json::Object(map) => {
                waiting.extend(map.values());
                leaves.extend(map.keys().filter(|_| keys == Keys::Taken).map(|key| Json::from(key.as_str())));
            }
            Json::String(text) if text.is_empty() => {}
            Json::String(_) | Json::Number(_) => leaves.push(value.clone()),
            Json::Null | Json::Bool(_) => {}
        }
    }
    leaves
}

fn uses(name: &str, turns: &[Turn]) -> Result<(), String> {
    let Some(defined) = turns.iter().position(|turn| turn.memory().get(name).is_some()) else {
        return Err(format!("no turn defined {name}"));
    };
    let later = turns.iter().skip(defined + 1).filter_map(Turn::program);
    if later
        .into_iter()
        .any(|program| names(program).any(|known| known == name || known.strip_prefix("user/") == Some(name)))
    {
        return Ok(());
    }
    Err(format!("no program after turn {} uses {name}", defined + 1))
}

/// The words of a program between brackets, quotes and blanks.
fn names(program: &str) -> impl Iterator<Item = &str> {
    program.split(|c: char| c.is_whitespace() || "()[]{}\"'`,;@#^~".contains(c)).filter(|word| !word.is_empty())
}

fn fails(reason: &str, turns: &[Turn]) -> Result<(), String> {
    let failed: Vec<String> = turns.iter().filter_map(Turn::error_reason).map(String::from).collect();
    match failed.as_slice() {
        [] => Err(format!("wanted a turn that fails with {reason}, none failed")),
        failed if failed.iter().any(|failed| failed == reason) => Ok(()),
        failed => Err(format!("wanted a turn that fails with {reason}, got {}", failed.join(", "))),
    }
}
