//! Errors of journals.

use std::fmt;

use ptc_lisp::text::shortened;
use serde_json::Value as Json;

use super::JOURNAL_VERSION;
use crate::bounds::Excess;

/// Characters quoted of a setting.
const QUOTED: usize = 60;

/// What a record that does not belong where it is says about its file.
const DAMAGED: &str =
    "the file was damaged, edited, or joined from two; nothing was done: resume with the journal as it was written";

/// Why a journal cannot be written, read, or continued.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// The first line is not a header.
    #[error(
        "this is not a journal: its first line is {found}, not a header {{\"type\":\"header\",\"format\":\"ptc-journal\",…}}"
    )]
    NotAJournal {
        /// The beginning of the first line.
        found: String,
    },
    /// Written by a newer release.
    #[error(
        "this journal has version {found}, this release reads up to {JOURNAL_VERSION}: resume it with a newer release"
    )]
    Version {
        /// The version of the journal.
        found: u32,
    },
    /// Written by an older release, in another form.
    #[error("this journal has version {found}: it can be looked at, and not be resumed; start a new one")]
    Old {
        /// The version of the journal.
        found: u32,
    },
    /// The journal exceeds the limits of reading.
    #[error("this journal cannot be read: {0}")]
    TooLarge(Excess),
    /// Its programs do not end in time.
    #[error("the programs of this journal take more than {seconds} s: it cannot be read back as a step")]
    TooSlow {
        /// The most seconds that they may take.
        seconds: u64,
    },
    /// A line in the middle that is not a record; only the last line may be torn.
    #[error("line {line} of the journal is not a record: {problem}")]
    BadLine {
        /// Number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// A record of another run.
    #[error(
        "line {line} of the journal belongs to another run: it has the id `{found}`, and the ids of this run begin with `{run}/`, as the first line says; {DAMAGED}"
    )]
    OtherRun {
        /// Number of the line, from 1.
        line: usize,
        /// The id in the record.
        found: String,
        /// The run of the header.
        run: String,
    },
    /// A record that cannot follow those before it.
    #[error("line {line} of the journal is out of place: {problem}; {DAMAGED}")]
    OutOfPlace {
        /// Number of the line, from 1.
        line: usize,
        /// Why it cannot be there.
        problem: String,
    },
    /// The journal of another mission.
    #[error(
        "the journal belongs to another mission: its {part} differs (fingerprints {recorded} and {found}); resume with the mission as it was, or start a new journal"
    )]
    OtherMission {
        /// The first difference.
        part: &'static str,
        /// Fingerprint in the journal.
        recorded: String,
        /// Fingerprint of the mission at hand.
        found: String,
    },
    /// The journal of the same mission over other data.
    #[error(
        "the journal belongs to other input data, finished tasks, definitions or known answers (fingerprints {recorded} and {found}{}); resume with what the run started with, or start a new journal",
        others(names)
    )]
    OtherData {
        /// Entries of the data that are others, as far as known.
        names: Vec<String>,
        /// Fingerprint in the journal.
        recorded: String,
        /// Fingerprint of the data at hand.
        found: String,
    },
    /// The run sends another request than the recorded one.
    #[error(
        "turn {turn} sends another request than the recorded run (fingerprints {recorded} and {found}): {}",
        advice(
            changed,
            "an option (also one of the compression), the system text or the release has changed, or a program ran differently"
        )
    )]
    OtherRequest {
        /// The turn, from 1.
        turn: u32,
        /// Fingerprint in the journal.
        recorded: String,
        /// Fingerprint of the request.
        found: String,
        /// Settings of the agent that have changed.
        changed: Box<[ChangedSetting]>,
    },
    /// A program makes another call than the recorded one.
    #[error(
        "call {id} is not the recorded one: the journal has {recorded}, the program calls {found}; an option or the release has changed; undo that and resume, or start a new journal"
    )]
    OtherCall {
        /// Id of the call.
        id: String,
        /// Tool and arguments in the journal.
        recorded: String,
        /// Tool and arguments of the program.
        found: String,
    },
    /// The run does something else, or ends, where the journal has this.
    #[error(
        "the journal has {record}, which the run does not repeat: an option or the release has changed, or the journal was; nothing new was done; undo that and resume, or start a new journal"
    )]
    NotRepeated {
        /// The first record that is not repeated.
        record: String,
    },
    /// A turn ended differently than the recorded one.
    #[error("turn {number} {}, in the journal it {}; {}", ended(*.success), ended(!*.success), advice(changed, "an option or the release has changed"))]
    OtherTurn {
        /// The turn, from 1.
        number: usize,
        /// Whether it succeeded this time.
        success: bool,
        /// Settings of the agent that have changed.
        changed: Box<[ChangedSetting]>,
    },
    /// The run ends where the recorded one continued.
    #[error("the run ends after {turns} turns, in the journal it continues; an option or the release has changed")]
    EarlyEnd {
        /// Turns until then.
        turns: usize,
    },
    /// The history was shown by a strategy that is not at hand.
    #[error("the journal cannot be resumed: {problem}; give the run the strategy that it had")]
    OtherStrategy {
        /// The unknown part.
        problem: String,
    },
    /// The record of an engine has another step than the run takes.
    #[error(
        "the run diverges from its record: {0}; the mission, its data, an option or the release has changed since it started"
    )]
    OtherStep(String),
    /// A recorded value that this library cannot have written.
    #[error("the journal holds a result that cannot be read: {0}")]
    Value(String),
    /// The journal cannot be written.
    #[error("cannot write the journal: {0}")]
    Unwritable(String),
}

/// A setting of an agent that has changed since the run started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedSetting {
    /// The option.
    pub name: String,
    /// The value in the journal.
    pub recorded: Json,
    /// The value of the agent at hand.
    pub found: Json,
}

impl fmt::Display for ChangedSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [recorded, found] = [&self.recorded, &self.found].map(|value| match value {
            Json::Null => "none".to_owned(),
            Json::String(text) => text.clone(),
            value => value.to_string(),
        });
        let (recorded, found) = (shortened(&recorded, QUOTED), shortened(&found, QUOTED));
        match recorded == found {
            true => write!(f, "{} is another one", self.name),
            false => write!(f, "{} is {found}, in the journal {recorded}", self.name),
        }
    }
}

/// What has changed or else may have changed, and what to do.
fn advice(changed: &[ChangedSetting], unknown: &str) -> String {
    let known: Vec<String> = changed.iter().map(ToString::to_string).collect();
    let why = if known.is_empty() { unknown.to_owned() } else { known.join("; ") };
    format!("{why}; undo that and resume, or start a new journal")
}

/// `; `rows` is another one`
fn others(names: &[String]) -> String {
    names.iter().map(|name| format!("; `{name}` is another one")).collect()
}

fn ended(success: bool) -> &'static str {
    if success { "succeeded" } else { "failed" }
}
