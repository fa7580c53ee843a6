//! The story of a run for people who watch: a line a turn, what failed and what recovered, and what it came to.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::time::Duration;

use indexmap::IndexMap;
use ptc_runner::chat::Tokens;
use ptc_runner::lisp::{FormatOptions, ToolNotice, ToolRecord, Value, format, one_line, shortened};
use ptc_runner::mission::grouped;
use ptc_runner::trace::replay::Prices;
use ptc_runner::transcript::{AgentSummary, Decision, Event, EventKind, SpanId, Turn};

use crate::output::{Ink, Line, counted};

/// Columns of a line where nobody knows how many there are, and below which nothing is cut any more.
const WIDTH: usize = 140;
const NARROWEST: usize = 40;

/// Characters shown of why something failed, and of a call.
const MAX_PROBLEM: usize = 200;
const MAX_CALL: usize = 60;

/// Calls of a turn that are named: those that failed, and those that took long.
const MOST_CALLS: usize = 5;
const LONG: Duration = Duration::from_secs(1);

/// What was told so far.
#[derive(Default)]
pub(super) struct Story {
    /// Columns of the terminal, if there is one.
    width: Option<usize>,
    /// The runs, turns and calls under way.
    spans: HashMap<SpanId, Span>,
    /// What was used, by the model that was asked: of the mission and of all agents below it.
    used: IndexMap<String, Tokens>,
    calls: usize,
}

/// Something under way.
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

#[derive(Default)]
struct Run {
    /// What stands before its lines.
    before: String,
    max_turns: usize,
    is_first: bool,
    /// Names that were defined when its last turn ended.
    defined: Vec<(String, u64)>,
    /// The last turn, when it failed.
    failed: Option<usize>,
    /// Turns that failed, and those after which the run went on well.
    failures: Vec<usize>,
    recoveries: Vec<usize>,
}

impl Story {
    /// A story whose lines fit into so many columns where they can.
    pub(super) fn new(width: Option<usize>) -> Story {
        Story { width, ..Story::default() }
    }

