//! Lines of a journal: what each says beside its record, written and read.
//!
//! `{"type":…,…,"below":"CALL","sum":"…"}`. Records of an agent that was called name that call. The sum is the fingerprint
//! of the sum before it and the rest of the line, so that no line can be lost, changed or moved unnoticed.

use std::collections::HashMap;
use std::io;

use ptc_chat::{Reply, Request};
use ptc_lisp::Memory;
use serde_json::Value as Json;

use super::shared::{SharedReader, SharedWriter};
use super::{EndRecord, JournalRecord, RequestRecord, TurnRecord, fingerprint};
use crate::json::within_bounds;
use crate::step::Step;
use crate::turn::{Turn, TurnKind};

/// Between a record and its sum, and after it.
const SUM: &str = ",\"sum\":\"";
const END: &str = "\"}";
/// Hex digits of a sum.
const DIGITS: usize = 16;

/// Writes the lines of one journal, in order.
#[derive(Debug, Default)]
pub struct JournalLines {
    shared: SharedWriter,
    sum: String,
    runs: HashMap<String, Written>,
}

/// What was written of a run.
#[derive(Debug, Default)]
struct Written {
    last: Option<Request>,
    memory: Option<Memory>,
    answer: Option<Reply>,
}

impl JournalLines {
    /// Lines after the one with this sum; the first of them must be [`JournalRecord::Resumed`].
    pub fn after(sum: &str) -> JournalLines {
        JournalLines { sum: sum.to_owned(), ..JournalLines::default() }
    }

    /// A request to this model for a turn of this kind, of the run that was called by `below`, or of the run of the journal.
    pub fn request(
        &mut self,
        below: Option<&str>,
        model: &str,
        kind: TurnKind,
        request: &Request,
        at_us: u64,
    ) -> JournalRecord {
        let written = self.runs.entry(below.unwrap_or_default().to_owned()).or_default();
        let record = RequestRecord::new(model, kind, request, written.last.as_ref(), at_us);
        written.last = Some(request.clone());
        JournalRecord::Request(Box::new(record))
    }

    /// A turn of that run.
    pub fn turn(&mut self, below: Option<&str>, turn: &Turn) -> JournalRecord {
        let written = self.runs.entry(below.unwrap_or_default().to_owned()).or_default();
        let (now, _) = within_bounds(turn.memory());
        let record =
            TurnRecord::after(written.memory.as_ref(), &now, (written.last.as_ref(), written.answer.as_ref()), turn);
        written.memory = Some(now);
        JournalRecord::Turn(Box::new(record))
    }

    /// The end of that run with this step, of which so many turns are on record.
    pub fn end(&mut self, below: Option<&str>, step: &Step, turns: usize, at_us: u64) -> JournalRecord {
        let sent = self.runs.remove(below.unwrap_or_default()).and_then(|written| written.last);
        JournalRecord::End(Box::new(EndRecord::new(step, turns, sent.as_ref(), at_us)))
    }

    /// A record as a line, with its line break; of the run `below`, if that one was called by the run of the journal.
    pub fn line(&mut self, below: Option<&str>, record: &JournalRecord) -> io::Result<String> {
        if let JournalRecord::Reply(reply) = record {
            let written = self.runs.entry(below.unwrap_or_default().to_owned()).or_default();
            written.answer = reply.answer.as_reply().cloned();
        }
        let mut json = serde_json::to_value(record)?;
        if let (Some(fields), Some(run)) = (json.as_object_mut(), below) {
            fields.insert("below".to_owned(), Json::from(run));
        }
        self.shared.write(&mut json);
        self.summed(json.to_string())
    }

    /// A line with its sum and its line break.
    pub(super) fn summed(&mut self, mut line: String) -> io::Result<String> {
        line.pop();
        self.sum = sum_after(&self.sum, &line)?;
        line.push_str(SUM);
        line.push_str(&self.sum);
        line.push_str(END);
        line.push('\n');
        Ok(line)
    }
}

fn sum_after(before: &str, line: &str) -> io::Result<String> {
    fingerprint(&(before, line)).map_err(io::Error::other)
}

/// Reads the lines of one journal, in order.
#[derive(Debug, Default)]
pub(super) struct LineReader {
    shared: SharedReader,
    pub sum: String,
}

impl LineReader {
    /// The run that was called, if the line is of one, and its record. Errors with what is wrong with it.
    pub fn line(&mut self, line: &[u8]) -> Result<(Option<String>, Json), String> {
        let record = self.undamaged(line)?;
        let mut record: Json = serde_json::from_str(&format!("{record}}}")).map_err(|error| error.to_string())?;
        if record.get("type").and_then(Json::as_str) == Some("resumed") {
            self.shared = SharedReader::default();
        }
        self.shared.read(&mut record)?;
        let below = record.as_object_mut().and_then(|fields| fields.shift_remove("below"));
        Ok((below.as_ref().and_then(Json::as_str).map(str::to_owned), record))
    }

    /// What the sum of a line is of. Errors when the sum is of something else.
    pub fn undamaged<'a>(&mut self, line: &'a [u8]) -> Result<&'a str, String> {
        let text = std::str::from_utf8(line).map_err(|error| error.to_string())?.trim_end();
        let (record, sum) = text
            .strip_suffix(END)
            .and_then(|text| text.split_at_checked(text.len().checked_sub(DIGITS)?))
            .and_then(|(record, sum)| Some((record.strip_suffix(SUM)?, sum)))
            .ok_or("it has no sum at its end")?;
        if sum_after(&self.sum, record).ok().as_deref() != Some(sum) {
            return Err("its sum is not that of this line after the one before it".to_owned());
        }
        self.sum = sum.to_owned();
        Ok(record)
    }
}
