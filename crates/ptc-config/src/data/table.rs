//! Texts with columns as one list of maps.

mod rows;
#[cfg(test)]
mod tests;
mod text;
mod told;

use std::path::PathBuf;

use ptc_lisp::Import;
use ptc_lisp::values::RowKeys;

use super::columns::{At, Column, ColumnType};
use super::dialect::{self, Dialect};
use super::options::ReadOptions;
use super::{DataError, DataFile};
use rows::{Met, Place, each_row};

pub(super) use text::Text;

/// Rows whose cells decide which types are tried first.
const TRIED: usize = 1_000;

/// One text of a table.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) path: PathBuf,
    /// What of the file it is: a file of an archive, a sheet.
    pub(super) part: Option<String>,
    pub(super) text: Text,
    /// The separator that its name says.
    pub(super) separator: Option<u8>,
    pub(super) format: &'static str,
    /// The encoding, where it is text that was decoded.
    pub(super) encoding: Option<&'static str>,
    /// Remarks on it.
    pub(super) notes: Vec<String>,
    /// Whether its rows are counted instead of its lines, as in workbooks.
    pub(super) has_rows: bool,
}

/// A text, how it is written, and what was met in it.
#[derive(Debug)]
struct Part {
    source: Source,
    dialect: Dialect,
    met: Met,
}

/// The rows of these texts, every cell below its header. All must have the same columns.
pub(super) fn read(sources: Vec<Source>, options: &ReadOptions) -> Result<DataFile, DataError> {
    let mut parts = Vec::with_capacity(sources.len());
    for source in sources {
        let dialect = dialect::detect(source.text.head(), options, source.separator)
            .map_err(|found| source.problem(source.text.head(), found))?;
        parts.push(Part { source, dialect, met: Met::default() });
    }
    told::same_columns(&parts)?;
    let mut table = Table::new(parts, options);
    table.check_names()?;
    let tried = table.tried()?;
    let (rows, types) = match table.rows(&tried)? {
        Some(rows) => (rows, tried),
        // Some column has another type than its first rows have.
        None => {
            let types = table.types();
            let rows = table.rows(&types)?.ok_or_else(|| table.untyped())?;
            (rows, types)
        }
    };
    let value = Import::uncounted().list(rows);
    Ok(table.into_file(value, &types))
}

struct Table<'o> {
    parts: Vec<Part>,
    options: &'o ReadOptions,
    columns: Vec<Column>,
    keys: RowKeys,
}

impl<'o> Table<'o> {
    fn new(parts: Vec<Part>, options: &'o ReadOptions) -> Table<'o> {
        let names: Vec<String> = parts.first().map(|part| part.dialect.names.clone()).unwrap_or_default();
        let keys = Import::uncounted().row_keys(names.iter().map(String::as_str).chain(options.file_column.as_deref()));
        let columns = names.iter().map(|name| Column::new(name, options)).collect();
        Table { parts, options, columns, keys }
    }

    /// Options that name columns which are not there, or are there already, are mistakes.
    fn check_names(&self) -> Result<(), DataError> {
        let Some(part) = self.parts.first() else { return Ok(()) };
        let is_there = |name: &&String| self.columns.iter().any(|column| column.name == **name);
        let path = part.source.path.clone();
        if let Some(name) = self.options.file_column.as_ref().filter(is_there) {
            let problem = format!("there is a column `{name}` already; choose another name for `file_column`");
            return Err(DataError::Refused { path, problem });
        }
        let mut missing: Vec<String> = self.options.types.keys().filter(|name| !is_there(name)).cloned().collect();
        missing.sort_unstable();
        let known = self.columns.iter().map(|column| column.name.clone()).collect();
        if missing.is_empty() { Ok(()) } else { Err(DataError::MissingColumns { path, missing, known }) }
    }

    /// The types that the first rows have.
    fn tried(&self) -> Result<Vec<ColumnType>, DataError> {
        let (mut columns, mut tried) = (self.columns.clone(), 0);
        for part in &self.parts {
            let text = part.source.text.head().get(part.dialect.body..).unwrap_or_default();
            each_row(part, text, Place::HEAD, self.options, |row| {
                for (column, cell) in columns.iter_mut().zip(row.cells(text, part.dialect.syntax)) {
                    column.count(column.sort(&cell), &cell, At::default());
                }
                tried += 1;
                Ok(tried < TRIED)
            })
            .map_err(|error| error.below(part.lines_above()))?;
            if tried >= TRIED {
                break;
            }
        }
        Ok(self.types_of(&columns))
    }

    /// The error for columns whose cells do not have the type that all of them have together.
    fn untyped(&self) -> DataError {
        let path = self.parts.first().map(|part| part.source.path.clone()).unwrap_or_default();
        let problem = "its columns have no types that all of their cells have; say `types`".to_owned();
        DataError::Refused { path, problem }
    }

    /// The types that the cells have.
    fn types(&self) -> Vec<ColumnType> {
        self.types_of(&self.columns)
    }

    fn types_of(&self, columns: &[Column]) -> Vec<ColumnType> {
        let has_commas = self.has_commas(columns);
        columns.iter().map(|column| column.ty(has_commas)).collect()
    }

    /// Whether points may be between thousands: some column surely has decimal commas, or `;` leaves the comma to numbers
    /// and no column surely has decimal points.
    fn has_commas(&self, columns: &[Column]) -> bool {
        let has_sure = |sign| columns.iter().any(|column| column.surely_has(sign));
        let is_spared = self.parts.iter().any(|part| part.dialect.syntax.separator == b';');
        has_sure(',') || (is_spared && !has_sure('.'))
    }
}
