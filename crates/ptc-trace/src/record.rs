//! Events as entries: who started what when, and what is worth knowing of it.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

use ptc_chat::{Message, Tokens};
use ptc_lisp::{Clock, Value, display_text};
use ptc_transcript::{AgentSummary, Decision, Event, EventKind, Step, Turn};
use serde_json::{Map as Object, Value as Json, json};

use crate::entry::{Entry, START, STOP, TRACE_VERSION, TraceStart, TraceStop};
use crate::limits::TraceLimits;
use crate::log::TraceOptions;

/// Makes the lines of one trace.
pub(crate) struct Recorder {
    trace_id: String,
    limits: TraceLimits,
    clock: Arc<dyn Clock>,
    /// Microseconds since 1970 when the trace began.
    since: i64,
}

/// Counts and facts of an event.
type Facts = (Object<String, Json>, Object<String, Json>);

impl Recorder {
    /// A recorder that starts now, and its first line.
    pub fn start(options: TraceOptions) -> (Recorder, TraceStart) {
        let trace_id = options.trace_id.unwrap_or_else(new_trace_id);
        let since = options.clock.now_micros();
        let recorder = Recorder { trace_id: trace_id.clone(), limits: options.limits, clock: options.clock, since };
        let start = TraceStart {
            event: START.to_owned(),
            version: TRACE_VERSION,
            trace_id,
            timestamp: timestamp(since),
            meta: options.meta,
        };
        (recorder, start)
    }

    /// The line of an event that happens now; pieces of an answer have none, since it is logged when it is whole.
    pub fn entry(&self, event: &Event) -> Option<Entry> {
        if matches!(event.kind, EventKind::LlmChunk { .. }) {
            return None;
        }
        let now = self.clock.now_micros();
        let (measurements, metadata) = self.facts(&event.kind);
        Some(Entry {
            event: event.kind.name().to_owned(),
            trace_id: self.trace_id.clone(),
            timestamp: timestamp(now),
            at_ms: self.milliseconds_at(now),
            duration_ms: duration_of(&event.kind).map(|duration| milliseconds(duration.as_micros())),
            span_id: event.span.to_string(),
            parent_span_id: event.parent.map(|parent| parent.to_string()),
            measurements,
            metadata,
        })
    }

    /// The last line.
    pub fn stop(&self, lost: u64) -> TraceStop {
        let now = self.clock.now_micros();
        TraceStop {
            event: STOP.to_owned(),
            trace_id: self.trace_id.clone(),
            timestamp: timestamp(now),
            duration_ms: self.milliseconds_at(now),
            lost,
        }
    }

    fn milliseconds_at(&self, now: i64) -> f64 {
        milliseconds(u128::from(now.saturating_sub(self.since).max(0).unsigned_abs()))
    }

    fn facts(&self, kind: &EventKind) -> Facts {
        match kind {
            EventKind::RunStart { agent, context } => {
                (Object::new(), object([("agent", slim(agent)), ("context", self.limits.value(context))]))
            }
            EventKind::RunStop { step, .. } => self.run_stop(step),
            EventKind::RunException { reason, .. } => {
                (Object::new(), object([("reason", json!(self.limits.text(reason)))]))
            }
            EventKind::TurnStart { turn, kind, tools_count } => (
                Object::new(),
                object([("turn", json!(turn)), ("kind", json!(kind.as_str())), ("tools_count", json!(tools_count))]),
            ),
            EventKind::TurnStop { turn, record, .. } => self.turn_stop(*turn, record.as_ref()),
            EventKind::LlmStart { turn, attempt, messages, system, model } => {
                let mut metadata = object([
                    ("turn", json!(turn)),
                    ("attempt", json!(attempt)),
                    ("model", json!(model)),
                    ("messages", self.messages(messages)),
                ]);
                metadata.extend(system.as_ref().map(|text| ("system_prompt".to_owned(), json!(text))));
                (Object::new(), metadata)
            }
            EventKind::LlmStop { turn, tokens, response, .. } => {
                let (key, text) = match response {
                    Ok(text) => ("response", text),
                    Err(text) => ("error", text),
                };
                (counts(*tokens), object([("turn", json!(turn)), (key, json!(self.limits.text(text)))]))
            }
            EventKind::ApprovalStart { ids, tools } => {
                let tools: Vec<String> = tools.iter().map(ToString::to_string).collect();
                (Object::new(), object([("ids", self.limits.texts(ids)), ("tools", self.limits.texts(&tools))]))
            }
            EventKind::ApprovalStop { decisions, .. } => {
                (Object::new(), object([("decisions", self.decisions(decisions))]))
            }
            EventKind::ToolStart { tool_name, args } => {
                (Object::new(), object([("tool_name", json!(tool_name)), ("args", self.limits.value(args))]))
            }
            EventKind::ToolStop { tool_name, result, .. } => (
                Object::new(),
                object([("tool_name", json!(tool_name)), ("result", json!(self.limits.summary(result)))]),
            ),
            EventKind::ToolException { tool_name, reason, .. } => {
                (Object::new(), object([("tool_name", json!(tool_name)), ("reason", json!(self.limits.text(reason)))]))
            }
            // A newer event: its name and its place are known.
            _ => Facts::default(),
        }
    }

