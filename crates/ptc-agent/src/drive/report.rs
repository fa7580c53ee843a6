//! Telling observers what happens.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use ptc_chat::{LlmError, Reply, Request};
use ptc_lisp::{ToolCall, ToolNotice, ToolResult, Value};
use ptc_transcript::{AgentSummary, Decision, Event, EventKind, Observer, SpanId, Step, TurnKind};
use tokio::time::Instant;

use super::guard::{lock, unwound};
use crate::approval::Approval;
use crate::machine::Run;
use crate::spec::AgentSpec;

/// The spans of one run. Does nothing without observers.
pub(super) struct Reporter<'a> {
    observers: &'a [Arc<dyn Observer>],
    id: Arc<str>,
    agent: Option<Arc<str>>,
    /// Shared by all runs of a tree.
    next: Arc<AtomicU32>,
    run: Span,
    /// The call that the run answers.
    parent: Option<SpanId>,
    /// The current turn.
    turn: Mutex<Option<(Span, usize)>>,
    /// Turns recorded at the last look, and the kind of the coming one.
    seen: AtomicUsize,
    coming: Mutex<TurnKind>,
}

/// The call that a run answers, and the numbers of further spans.
pub(crate) struct Parent {
    span: SpanId,
    next: Arc<AtomicU32>,
}

/// An open span.
#[derive(Clone, Copy)]
pub(super) struct Span {
    id: SpanId,
    since: Instant,
}

