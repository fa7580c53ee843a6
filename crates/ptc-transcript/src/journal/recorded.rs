//! Reading a journal back.

use std::collections::HashMap;
use std::time::Duration;

use ptc_chat::Asked;
use ptc_lisp::shortened;
use serde::Deserialize;

use super::header::FORMAT;
use super::{
    CallEnd, CallStart, Calls, DecisionsRecord, JOURNAL_VERSION, JournalError, JournalHeader, JournalRecord,
    ReplyRecord, TurnRecord,
};
use crate::bounds::check_bounds;
use crate::compression::CompressionUse;

/// Characters quoted of a line that is not a record.
const QUOTED: usize = 60;

/// A run as its journal records it.
#[derive(Debug, Clone, PartialEq)]
pub struct Recorded {
    header: JournalHeader,
    replies: Vec<ReplyRecord>,
    asked: Vec<Asked>,
    decisions: Vec<DecisionsRecord>,
    /// Places of the decisions about these ids.
    decided: HashMap<Vec<String>, Vec<usize>>,
    calls: Calls,
    turns: Vec<TurnRecord>,
    compression: Vec<CompressionUse>,
    whole_bytes: usize,
}

/// One call of a journal.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedCall {
    /// Its latest start.
    pub start: CallStart,
    /// How it ended; `None` if unknown.
    pub end: Option<CallEnd>,
}

impl Recorded {
    /// Read a journal; `None` when not even its header was written.
    ///
    /// A last line without line break is torn and left out. Errors when another line is not a record, or the first not
    /// a header, and when the journal is too large: more than [`MAX_RECORD_BYTES`](crate::MAX_RECORD_BYTES), or 4 GB of
    /// memory.
    ///
    /// ```
    /// use ptc_transcript::{JournalHeader, JournalRecord, JournalStart, JournalSubject, Recorded};
    ///
    /// let about = JournalSubject { mission: "Count.", signature: None, max_turns: 5, retry_turns: 0, tools: &[] };
    /// let header = JournalHeader::new(&about, &JournalStart::new(&ptc_lisp::Map::new()))?;
    /// let line = JournalRecord::Header(Box::new(header)).to_line().unwrap();
    /// let torn = format!("{line}{{\"type\":\"tu");
    /// let recorded = Recorded::read(torn.as_bytes())?.unwrap();
    /// assert_eq!(recorded.header().mission, "Count.");
    /// assert_eq!(recorded.whole_bytes(), line.len());
    /// # Ok::<(), ptc_transcript::JournalError>(())
    /// ```
    pub fn read(bytes: &[u8]) -> Result<Option<Recorded>, JournalError> {
        check_bounds(bytes).map_err(JournalError::TooLarge)?;
        let whole_bytes = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        let mut lines = bytes.get(..whole_bytes).unwrap_or_default().split_inclusive(|byte| *byte == b'\n');
        let Some(first) = lines.next() else { return Ok(None) };
        let header = header(first)?;
        let compression = header
            .compression
            .iter()
            .map(|compression| CompressionUse { from_turn: 1, compression: compression.clone() });
        let mut recorded = Recorded {
            compression: compression.collect(),
            header,
            replies: Vec::new(),
            asked: Vec::new(),
            decisions: Vec::new(),
            decided: HashMap::new(),
            calls: Calls::new(),
            turns: Vec::new(),
            whole_bytes,
        };
        for (index, line) in lines.enumerate() {
            let bad = |problem: String| JournalError::BadLine { line: index + 2, problem };
            let record = serde_json::from_slice(line.trim_ascii_end())
                .map_err(|error| bad(format!("{error}: {}", quoted(line))))?;
            recorded.take(record).map_err(bad)?;
        }
        recorded.forget_failed_attempts();
        Ok(Some(recorded))
    }

    fn take(&mut self, record: JournalRecord) -> Result<(), String> {
        match record {
            JournalRecord::Header(_) => return Err("a second header".to_owned()),
            JournalRecord::Reply(reply) => {
                self.asked.push(Asked::Answer(reply.answer.to_result()));
                // An attempt that was repeated after a crash replaces its earlier answer.
                let place = |reply: &ReplyRecord| (reply.turn, reply.attempt);
                while self.replies.pop_if(|last| place(last) >= place(&reply)).is_some() {}
                self.replies.push(reply);
            }
            JournalRecord::Approval(record) if record.ids.len() == record.decisions.len() => {
                self.decided.entry(record.ids.clone()).or_default().push(self.decisions.len());
                self.decisions.push(record);
            }
            JournalRecord::Approval(record) => {
                return Err(format!("{} decisions about {} ids", record.decisions.len(), record.ids.len()));
            }
            JournalRecord::CallStart(start) => {
                self.calls.insert(start.id.clone(), RecordedCall { start, end: None });
            }
            JournalRecord::CallEnd(end) => match self.calls.get_mut(&end.id) {
                Some(call) => {
                    if end.spent.requests > 0 {
                        self.asked.push(Asked::Below { agent: call.start.tool.clone(), requests: end.spent.requests });
                    }
                    call.end = Some(end);
                }
                None => return Err(format!("it ends call {}, which never started", end.id)),
            },
            JournalRecord::Turn(turn) if turn.number == self.turns.len() + 1 => self.turns.push(turn),
            JournalRecord::Compression(changed) => {
                // The run was resumed again before it reached that turn.
                while self.compression.pop_if(|last| last.from_turn >= changed.from_turn).is_some() {}
                self.compression.push(changed);
            }
            JournalRecord::Turn(turn) => {
                return Err(format!("turn {} ends after turn {}", turn.number, self.turns.len()));
            }
        }
        Ok(())
    }

