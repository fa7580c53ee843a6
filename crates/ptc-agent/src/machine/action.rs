//! The inputs of a run and the actions that it requests.

use std::sync::Arc;
use std::time::Duration;

use ptc_chat::{LlmError, Reply, Request};
use ptc_lisp::ToolResult;
use ptc_transcript::{Decision, Step};

use crate::approval::{Approval, PendingCall};

/// What happened since the last action, and when.
#[derive(Debug)]
pub struct TimedInput {
    /// Time since the run started; never less than in the event before.
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
    /// The model answered, or could not be asked: for [`Action::AskLlm`].
    Reply(Result<Reply, LlmError>),
    /// One result per call, in order: for [`Action::CallTools`].
    Results(Vec<ToolResult>),
    /// One decision per id of [`Approval::ids`], in order: for [`Action::Approve`].
    Decisions(Vec<Decision>),
    /// Continue: for [`Action::Slice`].
    Continue,
    /// The caller wants to stop; allowed at any time. Calls in flight are recorded as cancelled.
    Cancel,
    /// The same when the model has just answered: its tokens count. For [`Action::AskLlm`].
    CancelAfter(Result<Reply, LlmError>),
    /// The caller wants to stop while calls are in flight: one result per call, in order, failures for those that are
    /// not finished. For [`Action::CallTools`].
    Interrupted(Vec<ToolResult>),
    /// The journal could not be written, and why; allowed at any time. The last action was not done.
    JournalFailed(String),
    /// This answers the last action, but could not be written to the journal, and why: the step has it, and the run
    /// ends.
    Unrecorded(Box<Input>, String),
    /// This answers the last action, but so many processes ended when they continued with it: the step has it, and the
    /// run ends.
    Poisoned(Box<Input>, usize),
    /// The run diverges from its record, and how; allowed at any time.
    Diverged(String),
}

/// What the caller should do next.
#[derive(Debug)]
#[non_exhaustive]
pub enum Action {
    /// Wait for `delay`, then send the request to the model. A caller that stops waiting after `time_left` answers with
    /// a `timeout`.
    AskLlm {
        /// What to send.
        request: Arc<Request>,
        /// How long to wait before; zero for first attempts.
        delay: Duration,
        /// Time until the deadline of the run.
        time_left: Option<Duration>,
    },
    /// Make these calls, as many at once as you like. The time counts only toward the deadline.
    CallTools {
        /// The calls, in order.
        calls: Vec<PendingCall>,
        /// Time until the deadline of the run.
        time_left: Option<Duration>,
    },
    /// Ask whether this may run. The time counts only toward the deadline.
    Approve {
        /// What waits.
        waiting: Approval,
        /// Time until the deadline of the run.
        time_left: Option<Duration>,
    },
    /// A slice of the program is done: let other tasks run, then continue.
    Slice,
    /// The run is over.
    Finish(Box<Step>),
}
