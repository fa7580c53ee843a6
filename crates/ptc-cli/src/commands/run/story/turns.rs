//! The turns of one run as lines.

use std::time::Duration;

use indexmap::IndexMap;
use ptc_runner::compression::words::grouped;
use ptc_runner::lisp::text::{one_line, shortened};
use ptc_runner::lisp::{ToolRecord, Value};
use ptc_runner::transcript::{AgentSummary, FailReason, Turn};

use super::{MAX_PROBLEM, NARROWEST};
use crate::output::{Ink, Line, counted, words};

/// A run in progress.
#[derive(Default)]
pub(super) struct Run {
    /// The prefix of its lines.
    pub(super) before: String,
    pub(super) max_turns: usize,
    pub(super) is_first: bool,
    /// Names that were defined when its last turn ended.
    defined: Vec<(String, u64)>,
    /// The last turn, when it failed.
    failed: Option<usize>,
    /// Turns that failed, and those from which the run recovered.
    failures: Vec<usize>,
    recoveries: Vec<usize>,
}

impl Run {
    pub(super) fn of(agent: &AgentSummary, is_first: bool, called_as: Option<&str>) -> Run {
        let name = called_as.or(agent.name.as_deref()).or(agent.description.as_deref()).unwrap_or("agent");
        let before = if is_first { String::new() } else { format!("  {}: ", one_line(name)) };
        Run { before, is_first, max_turns: agent.max_turns, ..Run::default() }
    }

    /// The lines about a turn that ended.
    pub(super) fn ended(&mut self, turn: &Turn, duration: Duration, width: usize) -> Vec<Line> {
        let (said, done) = (said(turn), self.done(turn));
        let what = match (&said, &done, turn.program()) {
            (Some(said), _, Some(_)) => said.clone(),
            (Some(said), _, None) => format!("no program: {said}"),
            (None, Some(done), _) => done.clone(),
            (None, None, program) => program.map_or_else(|| "no program".to_owned(), one_line),
        };
        let before = format!("{}turn {} of {}", self.before, turn.number(), self.max_turns);
        let failure = turn.error_reason().map(|reason| reason.to_string());
        let (ink, how) = match (&failure, self.failed.take()) {
            (Some(_), _) => (Ink::Bad, " failed: ".to_owned()),
            (None, Some(failed)) => {
                self.recoveries.push(turn.number());
                (Ink::Good, format!(" recovered from turn {failed}: "))
            }
            (None, None) => (Ink::Plain, ": ".to_owned()),
        };
        let facts = facts(turn, duration);
        let taken: usize = [&before, &how, &facts].iter().map(|part| part.chars().count()).sum();
        let line =
            Line::default().with(Ink::Strong, before).with(ink, how).with(Ink::Plain, fitting(&what, taken, width));
        let mut lines = vec![line.with(Ink::Faint, facts)];
        let indent = format!("{}    ", self.before);
        if let (Some(_), Some(done)) = (said, done) {
            let done = fitting(&done, indent.chars().count(), width);
            lines.push(Line::default().with(Ink::Faint, format!("{indent}{done}")));
        }
        if let Some(line) = turn.prints().first() {
            let more = turn.prints().len() - 1;
            let more = if more > 0 { format!(" (+{})", counted(more, "line")) } else { String::new() };
            let line = fitting(&one_line(line), indent.chars().count() + more.len(), width);
            lines.push(Line::default().with(Ink::Faint, format!("{indent}{line}{more}")));
        }
        if let Some(reason) = failure {
            let problem = format!("{indent}{reason}: {}", shortened(&one_line(&problem(turn)), MAX_PROBLEM));
            lines.push(Line::default().with(Ink::Bad, problem));
            self.failed = Some(turn.number());
            self.failures.push(turn.number());
        }
        lines
    }

    /// The names that the program defined and the tools that it called, when it did.
    fn done(&mut self, turn: &Turn) -> Option<String> {
        let defined: Vec<(String, u64)> =
            turn.memory().entries().iter().map(|entry| (entry.name.clone(), entry.order)).collect();
        let new: Vec<&str> = defined
            .iter()
            .filter(|entry| turn.is_success() && !self.defined.contains(entry))
            .map(|(name, _)| name.as_str())
            .collect();
        let parts = [
            (!new.is_empty()).then(|| format!("defines {}", new.join(", "))),
            (!turn.tool_calls().is_empty()).then(|| format!("calls {}", called(turn.tool_calls()))),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        self.defined = defined;
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// `5 turns, turn 3 failed, recovered in turn 4`
    pub(super) fn told(&self, turns: usize) -> String {
        let turns = counted(turns, "turn");
        if self.failures.is_empty() {
            return turns;
        }
        let recovered = if self.recoveries.is_empty() {
            String::new()
        } else {
            format!(", recovered in {}", listed(&self.recoveries))
        };
        format!("{turns}, {} failed{recovered}", listed(&self.failures))
    }
}

/// Why the turn failed: of a refused answer its problems, which are the end of a message that begins with types and the answer.
fn problem(turn: &Turn) -> String {
    let is_refused =
        matches!(turn.error_reason(), Some(FailReason::ReturnValidationFailed | FailReason::ValidationError));
    let problems = turn.result().as_map().filter(|_| is_refused).and_then(|result| result.get_named("errors"));
    match problems.and_then(Value::as_vector) {
        Some(problems) => problems.iter().filter_map(Value::as_str).collect::<Vec<&str>>().join("; "),
        None => turn.error_message().unwrap_or_default(),
    }
}

/// The model's words about its program: the text before it, or else the comment at its beginning.
fn said(turn: &Turn) -> Option<String> {
    let text = |text: &str| Some(one_line(text)).filter(|text| !text.is_empty());
    let answer = turn.raw_response();
    let Some(program) = turn.program() else { return text(answer) };
    let before =
        answer.split("```").next().filter(|before| before.len() < answer.len() && !answer.starts_with(['(', ';']));
    let comment = || {
        let line = program.trim_start().strip_prefix(';')?.lines().next()?;
        text(line.trim_matches([';', ' ']))
    };
    before.and_then(text).or_else(comment)
}

/// `turn 3`, `turns 3, 5`
fn listed(turns: &[usize]) -> String {
    let numbers = turns.iter().map(ToString::to_string).collect::<Vec<String>>().join(", ");
    if turns.len() == 1 { format!("turn {numbers}") } else { format!("turns {numbers}") }
}

/// As much of the text as fits in the rest of the width.
fn fitting(text: &str, taken: usize, width: usize) -> String {
    const CUT: &str = "...";
    let free = width.saturating_sub(taken).max(NARROWEST / 2);
    if text.chars().count() <= free { text.to_owned() } else { shortened(text, free - CUT.len()).into_owned() }
}

/// `rate (103), country-currency (10)`
fn called(calls: &[ToolRecord]) -> String {
    let mut names: IndexMap<&str, usize> = IndexMap::new();
    for call in calls {
        *names.entry(&call.name).or_default() += 1;
    }
    let part =
        |(name, count): (&&str, &usize)| if *count > 1 { format!("{name} ({count})") } else { (*name).to_owned() };
    names.iter().map(part).collect::<Vec<String>>().join(", ")
}

fn facts(turn: &Turn, duration: Duration) -> String {
    let tokens = turn.tokens().map(|tokens| format!(" · {} tokens", grouped(tokens.total())));
    format!("{} · {}", tokens.unwrap_or_default(), words::duration(duration))
}
