//! The entries of `[data]`: literals, files and queries.

use std::path::Path;

use indexmap::IndexMap;
use ptc_agent::{AgentSpec, rules};
use ptc_lisp::signature::{Signature, Type};
use ptc_lisp::{Import, Value};
use ptc_mission::extract_placeholders;

use crate::data::{self, DataError, DataFile, query_sqlite, read_columns};
use crate::document::{Item, Section};
use crate::error::ConfigError;
use crate::options;
use crate::problems::Problems;
use crate::shape;

/// The values by their names; `notes` collects remarks on files, and keys that were probably meant for the mission.
/// Columns that the signature of the agent declares as text stay text.
pub(super) fn read(
    data: Item<'_>,
    folder: &Path,
    agent: &AgentSpec,
    notes: &mut Vec<String>,
    problems: &mut Problems,
) -> IndexMap<String, Value> {
    let table = problems.keep(data.section("data must be a map"));
    let signature = agent.signature.as_ref();
    let mut entries = IndexMap::new();
    for (key, place, item) in table.iter().flat_map(Section::entries) {
        let file = sourced(key, item, folder, &texts(signature, key));
        if matches!(file, Ok(None)) && is_option(key) && !is_input(agent, key) {
            notes
                .push(format!("{place}: `{key}` below [data] is data; keys of the mission go above the first [table]"));
        }
        problems.keep(rules::data_key(key).map_err(|source| ConfigError::Rule { place, source }));
        let read = file.and_then(|file| match file {
            Some(file) => Ok(file),
            None => Ok(Import::uncounted().value(literal(item).json()?).into()),
        });
        if let Some(DataFile { value, notes: noticed }) = problems.keep(read) {
            notes.extend(noticed);
            entries.insert(key.to_owned(), value);
        }
    }
    entries
}

/// Whether a mission has a key of this name.
fn is_option(key: &str) -> bool {
    options::keys().chain(shape::names(&super::KEYS)).any(|known| known == key)
}

/// Whether the mission asks for an input of this name.
fn is_input(agent: &AgentSpec, name: &str) -> bool {
    let is_placeholder = || {
        let placeholders = extract_placeholders(&agent.mission);
        placeholders.iter().any(|placeholder| placeholder.path.first().is_some_and(|first| first == name))
    };
    agent.signature.as_ref().is_some_and(|signature| signature.param(name).is_some()) || is_placeholder()
}

/// The value read from the source that a table with exactly these keys names. Any other table is a literal.
fn sourced(key: &str, item: Item<'_>, folder: &Path, texts: &[&str]) -> Result<Option<DataFile>, ConfigError> {
    let Some(table) = item.value.get_ref().as_table() else { return Ok(None) };
    let section = Section { document: item.document, table };
    let item = |key| section.get(key);
    let path = |file: Item<'_>| file.text("file must be the name of a file").map(|name| folder.join(name));
    let (at, read) = match (table.len(), item("file"), item("columns"), item("sqlite"), item("sql"), item("params")) {
        (1, Some(file), ..) => (file, data::read(&path(file)?, None, texts)),
        (2, Some(file), Some(columns), ..) => (file, read_columns(path(file)?, &column_names(columns)?)),
        (2, .., Some(sqlite), Some(sql), None) => (sql, query(folder, sqlite, sql, None)?),
        (3, .., Some(sqlite), Some(sql), Some(params)) => (sql, query(folder, sqlite, sql, Some(params))?),
        _ => return Ok(None),
    };
    read.map(Some).map_err(|source| ConfigError::Data { place: at.place(), key: key.to_owned(), source })
}

/// The fields of the records under this name that are declared as text.
fn texts<'s>(signature: Option<&'s Signature>, key: &str) -> Vec<&'s str> {
    let Some(param) = signature.and_then(|signature| signature.param(key)) else { return Vec::new() };
    let Type::List(record) = param.ty.required() else { return Vec::new() };
    let Type::Record(fields) = record.required() else { return Vec::new() };
    fields.iter().filter(|field| *field.ty.required() == Type::String).map(|field| field.name.as_str()).collect()
}

fn column_names(columns: Item<'_>) -> Result<Vec<String>, ConfigError> {
    let names = columns.texts("columns must be a list of names")?;
    if names.is_empty() {
        Err(columns.refused("columns must have at least one name; leave it out to read all"))
    } else {
        Ok(names)
    }
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
    table.and_then(|table| Section { document: item.document, table }.get("value")).unwrap_or(item)
}
