//! JSON twins of the records of the interpreter: tool calls, tools and definitions.

use std::time::Duration;

use indexmap::IndexMap;
use ptc_lisp::signature::Signature;
use ptc_lisp::text::display_text;
use ptc_lisp::{CachedCall, Effect, HiddenFields, Memory, MemoryEntry, ShownNames, ToolRecord, ToolSpec, Value};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::ReadError;
use super::value::{ValueForm, json_of, value_of};

/// One tool call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolRecordJson {
    /// The tool.
    pub name: String,
    /// The arguments as sent.
    pub args: Json,
    /// The arguments as the program wrote them; only with typed values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub surface: Option<Json>,
    /// The answer.
    #[serde(default)]
    pub result: Json,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Wall time, exact to a microsecond.
    #[serde(default)]
    pub duration_ms: f64,
    /// Microseconds since 1970 when it started.
    #[serde(default)]
    pub timestamp: i64,
    /// Whether the answer came from the cache.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cached: bool,
    /// Whether the approver changed the arguments of the program.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub edited: bool,
    /// Whether the tool may change something outside of the run; `write` is left out.
    #[serde(default, skip_serializing_if = "is_write")]
    pub effect: Effect,
    /// Whether the tool declares that it writes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub declares_write: bool,
    /// Whether a call that failed may nevertheless have taken effect.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub may_have_run: bool,
    /// Whether the answer was kept from an earlier program that failed: nothing was called.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub from_failed_turn: bool,
    /// The fields of the answer that models do not see, unless these are all that begin with `_`.
    #[serde(default, skip_serializing_if = "HiddenFields::is_default")]
    pub hidden_fields: HiddenFields,
}

impl ToolRecordJson {
    pub(super) fn new(record: &ToolRecord, form: ValueForm) -> Self {
        ToolRecordJson {
            name: record.name.to_string(),
            args: json_of(&record.args, form),
            surface: (form == ValueForm::Typed).then(|| json_of(&record.surface, form)),
            result: json_of(&record.result, form),
            error: record.error.clone(),
            duration_ms: milliseconds(record.duration),
            timestamp: record.started_micros,
            cached: record.cached,
            edited: record.edited,
            effect: record.effect,
            declares_write: record.declares_write,
            may_have_run: record.may_have_run,
            from_failed_turn: record.from_failed_turn,
            hidden_fields: record.hidden_fields.clone(),
        }
    }

    pub(super) fn read(&self) -> Result<ToolRecord, ReadError> {
        let args = value_of(&self.args)?;
        Ok(ToolRecord {
            name: self.name.as_str().into(),
            surface: self.surface.as_ref().map_or(Ok(args.clone()), value_of)?,
            args,
            result: value_of(&self.result)?,
            error: self.error.clone(),
            duration: duration(self.duration_ms),
            started_micros: self.timestamp,
            cached: self.cached,
            edited: self.edited,
            effect: self.effect,
            declares_write: self.declares_write,
            may_have_run: self.may_have_run,
            from_failed_turn: self.from_failed_turn,
            hidden_fields: self.hidden_fields.clone(),
        })
    }
}

/// One answer of a cacheable tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CachedCallJson {
    /// The tool.
    pub name: String,
    /// The arguments as sent.
    pub args: Json,
    /// The answer.
    #[serde(default)]
    pub result: Json,
}

impl CachedCallJson {
    pub(crate) fn new(call: &CachedCall, form: ValueForm) -> Self {
        CachedCallJson {
            name: call.name.to_string(),
            args: json_of(&call.args, form),
            result: json_of(&call.result, form),
        }
    }

    /// The answer, if it was written with typed values.
    pub fn to_call(&self) -> Result<CachedCall, ReadError> {
        Ok(CachedCall { name: self.name.as_str().into(), args: value_of(&self.args)?, result: value_of(&self.result)? })
    }
}

/// One tool that programs could call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolSpecJson {
    /// The name after `tool/`.
    pub name: String,
    /// Parameters and result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// One line for the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether equal calls may be answered from the cache.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cache: bool,
    /// Whether a call whose end is unknown may be repeated.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub idempotent: bool,
    /// Whether each call needs approval.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub approve: bool,
    /// Whether a call may change something outside of the run; `write` is left out.
    #[serde(default, skip_serializing_if = "is_write")]
    pub effect: Effect,
    /// How long one call may take.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<f64>,
    /// Whether lists of tools leave it out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unlisted: bool,
    /// The fields of its answers that models do not see, unless these are all that begin with `_`.
    #[serde(default, skip_serializing_if = "HiddenFields::is_default")]
    pub hidden_fields: HiddenFields,
}

impl ToolSpecJson {
    pub(crate) fn new(spec: &ToolSpec) -> Self {
        ToolSpecJson {
            name: spec.name.clone(),
            signature: spec.signature.as_ref().map(ToString::to_string),
            description: spec.description.clone(),
            cache: spec.cache,
            idempotent: spec.idempotent,
            approve: spec.approve,
            effect: spec.effect,
            timeout_ms: spec.timeout.map(milliseconds),
            unlisted: spec.unlisted,
            hidden_fields: spec.hidden_fields.clone(),
        }
    }