    /// The lines about an event.
    pub(super) fn told(&mut self, event: &Event) -> Vec<Line> {
        match &event.kind {
            EventKind::RunStart { agent, .. } => {
                self.spans.insert(event.span, Span::Run(Run::of(agent, event.parent.is_none())));
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
            }
            EventKind::LlmStop { tokens, response, duration, .. } => {
                return self.answered(event.span, tokens.as_ref(), response, *duration);
            }
            EventKind::ApprovalStop { decisions, .. } => {
                let before = self.before(event.parent);
                return decisions.iter().map(|(id, decision)| decided(&before, id, decision)).collect();
            }
            EventKind::ToolStart { tool_name, args } => {
                self.calls += 1;
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

    /// What is waited for while this goes on.
    pub(super) fn waits_for(&self, span: SpanId) -> Option<String> {
        match self.spans.get(&span)? {
            Span::Ask { run, turn, attempt, model } => {
                let again = if *attempt > 1 { format!(", attempt {attempt}") } else { String::new() };
                Some(format!("{}, {model} is asked{again}", self.turn_of(*run, *turn)?))
            }
            Span::Turn { run, number, .. } => self.turn_of(*run, *number),
            Span::Call { run, shown, .. } => {
                Some(format!("{}{shown}, {} so far", self.before(Some(*run)), counted(self.calls, "call")))
            }
            Span::Run(_) => None,
        }
    }

    /// Whether it is the run of the mission, not one of an agent below it, that is asked in this span.
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
        let mut parts = vec![turns_told(turns, run)];
        parts.extend((self.calls > 0).then(|| counted(self.calls, "call")));
        parts.extend(self.tokens());
        parts.push(seconds(duration));
        parts.push(if asks_nobody { "no model was asked".to_owned() } else { self.cost() });
        Line::default().with(Ink::Strong, parts.join(" · "))
    }

    fn tokens(&self) -> Option<String> {
        let mut sum = Tokens::default();
        for tokens in self.used.values() {
            sum.input += tokens.input;
            sum.output += tokens.output;
            sum.cached += tokens.cached;
        }
        let cached = if sum.cached > 0 { format!(" ({} cached)", grouped(sum.cached)) } else { String::new() };
        let is_known = sum != Tokens::default();
        is_known.then(|| format!("{} tokens in{cached}, {} out", grouped(sum.input), grouped(sum.output)))
    }

    /// What all of it cost by list prices, when those of all models are known.
    fn cost(&self) -> String {
        if self.used.values().all(|tokens| *tokens == Tokens::default()) {
            return "the provider counted no tokens".to_owned();
        }
        let mut sum = 0.0;
        let mut names = Vec::new();
        for (model, tokens) in &self.used {
            let Some(prices) = Prices::of_run(model) else { return format!("no list price of {model} is known") };
            sum += prices.cost(tokens);
            names.push(prices.name);
        }
        format!("USD {sum:.4} ({})", names.join("; "))
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
        response: &Result<String, String>,
        duration: Duration,
    ) -> Vec<Line> {
        let Some(Span::Ask { run, attempt, model, .. }) = self.spans.remove(&span) else { return Vec::new() };
        let used = self.used.entry(model).or_default();
        if let Some(tokens) = tokens {
            used.input += tokens.input;
            used.output += tokens.output;
            used.cached += tokens.cached;
            used.cache_write += tokens.cache_write;
        }
        let Err(problem) = response else { return Vec::new() };
        let problem = shortened(&one_line(problem), MAX_PROBLEM).into_owned();
        let text =
            format!("{}  attempt {attempt} failed after {}: {problem}", self.before(Some(run)), seconds(duration));
        vec![Line::default().with(Ink::Bad, text)]
    }

    fn returned(&mut self, span: SpanId, duration: Duration, problem: Option<&str>) -> Vec<Line> {
        let Some(Span::Call { run, turn, shown }) = self.spans.remove(&span) else { return Vec::new() };
        let before = self.before(Some(run));
        let Some(Span::Turn { named, .. }) = self.spans.get_mut(&turn) else { return Vec::new() };
        if (problem.is_none() && duration < LONG) || *named == MOST_CALLS {
            return Vec::new();
        }
        *named += 1;
        let what = format!("{before}  {shown} · {}", seconds(duration));
        let line = match problem {
            Some(problem) => {
                Line::default().with(Ink::Bad, format!("{what} · {}", shortened(&one_line(problem), MAX_PROBLEM)))
            }
            None => Line::default().with(Ink::Faint, what),
        };
        vec![line]
    }
}

impl Run {
    fn of(agent: &AgentSummary, is_first: bool) -> Run {
        let name = agent.name.as_deref().or(agent.description.as_deref()).unwrap_or("agent");
        let before = if is_first { String::new() } else { format!("  {}: ", one_line(name)) };
        Run { before, is_first, max_turns: agent.max_turns, ..Run::default() }
    }

    /// The lines about a turn that ended.
    fn ended(&mut self, turn: &Turn, duration: Duration, width: usize) -> Vec<Line> {
        let what = self.what(turn);
        let before = format!("{}turn {} of {}: ", self.before, turn.number(), self.max_turns);
        let failure = turn.error_reason().map(|reason| reason.to_string());
        let (ink, how) = match (&failure, self.failed.take()) {
            (Some(_), _) => (Ink::Bad, "failed, ".to_owned()),
            (None, Some(failed)) => {
                self.recoveries.push(turn.number());
                (Ink::Good, format!("recovered from turn {failed}, "))
            }
            (None, None) => (Ink::Plain, String::new()),
        };
        let facts = facts(turn, duration);
        let taken: usize = [&before, &how, &facts].iter().map(|part| part.chars().count()).sum();
        let line =
            Line::default().with(Ink::Strong, before).with(ink, how).with(Ink::Plain, fitting(&what, taken, width));
        let mut lines = vec![line.with(Ink::Faint, facts)];
        let indent = format!("{}    ", self.before);
        if let Some(line) = turn.prints().first() {
            let more = turn.prints().len() - 1;
            let more = if more > 0 { format!(" (+{})", counted(more, "line")) } else { String::new() };
            let line = fitting(&one_line(line), indent.chars().count() + more.len(), width);
            lines.push(Line::default().with(Ink::Faint, format!("{indent}{line}{more}")));
        }
        if let Some(reason) = failure {
            let message = one_line(&turn.error_message().unwrap_or_default());
            let problem = format!("{indent}{reason}: {}", shortened(&message, MAX_PROBLEM));
            lines.push(Line::default().with(Ink::Bad, problem));
            self.failed = Some(turn.number());
            self.failures.push(turn.number());
        }
        lines
    }

    /// What the program did: the comment that it begins with, or else the names that it defined and the tools that it
    /// called, or else its text.
    fn what(&mut self, turn: &Turn) -> String {
        let defined: Vec<(String, u64)> =
            turn.memory().entries().iter().map(|entry| (entry.name.clone(), entry.order)).collect();
        let new: Vec<&str> = defined
            .iter()
            .filter(|entry| turn.is_success() && !self.defined.contains(entry))
            .map(|(name, _)| name.as_str())
            .collect();
        let Some(program) = turn.program() else { return "no program".to_owned() };
        let comment = program.trim_start().strip_prefix(';').map(|text| text.lines().next().unwrap_or_default());
        let comment = comment.map(|text| text.trim_matches([';', ' '])).filter(|text| !text.is_empty());
        let parts = [
            (!new.is_empty()).then(|| format!("defines {}", new.join(", "))),
            (!turn.tool_calls().is_empty()).then(|| format!("calls {}", called(turn.tool_calls()))),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        self.defined = defined;
        match comment {
            Some(comment) => one_line(comment),
            None if parts.is_empty() => one_line(program),
            None => parts.join(", "),
        }
    }
}

/// As much of the text as fits behind what is taken of the width.
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
    format!("{} · {}", tokens.unwrap_or_default(), seconds(duration))
}

fn turns_told(turns: usize, run: Option<&Run>) -> String {
    let turns = counted(turns, "turn");
    let Some(run) = run.filter(|run| !run.failures.is_empty()) else { return turns };
    let list = |numbers: &[usize]| numbers.iter().map(ToString::to_string).collect::<Vec<String>>().join(", ");
    let of = |numbers: &[usize]| {
        if numbers.len() == 1 { format!("turn {}", list(numbers)) } else { format!("turns {}", list(numbers)) }
    };
    let recovered = (!run.recoveries.is_empty()).then(|| format!(", recovered in {}", of(&run.recoveries)));
    format!("{turns}, {} failed{}", of(&run.failures), recovered.unwrap_or_default())
}

/// `tool/rate {:currency "SEK"}`, as programs write it
fn call(tool: &str, args: &Value) -> String {
    let keyword = |key: &Value| key.as_str().map_or_else(|| key.clone(), Value::keyword);
    let named = args.as_map().map(|map| Value::map_from(map.iter().map(|(key, arg)| (keyword(key), arg.clone()))));
    let args = format(named.as_ref().unwrap_or(args), &FormatOptions::tool_args()).text;
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

/// `120 ms`, `2.3 s`, `4 min 10 s`
pub(super) fn seconds(duration: Duration) -> String {
    match duration.as_secs() {
        0 => format!("{} ms", duration.as_millis()),
        1..60 => format!("{:.1} s", duration.as_secs_f64()),
        all => format!("{} min {} s", all / 60, all % 60),
    }
}
