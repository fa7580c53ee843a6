//! Builtins and values take memory in front of the meter only: what grows a text or a collection is in `value/grow.rs`.
//!
//! A builtin that appends to a plain `String` is a hole in the memory limit, worth gigabytes. So in the folders below
//! every growth goes through that module, which announces it first. A growth that no program decides says so in a comment
//! that begins with `Bounded:`, on its line, above it, above its function, or at the top of its file.
//!
//! The same for passes over texts: `chars().count()` is a pass that looks at no clock, and a text knows its length.

use std::path::Path;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::purity::{is_test, tokens};
use crate::{Failure, Problem, Workspace};

/// Where programs decide how much memory is taken.
const FOLDERS: [&str; 2] = ["crates/ptc-lisp/src/stdlib", "crates/ptc-lisp/src/value"];
/// The file that grows buffers.
const GROW: &str = "crates/ptc-lisp/src/value/grow.rs";
/// What makes a growth an exception; the bound follows.
const BOUNDED: &str = "Bounded: ";

/// Methods that take memory, with the number of their arguments: ours of the same names also take a meter.
const METHODS: [(&str, usize); 16] = [
    ("append", 1),
    ("collect", 0),
    ("concat", 0),
    ("extend", 1),
    ("extend_from_slice", 1),
    ("insert_str", 2),
    ("join", 1),
    ("push", 1),
    ("push_back", 1),
    ("push_str", 1),
    ("repeat", 1),
    ("reserve", 1),
    ("reserve_exact", 1),
    ("resize", 2),
    ("to_vec", 0),
    ("with_capacity", 1),
];
/// Macros that append to a text.
const MACROS: [&str; 2] = ["write", "writeln"];

/// Growth that no meter sees.
pub(super) fn check(workspace: &Workspace) -> Result<Vec<Problem>, Failure> {
    let mut problems = Vec::new();
    for folder in FOLDERS {
        let files = workspace.files_ending(folder, "rs")?;
        for path in files.into_iter().filter(|path| !is_test(path) && path != Path::new(GROW)) {
            problems.extend(unmetered(&path, &workspace.read(&path)?)?);
        }
    }
    Ok(problems)
}

/// The same in one file. Tokens are read instead of a tree: rows and messages are in macros.
pub(super) fn unmetered(path: &Path, text: &str) -> Result<Vec<Problem>, Failure> {
    let tokens = tokens(path, text)?;
    let lines: Vec<&str> = text.lines().collect();
    if lines.iter().any(|line| line.starts_with("//! ") && line.contains(BOUNDED)) {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    scan(tokens, None, &mut found);
    found.retain(|growth| ![Some(growth.line), growth.function].into_iter().flatten().any(|at| is_bounded(&lines, at)));
    Ok(found.into_iter().map(|growth| growth.problem(path)).collect())
}

/// Something that takes memory or time in front of no meter.
struct Growth {
    /// 1-based.
    line: usize,
    /// The line of the `fn` around it.
    function: Option<usize>,
    name: String,
}

impl Growth {
    fn problem(&self, path: &Path) -> Problem {
        let name = &self.name;
        let text = if name == "count" {
            "counts the characters of a text, a pass that looks at no clock. Ask `Text::chars`, count as the text grows, or \
             name the bound in a comment `// Bounded: …`."
                .to_owned()
        } else {
            format!(
                "`{name}` takes memory that no meter sees. Use what {GROW} has, or name the bound in a comment \
                 `// Bounded: …`."
            )
        };
        Problem::at(path, self.line, text)
    }
}

fn scan(tokens: TokenStream, mut function: Option<usize>, found: &mut Vec<Growth>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let outside = function;
    let mut skipped = false;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(word) if word == "fn" => function = Some(word.span().start().line),
            TokenTree::Ident(word) => {
                let (before, after) = tokens.split_at(at);
                if takes_memory(&word.to_string(), before, after.get(1..).unwrap_or_default()) {
                    found.push(Growth { line: word.span().start().line, function, name: word.to_string() });
                }
            }
            TokenTree::Punct(sign) if sign.as_char() == ';' => (skipped, function) = (false, outside),
            TokenTree::Group(group) => {
                skipped |= group.to_string().replace(' ', "") == "[cfg(test)]";
                if !skipped {
                    scan(group.stream(), function, found);
                }
                if group.delimiter() == Delimiter::Brace {
                    (skipped, function) = (false, outside);
                }
            }
            _ => {}
        }
    }
}

/// Whether the word between these tokens is the name of a call that grows something, or counts characters.
fn takes_memory(word: &str, before: &[TokenTree], after: &[TokenTree]) -> bool {
    let sign = |token: Option<&TokenTree>, sign: char| matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == sign);
    if MACROS.contains(&word) {
        return sign(after.first(), '!');
    }
    let [.., last] = before else { return false };
    if !(sign(Some(last), '.') || sign(Some(last), ':')) {
        return false;
    }
    let Some(arguments) = arguments(after) else { return false };
    let is_named = |name: Option<&TokenTree>| matches!(name, Some(TokenTree::Ident(name)) if name == "chars");
    (word == "count" && is_named(before.iter().rev().nth(2)))
        || METHODS.iter().any(|(name, count)| *name == word && *count == number_of(arguments))
}

/// The parentheses of a call, also after types.
fn arguments(after: &[TokenTree]) -> Option<&Group> {
    let mut depth = 0;
    let follows_types = |token: &&TokenTree| {
        let TokenTree::Punct(sign) = token else { return depth == 0 };
        match sign.as_char() {
            '<' => depth += 1,
            '>' => depth -= 1,
            ':' => {}
            _ => return depth == 0,
        }
        false
    };
    match after.iter().find(follows_types)? {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => Some(group),
        _ => None,
    }
}

fn number_of(arguments: &Group) -> usize {
    let tokens: Vec<TokenTree> = arguments.stream().into_iter().collect();
    let is_comma = |token: &TokenTree| matches!(token, TokenTree::Punct(sign) if sign.as_char() == ',');
    tokens.split(is_comma).filter(|argument| !argument.is_empty()).count()
}

/// Whether a comment on the line or directly above it names a bound; attributes may be between.
fn is_bounded(lines: &[&str], line: usize) -> bool {
    let names_bound = |line: &str| line.split_once("// ").is_some_and(|(_, comment)| comment.starts_with(BOUNDED));
    let is_between = |line: &&&str| ["//", "#["].iter().any(|start| line.trim_start().starts_with(start));
    let (above, here) = lines.split_at(line.saturating_sub(1).min(lines.len()));
    here.first().is_some_and(|line| names_bound(line))
        || above.iter().rev().take_while(is_between).any(|line| names_bound(line))
}
