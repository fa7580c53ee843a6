//! The rows of a table: pieces of its text are read by several threads at the same time.

use std::borrow::Cow;
use std::collections::HashMap;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{available_parallelism, scope};

use memchr::memchr;
use ptc_lisp::{Import, Value};

use super::super::columns::{At, Column, ColumnType};
use super::super::dialect::Problem;
use super::super::split::{Fault, Row, Splitter};
use super::text::Pieces;
use super::{DataError, Part, ReadOptions, Table, told};

/// The most threads that read.
const THREADS: usize = 8;
/// Pieces that a thread reads before all of them are put together.
const EACH: usize = 8;

/// Where some lines of a file are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    /// Their number among the pieces that are read at the same time.
    at: usize,
    /// Whether they are the first ones below the header.
    pub(super) is_first: bool,
    /// Whether nothing comes after them.
    pub(super) is_last: bool,
}

impl Place {
    /// The first lines of many.
    pub(super) const HEAD: Place = Place { at: 0, is_first: true, is_last: false };
}

/// Some lines and what was read of them, or why there are none.
struct Taken<'t> {
    place: Place,
    found: Result<(Cow<'t, str>, Result<Read, DataError>), DataError>,
}

/// What was met in the lines of a file.
#[derive(Debug, Default)]
pub(super) struct Met {
    pub(super) rows: usize,
    /// Lines that were left out as comments.
    pub(super) comments: Vec<usize>,
    /// Rows that could not be read, and what is wrong with the first one.
    pub(super) skipped: Vec<usize>,
    pub(super) why: Option<String>,
    /// The byte where the row begins that these lines do not end.
    rest: usize,
}

/// What was read of some lines.
struct Read {
    columns: Vec<Column>,
    /// `None` when a cell has another type than its column should have.
    rows: Option<Vec<Value>>,
    /// How many lines they are, or rows of a workbook.
    lines: usize,
    met: Met,
}

