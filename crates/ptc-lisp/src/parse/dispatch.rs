//! What may follow `#`, and what to write instead of unsupported syntax.

use super::alphabet::{excerpt, in_name, is_blank, run_of};
use super::opener::Opener;
use crate::calendar::TAGS;

/// What the characters at a `#` start.
pub(super) enum Dispatch {
    /// A group or a mark.
    Open(Opener),
    /// `#"…"`
    Regex,
    /// `#'name`
    Var,
    /// `##Inf` and the other special floats.
    SpecialFloat,
    /// `#date "…"` and the other tags of times.
    Time(&'static str),
    /// Unsupported syntax; the message says what to write.
    Unsupported(String),
}

/// Classify `input`, which starts with `#`.
pub(super) fn dispatch(input: &str) -> Dispatch {
    let mut chars = input.chars().skip(1);
    match chars.next() {
        Some('{') => Dispatch::Open(Opener::Set),
        Some('(') => Dispatch::Open(Opener::ShortFn),
        Some('_') => Dispatch::Open(Opener::Discard),
        Some('^') => Dispatch::Open(Opener::OldTag),
        Some('"') => Dispatch::Regex,
        Some('\'') => Dispatch::Var,
        Some('#') => Dispatch::SpecialFloat,
        next => time_tag(input).map_or_else(|| Dispatch::Unsupported(unsupported(next, input)), Dispatch::Time),
    }
}

/// The tag of a time with which `input` starts.
fn time_tag(input: &str) -> Option<&'static str> {
    let (tag, _) = run_of(input.get(1..)?, in_name);
    TAGS.iter().map(|(known, _)| *known).find(|known| *known == tag)
}

/// The hint for `#` and the character `next` after it, at the start of `input`.
fn unsupported(next: Option<char>, input: &str) -> String {
    let hint = match next {
        None => "'#' without anything after it",
        Some('?') => "reader conditionals #?(...) are not supported (write the form for this language only)",
        Some('=') => "reader evaluation #=(...) is not supported (write the form itself)",
        Some('!') => "'#!' starts no comment here (write ;)",
        Some('<') => "'#<...>' is printed output and cannot be read (compute the value again)",
        Some(':') => "'#:ns{...}' is not supported (write the keys in full: {:ns/key value})",
        Some('[') => "'#[' opens nothing (a set is #{...}, a vector [...])",
        Some(c) if is_blank(c) => "'#' must touch what follows it: #{...}, #(...), #\"...\"",
        Some(c) if c.is_alphabetic() => return tagged(input),
        Some(c) => {
            return format!("unexpected '#{}' (a set is #{{...}}, a short function #(...))", c.escape_debug());
        }
    };
    hint.to_owned()
}

/// The hint for a tagged literal such as `#uuid "…"`.
fn tagged(input: &str) -> String {
    let (tag, _) = run_of(input, in_name);
    let instead = match tag {
        "#uuid" => "write (parse-uuid \"...\")",
        "#object" => "it is printed output; compute the value again",
        _ => "write the value itself",
    };
    format!("tagged literal {} is not supported ({instead})", excerpt(tag))
}

/// The hint for a character that has a meaning in Clojure but not here.
pub(super) fn unsupported_mark(c: char) -> Option<&'static str> {
    match c {
        '`' => Some("syntax quote ` is not supported (there are no macros; write '(...) or (list ...))"),
        '~' => Some("unquote ~ is not supported (there are no macros; write the name itself)"),
        _ => None,
    }
}
