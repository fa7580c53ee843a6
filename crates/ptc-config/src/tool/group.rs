//! A command with everything that it starts, in its own process group: ended as a whole.

use std::io;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use tokio::process::{Child, Command};
use tokio::runtime::Handle;

/// How long a group may clean up between the request to end and the end.
const GRACE: Duration = Duration::from_secs(1);
/// How long the end of a killed group may take; orphans that are not reaped count as members for ever.
const AFTER_KILL: Duration = Duration::from_millis(100);
/// Time between two checks of a group that was asked to end.
const PAUSE: Duration = Duration::from_millis(5);

/// A running command. Dropping it before it has ended ends the whole group: by SIGTERM, after [`GRACE`] by SIGKILL.
///
/// Outside Unix there are no groups: only the command itself is ended.
pub(super) struct Group(Option<Ending>);

impl Group {
    /// Start the command as the leader of a new group.
    pub(super) fn start(command: &mut Command) -> io::Result<Group> {
        #[cfg(unix)]
        command.process_group(0);
        #[cfg(not(unix))]
        command.kill_on_drop(true);
        let child = command.spawn()?;
        Ok(Group(Some(Ending { group: child.id(), child, is_over: false })))
    }

    /// The command itself, for its pipes.
    pub(super) fn child(&mut self) -> Option<&mut Child> {
        self.0.as_mut().map(|ending| &mut ending.child)
    }

    /// Wait for the end of the command. What it leaves running on purpose stays.
    pub(super) async fn wait(mut self) -> io::Result<ExitStatus> {
        let Some(child) = self.child() else { return Err(io::Error::other("it was not started")) };
        let status = child.wait().await?;
        if let Some(mut ending) = self.0.take() {
            ending.is_over = true;
        }
        Ok(status)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let Some(mut ending) = self.0.take() else { return };
        // A runtime that is shutting down waits for this; without one, the thread that drops the group waits.
        match Handle::try_current() {
            Ok(runtime) => drop(runtime.spawn_blocking(move || ending.end())),
            Err(_) => ending.end(),
        }
    }
}

/// A group that is being ended.
struct Ending {
    child: Child,
    /// Id of the command, and so of its group.
    #[cfg_attr(not(unix), expect(dead_code, reason = "only Unix has groups of processes"))]
    group: Option<u32>,
    is_over: bool,
}

impl Ending {
    fn end(&mut self) {
        for (signal, patience) in [(Signal::Term, GRACE), (Signal::Kill, AFTER_KILL)] {
            self.signal(signal);
            let since = Instant::now();
            while since.elapsed() < patience {
                if self.has_ended() {
                    self.is_over = true;
                    return;
                }
                std::thread::sleep(PAUSE);
            }
        }
    }

    /// Whether the command was reaped and its group is otherwise empty.
    fn has_ended(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(Some(_))) && !self.has_members()
    }
}

/// A runtime that is shutting down may drop this before it starts: then there is no time to clean up.
impl Drop for Ending {
    fn drop(&mut self) {
        if !self.is_over {
            self.signal(Signal::Kill);
            let _ = self.child.try_wait();
        }
    }
}

#[derive(Clone, Copy)]
enum Signal {
    Term,
    Kill,
}

#[cfg(unix)]
impl Ending {
    /// Signal the whole group; it may already be gone.
    fn signal(&self, signal: Signal) {
        use rustix::process::{Signal as Native, kill_process_group};
        let native = match signal {
            Signal::Term => Native::TERM,
            Signal::Kill => Native::KILL,
        };
        if let Some(group) = self.id() {
            let _ = kill_process_group(group, native);
        }
    }

    fn has_members(&self) -> bool {
        self.id().is_some_and(|group| rustix::process::test_kill_process_group(group).is_ok())
    }

    fn id(&self) -> Option<rustix::process::Pid> {
        rustix::process::Pid::from_raw(i32::try_from(self.group?).ok()?)
    }
}

#[cfg(not(unix))]
impl Ending {
    fn signal(&mut self, _: Signal) {
        let _ = self.child.start_kill();
    }

    fn has_members(&self) -> bool {
        false
    }
}
