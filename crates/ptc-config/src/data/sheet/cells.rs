//! The cells of a sheet as text with separators, one line for each row.

use calamine::{Data, ExcelDateTime, Range};

/// Larger whole numbers are not exact in workbooks.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// All rows from the first one of the sheet to the last one that is not empty.
pub(super) fn written(range: &Range<Data>) -> String {
    let above = range.start().map_or(0, |(row, _)| row as usize);
    let is_filled = |row: &&[Data]| row.iter().any(|cell| *cell != Data::Empty);
    let last =
        range.rows().enumerate().filter(|(_, row)| is_filled(row)).map(|(at, _)| at + 1).next_back().unwrap_or(0);
    // A row without cells is one empty cell, so that rows keep their numbers.
    let mut text = "\"\"\n".repeat(if last > 0 { above } else { 0 });
    for row in range.rows().take(last) {
        if is_filled(&row) {
            for (at, cell) in row.iter().enumerate() {
                text.push_str(if at > 0 { "," } else { "" });
                push_cell(&mut text, cell);
            }
        } else {
            text.push_str("\"\"");
        }
        text.push('\n');
    }
    text
}

fn push_cell(text: &mut String, cell: &Data) {
    match cell {
        Data::Empty => {}
        Data::Int(value) => text.push_str(&value.to_string()),
        Data::Float(value) if value.fract() == 0.0 && value.abs() < EXACT => text.push_str(&format!("{value:.0}")),
        Data::Float(value) => text.push_str(&value.to_string()),
        Data::Bool(value) => text.push_str(if *value { "true" } else { "false" }),
        Data::DateTime(time) => text.push_str(&date(time)),
        Data::String(value) | Data::DateTimeIso(value) | Data::DurationIso(value) => push_quoted(text, value),
        Data::Error(error) => push_quoted(text, &error.to_string()),
    }
}

/// `2024-03-01`, `2024-03-01 12:30:00`, and hours of durations.
fn date(time: &ExcelDateTime) -> String {
    let (year, month, day, hour, minute, second, milli) = time.to_ymd_hms_milli();
    let clock = match milli {
        0 => format!("{hour:02}:{minute:02}:{second:02}"),
        _ => format!("{hour:02}:{minute:02}:{second:02}.{milli:03}"),
    };
    let value = time.as_f64();
    if time.is_duration() {
        let hours = (value * 24.0).trunc();
        return format!("{hours:.0}:{minute:02}:{second:02}");
    }
    match (value < 1.0, value.fract() == 0.0) {
        (true, _) => clock,
        (_, true) => format!("{year:04}-{month:02}-{day:02}"),
        _ => format!("{year:04}-{month:02}-{day:02} {clock}"),
    }
}

fn push_quoted(text: &mut String, value: &str) {
    text.push('"');
    text.push_str(&value.replace('"', "\"\""));
    text.push('"');
}
