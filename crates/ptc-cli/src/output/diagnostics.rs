//! Errors as people read them: what is wrong, the source line with a caret, what to do.

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use ptc_runner::config::{ConfigError, Place};
use ptc_runner::lisp::syntax::{Position, position};
use ptc_runner::lisp::text::{escaped, escaped_lines, is_invisible};
use ptc_runner::lisp::{Problem, Reason, Warning};

use crate::failure::Failure;

/// A program and its name.
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) text: String,
}

pub(super) fn problem(source: &Source, problem: &Problem, renderer: &Renderer) -> String {
    let title = if problem.position.is_some() { escaped(&problem.message).into_owned() } else { problem.text() };
    let (name, line) = (escaped(&source.name), drawn(problem.line_text.as_deref().unwrap_or_default()));
    let mut group = Level::ERROR
        .primary_title(&title)
        .id(problem.reason.as_str())
        .elements(problem.position.map(|position| snippet(&name, &line, position)));
    let running = problem.running().map(|running| escaped(&running).into_owned());
    if let Some(running) = &running {
        group = group.element(Level::NOTE.message(running));
    }
    if let Some(advice) = advice(problem.reason) {
        group = group.element(Level::HELP.message(advice));
    }
    renderer.render(&[group])
}

pub(super) fn warning(source: &Source, warning: &Warning, renderer: &Renderer) -> String {
    let position = position(&source.text, warning.span.start);
    let line = drawn(source.text.lines().nth(position.line.saturating_sub(1) as usize).unwrap_or_default());
    let (name, title) = (escaped(&source.name), escaped(&warning.message));
    let group =
        Level::WARNING.primary_title(&*title).id(warning.code.as_str()).element(snippet(&name, &line, position));
    renderer.render(&[group])
}

pub(super) fn failure(failure: &Failure, renderer: &Renderer) -> String {
    let config = failure.downcast_ref::<ConfigError>();
    let message = config.map_or_else(|| failure.to_string(), |error| error.message());
    placed(Level::ERROR, config.and_then(|error| error.place()), &message, renderer)
}

/// A message about a place in a file that is not a program, or about no place.
pub(super) fn placed(level: Level<'_>, place: Option<&Place>, message: &str, renderer: &Renderer) -> String {
    let file = place.map(|place| escaped(&place.file.display().to_string()).into_owned()).unwrap_or_default();
    let line = place.map(|place| drawn(&place.line_text)).unwrap_or_default();
    let shown = place.map(|place| {
        let position = Position { line: place.line, column: place.column };
        snippet(&file, &line, position)
    });
    let message = escaped_lines(message);
    let group: Group<'_> = level.primary_title(&*message).elements(shown);
    renderer.render(&[group])
}

/// A line of source as it can be drawn: character for character, since carets are below. The renderer has symbols for
/// ASCII control characters.
fn drawn(line: &str) -> String {
    line.chars().map(|c| if !c.is_ascii() && is_unshown(c) { '\u{FFFD}' } else { c }).collect()
}

/// Whether `c` is invisible, or a control character.
fn is_unshown(c: char) -> bool {
    is_invisible(c) || matches!(escaped(c.encode_utf8(&mut [0; 4])), Cow::Owned(_))
}

/// The line with a caret below the word at `position`.
fn snippet<'a>(name: &'a str, line: &'a str, position: Position) -> Snippet<'a, Annotation<'a>> {
    let start = line.char_indices().nth(position.column.saturating_sub(1) as usize).map_or(line.len(), |(at, _)| at);
    let rest = line.get(start..).unwrap_or_default();
    let ends = |c: char| c.is_whitespace() || "()[]{}\"'`,;".contains(c);
    let first = rest.chars().next().map_or(0, char::len_utf8);
    let word = rest.find(ends).unwrap_or(rest.len()).max(first);
    Snippet::source(line)
        .line_start(position.line as usize)
        .path(name)
        .annotation(AnnotationKind::Primary.span(start..start + word))
}

fn advice(reason: Reason) -> Option<&'static str> {
    match reason {
        Reason::FuelExceeded => Some("allow more with --limit fuel=N"),
        Reason::MemoryExceeded => Some("allow more with --limit memory=256MB"),
        Reason::Timeout => Some("allow more with --limit time=30s"),
        Reason::RecursionLimitExceeded => Some("use loop/recur, or allow more with --limit depth=N"),
        _ => None,
    }
}
