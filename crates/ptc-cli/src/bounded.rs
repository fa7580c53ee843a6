//! Recorded runs are looked at in a process whose memory the system bounds. The programs of a journal run again, and a
//! file that somebody else made may not take the memory of the machine, whatever it holds and whatever our meters miss.
//!
//! The command starts itself again. Where the system has no such bound, it works in its own process.

use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use crate::failure::{Exit, Failure};
use crate::seal;

/// Tells the command that it is the bounded process.
const BOUNDED: &str = "PTC_BOUNDED";

/// Bytes that the process may map, used or not: the programs of a run hold one gigabyte, and the allocator maps another
/// one ahead.
const MOST: u64 = 4 << 30;

/// What the process may take, for people.
const SHOWN: &str = "4 GB";

/// Whether this process is bounded.
pub(crate) fn is_bounded() -> bool {
    std::env::var_os(BOUNDED).is_some()
}

/// Do the work of this command line in a bounded process.
pub(crate) fn within(work: impl FnOnce() -> Result<Exit, Failure>) -> Result<Exit, Failure> {
    if is_bounded() {
        seal::bound(MOST)?;
        seal::end_with_parent()?;
    }
    if is_bounded() || !seal::is_supported() {
        return work();
    }
    let status = again()?.args(std::env::args_os().skip(1)).status()?;
    status.code().and_then(Exit::of).ok_or_else(|| ended(status).into())
}

/// What `ptc view` with these options and files prints as a bounded process, if that is at most `most` bytes; `None` where the system
/// bounds nothing.
pub(crate) fn printed_of(options: &[String], files: &[&Path], most: u64) -> Result<Option<Vec<u8>>, String> {
    use std::io::Read;

    if !seal::is_supported() {
        return Ok(None);
    }
    let failed = |error: std::io::Error| format!("cannot start a process that reads the run: {error}");
    let mut command = again().map_err(failed)?;
    command.arg("view").args(options).args(files).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(failed)?;
    let mut printed = Vec::new();
    let read = child.stdout.take().map_or(Ok(0), |out| out.take(most + 1).read_to_end(&mut printed));
    if read.is_err() || printed.len() as u64 > most {
        let _ended = child.kill();
    }
    let status = child.wait().map_err(failed)?;
    if printed.len() as u64 > most {
        return Err(format!("its page takes more than {} MB; `ptc show FILE` shows it as text", most >> 20));
    }
    if status.success() { Ok(Some(printed)) } else { Err(ended(status)) }
}

/// This command, as a bounded process without arguments.
fn again() -> std::io::Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command.env(BOUNDED, "1");
    Ok(command)
}

/// Why the process gave no answer.
fn ended(status: ExitStatus) -> String {
    format!("the process that read the run ended ({status}); one that takes more than {SHOWN} is ended by the system")
}
