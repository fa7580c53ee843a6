//! Tasks as their suite has them, and as they went: calls and results only.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// A task with its ground truth, as `tasks.py` prints it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Task {
    pub(crate) suite: String,
    pub(crate) task: String,
    pub(crate) class: String,
    /// Why it cannot run here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) needs: Option<String>,
    /// The tools that declare what they return, in fixtures.
    #[serde(default)]
    pub(crate) declared: Vec<String>,
    pub(crate) turns: Vec<Turn>,
}

/// A text of the user, and what is to be done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Turn {
    pub(crate) user: String,
    pub(crate) calls: Vec<Call>,
    /// What the model is to answer, if the suite says it.
    pub(crate) answer: Option<String>,
}

/// A call of the ground truth.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Call {
    pub(crate) tool: String,
    pub(crate) args: Json,
    /// What it returned, once it was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) result: Option<Json>,
}

/// A text that an attacker would have a model read.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Attack {
    pub(crate) injection: String,
    pub(crate) text: String,
}

impl Task {
    /// The same with what its calls returned.
    pub(crate) fn with_results(mut self, results: impl Iterator<Item = Json>) -> Task {
        let calls = self.turns.iter_mut().flat_map(|turn| &mut turn.calls);
        calls.zip(results).for_each(|(call, result)| call.result = Some(result));
        self
    }

    /// All calls in order.
    pub(crate) fn calls(&self) -> impl Iterator<Item = &Call> {
        self.turns.iter().flat_map(|turn| &turn.calls)
    }
}
