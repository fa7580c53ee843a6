//! One answer of the model and its outcome.

use std::sync::Arc;
use std::time::Duration;

use ptc_chat::{Message, StopReason, Tokens};
use ptc_lisp::{Memory, ToolRecord, Value, Warning};
use serde::{Deserialize, Serialize};

use crate::fail::FailReason;

/// The budget that pays for a turn, and the instruction to the model before it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TurnKind {
    /// A work turn that others follow.
    #[default]
    Normal,
    /// The last work turn: the model was told to finish.
    MustReturn,
    /// A turn paid from the retry turns.
    Retry,
}

impl TurnKind {
    /// The name used in records: `normal`, `must_return`, `retry`.
    pub fn as_str(self) -> &'static str {
        match self {
            TurnKind::Normal => "normal",
            TurnKind::MustReturn => "must_return",
            TurnKind::Retry => "retry",
        }
    }
}

/// A warning with its place in the program of its turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnWarning {
    /// The stable code, such as `keyword-on-non-map`.
    pub code: String,
    /// One sentence that says what to write instead.
    pub message: String,
    /// Line from 1.
    pub line: u32,
    /// Column from 1, in characters.
    pub column: u32,
}

/// Where the program of a failed turn failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailurePlace {
    /// Line from 1.
    pub line: u32,
    /// Column from 1, in characters: where the failing expression begins.
    pub column: u32,
}

impl From<ptc_lisp::syntax::Position> for FailurePlace {
    fn from(position: ptc_lisp::syntax::Position) -> FailurePlace {
        FailurePlace { line: position.line, column: position.column }
    }
}

impl TurnWarning {
    /// The warning of a run of `program`.
    pub fn new(warning: &Warning, program: &str) -> Self {
        let place = ptc_lisp::syntax::position(program, warning.span.start);
        TurnWarning {
            code: warning.code.as_str().to_owned(),
            message: warning.message.clone(),
            line: place.line,
            column: place.column,
        }
    }
}

/// Everything known about a turn except whether it succeeded.
#[derive(Debug, Clone)]
pub struct TurnFields {
    /// From 1.
    pub number: usize,
    /// The whole answer of the model, byte for byte.
    pub raw_response: String,
    /// The program found in it.
    pub program: Option<String>,
    /// The value of the program; for a failed turn the error map or the value given to `fail`.
    pub result: Value,
    /// Printed entries, oldest first.
    pub prints: Vec<String>,
    /// The characters that each entry lacks because it was too long; may be shorter than `prints`.
    pub missing: Vec<usize>,
    /// Tool calls in order.
    pub tool_calls: Vec<ToolRecord>,
    /// The definitions after the turn, which for a failed program are those before it.
    pub memory: Memory,
    /// The budget that paid for it.
    pub kind: TurnKind,
    /// The messages sent for the answer, if messages are collected.
    pub messages: Option<Vec<Message>>,
    /// The checklist of a plan or the log of tasks as the request showed it; empty without either.
    pub progress: String,
    /// Legal code that is nearly always a mistake.
    pub warnings: Vec<TurnWarning>,
    /// Where the program failed, if the failure has a place.
    pub failed_at: Option<FailurePlace>,
    /// Token counts of the answer.
    pub tokens: Option<Tokens>,
    /// Wall time from the request to the record.
    pub duration: Duration,
    /// Why the model stopped writing.
    pub stop: StopReason,
    /// The thoughts of the model, if the provider reports them.
    pub reasoning: Option<String>,
}

impl TurnFields {
    /// A normal turn in which nothing was printed, called or defined.
    pub fn new(number: usize, raw_response: impl Into<String>, result: Value) -> Self {
        TurnFields {
            number,
            raw_response: raw_response.into(),
            program: None,
            result,
            prints: Vec::new(),
            missing: Vec::new(),
            tool_calls: Vec::new(),
            memory: Memory::default(),
            kind: TurnKind::Normal,
            messages: None,
            progress: String::new(),
            warnings: Vec::new(),
            failed_at: None,
            tokens: None,
            duration: Duration::ZERO,
            stop: StopReason::End,
            reasoning: None,
        }
    }
}

/// A recorded turn. It never changes, and cloning it is one atomic increment.
#[derive(Debug, Clone)]
pub struct Turn(Arc<Record>);

#[derive(Debug)]
struct Record {
    fields: TurnFields,
    success: bool,
}

impl Turn {
    /// A turn whose program ran to its end or returned a fitting value.
    pub fn success(fields: TurnFields) -> Turn {
        Turn(Arc::new(Record { fields, success: true }))
    }

