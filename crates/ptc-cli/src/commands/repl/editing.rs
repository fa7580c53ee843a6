//! What happens during typing: completion, hints, colours, and whether the form is closed.

mod colors;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use ptc_runner::lisp::syntax::{Token, TokenKind, is_unfinished, tokens};
use rustyline::completion::Completer;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::{Hint, Hinter};
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Context, Helper};

use super::names::Names;

pub(super) use colors::{DIM, colored, painted, painted_input};

/// Where the last word of a command begins, and its completions.
pub(super) type CommandWords = fn(&str, &Names) -> (usize, Vec<String>);

/// What is known during typing.
pub(super) struct Typing {
    pub(super) names: Names,
    pub(super) has_colors: bool,
    /// Completes the line of a command: where its last word begins, and its completions.
    pub(super) commands: CommandWords,
    /// Whether the line is drawn for the last time, without highlighted brackets.
    is_final: std::cell::Cell<bool>,
}

impl Typing {
    pub(super) fn new(names: Names, has_colors: bool, commands: CommandWords) -> Typing {
        Typing { names, has_colors, commands, is_final: std::cell::Cell::new(false) }
    }
}

/// Whether an input is a command rather than a program.
pub(super) fn is_command(input: &str) -> bool {
    input.trim_start().starts_with(':')
}

/// Whether more lines belong to the input.
pub(super) fn goes_on(input: &str) -> bool {
    !is_command(input) && is_unfinished(input)
}

impl Helper for Typing {}

impl Validator for Typing {
    fn validate(&self, ctx: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        Ok(if goes_on(ctx.input()) { ValidationResult::Incomplete } else { ValidationResult::Valid(None) })
    }
}

impl Completer for Typing {
    type Candidate = String;

    fn complete(&self, line: &str, pos: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(completed(line, pos, &self.names, self.commands))
    }
}

/// Where the word at the cursor begins, and its completions.
fn completed(line: &str, pos: usize, names: &Names, commands: CommandWords) -> (usize, Vec<String>) {
    let before = line.get(..pos).unwrap_or(line);
    if is_command(before) {
        return commands(before, names);
    }
    let word = tokens(before).pop().filter(|token| token.span.end as usize == before.len());
    match word {
        Some(Token { kind: TokenKind::Name, span }) => {
            let start = span.start as usize;
            (start, names.beginning(before.get(start..).unwrap_or_default()))
        }
        Some(Token { kind: TokenKind::Keyword, span }) => {
            let start = span.start as usize;
            (start, names.keywords_beginning(before.get(start..).unwrap_or_default()))
        }
        Some(Token { kind: TokenKind::Text | TokenKind::Comment | TokenKind::Number | TokenKind::Unknown, .. }) => {
            (before.len(), Vec::new())
        }
        _ => (before.len(), names.beginning("")),
    }
}

/// The usage of the function whose form the cursor is in.
pub(super) struct Usage(String);

impl Hint for Usage {
    fn display(&self) -> &str {
        &self.0
    }

    /// Parameters are not typed literally.
    fn completion(&self) -> Option<&str> {
        None
    }
}

impl Hinter for Typing {
    type Hint = Usage;

    fn hint(&self, line: &str, pos: usize, _: &Context<'_>) -> Option<Usage> {
        usage(line, pos, &self.names).map(|usage| Usage(format!("  {usage}")))
    }
}

/// The usage of the innermost open form; after the name, and only at the end of a line.
fn usage<'n>(line: &str, pos: usize, names: &'n Names) -> Option<&'n str> {
    let rest = line.get(pos..)?;
    if is_command(line) || !rest.chars().all(|c| matches!(c, ')' | ']' | '}')) {
        return None;
    }
    let before = line.get(..pos)?;
    let tokens = tokens(before);
    let mut open: Vec<usize> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Open => open.push(at),
            TokenKind::Close => drop(open.pop()),
            _ => {}
        }
    }
    let text = |token: &Token| before.get(token.span.start as usize..token.span.end as usize);
    let opener = tokens.get(*open.last()?).filter(|opener| text(opener).is_some_and(|text| text.ends_with('(')))?;
    let called = tokens.iter().find(|token| token.span.start >= opener.span.end)?;
    // Before that, the name may still become another one.
    let is_whole = (called.span.end as usize) < before.len();
    let unfinished = tokens.last().is_some_and(|last| last.kind == TokenKind::Comment);
    (called.kind == TokenKind::Name && is_whole && !unfinished).then_some(())?;
    names.get(text(called)?).map(|named| named.usage.as_str()).filter(|usage| !usage.is_empty())
}

impl Highlighter for Typing {
    fn highlight<'l>(&self, line: &'l str, pos: usize) -> Cow<'l, str> {
        if !self.has_colors {
            return Cow::Borrowed(line);
        }
        let cursor = (!self.is_final.get()).then_some(pos);
        Cow::Owned(painted_input(line, cursor, &self.names))
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        if self.has_colors { Cow::Owned(colored(hint, DIM)) } else { Cow::Borrowed(hint) }
    }

    fn highlight_char(&self, _: &str, _: usize, kind: CmdKind) -> bool {
        self.is_final.set(kind == CmdKind::ForcedRefresh);
        self.has_colors
    }
}
