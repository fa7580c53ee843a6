//! A worker: runs missions that an engine drives.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use indexmap::IndexMap;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::blob::{BlobStore, OnTrouble, WatchedBlobs};
use crate::limits::{LIMITS, Limits, service_of};
use crate::mission::{Mission, Shared};
use crate::restate;
#[cfg(unix)]
use crate::restate::{HandedInvocation, Processes, Start};
use crate::starts::Process;

/// Missions driven at once by default.
pub const AT_ONCE: usize = 1_000;

/// How long a mission may wait before the worker releases it.
const SUSPEND_AFTER: Duration = Duration::from_secs(1);

/// How long the outcome of a mission is kept.
const KEEP: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Runs missions for a durable engine, together with any number of workers that have the same ones.
#[must_use]
pub struct Worker {
    missions: IndexMap<String, Mission>,
    blobs: Arc<dyn BlobStore>,
    version: String,
    limits: Limits,
    at_once: usize,
    suspend_after: Duration,
    keep: Duration,
    on_trouble: OnTrouble,
    #[cfg(unix)]
    start: Option<Start>,
}

/// A mission that the engine could not serve.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WorkerError {
    /// The engine and its addresses need plain names.
    #[error("'{0}' cannot name a mission of a worker: use letters, digits, `-` and `_`, a letter first")]
    Name(String),
    /// Two missions of one name.
    #[error("two missions are named '{0}': rename one of them")]
    Twice(String),
}

/// A worker as it serves.
pub(crate) struct Serving {
    pub missions: IndexMap<String, Arc<Mission>>,
    pub shared: Shared,
    pub places: Semaphore,
    pub suspend_after: Duration,
    pub keep: Duration,
    #[cfg(unix)]
    pub on_trouble: OnTrouble,
    /// One for each invocation of a mission.
    #[cfg(unix)]
    pub processes: Option<Arc<Processes>>,
}

impl Worker {
    /// A worker without missions, of this version: missions continue on workers of the version that started them. All
    /// workers of an engine need the same blob store.
    pub fn new(version: impl Into<String>, blobs: Arc<dyn BlobStore>) -> Worker {
        Worker {
            missions: IndexMap::new(),
            blobs,
            version: version.into(),
            limits: Limits::default(),
            at_once: AT_ONCE,
            suspend_after: SUSPEND_AFTER,
            keep: KEEP,
            on_trouble: Arc::new(|_| ()),
            #[cfg(unix)]
            start: None,
        }
    }

    /// The same with one more mission.
    pub fn mission(mut self, mission: Mission) -> Result<Worker, WorkerError> {
        let name = mission.name.clone();
        let is_plain = name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
        if !is_plain || name.starts_with(LIMITS) {
            return Err(WorkerError::Name(name));
        }
        match self.missions.insert(name.clone(), mission) {
            None => Ok(self),
            Some(_) => Err(WorkerError::Twice(name)),
        }
    }

    /// Limits of models and tenants; all workers of an engine should be configured alike.
    pub fn limits(mut self, limits: Limits) -> Worker {
        self.limits = limits;
        self
    }

    /// How many missions are driven at once; further ones wait. Released missions do not count.
    pub fn at_once(mut self, missions: usize) -> Worker {
        self.at_once = missions.clamp(1, Semaphore::MAX_PERMITS);
        self
    }

    /// How long a mission may wait for a decision, a pause or a limit before the worker releases it: then it takes no
    /// memory, and its programs run again when it resumes.
    pub fn suspend_after(mut self, time: Duration) -> Worker {
        self.suspend_after = time;
        self
    }

    /// How long the engine keeps the outcome and the state of a mission.
    pub fn keep(mut self, time: Duration) -> Worker {
        self.keep = time;
        self
    }

    /// Have each mission driven by a separate process that `start` starts, for as long as it is not suspended: a program
    /// that ends its process then ends nothing else. The process calls [`HandedInvocation::receive`] and [`Worker::drive`].
    #[cfg(unix)]
    pub fn isolate(mut self, start: impl Fn() -> std::process::Command + Send + Sync + 'static) -> Worker {
        self.start = Some(Arc::new(start));
        self
    }

    /// Gets a line when the blob store cannot be used, at most one a minute, and one when it can be again: missions that
    /// need it wait meanwhile. Also when a process of [`Worker::isolate`] is lost.
    pub fn on_trouble(mut self, report: impl Fn(&str) + Send + Sync + 'static) -> Worker {
        self.on_trouble = Arc::new(report);
        self
    }

    /// The missions, by name.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.missions.keys().map(String::as_str)
    }

    /// Answer the engine until `stop` says so; running missions then have ten seconds, and resume on other workers.
    ///
    /// Errors of the listener. Anyone who can connect can run missions: make the address reachable for the engine only.
    pub async fn serve(self, listener: TcpListener, stop: CancellationToken) -> io::Result<()> {
        let limits_service = service_of(self.names());
        restate::serve(Arc::new(self.serving(limits_service, Process::new())), listener, stop).await
    }

    /// Drive the invocation that another worker has handed to this process: this worker has its mission, under the same
    /// version.
    #[cfg(unix)]
    pub async fn drive(self, handed: HandedInvocation) -> io::Result<()> {
        let serving = self.serving(handed.limits_service().to_owned(), handed.process());
        restate::drive(&serving, handed).await
    }

    fn serving(self, limits_service: String, process: Process) -> Serving {
        Serving {
            missions: self.missions.into_iter().map(|(name, mission)| (name, Arc::new(mission))).collect(),
            shared: Shared {
                blobs: Arc::new(WatchedBlobs::new(self.blobs, Arc::clone(&self.on_trouble))),
                version: self.version,
                limits: self.limits,
                limits_service,
                process,
            },
            places: Semaphore::new(self.at_once),
            suspend_after: self.suspend_after,
            keep: self.keep,
            #[cfg(unix)]
            on_trouble: self.on_trouble,
            #[cfg(unix)]
            processes: self.start.map(|start| Arc::new(Processes::new(start))),
        }
    }
}
