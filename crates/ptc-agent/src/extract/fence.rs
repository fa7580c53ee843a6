//! Blocks between fences, outside of thoughts.

use super::clean::{Reader, clean};
use super::info::{self, Info};
use super::wrapping;
use ptc_chat::ThoughtMarks;

/// Characters of a fence at least.
const LEAST: usize = 3;
/// Fences may hold an answer in Markdown, which has fences again.
const MAX_DEPTH: usize = 2;

/// A stretch of an answer that may be a program.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Block<'a> {
    /// The language after the opening fence.
    pub tag: &'a str,
    /// The text inside.
    pub text: &'a str,
    /// Whether each line of it begins with the `>` of a quotation.
    quoted: bool,
}

impl<'a> Block<'a> {
    pub fn new(tag: &'a str, text: &'a str) -> Self {
        Block { tag, text, quoted: false }
    }

    /// Whether the block says that it is a program.
    pub fn is_tagged(&self) -> bool {
        info::is_program(self.tag)
    }

    /// The program inside, without what models put around one.
    pub fn cleaned(&self) -> String {
        let unquoted = |line: &'a str| {
            let line = line.trim_start().strip_prefix('>').unwrap_or(line);
            line.strip_prefix(' ').unwrap_or(line)
        };
        if self.quoted {
            let lines: Vec<&str> = self.text.lines().map(unquoted).collect();
            return clean(wrapping::without_ends(&lines.join("\n")));
        }
        clean(wrapping::without_ends(self.text))
    }
}

/// What an answer consists of.
#[derive(Debug, Default)]
pub(super) struct Parts<'a> {
    /// Its fenced blocks in order.
    pub blocks: Vec<Block<'a>>,
    /// All of it except thoughts.
    pub told: String,
    /// Thoughts that are never closed.
    pub open_thoughts: Option<&'a str>,
    /// Whether there were thoughts.
    pub has_thoughts: bool,
}

/// Reads an answer. Fences in thoughts are thoughts.
///
/// Marks in a string of a program, or of JSON, neither open nor close a block: programs write Markdown. A block that is
/// never closed reaches to the end: models stop early there.
pub(super) fn parts(answer: &str) -> Parts<'_> {
    let mut parts = Parts::default();
    // What is read, and where what is told and not yet kept starts.
    let (mut at, mut kept) = (0, 0);
    while let Some((start, mark)) = answer.get(at..).and_then(|rest| next_mark(answer, at, rest)) {
        at = match mark {
            Mark::Fence(fence) => match read_block(answer, start, fence, &parts.blocks) {
                (block, Some(end)) => {
                    parts.blocks.extend(block);
                    end
                }
                (block, None) => {
                    parts.blocks.extend(block);
                    break;
                }
            },
            Mark::Opening(marks) => {
                parts.told.push_str(answer.get(kept..start).unwrap_or_default());
                parts.has_thoughts = true;
                let inside = start + marks.opening.len();
                let Some(end) = closing_mark(answer, inside, marks) else {
                    parts.open_thoughts = answer.get(inside..);
                    return parts;
                };
                kept = end;
                end
            }
            Mark::Closing(marks) => {
                // The opening mark was in the prompt: all before are thoughts.
                parts = Parts { has_thoughts: true, ..Parts::default() };
                kept = start + marks.closing.len();
                kept
            }
        };
    }
    parts.told.push_str(answer.get(kept..).unwrap_or_default());
    parts
}

/// The blocks of an answer, and of the Markdown in its blocks.
pub(super) fn fenced_blocks(answer: &str) -> Vec<Block<'_>> {
    nested(parts(answer).blocks, MAX_DEPTH)
}

/// The blocks with the blocks inside those that hold Markdown instead of them.
pub(super) fn nested(blocks: Vec<Block<'_>>, depth: usize) -> Vec<Block<'_>> {
    let mut all = Vec::with_capacity(blocks.len());
    for block in blocks {
        let inner = if depth > 0 && info::is_markdown(block.tag) { parts(block.text).blocks } else { Vec::new() };
        if inner.is_empty() { all.push(block) } else { all.extend(nested(inner, depth - 1)) }
    }
    all
}

/// A run of one character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Fence {
    character: char,
    length: usize,
}

impl Fence {
    /// The fence that `rest` begins with, where `before` is the text before it.
    fn at(before: &str, rest: &str) -> Option<Fence> {
        let character = rest.chars().next().filter(|c| matches!(c, '`' | '~') && !before.ends_with(*c))?;
        let length = rest.len() - rest.trim_start_matches(character).len();
        // A tilde inside of a line is an ordinary character.
        let is_fence = length >= LEAST && (character == '`' || starts_line(before));
        is_fence.then_some(Fence { character, length })
    }
}

enum Mark {
    Fence(Fence),
    Opening(ThoughtMarks),
    Closing(ThoughtMarks),
}

