//! The JSON twin of a step.

use std::sync::Arc;

use indexmap::IndexMap;
use ptc_chat::{Message, OutputMode};
use ptc_lisp::signature::Signature;
use ptc_lisp::values::key_text;
use ptc_lisp::{Map, Memory, ShownNames, Value};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::definitions::{DefinitionsJson, read_definitions, write_definitions};
use super::record::{CachedCallJson, MemoryJson, ToolRecordJson, ToolSpecJson, read_memory, write_memory};
use super::turn::{Definitions, TurnJson};
use super::value::{ValueForm, json_of, value_of};
use super::{FORMAT_VERSION, ReadError, check_readable};
use crate::bounds::check_bounds;
use crate::compression::CompressionUse;
use crate::fail::{Fail, FailKind, FailReason};
use crate::step::{EndingKind, Step};
use crate::turn::Turn;
use crate::usage::RunUsage;

/// A step as it is written to files: plain for people, or with typed values, from which the step can be read back. Only
/// the typed form has the input data, the definitions and the system text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepJson {
    /// Format version.
    pub version: u32,
    /// How values are written.
    #[serde(default)]
    pub values: ValueForm,
    /// How the run ended.
    pub ending: EndingKind,
    /// The answer; null may be one, so check `ending` or `fail` first.
    #[serde(rename = "return", default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub return_value: Option<Json>,
    /// Why there is no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fail: Option<FailJson>,
    /// The label of the agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The work turns of the agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_turns: Option<usize>,
    /// The retry turns of the agent.
    #[serde(default, skip_serializing_if = "is_default")]
    pub retry_turns: usize,
    /// What the model wrote, if it did not write programs.
    #[serde(default, skip_serializing_if = "is_default")]
    pub output: OutputMode,
    /// Fixed text after the Expected Output of the first message.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub notes: String,
    /// What the user said when the run continued another one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub follow_up: String,
    /// `false` when requests showed no samples of data and definitions.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub samples: bool,
    /// Tokens of the list of tools, unless they are as many as by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_tokens: Option<usize>,
    /// Characters of the output of a turn in plain feedback.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feedback_max_chars: Option<usize>,
    /// Elements shown of each collection of the answer, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result_limit: Option<usize>,
    /// Characters shown of the answer, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result_max_chars: Option<usize>,
    /// The mission as the model saw it.
    #[serde(default)]
    pub mission: String,
    /// The mission as the agent has it.
    #[serde(default)]
    pub mission_template: String,
    /// The signature of the agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// What the run used.
    #[serde(default)]
    pub usage: RunUsage,
    /// All turns, when they were kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turns: Option<Vec<TurnJson>>,
    /// The definitions at the end.
    #[serde(default)]
    pub memory: MemoryJson,
    /// The definitions with which the run started.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub memory_at_start: MemoryJson,
    /// The names beginning with `_` that the model has seen, at the end.
    #[serde(default, skip_serializing_if = "ShownNames::is_empty")]
    pub shown_names: ShownNames,
    /// Those that it had seen before the run.
    #[serde(default, skip_serializing_if = "ShownNames::is_empty")]
    pub shown_names_at_start: ShownNames,
    /// The definitions in the form for another run to start with; only with typed values.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub definitions: DefinitionsJson,
    /// What the last program printed.
    #[serde(default)]
    pub prints: Vec<String>,
    /// The tool calls of the last program.
    #[serde(default)]
    pub tool_calls: Vec<ToolRecordJson>,
    /// Results of tasks by id.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub tasks: IndexMap<String, Json>,
    /// Summaries of plan steps by id.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub summaries: IndexMap<String, String>,
    /// Answers of cacheable tools; those of the first releases, which were keyed by texts, are left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "cached_calls")]
    pub tool_cache: Vec<CachedCallJson>,
    /// Steps of agents that were called as tools.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub child_steps: Vec<StepJson>,
    /// The messages of user and assistant, when collected: the whole dialogue, or with compression those of the last
    /// request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub messages: Option<Vec<Message>>,
    /// The tools that programs could call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<ToolSpecJson>,
    /// Keys of the input data.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub data_keys: Vec<String>,
    /// The input data; only with typed values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Json>,
    /// The system text of the requests; only with typed values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// How requests showed the history, in the order of turns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub compression: Vec<CompressionUse>,
    /// Descriptions of result fields.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub field_descriptions: IndexMap<String, String>,
    /// Descriptions of input keys.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub context_descriptions: IndexMap<String, String>,
}

