//! What models put around a program besides fences: elements, marks of templates, quotation marks of code.

use super::fence::{Block, outside_strings};
use super::info;

/// Elements that may hold a program.
const ELEMENTS: [&str; 9] = ["clojure", "lisp", "clj", "ptc-lisp", "ptc", "code", "program", "answer", "pre"];
/// Elements of one answer that are looked at.
const MAX_ELEMENTS: usize = 64;
/// Marks without a slash that end what a model writes.
const ENDS: [&str; 4] = ["<s>", "<eos>", "<end_of_turn>", "<end_code>"];

/// All elements that may hold a program, in order of appearance; one that is never closed reaches to the end.
pub(super) fn elements(answer: &str) -> Vec<Block<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while found.len() < MAX_ELEMENTS
        && let Some(start) = answer.get(at..).and_then(|rest| rest.find('<')).map(|start| at + start)
    {
        let Some((name, inside)) = answer.get(start..).and_then(opening) else {
            at = start + 1;
            continue;
        };
        let inside = start + inside;
        let text = answer.get(inside..).unwrap_or_default();
        let end = outside_strings(text, |(end, c)| {
            let closes = c == '<' && text.get(end..).and_then(closing).is_some_and(|(closed, _)| closed == name);
            closes.then_some(end)
        });
        found.push(Block::new(name, text.get(..end.unwrap_or(text.len())).unwrap_or_default()));
        // Elements may be inside of elements.
        at = inside;
    }
    found
}

/// The name of the element that `text` opens, and the length of the mark.
fn opening(text: &str) -> Option<(&str, usize)> {
    let inside = text.strip_prefix('<')?;
    let name = element(inside)?;
    let attributes = inside.get(name.len()..)?;
    let end = attributes.find('>').filter(|end| *end == 0 || attributes.starts_with(' '))?;
    Some((name, 1 + name.len() + end + 1))
}

/// The name of the element that `text` closes, and the length of the mark.
fn closing(text: &str) -> Option<(&str, usize)> {
    let name = element(text.strip_prefix("</")?)?;
    let is_closed = text.get(2 + name.len()..).is_some_and(|rest| rest.starts_with('>'));
    is_closed.then_some((name, name.len() + 3))
}

fn element(text: &str) -> Option<&str> {
    let name = text.get(..text.find(|c: char| !c.is_ascii_alphanumeric() && c != '-')?)?;
    ELEMENTS.iter().any(|known| known.eq_ignore_ascii_case(name)).then_some(name)
}

/// The length of the mark that closes an element and begins `text`.
pub(super) fn closing_element(text: &str) -> Option<usize> {
    closing(text).map(|(_, length)| length)
}

/// A program that is the whole answer, without what is around it: the name of the language in the first line, code
/// marks of Markdown, the end of an element and everything after it.
pub(super) fn bare(answer: &str) -> &str {
    let text = answer.rsplit_once("<|message|>").map_or(answer, |(_, text)| text).trim();
    let ticks = text.len() - text.trim_start_matches('`').len();
    let text = match text.get(ticks..text.len().saturating_sub(ticks)) {
        Some(inside) if ticks > 0 && text.ends_with('`') => inside,
        _ => text,
    };
    let text = info::named_below(text).text;
    let element = |(at, c): (usize, char)| {
        if c == '<' { text.get(at..).and_then(closing_element).map(|_| at) } else { None }
    };
    let end = if text.trim_start().starts_with(['(', ';']) { outside_strings(text, element) } else { None };
    without_ends(end.and_then(|end| text.get(..end)).unwrap_or(text))
}

/// The text without marks at its end that close an element or the turn, such as `</code>` and `<|im_end|>`.
pub(super) fn without_ends(text: &str) -> &str {
    let mut text = text.trim();
    while let Some(shorter) = without_end(text) {
        text = shorter.trim_end();
    }
    text
}

fn without_end(text: &str) -> Option<&str> {
    let start = text.rfind('<').filter(|_| text.ends_with('>'))?;
    let (before, mark) = text.split_at_checked(start)?;
    let inside = mark.get(1..mark.len() - 1)?;
    let is_name =
        |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    let is_end = inside.strip_prefix('/').is_some_and(is_name)
        || inside.strip_prefix('|').and_then(|rest| rest.strip_suffix('|')).is_some_and(is_name)
        || ENDS.contains(&mark);
    is_end.then_some(before)
}
