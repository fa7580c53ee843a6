//! Values for people: lists of maps are tables, maps are lists of their entries, texts are themselves.

#[cfg(test)]
mod tests;

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, Row, Table, TableStyle, Width};
use indexmap::IndexSet;
use ptc_runner::lisp::text::{escaped, escaped_lines, printed};
use ptc_runner::lisp::{Map, Value};

use super::clojure;

/// Levels of nested tables; deeper values are written by the formatter.
const MOST_LEVELS: usize = 3;

/// Maximum columns and rows of a table: what is larger is easier to read as the formatter writes it, a row a line.
const MOST_COLUMNS: usize = 12;
const MOST_ROWS: usize = 2_000;

/// Columns below which no table is drawn.
const NARROWEST: usize = 20;

/// The whole value, hidden entries too, in lines of about `width` columns. Nothing is cut: cells are wrapped.
pub(crate) fn readable(value: &Value, width: usize) -> String {
    shown(value, width, 0)
}

fn shown(value: &Value, width: usize, level: usize) -> String {
    let table = match value {
        Value::Str(text) => Some(lines_of(text.as_str())),
        Value::Map(map) if is_room(width, level) => entries(map, width, level),
        Value::Vector(items) if is_room(width, level) && !items.is_empty() => {
            let items: Vec<&Value> = items.iter().collect();
            rows(&items, width).or_else(|| lines(&items, width))
        }
        _ => None,
    };
    table.unwrap_or_else(|| clojure(value))
}

fn is_room(width: usize, level: usize) -> bool {
    width >= NARROWEST && level < MOST_LEVELS
}

/// A map with names as its keys: one line per entry.
fn entries(map: &Map, width: usize, level: usize) -> Option<String> {
    let names: Vec<String> =
        map.iter().map(|(key, _)| Some(escaped(name(key)?).into_owned())).collect::<Option<_>>()?;
    let widest = names.iter().map(|name| name.chars().count()).max()?;
    let rest = width.saturating_sub(widest + 2);
    let rows = names.iter().zip(map.iter()).map(|(name, (_, value))| {
        let cells = [name.clone(), shown(value, rest, level + 1)];
        Row::from(cells)
    });
    let mut table = table(rows, TableStyle::new(), width);
    let names = u16::try_from(widest + 2).ok()?;
    table.column_mut(0)?.set_constraint(ColumnConstraint::Absolute(Width::Fixed(names)));
    Some(text(&table))
}

/// A list of maps with names as their keys: one row per element, one column per key.
fn rows(items: &[&Value], width: usize) -> Option<String> {
    let maps: Vec<&Map> = items.iter().map(|item| item.as_map()).collect::<Option<_>>()?;
    let mut columns: IndexSet<&str> = IndexSet::new();
    for map in &maps {
        for (key, _) in map.iter() {
            columns.insert(name(key)?);
        }
        if columns.len() > MOST_COLUMNS {
            return None;
        }
    }
    // Too little space for the columns, or too many rows to lay out.
    if columns.is_empty() || columns.len() * 6 > width || maps.len() > MOST_ROWS {
        return None;
    }
    let cells = |map: &&Map| Row::from(columns.iter().map(|column| entry(map, column).map(cell).unwrap_or_default()));
    let style = TableStyle::new().header_separator(LineStyle::none().fill('─'));
    let mut table = table(maps.iter().map(cells), style, width);
    table.set_header(columns.iter().map(|column| escaped(column)));
    for (place, column) in columns.iter().enumerate() {
        let is_number = |value: &Value| matches!(value, Value::Int(_) | Value::Float(_) | Value::Big(_));
        if maps.iter().all(|map| entry(map, column).is_some_and(is_number)) {
            table.column_mut(place)?.set_cell_alignment(CellAlignment::Right);
        }
    }
    Some(text(&table))
}

/// Any other list that does not fit into a line: one line per element.
fn lines(items: &[&Value], width: usize) -> Option<String> {
    let lines: Vec<String> = items.iter().map(|item| cell(item)).collect();
    let length: usize = lines.iter().map(|line| line.chars().count() + 1).sum();
    let fits = length < width && lines.iter().all(|line| !line.contains('\n'));
    (!fits).then(|| lines.join("\n"))
}

fn entry<'a>(map: &'a Map, column: &str) -> Option<&'a Value> {
    map.iter().find(|(key, _)| name(key) == Some(column)).map(|(_, value)| value)
}

fn cell(value: &Value) -> String {
    match value {
        Value::Str(text) => lines_of(text.as_str()),
        other => clojure(other),
    }
}

/// A text with its line breaks, without other control characters: columns are counted after that.
fn lines_of(text: &str) -> String {
    escaped_lines(&printed(text)).into_owned()
}

fn name(key: &Value) -> Option<&str> {
    match key {
        Value::Keyword(name) => Some(name.as_str()),
        Value::Str(text) => Some(text.as_str()),
        _ => None,
    }
}

/// Columns two blanks apart.
fn table(rows: impl Iterator<Item = Row>, style: TableStyle, width: usize) -> Table {
    let mut table = Table::new();
    table
        .load_style(style)
        .add_rows(rows)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(u16::try_from(width).unwrap_or(u16::MAX));
    table.column_iter_mut().for_each(|column| {
        column.set_padding((0, 2));
    });
    table
}

/// The table without the blanks at the ends of its lines.
fn text(table: &Table) -> String {
    let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    lines.join("\n")
}
