//! Turns and the ends of runs, as journals have them.

use serde::{Deserialize, Serialize};

use super::JournalError;
use crate::fail::FailReason;
use crate::json::{ReadTurns, StepJson, TurnJson, ValueForm};
use crate::step::Step;
use crate::turn::{Turn, TurnKind};

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
    /// The turn; absent in journals of version 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    turn: Option<Box<TurnJson>>,
}

impl TurnRecord {
    /// The record of a turn of which nothing else is known.
    #[must_use]
    pub fn new(number: usize, success: bool, reason: Option<FailReason>) -> TurnRecord {
        TurnRecord { number, success, reason, program: None, turn: None }
    }

    /// The record of a turn after another one.
    pub(super) fn after(before: Option<&Turn>, turn: &Turn) -> TurnRecord {
        let mut json = match before {
            Some(before) => TurnJson::following(turn, ValueForm::Typed, before.memory()),
            None => TurnJson::new(turn, ValueForm::Typed),
        };
        let place = json.program.as_ref().and_then(|program| Some((json.raw_response.find(program)?, program.len())));
        json.program = json.program.filter(|_| place.is_none());
        // The record of its request has them.
        json.messages = None;
        TurnRecord {
            program: place,
            turn: Some(Box::new(json)),
            ..TurnRecord::new(turn.number(), turn.is_success(), turn.error_reason())
        }
    }

    /// The budget that paid for it; the usual one in journals of version 1.
    pub(super) fn kind(&self) -> TurnKind {
        self.turn.as_ref().map_or_else(TurnKind::default, |turn| turn.kind)
    }

    /// Whether the turn can be read.
    pub(super) fn is_told(&self) -> bool {
        self.turn.is_some()
    }

    /// The turn after those that were read before it; `None` in journals of version 1.
    pub(super) fn read(&self, before: &mut ReadTurns) -> Result<Option<Turn>, JournalError> {
        let Some(turn) = &self.turn else { return Ok(None) };
        let wrong = |problem: String| JournalError::Value(format!("turn {}: {problem}", self.number));
        let program = match self.program {
            None => turn.program.clone(),
            Some((from, bytes)) => {
                let program = turn.raw_response.get(from..).and_then(|rest| rest.get(..bytes));
                Some(program.ok_or_else(|| wrong("its program is not in the answer".to_owned()))?.to_owned())
            }
        };
        let turn = TurnJson { program, number: self.number, success: self.success, ..(**turn).clone() };
        turn.read(before).map(Some).map_err(|error| wrong(error.to_string()))
    }
}

/// The end of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EndRecord {
    /// Its step, without what is on record already: turns, runs below, input data, system text.
    pub step: Box<StepJson>,
    /// The turn in which it was stopped, which a resumed run takes again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<TurnRecord>,
    /// Microseconds since the run started, without times between a crash and its resume.
    pub at_us: u64,
}

impl EndRecord {
    /// The end of a run with this step; `turns` of its turns are on record.
    pub(super) fn new(step: &Step, turns: usize, at_us: u64) -> EndRecord {
        let stopped = step.turns().iter().enumerate().nth(turns);
        let stopped = stopped
            .map(|(at, turn)| TurnRecord::after(at.checked_sub(1).and_then(|before| step.turns().get(before)), turn));
        let brief = Step {
            turns: None,
            child_steps: Vec::new(),
            messages: None,
            system: None,
            data: ptc_lisp::Map::new(),
            ..step.clone()
        };
        let mut json = StepJson::new(&brief, ValueForm::Typed);
        json.data = None;
        EndRecord { step: Box::new(json), stopped, at_us }
    }
}
