//! What the lines of a log have in common: shapes, in which numbers, texts in quotes and identifiers are marks.

use std::borrow::Cow;
use std::fmt::Write;

use foldhash::fast::RandomState;
use indexmap::IndexMap;
use ptc_lisp::Value;
use ptc_lisp::text::{FormatOptions, format, shortened};

use super::values::grouped;

/// Lines from which on a text is told by their shapes: the first lines of a shorter one say as much.
const FEWEST: usize = 100;
/// Lines that are examined; of more this many, evenly spaced.
const MOST: usize = 10_000;
/// Different shapes that are counted.
const MOST_SHAPES: usize = 1_000;
/// Shapes that are shown.
const SHOWN: usize = 5;
/// Characters of a shape, and of an example.
const CHARS: usize = 100;
/// Characters after which no further shape is shown.
const ALL_CHARS: usize = 600;
/// Digits of the shortest hexadecimal number that has no `0x` before it.
const HEX_DIGITS: usize = 7;

/// The most frequent shapes of the lines of a text, or of a list of texts, each with its number and one of its lines:
/// `#:# took # ms 310 as in "10:05 took 31 ms" | … 12 more`. `None` where most lines have shapes that hardly any other
/// line has, as those of prose.
///
/// Cost: linear in the text.
pub(super) fn shapes(value: &Value) -> Option<String> {
    match value {
        Value::Str(text) => {
            let text = text.as_str();
            told(text.lines().map(Some), text.lines().count())
        }
        Value::Vector(items) => told(items.iter().map(line), items.len()),
        _ => None,
    }
}

/// An element of a list, if it is a text with a blank in it rather than a name or a number.
fn line(item: &Value) -> Option<&str> {
    item.as_str().filter(|text| text.trim().contains(' '))
}

struct Shape<'t> {
    count: usize,
    example: &'t str,
}

fn told<'t>(lines: impl Iterator<Item = Option<&'t str>>, count: usize) -> Option<String> {
    if count < FEWEST {
        return None;
    }
    let (mut shapes, mut seen) = (IndexMap::<String, Shape<'t>, RandomState>::default(), 0);
    let mut mask = String::new();
    for line in lines.step_by(count.div_ceil(MOST)) {
        let line = line?.trim();
        if line.is_empty() {
            continue;
        }
        seen += 1;
        mask.clear();
        push_shape(&mut mask, line);
        if let Some(shape) = shapes.get_mut(&mask) {
            shape.count += 1;
        } else if shapes.len() < MOST_SHAPES {
            shapes.insert(mask.clone(), Shape { count: 1, example: line });
        }
    }
    let mut shapes: Vec<(String, Shape<'t>)> = shapes.into_iter().filter(|(_, shape)| shape.count > 1).collect();
    shapes.sort_by_key(|(_, shape)| std::cmp::Reverse(shape.count));
    let covered: usize = shapes.iter().take(SHOWN).map(|(_, shape)| shape.count).sum();
    (seen > 0 && covered * 2 >= seen).then(|| text(&shapes, seen, count))
}

fn text(shapes: &[(String, Shape<'_>)], seen: usize, count: usize) -> String {
    let (mut text, mut covered) = (String::new(), 0);
    for (number, (shape, Shape { count, example })) in shapes.iter().take(SHOWN).enumerate() {
        if text.chars().count() >= ALL_CHARS {
            break;
        }
        let separator = if number > 0 { " | " } else { "" };
        let _ = write!(text, "{separator}{} {} as in {}", quoted(shape), grouped(count), quoted(example));
        covered += count;
    }
    let others = seen - covered;
    if others > 0 {
        let _ = write!(text, " | {} of other shapes", grouped(others));
    }
    if count > MOST {
        let _ = write!(text, " (from {} lines)", grouped(seen));
    }
    text
}

fn quoted(line: &str) -> String {
    format(&Value::string(&*shortened(line, CHARS)), &FormatOptions::full()).text
}

/// Append the line with marks instead of what differs from line to line.
fn push_shape(shape: &mut String, line: &str) {
    let mut rest = line;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        let word = word(rest);
        let taken = if matches!(c, '"' | '\'') && !before.is_alphanumeric() {
            push_quoted(shape, rest, c)
        } else if word.is_empty() {
            shape.push(c);
            c.len_utf8()
        } else {
            shape.push_str(&masked(word));
            word.len()
        };
        let (read, left) = rest.split_at_checked(taken).unwrap_or((rest, ""));
        before = read.chars().next_back().unwrap_or(' ');
        rest = left;
    }
}

/// Letters, digits, and what is between those of numbers, addresses and identifiers.
fn word(text: &str) -> &str {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '.' | ':' | '-' | '_');
    let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

/// Append a text in quotes as a mark, unless it is the key of a value; returns its length. A quote without another one
/// is a sign like any other.
fn push_quoted(shape: &mut String, text: &str, quote: char) -> usize {
    let inner = text.get(1..).unwrap_or_default();
    let Some(end) = inner.find(quote).map(|end| end + 2) else {
        shape.push(quote);
        return 1;
    };
    let is_key = text.get(end..).is_some_and(|after| after.starts_with(':'));
    match text.get(..end) {
        Some(key) if is_key => shape.push_str(key),
        _ => shape.extend([quote, '…', quote]),
    }
    end
}

/// A word with marks: `<uuid>`, `<ip>`, `<hex>`, or `#` instead of the digits of each number.
fn masked(word: &str) -> Cow<'_, str> {
    if !word.bytes().any(|byte| byte.is_ascii_digit()) {
        return Cow::Borrowed(word);
    }
    let end = word.trim_end_matches(['.', ':', '-']).len();
    let (core, signs) = word.split_at_checked(end).unwrap_or((word, ""));
    let is_hex = |part: &str| part.bytes().all(|byte| byte.is_ascii_hexdigit());
    let has_letters = core.bytes().any(|byte| byte.is_ascii_alphabetic());
    let mark = if core.split('-').map(str::len).eq([8, 4, 4, 4, 12]) && core.split('-').all(is_hex) {
        "<uuid>"
    } else if is_address(core) {
        "<ip>"
    } else if core.strip_prefix("0x").map_or(core.len() >= HEX_DIGITS && has_letters && is_hex(core), is_hex) {
        "<hex>"
    } else {
        return Cow::Owned(numbers(word));
    };
    Cow::Owned(format!("{mark}{signs}"))
}

/// Whether it is an address of the internet, with or without a port.
fn is_address(word: &str) -> bool {
    let is_plain = word.parse::<std::net::IpAddr>().is_ok();
    is_plain || word.parse::<std::net::SocketAddr>().is_ok()
}

/// The word with `#` instead of each row of digits; those after a point belong to the number before it.
fn numbers(word: &str) -> String {
    let mut shape = String::with_capacity(word.len());
    let mut chars = word.chars().peekable();
    while let Some(c) = chars.next() {
        if !c.is_ascii_digit() {
            shape.push(c);
            continue;
        }
        shape.push('#');
        while chars.next_if(char::is_ascii_digit).is_some() {}
        let mut ahead = chars.clone();
        if ahead.next() == Some('.') && ahead.peek().is_some_and(char::is_ascii_digit) {
            chars.next();
            while chars.next_if(char::is_ascii_digit).is_some() {}
        }
    }
    shape
}

#[cfg(test)]
mod tests;
