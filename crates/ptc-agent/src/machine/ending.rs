//! How runs end: the step with everything that is known.

use std::sync::Arc;
use std::time::Duration;

use ptc_chat::{Message, Role};
use ptc_compression::{Estimate, TOOL_TOKENS, TokenCounter};
use ptc_lisp::{Memory, ToolAnswer, ToolError, ToolResult, Value};
use ptc_transcript::{EndingKind, Fail, FailKind, FailReason, Step, TurnFields, failure_value};

use super::action::{Action, Input};
use super::call::unanswered;
use super::spent::with_last_turns;
use super::state::{Answer, Phase, Run};
use super::texts;
use crate::extract::program_of;
use crate::spec::KeepTurns;

/// The size of a text, as runs without a ceiling count.
pub(crate) fn estimated_tokens(text: &str) -> u64 {
    u64::try_from(Estimate.count(text)).unwrap_or(u64::MAX)
}

const CANCELLED: &str = "the run was cancelled";

/// The error of calls whose record belongs to another run.
const OTHER_COURSE: &str = "the run diverged from its record before it answered";

/// Why a running turn does not continue.
pub(super) struct Stopped<'a> {
    reason: FailReason,
    message: &'a str,
}

impl Run {
    /// Work and retry turns are spent.
    pub(super) fn turns_used_up(&mut self) -> Action {
        if let Some(step) = self.fallback() {
            return step;
        }
        let (turns, retries) = (self.spec().max_turns, self.spec().retry_turns);
        let (reason, message) = match retries {
            0 => (FailReason::MaxTurnsExceeded, format!("limit of {turns} turns reached")),
            _ => (FailReason::BudgetExhausted, format!("all {turns} work turns and {retries} retry turns are used up")),
        };
        let message = with_last_turns(&message, &self.turns, self.history.redactor());
        self.limit(reason, message)
    }

    pub(super) fn mission_timeout(&mut self) -> Action {
        self.limit(FailReason::MissionTimeout, "the mission deadline has passed")
    }

    /// The caller wants no more.
    pub(super) fn stop(&mut self, phase: Phase, results: Vec<ToolResult>) -> Action {
        if matches!(&phase, Phase::Asking(asking) if asking.due <= self.now) {
            // It was sent, and its answer is no longer awaited.
            self.requests_sent += 1;
        }
        self.put_down(phase, results, &Stopped { reason: FailReason::Cancelled, message: CANCELLED });
        self.stopped(FailKind::Limit, FailReason::Cancelled, CANCELLED)
    }

    /// Nothing may be done that a resumed run would not know of. What happened is reported.
    pub(super) fn unjournaled(&mut self, phase: Phase, happened: Option<Input>, problem: &str) -> Action {
        let message = format!("cannot write the journal: {problem}");
        let not_called = || Err(ToolError::new(format!("it was not called: {message}")).may_have_run(false));
        let results = match (&phase, happened) {
            (Phase::Calling(..), Some(Input::Results(results) | Input::Interrupted(results))) => results,
            (Phase::Calling(_, batch), _) => batch.open().map(|_| not_called()).collect(),
            (_, Some(Input::Reply(reply))) => {
                self.count(&reply);
                Vec::new()
            }
            _ => Vec::new(),
        };
        self.put_down(phase, results, &Stopped { reason: FailReason::JournalError, message: &message });
        self.stopped(FailKind::Config, FailReason::JournalError, message)
    }

    /// The record belongs to another run.
    pub(super) fn diverged(&mut self, phase: Phase, problem: &str) -> Action {
        let unknown = || Err(ToolError::new(OTHER_COURSE).may_have_run(true));
        let results = match &phase {
            Phase::Calling(_, batch) => batch.open().map(|_| unknown()).collect(),
            _ => Vec::new(),
        };
        self.put_down(phase, results, &Stopped { reason: FailReason::JournalError, message: problem });
        self.stopped(FailKind::Config, FailReason::JournalError, problem)
    }

    /// Whichever process continues with what happened ends. The turn is recorded without computing anything.
    pub(super) fn poisoned(&mut self, phase: Phase, happened: Input, starts: usize) -> Action {
        let message = texts::poisoned(self.turns.len() + 1, starts);
        let stopped = Stopped { reason: FailReason::Poisoned, message: &message };
        match (phase, happened) {
            (Phase::Asking(asking), Input::Reply(reply)) => {
                self.count(&reply);
                if let Ok(reply) = reply {
                    let program = program_of(&reply).ok();
                    self.last = (Vec::new(), Vec::new());
                    self.record_stop(&Answer { reply, program, asking: *asking, time: Duration::ZERO }, &stopped);
                }
            }
            (phase, Input::Results(results) | Input::Interrupted(results)) => {
                self.put_down(phase, results, &stopped);
            }
            (phase, _) => self.put_down(phase, Vec::new(), &stopped),
        }
        self.stopped(FailKind::Program, FailReason::Poisoned, message)
    }

    /// A running program is recorded as far as it got, with the `results` of its open calls.
    fn put_down(&mut self, phase: Phase, results: Vec<ToolResult>, stopped: &Stopped<'_>) {
        match phase {
            Phase::Running(answer) => self.interrupted(&answer, Vec::new(), stopped),
            Phase::ApprovingCalls(answer, batch) => {
                let not_made = batch.open().map(|_| Err(unanswered().may_have_run(false))).collect();
                self.stop_calls(&answer, batch, not_made, stopped);
            }
            Phase::Calling(answer, batch) => self.stop_calls(&answer, batch, results, stopped),
            Phase::ApprovingProgram(answer) => self.record_stop(&answer, stopped),
            Phase::Fresh | Phase::Asking(_) | Phase::Over => {}
        }
    }

