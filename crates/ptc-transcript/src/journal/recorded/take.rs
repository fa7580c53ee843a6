//! Taking in the records of a journal, line by line: each belongs to its run, to the turn that is open, and after those
//! before it.

use ptc_chat::PastRequest;

use super::{Recorded, is_within, next_turn};
use crate::journal::place::Place;
use crate::journal::{
    CallEnd, CallStart, DecisionRecord, DecisionsRecord, JournalError, JournalRecord, RecordedCall, ReplyRecord,
};

impl Recorded {
    pub(super) fn take(&mut self, line: usize, record: JournalRecord) -> Result<(), JournalError> {
        let misplaced = |problem: String| Err(JournalError::OutOfPlace { line, problem });
        match record {
            JournalRecord::Header(_) => return misplaced("it is a second header".to_owned()),
            JournalRecord::Request(request) if u32::try_from(self.open_turn()) == Ok(request.turn) => {
                self.requests.push(*request);
            }
            JournalRecord::Request(request) => {
                let (asked, open) = (request.turn, self.open_turn());
                return misplaced(format!("it asks for turn {asked} while turn {open} is open"));
            }
            JournalRecord::Reply(reply) => return self.take_reply(line, reply),
            JournalRecord::Approval(record) if record.ids.len() == record.decisions.len() => {
                return self.take_decisions(line, record);
            }
            JournalRecord::Approval(record) => {
                return misplaced(format!(
                    "it has {} decisions about {} ids",
                    record.decisions.len(),
                    record.ids.len()
                ));
            }
            JournalRecord::Decision(record) => return self.take_decision(line, record),
            JournalRecord::CallStart(start) => return self.take_start(line, start),
            JournalRecord::CallNotice(notice) if !self.calls.contains_key(&notice.id) => {
                return misplaced(format!("it reports on call `{}`, which has not started", notice.id));
            }
            JournalRecord::CallNotice(_) => {}
            JournalRecord::CallEnd(end) => return self.take_end(line, end),
            JournalRecord::Turn(turn) if turn.number == self.open_turn() => self.turns.push(*turn),
            JournalRecord::Turn(turn) => {
                return misplaced(format!("turn {} ends after turn {}", turn.number, self.turns.len()));
            }
            JournalRecord::Compression(changed) => {
                let answered = self.replies.iter().rev().find(|reply| reply.answer.is_useful());
                let from_turn = answered.map_or(1, next_turn);
                if changed.from_turn != from_turn {
                    let found = changed.from_turn;
                    return misplaced(format!(
                        "it shows history otherwise from turn {found} on, turn {from_turn} is next"
                    ));
                }
                // The run was resumed again before it reached that turn.
                while self.compression.pop_if(|last| last.from_turn >= changed.from_turn).is_some() {}
                self.compression.push(changed);
            }
            JournalRecord::Resumed {} => {
                self.resumed.push((self.requests.len(), self.turns.len()));
                self.end = None;
            }
            JournalRecord::End(_) if self.end.is_some() => return misplaced("it ends the run once more".to_owned()),
            JournalRecord::End(end) => self.end = Some(*end),
        }
        Ok(())
    }

    /// A record of the agent that was called by the call `run`. One that is called again begins again.
    pub(super) fn take_below(&mut self, line: usize, call: String, record: JournalRecord) -> Result<(), JournalError> {
        let misplaced = |problem: String| Err(JournalError::OutOfPlace { line, problem });
        let above = call.rsplitn(3, '/').nth(2).unwrap_or_default();
        let caller = if above == self.header.run { Some(&*self) } else { self.below.get(above) };
        let started = caller.and_then(|caller| caller.calls.get(&call));
        if started.is_none_or(|started| started.end.is_some()) {
            return misplaced(format!("it is of an agent, and no call `{call}` waits for one then"));
        }
        match record {
            JournalRecord::Header(header) if header.run == call => {
                if self.below.contains_key(&call) {
                    if self.may_have_changed_below(&call) {
                        self.changed.insert(call.clone());
                    }
                    self.below.retain(|run, _| !is_within(&call, run));
                }
                self.below.insert(call, Recorded::begun(*header));
                Ok(())
            }
            JournalRecord::Approval(_) | JournalRecord::Decision(_) | JournalRecord::Resumed {} => {
                misplaced("an agent that was called does not write it".to_owned())
            }
            record => match self.below.get_mut(&call) {
                Some(below) => below.take(line, record),
                None => misplaced(format!("the run `{call}` has not started")),
            },
        }
    }

