//! A run as spans and events of the `tracing` crate.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use ptc_chat::Tokens;
use ptc_compression::Redactor;
use ptc_lisp::{Memory, Value};
use ptc_transcript::{Decision, Event, EventKind, Observer, SpanId, Step, Turn};
use tracing::field::Empty;
use tracing::{Span, error, info_span, warn};

/// An observer that opens and closes a `tracing` span for every span of a run, for the subscribers of a program.
///
/// Names and fields are those of OpenTelemetry's conventions for models (`gen_ai.…`), so that an exporter needs no
/// translation; texts of missions, programs and answers are not passed on. Errors are, with `[hidden]` instead of
/// values under names that begin with `_`, as in requests: exporters send them to others. The run is part of the span
/// that is current where it was started. One observer can serve many runs one after another; give each of several
/// concurrent runs its own.
///
/// ```
/// use std::sync::Arc;
/// use ptc_trace::TracingObserver;
/// use ptc_transcript::Observer;
///
/// let observers: Vec<Arc<dyn Observer>> = vec![Arc::new(TracingObserver::new())];
/// assert_eq!(observers.len(), 1);
/// ```
#[derive(Debug, Default)]
pub struct TracingObserver {
    open: Mutex<HashMap<SpanId, Span>>,
    hidden: Mutex<Hidden>,
}

/// The hidden values of the open runs.
#[derive(Debug, Default)]
struct Hidden(Vec<(SpanId, Redactor)>);

impl Hidden {
    /// Learn the hidden values of a run at its start and after each turn.
    fn hear(&mut self, event: &Event) {
        match &event.kind {
            EventKind::RunStart { context: Value::Map(data), .. } => {
                self.0.push((event.span, Redactor::new(data, &Memory::default())));
            }
            EventKind::TurnStop { record: Some(turn), .. } => {
                let run = self.0.iter_mut().find(|(run, _)| Some(*run) == event.parent);
                run.into_iter().for_each(|(_, redactor)| redactor.observe(turn));
            }
            _ => {}
        }
    }

    /// The text without the hidden values of any open run: a caller may hide values that it passes to an agent.
    fn redact<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.0.iter().fold(Cow::Borrowed(text), |text, (_, redactor)| match redactor.redact(&text) {
            Cow::Borrowed(_) => text,
            Cow::Owned(redacted) => Cow::Owned(redacted),
        })
    }
}

impl TracingObserver {
    /// An observer without open spans.
    pub fn new() -> TracingObserver {
        TracingObserver::default()
    }

    /// The span of `id`, or one that records nothing.
    fn span(&self, id: Option<SpanId>) -> Span {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        id.and_then(|id| open.get(&id).cloned()).unwrap_or_else(Span::none)
    }

    fn open(&self, id: SpanId, span: Span) {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).insert(id, span);
    }

    /// The span of `id`, which ends when it is dropped.
    fn close(&self, id: SpanId) -> Span {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).remove(&id).unwrap_or_else(Span::none)
    }
}

impl Observer for TracingObserver {
    fn on_event(&self, event: &Event) {
        if event.kind.is_inside() {
            return;
        }
        let mut hidden = self.hidden.lock().unwrap_or_else(PoisonError::into_inner);
        hidden.hear(event);
        let parent = self.span(event.parent);
        match opened(&parent, event.parent.is_none(), &event.kind) {
            Some(span) => self.open(event.span, span),
            None => close(&self.close(event.span), &event.kind, &hidden),
        }
        hidden.0.retain(|(run, _)| {
            !matches!(event.kind, EventKind::RunStop { .. } | EventKind::RunException { .. }) || *run != event.span
        });
    }
}

/// The span of a run, inside a given span or the current one.
macro_rules! run_span {
    ($name:expr, $title:expr, $max_turns:expr, $($parent:tt)*) => {
        info_span!(
            $($parent)* "run", otel.name = $title, otel.status_code = Empty, gen_ai.operation.name = "invoke_agent",
            gen_ai.agent.name = $name, ptc.max_turns = $max_turns, ptc.ending = Empty, error.r#type = Empty
        )
    };
}

