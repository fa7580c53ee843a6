//! Stopping work at one of its await points.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

use tokio_util::sync::CancellationToken;

/// How work is stopped at the last poll of a count.
#[derive(Debug, Clone)]
pub enum Stop {
    /// It is dropped, as when a process dies: [`stopped`] gives `None`.
    Drop,
    /// This token is cancelled, and the work continues to its end.
    Cancel(CancellationToken),
}

/// Do `work`; before it is polled once more after `polls` times, stop it. Also returns how often it was polled.
///
/// With `polls` from 0 to the count of an undisturbed run, work is stopped at every point where it waits.
///
/// ```
/// use ptc_agent::testkit::{Stop, stopped};
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let work = || async { tokio::task::yield_now().await };
/// assert_eq!(stopped(work(), 1, Stop::Drop).await, (None, 1));
/// assert_eq!(stopped(work(), 2, Stop::Drop).await, (Some(()), 2));
/// # });
/// ```
pub async fn stopped<T>(work: impl Future<Output = T>, polls: usize, stop: Stop) -> (Option<T>, usize) {
    let mut count = 0;
    let done = {
        let mut work = pin!(work);
        poll_fn(|context| {
            if count == polls {
                match &stop {
                    Stop::Drop => return Poll::Ready(None),
                    Stop::Cancel(token) => token.cancel(),
                }
            }
            count += 1;
            work.as_mut().poll(context).map(Some)
        })
        .await
    };
    (done, count)
}
