//! What separates the cells of a CSV file, and whether its quotes are closed.

/// What separates the cells: a comma, unless the header has none and something else that separates cells elsewhere.
pub(super) fn of(text: &str) -> u8 {
    let mut counts = [0usize; 3];
    let mut is_quoted = false;
    for byte in text.bytes() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b'\n' | b'\r' if !is_quoted => break,
            _ if is_quoted => {}
            _ => {
                for (count, separator) in counts.iter_mut().zip(*b",;\t") {
                    *count += usize::from(byte == separator);
                }
            }
        }
    }
    match counts {
        [0, semicolons, tabs] if tabs > semicolons => b'\t',
        [0, semicolons, _] if semicolons > 0 => b';',
        _ => b',',
    }
}

/// The separator as people call it.
pub(super) fn name(separator: u8) -> &'static str {
    match separator {
        b';' => "`;`",
        b'\t' => "tabs",
        _ => "commas",
    }
}

/// Where the quote opens that the text never closes.
pub(super) fn unclosed_quote(text: &str, separator: u8) -> Option<usize> {
    let mut cell = Cell::Begin;
    for (at, byte) in text.bytes().enumerate() {
        cell = match (cell, byte) {
            (Cell::Quoted(opened), b'"') => Cell::Closed(opened),
            (Cell::Quoted(opened), _) => Cell::Quoted(opened),
            // A doubled quote stands for itself.
            (Cell::Closed(opened), b'"') => Cell::Quoted(opened),
            (Cell::Begin, b'"') => Cell::Quoted(at),
            (_, b'\n' | b'\r') => Cell::Begin,
            (_, byte) if byte == separator => Cell::Begin,
            _ => Cell::Plain,
        };
    }
    match cell {
        Cell::Quoted(opened) => Some(opened),
        _ => None,
    }
}

/// Where a reader is in a cell.
#[derive(Clone, Copy)]
enum Cell {
    Begin,
    Plain,
    /// Inside of the quote that opened here.
    Quoted(usize),
    /// Behind a quote that closes, or is the first half of a doubled one.
    Closed(usize),
}
