//! Reading a journal back.

mod take;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Duration;

use indexmap::IndexMap;
use ptc_chat::{PastRequest, Reply, Request, Tokens};
use ptc_lisp::Effect;
use ptc_lisp::text::shortened;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::header::FORMAT;
use super::lines::LineReader;
use super::{
    Answer, CallEnd, CallStart, Calls, DecisionRecord, DecisionsRecord, EndRecord, JOURNAL_VERSION, JournalError,
    JournalHeader, JournalRecord, ReplyRecord, RequestRecord, TurnRecord,
};
use crate::bounds::check_bounds;
use crate::compression::CompressionUse;
use crate::json::ReadTurns;
use crate::step::Step;
use crate::turn::Turn;

/// Characters quoted of a line that is not a record.
const QUOTED: usize = 60;

/// A run as its journal records it.
#[derive(Debug, Clone, PartialEq)]
pub struct Recorded {
    header: JournalHeader,
    replies: Vec<ReplyRecord>,
    asked: Vec<PastRequest>,
    decisions: Vec<DecisionsRecord>,
    /// Places of the decisions about these ids.
    decided: HashMap<Vec<String>, Vec<usize>>,
    /// Places of the decisions that the run itself waited for.
    own_decisions: Vec<usize>,
    /// Decisions about calls that waited with others, which were not decided yet.
    single: IndexMap<String, DecisionRecord>,
    calls: Calls,
    /// Places of the calls that the run itself made.
    own_calls: Vec<usize>,
    requests: Vec<RequestRecord>,
    turns: Vec<TurnRecord>,
    compression: Vec<CompressionUse>,
    /// Each number of requests and of turns after which a process continued the run.
    resumed: Vec<(usize, usize)>,
    end: Option<EndRecord>,
    /// The runs of agents that were called, by the ids of these calls.
    below: IndexMap<String, Recorded>,
    /// Those of them that run again, and may have changed something before.
    changed: HashSet<String>,
    /// The time of the latest record, those of runs below included.
    at_us: u64,
    whole_bytes: usize,
    sum: String,
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
    /// use ptc_transcript::{JournalHeader, JournalLines, JournalRecord, JournalStart, JournalSubject, Recorded};
    ///
    /// let about = JournalSubject { mission: "Count.", signature: None, max_turns: 5, retry_turns: 0, tools: &[] };
    /// let header = JournalHeader::new(&about, &JournalStart::new(&ptc_lisp::Map::new()))?;
    /// let line = JournalLines::default().line(None, &JournalRecord::Header(Box::new(header))).unwrap();
    /// let torn = format!("{line}{{\"type\":\"tu");
    /// let recorded = Recorded::read(torn.as_bytes())?.unwrap();
    /// assert_eq!(recorded.header().mission, "Count.");
    /// assert_eq!(recorded.whole_bytes(), line.len());
    /// # Ok::<(), ptc_transcript::JournalError>(())
    /// ```
    pub fn read(bytes: &[u8]) -> Result<Option<Recorded>, JournalError> {
        let mut read: Option<Recorded> = None;
        let mut at_us = 0;
        let (whole_bytes, sum) = each_line(bytes, &mut |number, below, record| {
            at_us = record.at_us().unwrap_or_default().max(at_us);
            match (&mut read, below, record) {
                (None, _, JournalRecord::Header(header)) => {
                    read = Some(Recorded::begun(*header));
                    Ok(())
                }
                (None, ..) => Ok(()),
                (Some(recorded), None, record) => recorded.take(number, record),
                (Some(recorded), Some(call), record) => recorded.take_below(number, call, record),
            }
        })?;
        Ok(read.map(|mut recorded| {
            recorded.at_us = at_us;
            recorded.forget_failed_attempts();
            recorded.whole_bytes = whole_bytes;
            recorded.sum = sum;
            recorded
        }))
    }

