//! Running one input, and how signals affect it.

use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use ptc_runner::agent::{CancellationToken, ProgramSession};
use ptc_runner::lisp::Outcome;
use ptc_runner::mcp::HostedServers;

use super::watching::CallProgress;
use crate::failure::{Exit, Failure};
use crate::signals::Signals;

/// The running program, for signals and for Ctrl-C at a question.
static RUNNING: Mutex<Option<CancellationToken>> = Mutex::new(None);

/// From now on a signal ends the command by way of [`Runner::ended`], also when no program runs.
pub(super) fn stand_by() {
    *RUNNING.lock().unwrap_or_else(PoisonError::into_inner) = Some(CancellationToken::new());
}

/// How often long calls are checked.
const TICK: Duration = Duration::from_millis(500);

/// Interrupt the running program. Returns whether there is one.
pub(super) fn interrupt() -> bool {
    let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    running.as_ref().inspect(|cancel| cancel.cancel()).is_some()
}

/// MCP servers, until they are ended.
type Servers = Arc<Mutex<Option<HostedServers>>>;

/// Where programs run, and where signals are received.
pub(super) struct Runner {
    runtime: tokio::runtime::Runtime,
    /// They end with the runner, not within its runtime.
    _servers: Servers,
    /// The exit code of a signal that ends the command.
    ended: Arc<Mutex<Option<Exit>>>,
}

impl Runner {
    /// Listen from now on: on a terminal Ctrl-C interrupts the program that runs; all other signals end the command,
    /// servers first.
    pub(super) fn new(servers: Option<HostedServers>, is_terminal: bool) -> Result<Runner, Failure> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
        let runtime = runtime.map_err(|error| format!("cannot start the runtime: {error}"))?;
        let ended = Arc::new(Mutex::new(None));
        let servers = Arc::new(Mutex::new(servers));
        let signals = {
            let _within = runtime.enter();
            Signals::new(true)
        };
        runtime.spawn(heard(signals, Arc::clone(&ended), Arc::downgrade(&servers), is_terminal));
        Ok(Runner { runtime, _servers: servers, ended })
    }

    /// Run a program, with its prints as they come.
    pub(super) fn run(
        &self,
        session: &mut ProgramSession,
        program: &str,
        watching: &CallProgress,
        on_print: &mut (dyn FnMut(&str) + Send),
    ) -> Outcome {
        let cancel = CancellationToken::new();
        *RUNNING.lock().unwrap_or_else(PoisonError::into_inner) = Some(cancel.clone());
        let outcome = self.runtime.block_on(watched(session.run(program, &cancel, on_print), watching));
        *RUNNING.lock().unwrap_or_else(PoisonError::into_inner) = None;
        outcome
    }

    /// The exit code of a signal that arrived while a program ran.
    pub(super) fn ended(&self) -> Option<Exit> {
        *self.ended.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The work, while long calls are reported.
async fn watched<T>(work: impl Future<Output = T>, watching: &CallProgress) -> T {
    let mut work = std::pin::pin!(work);
    let mut tick = tokio::time::interval(TICK);
    loop {
        tokio::select! {
            biased;
            done = &mut work => return done,
            _ = tick.tick() => watching.tell_long(),
        }
    }
}

/// Do what signals ask for.
async fn heard(
    mut signals: Signals,
    ended: Arc<Mutex<Option<Exit>>>,
    servers: Weak<Mutex<Option<HostedServers>>>,
    is_terminal: bool,
) {
    loop {
        let exit = signals.next().await;
        if exit == Exit::Interrupted && is_terminal {
            interrupt();
            continue;
        }
        *ended.lock().unwrap_or_else(PoisonError::into_inner) = Some(exit);
        if interrupt() {
            // The caller of the program sees that the command is to end.
            return;
        }
        // It is not seen: the command waits for a key or a line.
        let servers = servers.upgrade().and_then(|held| held.lock().unwrap_or_else(PoisonError::into_inner).take());
        let _ = tokio::task::spawn_blocking(move || drop(servers)).await;
        std::process::exit(exit as i32);
    }
}
