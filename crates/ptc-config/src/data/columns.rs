//! The types of CSV columns: a column is typed as a whole, so that `12.50` and `7.25` of one column are both numbers.

use std::fmt;

use ptc_lisp::shortened;

/// Significant digits of a number without a decimal point: longer ones are probably ids, and floats would round them.
const MAX_DIGITS: usize = 15;
/// What statistics tools write for a missing value: nil in a column whose other cells are numbers.
const MISSING: [&str; 5] = ["NA", "N/A", "NaN", "null", "NULL"];
/// Characters of a cell that a note quotes.
const QUOTED_CHARS: usize = 40;

/// The type of all cells of a column; empty cells are nil in every type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnType {
    /// Every filled cell is an integer.
    Int,
    /// Every filled cell is a number, at least one with a decimal point or an exponent.
    Float,
    /// Every filled cell is `true` or `false`.
    Bool,
    /// Anything else, dates included.
    Text,
}

/// What is known of a column after some of its rows.
#[derive(Debug, Default, Clone)]
pub(super) struct Column {
    /// Cells that are not empty.
    filled: usize,
    integers: usize,
    floats: usize,
    booleans: usize,
    /// Whether the column is text whatever it contains.
    is_text: bool,
    /// Cells that mark a missing value.
    missing: usize,
    /// The first filled cell that is not a number.
    odd: Option<OddCell>,
    /// Cells that would be numbers with a point instead of their comma.
    commas: usize,
}

/// A cell that keeps its column from being numeric.
#[derive(Debug, Clone)]
struct OddCell {
    line: u64,
    text: String,
    reason: NotNumber,
}

impl Column {
    /// A column without rows; `is_text` when it is declared as text.
    pub(super) fn new(is_text: bool) -> Column {
        Column { is_text, ..Column::default() }
    }

    /// Takes the cell in this line of the file into account.
    pub(super) fn add(&mut self, cell: &str, line: u64) {
        if cell.is_empty() {
            return;
        }
        self.filled += 1;
        self.booleans += usize::from(matches!(cell, "true" | "false"));
        if is_missing(cell) {
            self.missing += 1;
            return;
        }
        match number(cell) {
            Ok(ColumnType::Int) => self.integers += 1,
            Ok(_) => self.floats += 1,
            Err(reason) => {
                self.commas += usize::from(has_decimal_comma(cell));
                self.odd.get_or_insert_with(|| OddCell { line, text: cell.to_owned(), reason });
            }
        }
    }

    /// The type of the cells so far; `Text` when all are empty.
    pub(super) fn ty(&self) -> ColumnType {
        let numbers = self.integers + self.floats;
        match self.filled {
            _ if self.is_text => ColumnType::Text,
            filled if numbers > 0 && filled == self.integers + self.missing => ColumnType::Int,
            filled if numbers > 0 && filled == numbers + self.missing => ColumnType::Float,
            filled if filled > 0 && filled == self.booleans => ColumnType::Bool,
            _ => ColumnType::Text,
        }
    }

    /// Why a column of mostly numbers is text, or which cells of a column of numbers are nil.
    pub(super) fn note(&self, name: &str) -> Option<String> {
        if self.is_text {
            return None;
        }
        let numbers = self.integers + self.floats;
        let Some(odd) = &self.odd else {
            let markers = MISSING.join("`, `");
            let missing = self.missing;
            return (numbers > 0 && missing > 0).then(|| {
                format!("the column `{name}` is numbers; {missing} of its cells say that the value is missing (`{markers}`) and are nil")
            });
        };
        if (numbers + self.commas) * 2 > self.filled && has_decimal_comma(&odd.text) {
            let OddCell { line, text, .. } = odd;
            return Some(format!(
                "the column `{name}` is text, since `{text}` in line {line} has a comma; numbers are written with a point, and with nothing between thousands"
            ));
        }
        (numbers * 2 > self.filled).then(|| {
            let quoted = shortened(&odd.text, QUOTED_CHARS);
            let OddCell { line, reason, .. } = odd;
            let filled = self.filled;
            format!(
                "the column `{name}` is text, since `{quoted}` in line {line} {reason}; {numbers} of its {filled} filled cells are numbers"
            )
        })
    }
}

/// Whether a cell marks a missing value.
pub(super) fn is_missing(cell: &str) -> bool {
    MISSING.contains(&cell)
}

/// Why a cell is not a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NotNumber {
    Other,
    LeadingZero,
    Plus,
    TooLong,
}

impl fmt::Display for NotNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotNumber::Other => f.write_str("is not a number"),
            NotNumber::LeadingZero => f.write_str("has a leading zero"),
            NotNumber::Plus => f.write_str("begins with `+`"),
            NotNumber::TooLong => write!(f, "has more than {MAX_DIGITS} digits"),
        }
    }
}

/// Reads `-12.50e-3`: digits, then maybe a decimal point with digits, then maybe an exponent.
fn number(cell: &str) -> Result<ColumnType, NotNumber> {
    let unsigned = cell.strip_prefix('-').unwrap_or(cell);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['-', '+']).unwrap_or(exponent))),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    if whole.strip_prefix('+').is_some_and(is_digits) {
        return Err(NotNumber::Plus);
    }
    // `1e999` is infinite.
    let is_number = [Some(whole), fraction, exponent].into_iter().flatten().all(is_digits);
    if !is_number || cell.parse().is_ok_and(f64::is_infinite) {
        return Err(NotNumber::Other);
    }
    match whole.strip_prefix('0') {
        Some(rest) if !rest.is_empty() => Err(NotNumber::LeadingZero),
        _ if fraction.is_none() && whole.len() > MAX_DIGITS => Err(NotNumber::TooLong),
        _ if fraction.is_none() && exponent.is_none() => Ok(ColumnType::Int),
        _ => Ok(ColumnType::Float),
    }
}

/// Whether a cell would be a number with a point instead of its comma, and without separators of thousands.
fn has_decimal_comma(cell: &str) -> bool {
    cell.matches(',').count() == 1 && number(&cell.replace('.', "").replace(',', ".")).is_ok()
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests;
