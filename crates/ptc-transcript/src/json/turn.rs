//! The JSON twin of a turn.

use std::collections::HashMap;

use indexmap::IndexMap;
use ptc_chat::{Message, StopReason, Tokens};
use ptc_lisp::{Memory, MemoryEntry, ShownNames};
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
    /// Whether the definitions are then in the order of their numbers; else those before keep their places.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub memory_by_order: bool,
    /// The names beginning with `_` that the model has seen; absent when these are those of the turn before.
    #[serde(default, skip_serializing_if = "ShownNames::is_empty")]
    pub shown_names: ShownNames,
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
        TurnJson::with_definitions(turn, form, turn.memory())
    }

    /// The twin of a turn with the definitions `now`, after one with those of `before`: with those that differ, where that
    /// says all.
    pub(crate) fn following(turn: &Turn, form: ValueForm, before: &Memory, now: &Memory) -> Self {
        let old: HashMap<&str, &MemoryEntry> = before.entries().iter().map(|one| (one.name.as_str(), one)).collect();
        let is_known = |one: &&MemoryEntry| old.get(one.name.as_str()).is_some_and(|old| is_same(old, one));
        let changed = Memory::new(now.entries().iter().filter(|one| !is_known(one)).cloned().collect());
        let is_shown_before = before.shown_names() == now.shown_names();
        let shown_names = if is_shown_before { ShownNames::default() } else { now.shown_names().clone() };
        // Those before keep their places, and new ones follow.
        let is_new = |one: &&MemoryEntry| !old.contains_key(one.name.as_str());
        let rebuilt = before.entries().iter().chain(now.entries().iter().filter(is_new)).map(|one| &one.name);
        if rebuilt.eq(now.entries().iter().map(|one| &one.name)) {
            return TurnJson { shown_names, ..TurnJson::with_memory(turn, form, write_memory(&changed, form), true) };
        }
        // What was defined again has the next number. None may be gone, and none may share its number.
        let is_by_order = now.entries().is_sorted_by(|one, other| one.order < other.order)
            && now.entries().len() == before.entries().len() + now.entries().iter().filter(is_new).count();
        let memory = write_memory(if is_by_order { &changed } else { now }, form);
        let twin = TurnJson::with_memory(turn, form, memory, is_by_order);
        TurnJson { memory_by_order: is_by_order, shown_names, ..twin }
    }

    /// The twin of a turn with these definitions.
    pub(crate) fn with_definitions(turn: &Turn, form: ValueForm, now: &Memory) -> Self {
        let shown_names = now.shown_names().clone();
        TurnJson { shown_names, ..TurnJson::with_memory(turn, form, write_memory(now, form), false) }
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
            memory_by_order: false,
            shown_names: ShownNames::default(),
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
    pub(crate) fn read(&self, definitions: &mut Definitions) -> Result<Turn, ReadError> {
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
pub(crate) struct Definitions {
    entries: IndexMap<String, MemoryEntry>,
    memory: Memory,
    /// Definitions of all turns together.
    count: usize,
}

impl Definitions {
    /// None, for a turn that has all its own; what was read still counts.
    pub fn emptied(self) -> Definitions {
        Definitions { count: self.count, ..Definitions::default() }
    }

    fn after(&mut self, turn: &TurnJson) -> Result<Memory, ReadError> {
        let shown_names = match turn.shown_names.is_empty() {
            true => self.memory.shown_names().clone(),
            false => turn.shown_names.clone(),
        };
        if !turn.memory_from_previous {
            self.entries.clear();
        } else if turn.memory.is_empty() {
            self.memory = std::mem::take(&mut self.memory).with_shown_names(shown_names);
            return Ok(self.memory.clone());
        }
        for (name, entry) in &turn.memory {
            self.entries.insert(name.clone(), entry.read(name)?);
        }
        if turn.memory_by_order {
            self.entries.sort_by(|_, one, _, other| one.order.cmp(&other.order));
        }
        self.count += self.entries.len();
        if self.count > MAX_DEFINITIONS {
            return Err(ReadError::TooLarge(format!(
                "its turns have more than {MAX_DEFINITIONS} definitions together"
            )));
        }
        self.memory = Memory::new(self.entries.values().cloned().collect()).with_shown_names(shown_names);
        Ok(self.memory.clone())
    }
}

/// Whether a definition did not change. Cost: that of values which are not collections.
fn is_same(before: &MemoryEntry, now: &MemoryEntry) -> bool {
    let about = |entry: &MemoryEntry| (entry.order, entry.returns.clone(), entry.params.clone());
    let is_held = before.value.address().is_some_and(|address| now.value.address() == Some(address));
    about(before) == about(now)
        && (&before.label, &before.doc) == (&now.label, &now.doc)
        && (is_held || json_of(&before.value, ValueForm::Typed) == json_of(&now.value, ValueForm::Typed))
}
