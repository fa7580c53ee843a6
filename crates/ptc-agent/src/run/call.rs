//! Calls of tools: handing them out and taking their results.

use std::sync::Arc;

use ptc_lisp::{ExtraFields, ToolCall, ToolFailure, ToolResult, validate};

use super::execute::Answer;
use super::{Action, PendingCall, Phase, Run};
use crate::tool::with_keywords;

/// The calls that a program waits for.
pub(super) struct Batch(pub Vec<Awaited>);

/// One of them.
pub(super) enum Awaited {
    /// It is still to be made.
    Open(ToolCall),
    /// It has its result without being made.
    Known(ToolResult),
}

impl Batch {
    /// The calls that are still to be made.
    pub fn open(&self) -> impl Iterator<Item = &ToolCall> {
        self.0.iter().filter_map(|awaited| match awaited {
            Awaited::Open(call) => Some(call),
            Awaited::Known(_) => None,
        })
    }
}

/// What is said of calls that a stop left open.
pub(super) fn unanswered() -> ToolFailure {
    ToolFailure::new("the run was cancelled before it answered").perhaps_done(true)
}

impl Run {
    /// Have these calls made, those that somebody must allow only then.
    pub(super) fn call(&mut self, answer: Answer, calls: Vec<ToolCall>) -> Action {
        if self.asks_for_calls() && self.count_marked(&calls) > 0 {
            return self.approve_calls(answer, calls);
        }
        let batch = calls.into_iter().map(|call| self.awaited(call)).collect();
        self.make(answer, Batch(batch))
    }

    /// An allowed call: made, unless the run knows the answer by itself.
    pub(super) fn awaited(&self, call: ToolCall) -> Awaited {
        self.recalled(&call).map_or_else(|| Awaited::Open(call), Awaited::Known)
    }

    pub(super) fn make(&mut self, answer: Answer, batch: Batch) -> Action {
        let calls: Vec<PendingCall> = batch.open().map(|call| self.pending_call(call)).collect();
        if calls.is_empty() {
            return self.answered(answer, batch, Vec::new());
        }
        self.phase = Phase::Calling(Box::new(answer), batch);
        Action::CallTools { calls, time_left: self.time_left() }
    }

    pub(super) fn pending_call(&self, call: &ToolCall) -> PendingCall {
        PendingCall { id: self.call_id(call), path: Arc::clone(&self.facts.lineage.path), call: call.clone() }
    }

    fn call_id(&self, call: &ToolCall) -> String {
        let turn = self.turns.len() + 1;
        match &self.facts.options.run_id {
            Some(run) => format!("{run}/{turn}/{}", call.seq),
            None => format!("{turn}/{}", call.seq),
        }
    }

    pub(super) fn answered(&mut self, answer: Answer, batch: Batch, results: Vec<ToolResult>) -> Action {
        let results = self.results(batch, results);
        self.session.answer(results);
        self.advance(answer)
    }

    /// One result per call of the batch; `results` has those of the open ones.
    pub(super) fn results(&self, batch: Batch, results: Vec<ToolResult>) -> Vec<ToolResult> {
        let mut results = results.into_iter();
        let mut result = || results.next().unwrap_or_else(|| Err(unanswered()));
        let taken = batch.0.into_iter().map(|awaited| match awaited {
            Awaited::Known(result) => result,
            Awaited::Open(call) => self.checked_result(&call, result()),
        });
        taken.collect()
    }

    /// A result as declared; anything else is a failure of the tool.
    pub(super) fn checked_result(&self, call: &ToolCall, result: ToolResult) -> ToolResult {
        let spec = self.facts.tools.iter().find(|tool| tool.name == *call.name);
        let Some(ty) = spec.and_then(|spec| spec.signature.as_ref()).map(ptc_signature::Signature::result) else { return result };
        let value = with_keywords(result?, ty);
        match validate(&value, ty, ExtraFields::Allowed).first() {
            None => Ok(value),
            // It has answered, so it was done.
            Some(finding) => Err(ToolFailure::new(format!("its result does not fit its signature: {finding}")).perhaps_done(true)),
        }
    }
}
