//! A tool that starts a command: JSON in, JSON out.

use std::io;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use ptc_agent::ToolContext;
use ptc_lisp::{BoxFuture, Import, Tool, ToolCall, ToolFailure, ToolResult, ToolSpec, shortened};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};

/// Bytes of output that are read; more is a failure.
const MAX_OUTPUT: u64 = 64 << 20;
/// Characters quoted of what a command printed.
const MAX_QUOTE: usize = 300;

/// The variable with the id of the call: the same when a run goes on after a crash.
const CALL_ID: &str = "PTC_CALL_ID";

/// Variables that every command gets; keys and tokens are not among them.
const PASSED_ON: [&str; 20] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "TMPDIR",
    "TEMP",
    "TMP",
    "SYSTEMROOT",
    "WINDIR",
    "COMSPEC",
    "PATHEXT",
    "USERPROFILE",
    "APPDATA",
    "LOCALAPPDATA",
    "VIRTUAL_ENV",
];

pub(super) struct CommandTool {
    pub(super) spec: ToolSpec,
    pub(super) executable: PathBuf,
    pub(super) args: Vec<String>,
    pub(super) folder: PathBuf,
    pub(super) env: Vec<(String, Option<String>)>,
}

impl Tool for CommandTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn call<'a>(&'a self, call: &'a ToolCall) -> BoxFuture<'a, ToolResult> {
        Box::pin(async move {
            let args = call.args.to_json().map_err(|error| ToolFailure::new(error.message))?;
            let input = format!("{args}\n");
            let Some(limit) = self.spec.timeout else { return self.run(&input).await };
            // Dropping the run on the way out ends the command.
            match tokio::time::timeout(limit, self.run(&input)).await {
                Ok(result) => result,
                Err(_) => Err(ToolFailure::new(format!("no answer within {}", shown(limit)))),
            }
        })
    }
}

impl CommandTool {
    async fn run(&self, input: &str) -> ToolResult {
        let failed = |error: io::Error| ToolFailure::new(format!("cannot run {}: {error}", self.executable.display()));
        let mut child = self.start().map_err(failed)?;
        let (status, out, err) = exchange(&mut child, input).await.map_err(failed)?;
        if !status.success() {
            return Err(ToolFailure::new(ending(status, &err)));
        }
        if out.len() as u64 > MAX_OUTPUT {
            return Err(ToolFailure::new(format!("it printed more than {} MB", MAX_OUTPUT >> 20)));
        }
        let text = String::from_utf8_lossy(&out);
        if text.trim().is_empty() {
            return Err(ToolFailure::new("it printed nothing; its result must be JSON on standard output"));
        }
        Import::counted()
            .text(&text)
            .map_err(|error| ToolFailure::new(format!("it did not print JSON ({error}) but: {}", shortened(text.trim(), MAX_QUOTE))))
    }

    fn start(&self) -> io::Result<Child> {
        let mut command = Command::new(&self.executable);
        command.args(&self.args).current_dir(&self.folder).env_clear().kill_on_drop(true);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        for name in PASSED_ON {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        for (name, value) in &self.env {
            match (value, std::env::var_os(name)) {
                (Some(value), _) => drop(command.env(name, value)),
                (None, Some(value)) => drop(command.env(name, value)),
                (None, None) => {}
            }
        }
        if let Some(call) = ToolContext::current() {
            command.env(CALL_ID, call.call_id());
        }
        command.spawn()
    }
}

/// Write the input and read both outputs at the same time, so that no pipe fills up; then wait for the end.
async fn exchange(child: &mut Child, input: &str) -> io::Result<(ExitStatus, Vec<u8>, Vec<u8>)> {
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let write = async {
        if let Some(mut stdin) = stdin {
            // A command that does not read its input closes it early.
            let _ = stdin.write_all(input.as_bytes()).await;
        }
    };
    let ((), out, err) = tokio::join!(write, bytes_of(stdout), bytes_of(stderr));
    let (out, err) = (out?, err?);
    if out.len() as u64 > MAX_OUTPUT {
        child.start_kill()?;
    }
    Ok((child.wait().await?, out, err))
}

async fn bytes_of(pipe: Option<impl AsyncRead + Unpin>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(pipe) = pipe {
        pipe.take(MAX_OUTPUT + 1).read_to_end(&mut bytes).await?;
    }
    Ok(bytes)
}

/// How a failed command ended, with its last words.
fn ending(status: ExitStatus, err: &[u8]) -> String {
    let text = String::from_utf8_lossy(err);
    let last = text.lines().rev().map(str::trim).find(|line| !line.is_empty());
    let how = match status.code() {
        Some(code) => format!("exit code {code}"),
        None => status.to_string(),
    };
    match last {
        Some(line) => format!("{how}: {}", shortened(line, MAX_QUOTE)),
        None => how,
    }
}

fn shown(limit: Duration) -> String {
    if limit.subsec_millis() == 0 { format!("{} s", limit.as_secs()) } else { format!("{} ms", limit.as_millis()) }
}
