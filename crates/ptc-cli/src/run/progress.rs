//! A line per turn for people who watch.

#[cfg(test)]
mod tests;

use ptc_runner::transcript::{Event, EventKind, Observer, Turn};

use crate::report;

/// Characters shown of what a turn does.
const MAX_WHAT: usize = 60;

/// Tells standard error what each turn did.
pub(super) struct Progress {
    turns: usize,
}

impl Progress {
    /// For a run with this many work turns.
    pub(super) fn new(turns: usize) -> Progress {
        Progress { turns }
    }
}

impl Observer for Progress {
    fn on_event(&self, event: &Event) {
        if let EventKind::TurnStop { record: Some(turn), .. } = &event.kind {
            report::note(&line(turn, self.turns));
        }
    }
}

/// `turn 2 of 5: (def kept …) · 3 calls · 812 tokens`
fn line(turn: &Turn, turns: usize) -> String {
    let mut parts = vec![what(turn)];
    match turn.tool_calls().len() {
        0 => {}
        1 => parts.push("1 call".to_owned()),
        calls => parts.push(format!("{calls} calls")),
    }
    if let Some(tokens) = turn.tokens() {
        parts.push(format!("{} tokens", tokens.total()));
    }
    if let Some(reason) = turn.error_reason() {
        parts.push(reason);
    }
    format!("turn {} of {turns}: {}", turn.number(), parts.join(" · "))
}

/// The program on one line, cut.
fn what(turn: &Turn) -> String {
    let Some(program) = turn.program() else { return "no program".to_owned() };
    let words: Vec<&str> = program.split_whitespace().collect();
    let text = words.join(" ");
    match text.char_indices().nth(MAX_WHAT) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or_default()),
        None => text,
    }
}
