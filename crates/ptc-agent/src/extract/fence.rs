//! Blocks between fences, and elements in angle brackets.

use super::clean::{Reader, clean};

const FENCE: &str = "```";
const TAGS: [&str; 2] = ["clojure", "lisp"];
/// What may close a tagged block instead of a fence.
const CLOSING_TAGS: [&str; 2] = ["</clojure>", "</lisp>"];

/// A stretch of an answer that may be a program.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Block<'a> {
    /// The text after the opening fence.
    pub tag: &'a str,
    /// The text inside.
    pub text: &'a str,
}

impl Block<'_> {
    pub fn is_tagged(&self) -> bool {
        TAGS.contains(&self.tag)
    }

    pub fn cleaned(&self) -> String {
        clean(self.text)
    }
}

/// All fenced blocks in order; a tagged one may be closed by `</clojure>` or `</lisp>`.
///
/// Marks in a string of a program, or of JSON, neither open nor close a block: programs write Markdown. A tagged block
/// that is never closed reaches to the end, when no block before it was tagged: models stop early there.
pub(super) fn fenced_blocks(answer: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut rest = answer;
    while let Some(inside) = opening(rest).and_then(|(_, end)| rest.get(end..)) {
        let (tag, text) = split_tag(inside);
        let is_tagged = TAGS.contains(&tag);
        match closing(text, is_tagged) {
            Some((end, after)) => {
                blocks.push(Block { tag, text: text.get(..end).unwrap_or_default() });
                rest = text.get(after..).unwrap_or_default();
            }
            None => {
                if is_tagged && !blocks.iter().any(Block::is_tagged) {
                    blocks.push(Block { tag, text });
                }
                break;
            }
        }
    }
    blocks
}

/// All `<clojure>` and `<lisp>` elements, in order of appearance.
pub(super) fn tagged_elements(answer: &str) -> Vec<Block<'_>> {
    let mut found = Vec::new();
    for tag in TAGS {
        let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
        let mut from = 0;
        while let Some((start, _)) = answer.get(from..).and_then(|rest| rest.match_indices(&open).next()) {
            let inside = from + start + open.len();
            let Some(end) = answer.get(inside..).and_then(|rest| rest.find(&close)) else { break };
            found.push((inside, Block { tag, text: answer.get(inside..inside + end).unwrap_or_default() }));
            from = inside + end + close.len();
        }
    }
    found.sort_by_key(|(start, _)| *start);
    found.into_iter().map(|(_, block)| block).collect()
}

/// The tag after an opening fence, without spaces and the line break after it.
fn split_tag(inside: &str) -> (&str, &str) {
    let is_tag = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '+' | '#' | '.');
    let end = inside.find(|c: char| !is_tag(c)).unwrap_or(inside.len());
    let (tag, text) = inside.split_at(end);
    let text = text.trim_start_matches([' ', '\t']);
    (tag, text.strip_prefix('\n').unwrap_or(text))
}

/// Where the next fence begins and ends, with its contents still unknown.
fn opening(text: &str) -> Option<(usize, usize)> {
    if text.trim_start().starts_with('(') {
        outside_strings(text, |rest| mark(rest, false))
    } else {
        text.find(FENCE).map(|start| (start, start + FENCE.len()))
    }
}

/// Where the block ends, and where the text after its closing mark starts.
fn closing(text: &str, is_tagged: bool) -> Option<(usize, usize)> {
    if is_tagged || text.trim_start().starts_with(['(', '{', '[']) {
        return outside_strings(text, |rest| mark(rest, is_tagged));
    }
    text.find(FENCE).map(|start| (start, start + FENCE.len()))
}

/// The length of the mark that the text begins with.
fn mark(text: &str, is_tagged: bool) -> Option<usize> {
    let elements = CLOSING_TAGS.into_iter().filter(|_| is_tagged);
    std::iter::once(FENCE).chain(elements).find(|mark| text.starts_with(mark)).map(str::len)
}

/// Where the first mark outside of strings begins and ends; the first of all when a string is never closed, because
/// then a quote is missing.
fn outside_strings(text: &str, mark: impl Fn(&str) -> Option<usize>) -> Option<(usize, usize)> {
    let mut reader = Reader::default();
    let mut inside = None;
    for (start, c) in text.char_indices() {
        let length = if matches!(c, '`' | '<') { text.get(start..).and_then(&mark) } else { None };
        match length.map(|length| (start, start + length)) {
            Some(found) if !reader.is_in_string() => return Some(found),
            found => inside = inside.or(found),
        }
        reader.read(c);
    }
    inside.filter(|_| reader.is_in_string())
}
