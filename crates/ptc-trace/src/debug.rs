//! A finished run as text, for people: the actions of each turn, or the view of a model.
//!
//! ```
//! use ptc_lisp::Value;
//! use ptc_trace::debug::{DebugOptions, format_trace};
//! use ptc_transcript::{EndingKind, Step, Turn, TurnFields};
//!
//! let fields = TurnFields { program: Some("(return (+ 1 2))".into()), ..TurnFields::new(1, "(return (+ 1 2))", Value::Int(3)) };
//! let mut step = Step::returned(EndingKind::Return, Value::Int(3));
//! step.turns = Some(vec![Turn::success(fields)]);
//! let text = format_trace(&step, DebugOptions::default());
//! assert!(text.contains("| Program:\n|   (return (+ 1 2))\n| Result:\n|   3\n"));
//! ```
//!
//! There are no other options than these three: messages are shown under `raw`, and no turn keeps the system text.

mod chain;
mod compressed;
mod paper;
mod turns;
mod usage;

use std::ffi::OsStr;
use std::io::{self, IsTerminal, Write};

use ptc_transcript::Step;

use paper::BoxWriter;

/// The options of showing a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct DebugOptions {
    /// Turn by turn, or as a model sees it.
    pub view: View,
    /// Also the messages sent and the answers, if the turns hold them; long lines stay whole.
    pub raw: bool,
    /// Also tokens, tool calls by tool, and the entries that compression left out.
    pub usage: bool,
}

/// The view of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum View {
    /// A box per turn with program, calls, output and result.
    #[default]
    Turns,
    /// The messages that the strategy of the run would send for the next turn, for runs whose model wrote programs;
    /// those of the default strategy if the run sent the dialogue as it is.
    Compressed,
}

/// The run as text without colours. Cost: linear in what the step holds, in its data only for the compressed view.
pub fn format_trace(step: &Step, options: DebugOptions) -> String {
    trace_text(step, options, false)
}

/// Writes the run to standard output, with colours on a terminal unless `NO_COLOR` is set or `TERM` is `dumb`.
pub fn print_trace(step: &Step, options: DebugOptions) -> io::Result<()> {
    let text = trace_text(step, options, wants_colors(&io::stdout()));
    io::stdout().lock().write_all(text.as_bytes())
}

/// The course of a chain of agents, one paragraph per step, without colours.
pub fn format_chain(steps: &[Step]) -> String {
    chain::chain(steps, BoxWriter::new(false, true))
}

/// Writes the course of a chain of agents to standard output, with colours on a terminal unless `NO_COLOR` is set or
/// `TERM` is `dumb`.
pub fn print_chain(steps: &[Step]) -> io::Result<()> {
    let text = chain::chain(steps, BoxWriter::new(wants_colors(&io::stdout()), true));
    io::stdout().lock().write_all(text.as_bytes())
}

/// The run as text, with or without colours: for callers that decide about colours themselves.
pub fn trace_text(step: &Step, options: DebugOptions, colors: bool) -> String {
    let mut paper = BoxWriter::new(colors, !options.raw);
    match options.view {
        View::Turns => turns::write(step, options.raw, &mut paper),
        View::Compressed => compressed::write(step, &mut paper),
    }
    if options.usage {
        usage::write(step, &mut paper);
    }
    paper.into_text()
}

/// Whether text for this stream has colours: on a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`.
pub fn wants_colors(stream: &impl IsTerminal) -> bool {
    let variable = |name: &str| std::env::var_os(name);
    stream.is_terminal() && can_have_colors(variable("NO_COLOR").as_deref(), variable("TERM").as_deref())
}

/// Whether the environment allows colours.
fn can_have_colors(no_color: Option<&OsStr>, term: Option<&OsStr>) -> bool {
    no_color.is_none_or(OsStr::is_empty) && term.is_none_or(|term| term != "dumb")
}

#[cfg(test)]
mod tests;
