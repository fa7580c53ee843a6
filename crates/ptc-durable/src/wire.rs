//! What travels as JSON: submissions in, status and outcomes back.

use std::fmt;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

use ptc_agent::{AgentError, recorded_step};
use ptc_transcript::{Decided, EndingKind, Fail, FailKind, FailReason, JournalError, Recorded, RunUsage, Step};
use serde::{Deserialize, Serialize};
use serde_json::{Map as JsonMap, Value as Json};

/// A mission that was submitted: the name of its file without `.toml`, and its own key, `orders/3f9c02d1`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MissionId {
    /// Which mission: the service of the engine.
    pub mission: String,
    /// Which one of them: letters, digits, `-` and `_`.
    pub key: String,
}

/// A text that is not the id of a submitted mission.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is not the id of a mission; write MISSION/KEY as `ptc mission submit` prints it, for example orders/3f9c02d1"
)]
pub struct NotAMissionId(pub String);

impl MissionId {
    /// An id with a new key: 16 hex digits, eight of the time in seconds and eight of randomness, so that ids of one
    /// mission are sorted by time.
    pub fn fresh(mission: &str) -> Result<MissionId, NotAMissionId> {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let (random, _, _, _) = uuid::Uuid::new_v4().as_fields();
        format!("{mission}/{:08x}{random:08x}", seconds & u64::from(u32::MAX)).parse()
    }
}

impl fmt::Display for MissionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.mission, self.key)
    }
}

impl FromStr for MissionId {
    type Err = NotAMissionId;

    fn from_str(text: &str) -> Result<Self, NotAMissionId> {
        let plain =
            |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
        match text.split_once('/') {
            Some((mission, key)) if plain(mission) && plain(key) => {
                Ok(MissionId { mission: mission.to_owned(), key: key.to_owned() })
            }
            _ => Err(NotAMissionId(text.to_owned())),
        }
    }
}

/// The place of a large value: in the blob store of the workers, under the hash of its bytes.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Blob {
    /// SHA-256 of the bytes, 64 hex digits.
    pub blob: String,
    /// The number of bytes.
    pub bytes: u64,
}

/// JSON inline, or its place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Stored {
    /// As it is.
    Json(Json),
    /// In the blob store.
    Stored(Blob),
}

/// What a mission is started with: the body of `POST /MISSION/KEY/run/send`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Submission {
    /// Entries of `data/` besides those of the mission file, which they replace.
    #[serde(skip_serializing_if = "JsonMap::is_empty")]
    pub data: JsonMap<String, Json>,
    /// The same for entries that were put into the blob store: one JSON object with them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stored_data: Option<Blob>,
    /// Seed of the random numbers of programs; derived from the key by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The tenant that it works for: limits are shared fairly among tenants.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
}

/// Where a mission is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum MissionState {
    /// It was submitted, and no worker has started it.
    Submitted,
    /// It is running.
    Running,
    /// It waits for a decision.
    Waiting,
    /// It has ended.
    Ended,
}

/// The answer to `POST /MISSION/KEY/status`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Status {
    /// `MISSION/KEY`.
    pub id: String,
    /// Where it is.
    pub state: MissionState,
    /// The version of the workers that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// When it started: microseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub began_us: Option<i64>,
    /// The finished turns, in order.
    #[serde(default)]
    pub turns: Vec<TurnLine>,
    /// What waits for a decision.
    #[serde(default)]
    pub waiting: Vec<Waiting>,
    /// How it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ending: Option<EndingKind>,
    /// Why it has no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<FailReason>,
    /// What is wrong with the blob store, as far as the worker knows that was asked: missions may wait for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
}

/// A finished turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TurnLine {
    /// From 1.
    pub turn: usize,
    /// Why it failed; none when it succeeded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<FailReason>,
    /// Calls of tools.
    pub calls: usize,
    /// Tokens of all replies so far, input and output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// When it ended: microseconds since 1970.
    pub at_us: i64,
}

/// Something that waits for a decision.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Waiting {
    /// What a decision names: the call, `orders/3f9c02d1/2/1`, or the program of a turn.
    pub id: String,
    /// Which agent asks, from the one that was started downwards; empty for that one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<String>,
    /// The tool of a call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// Its arguments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub args: Option<Json>,
    /// Their place, when they are large.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stored_args: Option<Blob>,
    /// The text of a program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// When it is denied if it is not decided: microseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until_us: Option<i64>,
}

/// A decision: the body of `POST /MISSION/KEY/approve`, `{"call": "orders/3f9c02d1/2/1", "decision": "approve"}`. Others are
/// `{"deny": "why"}` and `{"edit": {…}}` with other arguments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// [`Waiting::id`].
    pub call: String,
    /// What was decided.
    pub decision: Decided,
}

/// The outcome of a mission: the answer to `GET /restate/workflow/MISSION/KEY/attach`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// `MISSION/KEY`.
    pub id: String,
    /// The version of the workers.
    pub version: String,
    /// How it ended.
    pub ending: EndingKind,
    /// The answer, plain; null may be one, so look at `ending` first.
    pub value: Stored,
    /// Why there is no answer: its stable name and a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fail: Option<Failed>,
    /// Its usage.
    pub usage: RunUsage,
    /// The record of the run, a text of JSON Lines: see [`Outcome::step_of`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<Stored>,
    /// The whole step, typed, in outcomes of workers of older releases, which kept no record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<Stored>,
    /// A log of events, likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<Stored>,
}

impl Outcome {
    /// The step of this outcome, whose record this is.
    ///
    /// Errors like [`Recorded::read`] and [`recorded_step`].
    pub fn step_of(&self, record: &str) -> Result<Step, AgentError> {
        let empty = || JournalError::NotAJournal { found: "empty".to_owned() };
        let mut step = recorded_step(Recorded::read(record.as_bytes())?.ok_or_else(empty)?)?;
        // What the worker found wrong after the run is not in its record.
        if let Some(Failed { reason, message }) = &self.fail {
            let kind = step.fail().map_or(FailKind::Config, |fail| fail.kind);
            let known = step.fail().filter(|fail| (&fail.reason, &fail.message) == (reason, message)).cloned();
            step.ending = self.ending;
            step.result = Err(known.unwrap_or_else(|| Fail::new(kind, reason.clone(), message.clone())));
        }
        Ok(step)
    }
}

/// Why a mission has no answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Failed {
    /// A stable name.
    pub reason: FailReason,
    /// One text for people and models.
    pub message: String,
}

#[cfg(test)]
mod tests {
    //! What older releases put on the record of an engine.

    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::json::read;

    fn file(name: &str) -> Vec<u8> {
        fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/formats/durable-1").join(name)).unwrap()
    }

    #[test]
    fn records_of_every_release_are_read() {
        let submission: Submission = read(&file("submission.json")).unwrap();
        assert_eq!((submission.seed, submission.tenant.as_deref(), submission.data.len()), (Some(7), Some("a"), 1));
        let status: Status = read(&file("status.json")).unwrap();
        assert_eq!((status.state, status.turns[0].calls, status.waiting[0].path.len()), (MissionState::Waiting, 2, 1));
        let answer: Answer = read(&file("answer.json")).unwrap();
        assert!(matches!(answer.decision, Decided::Edit(_)));
        let outcome: Outcome = read(&file("outcome.json")).unwrap();
        assert_eq!((outcome.ending, outcome.value), (EndingKind::Return, Stored::Json(serde_json::json!(3))));
        assert!(matches!((outcome.record, outcome.step, outcome.trace), (None, Some(Stored::Stored(_)), Some(_))));
    }
}
