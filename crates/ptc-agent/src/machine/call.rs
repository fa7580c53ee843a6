//! Calls of tools: handing them out and taking their results.

use std::sync::Arc;

use ptc_lisp::{Effect, ToolAnswer, ToolCall, ToolError, ToolResult, ToolSpec};

use super::action::Action;
use super::ending::Stopped;
use super::state::{Answer, Awaited, Batch, Caller, KnownAnswer, Phase, Run};
use crate::approval::PendingCall;
use crate::tool::tool_result;

/// The result of calls that a stop left open.
pub(super) fn unanswered() -> ToolError {
    ToolError::new("the run was cancelled before it answered").may_have_run(true)
}

impl Run {
    /// Have the calls of a program made, unless their answers are kept. With a write in the batch none are used: it may
    /// change what they read.
    pub(super) fn call(&mut self, answer: Answer, calls: Vec<ToolCall>) -> Action {
        let writes = calls.iter().any(|call| self.effect_of(call) == Effect::Write);
        let mut given = |call: &ToolCall| if writes { None } else { self.kept.take(call) };
        let calls = calls.into_iter().map(|call| {
            let given = given(&call).map_or(KnownAnswer::Nothing, KnownAnswer::Kept);
            Awaited::new(call, given)
        });
        let batch = Batch { calls: calls.collect(), caller: Caller::Program };
        self.make_or_ask(answer, batch)
    }

    /// Have these calls made; calls that need approval only after it.
    pub(super) fn make_or_ask(&mut self, answer: Answer, batch: Batch) -> Action {
        if self.asks_for(&batch) && self.count_marked(&batch) > 0 {
            return self.approve_calls(answer, batch);
        }
        self.make(answer, batch)
    }

    /// Have the open calls made, unless the run itself knows their answers.
    pub(super) fn make(&mut self, answer: Answer, mut batch: Batch) -> Action {
        for awaited in batch.calls.iter_mut().filter(|awaited| awaited.is_open()) {
            if let Some(result) = self.recalled(&awaited.call) {
                awaited.given = KnownAnswer::Result(result);
            }
        }
        let calls: Vec<PendingCall> = batch.open().map(|call| self.pending_call(call)).collect();
        if calls.is_empty() {
            return self.answered(answer, batch, Vec::new());
        }
        self.phase = Phase::Calling(Box::new(answer), batch);
        Action::CallTools { calls, time_left: self.time_left() }
    }

    pub(super) fn pending_call(&self, call: &ToolCall) -> PendingCall {
        PendingCall { id: self.call_id(call), path: Arc::clone(&self.facts.setup.lineage.path), call: call.clone() }
    }

    fn call_id(&self, call: &ToolCall) -> String {
        let turn = self.turns.len() + 1;
        match &self.facts.setup.identity.id {
            Some(run) => format!("{run}/{turn}/{}", call.seq),
            None => format!("{turn}/{}", call.seq),
        }
    }

    pub(super) fn answered(&mut self, answer: Answer, batch: Batch, results: Vec<ToolResult>) -> Action {
        match batch.caller {
            Caller::Program => {
                let answers = self.answers(batch.calls, results);
                self.session.answer_calls(answers);
                self.advance(answer)
            }
            Caller::Model(asked) => self.used(&answer, asked, batch.calls, results),
        }
    }

    /// The calls of a turn that is stopped, recorded as far as they got.
    pub(super) fn stop_calls(
        &mut self,
        answer: &Answer,
        batch: Batch,
        results: Vec<ToolResult>,
        stopped: &Stopped<'_>,
    ) {
        match batch.caller {
            Caller::Program => {
                let answers = self.answers(batch.calls, results);
                self.interrupted(answer, answers, stopped);
            }
            Caller::Model(asked) => {
                let (records, _) = self.records(asked, batch.calls, results);
                self.last = (Vec::new(), records);
                self.record_stop(answer, stopped);
            }
        }
    }

    /// One answer per call; `results` has those of the open ones.
    fn answers(&mut self, calls: Vec<Awaited>, results: Vec<ToolResult>) -> Vec<ToolAnswer> {
        let mut results = results.into_iter();
        let times = std::mem::take(&mut self.call_times);
        let mut made = Vec::new();
        let mut answers = Vec::with_capacity(calls.len());
        for Awaited { call, given, .. } in calls {
            answers.push(match given {
                KnownAnswer::Result(result) => result.into(),
                KnownAnswer::Kept(value) => ToolAnswer { from_failed_turn: true, ..Ok(value).into() },
                KnownAnswer::Nothing => {
                    let result = self.checked_result(&call, results.next().unwrap_or_else(|| Err(unanswered())));
                    let time = times.iter().find(|(seq, _)| *seq == call.seq).map(|(_, time)| *time);
                    made.push((call, result.clone()));
                    ToolAnswer { time, ..result.into() }
                }
            });
        }
        self.keep(&made);
        answers
    }

    /// Keep the answers of tools that read for the next program, should this one fail. A write changes the world:
    /// nothing older is kept, so that programs cannot tell a kept answer from a new one.
    fn keep(&mut self, made: &[(ToolCall, ToolResult)]) {
        let wrote = |(call, result): &(ToolCall, ToolResult)| {
            let failure = result.as_ref().err();
            self.effect_of(call) == Effect::Write && failure.is_none_or(|failure| failure.may_have_run)
        };
        if made.iter().any(wrote) {
            self.kept.clear();
            return;
        }
        for (call, result) in made {
            if let Ok(answer) = result
                && self.effect_of(call) == Effect::Read
            {
                self.kept.keep(call, answer);
            }
        }
    }

    pub(crate) fn spec_of(&self, call: &ToolCall) -> Option<&ToolSpec> {
        self.facts.tools.iter().find(|tool| tool.name == *call.name)
    }

    pub(super) fn effect_of(&self, call: &ToolCall) -> Effect {
        self.spec_of(call).map_or_else(Effect::default, |spec| spec.effect)
    }

    /// A result of the declared type; anything else is a failure of the tool.
    pub(crate) fn checked_result(&self, call: &ToolCall, result: ToolResult) -> ToolResult {
        let Some(ty) =
            self.spec_of(call).and_then(|spec| spec.signature.as_ref()).map(ptc_lisp::signature::Signature::result)
        else {
            return result;
        };
        // It has answered, so it was done.
        tool_result(result?, ty).map_err(|finding| {
            ToolError::new(format!("its result does not fit its signature: {finding}")).may_have_run(true)
        })
    }
}
