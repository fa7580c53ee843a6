//! Errors for people: what is wrong, the source line with a caret, what to do.

#[cfg(test)]
mod tests;

use std::io::Write;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use ptc_runner::debug::wants_colors;
use ptc_runner::lisp::{Position, Problem, Reason, Warning, escaped, escaped_lines};

use crate::failure::Failure;

/// A program and what to call it.
pub(crate) struct Source<'a> {
    pub(crate) name: &'a str,
    pub(crate) text: &'a str,
}

/// Show the problems of a program on standard error.
pub(crate) fn problems(source: &Source<'_>, problems: &[Problem]) {
    for problem in problems {
        show(&problem_text(source, problem, &renderer()));
    }
}

/// Show the warnings of a program on standard error.
pub(crate) fn warnings(source: &Source<'_>, warnings: &[Warning]) {
    for warning in warnings {
        show(&warning_text(source, warning, &renderer()));
    }
}

/// Show what stopped the command on standard error.
pub(crate) fn failure(failure: &Failure) {
    show(&failure_text(failure, &renderer()));
}

/// Show one line on standard error, whatever is in the text.
pub(crate) fn note(text: &str) {
    show(&escaped(text));
}

/// Show a text of several lines on standard error: all but the first are indented, so that they do not pass for lines
/// of their own.
pub(crate) fn indented(text: &str) {
    show(&one_text(text));
}

pub(crate) fn one_text(text: &str) -> String {
    escaped_lines(text).replace('\n', "\n  ")
}

/// Nobody may be listening; then there is nothing left to say.
fn show(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

fn renderer() -> Renderer {
    let renderer = if wants_colors(&std::io::stderr()) { Renderer::styled() } else { Renderer::plain() };
    renderer.decor_style(DecorStyle::Ascii)
}

fn problem_text(source: &Source<'_>, problem: &Problem, renderer: &Renderer) -> String {
    let title = if problem.position.is_some() { escaped(&problem.message).into_owned() } else { problem.text() };
    let (name, line) = (escaped(source.name), drawn(problem.line_text.as_deref().unwrap_or_default()));
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

fn warning_text(source: &Source<'_>, warning: &Warning, renderer: &Renderer) -> String {
    let position = ptc_runner::lisp::position(source.text, warning.span.start);
    let line = drawn(source.text.lines().nth(position.line.saturating_sub(1) as usize).unwrap_or_default());
    let (name, title) = (escaped(source.name), escaped(&warning.message));
    let group =
        Level::WARNING.primary_title(&*title).id(warning.code.as_str()).element(snippet(&name, &line, position));
    renderer.render(&[group])
}

fn failure_text(failure: &Failure, renderer: &Renderer) -> String {
    let config = match failure {
        Failure::Config(error) => Some(error),
        _ => None,
    };
    let message = config.map_or_else(|| failure.to_string(), |error| error.message());
    let place = config.and_then(|error| error.place());
    let file = place.map(|place| escaped(&place.file.display().to_string()).into_owned()).unwrap_or_default();
    let line = place.map(|place| drawn(&place.line_text)).unwrap_or_default();
    let shown = place.map(|place| {
        let position = Position { line: place.line, column: place.column };
        snippet(&file, &line, position)
    });
    let message = escaped_lines(&message);
    let group: Group<'_> = Level::ERROR.primary_title(&*message).elements(shown);
    renderer.render(&[group])
}

/// A line of source as it can be drawn: character for character, for carets stand below. The renderer has pictures of
/// the other control characters.
fn drawn(line: &str) -> String {
    line.chars()
        .map(|c| if matches!(c, '\u{80}'..='\u{9F}' | '\u{2028}' | '\u{2029}') { '\u{FFFD}' } else { c })
        .collect()
}

/// The line with a caret below the word at `position`.
fn snippet<'a>(name: &'a str, line: &'a str, position: Position) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
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
