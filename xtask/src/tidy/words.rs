//! Words that our texts do not use: the table "Words" of `docs/style.md`.

use std::path::{Path, PathBuf};

use proc_macro2::{Ident, TokenStream, TokenTree};

use crate::code;
use crate::markdown::{self, cells, section};
use crate::workspace::has_ending;
use crate::{Failure, Problem, Workspace};

const PAGE: &str = "docs/style.md";

/// What is not searched: the table itself, what was written for releases, and texts that recorded answers quote.
const LEFT_OUT: [&str; 3] = [PAGE, "docs/changelog.md", "crates/ptc-eval/src/datasets/texts.rs"];

/// A phrase, what to write instead, and longer phrases in which it is right.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Phrase {
    words: String,
    instead: String,
    right: Vec<String>,
}

/// Phrases of the table in Markdown pages, in the comments of Rust files, and in the strings of those that are not tests.
pub(super) fn check(workspace: &Workspace) -> Result<Vec<Problem>, Failure> {
    let phrases = phrases(&workspace.read(PAGE)?);
    if phrases.is_empty() {
        return Ok(vec![Problem::whole(PAGE, "has no phrase in its table \"Words\". Write the table.")]);
    }
    let mut files = workspace.files_ending("docs", "md")?;
    files.push(PathBuf::from("README.md"));
    for folder in ["crates", "xtask", "tests"] {
        files.extend(workspace.files_ending(folder, "rs")?);
    }
    files.retain(|path| !LEFT_OUT.iter().any(|page| path == Path::new(page)));
    let mut problems = Vec::new();
    for path in files {
        let text = workspace.read(&path)?;
        problems.extend(found(&path, &text, &phrases));
        if code::is_code(&path) {
            problems.extend(found_in_strings(&path, &text, &phrases)?);
        }
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
    let prose = if has_ending(path, "rs") { comments(text) } else { page(text) };
    let found = phrases_in(&prose, phrases);
    found.into_iter().map(|(place, told)| Problem::at(path, place + 1, told)).collect()
}

/// Where a string of a Rust file has one of them. The line is that in which the string begins.
pub(super) fn found_in_strings(path: &Path, text: &str, phrases: &[Phrase]) -> Result<Vec<Problem>, Failure> {
    let mut strings = Vec::new();
    collect_strings(code::tokens(path, text)?, &mut strings);
    let mut problems = Vec::new();
    for (line, text) in strings {
        problems.extend(phrases_in(&page(&text), phrases).into_iter().map(|(_, told)| Problem::at(path, line, told)));
    }
    Ok(problems)
}

/// The strings with their lines, from 1. Comments of the documentation, which are `doc = "…"` here, are left out.
fn collect_strings(tokens: TokenStream, strings: &mut Vec<(usize, String)>) {
    let mut name: Option<Ident> = None;
    for token in tokens {
        match token {
            TokenTree::Group(group) => collect_strings(group.stream(), strings),
            TokenTree::Literal(literal) if name.as_ref().is_none_or(|name| name != "doc") => {
                let line = literal.span().start().line;
                if let syn::Lit::Str(string) = syn::Lit::new(literal) {
                    strings.push((line, string.value()));
                }
            }
            TokenTree::Ident(ident) => name = Some(ident),
            TokenTree::Punct(sign) if sign.as_char() == '=' => {}
            TokenTree::Literal(_) | TokenTree::Punct(_) => name = None,
        }
    }
}

/// The places of lines in which a phrase begins, and what to write instead. It may be broken between two lines, and so may
/// one in which the words are right.
fn phrases_in(prose: &[String], phrases: &[Phrase]) -> Vec<(usize, String)> {
    let whole = prose.join(" ");
    let mut start = 0;
    let mut starts = Vec::new();
    for line in prose {
        starts.push(start);
        start += line.len() + 1;
    }
    let mut found = Vec::new();
    for Phrase { words, instead, right } in phrases {
        let places = whole.match_indices(words.as_str()).filter(|(at, _)| is_wrong(&whole, *at, words, right));
        let mut places: Vec<usize> = places.map(|(at, _)| starts.partition_point(|start| *start <= at) - 1).collect();
        places.dedup();
        found.extend(places.into_iter().map(|place| (place, format!("says \"{words}\". Write {instead} (`{PAGE}`)."))));
    }
    found
}

/// Whether the words at a place of the text are whole, and not in a phrase in which they are right.
fn is_wrong(text: &str, at: usize, words: &str, right: &[String]) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '-');
    let (before, after) = (text.get(..at).unwrap_or_default(), text.get(at + words.len()..).unwrap_or_default());
    let is_right = |right: &String| {
        let start = right.find(words).and_then(|offset| at.checked_sub(offset));
        start.and_then(|start| text.get(start..)).is_some_and(|text| text.starts_with(right.as_str()))
    };
    !is_word(before.chars().next_back()) && !is_word(after.chars().next()) && !right.iter().any(is_right)
}

/// The lines of a page in lower case, without code: empty where a line is in a fence.
fn page(text: &str) -> Vec<String> {
    let lines = markdown::lines(text);
    lines.map(|(_, line, is_code)| if is_code { String::new() } else { without_code(line) }).collect()
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
