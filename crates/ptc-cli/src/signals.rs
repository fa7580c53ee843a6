//! Signals that ask the command to end: running work is cancelled and cleans up.

use std::future::Future;
use std::time::Duration;

use ptc_runner::agent::CancellationToken;
#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::failure::{Exit, Failure};

/// How long the runtime may take to end.
const LAST_MOMENT: Duration = Duration::from_secs(1);

/// Work to the end. The first signal cancels the work, and its exit code is returned, too.
pub(crate) fn listening<T>(
    cancel: &CancellationToken,
    work: impl Future<Output = T>,
) -> Result<(T, Option<Exit>), Failure> {
    listening_to(true, cancel, work)
}

/// The same, where hang-ups may mean something else.
pub(crate) fn listening_to<T>(
    hang_ups: bool,
    cancel: &CancellationToken,
    work: impl Future<Output = T>,
) -> Result<(T, Option<Exit>), Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| format!("cannot start the runtime: {error}"))?;
    let done = runtime.block_on(async {
        let (mut signals, cancelled) = (Signals::new(hang_ups), cancel.clone());
        let heard = tokio::spawn(async move {
            let exit = signals.next().await;
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

/// Signals that ask the command to end, from when this is made, in a runtime. A task that is spawned to listen could begin
/// late, and a signal before it be lost.
#[cfg(unix)]
pub(crate) struct Signals {
    interrupt: Option<Signal>,
    terminate: Option<Signal>,
    hang_up: Option<Signal>,
}

#[cfg(unix)]
impl Signals {
    /// Listen from now on, to hang-ups only where they mean nothing else.
    pub(crate) fn new(hang_ups: bool) -> Signals {
        let hang_up = (hang_ups && !is_hang_up_ignored()).then(|| signal(SignalKind::hangup()).ok()).flatten();
        Signals {
            interrupt: signal(SignalKind::interrupt()).ok(),
            terminate: signal(SignalKind::terminate()).ok(),
            hang_up,
        }
    }

    /// The exit code of the next one.
    pub(crate) async fn next(&mut self) -> Exit {
        tokio::select! {
            () = received(&mut self.interrupt) => Exit::Interrupted,
            () = received(&mut self.terminate) => Exit::Terminated,
            () = received(&mut self.hang_up) => Exit::HungUp,
        }
    }
}

/// Hang-ups from now on: each is received, and none ends the process.
#[cfg(unix)]
pub(crate) struct HangUps(Option<Signal>);

#[cfg(unix)]
impl HangUps {
    pub(crate) fn new() -> HangUps {
        HangUps(signal(SignalKind::hangup()).ok())
    }

    /// The next one.
    pub(crate) async fn next(&mut self) {
        received(&mut self.0).await;
    }
}

/// Never, where signals cannot be received.
#[cfg(unix)]
async fn received(signal: &mut Option<Signal>) {
    match signal {
        Some(signal) => drop(signal.recv().await),
        None => std::future::pending().await,
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

/// Signals that ask the command to end, from when this is made, in a runtime.
#[cfg(not(unix))]
pub(crate) struct Signals(Option<tokio::signal::windows::CtrlC>);

#[cfg(not(unix))]
impl Signals {
    /// Listen from now on; there are no hang-ups.
    pub(crate) fn new(_hang_ups: bool) -> Signals {
        Signals(tokio::signal::windows::ctrl_c().ok())
    }

    /// The exit code of the next one; never, where they cannot be received.
    pub(crate) async fn next(&mut self) -> Exit {
        match &mut self.0 {
            Some(signal) => drop(signal.recv().await),
            None => std::future::pending().await,
        }
        Exit::Interrupted
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
