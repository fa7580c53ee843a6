//! Queries of SQLite files.

use std::collections::HashSet;
use std::path::Path;

use ptc_lisp::Import;
use rusqlite::types::{Value as Param, ValueRef};
use rusqlite::{Connection, OpenFlags, Row, Statement, params_from_iter};
use serde_json::{Map, Value as Json};

use super::{DataError, DataFile};

/// Rows that a query may return.
const MAX_ROWS: usize = 1_000_000;

/// The rows of a query; each value has its type from the database.
pub(super) fn read(path: &Path, sql: &str, params: &[Json]) -> Result<DataFile, DataError> {
    // SQLite's message for a missing file does not name the reason.
    std::fs::metadata(path).map_err(|source| DataError::Unreadable { path: path.to_owned(), source })?;
    rows(path, sql, params, MAX_ROWS).map_err(|problem| DataError::Refused { path: path.to_owned(), problem })
}

fn rows(path: &Path, sql: &str, params: &[Json], limit: usize) -> Result<DataFile, String> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(|error| error.to_string())?;
    let mut statement = connection.prepare(sql).map_err(|error| error.to_string())?;
    let names = column_names(&statement)?;
    let mut rows = statement.query(params_from_iter(params.iter().map(param))).map_err(|error| error.to_string())?;
    let mut made = Vec::new();
    while let Some(row) = rows.next().map_err(|error| error.to_string())? {
        if made.len() == limit {
            return Err(format!("the query gives more than {limit} rows; count and sum in SQL, or add `limit`"));
        }
        made.push(entries(row, &names)?);
    }
    let made = Import::uncounted().serialized(&made).map_err(|error| error.to_string())?;
    Ok(made.into())
}

/// The names of the columns, each once: they become the keys of a map.
fn column_names(statement: &Statement<'_>) -> Result<Vec<String>, String> {
    let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
    if names.is_empty() {
        return Err("the query gives no columns; write a `select`".to_owned());
    }
    let mut known = HashSet::new();
    match names.iter().find(|name| !known.insert(name.as_str())) {
        Some(twice) => Err(format!("the query gives two columns `{twice}`; give one another name with `as`")),
        None => Ok(names),
    }
}

fn entries(row: &Row<'_>, names: &[String]) -> Result<Map<String, Json>, String> {
    let value = |(place, name): (usize, &String)| {
        Ok((name.clone(), json(row.get_ref(place).map_err(|error| error.to_string())?, name)?))
    };
    names.iter().enumerate().map(value).collect()
}

fn json(value: ValueRef<'_>, name: &str) -> Result<Json, String> {
    match value {
        ValueRef::Null => Ok(Json::Null),
        ValueRef::Integer(number) => Ok(number.into()),
        ValueRef::Real(number) => Ok(number.into()),
        ValueRef::Text(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => Ok(text.into()),
            Err(_) => Err(format!("the column `{name}` holds text that is not UTF-8")),
        },
        ValueRef::Blob(_) => Err(format!(
            "the column `{name}` holds bytes, which programs cannot read; select `hex({name})` or leave it out"
        )),
    }
}

fn param(json: &Json) -> Param {
    match json {
        Json::Null => Param::Null,
        Json::Bool(truth) => Param::Integer(i64::from(*truth)),
        Json::Number(number) => match number.as_i64() {
            Some(number) => Param::Integer(number),
            None => Param::Real(number.as_f64().unwrap_or(f64::NAN)),
        },
        Json::String(text) => Param::Text(text.clone()),
        Json::Array(_) | Json::Object(_) => Param::Text(json.to_string()),
    }
}

#[cfg(test)]
mod tests;
