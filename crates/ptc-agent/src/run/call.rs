//! Calls of tools: handing them out and taking their results.

use std::sync::Arc;

use ptc_lisp::{Effect, ExtraFields, ToolAnswer, ToolCall, ToolFailure, ToolResult, ToolSpec, Value, validate};

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
    /// A program that failed had this answer to an equal call.
    Kept(Value),
}

impl Batch {
    /// The calls that are still to be made.
    pub fn open(&self) -> impl Iterator<Item = &ToolCall> {
        self.0.iter().filter_map(|awaited| match awaited {
            Awaited::Open(call) => Some(call),
            Awaited::Known(_) | Awaited::Kept(_) => None,
        })
    }
}

/// What is said of calls that a stop left open.
pub(super) fn unanswered() -> ToolFailure {
    ToolFailure::new("the run was cancelled before it answered").perhaps_done(true)
}

impl Run {
    /// Have these calls made, unless their answers are kept; those that somebody must allow only then.
    pub(super) fn call(&mut self, answer: Answer, calls: Vec<ToolCall>) -> Action {
        let batch = self.recall(calls);
        if self.asks_for_calls() && self.count_marked(&batch) > 0 {
            return self.approve_calls(answer, batch);
        }
        let allowed = batch.0.into_iter().map(|awaited| match awaited {
            Awaited::Open(call) => self.awaited(call),
            known => known,
        });
        let batch = Batch(allowed.collect());
        self.make(answer, batch)
    }

    /// These calls, those with kept answers answered. Beside a write nothing is: it may change what they read.
    fn recall(&mut self, calls: Vec<ToolCall>) -> Batch {
        let writes = calls.iter().any(|call| self.effect_of(call) == Effect::Write);
        let mut recalled = |call: &ToolCall| if writes { None } else { self.kept.take(call) };
        Batch(
            calls.into_iter().map(|call| recalled(&call).map_or_else(|| Awaited::Open(call), Awaited::Kept)).collect(),
        )
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
        match &self.facts.identity.id {
            Some(run) => format!("{run}/{turn}/{}", call.seq),
            None => format!("{turn}/{}", call.seq),
        }
    }

    pub(super) fn answered(&mut self, answer: Answer, batch: Batch, results: Vec<ToolResult>) -> Action {
        let answers = self.answers(batch, results);
        self.session.answer_calls(answers);
        self.advance(answer)
    }

    /// One answer per call of the batch; `results` has those of the open ones.
    pub(super) fn answers(&mut self, batch: Batch, results: Vec<ToolResult>) -> Vec<ToolAnswer> {
        let mut results = results.into_iter();
        let mut made = Vec::new();
        let mut answers = Vec::with_capacity(batch.0.len());
        for awaited in batch.0 {
            answers.push(match awaited {
                Awaited::Known(result) => result.into(),
                Awaited::Kept(value) => ToolAnswer { result: Ok(value), from_failed_turn: true },
                Awaited::Open(call) => {
                    let result = self.checked_result(&call, results.next().unwrap_or_else(|| Err(unanswered())));
                    made.push((call, result.clone()));
                    result.into()
                }
            });
        }
        self.keep(&made);
        answers
    }

    /// Keep the answers of tools that read for the next program, should this one fail. After a write the world is
    /// another one: nothing is kept that may be older, so that a program cannot tell a kept answer from a new one.
    fn keep(&mut self, made: &[(ToolCall, ToolResult)]) {
        let wrote = |(call, result): &(ToolCall, ToolResult)| {
            let failure = result.as_ref().err();
            self.effect_of(call) == Effect::Write && failure.is_none_or(|failure| failure.perhaps_done)
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

    pub(super) fn spec_of(&self, call: &ToolCall) -> Option<&ToolSpec> {
        self.facts.tools.iter().find(|tool| tool.name == *call.name)
    }

    pub(super) fn effect_of(&self, call: &ToolCall) -> Effect {
        self.spec_of(call).map_or_else(Effect::default, |spec| spec.effect)
    }

    /// A result as declared; anything else is a failure of the tool.
    pub(super) fn checked_result(&self, call: &ToolCall, result: ToolResult) -> ToolResult {
        let Some(ty) =
            self.spec_of(call).and_then(|spec| spec.signature.as_ref()).map(ptc_signature::Signature::result)
        else {
            return result;
        };
        let value = with_keywords(result?, ty);
        match validate(&value, ty, ExtraFields::Allowed).first() {
            None => Ok(value),
            // It has answered, so it was done.
            Some(finding) => {
                Err(ToolFailure::new(format!("its result does not fit its signature: {finding}")).perhaps_done(true))
            }
        }
    }
}