    fn take_reply(&mut self, line: usize, reply: ReplyRecord) -> Result<(), JournalError> {
        let misplaced = |problem: String| Err(JournalError::OutOfPlace { line, problem });
        if u32::try_from(self.open_turn()) != Ok(reply.turn) {
            return misplaced(format!("it answers turn {} while turn {} is open", reply.turn, self.open_turn()));
        }
        self.asked.push(PastRequest::Answer(reply.answer.to_result()));
        // An attempt that was repeated after a crash replaces its earlier failure.
        let place = |reply: &ReplyRecord| (reply.turn, reply.attempt);
        while self.replies.pop_if(|last| place(last) >= place(&reply) && !last.answer.is_useful()).is_some() {}
        if self.replies.last().is_some_and(|last| last.turn == reply.turn && last.answer.is_useful()) {
            return misplaced(format!("it answers turn {}, which has an answer", reply.turn));
        }
        self.replies.push(reply);
        Ok(())
    }

    fn take_decisions(&mut self, line: usize, record: DecisionsRecord) -> Result<(), JournalError> {
        let mut is_own = true;
        for id in &record.ids {
            let place = Place::of_decision(line, &self.header.run, id)?;
            self.check_place(line, id, &place)?;
            is_own &= place.above.is_none();
            self.single.shift_remove(id);
        }
        if is_own {
            self.own_decisions.push(self.decisions.len());
        }
        self.decided.entry(record.ids.clone()).or_default().push(self.decisions.len());
        self.decisions.push(record);
        Ok(())
    }

    fn take_decision(&mut self, line: usize, record: DecisionRecord) -> Result<(), JournalError> {
        let place = Place::of_call(line, &self.header.run, &record.id)?;
        self.check_place(line, &record.id, &place)?;
        if place.above.is_none() && self.single.contains_key(&record.id) {
            let problem = format!("it decides about call `{}`, which is decided", record.id);
            return Err(JournalError::OutOfPlace { line, problem });
        }
        self.single.insert(record.id.clone(), record);
        Ok(())
    }

    fn take_start(&mut self, line: usize, start: CallStart) -> Result<(), JournalError> {
        let misplaced = |problem: String| Err(JournalError::OutOfPlace { line, problem });
        let place = Place::of_call(line, &self.header.run, &start.id)?;
        self.check_place(line, &start.id, &place)?;
        match self.calls.get(&start.id) {
            None if place.above.is_none() => self.own_calls.push(self.calls.len()),
            None => {}
            Some(call) if call.end.is_some() => {
                return misplaced(format!("it starts call `{}`, which has ended", start.id));
            }
            Some(RecordedCall { start: first, .. }) if (&first.tool, &first.args) != (&start.tool, &start.args) => {
                return misplaced(format!("it starts call `{}` with another tool or other arguments", start.id));
            }
            // It may be repeated, and was after a crash.
            Some(_) => {}
        }
        self.calls.insert(start.id.clone(), RecordedCall { start, end: None });
        Ok(())
    }

    fn take_end(&mut self, line: usize, end: CallEnd) -> Result<(), JournalError> {
        let misplaced = |problem: String| Err(JournalError::OutOfPlace { line, problem });
        let place = Place::of_call(line, &self.header.run, &end.id)?;
        self.check_place(line, &end.id, &place)?;
        let Some(call) = self.calls.get_mut(&end.id) else {
            return misplaced(format!("it ends call `{}`, which has not started", end.id));
        };
        if call.end.is_some() {
            return misplaced(format!("it ends call `{}`, which has ended", end.id));
        }
        if end.spent.requests > 0 {
            self.asked.push(PastRequest::Below { agent: call.start.tool.clone(), requests: end.spent.requests });
        }
        call.end = Some(end);
        Ok(())
    }

    /// What is recorded here belongs to the open turn, and what an agent does to a call that is open.
    fn check_place(&self, line: usize, id: &str, place: &Place<'_>) -> Result<(), JournalError> {
        let misplaced = |problem: String| Err(JournalError::OutOfPlace { line, problem });
        if place.turn != self.open_turn() {
            return misplaced(format!("`{id}` is of turn {} while turn {} is open", place.turn, self.open_turn()));
        }
        let is_open = |above: &str| self.calls.get(above).is_some_and(|call| call.start.agent && call.end.is_none());
        match place.above {
            Some(above) if !is_open(above) => {
                misplaced(format!("`{id}` is of an agent, and no agent answers a call `{above}` then"))
            }
            _ => Ok(()),
        }
    }

    /// The turn to which records belong that follow those read so far.
    fn open_turn(&self) -> usize {
        self.turns.len() + 1
    }
}
