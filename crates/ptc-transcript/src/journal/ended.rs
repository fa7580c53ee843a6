//! Turns and the ends of runs, as journals have them.

use ptc_chat::{Reply, Request, StopReason};
use ptc_lisp::{Definitions, Memory, Omitted};
use serde::{Deserialize, Serialize};

use super::JournalError;
use super::request::is_default;
use crate::fail::FailReason;
use crate::json::{ReadTurns, StepJson, TurnJson, ValueForm, within_bounds};
use crate::step::Step;
use crate::turn::Turn;

/// The end of a turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TurnRecord {
    /// From 1.
    pub number: usize,
    /// Whether it succeeded.
    pub success: bool,
    /// Why not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<FailReason>,
    /// Bytes of the answer before the program, and bytes of the program, where the answer contains it as it ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    program: Option<(usize, usize)>,
    /// Its messages are those of the request that precedes it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_sent: bool,
    /// What the model said is the answer that precedes it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_answer: bool,
    /// The turn; absent in journals of version 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    turn: Option<Box<TurnJson>>,
}

impl TurnRecord {
    /// The record of a turn of which nothing else is known.
    #[must_use]
    pub fn new(number: usize, success: bool, reason: Option<FailReason>) -> TurnRecord {
        TurnRecord { number, success, reason, program: None, is_sent: false, is_answer: false, turn: None }
    }

    /// The record of a turn with the definitions `now`, after one with those of `before`, and after this request and its
    /// answer.
    pub(super) fn after(
        before: Option<&Memory>,
        now: &Memory,
        (sent, answer): (Option<&Request>, Option<&Reply>),
        turn: &Turn,
    ) -> TurnRecord {
        let mut json = match before {
            Some(before) => TurnJson::following(turn, ValueForm::Typed, before, now),
            None => TurnJson::with_definitions(turn, ValueForm::Typed, now),
        };
        let place = json.program.as_ref().and_then(|program| Some((json.raw_response.find(program)?, program.len())));
        json.program = json.program.filter(|_| place.is_none());
        let is_sent = json.messages.is_some() && json.messages.as_ref() == sent.map(|sent| &sent.messages);
        json.messages = json.messages.filter(|_| !is_sent);
        let is_answer = answer.is_some_and(|answer| {
            (answer.content.as_str(), answer.tokens, &answer.stop, answer.reasoning.as_deref())
                == (turn.raw_response(), turn.tokens(), turn.stop(), turn.reasoning())
        });
        if is_answer {
            (json.raw_response, json.tokens, json.stop, json.reasoning) = (String::new(), None, StopReason::End, None);
        }
        TurnRecord {
            program: place,
            is_sent,
            is_answer,
            turn: Some(Box::new(json)),
            ..TurnRecord::new(turn.number(), turn.is_success(), turn.error_reason())
        }
    }

    /// Whether its messages are only in the record of its request.
    pub(super) fn has_sent_messages(&self) -> bool {
        self.is_sent
    }

    /// Whether the turn can be read.
    pub(super) fn is_told(&self) -> bool {
        self.turn.is_some()
    }

    /// The turn after those that were read before it, and after this request and its answer; `None` in journals of version 1.
    pub(super) fn read(
        &self,
        before: &mut ReadTurns,
        (sent, answer): (Option<&Request>, Option<&Reply>),
    ) -> Result<Option<Turn>, JournalError> {
        let Some(turn) = &self.turn else { return Ok(None) };
        let wrong = |problem: String| JournalError::Value(format!("turn {}: {problem}", self.number));
        let mut turn = (**turn).clone();
        if self.is_sent {
            let sent = sent.ok_or_else(|| wrong("it has no request before it".to_owned()))?;
            turn.messages = Some(sent.messages.clone());
        }
        if self.is_answer {
            let answer = answer.ok_or_else(|| wrong("it has no answer before it".to_owned()))?;
            turn.raw_response.clone_from(&answer.content);
            (turn.tokens, turn.stop, turn.reasoning) = (answer.tokens, answer.stop.clone(), answer.reasoning.clone());
        }
        let program = match self.program {
            None => turn.program.clone(),
            Some((from, bytes)) => {
                let program = turn.raw_response.get(from..).and_then(|rest| rest.get(..bytes));
                Some(program.ok_or_else(|| wrong("its program is not in the answer".to_owned()))?.to_owned())
            }
        };
        let turn = TurnJson { program, number: self.number, success: self.success, ..turn };
        turn.read(before).map(Some).map_err(|error| wrong(error.to_string()))
    }
}

/// The end of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EndRecord {
    /// Why the run has not answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<FailReason>,
    /// Its step, without what is on record already: turns, runs below, input data, system text, messages.
    step: Box<StepJson>,
    /// So many of its messages are the first of the request before.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) keep: usize,
    /// The turn in which it was stopped, which a resumed run takes again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<TurnRecord>,
    /// Microseconds since the run started, without times between a crash and its resume.
    pub at_us: u64,
}

impl EndRecord {
    /// The end of a run with this step, after this request; `turns` of its turns are on record.
    pub(super) fn new(step: &Step, turns: usize, sent: Option<&Request>, at_us: u64) -> EndRecord {
        let stopped = step.turns().get(turns);
        let stopped = stopped.map(|turn| TurnRecord::after(None, &within_bounds(turn.memory()).0, (sent, None), turn));
        let (sent, messages) = (sent.map(|sent| &sent.messages), step.messages.as_deref().unwrap_or_default());
        let keep = sent.into_iter().flatten().zip(messages).take_while(|(one, other)| one == other).count();
        let (memory, is_bounded) = within_bounds(&step.memory);
        let mut definitions = step.definitions.clone();
        if is_bounded {
            definitions = Definitions::default();
            let why = "definitions of this run are too large to be in its record";
            let names = step.memory.entries().iter().map(|entry| entry.name.clone());
            names.for_each(|name| definitions.leave_out(Omitted { name, why: why.to_owned() }));
        }
        let brief = Step {
            turns: None,
            child_steps: Vec::new(),
            messages: step.messages.as_ref().map(|messages| messages.iter().skip(keep).cloned().collect()),
            system: None,
            data: ptc_lisp::Map::new(),
            memory,
            definitions,
            ..step.clone()
        };
        let mut json = StepJson::new(&brief, ValueForm::Typed);
        json.data = None;
        EndRecord { reason: step.fail().map(|fail| fail.reason.clone()), step: Box::new(json), keep, stopped, at_us }
    }

    /// The step of a run whose last request this was, without its turns, the runs below, input data and system text.
    pub(super) fn to_step(&self, sent: Option<&Request>) -> Result<Step, JournalError> {
        let wrong = |problem: String| JournalError::Value(format!("the end: {problem}"));
        let mut step = self.step.to_step().map_err(|error| wrong(error.to_string()))?;
        if let Some(messages) = &mut step.messages {
            let kept = sent.map(|sent| sent.messages.as_slice()).unwrap_or_default().get(..self.keep);
            let kept = kept.ok_or_else(|| wrong(format!("it keeps {} messages of a request with fewer", self.keep)))?;
            messages.splice(..0, kept.iter().cloned());
        }
        Ok(step)
    }
}
