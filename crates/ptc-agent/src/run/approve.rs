//! What waits for somebody's decision, and what follows from it.

use std::sync::Arc;

use ptc_lisp::{ToolCall, ToolFailure};
use ptc_transcript::{Decision, FailReason, failure_value};

use super::call::{Awaited, Batch};
use super::execute::Answer;
use super::{Action, Phase, Run};
use crate::approval::{Approval, ApprovalScope, PendingProgram};

impl Run {
    pub(super) fn asks_for_calls(&self) -> bool {
        self.facts.options.approval_scope == ApprovalScope::Calls
    }

    pub(super) fn asks_for_programs(&self) -> bool {
        self.facts.options.approval_scope == ApprovalScope::Programs
    }

    /// How many of these calls somebody must allow.
    pub(super) fn count_marked(&self, batch: &Batch) -> usize {
        batch.open().filter(|call| self.is_marked(call)).count()
    }

    pub(super) fn is_marked(&self, call: &ToolCall) -> bool {
        self.spec_of(call).is_some_and(|tool| tool.approve)
    }

    pub(super) fn approve_calls(&mut self, answer: Answer, batch: Batch) -> Action {
        let marked = batch.open().filter(|call| self.is_marked(call)).map(|call| self.pending_call(call));
        let waiting = Approval::Calls(marked.collect());
        self.phase = Phase::ApprovingCalls(Box::new(answer), batch);
        Action::Approve { waiting, time_left: self.time_left() }
    }

    pub(super) fn decided_calls(&mut self, answer: Answer, waiting: Batch, decisions: Vec<Decision>) -> Action {
        let mut decisions = decisions.into_iter();
        let mut batch = Vec::with_capacity(waiting.0.len());
        for awaited in waiting.0 {
            let Awaited::Open(mut call) = awaited else {
                batch.push(awaited);
                continue;
            };
            let decision = if self.is_marked(&call) { decisions.next() } else { Some(Decision::Approve) };
            batch.push(match self.applied(&mut call, decision) {
                Ok(()) => self.awaited(call),
                Err(failure) => Awaited::Known(Err(failure)),
            });
        }
        self.make(answer, Batch(batch))
    }

    fn applied(&mut self, call: &mut ToolCall, decision: Option<Decision>) -> Result<(), ToolFailure> {
        match decision {
            Some(Decision::Approve) => Ok(()),
            Some(Decision::Edit(args)) => {
                let amended = self.session.amend(call.seq, args);
                *call = amended.map_err(|error| misfit(&error.message))?;
                Ok(())
            }
            Some(Decision::Deny(reason)) => Err(not_allowed(&reason)),
            _ => Err(not_allowed("nothing was decided")),
        }
    }

    pub(super) fn approve_program(&mut self, answer: Answer, source: String) -> Action {
        let (turn, path) = (self.turns.len() + 1, Arc::clone(&self.facts.lineage.path));
        // Of the run that was started the turn is enough; journals have it.
        let id = match &self.facts.identity.id {
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
                None => format!("its replacement is no text but a {}", text.kind()),
            },
            Some(Decision::Deny(reason)) => reason,
            _ => "nothing was decided".to_owned(),
        };
        let message = with_reason("the program was not allowed to run", &reason);
        let fields = self.fields(&answer, failure_value(FailReason::ProgramDenied.as_str(), &message));
        self.failed(fields, FailReason::ProgramDenied, message)
    }
}

/// Edited arguments that cannot be sent.
pub(super) fn misfit(problem: &str) -> ToolFailure {
    not_allowed(&format!("as edited, {problem}"))
}

pub(super) fn not_allowed(reason: &str) -> ToolFailure {
    ToolFailure::new(with_reason("it was not allowed", reason)).perhaps_done(false)
}

fn with_reason(text: &str, reason: &str) -> String {
    if reason.trim().is_empty() { text.to_owned() } else { format!("{text}: {}", reason.trim()) }
}
