//! Repeating what a journal holds: its calls, decisions and turns in their order, and nothing new before all of them.

use ptc_transcript::{CallStart, Fail, FailKind, FailReason, JournalError, RecordedCall, ReplyRecord, Step};

use super::{Log, started};
use crate::approval::PendingCall;

impl Log<'_> {
    /// The next recorded answer of the model, as read by those who do not ask it.
    pub fn next_reply(&self) -> Option<&ReplyRecord> {
        let reply = self.recorded.as_ref()?.replies().get(self.state().replies)?;
        self.state().replies += 1;
        Some(reply)
    }

    /// Compare calls that the run makes together with the next ones on record, before any of them is made.
    ///
    /// Calls of one batch start in order, so those on record come first. If one of them is new, it must be the last
    /// thing that the journal does not have.
    pub fn repeating(&self, pending: &[PendingCall]) -> Result<(), JournalError> {
        let Some(recorded) = &self.recorded else { return Ok(()) };
        let first = self.state().calls;
        let known: Vec<&RecordedCall> = recorded.own_calls(first).take(pending.len()).collect();
        for (pending, known) in pending.iter().zip(&known) {
            same_call(&known.start, &started(pending))?;
        }
        self.state().calls = first + known.len();
        if known.len() == pending.len() && known.iter().all(|call| call.end.is_some()) {
            return Ok(());
        }
        self.all_repeated()?;
        known.iter().filter_map(|call| call.end.as_ref()).try_for_each(|end| end.to_result().map(drop))
    }

    /// Whether everything on record was repeated; until then nothing new may be done. The error names the first record
    /// that was not.
    pub fn all_repeated(&self) -> Result<(), JournalError> {
        let Some(recorded) = &self.recorded else { return Ok(()) };
        let state = self.state();
        if let Some(call) = recorded.own_calls(state.calls).next() {
            return Err(not_repeated(call_of(&call.start)));
        }
        if let Some(record) = recorded.own_decisions(state.decisions).next() {
            return Err(not_repeated(decision(&record.ids)));
        }
        if let Some(record) = recorded.own_single_decisions().next().filter(|_| !state.has_single_decisions) {
            return Err(not_repeated(decision(&[&record.id])));
        }
        if let Some(reply) = recorded.replies().get(state.replies) {
            return Err(not_repeated(format!("the answer of the model to turn {}", reply.turn)));
        }
        match recorded.turns().get(state.turns) {
            Some(turn) => Err(not_repeated(format!("the end of turn {}", turn.number))),
            None => Ok(()),
        }
    }

    /// Whether the run may end here: it repeated everything on record, was stopped, reached a bound that may have been
    /// changed, or met a defect.
    pub fn may_end(&self, step: &Step) -> Result<(), JournalError> {
        let is_stopped = |fail: &Fail| fail.kind == FailKind::Limit || fail.reason == FailReason::InternalError;
        if step.fail().is_some_and(is_stopped) {
            return Ok(());
        }
        let state = self.state();
        if self.recorded.as_ref().is_some_and(|recorded| state.replies < recorded.replies().len()) {
            return Err(JournalError::EarlyEnd { turns: state.turns });
        }
        drop(state);
        self.all_repeated()
    }
}

pub(super) fn same_call(recorded: &CallStart, found: &CallStart) -> Result<(), JournalError> {
    if (&recorded.id, &recorded.tool, &recorded.args) == (&found.id, &found.tool, &found.args) {
        return Ok(());
    }
    if recorded.id != found.id {
        return Err(not_repeated(call_of(recorded)));
    }
    let shown = |start: &CallStart| format!("{} {}", start.tool, start.args);
    Err(JournalError::OtherCall { id: found.id.clone(), recorded: shown(recorded), found: shown(found) })
}

pub(super) fn not_repeated(record: String) -> JournalError {
    JournalError::NotRepeated { record }
}

fn call_of(start: &CallStart) -> String {
    format!("call {} ({} {})", start.id, start.tool, start.args)
}

pub(super) fn decision(ids: &[impl AsRef<str>]) -> String {
    let ids: Vec<&str> = ids.iter().map(AsRef::as_ref).collect();
    format!("a decision about {}", ids.join(", "))
}
