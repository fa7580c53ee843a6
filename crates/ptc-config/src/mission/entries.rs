//! The entries of `[data]`: literals, files and queries.

use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use ptc_agent::{AgentSpec, rules};
use ptc_lisp::signature::{Signature, Type};
use ptc_lisp::{Import, Value};
use ptc_mission::extract_placeholders;

use crate::data::format::Format;
use crate::data::{DataError, DataFile, ReadOptions, Reading, options, query_sqlite, read_data_with};
use crate::document::{Item, Section};
use crate::error::ConfigError;
use crate::nearest::nearest;
use crate::problems::Problems;
use crate::shape;

/// The values by their names, and how files among them were read; `notes` collects remarks on files, and keys that were probably meant for the mission.
/// Columns that the signature of the agent declares as text stay text.
pub(super) fn read(
    data: Item<'_>,
    folder: &Path,
    agent: &AgentSpec,
    notes: &mut Vec<String>,
    problems: &mut Problems,
) -> (IndexMap<String, Value>, Vec<(String, Reading)>) {
    let table = problems.keep(data.section("data must be a map"));
    let signature = agent.signature.as_ref();
    let (mut entries, mut readings) = (IndexMap::new(), Vec::new());
    for (key, place, item) in table.iter().flat_map(Section::entries) {
        let file = sourced(key, item, folder, texts(signature, key), notes);
        if matches!(file, Ok(None)) && is_option(key) && !is_input(agent, key) {
            notes
                .push(format!("{place}: `{key}` below [data] is data; keys of the mission go above the first [table]"));
        }
        problems.keep(rules::data_key(key).map_err(|source| ConfigError::Rule { place, source }));
        let read = file.and_then(|file| match file {
            Some(file) => Ok(file),
            None => Ok(Import::uncounted().value(literal(item).json()?).into()),
        });
        if let Some(DataFile { value, notes: noticed, readings: found }) = problems.keep(read) {
            notes.extend(noticed);
            readings.extend(found.into_iter().map(|reading| (key.to_owned(), reading)));
            entries.insert(key.to_owned(), value);
        }
    }
    (entries, readings)
}

/// Whether a mission has a key of this name.
fn is_option(key: &str) -> bool {
    crate::options::keys().chain(shape::names(&super::KEYS)).any(|known| known == key)
}

/// Whether the mission asks for an input of this name.
fn is_input(agent: &AgentSpec, name: &str) -> bool {
    let is_placeholder = || {
        let placeholders = extract_placeholders(&agent.mission);
        placeholders.iter().any(|placeholder| placeholder.path.first().is_some_and(|first| first == name))
    };
    agent.signature.as_ref().is_some_and(|signature| signature.param(name).is_some()) || is_placeholder()
}

/// The value read from the source that a table names; `None` for a table that is data itself.
fn sourced(
    key: &str,
    item: Item<'_>,
    folder: &Path,
    texts: Vec<String>,
    notes: &mut Vec<String>,
) -> Result<Option<DataFile>, ConfigError> {
    let Some(table) = item.value.get_ref().as_table() else { return Ok(None) };
    let section = Section { document: item.document, table, below: None };
    let item = |key| section.get(key);
    let (at, read) = match (item("file"), table.len(), item("sqlite"), item("sql"), item("params")) {
        (Some(file), ..) if is_file(section, notes)? => {
            (file, read_data_with(path(file, folder)?, &options_of(section)?.with_texts(texts)))
        }
        (None, 2, Some(sqlite), Some(sql), None) => (sql, query(folder, sqlite, sql, None)?),
        (None, 3, Some(sqlite), Some(sql), Some(params)) => (sql, query(folder, sqlite, sql, Some(params))?),
        (None, ..) => {
            notes.extend(misspelt(section, folder));
            return Ok(None);
        }
        _ => return Ok(None),
    };
    read.map(Some).map_err(|source| ConfigError::Data { place: at.place(), key: key.to_owned(), source })
}

