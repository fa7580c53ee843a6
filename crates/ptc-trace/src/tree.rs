//! The spans of a trace: their nesting, durations and endings.

use std::collections::HashMap;
use std::fmt;

use ptc_lisp::text::shortened;
use serde::de::value::{Error as UnknownName, StrDeserializer};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::entry::{Entry, shown_ms};
use crate::read::Trace;

/// All spans in the order in which they started.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct SpanTree {
    /// A parent precedes its children.
    pub spans: Vec<SpanNode>,
}

/// Something that took time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SpanNode {
    /// The id in the log.
    pub span_id: String,
    /// Place of the parent among the spans.
    pub parent: Option<usize>,
    /// 0 for a run that no tool call started.
    pub depth: usize,
    /// The kind of the span.
    pub kind: SpanKind,
    /// Its label: `Turn 2`, the name of a tool.
    pub label: String,
    /// Milliseconds from the first line.
    pub start_ms: f64,
    /// How long it took; `None` when its end is not in the log.
    pub duration_ms: Option<f64>,
    /// How it ended.
    pub status: SpanStatus,
    /// What went wrong.
    pub error: Option<String>,
    /// The entry that started it.
    #[serde(skip)]
    pub start: usize,
    /// The entry that ended it.
    #[serde(skip)]
    pub stop: Option<usize>,
}

/// The kind of a span.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SpanKind {
    /// A run of an agent.
    Run,
    /// A turn of a run.
    Turn,
    /// A request to a model.
    Llm,
    /// Calls or a program waited for approval.
    Approval,
    /// A call of a tool.
    Tool,
    /// A kind that this release does not know.
    Other,
}

impl SpanNode {
    /// How long it took, as far as known.
    pub(crate) fn took_ms(&self) -> f64 {
        self.duration_ms.unwrap_or_default()
    }
}

impl SpanKind {
    fn of(topic: &str) -> SpanKind {
        SpanKind::deserialize(StrDeserializer::<UnknownName>::new(topic)).unwrap_or(SpanKind::Other)
    }
}

/// How a span ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SpanStatus {
    /// Without an error.
    Ok,
    /// With an error.
    Error,
    /// Its end is not in the log.
    Open,
}

/// The name in exports.
impl fmt::Display for SpanStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

impl SpanTree {
    /// The spans of a trace. A span with an unknown parent is at the top. Cost: linear.
    pub fn of(trace: &Trace) -> SpanTree {
        let mut spans: Vec<SpanNode> = Vec::new();
        // The latest span of each id: ids may repeat in logs of several runs.
        let mut places: HashMap<&str, usize> = HashMap::new();
        for (index, entry) in trace.entries.iter().enumerate() {
            if entry.phase() == "start" {
                let parent = entry.parent_span_id.as_deref().and_then(|parent| places.get(parent).copied());
                let depth = parent.and_then(|parent| spans.get(parent)).map_or(0, |parent| parent.depth + 1);
                places.insert(&entry.span_id, spans.len());
                spans.push(opened(entry, index, parent, depth));
            } else if let Some(span) = places.get(entry.span_id.as_str()).and_then(|place| spans.get_mut(*place)) {
                close(span, entry, index);
            }
        }
        SpanTree { spans }
    }

    /// The places of the spans in depth-first order, as in a table of contents.
    pub(crate) fn in_depth(&self) -> Vec<usize> {
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); self.spans.len()];
        let mut waiting: Vec<usize> = Vec::new();
        for (place, span) in self.spans.iter().enumerate().rev() {
            match span.parent.and_then(|parent| children.get_mut(parent)) {
                Some(siblings) => siblings.push(place),
                None => waiting.push(place),
            }
        }
        let mut order = Vec::with_capacity(self.spans.len());
        while let Some(place) = waiting.pop() {
            order.push(place);
            waiting.extend(children.get(place).into_iter().flatten());
        }
        order
    }

    /// One line per span, nested ones indented below their parent: `[120ms] [ok] Turn 1`.
    pub fn format(&self) -> String {
        self.in_depth().into_iter().filter_map(|place| self.spans.get(place)).map(line).collect()
    }
}

