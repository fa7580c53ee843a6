//! The output for subscribers of `tracing`.

use std::collections::HashMap;
use std::fmt::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use insta::assert_snapshot;
use ptc_transcript::{EventKind, Observer, SpanId};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Metadata, Subscriber};

use super::TracingObserver;
use crate::TraceLimits;
use crate::sample::{approval_events, event, events, failed_step, noticed, streamed};

/// Records what it receives.
#[derive(Clone, Default)]
struct Ears {
    next: Arc<AtomicU64>,
    names: Arc<Mutex<HashMap<u64, String>>>,
    heard: Arc<Mutex<String>>,
    /// Open handles per span.
    handles: Arc<Mutex<HashMap<u64, usize>>>,
}

impl Ears {
    fn name(&self, id: &Id) -> String {
        self.names.lock().unwrap()[&id.into_u64()].clone()
    }

    fn hear(&self, line: String) {
        self.heard.lock().unwrap().push_str(&(line + "\n"));
    }

    fn heard(&self) -> String {
        self.heard.lock().unwrap().clone()
    }
}

#[derive(Default)]
struct Fields(String);

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        let _ = write!(self.0, " {field}={value}");
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let _ = write!(self.0, " {field}={value:?}");
    }
}

impl Subscriber for Ears {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let id = Id::from_u64(self.next.fetch_add(1, Ordering::SeqCst) + 1);
        let mut fields = Fields::default();
        span.record(&mut fields);
        let parent = match span.parent() {
            Some(parent) => self.name(parent),
            None if span.is_contextual() => "the caller".to_owned(),
            None => "nothing".to_owned(),
        };
        self.handles.lock().unwrap().insert(id.into_u64(), 1);
        self.names.lock().unwrap().insert(id.into_u64(), span.metadata().name().to_owned());
        self.hear(format!("open {} in {parent}:{}", span.metadata().name(), fields.0));
        id
    }

    fn record(&self, span: &Id, values: &Record<'_>) {
        let mut fields = Fields::default();
        values.record(&mut fields);
        self.hear(format!("  {}:{}", self.name(span), fields.0));
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &tracing::Event<'_>) {
        let mut fields = Fields::default();
        event.record(&mut fields);
        let parent = event.parent().map(|parent| self.name(parent));
        self.hear(format!("  {} in {parent:?}:{}", event.metadata().level(), fields.0));
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}

    fn clone_span(&self, id: &Id) -> Id {
        *self.handles.lock().unwrap().entry(id.into_u64()).or_default() += 1;
        id.clone()
    }

    fn try_close(&self, id: Id) -> bool {
        let left = *self.handles.lock().unwrap().entry(id.into_u64()).and_modify(|handles| *handles -= 1).or_default();
        if left == 0 {
            self.hear(format!("close {}", self.name(&id)));
        }
        left == 0
    }
}

fn heard(events: &[ptc_transcript::Event]) -> String {
    heard_by(TracingObserver::new(), events)
}

fn heard_by(observer: TracingObserver, events: &[ptc_transcript::Event]) -> String {
    let ears = Ears::default();
    tracing::subscriber::with_default(ears.clone(), || events.iter().for_each(|event| observer.on_event(event)));
    drop(observer);
    ears.heard()
}

