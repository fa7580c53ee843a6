//! The record that an engine keeps of one invocation, as the protocol of the engine lets a process read and write it.
//!
//! This is the seam to engines: [`pump`](crate::pump) drives any handler over any [`Record`]. Restate's is in
//! `restate/record.rs`. One for Temporal would begin commands as activities and timers, and give the jobs of an activation as
//! [`Progress`].

use std::task::{Context, Poll};

use bytes::Bytes;

/// Names something that was begun and has not come back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Handle(pub u32);

/// Something to begin, which comes back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Work of this process, whose result goes on record.
    Run {
        /// The same whenever the handler is driven again.
        name: String,
    },
    /// Wait.
    Sleep {
        /// For people who look at the record.
        name: String,
        /// Until then: microseconds since 1970.
        until_us: u64,
    },
    /// Wait until somebody gives the promise of this name a value.
    AwaitPromise(String),
    /// Give it one, once.
    CompletePromise(String, Bytes),
    /// The value under a key of the state of this mission.
    State(String),
    /// The keys of that state.
    StateKeys,
    /// Wait for a value that somebody sends to the id which the engine makes.
    Callback,
}

/// Something that is put on record and does not come back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// Set a key of the state.
    SetState(String, Bytes),
    /// Take a key of the state away.
    ClearState(String),
    /// Call a handler of another object, from then on (microseconds since 1970), and do not wait.
    Send(Target, Bytes, Option<u64>),
    /// Give a callback its value.
    AnswerCallback(String, Bytes),
}

/// A handler of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The service.
    pub service: String,
    /// Which of its objects.
    pub key: String,
    /// The handler.
    pub handler: &'static str,
}

/// What came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Completion {
    /// Nothing, or no value under that key.
    Empty,
    /// A value.
    Value(Bytes),
    /// Keys of the state.
    Keys(Vec<String>),
    /// It could not be done, by a code of HTTP and a text.
    Failed(u16, String),
}

/// What the engine says next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    /// This came back: now, or in a process before this one.
    Completed(Handle, Completion),
    /// This [`Command::Run`] has no result on record: work, then [`Record::propose`] one.
    Execute(Handle),
    /// Somebody wants the invocation to end.
    Cancelled,
}

/// Why the record does not go on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// The engine wants the process to let go: it drives the invocation again when something came back.
    #[error("suspended")]
    Suspended,
    /// The engine cannot be reached any more.
    #[error("the engine went away: {0}")]
    Gone(String),
    /// What the handler does is not what is on record.
    #[error("{0}")]
    Diverged(String),
}

/// The record of one invocation.
pub trait Record {
    /// Begin something; a callback has an id, too.
    fn begin(&mut self, command: Command) -> Result<(Handle, Option<String>), RecordError>;

    /// Put something on record that does not come back.
    fn tell(&mut self, notice: Notice) -> Result<(), RecordError>;

    /// The result of work that was to be executed; it comes back as a completion once it is on record.
    fn propose(&mut self, handle: Handle, value: Bytes) -> Result<(), RecordError>;

    /// What comes next of what is `open`. Completions come one at a time, in the order of the record, whenever the
    /// invocation is driven.
    fn poll_progress(&mut self, cx: &mut Context<'_>, open: &[Handle]) -> Poll<Result<Progress, RecordError>>;
}