    /// The tool, when its signature can be read.
    pub fn to_spec(&self) -> Result<ToolSpec, ReadError> {
        Ok(ToolSpec {
            name: self.name.clone(),
            signature: self
                .signature
                .as_deref()
                .map(Signature::parse_tool)
                .transpose()
                .map_err(ReadError::Signature)?,
            description: self.description.clone(),
            cache: self.cache,
            idempotent: self.idempotent,
            approve: self.approve,
            effect: self.effect,
            declares_effect: false,
            timeout: self.timeout_ms.map(duration),
            unlisted: self.unlisted,
            hidden_fields: self.hidden_fields.clone(),
            observed: Vec::new(),
        })
    }
}

fn is_write(effect: &Effect) -> bool {
    *effect == Effect::Write
}

/// One definition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MemoryEntryJson {
    /// Its value.
    pub value: Json,
    /// Docstring.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doc: Option<String>,
    /// Label of what the function returned last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returns: Option<String>,
    /// Parameters as shown, for functions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub params: Option<String>,
    /// Running number of the latest definition.
    pub order: u64,
    /// The type label of the value.
    pub label: String,
}

/// Definitions by name, in order.
pub(crate) type MemoryJson = IndexMap<String, MemoryEntryJson>;

pub(crate) fn write_memory(memory: &Memory, form: ValueForm) -> MemoryJson {
    let entry = |entry: &MemoryEntry| MemoryEntryJson {
        value: json_of(&entry.value, form),
        doc: entry.doc.clone(),
        returns: entry.returns.clone(),
        params: entry.params.clone(),
        order: entry.order,
        label: entry.label.clone(),
    };
    memory.entries().iter().map(|one| (one.name.clone(), entry(one))).collect()
}

pub(super) fn read_memory(memory: &MemoryJson, shown_names: &ShownNames) -> Result<Memory, ReadError> {
    let entries = memory.iter().map(|(name, entry)| entry.read(name)).collect::<Result<_, ReadError>>()?;
    Ok(Memory::new(entries).with_shown_names(shown_names.clone()))
}

impl MemoryEntryJson {
    pub(super) fn read(&self, name: &str) -> Result<MemoryEntry, ReadError> {
        Ok(MemoryEntry {
            name: name.to_owned(),
            value: value_of(&self.value)?,
            doc: self.doc.clone(),
            returns: self.returns.clone(),
            params: self.params.clone(),
            order: self.order,
            label: self.label.clone(),
        })
    }
}

/// About the bytes of JSON above which a journal only names a value: each turn would write it again.
const MAX_VALUE: usize = 8 << 20;

/// Whether a value takes more than that. Cost: stops there.
fn is_large(value: &Value) -> bool {
    let mut left = MAX_VALUE;
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        let Some(rest) = left.checked_sub(own_bytes(value)) else { return true };
        left = rest;
        match value {
            Value::Vector(items) => waiting.extend(items.iter()),
            Value::Set(items) => waiting.extend(items.iter()),
            Value::Map(map) => waiting.extend(map.iter().flat_map(|(key, item)| [key, item])),
            _ => {}
        }
        if waiting.len() > MAX_VALUE / 8 {
            return true;
        }
    }
    false
}

/// About the bytes of JSON of a value without those inside it.
fn own_bytes(value: &Value) -> usize {
    match value {
        Value::Str(text) | Value::Uuid(text) => text.as_str().len() + 2,
        Value::Keyword(name) | Value::Symbol(name) | Value::Var(name) => name.as_str().len() + 2,
        Value::Vector(_) | Value::Set(_) | Value::Map(_) | Value::Nil | Value::Bool(_) | Value::Int(_) => 8,
        Value::Float(_) | Value::Date(_) | Value::Instant(_) => 24,
        Value::Big(number) => usize::try_from(number.bits() / 3).unwrap_or(usize::MAX),
        // Patterns, errors with what is attached to them, functions.
        _ => display_text(value).len(),
    }
}

/// The definitions with a name instead of large values, and whether there are any.
pub(crate) fn within_bounds(memory: &Memory) -> (Memory, bool) {
    if !memory.entries().iter().any(|entry| is_large(&entry.value)) {
        return (memory.clone(), false);
    }
    let named = |entry: &MemoryEntry| {
        let name = || Value::Symbol(format!("#{}: more than {} MB", entry.name, MAX_VALUE >> 20).as_str().into());
        MemoryEntry { value: if is_large(&entry.value) { name() } else { entry.value.clone() }, ..entry.clone() }
    };
    let bounded = Memory::new(memory.entries().iter().map(named).collect());
    (bounded.with_shown_names(memory.shown_names().clone()), true)
}

/// Milliseconds with three decimals.
pub(super) fn milliseconds(duration: Duration) -> f64 {
    #[allow(clippy::cast_precision_loss, reason = "exact up to 285 years of microseconds")]
    let micros = duration.as_micros() as f64;
    micros / 1000.0
}

pub(super) fn duration(milliseconds: f64) -> Duration {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
    let micros = (milliseconds * 1000.0).round() as u64;
    Duration::from_micros(micros)
}