/// Whether a table with the key `file` is a data file: all other keys are options. A key that resembles an option is a
/// mistake; any other makes the table data, and a note says so.
fn is_file(section: Section<'_>, notes: &mut Vec<String>) -> Result<bool, ConfigError> {
    let mut known = options::names();
    let is_text = section.get("file").is_some_and(|file| file.value.get_ref().as_str().is_some());
    let has_options = known.iter().any(|key| section.get(key).is_some());
    known.push("file");
    let unknown: Vec<ConfigError> =
        section.unknown("a data file (a table that is data itself is written `{ value = { … } }`)", &known).collect();
    let resembles = |error: &ConfigError| matches!(error, ConfigError::UnknownKey { instead: Some(_), .. });
    let is_meant = is_text && unknown.iter().any(resembles);
    if !(unknown.is_empty() || has_options || is_meant) {
        let place = section.place_of("file").filter(|_| is_text);
        notes.extend(place.map(|place| {
            format!("{place}: this table is data, since not all of its keys are options of data files; `{{ value = {{ … }} }}` says so, too, without this note")
        }));
        return Ok(false);
    }
    unknown.into_iter().next().map_or(Ok(true), Err)
}

/// The name of a file from the folder of the mission; standard input keeps its name.
fn path(file: Item<'_>, folder: &Path) -> Result<PathBuf, ConfigError> {
    let name = file.text("file must be the name of a file")?;
    Ok(if name == "-" { PathBuf::from(name) } else { folder.join(name) })
}

fn options_of(section: Section<'_>) -> Result<ReadOptions, ConfigError> {
    let mut options = ReadOptions::default();
    for (name, _, item) in section.entries().filter(|(name, ..)| *name != "file") {
        options.set(name, &item.json()?).map_err(|rule| item.bad(rule))?;
    }
    Ok(options)
}

/// A remark on a table whose only text names a file that is there, or that a data file could have.
fn misspelt(section: Section<'_>, folder: &Path) -> Option<String> {
    let (key, place, item) = section.entries().find(|(key, ..)| nearest(key, &["file"]).is_some())?;
    let name = item.value.get_ref().as_str()?;
    let is_one = Format::of(Path::new(name)).is_some() || folder.join(name).is_file();
    is_one.then(|| format!("{place}: this table is data; a data file is `{{ file = \"…\" }}`, not `{key}`"))
}

/// The fields of the records under this name that are declared as text.
fn texts(signature: Option<&Signature>, key: &str) -> Vec<String> {
    let Some(param) = signature.and_then(|signature| signature.param(key)) else { return Vec::new() };
    let Type::List(record) = param.ty.shape() else { return Vec::new() };
    let Type::Record(fields) = record.shape() else { return Vec::new() };
    fields.iter().filter(|field| *field.ty.shape() == Type::String).map(|field| field.name.clone()).collect()
}

/// The rows of a query.
fn query(
    folder: &Path,
    sqlite: Item<'_>,
    sql: Item<'_>,
    params: Option<Item<'_>>,
) -> Result<Result<DataFile, DataError>, ConfigError> {
    const RULE: &str = "params must be a list of strings, numbers and booleans";
    let mut values = Vec::new();
    if let Some(params) = params {
        for param in params.list(RULE)? {
            let value = param.json().ok().filter(|json| !json.is_array() && !json.is_object());
            values.push(value.ok_or_else(|| params.bad(RULE))?);
        }
    }
    let sqlite = folder.join(sqlite.text("sqlite must be the name of a database file")?);
    Ok(query_sqlite(sqlite, sql.text("sql must be a query")?, &values))
}

/// The value of the only key `value`, so that tables that look like sources can be passed.
fn literal(item: Item<'_>) -> Item<'_> {
    let table = item.value.get_ref().as_table().filter(|table| table.len() == 1);
    table.and_then(|table| Section { document: item.document, table, below: None }.get("value")).unwrap_or(item)
}
