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

use super::class;
use super::content::Content;
use super::conventions::{
    AGENT_DESCRIPTION, AGENT_NAME, CACHE_READ_TOKENS, CACHE_WRITE_TOKENS, CHAT, CONVERSATION_ID, ERROR_TYPE,
    EXECUTE_TOOL, FUNCTION, INPUT_MESSAGES, INPUT_TOKENS, INVOKE_AGENT, OPERATION_NAME, OTHER_ERROR, OUTPUT_MESSAGES,
    OUTPUT_TOKENS, PROVIDER_NAME, REQUEST_MODEL, SERVER_ADDRESS, SERVER_PORT, SYSTEM_INSTRUCTIONS, TOOL_ARGUMENTS,
    TOOL_ERROR, TOOL_NAME, TOOL_RESULT, TOOL_TYPE,
};
use super::model_parts::ModelParts;
use crate::TraceLimits;

/// An observer that opens and closes a `tracing` span for every span of a run, for the subscribers of a program.
///
/// Names and fields are those of OpenTelemetry's conventions for models ([`conventions`](super::conventions)), so that an exporter needs no
/// translation. Texts of missions, programs and answers are exported only by an observer made by
/// [`with_content`](TracingObserver::with_content). Errors always are. In both, `[hidden]` replaces values under names
/// that begin with `_`, as in requests: exporters send them to others. The run is part of the span that is current where
/// it was started. One observer can serve many runs one after another; give each of several concurrent runs its own.
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
    content: Option<Content>,
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
    /// An observer without open spans. It exports no content.
    pub fn new() -> TracingObserver {
        TracingObserver::default()
    }

    /// An observer that also exports content: system texts, messages, answers, arguments and results of calls. Texts
    /// and values above the limits are cut; system texts never are.
    pub fn with_content(limits: TraceLimits) -> TracingObserver {
        TracingObserver { content: Some(Content(limits)), ..TracingObserver::default() }
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
        let known = ContentPolicy { hidden: &hidden, content: self.content };
        match opened(&parent, event) {
            Some(span) => {
                known.open(&span, &event.kind);
                self.open(event.span, span);
            }
            None => known.close(&self.close(event.span), &event.kind),
        }
        hidden.0.retain(|(run, _)| {
            !matches!(event.kind, EventKind::RunStop { .. } | EventKind::RunException { .. }) || *run != event.span
        });
    }
}

/// The span of a run, inside a given span or the current one.
macro_rules! run_span {
    ($id:expr, $agent:expr, $name:expr, $($parent:tt)*) => {
        info_span!(
            $($parent)* "run", otel.name = format!("invoke_agent {}", $name), otel.status_code = Empty,
            { OPERATION_NAME } = INVOKE_AGENT, { AGENT_NAME } = $name, { AGENT_DESCRIPTION } = $agent.description.as_deref(),
            { CONVERSATION_ID } = $id, ptc.max_turns = $agent.max_turns, ptc.ending = Empty, { ERROR_TYPE } = Empty,
            { OUTPUT_MESSAGES } = Empty
        )
    };
}

/// The span that an event starts.
fn opened(parent: &Span, event: &Event) -> Option<Span> {
    let span = match &event.kind {
        EventKind::RunStart { agent, .. } => {
            let name = agent.name.as_deref().unwrap_or("agent");
            // A run that no tool call started is part of the current span of its caller.
            match event.parent {
                None => run_span!(&*event.run, agent, name,),
                Some(_) => run_span!(&*event.run, agent, name, parent: parent,),
            }
        }
        EventKind::TurnStart { turn, kind, .. } => info_span!(
            parent: parent, "turn", otel.name = format!("turn {turn}"), otel.status_code = Empty, ptc.turn = turn,
            ptc.turn.kind = kind.as_str(), { ERROR_TYPE } = Empty
        ),
        EventKind::LlmStart { turn, attempt, model, .. } => {
            let asked = ModelParts::of(model);
            let (address, port) = asked.server.unzip();
            info_span!(
                parent: parent, "llm", otel.name = format!("chat {}", asked.model), otel.kind = "client",
                otel.status_code = Empty, { OPERATION_NAME } = CHAT, { PROVIDER_NAME } = asked.provider,
                { REQUEST_MODEL } = asked.model, { SERVER_ADDRESS } = address, { SERVER_PORT } = port, ptc.turn = turn,
                ptc.attempt = attempt, { INPUT_TOKENS } = Empty, { OUTPUT_TOKENS } = Empty,
                { CACHE_READ_TOKENS } = Empty, { CACHE_WRITE_TOKENS } = Empty, { ERROR_TYPE } = Empty,
                { SYSTEM_INSTRUCTIONS } = Empty, { INPUT_MESSAGES } = Empty, { OUTPUT_MESSAGES } = Empty
            )
        }
        EventKind::ApprovalStart { ids, .. } => info_span!(
            parent: parent, "approval", otel.name = "approval", ptc.approval.asked = ids.len(), ptc.approval.denied = Empty
        ),
        EventKind::ToolStart { tool_name, .. } => info_span!(
            parent: parent, "tool", otel.name = format!("execute_tool {tool_name}"), otel.status_code = Empty,
            { OPERATION_NAME } = EXECUTE_TOOL, { TOOL_NAME } = &**tool_name, { TOOL_TYPE } = FUNCTION,
            { ERROR_TYPE } = Empty, { TOOL_ARGUMENTS } = Empty, { TOOL_RESULT } = Empty
        ),
        _ => return None,
    };
    Some(span)
}

