//! Servers that start in the background: in which order, and again when they cannot be used.

use std::pin::pin;
use std::sync::{Arc, LazyLock, Weak};
use std::thread::available_parallelism;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

use crate::server::Link;
use crate::spec::Access;

/// Pause before a server that could not be used is tried again: the first one, and the maximum. It doubles each time.
const TRY_AGAIN: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(60));

/// How long a start takes the place of others: one that takes longer is likely waiting for something else.
const COUNTS: Duration = Duration::from_secs(3);

/// Commands that start at once: one for each processor. Most of a start is computation, so that all are ready only at the
/// end if all start together.
static PLACES: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::new(available_parallelism().map_or(1, usize::from)));

/// Try until the server can be used, or is not wanted any more. `begins`: it was not tried yet.
pub(crate) async fn keep_trying(link: Weak<Link>, begins: bool) {
    if begins && first(&link).await {
        return;
    }
    let (mut wait, longest) = TRY_AGAIN;
    // A dropped server is not kept for an attempt that nobody waits for.
    while let Some(woken) = link.upgrade().map(|link| Arc::clone(&link.try_now)) {
        tokio::select! {
            () = sleep(wait) => wait = (wait * 2).min(longest),
            () = woken.notified() => {}
        }
        let Some(link) = link.upgrade() else { return };
        if link.attempt().await.is_ok() {
            return;
        }
    }
}

/// The first attempt, which takes its turn unless somebody needs the server; whether it succeeded.
async fn first(link: &Weak<Link>) -> bool {
    let waits = |link: Arc<Link>| matches!(link.spec.access, Access::Command(_)).then(|| Arc::clone(&link.wanted));
    let place = match link.upgrade().and_then(waits) {
        None => None,
        Some(wanted) => tokio::select! {
            place = PLACES.acquire() => place.ok(),
            () = wanted.notified() => None,
        },
    };
    let Some(link) = link.upgrade() else { return true };
    let mut attempt = pin!(link.attempt());
    let soon = timeout(COUNTS, &mut attempt).await;
    drop(place);
    match soon {
        Ok(ended) => ended.is_ok(),
        Err(_) => attempt.await.is_ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Server, ServerSpec};

    /// A command that ends at once.
    fn ending(name: &str) -> Server {
        Server::start(ServerSpec::command(name, "sh", ["-c", "exit 3"]))
    }

    #[tokio::test]
    async fn a_server_that_somebody_needs_does_not_wait_for_its_turn() {
        let places = available_parallelism().map_or(1, usize::from);
        let all = PLACES.acquire_many(places.try_into().unwrap()).await.unwrap();
        let (first, second) = (ending("first"), ending("second"));
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        assert!(first.status().is_starting && second.status().is_starting);
        second.wanted().await;
        assert!(second.status().problem.is_some() && first.status().is_starting);
        // No process is started for an address.
        let far = Server::start(ServerSpec::http("far", "http://127.0.0.1:1/mcp"));
        far.settled().await;
        drop(all);
        first.settled().await;
        assert!(first.status().problem.is_some());
    }
}
