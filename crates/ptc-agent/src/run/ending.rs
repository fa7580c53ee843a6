//! How runs end: the step with everything that is known.

use ptc_chat::Message;
use ptc_lisp::{Memory, Value};
use ptc_transcript::{EndingKind, Fail, FailKind, FailReason, Step};

use super::{Action, Phase, Run};
use crate::drive::KeepTurns;

impl Run {
    /// Work and retry turns are spent.
    pub(super) fn turns_used_up(&mut self) -> Action {
        if let Some(step) = self.fallback() {
            return step;
        }
        let (turns, retries) = (self.definition().max_turns, self.definition().retry_turns);
        if retries == 0 {
            self.limit(FailReason::MaxTurnsExceeded, format!("limit of {turns} turns reached"))
        } else {
            let message = format!("all {turns} work turns and {retries} retry turns are used up");
            self.limit(FailReason::BudgetExhausted, message)
        }
    }

    pub(super) fn mission_timeout(&mut self) -> Action {
        self.limit(FailReason::MissionTimeout, "the mission deadline has passed")
    }

    pub(super) fn cancelled(&mut self) -> Action {
        self.stopped(FailKind::Limit, FailReason::Cancelled, "the run was cancelled")
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
        let keeps = match self.facts.options.keep_turns {
            KeepTurns::Always => true,
            KeepTurns::OnError => !step.is_ok(),
            KeepTurns::Never => false,
        };
        step.turns = keeps.then(|| self.turns.clone());
        step.memory = memory;
        step.usage = self.usage.clone();
        (step.prints, step.tool_calls) = std::mem::take(&mut self.last);
        step.tasks = self.session.tasks().into_iter().collect();
        step.summaries = std::mem::take(&mut self.summaries);
        Action::Finish(Box::new(step))
    }

    /// What the run was about.
    fn describe(&self, step: &mut Step) {
        let definition = self.definition();
        step.mission.clone_from(&self.facts.mission);
        step.mission_template.clone_from(&definition.mission);
        step.signature.clone_from(&definition.signature);
        step.tools.clone_from(&self.facts.tools);
        step.data = self.facts.data.clone();
        step.field_descriptions.clone_from(&definition.field_descriptions);
        step.context_descriptions.clone_from(&definition.context_descriptions);
        step.context_descriptions.extend(self.facts.received.clone());
        step.name.clone_from(&definition.name);
        if self.facts.options.collect_messages {
            step.system = Some(self.facts.system.to_string());
            step.messages = self.transcript();
        }
    }

    /// The plain dialogue, without feedback that was never sent.
    fn transcript(&self) -> Option<Vec<Message>> {
        let mut messages = self.histories.told()?.to_vec();
        if self.turns.len() >= self.asked {
            messages.pop();
        }
        self.histories.redactor.redact_messages(&mut messages);
        Some(messages)
    }

    fn close_usage(&mut self) {
        let usage = &mut self.usage;
        usage.duration_ms = u64::try_from(self.now.as_millis()).unwrap_or(u64::MAX);
        usage.memory_bytes = self.session.memory_bytes();
        usage.turns = self.turns.len();
        usage.schema_bytes = self.agent.definition.schema().map(|schema| schema.to_string().len() as u64);
        usage.schema_used = usage.schema_bytes.is_some();
        usage.llm_requests = (self.requests_sent > 0).then_some(self.requests_sent);
        let characters = self.facts.system.chars().count() / 4;
        usage.system_prompt_tokens = usage.total_tokens.is_some().then(|| u64::try_from(characters).unwrap_or(u64::MAX));
    }
}
