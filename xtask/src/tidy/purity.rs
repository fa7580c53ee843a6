//! Two crates promise not to do something that no manifest shows: the language accesses nothing outside, and the loop
//! decides without awaiting.

use std::path::Path;

use proc_macro2::{LexError, TokenStream, TokenTree};
use syn::{Attribute, File, Meta};

use super::reach;
use crate::{Failure, Problem, Workspace};

/// Where the language is: its crate, and our crates below it.
const LANGUAGE: [&str; 1] = ["crates/ptc-lisp/src"];
/// Modules of the standard library that give a program access to the outside.
const OUTSIDE: &[&str] = &["env", "fs", "net", "os", "process", "thread"];
/// The host's default clock, which is the machine's.
const CLOCK: (&str, &str) = ("crates/ptc-lisp/src/limits/machine_clock.rs", "SystemTime");

/// Where the loop decides.
const LOOP: &[&str] = &["crates/ptc-agent/src/machine.rs", "crates/ptc-agent/src/machine"];

/// Uses of the outside in the language, and awaiting in the loop; tests may do both.
pub(super) fn check(workspace: &Workspace) -> Result<Vec<Problem>, Failure> {
    let mut problems = reach::check(workspace)?;
    for path in workspace.files_ending("crates", "rs")?.into_iter().filter(|path| !is_test(path)) {
        let (is_language, is_loop) =
            (LANGUAGE.iter().any(|place| path.starts_with(place)), LOOP.iter().any(|place| path.starts_with(place)));
        if is_language || is_loop {
            let text = workspace.read(&path)?;
            problems.extend(if is_language { language(&path, &text)? } else { awaiting(&path, &text)? });
        }
    }
    Ok(problems)
}

pub(super) fn is_test(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == "tests" || part.as_os_str() == "tests.rs")
}

/// Names of the standard library that lead outside.
pub(super) fn language(path: &Path, text: &str) -> Result<Vec<Problem>, Failure> {
    let mut found = Vec::new();
    names(tokens(path, text)?, false, &mut found);
    let allowed = |name: &String| path == Path::new(CLOCK.0) && name == CLOCK.1;
    let problem = |name: String| {
        let text = format!(
            "reaches for `std::{name}`. The language touches the outside through its host only: let the host do it."
        );
        Problem::whole(path, text)
    };
    Ok(found.into_iter().filter(|name| !allowed(name)).map(problem).collect())
}

/// Modules that give access to the outside behind `std::`, also in its braces, and the clock; `is_std` inside of these.
fn names(tokens: TokenStream, is_std: bool, found: &mut Vec<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_after_std = |at: usize| {
        let path = at.checked_sub(3).and_then(|from| tokens.get(from..at)).unwrap_or_default();
        matches!(path, [TokenTree::Ident(word), TokenTree::Punct(one), TokenTree::Punct(_)] if word == "std" && one.as_char() == ':')
    };
    let is_first =
        |at: usize| at.checked_sub(1).and_then(|at| tokens.get(at)).is_none_or(|token| token.to_string() == ",");
    for (at, token) in tokens.iter().enumerate() {
        let is_of_std = is_after_std(at) || is_std && is_first(at);
        match token {
            TokenTree::Group(group) => names(group.stream(), is_of_std, found),
            TokenTree::Ident(word) if word == CLOCK.1 || is_of_std && OUTSIDE.iter().any(|module| word == module) => {
                found.push(word.to_string());
            }
            _ => {}
        }
    }
}

/// Functions that await, or that must be awaited.
pub(super) fn awaiting(path: &Path, text: &str) -> Result<Vec<Problem>, Failure> {
    fn waits(tokens: TokenStream) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Group(group) => waits(group.stream()),
            token => ["async", "await"].contains(&token.to_string().as_str()),
        })
    }
    let text_of = "awaits. The loop decides here, and `drive.rs` awaits: answer with an `Action`, and take an `Event`.";
    Ok(waits(tokens(path, text)?).then(|| Problem::whole(path, text_of)).into_iter().collect())
}

/// `#[cfg(test)]`, also combined with other conditions, and `#[test]` itself.
pub(super) fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::List(list) if list.path.is_ident("cfg") => mentions(list.tokens.clone(), "test"),
        meta => meta.path().segments.last().is_some_and(|segment| segment.ident == "test"),
    })
}

fn mentions(tokens: TokenStream, word: &str) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(found) => found == word,
        TokenTree::Group(group) => mentions(group.stream(), word),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

pub(super) fn parsed(path: &Path, text: &str) -> Result<File, Failure> {
    syn::parse_file(text).map_err(|error| Failure::measured(path.display(), error))
}

/// The tokens of a source file, its comments left out.
pub(crate) fn tokens(path: &Path, text: &str) -> Result<TokenStream, Failure> {
    text.parse().map_err(|error: LexError| Failure::measured(path.display(), error))
}
