//! Events as entries: what started when, and the facts worth knowing.

use std::time::Duration;

use ptc_chat::{Message, Tokens};
use ptc_lisp::text::display_text;
use ptc_lisp::{Clock, SystemClock, ToolNotice, Value};
use ptc_transcript::{Decision, Event, EventKind, Step, Turn};
use serde_json::{Map as Object, Value as Json, json};

use crate::entry::{Entry, START, STOP, TRACE_VERSION, TraceStart, TraceStop};
use crate::limits::TraceLimits;

/// Builds the lines of one trace. Times are microseconds since 1970.
pub(crate) struct Recorder {
    /// 32 hex digits.
    pub trace_id: String,
    pub limits: TraceLimits,
    /// When the trace started.
    pub since: i64,
}

/// Turns the events of a run into entries as they happen, for a page or a log of your own: JSON with the names of
/// `ptc show --events`, and pieces of answers as well.
///
/// ```
/// use ptc_trace::LiveTrace;
/// use ptc_transcript::{Event, EventKind, SpanId};
///
/// let trace = LiveTrace::start();
/// let kind = EventKind::LlmChunk { turn: 1, attempt: 1, text: "(ret".to_owned() };
/// let event = Event { run: "r1".into(), agent: None, span: SpanId(3), parent: Some(SpanId(2)), kind };
/// let entry = trace.entry(&event);
/// assert_eq!((entry.event.as_str(), entry.trace_id.as_str(), entry.metadata["text"].as_str()), ("llm.chunk", "r1", Some("(ret")));
/// assert!(serde_json::to_string(&entry)?.starts_with("{\"event\":\"llm.chunk\",\"trace_id\":\"r1\",\"timestamp\":"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug)]
pub struct LiveTrace {
    since: i64,
    limits: TraceLimits,
}

impl LiveTrace {
    /// A trace that starts now, with the limits of trace logs.
    #[must_use]
    pub fn start() -> LiveTrace {
        LiveTrace { since: SystemClock.now_micros(), limits: TraceLimits::default() }
    }

    /// The same with other limits.
    #[must_use]
    pub fn limits(self, limits: TraceLimits) -> LiveTrace {
        LiveTrace { limits, ..self }
    }

    /// The entry of an event that happens now. Its trace is its run.
    #[must_use]
    pub fn entry(&self, event: &Event) -> Entry {
        let recorder = Recorder { trace_id: event.run.to_string(), limits: self.limits, since: self.since };
        recorder.of_event(SystemClock.now_micros(), event)
    }
}

/// Counts and facts of an event.
type EventFields = (Object<String, Json>, Object<String, Json>);

impl Recorder {
    /// The first line.
    pub fn start(&self) -> TraceStart {
        TraceStart {
            event: START.to_owned(),
            version: TRACE_VERSION,
            trace_id: self.trace_id.clone(),
            timestamp: timestamp(self.since),
            meta: Object::new(),
        }
    }

    /// The line of an event that happened then; pieces of an answer have none, since the whole answer has one.
    pub fn entry(&self, then: i64, event: &Event) -> Option<Entry> {
        (!matches!(event.kind, EventKind::LlmChunk { .. })).then(|| self.of_event(then, event))
    }

    fn of_event(&self, then: i64, event: &Event) -> Entry {
        let (measurements, metadata) = self.facts(&event.kind);
        Entry {
            event: event.kind.name().to_owned(),
            trace_id: self.trace_id.clone(),
            timestamp: timestamp(then),
            at_ms: self.milliseconds_at(then),
            duration_ms: duration_of(&event.kind).map(|duration| milliseconds(duration.as_micros())),
            span_id: event.span.to_string(),
            parent_span_id: event.parent.map(|parent| parent.to_string()),
            measurements,
            metadata,
        }
    }

    /// The last line.
    pub fn stop(&self, then: i64) -> TraceStop {
        TraceStop {
            event: STOP.to_owned(),
            trace_id: self.trace_id.clone(),
            timestamp: timestamp(then),
            duration_ms: self.milliseconds_at(then),
            lost: 0,
        }
    }

    fn milliseconds_at(&self, then: i64) -> f64 {
        milliseconds(u128::from(then.saturating_sub(self.since).max(0).unsigned_abs()))
    }

