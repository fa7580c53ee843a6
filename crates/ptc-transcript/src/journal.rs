//! The journal of a run: everything that happened in it, one JSON line per record.
//!
//! A journal begins with a [`JournalHeader`]. Requests and answers of the model, approvals, the starts and ends of tool
//! calls and the ends of turns follow, each written before the run continues, and the end of the run at last. Runs of
//! agents that were called are in it, too. [`Recorded`] reads it back.

mod answers;
mod decisions;
mod ended;
mod error;
mod events;
mod file;
mod header;
mod lines;
mod packed;
mod place;
mod recorded;
mod request;
mod shared;
mod undamaged;

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use indexmap::IndexMap;
use ptc_chat::{LlmError, Reply, StopReason};
use ptc_lisp::{ToolError, ToolNotice, ToolResult};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::compression::CompressionUse;
use crate::json::{ValueForm, json_of, value_of};
use crate::usage::Spent;

pub use answers::journal_answers;
pub use decisions::{Decided, DecisionRecord, DecisionsRecord};
pub use ended::{EndRecord, TurnRecord};
pub use error::{ChangedSetting, JournalError};
pub use events::journal_events;
pub use file::{JournalFile, JournalFileError};
pub use header::{JournalHeader, JournalStart, JournalSubject};
pub use lines::JournalLines;
pub(crate) use packed::{first_unpacked, unpacked};
pub use recorded::{Recorded, RecordedCall};
pub use request::{MessageRecord, RequestRecord, journal_requests};
pub use undamaged::{Damage, read_undamaged};

/// Version of the journals that this crate writes; readers accept this and older ones.
pub const JOURNAL_VERSION: u32 = 2;

/// [`ptc_chat::fingerprint`] of what a journal holds.
pub fn fingerprint<T: Serialize + ?Sized>(value: &T) -> Result<String, JournalError> {
    ptc_chat::fingerprint(value).map_err(|error| JournalError::Unwritable(error.to_string()))
}

/// The destination of the records of a run.
///
/// Both methods are called on the task of the run, which waits for them.
pub trait Journal: Send + Sync {
    /// Write one line, which ends with a line break, to the system: it must survive the end of this process.
    fn write(&self, line: &str) -> io::Result<()>;

    /// Make what was written survive a loss of power; called after the header and at the end of each turn.
    fn sync(&self) -> io::Result<()>;
}

/// A journal over any writer; `sync` flushes it.
///
/// ```
/// use ptc_transcript::{Journal, JournalWriter};
///
/// let journal = JournalWriter::new(Vec::new());
/// journal.write("{\"type\":\"turn\"}\n")?;
/// assert_eq!(journal.written(), b"{\"type\":\"turn\"}\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct JournalWriter<W> {
    out: Mutex<W>,
}

impl<W: Write + Send> JournalWriter<W> {
    /// A journal that is written to `out`.
    pub fn new(out: W) -> Self {
        JournalWriter { out: Mutex::new(out) }
    }

