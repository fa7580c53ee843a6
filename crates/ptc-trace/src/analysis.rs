//! A trace in numbers: calls, tokens, slow spans, errors.

use std::collections::BTreeMap;
use std::fmt::Write;

use ptc_lisp::text::escaped;
use serde::Serialize;

use crate::entry::{Entry, shown_ms};
use crate::read::Trace;
use crate::tree::{SpanKind, SpanNode, SpanStatus, SpanTree};

/// Spans listed as the slowest.
const SLOWEST: usize = 5;

/// A trace in numbers. Times are milliseconds of wall time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Analysis {
    /// The id of the trace.
    pub trace_id: String,
    /// The worst ending of its runs; open without any runs.
    pub status: SpanStatus,
    /// Whether the last line is present.
    pub complete: bool,
    /// Events that could not be written.
    pub lost: u64,
    /// From the first line to the last.
    pub duration_ms: f64,
    /// Runs of agents.
    pub runs: usize,
    /// Turns.
    pub turns: usize,
    /// Turns that failed.
    pub failed_turns: usize,
    /// Requests to models.
    pub llm: CallStats,
    /// Their tokens.
    pub tokens: TokenSums,
    /// Calls by tool, the one that took longest first.
    pub tools: Vec<CallStats>,
    /// The calls and requests that took longest, the slowest first.
    pub slowest: Vec<SpanNode>,
    /// What went wrong, in order.
    pub errors: Vec<SpanError>,
    /// Everything that took time.
    pub spans: SpanTree,
}

/// The total of calls of one kind.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct CallStats {
    /// The tool, or `LLM call`.
    pub name: String,
    /// How many started.
    pub calls: usize,
    /// How many failed.
    pub errors: usize,
    /// How many have no end in the log.
    pub open: usize,
    /// The sum of their times; concurrent calls count each.
    pub total_ms: f64,
    /// The longest.
    pub max_ms: f64,
}

/// Sums over the replies that reported tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct TokenSums {
    /// Replies that reported any.
    pub replies: usize,
    /// Sent to models.
    pub input: u64,
    /// Written by models.
    pub output: u64,
    /// Read from the cache of a provider; part of the input.
    pub cached: u64,
}

/// One error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SpanError {
    /// The span of the error.
    pub span_id: String,
    /// The label of the span.
    pub label: String,
    /// The message.
    pub message: String,
}

impl Analysis {
    /// Analyse a trace. Cost: linear, except for sorting.
    pub fn of(trace: &Trace) -> Analysis {
        let spans = SpanTree::of(trace);
        let of_kind = |kind: SpanKind| spans.spans.iter().filter(move |span| span.kind == kind);
        let mut llm = CallStats { name: "LLM call".to_owned(), ..CallStats::default() };
        of_kind(SpanKind::Llm).for_each(|span| llm.add(span));
        Analysis {
            trace_id: trace.start.trace_id.clone(),
            status: status(of_kind(SpanKind::Run)),
            complete: trace.stop.is_some(),
            lost: trace.stop.as_ref().map_or(0, |stop| stop.lost),
            duration_ms: trace.duration_ms(),
            runs: of_kind(SpanKind::Run).count(),
            turns: of_kind(SpanKind::Turn).count(),
            failed_turns: of_kind(SpanKind::Turn).filter(|span| span.status == SpanStatus::Error).count(),
            llm,
            tokens: tokens(&trace.entries),
            tools: by_tool(of_kind(SpanKind::Tool)),
            slowest: slowest(&spans.spans, SLOWEST),
            errors: spans.spans.iter().filter_map(error_in).collect(),
            spans,
        }
    }

