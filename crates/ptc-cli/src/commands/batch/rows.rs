//! Reading the rows of a batch.

use std::fs;
use std::path::Path;

use ptc_runner::config::{MissionFile, ReadOptions, named, read_data_with};
use ptc_runner::eval::{BatchRow, rows_of};
use ptc_runner::lisp::signature::Type;
use ptc_runner::lisp::values::key_text;
use ptc_runner::lisp::{Map, Value};
use serde_json::{Map as JsonMap, json};

use crate::data::{self, COMMAND_LINE};
use crate::failure::{Failure, FileFailure};
use crate::output;

/// The names that an error lists.
const LISTED: usize = 12;

/// The rows that `--each` names, with the inputs of the mission among their columns.
pub(super) fn read(given: &str, mission: Option<&MissionFile>) -> Result<Vec<BatchRow>, Failure> {
    let rows = if Path::new(given).is_dir() { of_folder(Path::new(given))? } else { of_file(given, mission)? };
    if rows.is_empty() {
        return Err(format!("--each {given}: it has no rows").into());
    }
    let is_known = |name: &str| mission.is_none_or(|mission| mission.check_input(name).is_ok());
    let is_input = |name: &str| data::is_name(name) && is_known(name);
    let rows = BatchRow::all(rows, is_input);
    explained(given, &rows, mission)?;
    Ok(rows)
}

/// Say which columns are not inputs; errors when none is.
fn explained(given: &str, rows: &[BatchRow], mission: Option<&MissionFile>) -> Result<(), Failure> {
    let Some(first) = rows.first() else { return Ok(()) };
    let columns: Vec<String> = first.columns.iter().map(|(key, _)| key_text(key)).collect();
    let inputs: Vec<String> = first.inputs.iter().map(|(key, _)| key_text(key)).collect();
    let others: Vec<&str> = columns.iter().filter(|name| !inputs.contains(name)).map(String::as_str).collect();
    if inputs.is_empty() {
        let known = columns.iter().find_map(|name| mission?.check_input(name).err());
        let known = known.map(|unknown| unknown.known).unwrap_or_default();
        return Err(format!(
            "--each {given}: none of its columns ({}) is an input of the mission ({}); name them alike",
            listed(&columns),
            listed(&known)
        )
        .into());
    }
    if !others.is_empty() {
        output::notes(&[format!(
            "the mission takes {}; of each row, {} only in the results",
            listed(&inputs),
            if others.len() == 1 { format!("{} is", listed(&others)) } else { format!("{} are", listed(&others)) },
        )]);
    }
    // A question takes whatever has a name.
    let unnamed: Vec<&str> = others.into_iter().filter(|name| !data::is_name(name)).collect();
    if mission.is_some_and(|mission| mission.agent.signature.is_none()) && !unnamed.is_empty() {
        output::notes(&[format!(
            "no program can name {}: a mission sees it under another name, which `--each '{{ file = …, header = […] }}'` gives it",
            listed(&unnamed)
        )]);
    }
    Ok(())
}

/// The names of the columns, for people.
pub(super) fn columns(rows: &[BatchRow]) -> String {
    let names: Vec<String> =
        rows.first().map(|row| row.columns.iter().map(|(key, _)| key_text(key)).collect()).unwrap_or_default();
    listed(&names)
}

fn listed(names: &[impl AsRef<str>]) -> String {
    let shown: Vec<String> = names.iter().take(LISTED).map(|name| format!("`{}`", name.as_ref())).collect();
    let more = if names.len() > LISTED { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}

/// The records of a data file, read as a mission file reads it: columns that the mission takes as texts stay texts.
fn of_file(given: &str, mission: Option<&MissionFile>) -> Result<Vec<Map>, Failure> {
    let keys = match data::table(given) {
        Some(keys) => keys?,
        None => JsonMap::from_iter([("file".to_owned(), json!(given))]),
    };
    let (rows, notes) = rows_of(Path::new(COMMAND_LINE), keys, &texts(mission))
        .map_err(|problem| format!("--each {given}: {problem}"))?;
    output::notes(&notes);
    Ok(rows)
}

/// The inputs of the mission that are texts.
fn texts(mission: Option<&MissionFile>) -> Vec<String> {
    let params = mission.iter().flat_map(|mission| &mission.agent.signature).flat_map(|signature| signature.params());
    params.filter(|field| *field.ty.shape() == Type::String).map(|field| field.name.clone()).collect()
}

/// A row for each file of a folder, in the order of their names: an object in a JSON file with its keys, else the `text`;
/// both with the name as `file`.
fn of_folder(folder: &Path) -> Result<Vec<Map>, Failure> {
    let entries = fs::read_dir(folder).map_err(FileFailure::unreadable(folder))?;
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry.map_err(FileFailure::unreadable(folder))?.path();
        let is_hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if path.is_file() && !is_hidden {
            paths.push(path);
        }
    }
    paths.sort();
    paths.iter().map(|path| of_one(path)).collect()
}

fn of_one(path: &Path) -> Result<Map, Failure> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let file = (Value::keyword("file"), Value::string(name));
    let is_json = path.extension().is_some_and(|ending| ending == "json");
    let mut options = ReadOptions::default();
    if !is_json {
        options.set("format", &json!("text"))?;
    }
    let read = read_data_with(path, &options).map_err(|error| format!("--each: {}: {error}", named(path)))?;
    output::notes(&read.notes);
    let columns = match read.value {
        Value::Map(keys) if is_json => {
            Value::map_from(std::iter::once(file).chain(keys.iter().map(|(k, v)| (k.clone(), v.clone()))))
        }
        value => Value::map_from([file, (Value::keyword("text"), value)]),
    };
    Ok(columns.as_map().cloned().unwrap_or_default())
}