/// The failure of a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FailJson {
    /// The reason, by a stable name.
    pub reason: FailReason,
    /// One text.
    pub message: String,
    /// The part of the library that reports it.
    pub kind: FailKind,
    /// The operation that failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub op: Option<String>,
    /// Further facts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Json>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn yes() -> bool {
    true
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
fn is_yes(flag: &bool) -> bool {
    *flag
}

/// The cached calls of a list.
fn cached_calls<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<CachedCallJson>, D::Error> {
    match Json::deserialize(deserializer)? {
        Json::Object(_) => Ok(Vec::new()),
        calls => serde_json::from_value(calls).map_err(serde::de::Error::custom),
    }
}

/// A key that is present is an answer, even if it is null.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Json>, D::Error> {
    Json::deserialize(deserializer).map(Some)
}

impl StepJson {
    /// The twin of a step. Cost: linear in all values that it holds, memory once per turn.
    pub fn new(step: &Step, form: ValueForm) -> Self {
        let values =
            |map: &IndexMap<String, Value>| map.iter().map(|(id, value)| (id.clone(), json_of(value, form))).collect();
        let memory = write_memory(&step.memory, form);
        let definitions = (form == ValueForm::Typed).then(|| write_definitions(&step.definitions, &memory));
        StepJson {
            version: FORMAT_VERSION,
            values: form,
            ending: step.ending,
            return_value: step.return_value().map(|value| json_of(value, form)),
            fail: step.fail().map(|fail| write_fail(fail, form)),
            name: step.name.clone(),
            max_turns: step.max_turns,
            retry_turns: step.retry_turns,
            output: step.output,
            notes: step.notes.clone(),
            follow_up: step.follow_up.clone(),
            samples: step.samples,
            tool_tokens: step.tool_tokens,
            feedback_max_chars: step.feedback_max_chars,
            result_limit: step.result_limit,
            result_max_chars: step.result_max_chars,
            mission: step.mission.clone(),
            mission_template: step.mission_template.clone(),
            signature: step.signature.as_ref().map(ToString::to_string),
            usage: step.usage.clone(),
            turns: step.turns.as_deref().map(|turns| turns_json(turns, form)),
            memory,
            memory_at_start: write_memory(&step.memory_at_start, form),
            shown_names: step.memory.shown_names().clone(),
            shown_names_at_start: step.memory_at_start.shown_names().clone(),
            definitions: definitions.unwrap_or_default(),
            prints: step.prints.clone(),
            tool_calls: step.tool_calls.iter().map(|call| ToolRecordJson::new(call, form)).collect(),
            tasks: values(&step.tasks),
            summaries: step.summaries.clone(),
            tool_cache: step.tool_cache.iter().map(|call| CachedCallJson::new(call, form)).collect(),
            child_steps: step.child_steps.iter().map(|child| StepJson::new(child, form)).collect(),
            messages: step.messages.clone(),
            tools: step.tools.iter().map(ToolSpecJson::new).collect(),
            data_keys: step.data.iter().map(|(key, _)| key_text(key)).collect(),
            data: (form == ValueForm::Typed).then(|| json_of(&Value::Map(step.data.clone()), form)),
            system: step.system.as_deref().filter(|_| form == ValueForm::Typed).map(str::to_owned),
            compression: step.compression.clone(),
            field_descriptions: step.field_descriptions.clone(),
            context_descriptions: step.context_descriptions.clone(),
        }
    }

    /// As one JSON object.
    pub fn to_json(&self) -> Json {
        serde_json::to_value(self).unwrap_or_default()
    }

    /// Reads the text of a step.
    ///
    /// Errors when it is not a step, and when it is too large: more than [`MAX_RECORD_BYTES`](crate::MAX_RECORD_BYTES),
    /// or 4 GB of memory.
    pub fn parse(text: &str) -> Result<StepJson, ReadError> {
        check_bounds(text.as_bytes()).map_err(|excess| ReadError::TooLarge(excess.to_string()))?;
        serde_json::from_str(text).map_err(|error| ReadError::Shape(error.to_string()))
    }

