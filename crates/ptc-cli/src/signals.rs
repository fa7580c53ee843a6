//! Signals that ask the command to end: running work is cancelled and cleans up.

use std::future::Future;
use std::time::Duration;

use ptc_runner::agent::CancellationToken;

use crate::failure::{Exit, Failure};

/// How long the runtime may take to end.
const LAST_MOMENT: Duration = Duration::from_secs(1);

/// Work to the end. The first signal cancels the work, and its exit code is returned, too.
pub(crate) fn listening<T>(
    cancel: &CancellationToken,
    work: impl Future<Output = T>,
) -> Result<(T, Option<Exit>), Failure> {
    listening_to(cancel, asked_to_end(true), work)
}

/// The same for these signals.
pub(crate) fn listening_to<T>(
    cancel: &CancellationToken,
    asked: impl Future<Output = Exit> + Send + 'static,
    work: impl Future<Output = T>,
) -> Result<(T, Option<Exit>), Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| format!("cannot start the runtime: {error}"))?;
    let done = runtime.block_on(async {
        let cancelled = cancel.clone();
        let heard = tokio::spawn(async move {
            let exit = asked.await;
            cancelled.cancel();
            exit
        });
        let done = work.await;
        if cancel.is_cancelled() {
            return Ok((done, heard.await.ok()));
        }
        heard.abort();
        Ok((done, None))
    });
    // A thread that reads standard input cannot be ended, and is not waited for.
    runtime.shutdown_timeout(LAST_MOMENT);
    done
}

/// The exit code of the next signal that asks the command to end; a hang-up does not where it means something else.
#[cfg(unix)]
pub(crate) async fn asked_to_end(by_hang_up: bool) -> Exit {
    use tokio::signal::unix::SignalKind;
    tokio::select! {
        () = received(SignalKind::interrupt()) => Exit::Interrupted,
        () = received(SignalKind::terminate()) => Exit::Terminated,
        () = received(SignalKind::hangup()), if by_hang_up && !is_hang_up_ignored() => Exit::HungUp,
    }
}

/// Hang-ups from now on: each is received, and none ends the process.
#[cfg(unix)]
pub(crate) struct HangUps(Option<tokio::signal::unix::Signal>);

#[cfg(unix)]
impl HangUps {
    pub(crate) fn new() -> HangUps {
        HangUps(tokio::signal::unix::signal(tokio::signal::unix::SignalKind::hangup()).ok())
    }

    /// The next one; never, where signals cannot be received.
    pub(crate) async fn next(&mut self) {
        match &mut self.0 {
            Some(signal) => drop(signal.recv().await),
            None => std::future::pending().await,
        }
    }
}

/// Never, where signals cannot be received.
#[cfg(unix)]
async fn received(kind: tokio::signal::unix::SignalKind) {
    match tokio::signal::unix::signal(kind) {
        Ok(mut signal) => drop(signal.recv().await),
        Err(_) => std::future::pending().await,
    }
}

/// `nohup` starts commands that way: they must continue when the terminal closes. Only Linux reports it.
#[cfg(unix)]
fn is_hang_up_ignored() -> bool {
    std::fs::read_to_string("/proc/self/status").is_ok_and(|status| ignores_hang_up(&status))
}

/// Whether the mask of ignored signals has the first bit, which is that of SIGHUP.
#[cfg(unix)]
fn ignores_hang_up(status: &str) -> bool {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 == 1)
}

/// The exit code of the next signal that asks the command to end.
#[cfg(not(unix))]
pub(crate) async fn asked_to_end(_by_hang_up: bool) -> Exit {
    match tokio::signal::ctrl_c().await {
        Ok(()) => Exit::Interrupted,
        Err(_) => std::future::pending().await,
    }
}

/// There are no hang-ups.
#[cfg(not(unix))]
pub(crate) struct HangUps;

#[cfg(not(unix))]
impl HangUps {
    pub(crate) fn new() -> HangUps {
        HangUps
    }

    /// Never.
    pub(crate) async fn next(&mut self) {
        std::future::pending().await
    }
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    #[test]
    fn the_mask_of_ignored_signals_is_read() {
        assert!(super::ignores_hang_up("Name:\tptc\nSigIgn:\t0000000000001001\nSigCgt:\t0000000000000000\n"));
        assert!(!super::ignores_hang_up("Name:\tptc\nSigIgn:\t0000000000001000\nSigCgt:\t0000000000000001\n"));
        assert!(!super::ignores_hang_up(""));
    }
}