/// What decides what is written of texts.
struct ContentPolicy<'a> {
    hidden: &'a Hidden,
    content: Option<Content>,
}

impl ContentPolicy<'_> {
    /// Add what a request to a model or a call sends.
    fn open(&self, span: &Span, kind: &EventKind) {
        match kind {
            EventKind::LlmStart { messages, system, .. } => {
                if let Some(system) = system {
                    self.record(span, SYSTEM_INSTRUCTIONS, |content| content.system(system));
                }
                self.record(span, INPUT_MESSAGES, |content| content.messages(messages));
            }
            EventKind::ToolStart { args, .. } => self.record(span, TOOL_ARGUMENTS, |content| content.value(args)),
            _ => {}
        }
    }

    /// Record how a span ended; an error is an event in it.
    fn close(&self, span: &Span, kind: &EventKind) {
        match kind {
            EventKind::RunStop { step, .. } => self.run_stop(span, step),
            EventKind::RunException { reason, .. } => self.failed(span, OTHER_ERROR, "run failed", reason),
            EventKind::TurnStop { record, .. } => self.turn_stop(span, record.as_ref()),
            EventKind::LlmStop { tokens, response, .. } => {
                record_tokens(span, *tokens);
                match response {
                    Ok(answer) => self.record(span, OUTPUT_MESSAGES, |content| content.answer(answer)),
                    Err(error) => self.failed(span, error.kind().as_str(), "model failed", &error.to_string()),
                }
            }
            EventKind::ApprovalStop { decisions, .. } => {
                let denied = decisions.iter().filter(|(_, decision)| matches!(decision, Decision::Deny(_)));
                span.record("ptc.approval.denied", denied.count());
            }
            EventKind::ToolStop { result, .. } => self.record(span, TOOL_RESULT, |content| content.value(result)),
            EventKind::ToolException { tool_name, reason, .. } => {
                self.failed(span, TOOL_ERROR, &format!("tool {tool_name} failed"), reason)
            }
            _ => {}
        }
    }

    fn run_stop(&self, span: &Span, step: &Step) {
        span.record("ptc.ending", step.ending.as_str());
        match &step.result {
            Ok(answer) => self.record(span, OUTPUT_MESSAGES, |content| content.answer(&content.value(answer))),
            Err(fail) => self.failed(span, class(&fail.reason), "run has no answer", &fail.message),
        }
    }

    /// A failed turn is part of a run that continues, hence a warning.
    fn turn_stop(&self, span: &Span, turn: Option<&Turn>) {
        let Some(message) = turn.and_then(Turn::error_message) else { return };
        if let Some(reason) = turn.and_then(Turn::error_reason) {
            span.record(ERROR_TYPE, class(&reason));
        }
        span.record("otel.status_code", "ERROR");
        warn!(parent: span, reason = &*self.hidden.redact(&message), "turn failed");
    }

    fn failed(&self, span: &Span, class: &str, what: &str, reason: &str) {
        span.record(ERROR_TYPE, class);
        span.record("otel.status_code", "ERROR");
        let reason = &*self.hidden.redact(reason);
        error!(parent: span, reason, "{what}");
    }

    /// Record content, where it is exported.
    fn record(&self, span: &Span, attribute: &str, write: impl FnOnce(Content) -> String) {
        if let Some(content) = self.content.filter(|_| !span.is_disabled()) {
            span.record(attribute, &*self.hidden.redact(&write(content)));
        }
    }
}

fn record_tokens(span: &Span, tokens: Option<Tokens>) {
    let Some(tokens) = tokens else { return };
    for (attribute, count) in [
        (INPUT_TOKENS, tokens.input),
        (OUTPUT_TOKENS, tokens.output),
        (CACHE_READ_TOKENS, tokens.cached),
        (CACHE_WRITE_TOKENS, tokens.cache_write),
    ] {
        span.record(attribute, count);
    }
}

#[cfg(test)]
mod tests;
