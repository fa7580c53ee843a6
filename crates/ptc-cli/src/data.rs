//! `--data FILE`, `--data NAME=FILE`, `--data NAME=JSON`, and `--data 'NAME={ file = "…", … }'` as in mission files.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fmt::Display;
use std::path::Path;

use ptc_runner::agent::rules;
use ptc_runner::config::{Document, MissionFile, Reading, read_data, read_json, with_table};
use ptc_runner::lisp::text::{escaped, shortened};
use ptc_runner::lisp::{Map, Value};
use serde_json::{Map as JsonMap, Value as Json};

use crate::failure::Failure;
use crate::output;

/// The entries of `data/`, later ones replacing earlier ones of the same name.
pub(crate) fn read(given: &[String]) -> Result<Map, Failure> {
    told(given).map(|(entries, _)| entries)
}

/// The same, and how the files among them were read; an entry that is all of `data/` has no name.
pub(crate) fn told(given: &[String]) -> Result<(Map, Vec<(String, Reading)>), Failure> {
    let (mut entries, mut readings) = (Map::new(), Vec::new());
    for given in given {
        let (name, more, found) = match named(given) {
            Some((name, value)) => {
                let (value, found) = one(given, name, value)?;
                (name.to_owned(), map([(Value::keyword(name), value)]), found)
            }
            None => unnamed(given)?,
        };
        readings.extend(found.into_iter().map(|reading| (name.clone(), reading)));
        entries = merged(&entries, &more);
    }
    rules::data(&entries).map_err(|error| problem("fail", error))?;
    Ok((entries, readings))
}

/// Both, where the entries `above` hide those of the same name.
pub(crate) fn merged(below: &Map, above: &Map) -> Map {
    map(below.iter().chain(above.iter()).map(|(key, value)| (key.clone(), value.clone())))
}

fn map(entries: impl IntoIterator<Item = (Value, Value)>) -> Map {
    Value::map_from(entries).as_map().cloned().unwrap_or_default()
}

/// So many rows, from all parts of them.
pub(crate) fn sampled<T>(rows: Vec<T>, wanted: usize) -> Vec<T> {
    let all = rows.len();
    if wanted >= all {
        return rows;
    }
    let places: BTreeSet<usize> = (0..wanted).map(|place| (2 * place + 1) * all / (2 * wanted)).collect();
    rows.into_iter().enumerate().filter(|(place, _)| places.contains(place)).map(|(_, row)| row).collect()
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

/// The value after `NAME=`: JSON if it parses as JSON, else a file, standard input, files whose names fit a pattern, or
/// a table of a mission file.
fn one(given: &str, name: &str, text: &str) -> Result<(Value, Vec<Reading>), Failure> {
    let error = match read_json(text) {
        Ok(value) => return Ok((value, Vec::new())),
        Err(error) => error,
    };
    if let Some(table) = table(text) {
        return sourced(given, name, &table?);
    }
    // A link that leads nowhere is a file that cannot be read.
    let is_pattern = text.contains(['*', '?']) && !text.starts_with(['{', '[', '"']);
    if text == "-" || is_pattern || Path::new(text).symlink_metadata().is_ok() {
        return loaded(given, text);
    }
    // Text that does not look like the name of a file: the error says where it stops being JSON.
    if text.starts_with(['{', '[', '"', '-']) || text.starts_with(|c: char| c.is_ascii_digit()) {
        return Err(problem(given, format!("this is not JSON: {error}")));
    }
    let told = "this is neither JSON nor a file that exists; a text is written in quotes: NAME='\"text\"'";
    Err(problem(given, told))
}

/// What errors name where the command line replaces a mission file.
pub(crate) const COMMAND_LINE: &str = "command line";

/// The keys of a text that is a table as mission files have it: `{ file = "x.csv", skip = 2 }`. JSON has quotes around its
/// keys, and `:` after them.
pub(crate) fn table(text: &str) -> Option<Result<JsonMap<String, Json>, Failure>> {
    let (key, _) = text.trim_start().strip_prefix('{')?.split_once('=')?;
    let is_key =
        |key: &str| !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    is_key(key.trim()).then(|| {
        let line = format!("data = {text}");
        let document = Document::new(COMMAND_LINE, &line);
        let parsed = document.parse().map_err(|error| problem(text, error.message()))?;
        match document.section(&parsed).get("data").map(|data| data.json()).transpose()? {
            Some(Json::Object(keys)) => Ok(keys),
            _ => Err(problem(text, "write one table, `{ file = \"…\" }`")),
        }
    })
}

/// The value of an entry of a mission file; notes about it go to standard error.
fn sourced(given: &str, name: &str, table: &JsonMap<String, Json>) -> Result<(Value, Vec<Reading>), Failure> {
    let text = with_table("", &["data", name], table);
    let document = Document::new(COMMAND_LINE, &text);
    let parsed = document.parse()?;
    let mission = MissionFile::tools_from_section(document.section(&parsed), &[]);
    let mut mission = mission.map_err(|error| problem(given, error.message()))?;
    output::notes(&mission.notes);
    let value = mission
        .data
        .swap_remove(name)
        .ok_or_else(|| problem(given, "this table names no data; write `file`, `sqlite` or `value` into it"))?;
    Ok((value, mission.readings.into_iter().map(|(_, reading)| reading).collect()))
}

/// The value of a data file; notes about it go to standard error.
fn loaded(given: &str, path: &str) -> Result<(Value, Vec<Reading>), Failure> {
    let file = read_data(path).map_err(|error| problem(given, error))?;
    output::notes(&file.notes);
    Ok((file.value, file.readings))
}

/// All of `data/`, as an object given as JSON or in a JSON file; any other file is an entry named after it.
fn unnamed(given: &str) -> Result<(String, Map, Vec<Reading>), Failure> {
    let text = given.trim_start();
    if text.starts_with(['[', '"']) {
        return Err(problem(given, "only a JSON object can be all of data/; give it a name: --data NAME=JSON"));
    }
    if let Some(object) = text.starts_with('{').then(|| read_json(given)) {
        let value = object.map_err(|error| problem(given, format!("this is not JSON: {error}")))?;
        return Ok((String::new(), value.as_map().cloned().unwrap_or_default(), Vec::new()));
    }
    if given.contains('=') && Path::new(given).symlink_metadata().is_err() {
        return Err(problem(given, NAMES));
    }
    let (value, readings) = loaded(given, given)?;
    if let Some(entries) = value.as_map() {
        return Ok((String::new(), entries.clone(), readings));
    }
    let name = name_of(given)?;
    let entries = map([(Value::keyword(&name), value)]);
    Ok((name, entries, readings))
}

fn problem(given: &str, problem: impl Display) -> Failure {
    format!("--data {}: {problem}", shortened(&escaped(given), 80)).into()
}
