//! `--data FILE`, `--data NAME=FILE` and `--data NAME=JSON`.

#[cfg(test)]
mod tests;

use std::fmt::Display;
use std::path::Path;

use ptc_runner::agent::rules;
use ptc_runner::config::read_data;
use ptc_runner::lisp::{Map, Value, shortened};

use crate::failure::Failure;
use crate::output;

/// The entries of `data/`, later ones replacing earlier ones of the same name.
pub(crate) fn read(given: &[String]) -> Result<Map, Failure> {
    let mut entries = Map::new();
    for given in given {
        let more = match named(given) {
            Some((name, value)) => map([(Value::keyword(name), one(given, value)?)]),
            None => all(given)?,
        };
        entries = merged(&entries, &more);
    }
    rules::data(&entries).map_err(|error| problem("fail", error))?;
    Ok(entries)
}

/// Both, where the entries `above` hide those of the same name.
pub(crate) fn merged(below: &Map, above: &Map) -> Map {
    map(below.iter().chain(above.iter()).map(|(key, value)| (key.clone(), value.clone())))
}

fn map(entries: impl IntoIterator<Item = (Value, Value)>) -> Map {
    Value::map_from(entries).as_map().cloned().unwrap_or_default()
}

/// `NAME=…`, when what stands before the first `=` can be a name.
fn named(given: &str) -> Option<(&str, &str)> {
    let (name, value) = given.split_once('=')?;
    let starts_well = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let is_name = starts_well && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '?' | '!'));
    is_name.then_some((name, value))
}

/// The value behind `NAME=`: JSON if it is that, else a file.
fn one(given: &str, text: &str) -> Result<Value, Failure> {
    if let Ok(value) = Value::from_json_str(text) {
        return Ok(value);
    }
    if !Path::new(text).exists() {
        let told = "this is neither JSON nor a file that exists; a text is written in quotes: NAME='\"text\"'";
        return Err(problem(given, told));
    }
    loaded(given, text)
}

/// The value of a data file; what was noticed goes to standard error.
fn loaded(given: &str, path: &str) -> Result<Value, Failure> {
    let file = read_data(path).map_err(|error| format!("--data {given}: {error}"))?;
    output::notes(&file.notes);
    Ok(file.value)
}

/// All of `data/`: an object in a JSON file, or one given as JSON.
fn all(given: &str) -> Result<Map, Failure> {
    let value = if given.trim_start().starts_with('{') {
        Value::from_json_str(given).map_err(|error| problem(given, format!("this is not JSON: {error}")))?
    } else {
        loaded(given, given)?
    };
    let told = "only a JSON object can be all of data/; give it a name: --data NAME=FILE";
    value.as_map().cloned().ok_or_else(|| problem(given, told))
}

fn problem(given: &str, problem: impl Display) -> Failure {
    format!("--data {}: {problem}", shortened(given, 80)).into()
}
