//! Blocks between fences, and elements in angle brackets.

use super::clean::clean;

const FENCE: &str = "```";
const TAGS: [&str; 2] = ["clojure", "lisp"];
/// What may close a tagged block instead of a fence.
const CLOSING_TAGS: [&str; 2] = ["</clojure>", "</lisp>"];

/// A stretch of an answer that may be a program.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Block<'a> {
    /// What stands behind the opening fence.
    pub tag: &'a str,
    /// What stands inside.
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
/// A tagged block that is never closed reaches to the end, when no block before it was tagged: models stop early there.
pub(super) fn fenced_blocks(answer: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut rest = answer;
    while let Some(inside) = first_of(rest, '`', &[FENCE]).and_then(|(_, end)| rest.get(end..)) {
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

/// The tag behind an opening fence, blanks and the line break behind it dropped.
fn split_tag(inside: &str) -> (&str, &str) {
    let is_tag = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '+' | '#' | '.');
    let end = inside.find(|c: char| !is_tag(c)).unwrap_or(inside.len());
    let (tag, text) = inside.split_at(end);
    let text = text.trim_start_matches([' ', '\t']);
    (tag, text.strip_prefix('\n').unwrap_or(text))
}

/// Where the block ends, and where the text behind its closing mark starts.
fn closing(text: &str, is_tagged: bool) -> Option<(usize, usize)> {
    let fence = first_of(text, '`', &[FENCE]);
    let before = fence.and_then(|(start, _)| text.get(..start)).unwrap_or(text);
    let element = if is_tagged { first_of(before, '<', &CLOSING_TAGS) } else { None };
    element.or(fence)
}

/// Where the first of these marks begins and ends, which all start with `first`.
fn first_of(text: &str, first: char, marks: &[&str]) -> Option<(usize, usize)> {
    text.match_indices(first).find_map(|(start, _)| {
        let mark = marks.iter().find(|mark| text.get(start..).is_some_and(|rest| rest.starts_with(**mark)))?;
        Some((start, start + mark.len()))
    })
}