    /// A turn without a usable program, or whose program failed; `fields.result` says why, see [`failure_value`].
    pub fn failure(fields: TurnFields) -> Turn {
        Turn(Arc::new(Record { fields, success: false }))
    }

    /// The same turn with definitions that have no values; see [`Memory::without_values`].
    #[must_use]
    pub fn without_values(&self) -> Turn {
        let Record { fields, success } = &*self.0;
        let fields = TurnFields { memory: fields.memory.without_values(), ..fields.clone() };
        Turn(Arc::new(Record { fields, success: *success }))
    }

    /// From 1.
    pub fn number(&self) -> usize {
        self.0.fields.number
    }

    /// The whole answer of the model, byte for byte.
    pub fn raw_response(&self) -> &str {
        &self.0.fields.raw_response
    }

    /// The program found in the answer.
    pub fn program(&self) -> Option<&str> {
        self.0.fields.program.as_deref()
    }

    /// The value of the program; for a failed turn the error map or the value given to `fail`.
    pub fn result(&self) -> &Value {
        &self.0.fields.result
    }

    /// Printed entries, oldest first.
    pub fn prints(&self) -> &[String] {
        &self.0.fields.prints
    }

    /// The characters that the printed entry at this place lacks because it was too long.
    pub fn print_missing(&self, place: usize) -> usize {
        self.0.fields.missing.get(place).copied().unwrap_or_default()
    }

    /// Tool calls in order.
    pub fn tool_calls(&self) -> &[ToolRecord] {
        &self.0.fields.tool_calls
    }

    /// The definitions after the turn.
    pub fn memory(&self) -> &Memory {
        &self.0.fields.memory
    }

    /// Whether it succeeded.
    pub fn is_success(&self) -> bool {
        self.0.success
    }

    /// The budget that paid for it.
    pub fn kind(&self) -> TurnKind {
        self.0.fields.kind
    }

    /// The messages sent for the answer; `None` if messages are not collected.
    pub fn messages(&self) -> Option<&[Message]> {
        self.0.fields.messages.as_deref()
    }

    /// The checklist of a plan or the log of tasks as the request showed it; empty without either.
    pub fn progress(&self) -> &str {
        &self.0.fields.progress
    }

    /// Legal code that is nearly always a mistake.
    pub fn warnings(&self) -> &[TurnWarning] {
        &self.0.fields.warnings
    }

    /// Where the program of a failed turn failed; `None` also in turns of older releases.
    pub fn failed_at(&self) -> Option<FailurePlace> {
        self.0.fields.failed_at
    }

    /// Token counts of the answer.
    pub fn tokens(&self) -> Option<Tokens> {
        self.0.fields.tokens
    }

    /// Wall time from the request to the record.
    pub fn duration(&self) -> Duration {
        self.0.fields.duration
    }

    /// Why the model stopped writing.
    pub fn stop(&self) -> &StopReason {
        &self.0.fields.stop
    }

    /// The thoughts of the model.
    pub fn reasoning(&self) -> Option<&str> {
        self.0.fields.reasoning.as_deref()
    }

    /// Why a failed turn failed, as one text: the `message` of its error, else its reason, else the value itself.
    ///
    /// A leading `Error: ` is left out. `None` for a successful turn.
    pub fn error_message(&self) -> Option<String> {
        if self.is_success() {
            return None;
        }
        let result = self.result();
        let entry = |name: &str| result.as_map().and_then(|map| map.get_named(name)).filter(|value| !value.is_nil());
        let text = match entry("message").or_else(|| entry("reason")) {
            Some(Value::Keyword(name)) => name.as_str().to_owned(),
            Some(value) => ptc_lisp::text::display_text(value),
            None => match result.as_str() {
                Some(text) => text.to_owned(),
                None => ptc_lisp::text::format(result, &ptc_lisp::text::FormatOptions::full()).text,
            },
        };
        Some(text.strip_prefix("Error: ").map_or_else(|| text.clone(), str::to_owned))
    }

    /// Why a failed turn failed, by the name in its result.
    pub fn error_reason(&self) -> Option<FailReason> {
        if self.is_success() {
            return None;
        }
        match self.result().as_map()?.get_named("reason")? {
            Value::Keyword(name) => Some(name.as_str().into()),
            other => Some(ptc_lisp::text::display_text(other).into()),
        }
    }
}

/// The result of a failed turn, which programs read as `data/fail`: `{:reason :tool_error :message "…"}`.
pub fn failure_value(reason: &str, message: &str) -> Value {
    Value::map_from([
        (Value::keyword("reason"), Value::keyword(reason)),
        (Value::keyword("message"), Value::string(message)),
    ])
}

#[cfg(test)]
mod tests;
