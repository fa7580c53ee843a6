//! An engine in memory: keeps a journal of each invocation, and has a worker drive it until it ends.
//!
//! It may lose the connection to the worker at any frame, as if one of them had been killed, and may ask the worker to
//! release the invocation.

mod commands;

use std::collections::{BTreeMap, HashMap};
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use futures::stream;
use http_body_util::{BodyExt, StreamBody};
use hyper::Request;
use hyper::body::Frame as Part;
use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use ptc_lisp::SplitMix64;
use serde_json::Value as Json;
use tokio::net::TcpStream;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;

use crate::frames::*;

/// How long until an invocation is driven again after an error.
const AGAIN: Duration = Duration::from_millis(5);

/// A test that waits longer has failed.
const PATIENCE: Duration = Duration::from_secs(30);

/// The outcome of an invocation: JSON, or an HTTP status code and a text.
pub type Ended = Result<Json, (u32, String)>;

/// The engine; clones are the same one.
#[derive(Clone)]
pub struct Engine(Arc<World>);

struct World {
    /// They drive an invocation in turn.
    workers: Mutex<Vec<SocketAddr>>,
    tables: Mutex<Tables>,
    changed: watch::Sender<()>,
}

/// Everything that it keeps.
#[derive(Default)]
pub struct Tables {
    pub invocations: Vec<Invocation>,
    objects: HashMap<(String, String), Object>,
    /// The version of the protocol: 7, or what is here for 6.
    version: Option<u16>,
    /// Who sleeps: invocation and completion.
    sleeps: Vec<(usize, u32)>,
    chaos: Chaos,
}

/// One call of a handler.
#[derive(Default)]
pub struct Invocation {
    pub service: String,
    pub handler: String,
    pub key: String,
    /// Commands and notifications, in order.
    pub journal: Vec<Frame>,
    pub ended: Option<Ended>,
    /// Attempts that ended with an error, which are retried.
    pub errors: Vec<(u32, String)>,
    /// How often a worker was asked to drive it.
    pub drives: usize,
    /// The worker released it, and what it waits for is not there.
    pub suspended: bool,
    /// Its connection is to be lost.
    cut: bool,
}

/// What the invocations of one key share.
#[derive(Default)]
struct Object {
    state: BTreeMap<String, Bytes>,
    promises: BTreeMap<String, Bytes>,
    /// Waiters of each promise: invocation and completion.
    asked: Vec<(String, usize, u32)>,
    turn: Arc<tokio::sync::Mutex<()>>,
}

/// Deliberately lost connections.
#[derive(Default)]
struct Chaos {
    random: Option<SplitMix64>,
    left: usize,
    one_in: u64,
}

/// The fate of a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fate {
    Arrives,
    /// It is lost with its connection.
    Lost,
    /// The connection is lost after it.
    Last,
    /// The engine asks the worker to release the invocation.
    LetGo,
}

/// How driving an invocation once ended.
enum Driven {
    Ended,
    Lost,
    Failed(u32, String),
    Suspended(Suspension),
}

impl Invocation {
    /// The notifications of its journal.
    fn notifications(&self) -> impl Iterator<Item = Notification> {
        self.journal.iter().filter(|frame| !ty::is_command(frame.ty)).map(Frame::read)
    }

    fn has(&self, wanted: &Suspension) -> bool {
        self.notifications().any(|there| wanted.wants(&there))
    }

    /// Whether the command with this completion id has its result.
    pub fn completes(&self, completion: u32) -> bool {
        self.notifications().any(|there| there.completion == Some(completion))
    }

    /// Whether no worker has it, and this many decisions were asked for until now.
    pub fn waits_for(&self, decisions: usize) -> bool {
        let asked = self.commands::<Get>(ty::GET_PROMISE).into_iter();
        self.suspended && asked.filter(|asked| asked.key.starts_with("decision/")).count() == decisions
    }

    /// The messages of its commands of this type.
    pub fn commands<M: prost::Message + Default>(&self, ty: u16) -> Vec<M> {
        self.journal.iter().filter(|frame| frame.ty == ty).map(Frame::read).collect()
    }
}

impl Tables {
    fn object(&mut self, number: usize) -> &mut Object {
        let invocation = &self.invocations[number];
        self.objects.entry((invocation.service.clone(), invocation.key.clone())).or_default()
    }

    /// A notification for an invocation that has not ended.
    fn notify(&mut self, number: usize, ty: u16, notification: &Notification) {
        let invocation = &mut self.invocations[number];
        if invocation.ended.is_none() {
            invocation.journal.push(Frame::new(ty, notification));
        }
    }

    fn draw(&mut self) -> Fate {
        let Chaos { random: Some(random), left, one_in } = &mut self.chaos else { return Fate::Arrives };
        if *left == 0 || random.next_u64() % *one_in != 0 {
            return Fate::Arrives;
        }
        *left -= 1;
        [Fate::Lost, Fate::Last, Fate::LetGo][(random.next_u64() % 3) as usize]
    }
}

