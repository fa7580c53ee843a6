//! Everything that the command prints: standard output for what was asked, standard error for the rest, and colours.

mod diagnostics;
mod ink;
pub(crate) mod live;
pub(crate) mod proposed;
mod reading;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod words;

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::OnceLock;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Level, Renderer};
use clap::ColorChoice;
use ptc_runner::config::{ConfigError, MissionWarning};
use ptc_runner::debug::{self, DebugOptions, wants_colors};
use ptc_runner::lisp::text::{FormatOptions, escaped, escaped_lines, printed, write_formatted};
use ptc_runner::lisp::{Problem, Value, Warning};
use ptc_runner::transcript::Step;
use serde::Serialize;

use crate::failure::{Exit, Failure};

pub(crate) use diagnostics::Source;
pub(crate) use ink::{Ink, Line};
pub(crate) use reading::readable;

/// The value of `--color`.
static COLORS: OnceLock<ColorChoice> = OnceLock::new();

/// Apply `--color`, before anything is printed.
pub(crate) fn choose_colors(choice: ColorChoice) {
    COLORS.get_or_init(|| choice);
}

/// Whether text for people has colours on this stream.
pub(crate) fn has_colors(stream: &impl IsTerminal) -> bool {
    match COLORS.get() {
        Some(ColorChoice::Always) => true,
        Some(ColorChoice::Never) => false,
        Some(ColorChoice::Auto) | None => wants_colors(stream),
    }
}

/// Standard output that accepts no more.
#[derive(Debug, thiserror::Error)]
#[error("cannot write to standard output: {0}")]
pub(crate) struct OutputFailure(pub(crate) io::Error);

/// Write to standard output: as it is for machines, without control characters for people.
pub(crate) fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), OutputFailure> {
    let stdout = io::stdout().lock();
    let done = if stdout.is_terminal() {
        let mut text = Vec::new();
        write(&mut text).and_then(|()| for_people(&text, stdout))
    } else {
        let mut out = BufWriter::with_capacity(1 << 16, stdout);
        write(&mut out).and_then(|()| out.flush())
    };
    done.map_err(OutputFailure)
}