fn line(span: &SpanNode) -> String {
    let took = span.duration_ms.map_or_else(|| "...".to_owned(), |duration| format!("{}ms", shown_ms(duration)));
    let error = span.error.as_ref().map(|error| format!(": {}", one_line(error))).unwrap_or_default();
    // The limit keeps deep trees readable.
    let (indent, label) = (" ".repeat(2 * span.depth.min(20)), one_line(&span.label));
    format!("{indent}└─ [{took}] [{}] {label}{error}\n", span.status)
}

/// The text on one line of at most 100 characters, without characters that control a terminal.
fn one_line(text: &str) -> String {
    shortened(&ptc_lisp::text::one_line(text), 100).into_owned()
}

fn opened(entry: &Entry, index: usize, parent: Option<usize>, depth: usize) -> SpanNode {
    SpanNode {
        span_id: entry.span_id.clone(),
        parent,
        depth,
        kind: SpanKind::of(entry.topic()),
        label: label(entry),
        start_ms: entry.at_ms,
        duration_ms: None,
        status: SpanStatus::Open,
        error: None,
        start: index,
        stop: None,
    }
}

fn label(entry: &Entry) -> String {
    let number = || entry.metadata.get("turn").and_then(Json::as_u64).unwrap_or_default();
    match entry.topic() {
        "run" => {
            let name = entry.metadata.get("agent").and_then(|agent| agent.get("name")).and_then(Json::as_str);
            name.map_or_else(|| "run".to_owned(), |name| format!("run of {name}"))
        }
        "turn" => match entry.text("kind") {
            None | Some("normal") => format!("Turn {}", number()),
            Some(kind) => format!("Turn {} ({kind})", number()),
        },
        "llm" => "LLM call".to_owned(),
        "approval" => match names(entry).as_slice() {
            [] => "Approval of the program".to_owned(),
            tools => format!("Approval of {}", tools.join(", ")),
        },
        "tool" => entry.text("tool_name").unwrap_or("tool").to_owned(),
        other => other.to_owned(),
    }
}

/// The tools that wait for approval.
fn names(entry: &Entry) -> Vec<&str> {
    let tools = entry.metadata.get("tools").and_then(Json::as_array);
    tools.into_iter().flatten().filter_map(Json::as_str).collect()
}

/// The decisions, in the order of the question: `approve, deny (too expensive)`.
fn decided(entry: &Entry) -> Option<String> {
    let text = |decision: &Json, key: &str| decision.get(key).and_then(Json::as_str).map(str::to_owned);
    let one = |decision: &Json| {
        let reason = text(decision, "reason").filter(|reason| !reason.is_empty()).map(|reason| format!(" ({reason})"));
        Some(text(decision, "decision")? + &reason.unwrap_or_default())
    };
    let decisions = entry.metadata.get("decisions")?.as_array()?.iter().filter_map(one);
    Some(decisions.collect::<Vec<_>>().join(", ")).filter(|text| !text.is_empty())
}

fn close(span: &mut SpanNode, entry: &Entry, index: usize) {
    // A span ends once; repeated ends would make the label ever longer.
    let decided = decided(entry).filter(|_| span.kind == SpanKind::Approval && span.stop.is_none());
    if let Some(decided) = decided {
        span.label = format!("{}: {decided}", span.label);
    }
    span.duration_ms = entry.duration_ms;
    span.stop = Some(index);
    span.error = error_of(entry);
    span.status = if span.error.is_some() { SpanStatus::Error } else { SpanStatus::Ok };
}

/// The error of an entry.
fn error_of(entry: &Entry) -> Option<String> {
    let named = |key: &str| entry.text(key).map(str::to_owned);
    if entry.phase() == "exception" {
        return Some(named("reason").unwrap_or_else(|| "unknown reason".to_owned()));
    }
    match entry.topic() {
        "run" if entry.text("status") == Some("error") => {
            let message = entry.metadata.get("fail").and_then(|fail| fail.get("message")).and_then(Json::as_str);
            Some(message.unwrap_or("the run has no answer").to_owned())
        }
        "turn" if entry.metadata.get("success").and_then(Json::as_bool) == Some(false) => {
            Some(named("error").unwrap_or_else(|| "the model could not be asked".to_owned()))
        }
        "llm" => named("error"),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
