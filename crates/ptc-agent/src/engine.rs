//! Durable engines: where the steps of a run are done once, whatever happens to the process that does them.

use std::any::Any;
use std::time::Duration;

use ptc_chat::{Reply, Request};
use ptc_lisp::BoxFuture;
use ptc_transcript::{Decision, JournalError, JournalRecord};

use crate::approval::Approval;

/// A durable engine under one run and the agents that it calls.
///
/// The run decides and never waits on its own: everything from outside comes through here, and is recorded before the
/// run sees it. In another process the same run is driven from its beginning again, and the engine returns what it
/// recorded instead of doing it once more. Programs run again, which costs fuel and has no effects.
///
/// An adapter must give completions to the run **one at a time in the order of its record**, the next one only when the
/// run waits for nothing but the engine. Agents called concurrently are branches of one run, and so they start their
/// steps in the same order each time. What runs between two completions is quick, apart from programs that take several
/// slices: those call [`Engine::rest`], until which the run does not wait for the engine alone.
///
/// Wall-clock time never decides what a run does here. Deadlines are compared with times in records, and programs end
/// by their fuel instead of their time, which differs on each machine.
pub trait Engine: Send + Sync {
    /// When the run started, by its record: microseconds since 1970.
    fn began(&self) -> i64;

    /// The result of the step of this name: `work` is done unless the result is on record. Names differ within a run
    /// and are the same each time it is driven.
    ///
    /// Errors when the record diverges; the run then ends with what it knows. In a process that must stop, this never
    /// returns: the process drops the run.
    fn step<'a>(&'a self, name: String, work: BoxFuture<'a, JournalRecord>) -> BoxFuture<'a, Stepped>;

    /// Wait until this model may be sent this request.
    fn admit<'a>(&'a self, model: &'a str, request: &'a Request) -> BoxFuture<'a, Result<(), JournalError>>;

    /// Record what the model used for the request.
    fn used(&self, model: &str, request: &Request, reply: &Reply);

    /// Wait, without keeping a process awake.
    fn sleep(&self, name: String, time: Duration) -> BoxFuture<'_, Result<(), JournalError>>;

    /// Wait for a decision about each waiting id, at most until `until_us` (microseconds since 1970). Returns one
    /// decision for each, and when the last one was made.
    fn decide<'a>(
        &'a self,
        waiting: &'a Approval,
        until_us: Option<i64>,
    ) -> BoxFuture<'a, Result<(Vec<Decision>, i64), JournalError>>;

    /// Whether the run may compute with an answer, with results or with decisions. `place` says where it is: it differs
    /// from all others of the run, and is the same each time the run is driven.
    ///
    /// A program that ends its process would end each process that continues the run. An engine that counts them stops
    /// it, and what the run was asked meanwhile, such as to be cancelled, arrives before the program runs.
    fn starting(&self, _place: String) -> BoxFuture<'_, Result<Start, JournalError>> {
        Box::pin(async { Ok(Start::Go(None)) })
    }

    /// Let other tasks run while the run has more work to do itself.
    fn rest(&self) -> BoxFuture<'_, ()>;
}

/// What is held while a run computes.
pub type Held = Box<dyn Any + Send + Sync>;

/// Whether a run may compute.
#[derive(Debug)]
pub enum Start {
    /// It may, and drops this as soon as it waits again.
    Go(Option<Held>),
    /// So many processes ended after they had started to: it must not.
    Lost(usize),
}

/// The result of a step.
pub type Stepped = Result<Done, JournalError>;

/// A step that is on record.
#[derive(Debug)]
pub struct Done {
    /// What was recorded.
    pub record: JournalRecord,
    /// Whether it was done just now, not in an earlier process.
    pub is_new: bool,
}
