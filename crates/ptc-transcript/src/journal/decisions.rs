//! Decisions about calls and programs, as journals hold them.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::{JournalError, holds_opaque};
use crate::decision::Decision;
use crate::json::{ValueForm, json_of, value_of};

/// Decisions about what waited at one time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DecisionsRecord {
    /// What waited: `run/turn/seq` for calls, the number of the turn for a program; for an agent called as a tool, both
    /// after the id of that call.
    pub ids: Vec<String>,
    /// Fingerprint of what waited: a decision about something else under the same ids does not count. In journals of
    /// older releases only such an agent wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// One for each id.
    pub decisions: Vec<Decided>,
    /// The tools of calls, one for each id; none for a program, and in journals of version 1.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<String>,
    /// Microseconds from the start of the run to the question; absent in journals of version 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked_us: Option<u64>,
    /// Microseconds since the run started, without times between a crash and its resume.
    pub at_us: u64,
    /// What programs read on the clock from here on: microseconds since 1970.
    pub clock: i64,
}

/// A decision about one of several calls, written as it came: the others still waited. [`DecisionsRecord`] follows when
/// all are decided.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DecisionRecord {
    /// The call.
    pub id: String,
    /// Fingerprint of the call: a decision about another one under the same id does not count.
    pub about: String,
    /// What was decided.
    pub decision: Decided,
    /// Microseconds since the run started, without times between a crash and its resume.
    pub at_us: u64,
}

/// One decision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Decided {
    /// Yes, unchanged.
    Approve,
    /// No, and why.
    Deny(String),
    /// Changed to this, typed.
    Edit(Json),
}

impl DecisionsRecord {
    /// Time since the run started.
    pub fn at(&self) -> Duration {
        Duration::from_micros(self.at_us)
    }
}

impl Decided {
    /// The record of a decision. A change that a journal cannot hold becomes a denial that says so: nothing may be done
    /// that could not be repeated after a crash.
    pub fn new(decision: &Decision) -> Decided {
        match decision {
            Decision::Approve => Decided::Approve,
            Decision::Deny(reason) => Decided::Deny(reason.clone()),
            Decision::Edit(value) => match json_of(value, ValueForm::Typed) {
                json if holds_opaque(&json) => Decided::Deny(
                    "it was changed to something with a function or more than 100 levels, which the journal cannot keep".to_owned(),
                ),
                json => Decided::Edit(json),
            },
        }
    }

    /// The decision. Errors when the value was not written by this library.
    pub fn to_decision(&self) -> Result<Decision, JournalError> {
        Ok(match self {
            Decided::Approve => Decision::Approve,
            Decided::Deny(reason) => Decision::Deny(reason.clone()),
            Decided::Edit(value) => {
                Decision::Edit(value_of(value).map_err(|problem| JournalError::Value(problem.to_string()))?)
            }
        })
    }
}