/// The span that an event starts.
fn opened(parent: &Span, is_top: bool, kind: &EventKind) -> Option<Span> {
    let span = match kind {
        EventKind::RunStart { agent, .. } => {
            let name = agent.name.as_deref().unwrap_or("agent");
            let title = format!("invoke_agent {name}");
            // A run that no tool call started is part of the current span of its caller.
            match is_top {
                true => run_span!(name, title, agent.max_turns,),
                false => run_span!(name, title, agent.max_turns, parent: parent,),
            }
        }
        EventKind::TurnStart { turn, kind, .. } => info_span!(
            parent: parent, "turn", otel.name = format!("turn {turn}"), otel.status_code = Empty, ptc.turn = turn,
            ptc.turn.kind = kind.as_str(), error.r#type = Empty
        ),
        EventKind::LlmStart { turn, attempt, model, .. } => info_span!(
            parent: parent, "llm", otel.name = format!("chat {model}"), otel.kind = "client", otel.status_code = Empty,
            gen_ai.operation.name = "chat", gen_ai.request.model = model.as_str(), ptc.turn = turn, ptc.attempt = attempt,
            gen_ai.usage.input_tokens = Empty, gen_ai.usage.output_tokens = Empty
        ),
        EventKind::ApprovalStart { ids, .. } => info_span!(
            parent: parent, "approval", otel.name = "approval", ptc.approval.asked = ids.len(), ptc.approval.denied = Empty
        ),
        EventKind::ToolStart { tool_name, .. } => info_span!(
            parent: parent, "tool", otel.name = format!("execute_tool {tool_name}"), otel.status_code = Empty,
            gen_ai.operation.name = "execute_tool", gen_ai.tool.name = &**tool_name
        ),
        _ => return None,
    };
    Some(span)
}

/// Record how a span ended; an error is an event in it.
fn close(span: &Span, kind: &EventKind, hidden: &Hidden) {
    match kind {
        EventKind::RunStop { step, .. } => run_stop(span, step, hidden),
        EventKind::RunException { reason, .. } => failed(span, "run broke down", &hidden.redact(reason)),
        EventKind::TurnStop { record, .. } => turn_stop(span, record.as_ref(), hidden),
        EventKind::LlmStop { tokens, response, .. } => {
            record_tokens(span, *tokens);
            if let Err(reason) = response {
                failed(span, "model failed", &hidden.redact(&reason.to_string()));
            }
        }
        EventKind::ApprovalStop { decisions, .. } => {
            let denied = decisions.iter().filter(|(_, decision)| matches!(decision, Decision::Deny(_)));
            span.record("ptc.approval.denied", denied.count());
        }
        EventKind::ToolException { tool_name, reason, .. } => {
            failed(span, &format!("tool {tool_name} failed"), &hidden.redact(reason))
        }
        _ => {}
    }
}

fn run_stop(span: &Span, step: &Step, hidden: &Hidden) {
    span.record("ptc.ending", step.ending.as_str());
    if let Some(fail) = step.fail() {
        span.record("error.type", fail.reason.as_str());
        failed(span, "run has no answer", &hidden.redact(&fail.message));
    }
}

/// A failed turn is part of a run that continues, hence a warning.
fn turn_stop(span: &Span, turn: Option<&Turn>, hidden: &Hidden) {
    let Some(message) = turn.and_then(Turn::error_message) else { return };
    if let Some(reason) = turn.and_then(Turn::error_reason) {
        span.record("error.type", reason.as_str());
    }
    span.record("otel.status_code", "ERROR");
    warn!(parent: span, reason = &*hidden.redact(&message), "turn failed");
}

fn record_tokens(span: &Span, tokens: Option<Tokens>) {
    if let Some(tokens) = tokens {
        span.record("gen_ai.usage.input_tokens", tokens.input);
        span.record("gen_ai.usage.output_tokens", tokens.output);
    }
}

fn failed(span: &Span, what: &str, reason: &str) {
    span.record("otel.status_code", "ERROR");
    error!(parent: span, reason, "{what}");
}

#[cfg(test)]
mod tests;
