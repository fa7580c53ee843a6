//! Asking whoever approves.

use std::time::Duration;

use ptc_transcript::Decision;
use tokio::time::Instant;

use super::guard::{caught, until};
use super::report::Reporter;
use crate::approval::{Approval, Approver};

/// One decision for each id of what waits; what cannot be decided is denied.
pub(super) async fn decide(
    approver: Option<&dyn Approver>,
    waiting: &Approval,
    time_left: Option<Duration>,
    reporter: &Reporter<'_>,
) -> Vec<Decision> {
    let ids = waiting.ids();
    let all = |reason: &str| vec![Decision::deny(reason); ids.len()];
    let Some(approver) = approver else { return all("nobody can be asked") };
    let span = reporter.approval(waiting);
    let deadline = time_left.and_then(|left| Instant::now().checked_add(left));
    let mut decisions = match until(deadline, caught(async { approver.decide(waiting).await })).await {
        Some(Ok(decisions)) => decisions,
        Some(Err(panic)) => all(&format!("the approver panicked: {panic}")),
        None => all("the mission deadline has passed"),
    };
    decisions.resize(ids.len(), Decision::deny("nothing was decided"));
    reporter.approved(span, ids, &decisions);
    decisions
}