/// The next mark in `rest`, which begins at `at` in the answer; not in strings where it begins with a program.
fn next_mark(answer: &str, at: usize, rest: &str) -> Option<(usize, Mark)> {
    let find = |(start, c): (usize, char)| {
        if !matches!(c, '`' | '~' | '<' | '[' | '◁') {
            return None;
        }
        let here = rest.get(start..)?;
        let fence = Fence::at(answer.get(..at + start)?, here).map(Mark::Fence);
        let mark = fence
            .or_else(|| ThoughtMarks::opened_by(here).map(Mark::Opening))
            .or_else(|| ThoughtMarks::closed_by(here).map(Mark::Closing))?;
        Some((at + start, mark))
    };
    if rest.trim_start().starts_with('(') { outside_strings(rest, find) } else { rest.char_indices().find_map(find) }
}

/// Where the thoughts that begin at `inside` are over.
fn closing_mark(answer: &str, inside: usize, marks: ThoughtMarks) -> Option<usize> {
    let text = answer.get(inside..)?;
    let closes = |at: &usize| text.get(*at..).and_then(ThoughtMarks::closed_by) == Some(marks);
    let first = marks.closing.chars().next()?;
    let at = text.match_indices(first).map(|(at, _)| at).find(closes)?;
    Some(inside + at + marks.closing.len())
}

/// The block that the fence at `start` opens, and where the text after it starts; `None` when it is never closed.
fn read_block<'a>(
    answer: &'a str,
    start: usize,
    fence: Fence,
    others: &[Block<'_>],
) -> (Option<Block<'a>>, Option<usize>) {
    let before = answer.get(..start).unwrap_or_default();
    let quoted =
        starts_line(before) && before.rsplit('\n').next().is_some_and(|line| line.trim_start().starts_with('>'));
    let inside = answer.get(start + fence.length..).unwrap_or_default();
    let Info { tag, text } = info::read(inside);
    let text_start = answer.len() - inside.len() + (inside.len() - text.len());
    match closing(text, fence, info::is_program(tag)) {
        Some((end, after)) => {
            let block = Block { tag, text: text.get(..end).unwrap_or_default(), quoted };
            (Some(block), Some(text_start + after))
        }
        None => {
            let is_first = others.is_empty() || info::is_program(tag) && !others.iter().any(Block::is_tagged);
            (is_first.then_some(Block { tag, text, quoted }), None)
        }
    }
}

/// Whether the text before and after a place has a closing mark there: where it begins, and where it ends.
type Closes<'a> = dyn Fn(&str, &str) -> Option<(usize, usize)> + 'a;

/// Where a block ends, and where the text after its closing mark starts.
fn closing(text: &str, fence: Fence, is_program: bool) -> Option<(usize, usize)> {
    let is_code = is_program || text.trim_start().starts_with(['(', '{', '[']);
    let find = |closes: &Closes<'_>| {
        let look = |(start, c): (usize, char)| {
            let is_mark = matches!(c, '`' | '~' | '<');
            let (before, here) = if is_mark { text.split_at_checked(start)? } else { return None };
            closes(before, here)
        };
        if is_code { outside_strings(text, look) } else { text.char_indices().find_map(look) }
    };
    let exact = |before: &str, here: &str| {
        let start = before.len();
        if is_program && let Some(length) = wrapping::closing_element(here) {
            return Some((start, start + length));
        }
        let found = Fence::at(before, here)?;
        let rest = here.get(found.length..)?;
        // A fence with a language opens the next block: the end of this one was left out.
        if starts_line(before) && info::is_known(info::read(rest).tag) && !rest.starts_with(char::is_whitespace) {
            return Some((start, start));
        }
        let fits = found.character == fence.character && found.length >= fence.length;
        fits.then_some((start, start + found.length))
    };
    let other = |before: &str, here: &str| {
        let found = Fence::at(before, here).filter(|_| starts_line(before))?;
        let is_alone = here.get(found.length..)?.split('\n').next()?.trim().is_empty();
        is_alone.then_some((before.len(), before.len() + found.length))
    };
    find(&exact).or_else(|| find(&other))
}

/// Whether only the marks of quotations and lists are before the end of `before` in its last line.
fn starts_line(before: &str) -> bool {
    let is_mark = |c: char| c.is_whitespace() || matches!(c, '>' | '-' | '*');
    before.chars().rev().take_while(|c| *c != '\n').all(is_mark)
}

/// The first mark outside of strings; the first of all when a string is never closed, because then a quote is missing.
pub(super) fn outside_strings<T>(text: &str, mark: impl Fn((usize, char)) -> Option<T>) -> Option<T> {
    let mut reader = Reader::default();
    let mut inside = None;
    for (start, c) in text.char_indices() {
        let found = mark((start, c));
        match found {
            Some(found) if !reader.is_in_string() => return Some(found),
            found => inside = inside.or(found),
        }
        reader.read(c);
    }
    inside.filter(|_| reader.is_in_string())
}