    fn run_stop(&self, step: &Step) -> Facts {
        let usage = &step.usage;
        let mut measurements = object([("turns", json!(usage.turns))]);
        let tokens = [
            ("tokens", usage.total_tokens),
            ("input_tokens", usage.input_tokens),
            ("output_tokens", usage.output_tokens),
        ];
        measurements.extend(tokens.into_iter().filter_map(|(key, count)| Some((key.to_owned(), json!(count?)))));
        let status = if step.is_ok() { "ok" } else { "error" };
        let mut metadata = object([("status", json!(status)), ("ending", json!(step.ending.as_str()))]);
        let result = match &step.result {
            Ok(value) => ("return", self.limits.value(value)),
            Err(fail) => (
                "fail",
                json!({"reason": fail.reason.as_str(), "message": self.limits.text(&fail.message), "kind": json!(fail.kind)}),
            ),
        };
        metadata.extend(object([result]));
        (measurements, metadata)
    }

    fn turn_stop(&self, number: usize, turn: Option<&Turn>) -> Facts {
        let mut metadata = object([("turn", json!(number))]);
        let Some(turn) = turn else {
            metadata.extend(object([("success", json!(false)), ("result_preview", json!("nil"))]));
            return (Object::new(), metadata);
        };
        metadata.extend(object([
            ("kind", json!(turn.kind().as_str())),
            ("success", json!(turn.is_success())),
            ("result_preview", json!(self.limits.preview(turn.result()))),
            ("prints", self.limits.texts(turn.prints())),
        ]));
        if let Some(program) = turn.program() {
            metadata.extend(object([("program", json!(self.limits.text(program)))]));
        }
        if let Some(message) = turn.error_message() {
            metadata
                .extend(object([("reason", json!(turn.error_reason())), ("error", json!(self.limits.text(&message)))]));
        }
        (counts(turn.tokens()), metadata)
    }

    /// What was decided of each id: `reason` of a denial, `edited` to what.
    fn decisions(&self, decisions: &[(String, Decision)]) -> Json {
        if decisions.len() > self.limits.list_items {
            return json!(format!("List({} items)", decisions.len()));
        }
        let one = |(id, decision): &(String, Decision)| {
            let mut told = object([("id", json!(self.limits.text(id))), ("decision", json!(decision.as_str()))]);
            let detail = match decision {
                Decision::Deny(reason) => Some(("reason", json!(self.limits.text(reason)))),
                Decision::Edit(value) => Some(("edited", self.limits.value(value))),
                _ => None,
            };
            told.extend(detail.map(|(key, value)| (key.to_owned(), value)));
            Json::Object(told)
        };
        decisions.iter().map(one).collect()
    }

    fn messages(&self, messages: &[Message]) -> Json {
        if messages.len() > self.limits.list_items {
            return json!(format!("List({} items)", messages.len()));
        }
        let one =
            |message: &Message| json!({"role": message.role.as_str(), "content": self.limits.text(&message.content())});
        messages.iter().map(one).collect()
    }
}

fn object<const N: usize>(entries: [(&str, Json); N]) -> Object<String, Json> {
    entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

fn slim(agent: &AgentSummary) -> Json {
    json!({
        "name": agent.name,
        "description": agent.description,
        "output": agent.output.as_str(),
        "max_turns": agent.max_turns,
        "tool_names": agent.tool_names,
    })
}

/// Token counts, when the client reported any.
fn counts(tokens: Option<Tokens>) -> Object<String, Json> {
    let Some(tokens) = tokens else { return Object::new() };
    let mut counts = object([
        ("tokens", json!(tokens.total())),
        ("input_tokens", json!(tokens.input)),
        ("output_tokens", json!(tokens.output)),
    ]);
    let cached = [("cache_read_tokens", tokens.cached), ("cache_creation_tokens", tokens.cache_write)];
    counts
        .extend(cached.into_iter().filter(|(_, count)| *count > 0).map(|(key, count)| (key.to_owned(), json!(count))));
    counts
}

fn duration_of(kind: &EventKind) -> Option<Duration> {
    match kind {
        EventKind::RunStop { duration, .. }
        | EventKind::RunException { duration, .. }
        | EventKind::TurnStop { duration, .. }
        | EventKind::LlmStop { duration, .. }
        | EventKind::ApprovalStop { duration, .. }
        | EventKind::ToolStop { duration, .. }
        | EventKind::ToolException { duration, .. } => Some(*duration),
        _ => None,
    }
}

/// Exact to a microsecond.
#[allow(clippy::cast_precision_loss, reason = "exact up to 285 years of microseconds")]
fn milliseconds(micros: u128) -> f64 {
    micros as f64 / 1000.0
}

pub(crate) fn timestamp(micros: i64) -> String {
    display_text(&Value::Instant(micros))
}

/// 32 hex digits from the randomness with which the process seeds its hash tables.
pub(crate) fn new_trace_id() -> String {
    let half = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", half(), half())
}
