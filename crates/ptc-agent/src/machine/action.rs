//! What a run is told and what it wants done.

use std::sync::Arc;
use std::time::Duration;

use ptc_chat::{LlmError, Reply, Request};
use ptc_lisp::ToolResult;
use ptc_transcript::{Decision, Step};

use crate::approval::{Approval, PendingCall};

/// What happened since the last action, and when.
#[derive(Debug)]
pub struct TimedInput {
    /// Time since the run began; never less than in the event before.
    pub at: Duration,
    /// What happened.
    pub input: Input,
}

/// The answer to an action.
#[derive(Debug)]
#[non_exhaustive]
pub enum Input {
    /// The first event.
    Begin,
    /// The model answered, or could not be asked: to [`Action::AskLlm`].
    Reply(Result<Reply, LlmError>),
    /// One result per call, in order: to [`Action::CallTools`].
    Results(Vec<ToolResult>),
    /// One decision for each id of [`Approval::ids`], in order: to [`Action::Approve`].
    Decisions(Vec<Decision>),
    /// Go on: to [`Action::Slice`].
    Continue,
    /// The caller wants to stop; allowed at any time. Calls under way are recorded as cancelled.
    Cancel,
    /// The same when the model has just answered: its tokens count. To [`Action::AskLlm`].
    CancelAfter(Result<Reply, LlmError>),
    /// The caller wants to stop while calls are under way: one result per call, in order, failures for those that are
    /// not finished. To [`Action::CallTools`].
    Interrupted(Vec<ToolResult>),
    /// The journal could not be written, and why; allowed at any time. What the last action asks for was not done.
    JournalFailed(String),
    /// This answers the last action, but the journal could not be written with it, and why: the step has it, and the run
    /// ends.
    Unrecorded(Box<Input>, String),
    /// The run takes another course than its record, and how; allowed at any time.
    Diverged(String),
}

/// What the caller should do next.
#[derive(Debug)]
#[non_exhaustive]
pub enum Action {
    /// Wait for `delay`, then send the request to the model. Who waits no longer than `time_left` answers with a
    /// `timeout`.
    AskLlm {
        /// What to send.
        request: Arc<Request>,
        /// How long to wait before; zero for first attempts.
        delay: Duration,
        /// Time until the deadline of the run.
        time_left: Option<Duration>,
    },
    /// Make these calls, as many at once as you like. Time that passes counts for nothing but the deadline.
    CallTools {
        /// The calls, in order.
        calls: Vec<PendingCall>,
        /// Time until the deadline of the run.
        time_left: Option<Duration>,
    },
    /// Ask whether this may run. Time that passes counts for nothing but the deadline.
    Approve {
        /// What waits.
        waiting: Approval,
        /// Time until the deadline of the run.
        time_left: Option<Duration>,
    },
    /// A slice of the program is done: let others work, then go on.
    Slice,
    /// The run is over.
    Finish(Box<Step>),
}
