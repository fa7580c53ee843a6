//! Texts with columns as one list of maps.

#[cfg(test)]
mod tests;
mod told;

use std::path::PathBuf;

use ptc_lisp::{Import, RowKeys, Value};

use super::columns::{At, Column, ColumnType};
use super::dialect::{self, Dialect};
use super::options::ReadOptions;
use super::split::{Fault, Row, Splitter};
use super::{DataError, DataFile};

/// Rows whose cells decide which types are tried first.
const TRIED: usize = 1_000;

/// Bytes that a row has at least, in the estimate of their number: small first rows may promise too many.
const SHORTEST: usize = 16;

/// One text of a table.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) path: PathBuf,
    /// What of the file it is: a file of an archive, a sheet.
    pub(super) part: Option<String>,
    pub(super) text: String,
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
    rows: usize,
    /// Where lines begin that were left out as comments.
    comments: Vec<usize>,
    /// Where rows begin that could not be read, and what is wrong with the first one.
    skipped: Vec<usize>,
    why: Option<String>,
}

/// The rows of these texts, every cell below its header. All must have the same columns.
pub(super) fn read(sources: Vec<Source>, options: &ReadOptions) -> Result<DataFile, DataError> {
    let mut parts = Vec::with_capacity(sources.len());
    for source in sources {
        let dialect =
            dialect::detect(&source.text, options, source.separator).map_err(|found| source.problem(found))?;
        parts.push(Part { source, dialect, rows: 0, comments: Vec::new(), skipped: Vec::new(), why: None });
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
    let value = table.import.list(rows);
    Ok(table.into_file(value, &types))
}

struct Table<'o> {
    parts: Vec<Part>,
    options: &'o ReadOptions,
    columns: Vec<Column>,
    import: Import,
    keys: RowKeys,
    /// The rows that the size of the first ones promises.
    expected: usize,
}

/// What a row is for: the places of its cells, and its text.
struct Found<'r> {
    row: &'r Row,
    text: &'r str,
    dialect: &'r Dialect,
    at: At,
}