    fn begun(header: JournalHeader) -> Recorded {
        let compression = header
            .compression
            .iter()
            .map(|compression| CompressionUse { from_turn: 1, compression: compression.clone() });
        Recorded {
            compression: compression.collect(),
            header,
            replies: Vec::new(),
            asked: Vec::new(),
            decisions: Vec::new(),
            decided: HashMap::new(),
            own_decisions: Vec::new(),
            single: IndexMap::new(),
            calls: Calls::new(),
            own_calls: Vec::new(),
            requests: Vec::new(),
            turns: Vec::new(),
            resumed: Vec::new(),
            end: None,
            below: IndexMap::new(),
            changed: HashSet::new(),
            at_us: 0,
            whole_bytes: 0,
            sum: String::new(),
        }
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
    pub fn asked(&self) -> &[PastRequest] {
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

    /// The decisions that the run itself waited for, in order, from number `first` on; those of agents that it called
    /// are not among them.
    pub fn own_decisions(&self, first: usize) -> impl Iterator<Item = &DecisionsRecord> {
        let places = self.own_decisions.get(first..).unwrap_or_default();
        places.iter().filter_map(|place| self.decisions.get(*place))
    }

    /// The decision about this call, which was made while others that waited with it were not decided.
    pub fn single_decision(&self, id: &str) -> Option<&DecisionRecord> {
        self.single.get(id)
    }

    /// The same, about all such calls of the run itself; those of agents that it called are not among them.
    pub fn own_single_decisions(&self) -> impl Iterator<Item = &DecisionRecord> {
        self.single.values().filter(|record| self.is_own_call(&record.id))
    }

    fn is_own_call(&self, id: &str) -> bool {
        let numbers = id.strip_prefix(&self.header.run).and_then(|rest| rest.strip_prefix('/'));
        numbers.is_some_and(|numbers| numbers.matches('/').count() == 1)
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

    /// Whether the agent that answered this call, or one below it, started calls that cannot be repeated.
    pub fn has_calls_below(&self, id: &str) -> bool {
        let is_effect = |call: &RecordedCall| !(call.start.agent || call.start.repeatable);
        self.calls.keys().any(|call| call != id && is_within(id, call))
            || self.below.iter().any(|(run, below)| is_within(id, run) && below.calls().any(is_effect))
    }

    /// Whether the agent that answered this call, or one below it, may have changed anything, also where it was called
    /// again.
    pub fn may_have_changed_below(&self, id: &str) -> bool {
        self.changed.iter().any(|run| is_within(id, run))
            || self.below.iter().any(|(run, below)| is_within(id, run) && below.may_have_changed())
    }

    /// Whether a call of this run changed anything, or perhaps did.
    fn may_have_changed(&self) -> bool {
        let writes = |call: &&RecordedCall| {
            let tool = self.header.tools.iter().find(|tool| tool.name == call.start.tool);
            !call.start.agent && tool.is_none_or(|tool| tool.effect == Effect::Write)
        };
        let is_refused = |end: &CallEnd| matches!(end.to_result(), Ok(Err(failure)) if !failure.may_have_run);
        self.calls().filter(writes).any(|call| !call.end.as_ref().is_some_and(is_refused))
    }

    /// The calls that the run itself made, in the order in which they started, from number `first` on; those of agents
    /// that it called are not among them.
    pub fn own_calls(&self, first: usize) -> impl Iterator<Item = &RecordedCall> {
        let places = self.own_calls.get(first..).unwrap_or_default();
        places.iter().filter_map(|place| self.calls.get_index(*place).map(|(_, call)| call))
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
        self.replies.last().map_or(1, next_turn)
    }

    /// The run of the agent that was called by this call.
    pub fn below(&self, call: &str) -> Option<&Recorded> {
        self.below.get(call)
    }

    /// The runs of agents that were called, by the ids of the calls, in the order in which they started; those below
    /// them, too.
    pub fn all_below(&self) -> impl Iterator<Item = (&str, &Recorded)> {
        self.below.iter().map(|(call, below)| (call.as_str(), below))
    }

    /// The end of the run, unless it was interrupted or is still running.
    pub fn end(&self) -> Option<&EndRecord> {
        self.end.as_ref()
    }

    /// The step of a run that has ended, without its turns, the runs below, input data and system text.
    pub fn end_step(&self) -> Result<Option<Step>, JournalError> {
        let Some(end) = &self.end else { return Ok(None) };
        let last = if end.keep > 0 { self.requests().last().transpose()? } else { None };
        end.to_step(last.map(|(_, request)| request).as_ref()).map(Some)
    }

    /// The requests as they were sent, in order, retried ones included, with the names of their models. None for journals of
    /// version 1.
    ///
    /// Errors when one was not written after the one before it.
    pub fn requests(&self) -> impl Iterator<Item = Result<(&str, Request), JournalError>> {
        let mut last: Option<Request> = None;
        self.requests.iter().enumerate().map(move |(at, record)| {
            if self.resumed.iter().any(|(requests, _)| *requests == at) {
                last = None;
            }
            let wrong = |problem| JournalError::Value(format!("request {}: {problem}", at + 1));
            let request = record.after(last.as_ref()).map_err(wrong)?;
            last = Some(request.clone());
            Ok((record.model.as_str(), request))
        })
    }

    /// The model that was asked last.
    pub fn model(&self) -> Option<&str> {
        self.requests.last().map(|request| request.model.as_str())
    }

    /// The tokens of all answers, those to called agents included, by the model that was asked last; `""` where no request
    /// says which one.
    pub fn tokens_by_model(&self) -> IndexMap<&str, Tokens> {
        let mut sums: IndexMap<&str, Tokens> = IndexMap::new();
        for run in std::iter::once(self).chain(self.below.values()) {
            let replies = run.replies.iter().filter_map(|reply| match &reply.answer {
                Answer::Reply(reply) => reply.tokens,
                _ => None,
            });
            replies.for_each(|tokens| sums.entry(run.model().unwrap_or_default()).or_default().add(&tokens));
        }
        sums
    }

    /// How long the model took for each turn that it answered, all attempts together, without the waits between them; by
    /// turn. None for journals of version 1.
    pub fn model_times(&self) -> BTreeMap<u32, Duration> {
        // One that was interrupted was sent again: the last one was answered.
        let sent = self.requests.iter().map(|request| ((request.turn, request.attempt), request.at_us));
        let sent: HashMap<(u32, u32), u64> = sent.collect();
        let mut times: BTreeMap<u32, Duration> = BTreeMap::new();
        for reply in &self.replies {
            if let Some(at_us) = sent.get(&(reply.turn, reply.attempt)) {
                *times.entry(reply.turn).or_default() += Duration::from_micros(reply.at_us.saturating_sub(*at_us));
            }
        }
        times
    }

    /// The turns as the run had them, with the one in which it was stopped; `None` for journals of version 1, which have
    /// only their outcomes.
    pub fn to_turns(&self) -> Result<Option<Vec<Turn>>, JournalError> {
        if !self.turns.iter().all(TurnRecord::is_told) || self.header.version < 2 {
            return Ok(None);
        }
        let mut before = ReadTurns::default();
        let stopped = self.end.iter().filter_map(|end| end.stopped.as_ref());
        let records: Vec<&TurnRecord> = self.turns.iter().chain(stopped).collect();
        let mut sent: HashMap<u32, Request> = HashMap::new();
        if records.iter().any(|record| record.has_sent_messages()) {
            for request in self.requests() {
                let (_, request) = request?;
                sent.insert(request.turn, request);
            }
        }
        let answers = self.replies.iter().filter_map(|reply| Some((reply.turn, reply.answer.as_reply()?)));
        let answers: HashMap<u32, &Reply> = answers.collect();
        let mut turns = Vec::with_capacity(records.len());
        for (at, record) in records.into_iter().enumerate() {
            if self.resumed.iter().any(|(_, turns)| *turns == at) {
                before = before.emptied();
            }
            let number = u32::try_from(record.number).unwrap_or(u32::MAX);
            turns.extend(record.read(&mut before, (sent.get(&number), answers.get(&number).copied()))?);
        }
        Ok(Some(turns))
    }

    /// The time of the run when the latest record was written.
    pub fn at(&self) -> Duration {
        Duration::from_micros(self.at_us)
    }

    /// The sum of the last whole line, for [`JournalLines::after`](super::JournalLines::after); empty in version 1.
    pub fn sum(&self) -> &str {
        &self.sum
    }

    /// Length of the whole lines; the rest of the file is torn.
    pub fn whole_bytes(&self) -> usize {
        self.whole_bytes
    }
}

/// Do this with each record of a journal, its line and the call of the run below that it is of. Returns the bytes of the
/// whole lines, and the sum of the last one. Errors like [`Recorded::read`].
pub(super) fn each_line(
    bytes: &[u8],
    each: &mut dyn FnMut(usize, Option<String>, JournalRecord) -> Result<(), JournalError>,
) -> Result<(usize, String), JournalError> {
    check_bounds(bytes).map_err(JournalError::TooLarge)?;
    let whole_bytes = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
    let (whole, torn) = bytes.split_at_checked(whole_bytes).unwrap_or_default();
    check_torn(torn).map_err(|problem| {
        let line = whole.iter().filter(|byte| **byte == b'\n').count() + 1;
        JournalError::OutOfPlace { line, problem }
    })?;
    let mut lines = whole.split_inclusive(|byte| *byte == b'\n');
    let Some(first) = lines.next() else { return Ok((0, String::new())) };
    let (header, mut reader) = header(first)?;
    each(1, None, JournalRecord::Header(Box::new(header)))?;
    for (index, line) in lines.enumerate() {
        let number = index + 2;
        let bad =
            |problem: String| JournalError::BadLine { line: number, problem: format!("{problem}: {}", quoted(line)) };
        let (below, json) = match &mut reader {
            Some(reader) => reader.line(line).map_err(bad)?,
            None => (None, serde_json::from_slice(line.trim_ascii_end()).map_err(|error| bad(error.to_string()))?),
        };
        each(number, below, JournalRecord::deserialize(json).map_err(|error| bad(error.to_string()))?)?;
    }
    Ok((whole_bytes, reader.map(|reader| reader.sum).unwrap_or_default()))
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

/// Whether it is this call, or one of the agent that answers it.
fn is_within(id: &str, other: &str) -> bool {
    other.strip_prefix(id).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn next_turn(reply: &ReplyRecord) -> usize {
    usize::try_from(reply.turn).unwrap_or(usize::MAX).saturating_add(1)
}

/// What was being written when a process ended is the beginning of a line. A whole record with anything but a line
/// break after it was written, and then damaged.
pub(super) fn check_torn(torn: &[u8]) -> Result<(), String> {
    let mut values = serde_json::Deserializer::from_slice(torn).into_iter::<IgnoredAny>();
    let is_followed = matches!(values.next(), Some(Ok(_))) && values.byte_offset() < torn.len();
    if is_followed { Err("other characters than a line break follow the record".to_owned()) } else { Ok(()) }
}

/// The fields of headers of every version.
#[derive(Deserialize)]
struct Mark {
    format: String,
    version: u32,
}

/// The header, and what reads the lines after it; lines of version 1 are only their records.
fn header(line: &[u8]) -> Result<(JournalHeader, Option<LineReader>), JournalError> {
    let foreign = || JournalError::NotAJournal { found: quoted(line) };
    let mark: Mark = serde_json::from_slice(line).map_err(|_| foreign())?;
    if mark.format != FORMAT || mark.version == 0 {
        return Err(foreign());
    }
    if mark.version > JOURNAL_VERSION {
        return Err(JournalError::Version { found: mark.version });
    }
    let bad = |problem: String| JournalError::BadLine { line: 1, problem };
    let mut reader = (mark.version > 1).then(LineReader::default);
    let record = match &mut reader {
        Some(reader) => JournalRecord::deserialize(reader.line(line).map_err(bad)?.1),
        None => serde_json::from_slice(line),
    };
    match record {
        Ok(JournalRecord::Header(header)) => Ok((*header, reader)),
        Ok(_) => Err(foreign()),
        Err(error) => Err(bad(error.to_string())),
    }
}

fn quoted(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    format!("`{}`", shortened(text.trim_end(), QUOTED))
}