    pub(super) fn interrupted(&mut self, answer: &Answer, answers: Vec<ToolAnswer>, stopped: &Stopped<'_>) {
        let outcome = self.session.interrupt(answers);
        self.last = (outcome.prints, outcome.tool_calls);
        self.record_stop(answer, stopped);
    }

    /// The turn that was stopped, with what was printed and called last.
    pub(super) fn record_stop(&mut self, answer: &Answer, stopped: &Stopped<'_>) {
        let (prints, tool_calls) = self.last.clone();
        let result = failure_value(stopped.reason.as_str(), stopped.message);
        self.record_failure(TurnFields { prints, tool_calls, ..self.fields(answer, result) });
    }

    /// A defect: of the caller or of this library.
    pub(crate) fn broken(&mut self, message: &str) -> Action {
        self.stopped(FailKind::Program, FailReason::InternalError, message)
    }

    pub(super) fn limit(&mut self, reason: FailReason, message: impl Into<String>) -> Action {
        self.end(EndingKind::Limit, Err(Fail::new(FailKind::Limit, reason, message)))
    }

    pub(super) fn stopped(&mut self, kind: FailKind, reason: FailReason, message: impl Into<String>) -> Action {
        self.end(EndingKind::Error, Err(Fail::new(kind, reason, message)))
    }

    pub(super) fn end(&mut self, ending: EndingKind, result: Result<Value, Fail>) -> Action {
        let memory = self.session.memory();
        self.end_with(ending, result, memory)
    }

    pub(super) fn end_with(&mut self, ending: EndingKind, result: Result<Value, Fail>, memory: Memory) -> Action {
        self.phase = Phase::Over;
        self.close_usage();
        let mut step = match result {
            Ok(value) => Step::returned(ending, value),
            Err(fail) => Step::failed(ending, fail),
        };
        self.describe(&mut step);
        let keeps = match self.facts.setup.spec.keep_turns {
            KeepTurns::Always => true,
            KeepTurns::OnError => !step.is_ok(),
            KeepTurns::Never => false,
        };
        step.turns = keeps.then(|| self.turns.clone());
        step.memory = memory;
        step.usage = self.usage.clone();
        (step.prints, step.tool_calls) = std::mem::take(&mut self.last);
        step.tool_cache = self.session.tool_cache();
        step.tasks = self.session.tasks().map(|(id, value)| (id.to_owned(), value)).collect();
        step.definitions = self.session.definitions();
        step.summaries = std::mem::take(&mut self.summaries);
        Action::Finish(Box::new(step))
    }

    /// Describe the run.
    fn describe(&mut self, step: &mut Step) {
        let definition = self.definition();
        step.mission.clone_from(&self.facts.mission);
        step.mission_template.clone_from(&definition.spec.mission);
        step.signature.clone_from(&definition.spec.signature);
        step.tools = self.facts.tools.to_vec();
        step.data = self.facts.data.clone();
        step.field_descriptions.clone_from(&definition.spec.field_descriptions);
        step.context_descriptions.clone_from(&definition.spec.context_descriptions);
        step.context_descriptions.extend(self.facts.setup.received.clone());
        step.name.clone_from(&definition.spec.name);
        step.max_turns = Some(definition.spec.max_turns);
        step.retry_turns = definition.spec.retry_turns;
        step.output = definition.spec.output;
        definition.notes().clone_into(&mut step.notes);
        step.follow_up = self.facts.setup.follow_up.clone().unwrap_or_default();
        step.samples = definition.spec.samples;
        step.tool_tokens = Some(definition.spec.tool_tokens).filter(|tokens| *tokens != TOOL_TOKENS);
        step.feedback_max_chars = Some(definition.spec.format_options.feedback_max_chars);
        step.result_limit = Some(definition.spec.format_options.result_limit);
        step.result_max_chars = Some(definition.spec.format_options.result_max_chars);
        step.memory_at_start = self.facts.kept.clone();
        step.system = Some(Arc::clone(&self.facts.system));
        step.compression = self.course.records(self.asked);
        if self.facts.setup.spec.collect_messages {
            step.messages = self.last_request.take().or_else(|| self.transcript());
        }
    }

    /// The dialogue, without feedback that was never sent.
    fn transcript(&self) -> Option<Vec<Message>> {
        let mut messages = self.history.told()?;
        if self.turns.len() >= self.asked && messages.last().is_some_and(|last| last.role == Role::User) {
            messages.pop();
        }
        Some(messages)
    }

    fn close_usage(&mut self) {
        let system_tokens = estimated_tokens(&self.facts.system);
        let usage = &mut self.usage;
        usage.duration_ms = u64::try_from(self.now.as_millis()).unwrap_or(u64::MAX);
        usage.memory_bytes = self.session.memory_bytes();
        usage.turns = self.turns.len();
        usage.schema_bytes = self.agent.offer.schema_bytes;
        usage.schema_used = usage.schema_bytes.is_some();
        usage.llm_requests = (self.requests_sent > 0).then_some(self.requests_sent);
        usage.system_prompt_tokens = usage.total_tokens.map(|_| system_tokens);
    }
}
