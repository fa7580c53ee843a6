//! What waits for a decision, and what follows from it.

use std::sync::Arc;

use ptc_lisp::{ToolCall, ToolError, Value};
use ptc_transcript::{Decision, FailReason};

use super::action::Action;
use super::execute::Refused;
use super::state::{Answer, Batch, Caller, KnownAnswer, Phase, Run};
use crate::approval::{Approval, ApprovalScope, PendingProgram};

impl Run {
    /// Whether single calls need approval; where a model calls, there are no programs to approve instead.
    pub(super) fn asks_for(&self, batch: &Batch) -> bool {
        matches!(batch.caller, Caller::Model(_)) || self.facts.setup.approval_scope == ApprovalScope::Calls
    }

    /// How many of these calls need approval.
    pub(super) fn count_marked(&self, batch: &Batch) -> usize {
        batch.open().filter(|call| self.is_marked(call)).count()
    }

    fn is_marked(&self, call: &ToolCall) -> bool {
        self.spec_of(call).is_some_and(|tool| tool.approve)
    }

    pub(super) fn approve_calls(&mut self, answer: Answer, batch: Batch) -> Action {
        let marked = batch.open().filter(|call| self.is_marked(call)).map(|call| self.pending_call(call));
        let waiting = Approval::Calls(marked.collect());
        self.phase = Phase::ApprovingCalls(Box::new(answer), batch);
        Action::Approve { waiting, time_left: self.time_left() }
    }

    pub(super) fn decided_calls(&mut self, answer: Answer, mut batch: Batch, decisions: Vec<Decision>) -> Action {
        let mut decisions = decisions.into_iter();
        for awaited in batch.calls.iter_mut().filter(|awaited| awaited.is_open()) {
            if !self.is_marked(&awaited.call) {
                continue;
            }
            let refused = match decisions.next() {
                Some(Decision::Approve) => continue,
                Some(Decision::Edit(args)) => match self.edited(batch.caller, &awaited.call, args) {
                    Ok(call) => {
                        (awaited.call, awaited.edited) = (call, true);
                        continue;
                    }
                    Err(problem) => not_allowed(&format!("as edited, {problem}")),
                },
                Some(Decision::Deny(reason)) => not_allowed(&reason),
                _ => not_allowed("nothing was decided"),
            };
            awaited.given = KnownAnswer::Result(Err(refused));
        }
        self.make(answer, batch)
    }

    /// The call with other arguments. Errors with what is wrong with them.
    fn edited(&mut self, caller: Caller, call: &ToolCall, args: Value) -> Result<ToolCall, String> {
        match caller {
            Caller::Program => self.session.amend(call.seq, args).map_err(|error| error.message),
            Caller::Model(_) => self.bound(&call.name, call.seq, args).map_err(|failure| failure.message),
        }
    }

    pub(super) fn approve_program(&mut self, answer: Answer, source: String) -> Action {
        let (turn, path) = (self.turns.len() + 1, Arc::clone(&self.facts.setup.lineage.path));
        // For the started run the turn is enough; journals have it.
        let id = match &self.facts.setup.identity.id {
            Some(run) if !path.is_empty() => format!("{run}/{turn}"),
            _ => turn.to_string(),
        };
        let waiting = Approval::Program(PendingProgram { id, path, source });
        self.last = (Vec::new(), Vec::new());
        self.phase = Phase::ApprovingProgram(Box::new(answer));
        Action::Approve { waiting, time_left: self.time_left() }
    }

    pub(super) fn decided_program(&mut self, mut answer: Answer, decisions: Vec<Decision>) -> Action {
        let reason = match decisions.into_iter().next() {
            Some(Decision::Approve) => return self.run_answer(answer),
            Some(Decision::Edit(text)) => match text.as_str() {
                Some(source) => {
                    answer.program = Some(source.to_owned());
                    return self.run_answer(answer);
                }
                None => format!("its replacement must be text, got a {}", text.kind()),
            },
            Some(Decision::Deny(reason)) => reason,
            _ => "nothing was decided".to_owned(),
        };
        let message = with_reason("the program was not allowed to run", &reason);
        let fields = self.fields(&answer, Value::Nil);
        self.failed(fields, Refused::new(FailReason::ProgramDenied, message))
    }
}

/// What the program reads about a call that is not allowed.
pub(crate) fn not_allowed(reason: &str) -> ToolError {
    ToolError::new(with_reason("it was not allowed", reason)).may_have_run(false)
}

fn with_reason(text: &str, reason: &str) -> String {
    if reason.trim().is_empty() { text.to_owned() } else { format!("{text}: {}", reason.trim()) }
}
