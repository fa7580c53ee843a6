//! The result of a run.

use std::sync::Arc;

use indexmap::IndexMap;
use ptc_chat::{Message, OutputMode, Tokens};
use ptc_lisp::signature::Signature;
use ptc_lisp::{CachedCall, Definitions, Map, Memory, ToolRecord, ToolSpec, Value};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::compression::CompressionUse;
use crate::fail::Fail;
use crate::json::typed_value;
use crate::turn::Turn;
use crate::usage::RunUsage;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum EndingKind {
    /// `(return v)` with a fitting value.
    Return,
    /// The value of a single-shot program.
    Value,
    /// The value of the last good turn after the turns were used up.
    Fallback,
    /// `(fail v)`.
    Fail,
    /// Turns, budgets, deadline, memory or context.
    Limit,
    /// Anything else that stopped the run.
    Error,
}

impl EndingKind {
    /// The name used in records.
    pub fn as_str(self) -> &'static str {
        match self {
            EndingKind::Return => "return",
            EndingKind::Value => "value",
            EndingKind::Fallback => "fallback",
            EndingKind::Fail => "fail",
            EndingKind::Limit => "limit",
            EndingKind::Error => "error",
        }
    }

    /// Whether such a run has an answer.
    pub fn is_ok(self) -> bool {
        matches!(self, EndingKind::Return | EndingKind::Value | EndingKind::Fallback)
    }
}

/// The outcome of a run, with everything needed to inspect it later.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Step {
    /// How it ended.
    pub ending: EndingKind,
    /// The answer, or why there is none; `Ok` exactly when `ending.is_ok()`.
    pub result: Result<Value, Fail>,
    /// The definitions at the end.
    pub memory: Memory,
    /// All definitions of the run in the form for another run to start with, including those after a fallback answer.
    /// None in [`Step::child_steps`].
    pub definitions: Definitions,
    /// The usage of the run.
    pub usage: RunUsage,
    /// All turns in order; `None` when they were not kept.
    pub turns: Option<Vec<Turn>>,
    /// What the last program printed.
    pub prints: Vec<String>,
    /// The tool calls of the last program.
    pub tool_calls: Vec<ToolRecord>,
    /// Results of `(task "id" …)`, in order of completion.
    pub tasks: IndexMap<String, Value>,
    /// Summaries recorded by `step-done`, by id.
    pub summaries: IndexMap<String, String>,
    /// Answers of cacheable tools; another run may start with them.
    pub tool_cache: Vec<CachedCall>,
    /// The steps of agents called as tools, in order.
    pub child_steps: Vec<Step>,
    /// The messages of user and assistant, when collected: the whole dialogue, or with compression those of the last
    /// request.
    pub messages: Option<Vec<Message>>,
    /// The system text of the run; in JSON only with typed values. Steps of called agents have none.
    pub system: Option<Arc<str>>,
    /// The mission as the model saw it.
    pub mission: String,
    /// The mission as the agent has it.
    pub mission_template: String,
    /// The signature of the agent.
    pub signature: Option<Signature>,
    /// The tools that programs could call.
    pub tools: Vec<ToolSpec>,
    /// The input data.
    pub data: Map,
    /// Descriptions of result fields.
    pub field_descriptions: IndexMap<String, String>,
    /// Descriptions of input keys, including those received from a previous agent.
    pub context_descriptions: IndexMap<String, String>,
    /// The label of the agent.
    pub name: Option<String>,
    /// The work turns of the agent, from which the turns left are counted.
    pub max_turns: Option<usize>,
    /// The retry turns of the agent.
    pub retry_turns: usize,
    /// What the model wrote.
    pub output: OutputMode,
    /// Fixed text after the Expected Output of the first message.
    pub notes: String,
    /// What the user said when this run continued another one: after the stable beginning of the first message.
    pub follow_up: String,
    /// Whether requests showed samples of data and definitions.
    pub samples: bool,
    /// Tokens of the list of tools, unless they are as many as by default.
    pub tool_tokens: Option<usize>,
    /// Characters of the output of a turn in plain feedback.
    pub feedback_max_chars: Option<usize>,
    /// Elements shown of each collection of the answer, for people.
    pub result_limit: Option<usize>,
    /// Characters shown of the answer, for people.
    pub result_max_chars: Option<usize>,
    /// The definitions with which the run started.
    pub memory_at_start: Memory,
    /// How requests showed the history, in the order of turns: one entry, and more if a resumed run changed it. Empty
    /// in steps of older releases.
    pub compression: Vec<CompressionUse>,
}

/// A run without the expected answer, as an error.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum RunFailure {
    /// The run has no answer.
    #[error("the run ended with {}: {fail}", ending.as_str())]
    Ended {
        /// How it ended.
        ending: EndingKind,
        /// Why.
        fail: Box<Fail>,
    },
    /// The answer does not have the Rust type.
    #[error("the answer is not of type {wanted}: {problem}")]
    Mismatch {
        /// The Rust type.
        wanted: &'static str,
        /// The error of serde.
        problem: String,
    },
}

