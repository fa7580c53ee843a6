//! Sheets of workbooks.

use super::DataError;
use super::open::Opened;
use super::options::ReadOptions;
use super::table::Source;
#[cfg(feature = "sheets")]
use super::table::Text;

#[cfg(not(feature = "sheets"))]
pub(super) fn read(file: &Opened, _: &ReadOptions, _: &mut u64) -> Result<Source, DataError> {
    Err(DataError::NoFeature { path: file.path.clone(), format: "a workbook", feature: "sheets" })
}

/// The cells of the sheet that the options name, or of the first one. All that is in the workbook must have at most `left`
/// bytes, which are lowered by as many.
#[cfg(feature = "sheets")]
pub(super) fn read(file: &Opened, options: &ReadOptions, left: &mut u64) -> Result<Source, DataError> {
    use calamine::Reader;

    let refused = |problem: String| DataError::Refused { path: file.path.clone(), problem };
    let limit = *left;
    let mut book = bounded::open(file, left)?;
    let names = book.sheet_names();
    let quoted = || names.iter().take(20).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let Some(name) = options.sheet.as_ref().or(names.first()) else {
        return Err(refused("this workbook has no sheet".to_owned()));
    };
    if !names.contains(name) {
        return Err(refused(format!("there is no sheet `{name}`; there are {}", quoted())));
    }
    let range = bounded::cells(file, &mut book, name, limit)?;
    let others = (options.sheet.is_none() && names.len() > 1)
        .then(|| format!("the sheet `{name}` is read; `sheet = \"…\"` chooses from {}", quoted()));
    Ok(Source {
        path: file.path.clone(),
        part: Some(format!("sheet {name}")),
        text: Text::Whole(cells::written(&range)),
        separator: Some(super::split::Syntax::USUAL.separator),
        format: "a workbook",
        encoding: None,
        notes: others.into_iter().collect(),
        has_rows: true,
    })
}

#[cfg(feature = "sheets")]
mod bounded;
#[cfg(feature = "sheets")]
mod cells;
#[cfg(test)]
#[cfg(feature = "sheets")]
mod tests;
