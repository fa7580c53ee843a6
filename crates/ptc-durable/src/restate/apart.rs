//! Missions that are driven in separate processes: what a program does to its process ends only its own mission's attempt.
//!
//! The worker stays the address of the engine. It starts a process for each invocation of a mission, whose standard input
//! is a socket: first a line about the invocation, then the bytes of the protocol, both ways. When the process ends early,
//! so does the response, and the engine drives the mission again.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream as BlockingStream;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::{Bytes, BytesMut};
use futures::{Stream, StreamExt, stream};
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use serde::{Deserialize, Serialize};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use super::endpoint::{MissionHandler, Target, driven};
use super::record::RestateRecord;
use crate::starts::Process;
use crate::worker::Serving;

/// Bytes that are read at once.
const PIECE: usize = 64 * 1024;

/// How a worker starts the process of a mission.
pub(crate) type Start = Arc<dyn Fn() -> Command + Send + Sync>;

/// An invocation that a worker has handed to this process.
#[derive(Debug)]
pub struct HandedInvocation {
    about: About,
    socket: UnixStream,
}

/// What the process has to know of it.
#[derive(Debug, Serialize, Deserialize)]
struct About {
    mission: String,
    version: String,
    limits_service: String,
    /// Its own id, that of the worker, and ids of processes of the worker that were lost.
    process: String,
    worker: String,
    lost: Vec<String>,
    headers: Vec<(String, String)>,
}

/// How a worker starts processes, and what it knows of them.
pub(crate) struct Processes {
    start: Start,
    started: AtomicU64,
    lost: Mutex<Vec<String>>,
}

impl Processes {
    pub fn new(start: Start) -> Processes {
        Processes { start, started: AtomicU64::new(0), lost: Mutex::default() }
    }

    fn lost(&self) -> MutexGuard<'_, Vec<String>> {
        self.lost.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl HandedInvocation {
    /// The invocation that the standard input of this process has, which is a socket.
    ///
    /// Errors when a worker has not started this process for one.
    pub async fn receive() -> io::Result<HandedInvocation> {
        let socket = BlockingStream::from(io::stdin().as_fd().try_clone_to_owned()?);
        socket.set_nonblocking(true)?;
        let socket = UnixStream::from_std(socket)?;
        let (mut line, mut byte) = (Vec::new(), [0]);
        // Nothing of the bytes after it is read.
        loop {
            socket.readable().await?;
            match socket.try_read(&mut byte) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(_) if byte == *b"\n" => break,
                Ok(_) => line.extend(byte),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
        }
        Ok(HandedInvocation { about: serde_json::from_slice(&line)?, socket })
    }

    /// The name of the mission.
    #[must_use]
    pub fn mission(&self) -> &str {
        &self.about.mission
    }

    /// The version of the worker.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.about.version
    }

    pub(crate) fn limits_service(&self) -> &str {
        &self.about.limits_service
    }

    pub(crate) fn process(&self) -> Process {
        Process::of_worker(&self.about.worker, &self.about.process, self.about.lost.clone())
    }
}

/// Drive it as far as it goes.
pub(crate) async fn drive(serving: &Serving, handed: HandedInvocation) -> io::Result<()> {
    let HandedInvocation { about, socket } = handed;
    let (input, output) = socket.into_split();
    let (sender, mut written) = unbounded_channel::<Bytes>();
    let input = pieces(input).map(|piece| piece.map_err(|error| error.to_string()));
    let mission = serving.missions.get(&about.mission).map(Arc::clone);
    let mission = mission.ok_or_else(|| io::Error::other(format!("no mission '{}' here", about.mission)))?;
    let made = RestateRecord::new(headers_of(&about.headers), Box::pin(input), sender, serving.suspend_after);
    let (record, _) = made.map_err(|(_, problem)| io::Error::other(problem))?;
    let driven = driven(serving, Target::Mission(mission, MissionHandler::Run), record);
    let writing = async {
        while let Some(bytes) = written.recv().await {
            write(&output, &bytes).await?;
        }
        Ok(())
    };
    futures::future::join(driven, writing).await.1
}

/// Have a process drive the invocation with these headers, whose request has `input`.
pub(super) async fn hand_over(
    serving: &Serving,
    processes: &Processes,
    (mission, headers): (String, HeaderMap),
    mut input: impl Stream<Item = Result<Bytes, hyper::Error>> + Unpin,
    output: UnboundedSender<Bytes>,
) -> io::Result<()> {
    let texts = headers.iter().filter_map(|(name, value)| Some((name.to_string(), value.to_str().ok()?.to_owned())));
    let worker = serving.shared.process.id().to_owned();
    let id = format!("{worker}/{}", processes.started.fetch_add(1, Ordering::Relaxed));
    let about = About {
        process: id.clone(),
        lost: processes.lost().clone(),
        worker,
        mission,
        version: serving.shared.version.clone(),
        limits_service: serving.shared.limits_service.clone(),
        headers: texts.collect(),
    };
    let (ours, theirs) = BlockingStream::pair()?;
    ours.set_nonblocking(true)?;
    let child = (processes.start)().stdin(Stdio::from(OwnedFd::from(theirs))).stdout(Stdio::null()).spawn()?;
    let mut process = Running(Some(child));
    let (answer, request) = UnixStream::from_std(ours)?.into_split();
    let feeding = async {
        let mut line = serde_json::to_vec(&about)?;
        line.push(b'\n');
        write(&request, &line).await?;
        while let Some(Ok(bytes)) = input.next().await {
            write(&request, &bytes).await?;
        }
        // The process sees that the engine has closed the request.
        drop(request);
        std::future::pending::<io::Result<()>>().await
    };
    let reading = async {
        let mut answer = std::pin::pin!(pieces(answer));
        while let Some(piece) = answer.next().await {
            if output.send(piece?).is_err() {
                break;
            }
        }
        Ok::<_, io::Error>(())
    };
    tokio::select! {
        read = reading => read?,
        // A process that ended takes nothing more: its answer ends, too.
        fed = feeding => fed?,
    }
    process.ended().await.inspect_err(|_| processes.lost().push(id))
}

/// A process that ends with this value: when the engine is gone, another one drives the mission.
struct Running(Option<Child>);

impl Running {
    /// Wait for its end. Errors when it did not end in order.
    async fn ended(&mut self) -> io::Result<()> {
        let Some(mut child) = self.0.take() else { return Ok(()) };
        let status = tokio::task::spawn_blocking(move || child.wait()).await.map_err(io::Error::other)??;
        if status.success() { Ok(()) } else { Err(io::Error::other(format!("it ended with {status}"))) }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            let _ended = child.kill().and_then(|()| child.wait());
        }
    }
}

fn headers_of(texts: &[(String, String)]) -> HeaderMap {
    let header = |(name, value): &(String, String)| {
        Some((HeaderName::from_bytes(name.as_bytes()).ok()?, HeaderValue::from_str(value).ok()?))
    };
    texts.iter().filter_map(header).collect()
}

/// What arrives, until the other side closes.
fn pieces(from: OwnedReadHalf) -> impl Stream<Item = io::Result<Bytes>> {
    stream::try_unfold(from, |from| async move {
        let mut piece = BytesMut::zeroed(PIECE);
        loop {
            from.readable().await?;
            match from.try_read(&mut piece) {
                Ok(0) => return Ok(None),
                Ok(read) => return Ok(Some((piece.split_to(read).freeze(), from))),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
        }
    })
}

async fn write(to: &OwnedWriteHalf, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        to.writable().await?;
        match to.try_write(bytes) {
            Ok(written) => bytes = bytes.get(written..).unwrap_or_default(),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
