//! Builtins and values take memory in front of the meter only: what grows a text or a collection is in `value/grow.rs`.
//!
//! A builtin that appends to a plain `String` is a hole in the memory limit, worth gigabytes. So in the folders below
//! every growth goes through that module, which announces it first. A growth that no program decides says so in a comment
//! that begins with `Bounded:`, on its line, above it, above its function, or at the top of its file.
//!
//! `chars().count()` is refused as well, unless it is bounded: it is a pass that looks at no clock, and a text knows its length.

use std::path::Path;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use crate::code::{self, ends_item, is_sign};
use crate::{Failure, Problem};

/// Where programs decide how much memory is taken.
const FOLDERS: [&str; 2] = ["crates/ptc-lisp/src/stdlib", "crates/ptc-lisp/src/value"];
/// The file that grows buffers.
const GROW: &str = "crates/ptc-lisp/src/value/grow.rs";
/// What makes a growth an exception; the bound follows.
const BOUNDED: &str = "Bounded: ";

/// Methods that take memory, by the number of their arguments: ours of the same names also take a meter.
const METHODS: [&str; 3] = [
    "collect concat to_vec",
    "append extend extend_from_slice join push push_back push_str repeat reserve reserve_exact with_capacity",
    "insert_str resize",
];
/// Macros that append to a text.
const MACROS: [&str; 2] = ["write", "writeln"];

/// Whether the file is where growth needs a meter.
pub(super) fn covers(path: &Path) -> bool {
    FOLDERS.iter().any(|folder| path.starts_with(folder)) && code::is_code(path) && path != Path::new(GROW)
}

/// Growth in a file that no meter sees. Tokens are read instead of a tree: rows and messages are in macros.
pub(super) fn unmetered(path: &Path, text: &str) -> Result<Vec<Problem>, Failure> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    if !lines.iter().any(|line| line.starts_with("//! ") && line.contains(BOUNDED)) {
        scan(code::without_tests(code::tokens(path, text)?), None, &mut found);
    }
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
        let text = match self.name.as_str() {
            "count" => "counts the characters of a text, a pass that looks at no clock. Ask `Text::chars`, count as the text grows, or name the bound in a comment `// Bounded: …`.".to_owned(),
            name => format!("`{name}` takes memory that no meter sees. Use what {GROW} has, or name the bound in a comment `// Bounded: …`."),
        };
        Problem::at(path, self.line, text)
    }
}

fn scan(tokens: TokenStream, outside: Option<usize>, found: &mut Vec<Growth>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut function = outside;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(word) if word == "fn" => function = Some(word.span().start().line),
            TokenTree::Ident(word) if takes_memory(&word.to_string(), &tokens, at) => {
                found.push(Growth { line: word.span().start().line, function, name: word.to_string() });
            }
            TokenTree::Group(group) => scan(group.stream(), function, found),
            _ => {}
        }
        if ends_item(token) {
            function = outside;
        }
    }
}

/// Whether the word at this place is the name of a call that grows something, or counts characters.
fn takes_memory(word: &str, tokens: &[TokenTree], at: usize) -> bool {
    let (before, after) = (tokens.get(..at).unwrap_or_default(), tokens.get(at + 1..).unwrap_or_default());
    if MACROS.contains(&word) {
        return is_sign(after.first(), '!');
    }
    let is_called = is_sign(before.last(), '.') || is_sign(before.last(), ':');
    let Some(arguments) = arguments(after).filter(|_| is_called) else { return false };
    let counts = word == "count" && before.iter().rev().nth(2).is_some_and(|token| token.to_string() == "chars");
    counts || METHODS.get(number_of(arguments)).is_some_and(|methods| methods.split(' ').any(|method| method == word))
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
    tokens.split(|token| is_sign(Some(token), ',')).filter(|argument| !argument.is_empty()).count()
}

/// Whether a comment on the line or directly above it names a bound; attributes may be between.
fn is_bounded(lines: &[&str], line: usize) -> bool {
    let names_bound = |line: &str| line.split_once("// ").is_some_and(|(_, comment)| comment.starts_with(BOUNDED));
    let is_between = |line: &&&str| ["//", "#["].iter().any(|start| line.trim_start().starts_with(start));
    let (above, here) = lines.split_at(line.saturating_sub(1).min(lines.len()));
    here.first().is_some_and(|line| names_bound(line))
        || above.iter().rev().take_while(is_between).any(|line| names_bound(line))
}
