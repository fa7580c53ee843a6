//! A tool that starts a command: JSON in, JSON out.

use std::io;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use ptc_agent::ToolContext;
use ptc_lisp::text::{shortened, shortened_counted};
use ptc_lisp::{Import, ToolCall, ToolError, ToolResult};
use ptc_mcp::CommandLine;
use tokio::io::{AsyncRead, AsyncReadExt};

use super::group::Group;
use super::input;
use crate::data::twice;
use crate::place::named;
use crate::text::utf8;

/// Bytes of output that are read; more is a failure.
const MAX_OUTPUT: u64 = 64 << 20;
/// Bytes kept of a command's standard error, up to twice as many.
const MAX_WORDS: usize = 64 << 10;
/// Characters quoted of a command's output.
const MAX_QUOTE: usize = 300;

/// The variable with the id of the call: the same when a run is resumed after a crash.
const CALL_ID: &str = "PTC_CALL_ID";

/// The result of a call, within this time.
pub(super) async fn call(line: &CommandLine, call: &ToolCall, limit: Option<Duration>) -> ToolResult {
    let args = call.args.to_json().map_err(|error| ToolError::new(error.message))?;
    let input = format!("{args}\n");
    let Some(limit) = limit else { return run(line, &input).await };
    // Dropping the run on the way out ends the command, with everything that it has started.
    match tokio::time::timeout(limit, run(line, &input)).await {
        Ok(result) => result,
        Err(_) => Err(ToolError::new(format!("no answer within {}", shown(limit))).may_have_run(true)),
    }
}

async fn run(line: &CommandLine, input: &str) -> ToolResult {
    let failed = |error: io::Error| ToolError::new(format!("cannot run {}: {error}", named(&line.executable)));
    let group = start(line, input).map_err(failed)?;
    let Some((status, out, err)) = outputs(group).await.map_err(|error| failed(error).may_have_run(true))? else {
        let most = MAX_OUTPUT >> 20;
        let told = format!("it printed more than {most} MB, the limit of a result");
        return Err(done(format!("{told}; let it give a part, or write a file and give its name")));
    };
    if !status.success() {
        let failure = ToolError::new(ending(status, &out, &err));
        // A signal may come at any time.
        return Err(if status.code().is_none() { failure.may_have_run(true) } else { failure });
    }
    let text = utf8(out).map_err(|(_, problem)| done(format!("what it printed: {}; write UTF-8", problem.found())))?;
    if text.trim().is_empty() {
        return Err(done("it printed nothing; its result must be JSON on standard output"));
    }
    let value = Import::counted()
        .text(&text)
        .map_err(|error| done(format!("it did not print JSON ({error}) but: {}", shortened(text.trim(), MAX_QUOTE))))?;
    twice::check(&text).map_err(|error| done(format!("in what it printed {error}")))?;
    Ok(value)
}

/// Start it with this input.
pub(super) fn start(line: &CommandLine, input: &str) -> io::Result<Group> {
    let mut command = line.command();
    command.stdin(input::of(input.as_bytes())?).stdout(Stdio::piped()).stderr(Stdio::piped());
    if let Some(call) = ToolContext::current() {
        command.env(CALL_ID, call.call_id());
    }
    Group::start(&mut command)
}

/// The failure of a command that ran, but whose output is unusable.
fn done(message: impl Into<String>) -> ToolError {
    ToolError::new(message).may_have_run(true)
}

/// How a command ended, what it printed, and the end of its standard error.
type Outputs = (ExitStatus, Vec<u8>, Vec<u8>);

/// Read both outputs at the same time, so that no pipe fills up; then wait for the end. `None` when it prints too much;
/// then it is ended.
async fn outputs(mut group: Group) -> io::Result<Option<Outputs>> {
    let pipes = group.child().map(|child| (child.stdout.take(), child.stderr.take()));
    let (stdout, stderr) = pipes.unwrap_or_default();
    match tokio::try_join!(result_of(stdout), last_of(stderr)) {
        Ok((out, err)) => Ok(Some((group.wait().await?, out, err))),
        Err(Stopped::TooMuch) => Ok(None),
        Err(Stopped::Io(error)) => Err(error),
    }
}

/// Why a command's output is not read to its end.
enum Stopped {
    TooMuch,
    Io(io::Error),
}

/// Everything that arrives, up to [`MAX_OUTPUT`].
async fn result_of(pipe: Option<impl AsyncRead + Unpin>) -> Result<Vec<u8>, Stopped> {
    let mut bytes = Vec::new();
    if let Some(pipe) = pipe {
        pipe.take(MAX_OUTPUT + 1).read_to_end(&mut bytes).await.map_err(Stopped::Io)?;
    }
    if bytes.len() as u64 > MAX_OUTPUT { Err(Stopped::TooMuch) } else { Ok(bytes) }
}

/// The end of what arrives; a command is not stopped because it writes a lot.
async fn last_of(pipe: Option<impl AsyncRead + Unpin>) -> Result<Vec<u8>, Stopped> {
    let mut bytes = Vec::new();
    let Some(mut pipe) = pipe else { return Ok(bytes) };
    while pipe.read_buf(&mut bytes).await.map_err(Stopped::Io)? > 0 {
        if bytes.len() > 2 * MAX_WORDS {
            bytes.drain(..bytes.len() - MAX_WORDS);
        }
    }
    Ok(bytes)
}

/// How a failed command ended, and the end of what it wrote on standard error, else of its output.
fn ending(status: ExitStatus, out: &[u8], err: &[u8]) -> String {
    let (out, err) = (String::from_utf8_lossy(out), String::from_utf8_lossy(err));
    let mut lines = out.lines().chain(err.lines()).map(str::trim).rev();
    let last = lines.find(|line| !line.is_empty());
    let how = match status.code() {
        Some(code) => format!("exit code {code}"),
        None => status.to_string(),
    };
    match last {
        Some(line) => format!("{how}: {}", shortened_counted(line, MAX_QUOTE)),
        None => how,
    }
}

fn shown(limit: Duration) -> String {
    if limit.subsec_millis() == 0 { format!("{} s", limit.as_secs()) } else { format!("{} ms", limit.as_millis()) }
}
