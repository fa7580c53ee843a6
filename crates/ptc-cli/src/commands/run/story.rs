//! The story of a run for people who watch: a line a turn, what failed and what recovered, and its outcome.

#[cfg(test)]
mod tests;
mod turns;
mod used;

use std::collections::HashMap;
use std::time::Duration;

use ptc_runner::chat::{LlmError, Tokens};
use ptc_runner::lisp::text::{FormatOptions, format, one_line, shortened};
use ptc_runner::lisp::{ToolNotice, Value};
use ptc_runner::trace::replay::PriceBook;
use ptc_runner::transcript::{Decision, Event, EventKind, SpanId};

use crate::output::{Ink, Line, counted, words};

use turns::Run;
use used::Used;

/// Columns of a line where the width is unknown, and the minimum below which nothing is cut.
const WIDTH: usize = 140;
const NARROWEST: usize = 40;

/// Characters shown of the reason of a failure, and of a call.
const MAX_PROBLEM: usize = 200;
const MAX_CALL: usize = 60;

/// Calls of a turn that are named: those that failed, and those that took long.
const MOST_CALLS: usize = 5;
const LONG: Duration = Duration::from_secs(1);

/// What was reported so far.
#[derive(Default)]
pub(super) struct Story {
    /// Columns of the terminal, if there is one.
    width: Option<usize>,
    /// The runs, turns and calls in progress.
    spans: HashMap<SpanId, Span>,
    used: Used,
    /// Calls that were started, and those of the programs that ended, cached results included.
    begun: usize,
    calls: usize,
    /// A failure that is only worth a line when the model is asked again: if it ends the run, that says it.
    unsaid: Vec<Line>,
}

/// Something in progress.
enum Span {
    Run(Run),
    /// A turn of the run, and how many of its calls were named.
    Turn {
        run: SpanId,
        number: usize,
        named: usize,
    },
    Ask {
        run: SpanId,
        turn: usize,
        attempt: usize,
        model: String,
    },
    Call {
        run: SpanId,
        turn: SpanId,
        shown: String,
    },
}

impl Story {
    /// A story whose lines fit into this many columns where they can, with costs at these prices.
    pub(super) fn new(width: Option<usize>, prices: PriceBook) -> Story {
        Story { width, used: Used::new(prices), ..Story::default() }
    }

    /// The lines about an event.
    pub(super) fn told(&mut self, event: &Event) -> Vec<Line> {
        match &event.kind {
            EventKind::RunStart { agent, .. } => {
                let caller = event.parent.and_then(|call| self.spans.get(&call));
                let called_as =
                    if let Some(Span::Call { shown, .. }) = caller { shown.strip_prefix("tool/") } else { None };
                let run = Run::of(agent, event.parent.is_none(), called_as);
                self.spans.insert(event.span, Span::Run(run));
            }
            EventKind::RunStop { .. } | EventKind::RunException { .. } if event.parent.is_some() => {
                self.spans.remove(&event.span);
            }
            EventKind::TurnStart { turn, .. } => {
                let turn = event.parent.map(|run| Span::Turn { run, number: *turn, named: 0 });
                self.spans.extend(turn.map(|turn| (event.span, turn)));
            }
            EventKind::TurnStop { record, duration, .. } => {
                self.spans.remove(&event.span);
                self.calls += record.as_ref().map_or(0, |turn| turn.tool_calls().len());
                let width = self.width.unwrap_or(WIDTH).max(NARROWEST);
                let run = event.parent.and_then(|run| self.run(run));
                if let (Some(run), Some(turn)) = (run, record) {
                    return run.ended(turn, *duration, width);
                }
            }
            EventKind::LlmStart { turn, attempt, model, .. } => {
                if let Some(run) = self.run_of(event.parent) {
                    let ask = Span::Ask { run, turn: *turn, attempt: *attempt, model: model.clone() };
                    self.spans.insert(event.span, ask);
                }
                return std::mem::take(&mut self.unsaid);
            }
            EventKind::LlmStop { tokens, response, duration, .. } => {
                return self.answered(event.span, tokens.as_ref(), response, *duration);
            }
            EventKind::ApprovalStop { decisions, .. } => {
                let before = self.before(event.parent);
                return decisions.iter().map(|(id, decision)| decided(&before, id, decision)).collect();
            }
            EventKind::ToolStart { tool_name, args } => {
                self.begun += 1;
                if let (Some(run), Some(turn)) = (self.run_of(event.parent), event.parent) {
                    self.spans.insert(event.span, Span::Call { run, turn, shown: call(tool_name, args) });
                }
            }
            EventKind::ToolStop { duration, .. } => return self.returned(event.span, *duration, None),
            EventKind::ToolException { duration, reason, .. } => {
                return self.returned(event.span, *duration, Some(reason));
            }
            EventKind::ToolNotice { tool_name, notice } => {
                let before = self.before(event.parent);
                let text = noticed(notice).map(|text| format!("{before}  tool/{tool_name}: {text}"));
                return text.map(|text| Line::default().with(Ink::Faint, text)).into_iter().collect();
            }
            _ => {}
        }
        Vec::new()
    }

    /// What the run waits for while this is in progress.
    pub(super) fn waits_for(&self, span: SpanId) -> Option<String> {
        match self.spans.get(&span)? {
            Span::Ask { run, turn, attempt, model } => {
                let again = if *attempt > 1 { format!(", attempt {attempt}") } else { String::new() };
                Some(format!("{}, {model} is asked{again}", self.turn_of(*run, *turn)?))
            }
            Span::Turn { run, number, .. } => self.turn_of(*run, *number),
            Span::Call { run, shown, .. } => {
                Some(format!("{}{shown}, {} so far", self.before(Some(*run)), counted(self.begun, "call")))
            }
            Span::Run(_) => None,
        }
    }