impl Engine {
    /// An engine for this worker.
    pub fn new(worker: SocketAddr) -> Engine {
        let changed = watch::Sender::new(());
        Engine(Arc::new(World { workers: Mutex::new(vec![worker]), tables: Mutex::default(), changed }))
    }

    /// Speak this version of the protocol, 6 or 7.
    pub fn speak(&self, version: u16) {
        self.tables().version = Some(version);
    }

    fn version(&self) -> u16 {
        self.tables().version.unwrap_or(6)
    }

    /// Lose connections: one in this many frames, this many times.
    pub fn chaos(&self, seed: u64, times: usize, one_in: u64) {
        self.tables().chaos = Chaos { random: Some(SplitMix64::new(seed)), left: times, one_in };
    }

    /// Lose the connection of an invocation, as if its worker had been killed, and have this one drive it.
    pub fn lose(&self, number: usize, worker: SocketAddr) {
        self.use_worker(worker);
        self.change(|tables| tables.invocations[number].cut = true);
    }

    /// From now on another worker drives.
    pub fn use_worker(&self, worker: SocketAddr) {
        self.use_workers(vec![worker]);
    }

    /// From now on these drive, each invocation another one whenever it is driven again.
    pub fn use_workers(&self, workers: Vec<SocketAddr>) {
        *self.0.workers.lock().expect("workers") = workers;
    }

    /// Everything that is kept.
    pub fn tables(&self) -> MutexGuard<'_, Tables> {
        self.0.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Something of an invocation.
    pub fn look<T>(&self, number: usize, at: impl FnOnce(&Invocation) -> T) -> T {
        at(&self.tables().invocations[number])
    }

    /// Wait until there is something to see.
    pub async fn until<T>(&self, what: &str, see: impl Fn(&mut Tables) -> Option<T>) -> T {
        let mut changes = self.0.changed.subscribe();
        let seen = async {
            loop {
                if let Some(seen) = see(&mut self.tables()) {
                    return seen;
                }
                changes.changed().await.expect("the engine lives");
            }
        };
        match tokio::time::timeout(PATIENCE, seen).await {
            Ok(seen) => seen,
            Err(_) => {
                let tables = self.tables();
                let shown = tables.invocations.iter().filter(|invocation| invocation.ended.is_none());
                let shown = shown.map(|it| {
                    let journal: Vec<_> = it.journal.iter().map(|frame| format!("{:04x}", frame.ty)).collect();
                    format!("{}/{}/{} {:?} {}", it.service, it.key, it.handler, it.errors, journal.join(" "))
                });
                panic!("nobody sees {what}; what goes on: {:#?}", shown.collect::<Vec<_>>())
            }
        }
    }

    /// Start the workflow of this key; returns its number.
    pub fn submit(&self, mission: &str, key: &str, submission: Json) -> usize {
        self.begin(mission, "run", key, submission.to_string().into())
    }

    /// The outcome of an invocation.
    pub async fn ended(&self, number: usize) -> Ended {
        self.until(&format!("the end of {number}"), |tables| tables.invocations[number].ended.clone()).await
    }

    /// Call a handler and wait for it.
    pub async fn call(&self, service: &str, key: &str, handler: &str, input: Json) -> Ended {
        self.ended(self.begin(service, handler, key, input.to_string().into())).await
    }

    /// Give an invocation time to be released.
    pub async fn suspended(&self, number: usize) {
        self.until(&format!("{number} suspended"), |tables| tables.invocations[number].suspended.then_some(())).await;
    }

    fn begin(&self, service: &str, handler: &str, key: &str, input: Bytes) -> usize {
        let mut tables = self.tables();
        let number = tables.invocations.len();
        let input = Frame::new(ty::INPUT, &Input { value: Some(Value { content: input }) });
        tables.invocations.push(Invocation {
            service: service.to_owned(),
            handler: handler.to_owned(),
            key: key.to_owned(),
            journal: vec![input],
            ..Invocation::default()
        });
        let turn = Arc::clone(&tables.object(number).turn);
        drop(tables);
        let is_shared = ["status", "approve", "cancel"].contains(&handler);
        let engine = self.clone();
        tokio::spawn(async move {
            let _turn = if is_shared { None } else { Some(turn.lock_owned().await) };
            engine.drive_to_end(number).await;
        });
        number
    }

    async fn drive_to_end(&self, number: usize) {
        loop {
            match self.drive(number).await {
                Driven::Ended => return,
                Driven::Lost => {}
                Driven::Failed(code, text) => {
                    self.change(|tables| tables.invocations[number].errors.push((code, text)));
                    tokio::time::sleep(AGAIN).await;
                }
                Driven::Suspended(wanted) => {
                    self.change(|tables| {
                        let invocation = &mut tables.invocations[number];
                        invocation.suspended = !invocation.has(&wanted);
                    });
                    let mut changes = self.0.changed.subscribe();
                    while !self.look(number, |invocation| invocation.has(&wanted)) {
                        changes.changed().await.expect("the engine lives");
                    }
                    self.change(|tables| tables.invocations[number].suspended = false);
                }
            }
        }
    }

