//! What keeps the driver alive when something that it waits for fails: panics, deadlines, locks.

use std::panic::AssertUnwindSafe;
use std::sync::{Mutex, MutexGuard, PoisonError};

use futures::FutureExt;
use tokio::time::Instant;

/// The error of a wait that the deadline of the run ended.
pub(super) const DEADLINE: &str = "the mission deadline has passed";

/// The text of a panic, for reports.
fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "panic without a text".to_owned())
}

/// The result of `work`, or the text of its panic.
pub(super) fn unwound<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    std::panic::catch_unwind(AssertUnwindSafe(work)).map_err(|panic| panic_text(panic.as_ref()))
}

/// The result of `work`, or the text of its panic.
pub(super) async fn caught<T>(work: impl Future<Output = T>) -> Result<T, String> {
    AssertUnwindSafe(work).catch_unwind().await.map_err(|panic| panic_text(panic.as_ref()))
}

/// The result of `work` until `end`; without one it is awaited for as long as it takes.
pub(super) async fn until<T>(end: Option<Instant>, work: impl Future<Output = T>) -> Option<T> {
    match end {
        Some(end) => tokio::time::timeout_at(end, work).await.ok(),
        None => Some(work.await),
    }
}

/// What the lock holds, also after a panic: no holder leaves it half changed.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
