//! The view turn by turn.

use ptc_chat::Message;
use ptc_compression::words::tool_call_line;
use ptc_lisp::ToolRecord;
use ptc_lisp::text::{FormatOptions, format_with, printed, shortened_counted};
use ptc_transcript::{EndingKind, Step, Turn, TurnKind};

use super::paper::{BoxWriter, Ink};

/// Elements and characters of the answer, if the step does not say.
const ANSWER: (usize, usize) = (50, 500);

/// The replacement of the program in an answer.
const MARKER: &str = "[program shown below]";

/// A box per turn.
pub(super) fn write(step: &Step, raw: bool, paper: &mut BoxWriter) {
    match step.turns.as_deref() {
        None => paper.remark("No turns kept (tracing was off or nothing ran yet)"),
        Some([]) => paper.remark("No turns"),
        Some(turns) => turns.iter().for_each(|turn| turn_box(step, turn, raw, paper)),
    }
}

fn turn_box(step: &Step, turn: &Turn, raw: bool, paper: &mut BoxWriter) {
    paper.begin(&title(turn));
    if raw {
        if turn.number() == 1 {
            paper.label("Mission:");
            paper.block(Ink::Prose, 2, &step.mission_template);
        }
        raw_parts(turn, paper);
    }
    program(turn, paper);
    tools(turn, paper);
    if !turn.prints().is_empty() {
        paper.label("Output:");
        turn.prints().iter().for_each(|print| paper.block(Ink::Output, 2, &printed(print)));
    }
    paper.label("Result:");
    paper.block(Ink::Plain, 2, &answer_of(step, turn).unwrap_or_else(|| result(turn)));
    paper.end();
}

pub(super) fn title(turn: &Turn) -> String {
    match turn.kind() {
        TurnKind::Normal => format!("Turn {}", turn.number()),
        kind => format!("Turn {} ({})", turn.number(), kind.as_str()),
    }
}

/// The messages sent, if messages were collected, and the answer.
fn raw_parts(turn: &Turn, paper: &mut BoxWriter) {
    if let Some(messages) = turn.messages() {
        paper.label("Raw Input:");
        messages.iter().for_each(|message| sent(message, paper));
    }
    paper.label("Raw Response:");
    paper.block(Ink::Prose, 2, &prose(turn));
}

fn sent(message: &Message, paper: &mut BoxWriter) {
    let text = message.content();
    paper.block(Ink::Label, 2, &format!("[{}] ({} chars)", message.role.as_str(), text.chars().count()));
    paper.block(Ink::Prose, 4, &text);
}

/// The answer without its program; whole if there is no program to show.
fn prose(turn: &Turn) -> String {
    let answer = turn.raw_response().trim_end();
    match turn.program() {
        None => answer.to_owned(),
        Some(_) if answer.trim_start().starts_with(['(', ';']) => MARKER.to_owned(),
        Some(_) => without_programs(answer),
    }
}

/// Fenced blocks that hold Lisp become the marker; other blocks stay.
fn without_programs(answer: &str) -> String {
    let mut lines: Vec<&str> = Vec::new();
    // Where the open block begins, and whether it holds a program.
    let mut open: Option<(usize, bool)> = None;
    for line in answer.lines() {
        let fence = line.trim_start().strip_prefix("```");
        match (open, fence) {
            (None, Some(tag)) => {
                open = Some((lines.len(), matches!(tag.trim(), "clojure" | "lisp")));
                lines.push(line);
            }
            (Some((start, is_program)), Some(_)) => {
                open = None;
                lines.push(line);
                if is_program || lines.get(start + 1).is_some_and(|first| first.trim_start().starts_with('(')) {
                    lines.truncate(start);
                    lines.push(MARKER);
                }
            }
            _ => lines.push(line),
        }
    }
    // A model that was cut off, or stopped early, does not close its fence.
    if let Some((start, true)) = open {
        lines.truncate(start);
        lines.push(MARKER);
    }
    lines.join("\n")
}

fn program(turn: &Turn, paper: &mut BoxWriter) {
    match turn.program() {
        Some(program) => {
            paper.label("Program:");
            paper.block(Ink::Plain, 2, program.trim_end());
        }
        None if turn.is_success() => {
            paper.label("Response:");
            paper.block(Ink::Plain, 2, "(JSON answer)");
        }
        None => {
            paper.label("Program:");
            paper.block(Ink::Plain, 2, "(no program found)");
        }
    }
}

fn tools(turn: &Turn, paper: &mut BoxWriter) {
    if turn.tool_calls().is_empty() {
        return;
    }
    paper.label("Tools:");
    for call in turn.tool_calls() {
        paper.arrow(2, "-> ", Ink::Plain, &tool_call_line(call));
        paper.arrow(4, "<- ", Ink::Plain, &answer(call));
    }
}

pub(super) fn answer(call: &ToolRecord) -> String {
    match &call.error {
        Some(error) if call.may_have_run => format!("error: {error} (perhaps done)"),
        Some(error) => format!("error: {error}"),
        None => {
            let from = match call {
                ToolRecord { from_failed_turn: true, .. } => " (from the failed turn)",
                ToolRecord { cached: true, .. } => " (cached)",
                _ => "",
            };
            format!("{}{from}", format_with(&call.result, &FormatOptions::tool_args(), &call.hidden_fields).text)
        }
    }
}

/// The answer of the run, if this turn returned it.
fn answer_of(step: &Step, turn: &Turn) -> Option<String> {
    let is_last = step.turns().last().is_some_and(|last| last.number() == turn.number());
    if !is_last || !turn.is_success() || !matches!(step.ending, EndingKind::Return | EndingKind::Value) {
        return None;
    }
    let (limit, most) = (step.result_limit.unwrap_or(ANSWER.0), step.result_max_chars.unwrap_or(ANSWER.1));
    let options = FormatOptions { limit: Some(limit), ..FormatOptions::full() };
    let text = format_with(turn.result(), &options, turn.memory().shown_names()).text;
    Some(shortened_counted(&text, most).into_owned())
}

/// The value; for a failed turn the reason and the message.
pub(super) fn result(turn: &Turn) -> String {
    match (turn.error_reason(), turn.error_message()) {
        (Some(reason), Some(message)) => format!("{reason}: {message}"),
        (None, Some(message)) => message,
        _ => {
            let options = FormatOptions { limit: Some(5), printable_limit: Some(200), ..FormatOptions::printed() };
            format_with(turn.result(), &options, turn.memory().shown_names()).text
        }
    }
}
