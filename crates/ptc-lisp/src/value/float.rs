//! Floats as text.
//!
//! Bounded: the shortest text of a float has at most [`LONGEST`] bytes, for which its caller reserves capacity.

#[cfg(test)]
mod tests;

/// Bytes of the longest text of a float that [`write_shortest`] appends.
pub(crate) const LONGEST: usize = 32;

/// The range of sizes whose shortest text the fast writer writes in decimals.
const DECIMAL: std::ops::Range<f64> = 1e-5..1e16;

/// The text of a float where it is only looked at: `println`, samples.
///
/// - the shortest text that reads back, truncated to 10 decimals, with at least one: `0.3333333333`, `12345678.9`,
///   `2.0`, `-0.0`
/// - from 1e21 up to 15 significant digits with exponent: `1.5e22`
/// - below 1e-5 up to 10 significant digits with exponent: `3.2e-12`
/// - `##Inf`, `##-Inf`, `##NaN`
#[must_use]
pub fn print_float(x: f64) -> String {
    let mut text = String::new();
    if write_decimal(&mut text, x, 10) {
        return text;
    }
    if x.is_nan() {
        return "##NaN".to_owned();
    }
    if x.is_infinite() {
        return if x > 0.0 { "##Inf" } else { "##-Inf" }.to_owned();
    }
    let size = x.abs();
    if size >= 1e21 {
        return exponent_form(&format!("{x:.14e}"));
    }
    if size != 0.0 && size < 1e-5 {
        return exponent_form(&format!("{x:.9e}"));
    }
    // Rounding the exact binary value would show digits that were never written.
    let shortest = x.to_string();
    match shortest.split_once('.') {
        Some((_, decimals)) if decimals.len() > 10 => one_decimal(&format!("{x:.10}")),
        _ => one_decimal(&shortest),
    }
}

/// The shortest text that reads back as the same float: what `str` and JSON show.
///
/// - decimal for 1e-7 ≤ |x| < 1e21: `0.30000000000000004`, `2.0`; otherwise `1.5e22`, `1.0e-9`
/// - `Infinity`, `-Infinity`, `NaN`
#[must_use]
pub fn shortest_float(x: f64) -> String {
    let mut text = String::new();
    write_shortest(&mut text, x);
    text
}

/// The shortest text that reads back, in the form of [`print_float`].
pub(crate) fn readable_float(x: f64) -> String {
    match x.abs() {
        size if !size.is_finite() => print_float(x),
        size if size != 0.0 && size < DECIMAL.start => exponent_form(&format!("{x:e}")),
        _ => shortest_float(x),
    }
}

/// Append the result of [`shortest_float`], for which there is capacity.
pub(crate) fn write_shortest(out: &mut String, x: f64) {
    if !write_hundredths(out, x) && !write_decimal(out, x, usize::MAX) {
        out.push_str(&rare_shortest(x));
    }
}

/// Append the text of a float with at most two decimals, such as an amount of money; false, with nothing appended, for
/// others.
///
/// Up to 15 digits, no two decimals are the same float. So if the nearest number with two decimals is this float, it is
/// what the search for the shortest text would find, except for trailing zeros.
fn write_hundredths(out: &mut String, x: f64) -> bool {
    const LIMIT: f64 = 1e12;
    let size = x.abs();
    let figure = (size * 100.0 + 0.5) as i64;
    // Zero has a sign, too.
    if x == 0.0 || size >= LIMIT || figure as f64 / 100.0 != size {
        return false;
    }
    if x < 0.0 {
        out.push('-');
    }
    let figure = figure.unsigned_abs();
    out.push_str(itoa::Buffer::new().format(figure / 100));
    let digit = |n: u64| char::from_digit((n % 10) as u32, 10).unwrap_or('0');
    out.push('.');
    out.push(digit(figure / 10));
    if !figure.is_multiple_of(10) {
        out.push(digit(figure));
    }
    true
}

/// Append the shortest text in decimals, unless the size of `x` or the number of decimals needs the slow path.
fn write_decimal(out: &mut String, x: f64, decimals: usize) -> bool {
    if x != 0.0 && !DECIMAL.contains(&x.abs()) {
        return false;
    }
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format_finite(x);
    if text.split_once('.').is_none_or(|(_, fraction)| fraction.len() > decimals) {
        return false;
    }
    out.push_str(text);
    true
}

fn rare_shortest(x: f64) -> String {
    if x.is_nan() {
        return "NaN".to_owned();
    }
    if x.is_infinite() {
        return if x > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    let size = x.abs();
    if size == 0.0 || (1e-7..1e21).contains(&size) {
        let text = x.to_string();
        return if text.contains('.') { text } else { text + ".0" };
    }
    exponent_form(&format!("{x:e}"))
}

/// `1.500e22` → `1.5e22`, `1e22` → `1.0e22`.
fn exponent_form(text: &str) -> String {
    match text.split_once('e') {
        Some((digits, exponent)) => format!("{}e{exponent}", one_decimal(digits)),
        None => text.to_owned(),
    }
}

/// The text without trailing zeros, but with one digit after the point.
fn one_decimal(text: &str) -> String {
    match text.split_once('.') {
        Some((whole, decimals)) => {
            let kept = decimals.trim_end_matches('0');
            format!("{whole}.{}", if kept.is_empty() { "0" } else { kept })
        }
        None => format!("{text}.0"),
    }
}

/// The float of a text that [`shortest_float`] writes.
pub(crate) fn parse_tagged_float(text: &str) -> Option<f64> {
    match text {
        "Infinity" => Some(f64::INFINITY),
        "-Infinity" => Some(f64::NEG_INFINITY),
        "NaN" => Some(f64::NAN),
        _ if text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte)) => text.parse().ok(),
        _ => None,
    }
}
