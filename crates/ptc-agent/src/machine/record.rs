//! Recording turns.

use indexmap::IndexMap;
use ptc_compression::words::{checklist, mission_log};
use ptc_lisp::{Session, Value};
use ptc_transcript::{Turn, TurnFields, TurnKind, failure_value};

use super::state::Run;
use crate::agent::Definition;

impl Run {
    pub(super) fn record_success(&mut self, fields: TurnFields) {
        self.keep_fail(Value::Nil);
        self.kept.clear();
        self.record(Turn::success(fields));
    }

    /// The next program finds the error under `data/fail`, and the answers that this one has read.
    pub(super) fn record_failure(&mut self, fields: TurnFields) {
        self.keep_fail(fields.result.clone());
        self.record(Turn::failure(fields));
    }

    /// Make this what `data/fail` returns, or why it cannot be that.
    pub(crate) fn keep_fail(&mut self, fail: Value) {
        if let Err(error) = self.session.set_fail(fail) {
            let text = failure_value(error.reason.as_str(), &error.message);
            self.session.set_fail(text).unwrap_or_default();
        }
    }

    fn record(&mut self, turn: Turn) {
        match turn.kind() {
            TurnKind::Retry => self.left.retry = self.left.retry.saturating_sub(1),
            _ => self.left.work = self.left.work.saturating_sub(1),
        }
        self.progress = progress_of(&self.agent.definition, &self.session, &self.summaries);
        // First the turn: a strategy may panic.
        self.turns.push(turn.clone());
        self.history.push(&turn, &self.progress);
    }
}

/// The checklist of the plan, else the log of finished tasks; empty without either.
pub(super) fn progress_of(definition: &Definition, session: &Session, summaries: &IndexMap<String, String>) -> String {
    if !definition.spec.plan.is_empty() {
        return checklist(&definition.spec.plan, summaries);
    }
    let tasks: Vec<_> = session.tasks().collect();
    mission_log(tasks.iter().map(|(id, value)| (*id, value)))
}