/// The same, where a reader that has closed the pipe is not an error: the exit code stays that of the work.
pub(crate) fn seen(printed: Result<(), OutputFailure>) -> Result<(), OutputFailure> {
    match printed {
        Err(OutputFailure(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        printed => printed,
    }
}

/// Show the requested help, or what is wrong with the arguments, and return the exit code. Control characters in
/// arguments are spelled out.
pub(crate) fn usage(mut error: clap::Error, all: &clap::Command) -> ExitCode {
    words::advise(&mut error, all);
    // With colours: rendering without them also removes from arguments what looks like a colour.
    let mut text = error.render().ansi().to_string();
    let given: Vec<String> = std::env::args_os().map(|arg| arg.to_string_lossy().into_owned()).collect();
    let values = given.iter().filter_map(|arg| Some(arg.split_once('=')?.1));
    let mut has_odd = false;
    for arg in given.iter().map(String::as_str).chain(values) {
        if let Cow::Owned(plain) = escaped(arg) {
            (text, has_odd) = (text.replace(arg, &plain), true);
        }
    }
    if has_odd && error.use_stderr() {
        show(escaped_lines(console::strip_ansi_codes(&text).trim_end()).as_ref());
    } else {
        // Standard error may be closed.
        drop(error.print());
    }
    ExitCode::from(if error.use_stderr() { Exit::Usage } else { Exit::Ok } as u8)
}

/// Print a recorded run, which is already safe for terminals.
pub(crate) fn trace(step: &Step, options: DebugOptions) -> Result<(), OutputFailure> {
    let text = debug::trace_text(step, options, has_colors(&io::stdout()));
    io::stdout().lock().write_all(text.as_bytes()).map_err(OutputFailure)
}

/// Write the whole value as people read it when standard output is a terminal, else as programs are written.
pub(crate) fn answer(value: &Value, out: &mut dyn Write) -> io::Result<()> {
    let stdout = console::Term::stdout();
    if stdout.is_term() {
        out.write_all(readable(value, usize::from(stdout.size().1)).as_bytes())
    } else {
        write_clojure(value, LONGEST, out)
    }
}

/// Without control characters; what is invisible, or changes the writing direction, is spelled out.
fn for_people(text: &[u8], mut out: impl Write) -> io::Result<()> {
    out.write_all(escaped_lines(&printed(&String::from_utf8_lossy(text))).as_bytes())
}

/// Print a line of JSON.
pub(crate) fn json(value: &impl Serialize) -> Result<(), OutputFailure> {
    print(|out| json_line(out, value))
}

/// Write a line of JSON.
pub(crate) fn json_line(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")
}

/// Bytes of the longest text of a value: one that shares its parts can have no end.
pub(crate) const LONGEST: u64 = 1 << 30;

/// Write the whole value, hidden entries too: they are hidden from models, not from the user. Errors and writes nothing
/// when its text is longer than `most` bytes.
pub(crate) fn write_clojure(value: &Value, most: u64, out: &mut dyn Write) -> io::Result<()> {
    write_formatted(value, &FormatOptions { hide: false, ..FormatOptions::full() }, most, out)
}

/// What [`write_clojure`] writes.
pub(crate) fn clojure(value: &Value) -> String {
    let mut text = Vec::new();
    if let Err(error) = write_clojure(value, LONGEST, &mut text) {
        text.extend_from_slice(format!(" ... ({error})").as_bytes());
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// Whether a person sees standard error while the command works.
pub(crate) fn is_watched() -> bool {
    io::stderr().is_terminal()
}

/// Columns of the terminal that standard error is.
pub(crate) fn columns() -> Option<usize> {
    is_watched().then(|| usize::from(console::Term::stderr().size().1))
}

/// Columns for text on standard output: those of the terminal, else as many as a wide page has.
pub(crate) fn width() -> usize {
    let stdout = console::Term::stdout();
    if stdout.is_term() { usize::from(stdout.size().1) } else { 120 }
}

/// Whether a person types: both the input and the output are a terminal.
pub(crate) fn is_interactive() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Write text to standard output that has its own colours, and is safe for terminals.
pub(crate) fn painted(text: &str) -> Result<(), OutputFailure> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}").and_then(|()| out.flush()).map_err(OutputFailure)
}

/// Show the problems of a program on standard error.
pub(crate) fn problems(source: &Source, problems: &[Problem]) {
    problems.iter().for_each(|problem| show(&diagnostics::problem(source, problem, &renderer())));
}

/// The problems of a program as a text without colours.
pub(crate) fn problem_text(source: &Source, problems: &[Problem]) -> String {
    let plain = Renderer::plain().decor_style(DecorStyle::Ascii);
    problems.iter().map(|problem| diagnostics::problem(source, problem, &plain) + "\n").collect()
}

/// The warnings of a program as a text without colours.
pub(crate) fn warning_text(source: &Source, warnings: &[Warning]) -> String {
    let plain = Renderer::plain().decor_style(DecorStyle::Ascii);
    warnings.iter().map(|warning| diagnostics::warning(source, warning, &plain) + "\n").collect()
}

/// Show the warnings of a program on standard error.
pub(crate) fn warnings(source: &Source, warnings: &[Warning]) {
    warnings.iter().for_each(|warning| show(&diagnostics::warning(source, warning, &renderer())));
}

/// Show what stopped the command on standard error.
pub(crate) fn failure(failure: &Failure) {
    show(&diagnostics::failure(failure, &renderer()));
}

/// Show what is wrong with a mission file on standard error, then what may be wrong.
pub(crate) fn mission_problems(problems: &[ConfigError], warnings: &[MissionWarning]) {
    let renderer = &renderer();
    for problem in problems {
        show(&diagnostics::placed(Level::ERROR, problem.place(), &problem.message(), renderer));
    }
    for warning in warnings {
        show(&diagnostics::placed(Level::WARNING, warning.place.as_deref(), &warning.message, renderer));
    }
}

/// Show other remarks, one line each.
pub(crate) fn notes(notes: &[impl Display]) {
    notes.iter().for_each(|note| line(&format!("note: {note}")));
}

/// Show possible mistakes, one line each.
pub(crate) fn remarks(warnings: &[impl Display]) {
    warnings.iter().for_each(|warning| line(&format!("warning: {warning}")));
}

/// Show one line on standard error, whatever the text contains.
pub(crate) fn line(text: &str) {
    show(&escaped(text));
}

/// Show a line of several inks on standard error.
pub(crate) fn inked(line: &Line) {
    show(&line.painted(has_colors(&io::stderr())));
}

/// Write a piece of a text to standard error that arrives in pieces: its lines may continue in the next one. Its lines
/// are indented.
pub(crate) fn piece(text: &str) {
    let text = escaped_lines(text).replace('\n', "\n    ");
    live::above(|| {
        let _ = write!(io::stderr().lock(), "{text}");
    });
}

/// Show a text of several lines on standard error: all but the first are indented, so that they do not look like
/// separate messages.
pub(crate) fn indented(text: &str) {
    show(&one_text(text));
}

fn one_text(text: &str) -> String {
    escaped_lines(text).replace('\n', "\n  ")
}

/// `1 call`, `3 calls`
pub(crate) fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// Standard error may be closed; then there is nothing left to do.
fn show(text: &str) {
    live::above(|| {
        let _ = writeln!(io::stderr().lock(), "{text}");
    });
}

fn renderer() -> Renderer {
    let renderer = if has_colors(&io::stderr()) { Renderer::styled() } else { Renderer::plain() };
    renderer.decor_style(DecorStyle::Ascii)
}
