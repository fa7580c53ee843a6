//! `--data FILE`, `--data NAME=FILE` and `--data NAME=JSON`.

#[cfg(test)]
mod tests;

use std::path::Path;

use ptc_runner::agent::rules;
use ptc_runner::config::read_data;
use ptc_runner::lisp::{Map, Value, shortened};

use crate::failure::Failure;
use crate::report;

/// The entries of `data/`, later ones replacing earlier ones of the same name.
pub(crate) fn read(given: &[String]) -> Result<Map, Failure> {
    let mut entries: Vec<(Value, Value)> = Vec::new();
    for given in given {
        match named(given) {
            Some((name, value)) => entries.push((Value::keyword(name), one(given, value)?)),
            None => entries.extend(all(given)?),
        }
    }
    match Value::map_from(entries) {
        Value::Map(map) => rules::data(&map).map_err(|error| problem("fail", &error.to_string())).map(|()| map),
        _ => Ok(Map::new()),
    }
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
    let file = read_data(path).map_err(|source| Failure::DataFile { given: given.to_owned(), source })?;
    file.notes.iter().for_each(|note| report::note(&format!("note: {note}")));
    Ok(file.value)
}

/// All of `data/`: an object in a JSON file, or one given as JSON.
fn all(given: &str) -> Result<Vec<(Value, Value)>, Failure> {
    let inline = given.trim_start().starts_with('{');
    let value = if inline {
        Value::from_json_str(given).map_err(|error| problem(given, &format!("this is not JSON: {error}")))?
    } else {
        loaded(given, given)?
    };
    match value {
        Value::Map(map) => Ok(map.iter().map(|(key, value)| (key.clone(), value.clone())).collect()),
        _ => Err(problem(given, "only a JSON object can be all of data/; give it a name: --data NAME=FILE")),
    }
}

fn problem(given: &str, problem: &str) -> Failure {
    Failure::Data { given: shortened(given, 80).into_owned(), problem: problem.to_owned() }
}