#[test]
fn a_run_as_spans() {
    assert_snapshot!(heard(&events()), @r#"
    open run in the caller: otel.name=invoke_agent booker gen_ai.operation.name=invoke_agent gen_ai.agent.name=booker gen_ai.conversation.id=r1 ptc.max_turns=3
    open turn in run: otel.name=turn 1 ptc.turn=1 ptc.turn.kind=normal
    open llm in turn: otel.name=chat qwen3 otel.kind=client gen_ai.operation.name=chat gen_ai.provider.name=ollama gen_ai.request.model=qwen3 ptc.turn=1 ptc.attempt=1
      llm: gen_ai.usage.input_tokens=812
      llm: gen_ai.usage.output_tokens=20
      llm: gen_ai.usage.cache_read.input_tokens=700
      llm: gen_ai.usage.cache_creation.input_tokens=0
    close llm
    open tool in turn: otel.name=execute_tool quote-room gen_ai.operation.name=execute_tool gen_ai.tool.name=quote-room gen_ai.tool.type=function
    open tool in turn: otel.name=execute_tool quote-room gen_ai.operation.name=execute_tool gen_ai.tool.name=quote-room gen_ai.tool.type=function
      tool: error.type=tool_error
      tool: otel.status_code=ERROR
      ERROR in Some("tool"): message=tool quote-room failed reason=there is no room 99
    close tool
    close tool
      turn: error.type=tool_error
      turn: otel.status_code=ERROR
      WARN in Some("turn"): message=turn failed reason=tool 'quote-room' failed: there is no room 99
    close turn
      run: ptc.ending=return
    close run
    "#);
}

#[test]
fn pieces_of_an_answer_end_no_span() {
    assert_eq!(heard(&streamed(&events())), heard(&events()));
}

#[test]
fn what_tools_tell_ends_no_span() {
    assert_eq!(heard(&noticed(&events())), heard(&events()));
}

#[test]
fn a_question_as_a_span() {
    assert_snapshot!(heard(&approval_events()[2..]), @r"
    open approval in nothing: otel.name=approval ptc.approval.asked=3
      approval: ptc.approval.denied=1
    close approval
    ");
}

#[test]
fn a_run_without_an_answer() {
    let stop = EventKind::RunStop { duration: Duration::from_millis(4), step: Arc::new(failed_step()) };
    assert_snapshot!(heard(&[events().remove(0), event(1, 0, stop)]), @r#"
    open run in the caller: otel.name=invoke_agent booker gen_ai.operation.name=invoke_agent gen_ai.agent.name=booker gen_ai.conversation.id=r1 ptc.max_turns=3
      run: ptc.ending=limit
      run: error.type=max_turns_exceeded
      run: otel.status_code=ERROR
      ERROR in Some("run"): message=run has no answer reason=limit of 3 turns reached
    close run
    "#);
}

#[test]
fn a_run_inside_of_a_call() {
    let start = |span, parent| {
        let mut start = events().remove(0);
        (start.span, start.parent) = (SpanId(span), Some(SpanId(parent)));
        start
    };
    assert!(heard(&[events().remove(4), start(7, 4)]).contains("open run in tool:"));
    assert!(heard(&[start(7, 4)]).contains("open run in nothing:"), "what is not known is left out");
}

#[test]
fn ends_without_a_beginning_still_tell_what_went_wrong() {
    let ends = [events().remove(3), events().remove(8), events().remove(9)];
    assert_eq!(
        heard(&ends),
        "  WARN in None: message=turn failed reason=tool 'quote-room' failed: there is no room 99\n"
    );
}

/// Exporters send errors to others: hidden values of a run are in none of them, in whatever form an error quotes them.
#[test]
fn errors_do_not_say_what_is_hidden() {
    let context = ptc_lisp::Value::from_json(
        serde_json::json!({"_key": "canary-1\n\"two\"", "rows": [{"_pin": "canary-row-2"}]}),
    );
    let reason = "no canary-1\\n\\\"two\\\" or canary-1\n\"two\", <canary-row-2>".to_owned();
    let step = ptc_transcript::Step::failed(
        ptc_transcript::EndingKind::Error,
        ptc_transcript::Fail::new(
            ptc_transcript::FailKind::Program,
            ptc_transcript::FailReason::Custom("canary-row-2".into()),
            "bad canary-row-2",
        ),
    );
    let events = [
        event(1, 0, EventKind::RunStart { agent: Arc::default(), context }),
        event(2, 1, EventKind::ToolStart { tool_name: "t".into(), args: ptc_lisp::Value::Nil }),
        event(
            2,
            1,
            EventKind::ToolException {
                is_new: true,
                duration: Duration::ZERO,
                tool_name: "t".into(),
                reason: reason.clone(),
            },
        ),
        event(3, 1, EventKind::RunStart { agent: Arc::default(), context: ptc_lisp::Value::Nil }),
        event(3, 1, EventKind::RunException { duration: Duration::ZERO, reason }),
        event(1, 0, EventKind::RunStop { duration: Duration::ZERO, step: Arc::new(step) }),
    ];
    let heard = heard(&events);
    assert!(heard.matches("[hidden]").count() >= 7 && !heard.contains("canary"), "{heard}");
}

/// Texts reach an exporter only when it is asked for them, and hidden values never do.
#[test]
fn content_is_exported_on_request() {
    let secret = ptc_lisp::Value::from_json(serde_json::json!({"_key": "canary-1"}));
    let mut events = events();
    if let EventKind::RunStart { context, .. } = &mut events[0].kind {
        *context = secret.clone();
    }
    if let EventKind::LlmStop { response, .. } = &mut events[3].kind {
        *response = Ok("(tool/t {:key \"canary-1\"})".into());
    }
    events.push(event(8, 2, EventKind::ToolStart { tool_name: "t".into(), args: secret.clone() }));
    let stop = EventKind::ToolStop { duration: Duration::ZERO, tool_name: "t".into(), is_new: true, result: secret };
    events.push(event(8, 2, stop));
    assert!(!heard(&events).contains("messages"), "no content without a request");
    let content: Vec<String> = heard_by(TracingObserver::with_content(TraceLimits::default()), &events)
        .lines()
        .filter(|line| ["instructions", "messages", "arguments", "result"].iter().any(|name| line.contains(name)))
        .map(str::to_owned)
        .collect();
    assert_snapshot!(content.join("\n"), @r#"
    llm: gen_ai.system_instructions=[{"type":"text","content":"You write programs."}]
    llm: gen_ai.input.messages=[{"role":"user","parts":[{"type":"text","content":"Which bookings fit?"}]}]
    llm: gen_ai.output.messages=[{"role":"assistant","parts":[{"type":"text","content":"(tool/t {:key \"[hidden]\"})"}]}]
    tool: gen_ai.tool.call.arguments={"room":12}
    tool: gen_ai.tool.call.arguments={"room":99}
    tool: gen_ai.tool.call.result={"total":268.5}
    run: gen_ai.output.messages=[{"role":"assistant","parts":[{"type":"text","content":"{\"kept\":[1,2,3,4,5,6]}"}]}]
    tool: gen_ai.tool.call.arguments={"_key":"[hidden]"}
    tool: gen_ai.tool.call.result={"_key":"[hidden]"}
    "#);
}
