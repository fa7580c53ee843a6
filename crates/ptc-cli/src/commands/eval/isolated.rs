//! `--isolate`: the interpreter in a process that the kernel lets do nothing but compute.
//!
//! The command starts itself again, without its environment. That process, the worker, reads its input, gives up
//! everything else, and then runs programs. In a batch the command stays in between: it hands over one request at a
//! time, passes answers on, and replaces a worker that dies or does not answer.

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests;

use std::io::{BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use ptc_runner::lisp::{Reason, Session, SessionOptions};

use crate::failure::{Exit, Failure};
use crate::lines::Lines;
use crate::output;
use crate::program::no_tool;
use crate::seal;

/// Tells the command that it is the worker.
const WORKER: &str = "PTC_ISOLATED_WORKER";

/// The only other variables that a worker has: whether its texts have colours.
const VARIABLES: [&str; 2] = ["NO_COLOR", "TERM"];

/// Bytes that a worker maps in addition to the memory of programs: the allocator maps a gigabyte ahead.
const BESIDE: u64 = 2 << 30;

/// Bytes that a worker may map for each byte of the memory limit: requests and answers are copies of what a program holds.
const FOR_EACH_BYTE: u64 = 8;

/// Bytes of an answer.
const MAX_ANSWER: usize = 1 << 30;

/// How long reading a request and writing its answer may take in addition to the time limit of the program.
pub(super) const GRACE: Duration = Duration::from_secs(30);

/// How long a worker may take to end once its output is closed.
const LAST_MOMENT: Duration = Duration::from_secs(5);

/// What a worker says before its first answer.
const READY: &[u8] = b"sealed\n";

/// Whether this process is a worker.
pub(super) fn is_worker() -> bool {
    std::env::var_os(WORKER).is_some()
}

/// From here on this process only computes.
pub(super) fn seal(memory: u64) -> Result<(), Failure> {
    // The first regular expression of a process asks the system how many processors there are.
    Session::new(SessionOptions::default()).run("(re-find #\"a\" \"a\")", &mut no_tool);
    Ok(seal::seal(Some(BESIDE.saturating_add(memory.saturating_mul(FOR_EACH_BYTE))))?)
}

/// Tell the command that requests will be answered.
pub(super) fn ready() -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    Ok(out.write_all(READY).and_then(|()| out.flush())?)
}

/// What a worker receives: the number of a line, and the line.
pub(super) fn numbered(handed: &[u8]) -> (u64, &[u8]) {
    let digits = handed.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (number, line) = handed.split_at_checked(digits).unwrap_or((b"", handed));
    let number = std::str::from_utf8(number).ok().and_then(|digits| digits.parse().ok());
    (number.unwrap_or_default(), line.strip_prefix(b" ").unwrap_or(line))
}

/// Run the whole command line in a worker.
pub(super) fn single() -> Result<Exit, Failure> {
    let status = worker()?.status()?;
    Ok(status.code().and_then(Exit::of).unwrap_or_else(|| {
        output::line(&format!("error: {}", died(&status.to_string())));
        Exit::Failed
    }))
}

/// The error for a program whose worker did not answer.
fn died(how: &str) -> String {
    // A refused allocation aborts, and so does a stack overflow.
    let remedy = if how.contains("SIGABRT") {
        "the bound on memory may have ended it: raise it with `--limit memory=SIZE`; if that does not help, it is "
    } else {
        ""
    };
    format!(
        "the process that ran the program ended ({how}): {remedy}a defect of the interpreter; please report the program"
    )
}

/// This command line again, as a worker.
fn worker() -> Result<Command, Failure> {
    if !seal::is_supported() {
        return Err(seal::SealError::Unsupported.into());
    }
    let mut command = Command::new(std::env::current_exe()?);
    command.args(std::env::args_os().skip(1)).env_clear().env(WORKER, "1");
    command.envs(VARIABLES.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
    Ok(command)
}

/// Why the program of a request gave no answer.
#[derive(Debug)]
pub(super) struct Unanswered {
    pub reason: Reason,
    pub message: String,
}

/// A worker of a batch. It ends with this value.
pub(super) struct Worker {
    child: Child,
    requests: SyncSender<Vec<u8>>,
    answers: Receiver<Vec<u8>>,
}

impl Worker {
    /// One that is sealed.
    pub(super) fn start() -> Result<Worker, Failure> {
        let worker = Worker::of(&mut worker()?)?;
        match worker.answers.recv_timeout(GRACE) {
            Ok(line) if line == READY => Ok(worker),
            _ => Err("the worker of --isolate does not start; `ptc eval --isolate -e nil` says why".into()),
        }
    }

    fn of(command: &mut Command) -> std::io::Result<Worker> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(std::io::ErrorKind::BrokenPipe.into());
        };
        // A pipe that is not read blocks its writer. It ends with the worker.
        let (requests, receiver) = sync_channel::<Vec<u8>>(1);
        std::thread::spawn(move || receiver.iter().try_for_each(|request| input.write_all(&request)));
        let (sender, answers) = sync_channel(1);
        std::thread::spawn(move || {
            let mut lines = Lines::new(BufReader::with_capacity(1 << 16, output), MAX_ANSWER);
            // An answer that is cut short is dropped: the channel closes, and `ask` returns an error.
            while let Ok(Some(line)) = lines.next()
                && line.ends_with(b"\n")
                && sender.send(line.to_vec()).is_ok()
            {}
        });
        Ok(Worker { child, requests, answers })
    }

    /// The answer to the request in this line, within this time. After an error this worker is unusable.
    pub(super) fn ask(&mut self, number: u64, line: &[u8], most: Duration) -> Result<Vec<u8>, Unanswered> {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let request = [format!("{number} ").as_bytes(), line, b"\n"].concat();
        let answer = match self.requests.send(request) {
            Ok(()) => self.answers.recv_timeout(most),
            Err(_) => Err(RecvTimeoutError::Disconnected),
        };
        answer.map_err(|why| match why {
            RecvTimeoutError::Timeout => {
                let message = format!("no answer within {} s, the time limit plus time for input and output; the process of the program was ended", most.as_secs());
                Unanswered { reason: Reason::Timeout, message }
            }
            RecvTimeoutError::Disconnected => {
                Unanswered { reason: Reason::InternalError, message: died(&self.ended(LAST_MOMENT)) }
            }
        })
    }

    /// How a worker that closed its output ended. Its streams close a moment before.
    fn ended(&mut self, within: Duration) -> String {
        let began = Instant::now();
        while began.elapsed() < within {
            match self.child.try_wait() {
                Ok(None) => std::thread::sleep(Duration::from_millis(10)),
                Ok(Some(status)) => return status.to_string(),
                Err(error) => return error.to_string(),
            }
        }
        "it closed its output".to_owned()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ended = self.child.kill().and_then(|()| self.child.wait());
    }
}
