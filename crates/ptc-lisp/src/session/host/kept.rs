//! Answers that one program got, kept for equal calls of later programs.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use indexmap::IndexMap;

use super::ToolCall;
use crate::limits::meter::Meter;
use crate::value::{Map, Value};

/// Answers of tools for equal calls of later programs: the same tool, with equal arguments.
///
/// A program that makes the same call several times gets the answers in their original order, then none: so a loop that
/// waits for something new does not wait forever.
///
/// ```
/// use ptc_lisp::{KeptAnswers, ToolCall, Value};
///
/// let call = ToolCall { seq: 1, name: "look".into(), args: Value::Nil, surface: Value::Nil };
/// let mut kept = KeptAnswers::default();
/// kept.begin_program();
/// assert!(kept.take(&call).is_none());
/// kept.keep(&call, &Value::Int(7));
/// kept.begin_program();
/// assert!(matches!(kept.take(&call), Some(Value::Int(7))));
/// assert!(kept.take(&call).is_none());
/// ```
#[derive(Clone, Debug, Default)]
pub struct KeptAnswers {
    /// For each tool, a map from arguments to the index of their answers in `equal`.
    places: IndexMap<Arc<str>, Map, foldhash::fast::RandomState>,
    equal: Vec<Equal>,
}

/// The answers to equal calls, in their original order.
#[derive(Clone, Debug, Default)]
struct Equal {
    answers: Vec<Value>,
    /// How many of them the running program has received.
    given: usize,
}

impl KeptAnswers {
    /// Start another program, which may receive all that is kept. Cost: one step for each distinct call.
    pub fn begin_program(&mut self) {
        self.equal.iter_mut().for_each(|equal| equal.given = 0);
    }

    /// The next answer to this call that the running program has not received yet.
    pub fn take(&mut self, call: &ToolCall) -> Option<Value> {
        let place = self.place(call)?;
        let equal = self.equal.get_mut(place)?;
        let answer = equal.answers.get(equal.given)?.clone();
        equal.given += 1;
        Some(answer)
    }

    /// Keep an answer that the running program got from the tool. Arguments that cannot be hashed are not kept.
    pub fn keep(&mut self, call: &ToolCall, answer: &Value) {
        let place = self.place(call).or_else(|| self.new_place(call));
        let Some(equal) = place.and_then(|place| self.equal.get_mut(place)) else { return };
        // The new answer replaces those that the program did not ask for.
        equal.answers.truncate(equal.given);
        equal.answers.push(answer.clone());
        equal.given += 1;
    }

    /// Forget all answers.
    pub fn clear(&mut self) {
        self.places.clear();
        self.equal.clear();
    }

    fn place(&self, call: &ToolCall) -> Option<usize> {
        match self.places.get(&call.name)?.get(&call.args, &mut Meter::host()).ok()?? {
            Value::Int(place) => usize::try_from(*place).ok(),
            _ => None,
        }
    }

    fn new_place(&mut self, call: &ToolCall) -> Option<usize> {
        let place = self.equal.len();
        let known = self.places.entry(call.name.clone()).or_default();
        known.insert(call.args.clone(), Value::Int(i64::try_from(place).ok()?), &mut Meter::host()).ok()?;
        self.equal.push(Equal::default());
        Some(place)
    }
}
