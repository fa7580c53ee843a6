//! Asking whoever approves.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures::FutureExt;
use ptc_transcript::Decision;

use super::panics::panic_text;
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
    let asking = AssertUnwindSafe(async { approver.decide(waiting).await }).catch_unwind();
    // Without a deadline this waits for as long as it takes.
    let decided = match time_left {
        Some(left) => tokio::time::timeout(left, asking).await.ok(),
        None => Some(asking.await),
    };
    let mut decisions = match decided {
        Some(Ok(decisions)) => decisions,
        Some(Err(panic)) => all(&format!("the approver panicked: {}", panic_text(panic.as_ref()))),
        None => all("the mission deadline has passed"),
    };
    decisions.resize(ids.len(), Decision::deny("nothing was decided"));
    reporter.approved(span, ids, &decisions);
    decisions
}