impl Table<'_> {
    /// All rows; `None` when a column turns out to have another type.
    pub(super) fn rows(&mut self, types: &[ColumnType]) -> Result<Option<Vec<Value>>, DataError> {
        self.columns = self.empty_columns();
        let (mut rows, mut imports) = (Some(Vec::new()), Vec::new());
        let most = self.parts.iter().map(|part| part.source.text.most_pieces()).max().unwrap_or(1);
        imports.resize_with(available_parallelism().map_or(1, usize::from).min(THREADS).min(most), Import::uncounted);
        for file in 0..self.parts.len() {
            self.file(file, types, &mut imports, &mut rows)?;
        }
        Ok(rows.filter(|_| self.types() == types))
    }

    fn empty_columns(&self) -> Vec<Column> {
        self.columns.iter().map(|column| Column::new(&column.name, self.options)).collect()
    }

    /// Add the rows of a file. Threads read each piece as if it began with a row; one that does not, since a line end is in
    /// quotes, is read again, after what the one before it left.
    fn file(
        &mut self,
        file: usize,
        types: &[ColumnType],
        imports: &mut [Import],
        rows: &mut Option<Vec<Value>>,
    ) -> Result<(), DataError> {
        let Some(part) = self.parts.get(file) else { return Ok(()) };
        let mut pieces = part.source.text.pieces(part.dialect.body)?;
        let (mut found, mut columns) = (Met::default(), self.columns.clone());
        let (mut rest, mut lines, mut bytes) = (String::new(), part.lines_above(), 0);
        while !pieces.is_over() {
            let round = self.round(file, types, imports, &mut pieces, rest.len(), rows.is_some());
            for Taken { place, found: piece } in round {
                let (mut text, mut read) = piece?;
                if let (false, [import, ..]) = (rest.is_empty(), &mut *imports) {
                    text = Cow::Owned(std::mem::take(&mut rest) + &text);
                    read = self.read(file, &text, place, types, import, rows.is_some());
                }
                let mut read = read.map_err(|error| error.below(lines))?;
                read.move_below(lines);
                rest = text.get(read.met.rest..).unwrap_or_default().to_owned();
                (lines, bytes) = (lines + read.lines, bytes + read.met.rest);
                columns.iter_mut().zip(read.columns).for_each(|(column, next)| column.extend(next));
                *rows = rows.take().zip(read.rows).map(|(mut rows, more)| {
                    rows.extend(more);
                    rows
                });
                found.extend(read.met);
            }
            if let Some(rows) = rows {
                // As many as these promise, and a bit more.
                let left = part.source.text.len().saturating_sub(bytes as u64);
                let promised = u128::from(left) * found.rows as u128 / bytes.max(1) as u128;
                rows.reserve_exact(usize::try_from(promised + promised / 50).unwrap_or(0));
            }
        }
        self.columns = columns;
        if let Some(part) = self.parts.get_mut(file) {
            part.met = found;
        }
        Ok(())
    }

    /// The next pieces and what they hold, up to the first fault; each has this many bytes at least.
    fn round<'t>(
        &self,
        file: usize,
        types: &[ColumnType],
        imports: &mut [Import],
        pieces: &mut Pieces<'t>,
        least: usize,
        is_wanted: bool,
    ) -> Vec<Taken<'t>> {
        let is_first = pieces.is_new();
        let (most, pieces, is_over) = (imports.len() * EACH, Mutex::new((pieces, 0)), AtomicBool::new(false));
        let take = || {
            let mut pieces = pieces.lock().unwrap_or_else(PoisonError::into_inner);
            let (pieces, count) = &mut *pieces;
            if *count == most || is_over.load(Ordering::Relaxed) || pieces.is_over() {
                return None;
            }
            *count += 1;
            let piece = pieces.next(least);
            let place = Place { at: *count, is_first: is_first && *count == 1, is_last: pieces.is_over() };
            Some((piece, place))
        };
        let work = |import: &mut Import| {
            let mut done = Vec::new();
            while let Some((piece, place)) = take() {
                let found = piece.map(|piece| {
                    let read = self.read(file, &piece, place, types, import, is_wanted);
                    (piece, read)
                });
                is_over.fetch_or(!matches!(found, Ok((_, Ok(_)))), Ordering::Relaxed);
                done.push(Taken { place, found });
            }
            done
        };
        let mut taken: Vec<Taken<'t>> = match imports {
            [import] => work(import),
            imports => scope(|scope| {
                let threads: Vec<_> = imports.iter_mut().map(|import| scope.spawn(|| work(import))).collect();
                let done = threads.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
                done.flatten().collect()
            }),
        };
        taken.sort_unstable_by_key(|taken| taken.place.at);
        taken
    }

    /// The rows of some lines, as long as they are wanted.
    fn read(
        &self,
        file: usize,
        text: &str,
        place: Place,
        types: &[ColumnType],
        import: &mut Import,
        is_wanted: bool,
    ) -> Result<Read, DataError> {
        let Some(part) = self.parts.get(file) else { return Err(self.untyped()) };
        let syntax = part.dialect.syntax;
        let name = self.options.file_column.as_ref().map(|_| import.string(&part.source.name()));
        let width = self.columns.len() + usize::from(name.is_some());
        let (mut columns, mut rows) = (self.empty_columns(), is_wanted.then(Vec::new));
        let mut met = each_row(part, text, place, self.options, |row| {
            check_given(&columns, types, row.cells(text, syntax), import)?;
            let mut cells = Vec::with_capacity(if rows.is_some() { width } else { 0 });
            let at = At { file, place: row.start };
            for ((column, ty), cell) in columns.iter_mut().zip(types).zip(row.cells(text, syntax)) {
                let cell = if self.options.trim { cell.trim() } else { &cell };
                let sort = column.sort(cell);
                column.count(sort, cell, at);
                if rows.is_none() {
                    continue;
                }
                match column.value(ty, sort, cell, import) {
                    Ok(Some(value)) => cells.push(value),
                    Ok(None) => rows = None,
                    Err(what) => return Err(told::bad_cell(&column.name, cell, what)),
                }
            }
            if let Some(rows) = &mut rows {
                cells.extend(name.clone());
                rows.push(import.row(&self.keys, cells));
            }
            Ok(true)
        })?;
        met.comments.sort_unstable();
        for places in [&mut met.comments, &mut met.skipped] {
            *places = part.source.numbers(text, places);
        }
        let mut places: Vec<usize> = columns.iter().flat_map(Column::places).collect();
        places.sort_unstable();
        let numbers: HashMap<usize, usize> =
            part.source.numbers(text, &places).into_iter().zip(places).map(|(number, at)| (at, number)).collect();
        columns.iter_mut().for_each(|column| column.place(|at| numbers.get(&at).copied().unwrap_or(1)));
        let lines = part.source.count(text.get(..met.rest).unwrap_or(text));
        Ok(Read { columns, rows, lines, met })
    }
}

