//! The text after an opening fence: the language of the block, and attributes.

/// Languages that say that a block is a program.
const PROGRAM: [&str; 7] = ["clojure", "lisp", "clj", "cljs", "cljc", "ptc-lisp", "ptc"];
/// Blocks that may hold a whole answer.
const MARKDOWN: [&str; 5] = ["markdown", "md", "text", "txt", "plaintext"];
/// Languages that no program of ours has, although its text may begin with a parenthesis.
const OTHER: [&str; 20] = [
    "python",
    "py",
    "javascript",
    "js",
    "typescript",
    "ts",
    "json",
    "jsonc",
    "sql",
    "bash",
    "sh",
    "shell",
    "ruby",
    "java",
    "rust",
    "yaml",
    "xml",
    "html",
    "tool_code",
    "tool_call",
];

/// What is known of a block from its first line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Info<'a> {
    /// The language; empty when there is none.
    pub tag: &'a str,
    /// The text from the first line of the block on.
    pub text: &'a str,
}

/// Reads what follows an opening fence.
///
/// - ` clojure`, `{.clojure}`, `{clojure echo=false}`, `clj:src/a.clj`, `clojure title="a"`: the language, and
///   attributes, which are left out
/// - `clojure (return 1)`: the language and the program
/// - a first line with nothing but the name of our language is the language, too
pub(super) fn read(inside: &str) -> Info<'_> {
    let end = inside.find('\n').unwrap_or(inside.len());
    let (line, below) = inside.split_at(end);
    let line = line.trim_start_matches([' ', '\t']);
    let has_code_below = below.lines().map(str::trim).find(|line| !line.is_empty()).is_some_and(|line| !is_fence(line));
    let braced = line.strip_prefix('{').filter(|rest| has_code_below && rest.trim_end().ends_with('}'));
    let named = braced.map_or(line, |rest| rest.trim_start_matches([' ', '.', '=']));
    let (tag, rest) = named.split_at(named.find(|c: char| !is_tag(c)).unwrap_or(named.len()));
    let rest = rest.trim_start_matches([' ', '\t']);
    let is_code = rest.is_empty() || rest.starts_with(['(', ';']);
    let text = match below.strip_prefix('\n') {
        Some(below) if rest.is_empty() || braced.is_some() || !is_code && has_code_below && !tag.is_empty() => below,
        _ => inside.get(end - rest.len()..).unwrap_or_default(),
    };
    if tag.is_empty() { named_below(text) } else { Info { tag, text } }
}

/// The language in the first line of a block, if that is all the line has.
pub(super) fn named_below(text: &str) -> Info<'_> {
    match text.split_once('\n') {
        Some((first, text)) if is_program(first.trim()) => Info { tag: first.trim(), text },
        _ => Info { tag: "", text },
    }
}

/// Whether a block in this language is a program whatever it holds.
pub(super) fn is_program(tag: &str) -> bool {
    is_one_of(&PROGRAM, tag)
}

/// Whether a block with this tag may hold blocks.
pub(super) fn is_markdown(tag: &str) -> bool {
    tag.is_empty() || is_one_of(&MARKDOWN, tag)
}

/// Whether a block in this language is never a program.
pub(super) fn is_other(tag: &str) -> bool {
    is_one_of(&OTHER, tag)
}

/// Whether the name of a language is in one of the lists.
pub(super) fn is_known(tag: &str) -> bool {
    !tag.is_empty() && (is_program(tag) || is_markdown(tag) || is_other(tag))
}

fn is_one_of(names: &[&str], tag: &str) -> bool {
    names.iter().any(|name| name.eq_ignore_ascii_case(tag))
}

fn is_tag(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | '+' | '#' | '.')
}

fn is_fence(line: &str) -> bool {
    line.starts_with("```") || line.starts_with("~~~")
}
