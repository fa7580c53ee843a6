//! Values as texts and tables.

use ptc_lisp::text::{FormatOptions, format_with, shortened_counted};
use ptc_lisp::values::{Cells, key_text};
use ptc_lisp::{ShownNames, Value};
use serde::Serialize;

/// Maximum characters of a value in a document; the rest is only counted.
const MOST_CHARS: usize = 400_000;

/// Maximum rows of a table.
const MOST_ROWS: usize = 1_000;

/// Columns above which a list of maps is no longer a table.
const MOST_COLUMNS: usize = 24;

/// A value for people.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ValueView {
    /// As a program writes it, in one line.
    pub text: String,
    /// A list of maps as a table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<Table>,
}

/// Rows of cells under names.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Table {
    /// The entry of the value that has the rows; `None` if the value is the list itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub under: Option<String>,
    /// Names of the columns, in the order in which they first appear.
    pub columns: Vec<String>,
    /// The cells, as many as columns; `None` where a row has no such entry.
    pub rows: Vec<Vec<Option<String>>>,
    /// How many rows the value has.
    pub total: usize,
}

impl ValueView {
    /// The whole value, except hidden entries.
    pub(super) fn whole(value: &Value, shown: &ShownNames) -> ValueView {
        ValueView { text: text(value, shown), table: None }
    }

    /// The answer of a run: a list of maps is a table, too, and so is the one list of maps in a map.
    pub(super) fn answer(value: &Value, shown: &ShownNames) -> ValueView {
        let under = || {
            let entries = value.as_map()?.iter().filter(|(key, _)| !shown.hides_key(key));
            let mut tables =
                entries.filter_map(|(key, rows)| Some(Table { under: Some(key_text(key)), ..table(rows, shown)? }));
            tables.next().filter(|_| tables.next().is_none())
        };
        ValueView { table: table(value, shown).or_else(under), ..ValueView::whole(value, shown) }
    }
}

/// The text of a value, whole unless it is very long.
pub(super) fn text(value: &Value, cells: &dyn Cells) -> String {
    shortened_counted(&format_with(value, &FormatOptions::full(), cells).text, MOST_CHARS).into_owned()
}

/// A list of maps as a table; `None` for other values.
fn table(value: &Value, shown: &ShownNames) -> Option<Table> {
    let rows = value.as_vector()?;
    let maps: Vec<_> = rows.iter().take(MOST_ROWS).map(Value::as_map).collect::<Option<_>>()?;
    let mut columns: Vec<String> = Vec::new();
    for (key, _) in maps.iter().flat_map(|map| map.iter()) {
        let name = key_text(key);
        if !columns.contains(&name) && !shown.hides(&name) {
            columns.push(name);
        }
        if columns.len() > MOST_COLUMNS {
            return None;
        }
    }
    if columns.is_empty() {
        return None;
    }
    let cell = |map: &ptc_lisp::Map, name: &str| {
        map.iter().find(|(key, _)| key_text(key) == name).map(|(_, value)| match value.as_str() {
            Some(text) => text.to_owned(),
            None => text(value, shown),
        })
    };
    let row = |map: &&ptc_lisp::Map| columns.iter().map(|name| cell(map, name)).collect();
    Some(Table { under: None, rows: maps.iter().map(row).collect(), total: rows.len(), columns })
}