impl Read {
    /// The same below so many lines.
    fn move_below(&mut self, lines: usize) {
        self.columns.iter_mut().for_each(|column| column.place(|number| number + lines));
        self.met.comments.iter_mut().chain(&mut self.met.skipped).for_each(|number| *number += lines);
    }
}

impl Met {
    /// What was met here and in the lines after.
    fn extend(&mut self, next: Met) {
        self.rows += next.rows;
        self.comments.extend(next.comments);
        self.skipped.extend(next.skipped);
        self.why = self.why.take().or(next.why);
    }
}

/// Do this with each row of these lines that has as many cells as there are columns, until it returns false. What it
/// refuses is an error, or left out. Places are bytes of these lines.
pub(super) fn each_row(
    part: &Part,
    text: &str,
    place: Place,
    options: &ReadOptions,
    mut take: impl FnMut(&Row) -> Result<bool, String>,
) -> Result<Met, DataError> {
    let Part { source, dialect, .. } = part;
    let refused = |problem: Problem| source.problem(text, problem);
    if let Some(at) = memchr(0, text.as_bytes()) {
        return Err(refused(Problem::new(at, "this is not text, it contains a byte 0; save the file as UTF-8")));
    }
    let mut splitter = Splitter::new(text, 0, dialect.syntax);
    let (mut row, mut met) = (Row::default(), Met { rest: text.len(), ..Met::default() });
    loop {
        let problem = match splitter.next(&mut row) {
            Ok(false) => break,
            Ok(true) if row.len() == dialect.names.len() => None,
            Ok(true) if dialect.is_left_out(&row, text) => {
                met.comments.extend(dialect.is_comment(&row, text).then_some(row.start));
                continue;
            }
            Ok(true) => dialect.bad_row(&row, text, place.is_first && met.rows == 0),
            Err(Fault::Unclosed(_)) if !place.is_last => {
                met.rest = row.start;
                break;
            }
            Err(fault @ Fault::Unclosed(_)) => return Err(refused(dialect.told(fault))),
            Err(fault @ Fault::Stray(at)) => {
                splitter.skip_line_at(at);
                Some(dialect.told(fault))
            }
        };
        let problem = match problem {
            Some(problem) => problem,
            None => match take(&row) {
                Ok(true) => {
                    met.rows += 1;
                    continue;
                }
                Ok(false) => break,
                Err(told) => Problem::new(row.start, told),
            },
        };
        if !options.skips_bad_rows {
            return Err(refused(problem));
        }
        met.skipped.push(row.start);
        met.why.get_or_insert(problem.told);
    }
    met.comments.extend(splitter.comments().iter().filter(|at| **at < met.rest));
    Ok(met)
}

/// Whether the columns with given types can have these cells: before the row counts for any column.
fn check_given<'c>(
    columns: &[Column],
    types: &[ColumnType],
    cells: impl Iterator<Item = Cow<'c, str>>,
    import: &mut Import,
) -> Result<(), String> {
    if columns.iter().all(|column| !column.must_convert()) {
        return Ok(());
    }
    for ((column, ty), cell) in columns.iter().zip(types).zip(cells) {
        if column.must_convert()
            && let Err(what) = column.value(ty, column.sort(&cell), &cell, import)
        {
            return Err(told::bad_cell(&column.name, &cell, what));
        }
    }
    Ok(())
}
