//! Sheets of workbooks.

use super::DataError;
use super::open::Opened;
use super::options::ReadOptions;
use super::split::Syntax;
use super::table::Source;
#[cfg(feature = "sheets")]
use super::table::Text;

/// How the cells of a sheet are written for the reader of tables.
pub(super) const SYNTAX: Syntax =
    Syntax { separator: b',', quote: b'"', has_escapes: false, comment: None, has_spaces: false };

#[cfg(not(feature = "sheets"))]
pub(super) fn read(file: &Opened, _: &ReadOptions) -> Result<Source, DataError> {
    Err(DataError::NoFeature { path: file.path.clone(), format: "a workbook", feature: "sheets" })
}

#[cfg(feature = "sheets")]
pub(super) fn read(file: &Opened, options: &ReadOptions) -> Result<Source, DataError> {
    use calamine::{Ods, Reader, Sheets, Xls, Xlsb, Xlsx};

    let refused = |problem: String| DataError::Refused { path: file.path.clone(), problem };
    let bytes = std::io::Cursor::new(file.bytes.as_slice());
    let book = match super::format::extension(file.named()).as_str() {
        "xlsx" | "xlsm" => Xlsx::new(bytes).map(Sheets::Xlsx).map_err(|error| error.to_string()),
        "xlsb" => Xlsb::new(bytes).map(Sheets::Xlsb).map_err(|error| error.to_string()),
        "xls" => Xls::new(bytes).map(Sheets::Xls).map_err(|error| error.to_string()),
        "ods" => Ods::new(bytes).map(Sheets::Ods).map_err(|error| error.to_string()),
        _ => calamine::open_workbook_auto_from_rs(bytes).map_err(|error| error.to_string()),
    };
    let mut book = book.map_err(refused)?;
    let names = book.sheet_names();
    let quoted = || names.iter().take(20).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let Some(name) = options.sheet.as_ref().or(names.first()) else {
        return Err(refused("this workbook has no sheet".to_owned()));
    };
    if !names.contains(name) {
        return Err(refused(format!("there is no sheet `{name}`; there are {}", quoted())));
    }
    let range = book.worksheet_range(name).map_err(|error| refused(error.to_string()))?;
    let others = (options.sheet.is_none() && names.len() > 1)
        .then(|| format!("the sheet `{name}` is read; `sheet = \"…\"` chooses from {}", quoted()));
    Ok(Source {
        path: file.path.clone(),
        part: Some(format!("sheet {name}")),
        text: Text::Whole(cells::written(&range)),
        separator: Some(SYNTAX.separator),
        format: "a workbook",
        encoding: None,
        notes: others.into_iter().collect(),
        has_rows: true,
    })
}

#[cfg(feature = "sheets")]
mod cells;
#[cfg(test)]
#[cfg(feature = "sheets")]
mod tests;
