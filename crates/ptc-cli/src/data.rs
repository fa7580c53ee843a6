//! `--data FILE`, `--data NAME=FILE` and `--data NAME=JSON`.

#[cfg(test)]
mod tests;

use std::fmt::Display;
use std::path::Path;

use ptc_runner::agent::rules;
use ptc_runner::config::{read_data, read_json};
use ptc_runner::lisp::{Map, Value, escaped, shortened};

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

/// `NAME=…`, when the text before the first `=` can be a name.
fn named(given: &str) -> Option<(&str, &str)> {
    given.split_once('=').filter(|(name, _)| is_name(name))
}

/// What a name of data must be.
pub(crate) const NAMES: &str =
    "a name of data begins with a letter or `_`, and has letters, digits, `_`, `-`, `?` and `!`";

/// Whether programs can write `data/NAME`.
pub(crate) fn is_name(text: &str) -> bool {
    let starts_well = text.starts_with(|c: char| c.is_alphabetic() || c == '_');
    starts_well && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '?' | '!'))
}

/// The name under which programs read a file: `sales-2024` for `Sales 2024.csv.gz`.
pub(crate) fn name_of(path: &str) -> Result<String, Failure> {
    let file = Path::new(path).file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let stem = file.trim_start_matches('.').split('.').next().unwrap_or_default().to_lowercase();
    let words: Vec<&str> =
        stem.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect();
    Some(words.join("-"))
        .filter(|name| is_name(name))
        .ok_or_else(|| format!("--data {path}: give it a name for programs, as in --data rows={path}").into())
}

/// The value after `NAME=`: JSON if it parses as JSON, else a file.
fn one(given: &str, text: &str) -> Result<Value, Failure> {
    let error = match read_json(text) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    // A link that leads nowhere is a file that cannot be read.
    if Path::new(text).symlink_metadata().is_ok() {
        return loaded(given, text);
    }
    // Text that does not look like the name of a file: the error says where it stops being JSON.
    if text.starts_with(['{', '[', '"', '-']) || text.starts_with(|c: char| c.is_ascii_digit()) {
        return Err(problem(given, format!("this is not JSON: {error}")));
    }
    let told = "this is neither JSON nor a file that exists; a text is written in quotes: NAME='\"text\"'";
    Err(problem(given, told))
}

/// The value of a data file; notes about it go to standard error.
fn loaded(given: &str, path: &str) -> Result<Value, Failure> {
    let file = read_data(path).map_err(|error| problem(given, error))?;
    output::notes(&file.notes);
    Ok(file.value)
}

/// All of `data/`: an object in a JSON file, or one given as JSON.
fn all(given: &str) -> Result<Map, Failure> {
    let is_object = given.trim_start().starts_with('{');
    if !is_object && given.contains('=') && Path::new(given).symlink_metadata().is_err() {
        return Err(problem(given, NAMES));
    }
    let unnamed = "only a JSON object can be all of data/; give it a name: --data NAME=FILE, or NAME=JSON";
    if given.trim_start().starts_with(['[', '"']) {
        return Err(problem(given, unnamed));
    }
    let value = if is_object {
        read_json(given).map_err(|error| problem(given, format!("this is not JSON: {error}")))?
    } else {
        loaded(given, given)?
    };
    value.as_map().cloned().ok_or_else(|| problem(given, unnamed))
}

fn problem(given: &str, problem: impl Display) -> Failure {
    format!("--data {}: {problem}", shortened(&escaped(given), 80)).into()
}
