//! What is wrong with the text of a signature, and what to write instead.

use std::fmt;

use crate::signature::formats::is_format;
use crate::signature::types::{MAX_NESTING, continues_name};

const TYPE_NAMES: [&str; 8] = ["string", "int", "float", "bool", "keyword", "map", "any", "json-or-text"];
const FOUND_CHARS: usize = 20;
const ALL_TYPES: &str = "types are :string, :int, :float, :bool, :keyword, :map, :any, lists like [:int], maps like {name :string} and {:string -> :int}, sets of values like #{:low :high} and alternatives like :int | :string";

/// A signature that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("signature, line {line}, column {column}: expected {expected}, found {found}{}", Hint(.hint))]
pub struct SignatureError {
    /// Line of the mistake, from 1.
    pub line: usize,
    /// Column of the mistake in characters, from 1.
    pub column: usize,
    /// What the grammar allows at that place.
    pub expected: String,
    /// At most 20 characters of the text there, or `the end of the text`.
    pub found: String,
    /// What to write instead, when the mistake is a known one.
    pub hint: Option<String>,
}

struct Hint<'a>(&'a Option<String>);

impl fmt::Display for Hint<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(hint) => write!(f, "; {hint}"),
            None => Ok(()),
        }
    }
}

/// What the grammar expected where reading stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expected {
    Type,
    Signature,
    Name,
    OneName,
    Literal,
    Default,
    Rule,
    Pattern,
    Nesting,
    Arrow,
    End,
    Token(&'static str),
}

impl Expected {
    fn text(self) -> String {
        match self {
            Expected::Type => "a type".to_owned(),
            Expected::Signature => "a type or `(name type, …) -> type`".to_owned(),
            Expected::Name => "a name made of letters, digits, `-` and `_`".to_owned(),
            Expected::OneName => "a name that is not taken yet".to_owned(),
            Expected::Literal => "a text, a number, a keyword, true or false".to_owned(),
            Expected::Default => "a value in JSON".to_owned(),
            Expected::Rule => "a rule such as `1 to 50` or `at most 3 items`, or words for the reader".to_owned(),
            Expected::Pattern => r#"a pattern in quotes: `matches "^[0-9]+$"`"#.to_owned(),
            Expected::Nesting => format!("at most {MAX_NESTING} levels of nesting"),
            Expected::Arrow => "`->`".to_owned(),
            Expected::End => "the end of the text".to_owned(),
            Expected::Token(token) => token.to_owned(),
        }
    }
}

/// Describes a mistake `offset` bytes into `text`.
pub(crate) fn explain(text: &str, offset: usize, expected: Expected) -> SignatureError {
    let (before, rest) = text.split_at_checked(offset).unwrap_or((text, ""));
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    SignatureError {
        line: before.matches('\n').count() + 1,
        column: before.get(line_start..).unwrap_or_default().chars().count() + 1,
        expected: expected.text(),
        found: found(rest),
        hint: hint(text, rest, expected),
    }
}

fn found(rest: &str) -> String {
    if rest.is_empty() {
        return "the end of the text".to_owned();
    }
    let mut shown: String = rest.chars().take(FOUND_CHARS).collect();
    if shown.len() < rest.len() {
        shown.push_str("...");
    }
    format!("`{}`", shown.escape_debug().to_string().replace("\\\"", "\"").replace("\\'", "'"))
}

fn hint(text: &str, rest: &str, expected: Expected) -> Option<String> {
    if expected == Expected::Name && rest.starts_with(':') {
        let instead = "a name carries no colon and comes before its type: write `name :int`, or `{:string -> :int}` for a map from keys to values";
        return Some(instead.to_owned());
    }
    if let Some(word) = rest.strip_prefix(':').map(leading_word).filter(|word| !word.is_empty() && !is_type(word)) {
        return Some(match replacement(word) {
            Some(instead) => format!("write `{instead}` instead of `:{word}`; {ALL_TYPES}"),
            None => format!("`:{word}` is not a type; {ALL_TYPES}"),
        });
    }
    let word = leading_word(rest);
    match expected {
        Expected::Token("`]`") if rest.starts_with([':', '[', '{', '#']) => {
            Some("the types of a list by place have commas: write `[:int, :string]`".to_owned())
        }
        Expected::Type | Expected::Signature if is_type(word) => {
            Some(format!("a type starts with a colon: write `:{word}`"))
        }
        Expected::Type if rest.starts_with(':') => {
            Some("a name carries no colon: write `name :int`, not `name: int`".to_owned())
        }
        Expected::Type if rest.starts_with('?') => {
            Some("`?` comes after a type, not in a name: write `done :bool?`".to_owned())
        }
        Expected::Signature if rest.starts_with("->") => {
            Some("only a tool's signature may start with `->`: write the type alone".to_owned())
        }
        Expected::Type if rest.starts_with(']') => Some("a list names its element type: write `[:any]`".to_owned()),
        Expected::Type | Expected::Name if let Some(name) = unquoted_name(text, rest) => {
            Some(format!("a name with other characters has quotes: write `{name:?} :string`, with its type"))
        }
        Expected::Type | Expected::Signature => Some(ALL_TYPES.to_owned()),
        Expected::Nesting => Some("write `:map` or `:any` for the inner part".to_owned()),
        _ => None,
    }
}

fn is_type(word: &str) -> bool {
    TYPE_NAMES.contains(&word)
}

fn leading_word(text: &str) -> &str {
    let end = text.find(|c| !continues_name(c)).unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

/// The name that a field was meant to have, up to the colon of its type: `Invoice No` where reading stopped before `No`.
fn unquoted_name<'a>(text: &'a str, rest: &str) -> Option<&'a str> {
    let (before, _) = text.split_at_checked(text.len() - rest.len())?;
    let start = before.trim_end().trim_end_matches(continues_name).len();
    let (name, _) = text.get(start..)?.split_once(':')?;
    let name = name.trim();
    (!name.is_empty() && !name.contains(['{', '}', '[', ']', '"', ',', '\n'])).then_some(name)
}

fn replacement(word: &str) -> Option<String> {
    let instead = match word {
        "list" | "array" | "vector" | "vec" | "seq" => "[:any]",
        "object" | "dict" | "struct" => ":map",
        "integer" | "long" => ":int",
        "boolean" => ":bool",
        "number" | "double" | "decimal" => ":float",
        "str" | "text" => ":string",
        "datetime" | "timestamp" => ":string (date-time)",
        format if is_format(format) => return Some(format!(":string ({format})")),
        _ => return None,
    };
    Some(instead.to_owned())
}