    /// The numbers as text, then the tree of spans.
    pub fn format(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut text);
        text
    }

    fn write(&self, text: &mut String) -> std::fmt::Result {
        let torn = if self.complete { "" } else { ", the log has no end" };
        let lost = if self.lost > 0 { format!(", {} events could not be written", self.lost) } else { String::new() };
        let (id, duration) = (escaped(&self.trace_id), shown_ms(self.duration_ms));
        writeln!(text, "Trace {id}: {}, {duration} ms{torn}{lost}", self.status)?;
        writeln!(text, "  Runs:      {}", self.runs)?;
        writeln!(text, "  Turns:     {} ({} failed)", self.turns, self.failed_turns)?;
        writeln!(text, "  LLM calls: {}", self.llm.counts())?;
        if self.tokens.replies > 0 {
            let TokenSums { input, output, cached, .. } = self.tokens;
            writeln!(text, "  Tokens:    {input} in, {output} out, {cached} of the input cached")?;
        }
        for tool in &self.tools {
            writeln!(text, "  Tool {}: {}", escaped(&tool.name), tool.counts())?;
        }
        if !self.slowest.is_empty() {
            writeln!(text, "\nSlowest:")?;
        }
        for slow in &self.slowest {
            let (took, at) = (shown_ms(slow.took_ms()), shown_ms(slow.start_ms));
            writeln!(text, "  {took} ms  {} (at {at} ms)", escaped(&slow.label))?;
        }
        write!(text, "\n{}", self.spans.format())
    }
}

fn error_in(span: &SpanNode) -> Option<SpanError> {
    Some(SpanError { span_id: span.span_id.clone(), label: span.label.clone(), message: span.error.clone()? })
}

impl CallStats {
    fn add(&mut self, span: &SpanNode) {
        let took = span.took_ms();
        self.calls += 1;
        self.errors += usize::from(span.status == SpanStatus::Error);
        self.open += usize::from(span.status == SpanStatus::Open);
        self.total_ms += took;
        self.max_ms = self.max_ms.max(took);
    }

    fn counts(&self) -> String {
        let (total, most) = (shown_ms(self.total_ms), shown_ms(self.max_ms));
        format!("{} ({} failed), {total} ms, at most {most} ms", self.calls, self.errors)
    }
}

fn status<'a>(runs: impl Iterator<Item = &'a SpanNode>) -> SpanStatus {
    let statuses: Vec<SpanStatus> = runs.map(|run| run.status).collect();
    let worst = [SpanStatus::Open, SpanStatus::Error].into_iter().find(|status| statuses.contains(status));
    worst.unwrap_or(if statuses.is_empty() { SpanStatus::Open } else { SpanStatus::Ok })
}

fn tokens(entries: &[Entry]) -> TokenSums {
    let mut sums = TokenSums::default();
    for entry in entries.iter().filter(|entry| entry.event == "llm.stop" && entry.count("tokens").is_some()) {
        let count = |key: &str| entry.count(key).unwrap_or_default();
        sums.replies += 1;
        sums.input = sums.input.saturating_add(count("input_tokens"));
        sums.output = sums.output.saturating_add(count("output_tokens"));
        sums.cached = sums.cached.saturating_add(count("cache_read_tokens"));
    }
    sums
}

fn by_tool<'a>(calls: impl Iterator<Item = &'a SpanNode>) -> Vec<CallStats> {
    let mut tools: BTreeMap<&str, CallStats> = BTreeMap::new();
    for span in calls {
        let stats =
            tools.entry(&span.label).or_insert_with(|| CallStats { name: span.label.clone(), ..CallStats::default() });
        stats.add(span);
    }
    let mut tools: Vec<CallStats> = tools.into_values().collect();
    tools.sort_by(|a, b| b.total_ms.total_cmp(&a.total_ms));
    tools
}

/// Turns and runs are as slow as their contents, so only calls and requests count.
fn slowest(spans: &[SpanNode], count: usize) -> Vec<SpanNode> {
    let is_call = |span: &&SpanNode| matches!(span.kind, SpanKind::Llm | SpanKind::Tool) && span.duration_ms.is_some();
    let mut slow: Vec<SpanNode> = spans.iter().filter(is_call).cloned().collect();
    slow.sort_by(|a, b| b.took_ms().total_cmp(&a.took_ms()));
    slow.truncate(count);
    slow
}

#[cfg(test)]
mod tests;
