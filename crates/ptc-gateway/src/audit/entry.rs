//! The lines of an audit log, the same for those who write it and those who read it.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::policy::PolicyAction;

/// A line of the audit log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AuditEntry {
    /// When it happened, as ISO 8601 in UTC.
    pub at: String,
    /// What happened.
    #[serde(flatten)]
    pub event: AuditEvent,
}

/// What happened in a gateway.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[non_exhaustive]
pub enum AuditEvent {
    /// A program starts, or is resumed.
    Program {
        /// The program, `SESSION/3`.
        id: String,
        /// Who asks.
        client: String,
        /// Whether it was interrupted before.
        resumed: bool,
        /// What it can call.
        reach: Vec<AuditReach>,
        /// Its text, or the hash of it; earlier versions did not keep it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        program: Option<AuditProgram>,
    },
    /// A program is not run: the check refused it.
    Rejected {
        /// Who asked.
        client: String,
        /// The session, if there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        session: Option<String>,
        /// The tools that it names and the policy denies.
        denied: Vec<String>,
        /// Why, unless only hashes of programs are kept.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<String>,
        /// Its text, or the hash of it.
        program: AuditProgram,
    },
    /// A program waits for a decision about these calls, with all that it shows of them.
    Waits {
        /// The program.
        id: String,
        /// The calls.
        calls: Vec<AuditQuestion>,
    },
    /// A call is about to be made.
    Call(AuditCall),
    /// A call is not made.
    Refused(AuditCall),
    /// A call ended.
    Result {
        /// The call.
        id: String,
        /// How it ended.
        status: AuditStatus,
        /// Bytes of its result as JSON.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bytes: Option<usize>,
        /// Why it has no result.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<String>,
        /// Milliseconds that it took, if that is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ms: Option<u64>,
    },
    /// A program ended.
    End {
        /// The program.
        id: String,
        /// How it ended.
        status: AuditEnding,
        /// Why, unless it is `ok`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        /// Who gave it up.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<String>,
        /// Calls that it made.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        calls: Option<usize>,
        /// Milliseconds that it took.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ms: Option<u64>,
    },
    /// A stored session was removed, as it is not to be kept.
    Removed {
        /// Its handle.
        session: String,
        /// Why.
        why: String,
    },
    /// The servers list tools that conflict: the previous ones stay.
    Tools {
        /// What conflicts.
        error: String,
    },
}

/// What is kept of the text of a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum AuditProgram {
    /// The text, without what is written under hidden names.
    Text(String),
    /// The SHA-256 of the text as its client sent it, in hexadecimal digits.
    Sha256(String),
}

/// A tool that a program can call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AuditReach {
    /// Its name.
    pub tool: String,
    /// The maximum number of calls, in words.
    pub at_most: String,
}

/// A call that somebody has to decide about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AuditQuestion {
    /// The call.
    pub id: String,
    /// The tool.
    pub tool: String,
    /// Its arguments, without what is hidden.
    pub args: Json,
}

/// A call that is made, or not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AuditCall {
    /// The call, `SESSION/3/1/2`.
    pub id: String,
    /// Its program.
    pub parent: String,
    /// The server of its tool; empty for a tool of the gateway file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// The tool.
    pub tool: String,
    /// Its arguments, without what is hidden.
    pub args: Json,
    /// What the policy says.
    pub ruling: PolicyAction,
    /// What was decided.
    pub decision: AuditDecision,
    /// Who or what decided.
    pub by: String,
    /// Why it was refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Whether a call may be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AuditDecision {
    /// It may.
    Approve,
    /// It may not.
    Deny,
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AuditStatus {
    /// With a result.
    Ok,
    /// With an error.
    Failed,
    /// It may have been done.
    Unknown,
}

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AuditEnding {
    /// With a value.
    Ok,
    /// With an error, or because it was cancelled.
    Failed,
    /// It cannot continue now: its session resumes it, or gives it up.
    Stopped,
    /// Its session gave it up.
    #[serde(rename = "given up")]
    GivenUp,
}

impl AuditEnding {
    /// As it is written in the log.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            AuditEnding::Ok => "ok",
            AuditEnding::Failed => "failed",
            AuditEnding::Stopped => "stopped",
            AuditEnding::GivenUp => "given up",
        }
    }
}
