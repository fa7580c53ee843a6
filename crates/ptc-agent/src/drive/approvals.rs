//! Asking the approver.

use std::time::Duration;

use ptc_transcript::{Decision, JournalError};
use tokio::time::Instant;

use super::guard::{DEADLINE, caught, until};
use super::log::{Log, UNDECIDED};
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
    if let Some(known) = log.decided(waiting)? {
        return Ok(known);
    }
    log.go_live();
    log.deciding(waiting, decide(options.approval.as_deref(), waiting, time_left, reporter).await)
}

/// One decision per waiting id; what cannot be decided is denied.
async fn decide(
    approver: Option<&dyn Approver>,
    waiting: &Approval,
    time_left: Option<Duration>,
    reporter: &Reporter<'_>,
) -> Vec<Decision> {
    let ids = waiting.ids();
    let all = |reason: &str| vec![Decision::deny(reason); ids.len()];
    let Some(approver) = approver else { return all("there is no approver") };
    let span = reporter.approval(waiting);
    let deadline = time_left.and_then(|left| Instant::now().checked_add(left));
    let mut decisions = match until(deadline, caught(async { approver.decide(waiting).await })).await {
        Some(Ok(decisions)) => decisions,
        Some(Err(panic)) => all(&format!("the approver panicked: {panic}")),
        None => all(DEADLINE),
    };
    decisions.resize(ids.len(), Decision::deny(UNDECIDED));
    reporter.approved(span, ids, &decisions);
    decisions
}