impl Step {
    /// The step of a run that ended with an answer.
    pub fn returned(ending: EndingKind, value: Value) -> Step {
        Step::new(ending, Ok(value))
    }

    /// The step of a run that ended without one.
    pub fn failed(ending: EndingKind, fail: Fail) -> Step {
        Step::new(ending, Err(fail))
    }

    fn new(ending: EndingKind, result: Result<Value, Fail>) -> Step {
        debug_assert_eq!(ending.is_ok(), result.is_ok(), "{ending:?} must match the result");
        Step {
            ending,
            result,
            memory: Memory::default(),
            definitions: Definitions::default(),
            usage: RunUsage::default(),
            turns: None,
            prints: Vec::new(),
            tool_calls: Vec::new(),
            tasks: IndexMap::new(),
            summaries: IndexMap::new(),
            tool_cache: Vec::new(),
            child_steps: Vec::new(),
            messages: None,
            system: None,
            mission: String::new(),
            mission_template: String::new(),
            signature: None,
            tools: Vec::new(),
            data: Map::new(),
            field_descriptions: IndexMap::new(),
            context_descriptions: IndexMap::new(),
            name: None,
            max_turns: None,
            retry_turns: 0,
            output: OutputMode::default(),
            notes: String::new(),
            follow_up: String::new(),
            samples: true,
            tool_tokens: None,
            feedback_max_chars: None,
            result_limit: None,
            result_max_chars: None,
            memory_at_start: Memory::default(),
            compression: Vec::new(),
        }
    }

    /// Whether there is an answer.
    pub fn is_ok(&self) -> bool {
        self.result.is_ok()
    }

    /// The answer as a PTC-Lisp value.
    pub fn return_value(&self) -> Option<&Value> {
        self.result.as_ref().ok()
    }

    /// Why there is no answer.
    pub fn fail(&self) -> Option<&Fail> {
        self.result.as_ref().err()
    }

    /// The answer as a Rust value, read from its plain JSON form.
    pub fn value<T: DeserializeOwned>(&self) -> Result<T, RunFailure> {
        match &self.result {
            Ok(value) => typed_value(value).map_err(|error| RunFailure::Mismatch {
                wanted: std::any::type_name::<T>(),
                problem: error.to_string(),
            }),
            Err(fail) => Err(RunFailure::Ended { ending: self.ending, fail: Box::new(fail.clone()) }),
        }
    }

    /// The tokens of all answers of models, those to called agents included.
    ///
    /// ```
    /// use ptc_chat::Tokens;
    /// use ptc_lisp::Value;
    /// use ptc_transcript::{EndingKind, Step};
    ///
    /// let mut step = Step::returned(EndingKind::Return, Value::Nil);
    /// step.usage.add_tokens(&Tokens { input: 900, output: 30, ..Tokens::default() });
    /// step.child_steps = vec![step.clone()];
    /// assert_eq!(step.total_tokens(), Tokens { input: 1_800, output: 60, ..Tokens::default() });
    /// ```
    pub fn total_tokens(&self) -> Tokens {
        let usage = &self.usage;
        let counts = [usage.input_tokens, usage.output_tokens, usage.cache_read_tokens, usage.cache_creation_tokens];
        let [input, output, cached, cache_write] = counts.map(Option::unwrap_or_default);
        let mut all = Tokens { input, output, cached, cache_write };
        self.child_steps.iter().for_each(|child| all.add(&child.total_tokens()));
        all
    }

    /// The turns; empty when they were not kept.
    pub fn turns(&self) -> &[Turn] {
        self.turns.as_deref().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;
    use crate::fail::{FailKind, FailReason};

    #[test]
    fn an_answer_reads_as_a_rust_value() {
        #[derive(serde::Deserialize, Debug, PartialEq)]
        struct Quote {
            total: f64,
            kind: String,
        }
        let value = Value::map_from([
            (Value::string("total"), Value::Float(268.5)),
            (Value::string("kind"), Value::keyword("net")),
        ]);
        let step = Step::returned(EndingKind::Return, value);
        assert_eq!(step.value::<Quote>().unwrap(), Quote { total: 268.5, kind: "net".into() });
        assert!(
            step.value::<u32>()
                .unwrap_err()
                .to_string()
                .starts_with("the answer is not of type u32: invalid type: map")
        );
    }

    #[test]
    fn a_failed_run_has_no_value() {
        let fail = Fail::new(FailKind::Limit, FailReason::MaxTurnsExceeded, "limit of 3 turns reached");
        let step = Step::failed(EndingKind::Limit, fail);
        assert!(!step.is_ok() && step.return_value().is_none());
        let failure = step.value::<u32>().unwrap_err();
        assert_snapshot!(failure, @"the run ended with limit: max_turns_exceeded: limit of 3 turns reached");
    }
}