    /// A model that failed at the end is asked again, with all its attempts.
    fn forget_failed_attempts(&mut self) {
        while self.replies.pop_if(|last| !last.answer.is_useful()).is_some() {}
    }

    /// The description of the run.
    pub fn header(&self) -> &JournalHeader {
        &self.header
    }

    /// The answers of the model in order, without failures at the end.
    pub fn replies(&self) -> &[ReplyRecord] {
        &self.replies
    }

    /// All requests to models, in order, including failed attempts and requests of agents in finished calls. With it
    /// [`ReplayLlm::go_on_after`](ptc_chat::ReplayLlm::go_on_after) finds the used lines.
    pub fn asked(&self) -> &[Asked] {
        &self.asked
    }

    /// The decisions about these ids, which waited together.
    pub fn decisions(&self, ids: &[String]) -> Option<&DecisionsRecord> {
        self.about(ids).next()
    }

    /// The same for an agent called as a tool, if the fingerprint `about` is the same.
    pub fn decisions_about(&self, ids: &[String], about: &str) -> Option<&DecisionsRecord> {
        self.about(ids).find(|record| record.about.as_deref() == Some(about))
    }

    /// The decisions about these ids, the latest first.
    fn about(&self, ids: &[String]) -> impl Iterator<Item = &DecisionsRecord> {
        let places = self.decided.get(ids).into_iter().flatten().rev();
        places.filter_map(|place| self.decisions.get(*place))
    }

    /// The call with this id.
    pub fn call(&self, id: &str) -> Option<&RecordedCall> {
        self.calls.get(id)
    }

    /// Whether the agent that answered this call started calls that cannot be repeated.
    pub fn has_calls_below(&self, id: &str) -> bool {
        self.calls.keys().any(|call| call.strip_prefix(id).is_some_and(|rest| rest.starts_with('/')))
    }

    /// All calls, in the order in which they started.
    pub fn calls(&self) -> impl Iterator<Item = &RecordedCall> {
        self.calls.values()
    }

    /// The turns that are over.
    pub fn turns(&self) -> &[TurnRecord] {
        &self.turns
    }

    /// Turn number `number`, from 1, when it is over.
    pub fn turn(&self, number: usize) -> Option<&TurnRecord> {
        self.turns.get(number.checked_sub(1)?)
    }

    /// How requests showed the history, in the order of turns: as the header says, and as resumed runs changed it.
    /// Empty for journals of older releases.
    pub fn compression(&self) -> &[CompressionUse] {
        &self.compression
    }

    /// The first turn without a recorded answer, including failed attempts.
    pub fn next_turn(&self) -> usize {
        let last = self.replies.last().map_or(0, |reply| reply.turn);
        usize::try_from(last).unwrap_or(usize::MAX).saturating_add(1)
    }

    /// Length of the whole lines; the rest of the file is torn.
    pub fn whole_bytes(&self) -> usize {
        self.whole_bytes
    }
}

impl ReplyRecord {
    /// Time since the run started.
    pub fn at(&self) -> Duration {
        Duration::from_micros(self.at_us)
    }
}

impl CallEnd {
    /// Time since the run started.
    pub fn at(&self) -> Duration {
        Duration::from_micros(self.at_us)
    }
}

/// The fields of headers of every version.
#[derive(Deserialize)]
struct Mark {
    format: String,
    version: u32,
}

fn header(line: &[u8]) -> Result<JournalHeader, JournalError> {
    let foreign = || JournalError::NotAJournal { found: quoted(line) };
    let mark: Mark = serde_json::from_slice(line).map_err(|_| foreign())?;
    if mark.format != FORMAT {
        return Err(foreign());
    }
    if mark.version > JOURNAL_VERSION {
        return Err(JournalError::Version { found: mark.version });
    }
    match serde_json::from_slice(line) {
        Ok(JournalRecord::Header(header)) => Ok(*header),
        Ok(_) => Err(foreign()),
        Err(error) => Err(JournalError::BadLine { line: 1, problem: error.to_string() }),
    }
}

fn quoted(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    format!("`{}`", shortened(text.trim_end(), QUOTED))
}
