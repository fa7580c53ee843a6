//! What separates the cells of a CSV file, and whether its quotes are closed.

#[cfg(test)]
mod tests;

/// Rows below the header that are examined.
const ROWS: usize = 20;
/// What may separate cells.
const SEPARATORS: [u8; 3] = *b",;\t";

/// The separator of a file, and how certain it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Separator {
    /// The byte.
    pub(super) byte: u8,
    reason: Reason,
}

/// Why this one was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reason {
    /// It is the comma, or nothing suggests another one.
    Usual,
    /// The header has it and no comma.
    NoComma,
    /// Header and rows agree in the number of cells, but not with commas.
    Fits,
    /// They agree with this other separator, too.
    Rather(u8),
}

/// Separators outside of quotes in one line.
type Counts = [usize; 3];

/// The separator with which the header and the first rows have the same number of cells, more than one. Where they have
/// that with commas, too, it is the comma, unless every comma is in a text or a number: before a space, or alone
/// between digits. Where none fits, the header alone decides.
pub(super) fn of(text: &str) -> Separator {
    let (lines, is_prose) = counted(text);
    let Some((header, rows)) = lines.split_first() else { return Separator { byte: b',', reason: Reason::Usual } };
    let count = |line: &Counts, byte: u8| SEPARATORS.iter().zip(line).find(|it| *it.0 == byte).map_or(0, |it| *it.1);
    let fits = |byte: &u8| count(header, *byte) > 0 && rows.iter().all(|row| count(row, *byte) == count(header, *byte));
    let other = |byte: &&u8| **byte != b',' && count(header, **byte) > 0;
    // The last of equal ones: `;` before tabs.
    let most = |byte: &&u8| (count(header, **byte), **byte == b';');
    let fitting = SEPARATORS.iter().filter(other).filter(|byte| fits(byte)).max_by_key(most);
    let has_comma = count(header, b',') > 0;
    match fitting {
        Some(byte) if !has_comma => Separator { byte: *byte, reason: Reason::NoComma },
        Some(byte) if !fits(&b',') => Separator { byte: *byte, reason: Reason::Fits },
        Some(_) if rows.is_empty() => Separator { byte: b',', reason: Reason::Usual },
        Some(byte) if is_prose => Separator { byte: *byte, reason: Reason::Rather(b',') },
        Some(byte) => Separator { byte: b',', reason: Reason::Rather(*byte) },
        None => match SEPARATORS.iter().filter(other).max_by_key(most) {
            Some(byte) if !has_comma => Separator { byte: *byte, reason: Reason::NoComma },
            _ => Separator { byte: b',', reason: Reason::Usual },
        },
    }
}

/// The separators of the header and the first rows, blank lines left out, and whether no comma looks like a separator.
fn counted(text: &str) -> (Vec<Counts>, bool) {
    let (mut lines, mut line, mut is_prose) = (Vec::new(), Counts::default(), true);
    let (mut cell, mut commas, mut is_blank) = (Cell::Begin, 0, true);
    let bytes = text.as_bytes();
    let is_digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
    for (at, byte) in text.bytes().enumerate() {
        if byte != b' ' || !matches!(cell, Cell::Begin) {
            cell = cell.next(byte, at, |byte| SEPARATORS.contains(&byte));
        }
        if matches!(cell, Cell::Quoted(_)) {
            is_blank = false;
            continue;
        }
        if matches!(byte, b'\n' | b'\r') {
            if !is_blank {
                lines.push(line);
            }
            (line, commas, is_blank) = (Counts::default(), 0, true);
            if lines.len() > ROWS {
                break;
            }
            continue;
        }
        is_blank = false;
        for (count, separator) in line.iter_mut().zip(SEPARATORS) {
            *count += usize::from(byte == separator);
        }
        if byte == b',' {
            commas += 1;
            let is_decimal = commas == 1 && is_digit(at.checked_sub(1)) && is_digit(Some(at + 1));
            is_prose &= is_decimal || bytes.get(at + 1) == Some(&b' ');
        } else if SEPARATORS.contains(&byte) {
            commas = 0;
        }
    }
    if !is_blank {
        lines.push(line);
    }
    (lines, is_prose)
}

impl Separator {
    /// As people call it.
    pub(super) fn name(self) -> &'static str {
        name(self.byte)
    }

    /// Remarks for the user who gave the file.
    pub(super) fn note(self) -> Option<String> {
        let name = self.name();
        let separated = format!("the cells are separated by {name}");
        match self.reason {
            Reason::Usual => None,
            Reason::NoComma => Some(format!("{separated}, since its header has no comma")),
            Reason::Fits => Some(format!(
                "{separated}, since header and rows have the same number of them, which they do not with commas"
            )),
            Reason::Rather(b',') => Some(format!(
                "{separated}; commas would fit, too, but all are in numbers or before spaces. Quote cells that hold {name} if that is wrong"
            )),
            Reason::Rather(other) => {
                let other = self::name(other);
                Some(format!("{separated}; {other} would fit, too. Quote cells that hold commas if that is wrong"))
            }
        }
    }
}

fn name(separator: u8) -> &'static str {
    match separator {
        b';' => "`;`",
        b'\t' => "tabs",
        _ => "commas",
    }
}

/// Where the quote opens that is never closed.
pub(super) fn unclosed_quote(text: &str, separator: Separator) -> Option<usize> {
    let cell = text
        .bytes()
        .enumerate()
        .fold(Cell::Begin, |cell, (at, byte)| cell.next(byte, at, |byte| byte == separator.byte));
    match cell {
        Cell::Quoted(opened) => Some(opened),
        _ => None,
    }
}

/// The state of a reader in a cell.
#[derive(Clone, Copy)]
enum Cell {
    Begin,
    Plain,
    /// Inside the quote that opened here.
    Quoted(usize),
    /// After a quote that closes, or is the first half of a doubled one.
    Closed(usize),
}

impl Cell {
    /// After this byte, which is at `at`.
    fn next(self, byte: u8, at: usize, separates: impl Fn(u8) -> bool) -> Cell {
        match (self, byte) {
            (Cell::Quoted(opened), b'"') => Cell::Closed(opened),
            (Cell::Quoted(opened), _) => Cell::Quoted(opened),
            // A doubled quote stands for itself.
            (Cell::Closed(opened), b'"') => Cell::Quoted(opened),
            (Cell::Begin, b'"') => Cell::Quoted(at),
            (_, b'\n' | b'\r') => Cell::Begin,
            (_, byte) if separates(byte) => Cell::Begin,
            _ => Cell::Plain,
        }
    }
}