    /// The writer, with everything written so far.
    pub fn into_writer(self) -> W {
        self.out.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl JournalWriter<Vec<u8>> {
    /// What is written so far.
    pub fn written(&self) -> Vec<u8> {
        self.out.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl<W: Write + Send> Journal for JournalWriter<W> {
    fn write(&self, line: &str) -> io::Result<()> {
        self.out.lock().unwrap_or_else(PoisonError::into_inner).write_all(line.as_bytes())
    }

    fn sync(&self) -> io::Result<()> {
        self.out.lock().unwrap_or_else(PoisonError::into_inner).flush()
    }
}

/// One line of a journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
#[non_exhaustive]
pub enum JournalRecord {
    /// The description of the run; only the first line.
    #[serde(rename = "header")]
    Header(Box<JournalHeader>),
    /// The model is about to be asked.
    #[serde(rename = "request")]
    Request(Box<RequestRecord>),
    /// The model answered, or could not be asked.
    #[serde(rename = "reply")]
    Reply(ReplyRecord),
    /// Calls or a program were decided about.
    #[serde(rename = "approval")]
    Approval(DecisionsRecord),
    /// One of several calls was decided about, while the others still waited.
    #[serde(rename = "decision")]
    Decision(DecisionRecord),
    /// A tool is about to be called.
    #[serde(rename = "call.start")]
    CallStart(CallStart),
    /// A tool reports on a call in progress.
    #[serde(rename = "call.notice")]
    CallNotice(NoticeRecord),
    /// The result of the call.
    #[serde(rename = "call.end")]
    CallEnd(CallEnd),
    /// A turn is over.
    #[serde(rename = "turn")]
    Turn(Box<TurnRecord>),
    /// A resumed run shows its history in another way from this turn on.
    #[serde(rename = "compression")]
    Compression(CompressionUse),
    /// A process continues the run; what it writes refers to nothing before.
    #[serde(rename = "resumed")]
    Resumed {},
    /// The run is over.
    #[serde(rename = "end")]
    End(Box<EndRecord>),
}

impl JournalRecord {
    /// Microseconds since the run started, where the record says when it was written.
    fn at_us(&self) -> Option<u64> {
        match self {
            JournalRecord::Request(request) => Some(request.at_us),
            JournalRecord::Reply(reply) => Some(reply.at_us),
            JournalRecord::Approval(decided) => Some(decided.at_us),
            JournalRecord::Decision(decided) => Some(decided.at_us),
            JournalRecord::CallStart(start) => start.at_us,
            JournalRecord::CallNotice(notice) => Some(notice.at_us),
            JournalRecord::CallEnd(end) => Some(end.at_us),
            JournalRecord::End(end) => Some(end.at_us),
            _ => None,
        }
    }
}

/// An answer of the model to one attempt at a turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReplyRecord {
    /// The turn, from 1.
    pub turn: u32,
    /// The attempt at it, from 1.
    pub attempt: u32,
    /// Fingerprint of the request.
    pub request: String,
    /// The answer, under `reply` or `error`.
    #[serde(flatten)]
    pub answer: Answer,
    /// Microseconds since the run started, without times between a crash and its resume.
    pub at_us: u64,
    /// What programs read on the clock from here on: microseconds since 1970.
    pub clock: i64,
}

/// The answer of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Answer {
    /// The model answered.
    Reply(Reply),
    /// The model could not be asked.
    Error(LlmError),
}

impl Answer {
    /// Whether a run can continue with it: it is not an error or a refusal.
    pub fn is_useful(&self) -> bool {
        matches!(self, Answer::Reply(reply) if reply.stop != StopReason::Refusal)
    }

    /// What the model said.
    pub fn as_reply(&self) -> Option<&Reply> {
        match self {
            Answer::Reply(reply) => Some(reply),
            Answer::Error(_) => None,
        }
    }

    /// The answer as a model returns it.
    pub fn to_result(&self) -> Result<Reply, LlmError> {
        match self {
            Answer::Reply(reply) => Ok(reply.clone()),
            Answer::Error(error) => Err(error.clone()),
        }
    }
}

impl From<&Result<Reply, LlmError>> for Answer {
    fn from(result: &Result<Reply, LlmError>) -> Self {
        match result {
            Ok(reply) => Answer::Reply(reply.clone()),
            Err(error) => Answer::Error(error.clone()),
        }
    }
}

/// A call that is about to be made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CallStart {
    /// `run/turn/seq`.
    pub id: String,
    /// The tool.
    pub tool: String,
    /// The arguments as sent, typed.
    pub args: Json,
    /// An agent answers it, whose run is on record, too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub agent: bool,
    /// It may be repeated when its end is unknown.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub repeatable: bool,
    /// Microseconds since the run started, as in the end of the call; absent in journals of older releases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_us: Option<u64>,
}

/// A report of a tool on a call in progress.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NoticeRecord {
    /// `run/turn/seq`.
    pub id: String,
    /// What it reports.
    #[serde(flatten)]
    pub notice: NoticeKind,
    /// Microseconds since the run started, without times between a crash and its resume.
    pub at_us: u64,
}

/// What a tool reports.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum NoticeKind {
    /// How far it has come.
    Progress {
        /// The part that is done.
        done: f64,
        /// Of what.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        total: Option<f64>,
        /// A sentence for people.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
    },
    /// The tools of its server are others now.
    ToolsChanged {
        /// New ones.
        added: Vec<String>,
        /// Those that are gone.
        gone: Vec<String>,
    },
}

impl NoticeKind {
    /// What a tool reported; `None` for reports of newer kinds.
    #[must_use]
    pub fn new(notice: &ToolNotice) -> Option<NoticeKind> {
        match notice.clone() {
            ToolNotice::Progress { done, total, message } => Some(NoticeKind::Progress { done, total, message }),
            ToolNotice::ToolsChanged { added, gone } => Some(NoticeKind::ToolsChanged { added, gone }),
            _ => None,
        }
    }

