//! The JSON twin of a turn.

use indexmap::IndexMap;
use ptc_chat::{Message, StopReason, Tokens};
use ptc_lisp::{Memory, MemoryEntry};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::record::{MemoryJson, ToolRecordJson, duration, milliseconds, write_memory};
use super::value::{ValueForm, json_of, value_of};
use super::{FORMAT_VERSION, ReadError, check_readable};
use crate::turn::{FailurePlace, Turn, TurnFields, TurnKind, TurnWarning};

/// Definitions that the turns of one step may have in total: each turn has a list of all of them. Tests have fewer.
const MAX_DEFINITIONS: usize = if cfg!(test) { 100_000 } else { 4 << 20 };

/// A turn as it is written to files. On its own it holds the whole memory, inside a step only what changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TurnJson {
    /// Format version.
    pub version: u32,
    /// How values are written.
    #[serde(default)]
    pub values: ValueForm,
    /// From 1.
    pub number: usize,
    /// The budget that paid for it.
    #[serde(default)]
    pub kind: TurnKind,
    /// Whether it succeeded.
    pub success: bool,
    /// The whole answer of the model.
    pub raw_response: String,
    /// The program found in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// The value, or the error map.
    #[serde(default)]
    pub result: Json,
    /// Printed entries.
    #[serde(default)]
    pub prints: Vec<String>,
    /// The characters that each printed entry lacks because it was too long; absent when all are whole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prints_missing: Vec<usize>,
    /// Tool calls in order.
    #[serde(default)]
    pub tool_calls: Vec<ToolRecordJson>,
    /// Definitions after the turn: all of them, or those that differ from the previous turn.
    #[serde(default)]
    pub memory: MemoryJson,
    /// Whether `memory` holds only what differs from the previous turn.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub memory_from_previous: bool,
    /// The messages sent, if messages are collected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub messages: Option<Vec<Message>>,
    /// The checklist of a plan or the log of tasks as the request showed it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub progress: String,
    /// Legal code that is nearly always a mistake.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<TurnWarning>,
    /// Where the program failed; absent in turns of older releases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed_at: Option<FailurePlace>,
    /// Token counts of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<Tokens>,
    /// Wall time, exact to a microsecond.
    #[serde(default)]
    pub duration_ms: f64,
    /// Why the model stopped writing.
    #[serde(default)]
    pub stop: StopReason,
    /// The thoughts of the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
}

impl TurnJson {
    /// The twin of a turn, with its whole memory.
    pub fn new(turn: &Turn, form: ValueForm) -> Self {
        let memory = write_memory(turn.memory(), form);
        TurnJson::with_memory(turn, form, memory, false)
    }

    /// The twin of a turn after others: its memory as changes against `previous`, which becomes this turn's memory.
    pub(super) fn following(turn: &Turn, form: ValueForm, previous: &mut MemoryJson) -> Self {
        let whole = write_memory(turn.memory(), form);
        let changed: MemoryJson = whole
            .iter()
            .filter(|(name, entry)| previous.get(*name) != Some(*entry))
            .map(|(name, entry)| (name.clone(), entry.clone()))
            .collect();
        let rebuilt = apply(previous, &changed);
        let same = rebuilt.len() == whole.len() && rebuilt.keys().eq(whole.keys());
        *previous = whole;
        let memory = if same { changed } else { previous.clone() };
        TurnJson::with_memory(turn, form, memory, same)
    }

    fn with_memory(turn: &Turn, form: ValueForm, memory: MemoryJson, memory_from_previous: bool) -> Self {
        TurnJson {
            version: FORMAT_VERSION,
            values: form,
            number: turn.number(),
            kind: turn.kind(),
            success: turn.is_success(),
            raw_response: turn.raw_response().to_owned(),
            program: turn.program().map(str::to_owned),
            result: json_of(turn.result(), form),
            prints: turn.prints().to_vec(),
            prints_missing: missing(turn),
            tool_calls: turn.tool_calls().iter().map(|call| ToolRecordJson::new(call, form)).collect(),
            memory,
            memory_from_previous,
            messages: turn.messages().map(<[Message]>::to_vec),
            progress: turn.progress().to_owned(),
            warnings: turn.warnings().to_vec(),
            failed_at: turn.failed_at(),
            tokens: turn.tokens(),
            duration_ms: milliseconds(turn.duration()),
            stop: turn.stop().clone(),
            reasoning: turn.reasoning().map(str::to_owned),
        }
    }

    /// The turn, when it was written on its own with typed values.
    pub fn to_turn(&self) -> Result<Turn, ReadError> {
        self.read(&mut Definitions::default())
    }

    /// The turn that follows one with these definitions, which become those of this turn.
    pub(super) fn read(&self, definitions: &mut Definitions) -> Result<Turn, ReadError> {
        check_readable(self.version, self.values)?;
        let fields = TurnFields {
            number: self.number,
            raw_response: self.raw_response.clone(),
            program: self.program.clone(),
            result: value_of(&self.result)?,
            prints: self.prints.clone(),
            missing: self.prints_missing.clone(),
            tool_calls: self.tool_calls.iter().map(ToolRecordJson::read).collect::<Result<_, _>>()?,
            memory: definitions.after(self)?,
            kind: self.kind,
            messages: self.messages.clone(),
            progress: self.progress.clone(),
            warnings: self.warnings.clone(),
            failed_at: self.failed_at,
            tokens: self.tokens,
            duration: duration(self.duration_ms),
            stop: self.stop.clone(),
            reasoning: self.reasoning.clone(),
        };
        Ok(if self.success { Turn::success(fields) } else { Turn::failure(fields) })
    }
}

/// What the printed entries lack; empty when all are whole.
fn missing(turn: &Turn) -> Vec<usize> {
    let missing: Vec<usize> = (0..turn.prints().len()).map(|place| turn.print_missing(place)).collect();
    if missing.iter().all(|missing| *missing == 0) { Vec::new() } else { missing }
}

/// The definitions of the turn read last. Definitions that a turn does not change are shared with the previous turn.
#[derive(Default)]
pub(super) struct Definitions {
    entries: IndexMap<String, MemoryEntry>,
    memory: Memory,
    /// Definitions of all turns together.
    count: usize,
}

impl Definitions {
    fn after(&mut self, turn: &TurnJson) -> Result<Memory, ReadError> {
        if !turn.memory_from_previous {
            self.entries.clear();
        } else if turn.memory.is_empty() {
            return Ok(self.memory.clone());
        }
        for (name, entry) in &turn.memory {
            self.entries.insert(name.clone(), entry.read(name)?);
        }
        self.count += self.entries.len();
        if self.count > MAX_DEFINITIONS {
            return Err(ReadError::TooLarge(format!(
                "its turns have more than {MAX_DEFINITIONS} definitions together"
            )));
        }
        self.memory = Memory::new(self.entries.values().cloned().collect());
        Ok(self.memory.clone())
    }
}

/// The definitions of `base` with those of `changes` in their place or after them.
fn apply(base: &MemoryJson, changes: &MemoryJson) -> MemoryJson {
    let mut memory = base.clone();
    memory.extend(changes.iter().map(|(name, entry)| (name.clone(), entry.clone())));
    memory
}