    /// Whether it is the run of the mission, not one of a sub-agent, that is asked in this span.
    pub(super) fn is_of_mission(&self, span: SpanId) -> bool {
        let Some(Span::Ask { run, .. }) = self.spans.get(&span) else { return false };
        matches!(self.spans.get(run), Some(Span::Run(run)) if run.is_first)
    }

    /// `5 turns, turn 3 failed, recovered in turn 4 · 123 calls · 20,214 tokens in, 676 out · 2.3 s · USD 0.0123`
    pub(super) fn totals(&self, asks_nobody: bool, duration: Duration, turns: usize) -> Line {
        let run = self.spans.values().find_map(|span| match span {
            Span::Run(run) if run.is_first => Some(run),
            _ => None,
        });
        let mut parts = vec![run.map_or_else(|| counted(turns, "turn"), |run| run.told(turns))];
        parts.extend((self.calls > 0).then(|| counted(self.calls, "call")));
        parts.extend(self.used.tokens());
        parts.push(words::duration(duration));
        parts.push(if asks_nobody { "no model was asked".to_owned() } else { self.used.cost() });
        Line::default().with(Ink::Strong, parts.join(" · "))
    }

    fn run(&mut self, span: SpanId) -> Option<&mut Run> {
        match self.spans.get_mut(&span)? {
            Span::Run(run) => Some(run),
            _ => None,
        }
    }

    /// The run that this span, or what it is part of, belongs to.
    fn run_of(&self, span: Option<SpanId>) -> Option<SpanId> {
        let span = span?;
        match self.spans.get(&span)? {
            Span::Run(_) => Some(span),
            Span::Turn { run, .. } | Span::Ask { run, .. } | Span::Call { run, .. } => Some(*run),
        }
    }

    fn before(&self, span: Option<SpanId>) -> String {
        match self.run_of(span).and_then(|run| self.spans.get(&run)) {
            Some(Span::Run(run)) => run.before.clone(),
            _ => String::new(),
        }
    }

    fn turn_of(&self, run: SpanId, turn: usize) -> Option<String> {
        match self.spans.get(&run)? {
            Span::Run(run) => Some(format!("{}turn {turn} of {}", run.before, run.max_turns)),
            _ => None,
        }
    }

    fn answered(
        &mut self,
        span: SpanId,
        tokens: Option<&Tokens>,
        response: &Result<String, LlmError>,
        duration: Duration,
    ) -> Vec<Line> {
        let is_of_mission = self.is_of_mission(span);
        let Some(Span::Ask { run, attempt, model, .. }) = self.spans.remove(&span) else { return Vec::new() };
        self.used.add(model, tokens);
        let Err(problem) = response else { return Vec::new() };
        let may_end_mission = is_of_mission && !problem.is_retryable_by_default();
        let problem = shortened(&one_line(&problem.to_string()), MAX_PROBLEM).into_owned();
        let text = format!(
            "{}  attempt {attempt} failed after {}: {problem}",
            self.before(Some(run)),
            words::duration(duration)
        );
        let lines = vec![Line::default().with(Ink::Bad, text)];
        if may_end_mission {
            self.unsaid = lines;
            return Vec::new();
        }
        lines
    }

    fn returned(&mut self, span: SpanId, duration: Duration, problem: Option<&str>) -> Vec<Line> {
        let Some(Span::Call { run, turn, shown }) = self.spans.remove(&span) else { return Vec::new() };
        let before = self.before(Some(run));
        let Some(Span::Turn { named, .. }) = self.spans.get_mut(&turn) else { return Vec::new() };
        if (problem.is_none() && duration < LONG) || *named == MOST_CALLS {
            return Vec::new();
        }
        *named += 1;
        let what = format!("{before}  {shown} · {}", words::duration(duration));
        let line = match problem {
            Some(problem) => {
                Line::default().with(Ink::Bad, format!("{what} · {}", shortened(&one_line(problem), MAX_PROBLEM)))
            }
            None => Line::default().with(Ink::Faint, what),
        };
        vec![line]
    }
}

/// `tool/rate {:currency "SEK"}`, as programs write it
fn call(tool: &str, args: &Value) -> String {
    let args = format(&words::named(args), &FormatOptions::tool_args()).text;
    format!("tool/{tool} {}", shortened(&one_line(&args), MAX_CALL))
}

fn decided(before: &str, id: &str, decision: &Decision) -> Line {
    match decision {
        Decision::Approve => Line::default().with(Ink::Good, format!("{before}  {id} approved")),
        Decision::Edit(_) => Line::default().with(Ink::Good, format!("{before}  {id} approved with other arguments")),
        _ => Line::default().with(Ink::Bad, format!("{before}  {id} denied")),
    }
}

/// `3 of 10, reading b.txt`
fn noticed(notice: &ToolNotice) -> Option<String> {
    match notice {
        ToolNotice::Progress { done, total, message } => {
            let total = total.map(|total| format!(" of {total}")).unwrap_or_default();
            let message = message.as_deref().map(|text| format!(", {}", one_line(text))).unwrap_or_default();
            Some(shortened(&format!("{done}{total}{message}"), MAX_CALL).into_owned())
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