    fn facts(&self, kind: &EventKind) -> EventFields {
        let limits = &self.limits;
        let metadata = match kind {
            EventKind::RunStart { agent, context } => json!({"agent": agent, "context": limits.value(context)}),
            EventKind::RunStop { step, .. } => return self.run_stop(step),
            EventKind::RunException { reason, .. } => json!({"reason": limits.text(reason)}),
            EventKind::TurnStart { turn, kind, tools_count } => {
                json!({"turn": turn, "kind": kind.as_str(), "tools_count": tools_count})
            }
            EventKind::TurnStop { turn, record, .. } => {
                return (counts(record.as_ref().and_then(Turn::tokens)), self.turn_stop(*turn, record.as_ref()));
            }
            EventKind::LlmStart { turn, attempt, messages, system, model } => {
                let messages = self.messages(messages);
                let metadata = json!({"turn": turn, "attempt": attempt, "model": model, "messages": messages, "system_prompt": system});
                return (Object::new(), known(metadata));
            }
            EventKind::LlmChunk { turn, attempt, text } => json!({"turn": turn, "attempt": attempt, "text": text}),
            EventKind::LlmStop { turn, tokens, response, .. } => {
                let error = response.as_ref().err().map(ToString::to_string);
                let [response, error] =
                    [response.as_ref().ok(), error.as_ref()].map(|said| said.map(|text| limits.text(text)));
                return (counts(*tokens), known(json!({"turn": turn, "response": response, "error": error})));
            }
            EventKind::ApprovalStart { ids, tools } => {
                let tools: Vec<String> = tools.iter().map(ToString::to_string).collect();
                json!({"ids": limits.texts(ids), "tools": limits.texts(&tools)})
            }
            EventKind::ApprovalStop { decisions, .. } => json!({"decisions": self.decisions(decisions)}),
            EventKind::ToolStart { tool_name, args } => json!({"tool_name": tool_name, "args": limits.value(args)}),
            EventKind::ToolNotice { tool_name, notice } => return (Object::new(), self.notice(tool_name, notice)),
            EventKind::ToolStop { tool_name, result, .. } => {
                json!({"tool_name": tool_name, "result": limits.summary(result)})
            }
            EventKind::ToolException { tool_name, reason, .. } => {
                json!({"tool_name": tool_name, "reason": limits.text(reason)})
            }
            // A newer event: its name and its place are known.
            _ => json!({}),
        };
        (Object::new(), object(metadata))
    }

    fn run_stop(&self, step: &Step) -> EventFields {
        let usage = &step.usage;
        let measurements = json!({"turns": usage.turns, "tokens": usage.total_tokens, "input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens});
        let mut metadata =
            object(json!({"status": if step.is_ok() { "ok" } else { "error" }, "ending": step.ending.as_str()}));
        let (key, result) = match &step.result {
            Ok(value) => ("return", self.limits.value(value)),
            Err(fail) => (
                "fail",
                json!({"reason": fail.reason.as_str(), "message": self.limits.text(&fail.message), "kind": fail.kind}),
            ),
        };
        metadata.insert(key.to_owned(), result);
        (known(measurements), metadata)
    }

    fn turn_stop(&self, number: usize, turn: Option<&Turn>) -> Object<String, Json> {
        let Some(turn) = turn else {
            return object(json!({"turn": number, "success": false, "result_preview": "nil"}));
        };
        let error = turn.error_message();
        known(json!({
            "turn": number,
            "kind": turn.kind().as_str(),
            "success": turn.is_success(),
            "result_preview": self.limits.preview(turn.result()),
            "prints": self.limits.texts(turn.prints()),
            "program": turn.program().map(|program| self.limits.text(program)),
            "reason": error.as_ref().and(turn.error_reason()),
            "error": error.map(|message| self.limits.text(&message)),
        }))
    }

    /// The decision about each id: `reason` for a denial, `edited` with the new value.
    fn decisions(&self, decisions: &[(String, Decision)]) -> Json {
        self.limits.list(decisions, |(id, decision)| {
            let (id, name) = (self.limits.text(id), decision.as_str());
            match decision {
                Decision::Deny(reason) => json!({"id": id, "decision": name, "reason": self.limits.text(reason)}),
                Decision::Edit(value) => json!({"id": id, "decision": name, "edited": self.limits.value(value)}),
                _ => json!({"id": id, "decision": name}),
            }
        })
    }

    fn notice(&self, tool: &str, notice: &ToolNotice) -> Object<String, Json> {
        let limits = &self.limits;
        known(match notice {
            ToolNotice::Progress { done, total, message } => {
                let message = message.as_ref().map(|text| limits.text(text));
                json!({"tool_name": tool, "done": done, "total": total, "message": message})
            }
            ToolNotice::ToolsChanged { added, gone } => {
                json!({"tool_name": tool, "added": limits.texts(added), "gone": limits.texts(gone)})
            }
            _ => json!({"tool_name": tool}),
        })
    }

    fn messages(&self, messages: &[Message]) -> Json {
        self.limits.list(
            messages,
            |message| json!({"role": message.role.as_str(), "content": self.limits.text(&message.content())}),
        )
    }
}

/// The entries of an object, without nulls.
fn known(json: Json) -> Object<String, Json> {
    let mut object = object(json);
    object.retain(|_, value| !value.is_null());
    object
}

fn object(json: Json) -> Object<String, Json> {
    if let Json::Object(object) = json { object } else { Object::new() }
}

/// Token counts, if the client reported any.
fn counts(tokens: Option<Tokens>) -> Object<String, Json> {
    let Some(tokens) = tokens else { return Object::new() };
    let some = |count: u64| Some(count).filter(|count| *count > 0);
    known(json!({
        "tokens": tokens.total(),
        "input_tokens": tokens.input,
        "output_tokens": tokens.output,
        "cache_read_tokens": some(tokens.cached),
        "cache_creation_tokens": some(tokens.cache_write),
    }))
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

fn timestamp(micros: i64) -> String {
    display_text(&Value::Instant(micros))
}

#[cfg(test)]
mod tests;