impl<'a> Reporter<'a> {
    /// Reports that the run of this id starts.
    pub fn start(observers: &'a [Arc<dyn Observer>], id: Arc<str>, run: &Run, parent: Option<Parent>) -> Reporter<'a> {
        let (parent, next) = match parent {
            Some(Parent { span, next }) => (Some(span), next),
            None => (None, Arc::new(AtomicU32::new(1))),
        };
        let span = Span { id: SpanId(next.fetch_add(1, Ordering::Relaxed)), since: Instant::now() };
        let reporter = Reporter {
            observers,
            id,
            agent: run.agent().spec().name.as_deref().map(Arc::from),
            next,
            run: span,
            parent,
            turn: Mutex::new(None),
            seen: AtomicUsize::new(0),
            coming: Mutex::new(run.kind()),
        };
        let start =
            || EventKind::RunStart { agent: Arc::new(summary(run)), context: Value::Map(run.facts.data.clone()) };
        reporter.emit(span.id, parent, start);
        reporter
    }

    /// What a run that answers the call of this span must know.
    pub fn parent(&self, span: Span) -> Parent {
        Parent { span: span.id, next: Arc::clone(&self.next) }
    }

    /// Report the end of a turn that was recorded since the last call.
    pub fn turns(&self, run: &Run) {
        let recorded = run.turns().len();
        if self.seen.swap(recorded, Ordering::Relaxed) < recorded {
            self.end_turn(run.turns().last().cloned());
        }
        *lock(&self.coming) = run.kind();
    }

    pub fn ask(&self, request: &Request, model: &str) -> Span {
        let turn = self.begin_turn(request);
        let span = self.open();
        self.emit(span.id, Some(turn.id), || EventKind::LlmStart {
            turn: request.turn as usize,
            attempt: request.attempt as usize,
            messages: Arc::new(request.messages.clone()),
            system: (request.turn == 1).then(|| Arc::clone(&request.system)),
            model: model.to_owned(),
        });
        span
    }

    /// A piece of the answer arrived.
    pub fn chunk(&self, span: Span, request: &Request, text: &str) {
        let (turn, attempt) = (request.turn as usize, request.attempt as usize);
        self.emit_inside(span, || EventKind::LlmChunk { turn, attempt, text: text.to_owned() });
    }

    pub fn replied(&self, span: Span, request: &Request, model: &str, is_new: bool, reply: &Result<Reply, LlmError>) {
        self.emit_inside(span, || EventKind::LlmStop {
            duration: span.since.elapsed(),
            turn: request.turn as usize,
            model: model.to_owned(),
            is_new,
            tokens: reply.as_ref().ok().and_then(|reply| reply.tokens),
            response: reply.as_ref().map(|reply| reply.content.clone()).map_err(Clone::clone),
        });
    }

    pub fn call(&self, call: &ToolCall) -> Span {
        let span = self.open();
        self.emit_inside(span, || EventKind::ToolStart { tool_name: call.name.clone(), args: call.args.clone() });
        span
    }

    /// A tool reports on a call in progress.
    pub fn notice(&self, span: Span, call: &ToolCall, notice: ToolNotice) {
        self.emit_inside(span, || EventKind::ToolNotice { tool_name: call.name.clone(), notice });
    }

    pub fn called(&self, span: Span, call: &ToolCall, is_new: bool, result: &ToolResult) {
        let (duration, tool_name) = (span.since.elapsed(), call.name.clone());
        self.emit_inside(span, || match result {
            Ok(value) => EventKind::ToolStop { duration, tool_name, is_new, result: value.clone() },
            Err(failure) => EventKind::ToolException { duration, tool_name, is_new, reason: failure.message.clone() },
        });
    }

    pub fn approval(&self, waiting: &Approval) -> Span {
        let span = self.open();
        self.emit_inside(span, || EventKind::ApprovalStart { ids: waiting.ids(), tools: waiting.tools() });
        span
    }

    pub fn approved(&self, span: Span, ids: Vec<String>, decisions: &[Decision]) {
        self.emit_inside(span, || EventKind::ApprovalStop {
            duration: span.since.elapsed(),
            decisions: ids.into_iter().zip(decisions.iter().cloned()).collect(),
        });
    }

    /// Report the end of the run and return its step.
    pub fn stop(&self, step: Step) -> Step {
        self.end_turn(None);
        let duration = self.run.since.elapsed();
        self.emit(self.run.id, self.parent, || EventKind::RunStop { duration, step: Arc::new(step.clone()) });
        step
    }

    /// Report that the run cannot continue.
    pub fn broken(&self, reason: &str) {
        self.end_turn(None);
        self.emit(self.run.id, self.parent, || EventKind::RunException {
            duration: self.run.since.elapsed(),
            reason: reason.to_owned(),
        });
    }

    /// The span of the turn that this request is for; a repeated attempt belongs to the turn that runs.
    fn begin_turn(&self, request: &Request) -> Span {
        let mut running = lock(&self.turn);
        if let Some((span, _)) = *running {
            return span;
        }
        let span = self.open();
        let turn = request.turn as usize;
        *running = Some((span, turn));
        self.emit(span.id, Some(self.run.id), || EventKind::TurnStart {
            turn,
            kind: *lock(&self.coming),
            tools_count: request.tool_names.len(),
        });
        span
    }

    fn end_turn(&self, record: Option<ptc_transcript::Turn>) {
        if let Some((span, turn)) = lock(&self.turn).take() {
            self.emit(span.id, Some(self.run.id), || EventKind::TurnStop {
                duration: span.since.elapsed(),
                turn,
                record,
            });
        }
    }

    fn open(&self) -> Span {
        if self.observers.is_empty() {
            // Nothing needs its duration.
            return self.run;
        }
        Span { id: SpanId(self.next.fetch_add(1, Ordering::Relaxed)), since: Instant::now() }
    }

    fn emit_inside(&self, span: Span, kind: impl FnOnce() -> EventKind) {
        let parent = lock(&self.turn).map_or(self.run.id, |(turn, _)| turn.id);
        self.emit(span.id, Some(parent), kind);
    }

    /// `kind` is built only when there is an observer. An observer that panics does not stop the run.
    fn emit(&self, span: SpanId, parent: Option<SpanId>, kind: impl FnOnce() -> EventKind) {
        if self.observers.is_empty() {
            return;
        }
        let event = Event { run: Arc::clone(&self.id), agent: self.agent.clone(), span, parent, kind: kind() };
        for observer in self.observers {
            let _ = unwound(|| observer.on_event(&event));
        }
    }
}

fn summary(run: &Run) -> AgentSummary {
    let agent = run.agent();
    let AgentSpec { name, description, output, max_turns, .. } = agent.spec().clone();
    let tool_names = agent.offer.names.to_vec();
    AgentSummary { name, description, output, max_turns, tool_names }
}
