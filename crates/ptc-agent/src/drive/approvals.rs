//! Asking the approver.

use std::sync::Mutex;
use std::time::Duration;

use ptc_transcript::{Decision, JournalError};
use tokio::time::Instant;

use super::guard::{DEADLINE, caught, lock, until};
use super::log::{KnownDecisions, Log, UNDECIDED};
use super::options::RunOptions;
use super::report::Reporter;
use crate::approval::{Approval, Approver};

/// Decisions about what waits: those on record, else those of the approver.
pub(super) async fn decisions(
    waiting: &Approval,
    time_left: Option<Duration>,
    options: &RunOptions,
    reporter: &Reporter<'_>,
    log: &Log<'_>,
) -> Result<Vec<Decision>, JournalError> {
    if log.has_engine() {
        let span = reporter.approval(waiting);
        let decisions = Box::pin(log.decided_there(waiting, time_left)).await?;
        reporter.approved(span, waiting.ids(), &decisions);
        return Ok(decisions);
    }
    let known = match log.decided(waiting)? {
        KnownDecisions::All(known) => return Ok(known),
        KnownDecisions::Some(known) => known,
    };
    log.go_live();
    let asked = Asked { waiting, log, decisions: Mutex::new(known) };
    // A run that waits for something else has no room for it.
    let decisions = Box::pin(asked.decide(options.approval.as_deref(), time_left, reporter)).await;
    log.deciding(waiting, decisions)
}

/// A question of the run, with what was decided about it so far.
struct Asked<'a> {
    waiting: &'a Approval,
    log: &'a Log<'a>,
    decisions: Mutex<Vec<Option<Decision>>>,
}

impl Asked<'_> {
    /// One decision per waiting id; what cannot be decided is denied.
    async fn decide(
        &self,
        approver: Option<&dyn Approver>,
        time_left: Option<Duration>,
        reporter: &Reporter<'_>,
    ) -> Vec<Decision> {
        let Some(approver) = approver else { return self.all("there is no approver") };
        let span = reporter.approval(self.waiting);
        let deadline = time_left.and_then(|left| Instant::now().checked_add(left));
        let decisions = match until(deadline, caught(self.ask(approver))).await {
            Some(Ok(())) => self.all(UNDECIDED),
            Some(Err(panic)) => self.all(&format!("the approver panicked: {panic}")),
            None => self.all(DEADLINE),
        };
        reporter.approved(span, self.waiting.ids(), &decisions);
        decisions
    }

    /// Ask about what is not decided.
    async fn ask(&self, approver: &dyn Approver) {
        let (places, open) = self.open();
        let Some(open) = open else { return };
        let heard = |number: usize, decision: &Decision| {
            if let Some(place) = places.get(number) {
                self.heard(*place, decision);
            }
        };
        let decisions = approver.decide_each(&open, &heard).await;
        let mut known = lock(&self.decisions);
        for (place, decision) in places.iter().zip(decisions) {
            if let Some(slot) = known.get_mut(*place) {
                *slot = Some(decision);
            }
        }
    }

    /// The places of what is not decided, and all of it.
    fn open(&self) -> (Vec<usize>, Option<Approval>) {
        let known = lock(&self.decisions);
        let is_open = |place: &usize| known.get(*place).is_none_or(Option::is_none);
        let places: Vec<usize> = (0..self.waiting.ids().len()).filter(is_open).collect();
        let open = match self.waiting {
            _ if places.is_empty() => None,
            Approval::Calls(calls) => {
                Some(Approval::Calls(places.iter().filter_map(|place| calls.get(*place).cloned()).collect()))
            }
            Approval::Program(_) => Some(self.waiting.clone()),
        };
        (places, open)
    }

    /// Keep a decision that came while others are awaited. The last one is written with all of them.
    fn heard(&self, place: usize, decision: &Decision) {
        let mut known = lock(&self.decisions);
        let Some(slot) = known.get_mut(place) else { return };
        *slot = Some(decision.clone());
        let is_last = known.iter().all(Option::is_some);
        drop(known);
        if !is_last {
            self.log.deciding_one(self.waiting, place, decision);
        }
    }

    /// All decisions; what has none is denied for this reason.
    fn all(&self, reason: &str) -> Vec<Decision> {
        let known = lock(&self.decisions);
        known.iter().map(|decision| decision.clone().unwrap_or_else(|| Decision::deny(reason))).collect()
    }
}