    /// Have the worker drive it, as far as it goes.
    async fn drive(&self, number: usize) -> Driven {
        let (path, first) = self.opening(number);
        self.change(|_| ());
        let mut told = first.len() - 1;
        let mut changes = self.0.changed.subscribe();
        let drives = self.look(number, |invocation| invocation.drives);
        let workers = self.0.workers.lock().expect("workers").clone();
        let worker = workers[drives % workers.len()];
        let Ok(stream) = TcpStream::connect(worker).await else { return Driven::Failed(503, "no worker".to_owned()) };
        stream.set_nodelay(true).expect("a socket");
        let handshake = http2::handshake(TokioExecutor::new(), TokioIo::new(stream)).await;
        let (mut sender, connection) = handshake.expect("HTTP/2");
        let _connection = Lost(tokio::spawn(async move {
            let _ = connection.await;
        }));
        let (to_worker, frames) = mpsc::unbounded_channel::<Frame>();
        first.into_iter().for_each(|frame| to_worker.send(frame).expect("a request"));
        let frames = stream::unfold(frames, |mut frames| async move {
            let frame = frames.recv().await?;
            Some((Ok::<_, Infallible>(Part::data(frame.bytes())), frames))
        });
        let request = Request::post(format!("http://{worker}{path}"))
            .header("content-type", format!("application/vnd.restate.invocation.v{}", self.version()))
            .body(StreamBody::new(Box::pin(frames)))
            .expect("a request");
        let Ok(response) = sender.send_request(request).await else { return Driven::Lost };
        assert_eq!(response.status(), 200, "{path}");
        let (mut body, mut received) = (response.into_body(), BytesMut::new());
        let mut to_worker = Some(to_worker);
        loop {
            if std::mem::take(&mut self.tables().invocations[number].cut) {
                return Driven::Lost;
            }
            for frame in self.news(number, &mut told) {
                let fate = self.tables().draw();
                match fate {
                    Fate::Lost | Fate::Last => return Driven::Lost,
                    Fate::LetGo => to_worker = None,
                    Fate::Arrives => {}
                }
                // A worker that is gone is noticed below.
                let _ = to_worker.as_ref().map(|to_worker| to_worker.send(frame));
            }
            tokio::select! {
                _ = changes.changed() => {}
                part = body.frame() => {
                    let Some(Ok(part)) = part else { return Driven::Lost };
                    received.extend_from_slice(part.data_ref().map_or(&[], |data| data));
                    while let Some(frame) = Frame::take(&mut received) {
                        let fate = self.tables().draw();
                        if fate == Fate::Lost {
                            return Driven::Lost;
                        }
                        if let Some(driven) = self.take(number, frame) {
                            return driven;
                        }
                        match fate {
                            Fate::Last => return Driven::Lost,
                            Fate::LetGo => to_worker = None,
                            _ => {}
                        }
                    }
                }
            }
        }
    }

    /// Where an invocation is driven, and the first message to the worker.
    fn opening(&self, number: usize) -> (String, Vec<Frame>) {
        let mut tables = self.tables();
        let state = tables.object(number).state.clone();
        let state = state.into_iter().map(|(key, value)| Entry { key: key.into(), value });
        let invocation = &mut tables.invocations[number];
        invocation.drives += 1;
        let is_lazy = invocation.service.starts_with("ptc_limits");
        let start = Start {
            id: Bytes::copy_from_slice(&(number as u64).to_be_bytes()),
            debug_id: format!("inv_{number}"),
            known_entries: u32::try_from(invocation.journal.len()).expect("a short journal"),
            state_map: if is_lazy { Vec::new() } else { state.collect() },
            partial_state: is_lazy,
            key: invocation.key.clone(),
        };
        let frames = [Frame::new(ty::START, &start)].into_iter().chain(invocation.journal.iter().cloned());
        (format!("/invoke/{}/{}", invocation.service, invocation.handler), frames.collect())
    }

    /// Notifications of the journal that the worker has not received.
    fn news(&self, number: usize, told: &mut usize) -> Vec<Frame> {
        let version = self.version();
        // The worker has proposed it.
        let shortened = |frame: &Frame| match frame.ty == ty::completion_of(ty::RUN) && version >= 7 {
            true => {
                let completion = frame.read::<Notification>().completion;
                Frame::new(ty::PROPOSE_RUN_COMPLETION_ACK, &Notification { completion, ..Notification::default() })
            }
            false => frame.clone(),
        };
        self.look(number, |invocation| {
            let news = invocation.journal[*told..].iter().filter(|frame| !ty::is_command(frame.ty)).map(shortened);
            *told = invocation.journal.len();
            news.collect()
        })
    }

    fn change<T>(&self, how: impl FnOnce(&mut Tables) -> T) -> T {
        let changed = how(&mut self.tables());
        self.0.changed.send_replace(());
        changed
    }
}

/// A connection, which is lost when this is dropped.
struct Lost(JoinHandle<()>);

impl Drop for Lost {
    fn drop(&mut self) {
        self.0.abort();
    }
}
