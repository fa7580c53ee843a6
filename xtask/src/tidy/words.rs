//! Words that our texts do not use: the table "Words" of `docs/style.md`.

use std::ops::Range;
use std::path::{Path, PathBuf};

use super::architecture::{cells, section};
use crate::workspace::has_ending;
use crate::{Failure, Problem, Workspace};

const PAGE: &str = "docs/style.md";

/// Pages that are not searched: the table itself, what was written for releases, and a page whose words are those of the
/// table of functions, which models read as well.
const LEFT_OUT: [&str; 3] = [PAGE, "docs/changelog.md", "docs/reference/functions.md"];

/// Words of the lines around one that a phrase may reach into.
const REACH: usize = 4;

/// A phrase, what to write instead, and longer phrases in which it is right.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Phrase {
    words: String,
    instead: String,
    right: Vec<String>,
}

/// Phrases of the table in Markdown pages and in the comments of Rust files.
pub(super) fn check(workspace: &Workspace) -> Result<Vec<Problem>, Failure> {
    let phrases = phrases(&workspace.read(Path::new(PAGE))?);
    if phrases.is_empty() {
        return Ok(vec![Problem::whole(Path::new(PAGE), "has no phrase in its table \"Words\". Write the table.")]);
    }
    let mut files = workspace.files_ending("docs", "md")?;
    files.push(PathBuf::from("README.md"));
    files.retain(|path| !LEFT_OUT.iter().any(|page| path == Path::new(page)));
    for folder in ["crates", "xtask", "tests"] {
        files.extend(workspace.files_ending(folder, "rs")?);
    }
    let mut problems = Vec::new();
    for path in files {
        problems.extend(found(&path, &workspace.read(&path)?, &phrases));
    }
    Ok(problems)
}

/// The rows that can be searched: those whose last column has only phrases in quotes, in which the words are right. What
/// depends on the meaning is for readers.
pub(super) fn phrases(page: &str) -> Vec<Phrase> {
    let mut phrases = Vec::new();
    for (_, row) in section(page, "## Words") {
        let Some([not, but, right]) = cells::<3>(row) else { continue };
        let (quoted, rest) = split_quoted(right);
        if not == "not" || not.starts_with('-') || !rest.trim_matches([' ', ',', ';']).is_empty() {
            continue;
        }
        let words = not.split(',').map(|words| words.trim().to_lowercase());
        phrases.extend(words.map(|words| Phrase { words, instead: but.to_owned(), right: quoted.clone() }));
    }
    phrases
}

/// The texts in double quotes, and the text without them.
fn split_quoted(text: &str) -> (Vec<String>, String) {
    let pieces: Vec<&str> = text.split('"').collect();
    let take = |from: usize| pieces.iter().skip(from).step_by(2).map(|piece| piece.to_lowercase());
    (take(1).collect(), take(0).collect::<Vec<_>>().concat())
}

/// Where a file has one of the phrases in its prose.
pub(super) fn found(path: &Path, text: &str, phrases: &[Phrase]) -> Vec<Problem> {
    let prose: Vec<String> = if has_ending(path, "rs") { comments(text) } else { page(text) };
    let mut problems = Vec::new();
    for (place, line) in prose.iter().enumerate().filter(|(_, line)| !line.is_empty()) {
        // A phrase may be broken between two lines, and so may one in which the words are right.
        let before = place.checked_sub(1).and_then(|before| prose.get(before)).map_or("", String::as_str);
        let before: Vec<&str> = before.rsplitn(REACH + 1, ' ').take(REACH).collect();
        let mut around = before.into_iter().rev().collect::<Vec<_>>().join(" ") + " ";
        let start = around.len();
        around.push_str(line);
        let own = start..around.len();
        for word in prose.get(place + 1).into_iter().flat_map(|next| next.split(' ').take(REACH)) {
            around.extend([" ", word]);
        }
        for phrase in phrases.iter().filter(|phrase| is_in(phrase, &own, &around)) {
            let Phrase { words, instead, .. } = phrase;
            problems.push(Problem::at(path, place + 1, format!("says \"{words}\". Write {instead} (`{PAGE}`).")));
        }
    }
    problems
}

/// Whether the phrase starts as whole words at one of these bytes of `text`, not as a part of a phrase in which it is right.
fn is_in(phrase: &Phrase, places: &Range<usize>, text: &str) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '-');
    text.match_indices(&phrase.words).any(|(at, words)| {
        let (before, after) = (text.get(..at).unwrap_or_default(), text.get(at + words.len()..).unwrap_or_default());
        let is_whole = !is_word(before.chars().next_back()) && !is_word(after.chars().next());
        let is_right = || {
            phrase.right.iter().any(|right| {
                let around = right.find(&phrase.words).and_then(|offset| at.checked_sub(offset));
                around.and_then(|start| text.get(start..)).is_some_and(|text| text.starts_with(right.as_str()))
            })
        };
        places.contains(&at) && is_whole && !is_right()
    })
}

/// The lines of a page in lower case, without code: empty where a line is in a fence.
fn page(text: &str) -> Vec<String> {
    let mut in_fence = false;
    let prose = |line: &str| {
        let is_fence = line.trim_start().starts_with("```");
        in_fence ^= is_fence;
        if in_fence || is_fence { String::new() } else { without_code(line) }
    };
    text.lines().map(prose).collect()
}

/// The comments of a Rust file, line by line, without code.
fn comments(text: &str) -> Vec<String> {
    let lines = text.lines().map(|line| {
        let comment = line.trim_start().strip_prefix("//").map(|rest| rest.trim_start_matches(['/', '!']));
        comment.unwrap_or_default()
    });
    page(&lines.collect::<Vec<_>>().join("\n"))
}

/// The text in lower case without what is in backticks or quotes.
fn without_code(line: &str) -> String {
    let outside = line.split('`').step_by(2).collect::<Vec<_>>().join("`");
    split_quoted(&outside).1.to_lowercase().trim().to_owned()
}
