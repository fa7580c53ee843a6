//! A line per turn for people who watch.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use ptc_runner::lisp::{one_line, shortened};
use ptc_runner::transcript::{Event, EventKind, Observer, SpanId, Turn};

use crate::output;

/// Characters shown of what a turn does.
const MAX_WHAT: usize = 60;

/// Tells standard error what each turn did; turns of agents called as tools are indented.
#[derive(Default)]
pub(super) struct Progress {
    /// The runs under way: what stands before their lines, and their work turns.
    runs: Mutex<HashMap<SpanId, (String, usize)>>,
}

impl Progress {
    /// The line about an event, if it has one.
    fn told(&self, event: &Event) -> Option<String> {
        let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        match &event.kind {
            EventKind::RunStart { agent, .. } => {
                let name = agent.name.as_deref().or(agent.description.as_deref()).unwrap_or("agent");
                let before = if event.parent.is_some() { format!("  {}: ", one_line(name)) } else { String::new() };
                runs.insert(event.span, (before, agent.max_turns));
                None
            }
            EventKind::RunStop { .. } => {
                runs.remove(&event.span);
                None
            }
            EventKind::TurnStop { record: Some(turn), .. } => {
                let (before, turns) = runs.get(&event.parent?)?;
                Some(format!("{before}{}", line(turn, *turns)))
            }
            _ => None,
        }
    }
}

impl Observer for Progress {
    fn on_event(&self, event: &Event) {
        if let Some(line) = self.told(event) {
            output::line(&line);
        }
    }
}

/// `turn 2 of 5: (def kept …) · 3 calls · 812 tokens`
fn line(turn: &Turn, turns: usize) -> String {
    let calls = turn.tool_calls().len();
    let calls = (calls > 0).then(|| output::counted(calls, "call"));
    let tokens = turn.tokens().map(|tokens| format!("{} tokens", tokens.total()));
    let reason = turn.error_reason().map(|reason| reason.to_string());
    let parts: Vec<String> = [Some(what(turn)), calls, tokens, reason].into_iter().flatten().collect();
    format!("turn {} of {turns}: {}", turn.number(), parts.join(" · "))
}

/// The program on one line, cut.
fn what(turn: &Turn) -> String {
    let Some(program) = turn.program() else { return "no program".to_owned() };
    shortened(&one_line(program), MAX_WHAT).into_owned()
}
