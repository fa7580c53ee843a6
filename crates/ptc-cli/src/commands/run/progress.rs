//! A line per turn for people who watch.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use ptc_runner::lisp::{ToolNotice, one_line, shortened};
use ptc_runner::transcript::{Event, EventKind, Observer, SpanId, Turn};

use crate::output;

/// Characters shown of what a turn does.
const MAX_WHAT: usize = 60;

/// Tells standard error what each turn did; turns of agents called as tools are indented.
#[derive(Default)]
pub(super) struct Progress {
    /// The runs under way and their turns: what stands before their lines, and the work turns of the run.
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
            EventKind::TurnStart { .. } => {
                let run = runs.get(&event.parent?)?.clone();
                runs.insert(event.span, run);
                None
            }
            EventKind::TurnStop { record, .. } => {
                runs.remove(&event.span);
                let (before, turns) = runs.get(&event.parent?)?;
                Some(format!("{before}{}", line(record.as_ref()?, *turns)))
            }
            EventKind::ToolNotice { tool_name, notice } => {
                let (before, _) = runs.get(&event.parent?)?;
                Some(format!("{before}tool/{tool_name}: {}", noticed(notice)?))
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

/// `3 of 10, reading b.txt`
fn noticed(notice: &ToolNotice) -> Option<String> {
    match notice {
        ToolNotice::Progress { done, total, message } => {
            let total = total.map(|total| format!(" of {total}")).unwrap_or_default();
            let message = message.as_deref().map(|text| format!(", {}", one_line(text))).unwrap_or_default();
            Some(shortened(&format!("{done}{total}{message}"), MAX_WHAT).into_owned())
        }
        ToolNotice::ToolsChanged { added, gone } => {
            let part =
                |names: &[String], what: &str| (!names.is_empty()).then(|| format!("{what}: {}", names.join(", ")));
            let parts: Vec<String> = [part(gone, "gone"), part(added, "in later runs")].into_iter().flatten().collect();
            Some(format!("its server has other tools; {}", parts.join("; ")))
        }
        _ => None,
    }
}

/// The program on one line, cut.
fn what(turn: &Turn) -> String {
    let Some(program) = turn.program() else { return "no program".to_owned() };
    shortened(&one_line(program), MAX_WHAT).into_owned()
}
