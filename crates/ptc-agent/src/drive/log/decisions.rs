//! Decisions on record: those that are repeated, and those that are written, all of a question at once and one by one.

use ptc_transcript::{Decided, Decision, DecisionRecord, DecisionsRecord, JournalError, JournalRecord, fingerprint};

use super::repeat::{decision, not_repeated};
use super::{Log, started};
use crate::approval::Approval;

/// What is on record about what waits.
pub(crate) enum KnownDecisions {
    /// Everything was decided.
    All(Vec<Decision>),
    /// The run was stopped while some of it waited: what was decided, by place.
    Some(Vec<Option<Decision>>),
}

impl Log<'_> {
    /// What was decided about what waits; unless it is all, the approver must be asked about the rest.
    pub fn decided(&self, waiting: &Approval) -> Result<KnownDecisions, JournalError> {
        let asked = self.at_us();
        self.state().asked = Some(asked);
        let (top, ids, about) = (self.top(), waiting.ids(), about(waiting)?);
        let Some(recorded) = &top.recorded else { return Ok(KnownDecisions::Some(vec![None; ids.len()])) };
        let record = match self.top {
            Some(_) => recorded.decisions_about(&ids, &about),
            None => recorded.own_decisions(self.state().decisions).next(),
        };
        let Some(record) = record else { return self.decided_singly(waiting).map(KnownDecisions::Some) };
        if self.top.is_none() {
            // Journals of older releases do not say what it was about.
            if record.ids != ids || record.about.as_ref().is_some_and(|recorded| *recorded != about) {
                return Err(not_repeated(decision(&record.ids)));
            }
            self.state().decisions += 1;
        }
        top.go_on(record.at(), record.clock);
        record.decisions.iter().map(Decided::to_decision).collect::<Result<_, _>>().map(KnownDecisions::All)
    }

    /// What was decided about calls of a batch one by one, before it was stopped.
    fn decided_singly(&self, waiting: &Approval) -> Result<Vec<Option<Decision>>, JournalError> {
        let Some(recorded) = &self.top().recorded else { return Ok(Vec::new()) };
        let mut known = Vec::new();
        for part in waiting.one_by_one() {
            let (ids, about) = (part.ids(), about(&part)?);
            let record = ids.first().and_then(|id| recorded.single_decision(id));
            known.push(record.filter(|record| record.about == about));
        }
        if self.top.is_none() {
            let is_known = |id: &str| known.iter().flatten().any(|record| record.id == id);
            if let Some(record) = recorded.own_single_decisions().find(|record| !is_known(&record.id)) {
                return Err(not_repeated(decision(&[&record.id])));
            }
            self.state().has_single_decisions = true;
        }
        self.all_repeated()?;
        known.into_iter().map(|record| record.map(|record| record.decision.to_decision()).transpose()).collect()
    }

    /// Write a decision about one of several calls. A failure to write it shows when all are written.
    pub fn deciding_one(&self, waiting: &Approval, place: usize, decided: &Decision) {
        let top = self.top();
        let Some(part) = waiting.one_by_one().into_iter().nth(place).filter(|_| top.sink.is_some()) else { return };
        let (Some(id), Ok(about)) = (part.ids().into_iter().next(), about(&part)) else { return };
        let record = DecisionRecord { id, about, decision: Decided::new(decided), at_us: top.at_us() };
        let _unwritten = top.write(JournalRecord::Decision(record));
    }

    /// Write what was decided; returns what the run gets, which is what it would get from the journal.
    pub fn deciding(&self, waiting: &Approval, decisions: Vec<Decision>) -> Result<Vec<Decision>, JournalError> {
        let (top, ids) = (self.top(), waiting.ids());
        if top.sink.is_none() {
            return Ok(decisions);
        }
        let about = Some(about(waiting)?);
        let decisions: Vec<Decided> = decisions.iter().map(Decided::new).collect();
        let given = decisions.iter().map(Decided::to_decision).collect::<Result<_, _>>()?;
        let tools = waiting.tools().iter().map(ToString::to_string).collect();
        let asked_us = self.state().asked.take();
        let (at_us, clock) = top.now();
        let record = DecisionsRecord { ids, about, decisions, tools, asked_us, at_us, clock };
        top.write(JournalRecord::Approval(record))?;
        Ok(given)
    }
}

/// Fingerprint of what waits.
fn about(waiting: &Approval) -> Result<String, JournalError> {
    match waiting {
        Approval::Calls(calls) => fingerprint(&calls.iter().map(started).collect::<Vec<_>>()),
        Approval::Program(program) => fingerprint(&program.source),
    }
}