    /// The step, when it was written with typed values.
    pub fn to_step(&self) -> Result<Step, ReadError> {
        check_readable(self.version, self.values)?;
        let memory = read_memory(&self.memory, &self.shown_names)?;
        let mut of_turns = Definitions::default();
        let values = |map: &IndexMap<String, Json>| {
            map.iter()
                .map(|(id, json)| Ok((id.clone(), value_of(json)?)))
                .collect::<Result<IndexMap<_, _>, ReadError>>()
        };
        let turns = self.turns.as_ref().map(|turns| turns.iter().map(|turn| turn.read(&mut of_turns)).collect());
        Ok(Step {
            definitions: read_definitions(&self.definitions, &memory)?,
            memory,
            usage: self.usage.clone(),
            turns: turns.transpose()?,
            prints: self.prints.clone(),
            tool_calls: self.tool_calls.iter().map(ToolRecordJson::read).collect::<Result<_, _>>()?,
            tasks: values(&self.tasks)?,
            summaries: self.summaries.clone(),
            tool_cache: self.tool_cache.iter().map(CachedCallJson::to_call).collect::<Result<_, _>>()?,
            child_steps: self.child_steps.iter().map(StepJson::to_step).collect::<Result<_, _>>()?,
            messages: self.messages.clone(),
            mission: self.mission.clone(),
            mission_template: self.mission_template.clone(),
            signature: self.signature.as_deref().map(Signature::parse).transpose().map_err(ReadError::Signature)?,
            tools: self.tools.iter().map(ToolSpecJson::to_spec).collect::<Result<_, _>>()?,
            data: self.read_data()?,
            system: self.system.as_deref().map(Arc::from),
            field_descriptions: self.field_descriptions.clone(),
            context_descriptions: self.context_descriptions.clone(),
            name: self.name.clone(),
            max_turns: self.max_turns,
            retry_turns: self.retry_turns,
            output: self.output,
            notes: self.notes.clone(),
            follow_up: self.follow_up.clone(),
            samples: self.samples,
            tool_tokens: self.tool_tokens,
            feedback_max_chars: self.feedback_max_chars,
            result_limit: self.result_limit,
            result_max_chars: self.result_max_chars,
            compression: self.compression.clone(),
            memory_at_start: read_memory(&self.memory_at_start, &self.shown_names_at_start)?,
            ..self.read_result()?
        })
    }

    fn read_result(&self) -> Result<Step, ReadError> {
        match (self.ending.is_ok(), &self.return_value, &self.fail) {
            (true, value, None) => Ok(Step::returned(self.ending, value.as_ref().map_or(Ok(Value::Nil), value_of)?)),
            (false, None, Some(fail)) => Ok(Step::failed(self.ending, read_fail(fail)?)),
            _ => Err(ReadError::Shape(format!(
                "ending {} does not match the keys \"return\" and \"fail\"",
                self.ending.as_str()
            ))),
        }
    }

    fn read_data(&self) -> Result<Map, ReadError> {
        match &self.data {
            None => Ok(Map::new()),
            Some(json) => match value_of(json)? {
                Value::Map(map) => Ok(map),
                _ => Err(ReadError::Shape("\"data\" is not a map".to_owned())),
            },
        }
    }
}

fn turns_json(turns: &[Turn], form: ValueForm) -> Vec<TurnJson> {
    let mut before = &Memory::default();
    let twin = |turn| {
        let now = Turn::memory(turn);
        TurnJson::following(turn, form, std::mem::replace(&mut before, now), now)
    };
    turns.iter().map(twin).collect()
}

fn write_fail(fail: &Fail, form: ValueForm) -> FailJson {
    FailJson {
        reason: fail.reason.clone(),
        message: fail.message.clone(),
        kind: fail.kind,
        op: fail.op.clone(),
        details: fail.details.as_ref().map(|details| json_of(details, form)),
    }
}

fn read_fail(fail: &FailJson) -> Result<Fail, ReadError> {
    Ok(Fail {
        reason: fail.reason.clone(),
        message: fail.message.clone(),
        kind: fail.kind,
        op: fail.op.clone(),
        details: fail.details.as_ref().map(value_of).transpose()?,
    })
}