impl<'o> Table<'o> {
    fn new(parts: Vec<Part>, options: &'o ReadOptions) -> Table<'o> {
        let names: Vec<String> = parts.first().map(|part| part.dialect.names.clone()).unwrap_or_default();
        let mut import = Import::uncounted();
        let keys = import.row_keys(names.iter().map(String::as_str).chain(options.file_column.as_deref()));
        let columns = names.iter().map(|name| Column::new(name, options)).collect();
        Table { parts, options, columns, import, keys, expected: 0 }
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
    fn tried(&mut self) -> Result<Vec<ColumnType>, DataError> {
        let (mut tried, mut bytes) = (0, 0);
        self.each_row(&mut |columns, _, found| {
            for (column, cell) in columns.iter_mut().zip(found.row.cells(found.text, found.dialect.syntax)) {
                column.count(column.sort(&cell), &cell, found.at);
            }
            tried += 1;
            bytes = found.at.byte.saturating_sub(found.dialect.body);
            Ok(tried < TRIED)
        })?;
        let size: usize = self.parts.iter().map(|part| part.source.text.len()).sum();
        self.expected =
            if tried < TRIED { tried } else { (size / (bytes / TRIED).max(2)).min(size / SHORTEST) + TRIED };
        Ok(self.types())
    }

    /// The error for columns whose cells do not have the type that all of them have together.
    fn untyped(&self) -> DataError {
        let path = self.parts.first().map(|part| part.source.path.clone()).unwrap_or_default();
        let problem = "its columns have no types that all of their cells have; say `types`".to_owned();
        DataError::Refused { path, problem }
    }

    /// The types that the cells so far have.
    fn types(&self) -> Vec<ColumnType> {
        let has_commas = self.has_commas();
        self.columns.iter().map(|column| column.ty(has_commas)).collect()
    }

    fn has_commas(&self) -> bool {
        self.columns.iter().any(Column::has_decimal_commas)
    }

    /// All rows; `None` when a column turns out to have another type.
    fn rows(&mut self, types: &[ColumnType]) -> Result<Option<Vec<Value>>, DataError> {
        let files: Vec<Value> = match self.options.file_column {
            Some(_) => self.parts.iter().map(|part| Value::string(part.source.name())).collect(),
            None => Vec::new(),
        };
        let (keys, trims) = (self.keys.clone(), self.options.trim);
        let width = self.columns.len() + usize::from(!files.is_empty());
        let (mut rows, mut is_other) = (Vec::with_capacity(self.expected), false);
        self.each_row(&mut |columns, import, found| {
            check_given(columns, types, &found, import)?;
            let mut values = Vec::with_capacity(if is_other { 0 } else { width });
            let cells = found.row.cells(found.text, found.dialect.syntax);
            for ((column, ty), cell) in columns.iter_mut().zip(types).zip(cells) {
                let cell = if trims { cell.trim() } else { &cell };
                let sort = column.sort(cell);
                column.count(sort, cell, found.at);
                if is_other {
                    continue;
                }
                match column.value(ty, sort, cell, import) {
                    Ok(Some(value)) => values.push(value),
                    Ok(None) => {
                        is_other = true;
                        rows = Vec::new();
                    }
                    Err(what) => return Err(told::bad_cell(&column.name, cell, what)),
                }
            }
            if !is_other {
                values.extend(files.get(found.at.file).cloned());
                rows.push(import.row(&keys, values));
            }
            Ok(true)
        })?;
        Ok(if is_other || self.types() != types { None } else { Some(rows) })
    }

    /// Do this with each row that has as many cells as there are columns, until it returns false. What it refuses is an
    /// error, or left out.
    fn each_row(
        &mut self,
        take: &mut impl FnMut(&mut [Column], &mut Import, Found<'_>) -> Result<bool, String>,
    ) -> Result<(), DataError> {
        self.columns = self.columns.iter().map(|column| Column::new(&column.name, self.options)).collect();
        let Table { parts, columns, import, options, .. } = self;
        for (file, part) in parts.iter_mut().enumerate() {
            part.forget();
            let Part { source, dialect, rows, comments, skipped, why } = part;
            let mut splitter = Splitter::new(&source.text, dialect.body, dialect.syntax);
            let mut row = Row::default();
            loop {
                let problem = match splitter.next(&mut row) {
                    Ok(false) => break,
                    Ok(true) if row.len() == dialect.names.len() => None,
                    Ok(true) if dialect.is_left_out(&row, &source.text) => {
                        comments.extend(dialect.is_comment(&row, &source.text).then_some(row.start));
                        continue;
                    }
                    Ok(true) => dialect.bad_row(&row, &source.text, *rows),
                    Err(fault @ Fault::Unclosed(_)) => return Err(source.problem(dialect.told(fault))),
                    Err(fault @ Fault::Stray(at)) => {
                        splitter.skip_line_at(at);
                        Some(dialect.told(fault))
                    }
                };
                let at = At { file, byte: row.start };
                let problem = match problem {
                    Some(problem) => problem,
                    None => match take(columns, import, Found { row: &row, text: &source.text, dialect, at }) {
                        Ok(true) => {
                            *rows += 1;
                            continue;
                        }
                        Ok(false) => return Ok(()),
                        Err(told) => dialect::Problem::new(row.start, told),
                    },
                };
                if !options.skips_bad_rows {
                    return Err(source.problem(problem));
                }
                skipped.push(row.start);
                why.get_or_insert(problem.told);
            }
            comments.extend(splitter.comments());
        }
        Ok(())
    }
}

/// Whether the columns with given types can have these cells: before the row counts for any column.
fn check_given(columns: &[Column], types: &[ColumnType], found: &Found<'_>, import: &mut Import) -> Result<(), String> {
    if columns.iter().all(|column| !column.must_convert()) {
        return Ok(());
    }
    for ((column, ty), cell) in columns.iter().zip(types).zip(found.row.cells(found.text, found.dialect.syntax)) {
        if column.must_convert()
            && let Err(what) = column.value(ty, column.sort(&cell), &cell, import)
        {
            return Err(told::bad_cell(&column.name, &cell, what));
        }
    }
    Ok(())
}

impl Part {
    /// Ready to be read again.
    fn forget(&mut self) {
        self.rows = 0;
        self.comments.clear();
        self.skipped.clear();
        self.why = None;
    }
}
