//! The record that an engine keeps of one invocation, as the protocol of the engine lets a process read and write it.
//!
//! This is the interface to engines: [`pump`](crate::pump) drives any handler over any [`Record`]. Restate's is in
//! `restate/record.rs`. One for Temporal would start commands as activities and timers, and return the jobs of an
//! activation as [`Progress`].

use std::task::{Context, Poll};

use bytes::Bytes;

/// Names something that was started and has not completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Handle(pub u32);

/// Something to start, which completes later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Work of this process, whose result is put on record.
    Run {
        /// The same whenever the handler is driven again.
        name: String,
    },
    /// Wait.
    Sleep {
        /// For people who read the record.
        name: String,
        /// Until then: microseconds since 1970.
        until_us: u64,
    },
    /// Wait until the promise of this name gets a value.
    AwaitPromise(String),
    /// The value of the promise of this name, if it has one.
    PeekPromise(String),
    /// Give the promise its value, once.
    CompletePromise(String, Bytes),
    /// The value under a key of the state of this mission.
    State(String),
    /// The keys of that state.
    StateKeys,
    /// Wait for a value that is sent to an id from the engine.
    Callback,
}

/// Something that is put on record and has no completion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// Set a key of the state.
    SetState(String, Bytes),
    /// Remove a key of the state.
    ClearState(String),
    /// Call a handler of another object, at this time (microseconds since 1970), without waiting.
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

/// The result of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Completion {
    /// Nothing, or no value under that key.
    Empty,
    /// A value.
    Value(Bytes),
    /// Keys of the state.
    Keys(Vec<String>),
    /// It failed, with an HTTP status code and a text.
    Failed(u16, String),
}

/// The engine's next message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    /// This completed: now, or in an earlier process.
    Completed(Handle, Completion),
    /// This [`Command::Run`] has no result on record: do the work, then [`Record::propose`] the result.
    Execute(Handle),
    /// The invocation is asked to end.
    Cancelled,
}

/// Why the record does not continue.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// The engine wants the process to release the invocation: it drives it again when something completed.
    #[error("suspended")]
    Suspended,
    /// The engine cannot be reached any more.
    #[error("the connection to the engine was lost: {0}")]
    Gone(String),
    /// The handler's commands differ from the record.
    #[error("{0}")]
    Diverged(String),
}

/// The record of one invocation.
pub trait Record {
    /// Start something; a callback has an id, too.
    fn begin(&mut self, command: Command) -> Result<(Handle, Option<String>), RecordError>;

    /// Put something on record that has no completion.
    fn tell(&mut self, notice: Notice) -> Result<(), RecordError>;

    /// Whether commands are on record that the handler has not started again yet.
    fn is_replaying(&self) -> bool;

    /// The result of executed work; it returns as a completion once it is on record.
    fn propose(&mut self, handle: Handle, value: Bytes) -> Result<(), RecordError>;

    /// The next message about what is `open`. Completions come one at a time, in the order of the record, whenever the
    /// invocation is driven.
    fn poll_progress(&mut self, cx: &mut Context<'_>, open: &[Handle]) -> Poll<Result<Progress, RecordError>>;
}
