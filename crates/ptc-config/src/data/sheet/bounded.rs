//! Bounds of workbooks: a file of a few kilobytes can claim to have more than any memory holds.

use std::fmt::Display;
use std::io::{self, Cursor, Read};

use calamine::{Cell, Data, DataRef, Ods, Range, Reader, Sheets, Xls, Xlsb, Xlsx};

use super::super::DataError;
use super::super::open::{Opened, ZIP};

/// Cells of the smallest rectangle around all that are filled, as many as `calamine` takes of `.ods` files.
const MAX_CELLS: u64 = 100_000_000;

/// What a workbook is read from.
pub(super) type Book<'b> = Sheets<Cursor<&'b [u8]>>;

/// The workbook of a file. What is in it must have at most `left` bytes, which are lowered by as many.
pub(super) fn open<'b>(file: &'b Opened, left: &mut u64) -> Result<Book<'b>, DataError> {
    let refused = |problem: String| DataError::Refused { path: file.path.clone(), problem };
    let limit = *left;
    if file.bytes.starts_with(ZIP) {
        let size = unpacked(&file.bytes, limit).map_err(|error| refused(error.to_string()))?;
        *left = limit.checked_sub(size).ok_or_else(|| DataError::TooLarge { path: file.path.clone(), limit })?;
    }
    let bytes = Cursor::new(file.bytes.as_slice());
    let book = match super::super::format::extension(file.named()).as_str() {
        "xlsx" | "xlsm" => Xlsx::new(bytes).map(Sheets::Xlsx).map_err(|error| error.to_string()),
        "xlsb" => Xlsb::new(bytes).map(Sheets::Xlsb).map_err(|error| error.to_string()),
        "xls" => Xls::new(bytes).map(Sheets::Xls).map_err(|error| error.to_string()),
        "ods" => Ods::new(bytes).map(Sheets::Ods).map_err(|error| error.to_string()),
        _ => calamine::open_workbook_auto_from_rs(bytes).map_err(|error| error.to_string()),
    };
    book.map_err(refused)
}

/// How many bytes the files of an archive have, counted up to one more than `limit`. What the archive says of itself may
/// be wrong.
fn unpacked(bytes: &[u8], limit: u64) -> io::Result<u64> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(io::Error::other)?;
    let mut size = 0;
    for at in 0..archive.len() {
        let file = archive.by_index(at).map_err(io::Error::other)?;
        size += io::copy(&mut file.take(limit.saturating_add(1) - size), &mut io::sink())?;
        if size > limit {
            break;
        }
    }
    Ok(size)
}

/// The cells of a sheet. Their texts must have at most `limit` bytes: those that many cells share are stored once.
pub(super) fn cells(file: &Opened, book: &mut Book<'_>, name: &str, limit: u64) -> Result<Range<Data>, DataError> {
    let refused = |error: &dyn Display| DataError::Refused { path: file.path.clone(), problem: error.to_string() };
    let too_large = || DataError::TooLarge { path: file.path.clone(), limit };
    let cells = match book {
        Sheets::Xlsx(book) => {
            let mut reader = book.worksheet_cells_reader(name).map_err(|error| refused(&error))?;
            filled(|| reader.next_cell(), limit).map_err(|error| refused(&error))
        }
        Sheets::Xlsb(book) => {
            let mut reader = book.worksheet_cells_reader(name).map_err(|error| refused(&error))?;
            filled(|| reader.next_cell(), limit).map_err(|error| refused(&error))
        }
        // These have a bound, or a format that allows few cells.
        _ => return book.worksheet_range(name).map_err(|error| refused(&error)),
    };
    let cells = cells?.ok_or_else(too_large)?;
    let spread = |place: fn(&Cell<Data>) -> u32| {
        let places = || cells.iter().map(place);
        places().max().zip(places().min()).map_or(0, |(last, first)| u64::from(last - first) + 1)
    };
    let (rows, columns) = (spread(|cell| cell.get_position().0), spread(|cell| cell.get_position().1));
    if rows * columns > MAX_CELLS {
        let problem = format!(
            "the cells of the sheet `{name}` are spread over {rows} rows and {columns} columns; delete those that are far from the others"
        );
        return Err(refused(&problem));
    }
    Ok(Range::from_sparse(cells))
}

/// The cells that are not empty; `None` when their texts have more than `limit` bytes.
fn filled<'a, E>(
    mut next: impl FnMut() -> Result<Option<Cell<DataRef<'a>>>, E>,
    limit: u64,
) -> Result<Option<Vec<Cell<Data>>>, E> {
    let (mut cells, mut left) = (Vec::new(), limit);
    while let Some(cell) = next()? {
        let value = cell.get_value();
        let bytes = match value {
            DataRef::Empty => continue,
            DataRef::SharedString(text) => text.len(),
            DataRef::String(text) => text.len(),
            _ => 0,
        };
        match left.checked_sub(bytes as u64) {
            Some(rest) => left = rest,
            None => return Ok(None),
        }
        cells.push(Cell::new(cell.get_position(), Data::from(value.clone())));
    }
    Ok(Some(cells))
}