    fn to_notice(&self) -> ToolNotice {
        match self.clone() {
            NoticeKind::Progress { done, total, message } => ToolNotice::Progress { done, total, message },
            NoticeKind::ToolsChanged { added, gone } => ToolNotice::ToolsChanged { added, gone },
        }
    }
}

/// The end of a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CallEnd {
    /// `run/turn/seq`.
    pub id: String,
    /// Its outcome, under `result` or `error`.
    #[serde(flatten)]
    pub outcome: CallOutcome,
    /// Whether a call that failed may have taken effect, if the text of the failure says otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub may_have_run: Option<bool>,
    /// What else a tool that failed said, typed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Json>,
    /// Fingerprint of the start of the call, if its start is not on record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// The requests to models by the agent that the call ran.
    #[serde(default, skip_serializing_if = "Spent::is_nothing")]
    pub spent: Spent,
    /// Microseconds since the run started, without times between a crash and its resume.
    pub at_us: u64,
    /// What programs read on the clock from here on: microseconds since 1970.
    pub clock: i64,
}

/// The outcome of a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum CallOutcome {
    /// The result, typed.
    Result(Json),
    /// Why there is no result.
    Error(String),
}

impl CallEnd {
    /// The end of a call with `result`, at this time of the run and of the clock of programs.
    pub fn new(id: impl Into<String>, result: &ToolResult, spent: Spent, (at_us, clock): (u64, i64)) -> CallEnd {
        let outcome = CallOutcome::new(result);
        let may_have_run = match &outcome {
            CallOutcome::Result(_) => None,
            CallOutcome::Error(message) => {
                // A result that the journal cannot keep belongs to a call that was done.
                let perhaps = result.as_ref().map_or_else(|failure| failure.may_have_run, |_| true);
                (perhaps != ToolError::new(message.as_str()).may_have_run).then_some(perhaps)
            }
        };
        let data = result.as_ref().err().and_then(|failure| failure.data.as_ref());
        let data = data.map(|data| json_of(data, ValueForm::Typed)).filter(|data| !holds_opaque(data));
        CallEnd { id: id.into(), outcome, may_have_run, data, about: None, spent, at_us, clock }
    }

    /// The result as a tool returns it. Errors when the value was not written by this library.
    pub fn to_result(&self) -> Result<ToolResult, JournalError> {
        let result = self.outcome.to_result()?;
        let data = self.data.as_ref().map(value_of).transpose();
        let data = data.map_err(|problem| JournalError::Value(problem.to_string()))?;
        Ok(result.map_err(|failure| {
            let perhaps = self.may_have_run.unwrap_or(failure.may_have_run);
            failure.may_have_run(perhaps).data(data)
        }))
    }
}

impl CallOutcome {
    /// The record of a result. A value that a journal cannot hold is a failure that says so: the program must not see
    /// more than it would see after a crash.
    pub fn new(result: &ToolResult) -> CallOutcome {
        let value = match result {
            Ok(value) => json_of(value, ValueForm::Typed),
            Err(failure) => return CallOutcome::Error(failure.message.clone()),
        };
        match holds_opaque(&value) {
            false => CallOutcome::Result(value),
            true => CallOutcome::Error(
                "its result holds a function or more than 100 levels, which the journal cannot keep".to_owned(),
            ),
        }
    }

    /// The result as a tool returns it; for a failure, as its text says. Errors when the value was not written by this
    /// library.
    pub fn to_result(&self) -> Result<ToolResult, JournalError> {
        match self {
            CallOutcome::Result(value) => match value_of(value) {
                Ok(value) => Ok(Ok(value)),
                Err(problem) => Err(JournalError::Value(problem.to_string())),
            },
            CallOutcome::Error(message) => Ok(Err(ToolError::new(message.as_str()))),
        }
    }
}

/// Whether it contains a placeholder of something that could not be written. As deep as typed values.
fn holds_opaque(json: &Json) -> bool {
    match json {
        Json::Array(items) => items.iter().any(holds_opaque),
        Json::Object(object) => {
            object.iter().any(|(key, item)| matches!(key.as_str(), "$opaque" | "$fn") || holds_opaque(item))
        }
        _ => false,
    }
}

/// The records that are looked up by id, in order of their first appearance.
type Calls = IndexMap<String, RecordedCall>;

#[cfg(test)]
mod tests;
