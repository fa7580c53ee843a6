//! Rust sources as tokens: comments are left out, and what is inside macros is seen too.

#[cfg(test)]
mod tests;

use std::path::Path;

use proc_macro2::{Delimiter, Group, LexError, TokenStream, TokenTree};

use crate::Failure;
use crate::workspace::has_ending;

/// The tokens of a source file.
pub(crate) fn tokens(path: &Path, text: &str) -> Result<TokenStream, Failure> {
    text.parse().map_err(|error: LexError| Failure::measured(path.display(), error))
}

/// Whether the file is Rust and not only of tests.
pub(crate) fn is_code(path: &Path) -> bool {
    let is_for_tests = path.components().any(|part| part.as_os_str() == "tests" || part.as_os_str() == "tests.rs");
    has_ending(path, "rs") && !is_for_tests
}

/// The tokens without the items that are compiled for tests only, at any depth.
pub(crate) fn without_tests(tokens: TokenStream) -> TokenStream {
    let mut is_for_tests = false;
    let kept = tokens.into_iter().filter_map(|token| {
        is_for_tests |= matches!(&token, TokenTree::Group(group) if is_mark_of_tests(group));
        let is_left_out = is_for_tests;
        is_for_tests &= !ends_item(&token);
        match token {
            _ if is_left_out => None,
            TokenTree::Group(group) => {
                Some(TokenTree::Group(Group::new(group.delimiter(), without_tests(group.stream()))))
            }
            token => Some(token),
        }
    });
    kept.collect()
}

/// `[test]`, or `[cfg(…)]` with the word `test`, as they are after the `#` of an attribute.
fn is_mark_of_tests(group: &Group) -> bool {
    let text = group.stream().to_string();
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let is_cfg = words.first() == Some(&"cfg") && words.contains(&"test") && !words.contains(&"not");
    group.delimiter() == Delimiter::Bracket && (is_cfg || words == ["test"])
}

/// The body of an item, or the end of one without.
pub(crate) fn ends_item(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace) || is_sign(Some(token), ';')
}

/// Whether the token is this sign.
pub(crate) fn is_sign(token: Option<&TokenTree>, sign: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == sign)
}

/// Whether one of the tokens, at any depth, is a word like this.
pub(crate) fn has_word(tokens: TokenStream, is_wanted: fn(&str) -> bool) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Group(group) => has_word(group.stream(), is_wanted),
        TokenTree::Ident(word) => is_wanted(&word.to_string()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// A path as it is written, without generics; methods, fields and macros have none.
#[derive(Debug, Clone, Default)]
pub(crate) struct Named {
    pub(crate) parts: Vec<String>,
    /// What it is called where it is written: its last part, the name after `as`, or `*` for everything in it.
    pub(crate) name: String,
    /// Whether it is in a `use`.
    pub(crate) is_imported: bool,
    /// Whether the item around it is public.
    pub(crate) is_public: bool,
    /// How many inline modules are around it.
    pub(crate) inside: usize,
}

/// The paths among these tokens, at any depth; `a::{b, c}` is two, and a lone word is a path.
pub(crate) fn paths(tokens: TokenStream) -> Vec<Named> {
    let mut found = Vec::new();
    collect_paths(tokens, &Named::default(), &mut found);
    found
}

/// Paths in braces after that of `around`, or in another group of its item.
fn collect_paths(tokens: TokenStream, around: &Named, found: &mut Vec<Named>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let (mut here, mut is_renamed) = (around.clone(), false);
    for (at, token) in tokens.iter().enumerate() {
        let is_after = |back: usize, sign| at.checked_sub(back).is_some_and(|at| is_sign(tokens.get(at), sign));
        let continues = is_after(1, ':') && is_after(2, ':');
        match token {
            TokenTree::Ident(word) if word == "as" => is_renamed = true,
            TokenTree::Ident(_) if is_after(1, '.') || is_sign(tokens.get(at + 1), '!') => {}
            TokenTree::Ident(word) => {
                here.is_imported |= word == "use";
                here.is_public |= word == "pub";
                here.inside += usize::from(word == "mod");
                let name = word.to_string();
                match found.last_mut().filter(|_| continues || is_renamed) {
                    Some(path) => {
                        path.parts.extend((!is_renamed).then(|| name.clone()));
                        path.name = name;
                    }
                    None => {
                        let parts = around.parts.iter().cloned().chain([name.clone()]).collect();
                        found.push(Named { parts, name, ..here.clone() });
                    }
                }
                is_renamed = false;
            }
            TokenTree::Group(group) if continues => {
                let start = found.pop().unwrap_or_default();
                collect_paths(group.stream(), &start, found);
            }
            TokenTree::Group(group) => {
                collect_paths(group.stream(), &Named { parts: Vec::new(), ..here.clone() }, found);
            }
            token if continues && is_sign(Some(token), '*') => {
                found.last_mut().into_iter().for_each(|path| path.name = "*".to_owned());
            }
            _ => {}
        }
        if ends_item(token) {
            here = around.clone();
        }
    }
}
