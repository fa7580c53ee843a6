//! A command as a server: its lines are messages.

use std::io;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex as StdMutex, PoisonError};
use std::time::Duration;

use process_wrap::tokio::{ChildWrapper, CommandWrap};
use rmcp::RoleClient;
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::sync::Mutex;

use crate::readable::{self, Outline};

/// How long a command may take to end after its input was closed, and again after it was asked to end.
const ENDS: Duration = Duration::from_secs(3);

/// A command that was started. It is killed when this is dropped.
pub(crate) struct Child {
    process: Process,
    input: Arc<Mutex<Option<ChildStdin>>>,
    output: BufReader<ChildStdout>,
    line: Line,
}

/// What runs.
#[derive(Clone)]
struct Process {
    child: Arc<Mutex<Box<dyn ChildWrapper>>>,
    /// How it ended, once that is why nothing is read or written.
    ending: Arc<StdMutex<String>>,
}

/// The line that is being read: those who wait for it may give up and come back.
#[derive(Default)]
struct Line {
    text: Vec<u8>,
    /// Once it is too long, what is known of it.
    outline: Option<Outline>,
}

impl Child {
    /// Start a command, whose standard error is the second value. How it ended is put into `ending` where that is why its
    /// streams are closed.
    pub fn start(mut command: Command, ending: Arc<StdMutex<String>>) -> io::Result<(Child, Option<ChildStderr>)> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        let mut process = CommandWrap::from(command).spawn()?;
        let missing = || io::Error::other("a stream of the command is missing");
        let input = process.stdin().take().ok_or_else(missing)?;
        let output = process.stdout().take().ok_or_else(missing)?;
        let errors = process.stderr().take();
        let input = Arc::new(Mutex::new(Some(input)));
        let process = Process { child: Arc::new(Mutex::new(process)), ending };
        Ok((Child { process, input, output: BufReader::new(output), line: Line::default() }, errors))
    }
}

impl Process {
    async fn ends(&self) -> Option<ExitStatus> {
        let mut child = self.child.lock().await;
        tokio::time::timeout(ENDS, child.wait()).await.ok()?.ok()
    }

    /// Its streams are closed: note how it ended, if it did.
    async fn is_closed(&self) {
        if let Some(status) = self.ends().await {
            *self.ending.lock().unwrap_or_else(PoisonError::into_inner) = format!("the command ended ({status})");
        }
    }
}

impl Line {
    /// Take bytes of the line.
    fn take(&mut self, bytes: &[u8]) {
        match &mut self.outline {
            Some(outline) => outline.take(bytes),
            None if self.text.len() + bytes.len() <= readable::max_message() => self.text.extend_from_slice(bytes),
            None => {
                let mut outline = Outline::default();
                outline.take(&std::mem::take(&mut self.text));
                outline.take(bytes);
                self.outline = Some(outline);
            }
        }
    }

    /// The line is complete: its message, if it is one, and the next line begins.
    fn end(&mut self) -> Option<ServerJsonRpcMessage> {
        let message = match self.outline.take() {
            Some(outline) => outline.refused(&readable::too_long()),
            None => readable::message(&self.text),
        };
        self.text.clear();
        message
    }
}

impl Transport<RoleClient> for Child {
    type Error = io::Error;

    fn send(&mut self, message: ClientJsonRpcMessage) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let (input, process) = (self.input.clone(), self.process.clone());
        async move {
            let mut line = serde_json::to_vec(&message)?;
            line.push(b'\n');
            let mut input = input.lock().await;
            let input = input.as_mut().ok_or_else(|| io::Error::from(io::ErrorKind::NotConnected))?;
            let written = match input.write_all(&line).await {
                Ok(()) => input.flush().await,
                failed => failed,
            };
            if written.is_err() {
                process.is_closed().await;
            }
            written
        }
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        loop {
            // Nothing is consumed when this is dropped while it waits.
            let Some(bytes) = self.output.fill_buf().await.ok().filter(|bytes| !bytes.is_empty()) else {
                self.process.is_closed().await;
                return None;
            };
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let (text, _) = bytes.split_at_checked(end.unwrap_or(bytes.len())).unwrap_or_default();
            self.line.take(text);
            let consumed = text.len() + usize::from(end.is_some());
            self.output.consume(consumed);
            if let Some(message) = end.and_then(|_| self.line.end()) {
                return Some(message);
            }
        }
    }

    /// Close its input and wait for it to end; then ask it to, and at last kill it.
    async fn close(&mut self) -> io::Result<()> {
        self.input.lock().await.take();
        if self.process.ends().await.is_some() {
            return Ok(());
        }
        #[cfg(unix)]
        {
            let asked = self.process.child.lock().await.signal(libc::SIGTERM);
            if asked.is_ok() && self.process.ends().await.is_some() {
                return Ok(());
            }
        }
        Box::into_pin(self.process.child.lock().await.kill()).await
    }
}
