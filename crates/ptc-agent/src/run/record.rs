//! Recording turns.

use ptc_lisp::Value;
use ptc_transcript::{Turn, TurnFields, TurnKind};

use super::Run;

impl Run {
    pub(super) fn record_success(&mut self, fields: TurnFields) {
        self.session.set_fail(Value::Nil);
        self.record(Turn::success(fields));
    }

    /// The next program finds the error under `data/fail`.
    pub(super) fn record_failure(&mut self, fields: TurnFields) {
        self.session.set_fail(fields.result.clone());
        self.record(Turn::failure(fields));
    }

    fn record(&mut self, turn: Turn) {
        match turn.kind() {
            TurnKind::Retry => self.left.retry = self.left.retry.saturating_sub(1),
            _ => self.left.work = self.left.work.saturating_sub(1),
        }
        self.histories.push(&turn);
        self.turns.push(turn);
    }
}
