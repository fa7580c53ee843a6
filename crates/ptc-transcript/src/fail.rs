//! Why a run ended without an answer.

use std::fmt;

use ptc_lisp::{Reason, Value};
use serde::{Deserialize, Serialize};

/// The failure of a run; also an error, for callers that pass errors on.
///
/// ```
/// use ptc_transcript::{Fail, FailKind, FailReason};
///
/// let fail = Fail::new(FailKind::Limit, FailReason::Cancelled, "the run was cancelled");
/// let error: Box<dyn std::error::Error + Send + Sync> = fail.into();
/// assert_eq!(error.to_string(), "cancelled: the run was cancelled");
/// ```
#[derive(Debug, Clone)]
pub struct Fail {
    /// The reason, by a stable name.
    pub reason: FailReason,
    /// One text for people and models.
    pub message: String,
    /// The part of the library that reports it.
    pub kind: FailKind,
    /// The operation that failed, if one can be named.
    pub op: Option<String>,
    /// Further facts, such as the value of an explicit `fail` under `value`.
    pub details: Option<Value>,
}

impl Fail {
    /// A failure without operation and details.
    pub fn new(kind: FailKind, reason: FailReason, message: impl Into<String>) -> Self {
        Fail { reason, message: message.into(), kind, op: None, details: None }
    }

    /// The failure of `(fail value)`: `reason` and `message` of a map are taken over, any other value is the message.
    pub fn explicit(value: Value) -> Self {
        let entry = |name: &str| value.as_map().and_then(|map| map.get_named(name));
        let reason = entry("reason").map_or_else(|| "failed".to_owned(), ptc_lisp::text::display_text);
        let message = entry("message").map_or_else(
            || ptc_lisp::text::format(&value, &ptc_lisp::text::FormatOptions::full()).text,
            ptc_lisp::text::display_text,
        );
        let reason = reason.strip_prefix(':').unwrap_or(&reason);
        Fail {
            details: Some(Value::map_from([(Value::keyword("value"), value.clone())])),
            ..Fail::new(FailKind::Explicit, FailReason::from(reason), message)
        }
    }
}

impl fmt::Display for Fail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.reason, self.message)
    }
}

impl std::error::Error for Fail {}

/// Which part of the library ended a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FailKind {
    /// The program called `fail`.
    Explicit,
    /// A limit of the run.
    Limit,
    /// The model could not be asked, or its answer not understood.
    Llm,
    /// The program.
    Program,
    /// The answer does not have the wanted type.
    Validation,
    /// The agent or the call is not set up correctly.
    Config,
    /// A previous agent.
    Chain,
}

macro_rules! fail_reasons {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// Why a run or a turn failed, by the name used in records; errors of programs keep the interpreter's names.
        /// It holds a text where a program gave its own reason, so it is cloned, not copied.
        #[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(from = "String", into = "String")]
        #[non_exhaustive]
        pub enum FailReason {
            $($(#[$doc])* $variant,)*
            /// What stopped a program, if no other variant has its name.
            Program(Reason),
            /// Any other name: given by `(fail {:reason …})`.
            Custom(String),
        }

        impl FailReason {
            /// The stable name, such as `max_turns_exceeded`.
            pub fn as_str(&self) -> &str {
                match self {
                    $(FailReason::$variant => $name,)*
                    FailReason::Program(reason) => reason.as_str(),
                    FailReason::Custom(name) => name,
                }
            }
        }

        impl From<&str> for FailReason {
            fn from(name: &str) -> Self {
                match name {
                    $($name => FailReason::$variant,)*
                    other => Reason::of_name(other)
                        .map_or_else(|| FailReason::Custom(other.to_owned()), FailReason::Program),
                }
            }
        }
    };
}

fail_reasons! {
    /// The program called `fail` without a reason.
    Failed = "failed",
    /// The answer has no program, several, or one that does not parse.
    ParseError = "parse_error",
    /// The approver denied the program.
    ProgramDenied = "program_denied",
    /// A tool failed.
    ToolError = "tool_error",
    /// The returned value does not fit the signature.
    ReturnValidationFailed = "return_validation_failed",
    /// All work turns are used up, and there are no retry turns.
    MaxTurnsExceeded = "max_turns_exceeded",
    /// All work and retry turns are used up.
    BudgetExhausted = "budget_exhausted",
    /// The turn budget of the agent tree is used up.
    TurnBudgetExhausted = "turn_budget_exhausted",
    /// Agents are nested too deep.
    MaxDepthExceeded = "max_depth_exceeded",
    /// The deadline of the mission has passed.
    MissionTimeout = "mission_timeout",
    /// The definitions are larger than allowed.
    MemoryLimitExceeded = "memory_limit_exceeded",
    /// The request is larger than its ceiling.
    ContextLimit = "context_limit",
    /// The token limit or the budget callback stopped the run.
    BudgetCallbackExceeded = "budget_callback_exceeded",
    /// The model failed after all attempts.
    LlmError = "llm_error",
    /// A single-shot answer without a program.
    NoCodeFound = "no_code_found",
    /// The previous agent in the chain failed.
    ChainedFailure = "chained_failure",
    /// The last answer is not JSON.
    JsonParseError = "json_parse_error",
    /// The last answer does not fit the signature.
    ValidationError = "validation_error",
    /// The last answer has neither text nor calls.
    EmptyResponse = "empty_response",
    /// The caller stopped the run.
    Cancelled = "cancelled",
    /// The journal cannot be written.
    JournalError = "journal_error",
    /// Processes ended whenever they continued the run at this point.
    Poisoned = "poisoned",
    /// A defect of the library.
    InternalError = "internal_error",
}

impl From<String> for FailReason {
    fn from(name: String) -> Self {
        FailReason::from(name.as_str())
    }
}

impl From<FailReason> for String {
    fn from(reason: FailReason) -> Self {
        reason.as_str().to_owned()
    }
}

impl From<Reason> for FailReason {
    fn from(reason: Reason) -> Self {
        FailReason::from(reason.as_str())
    }
}

impl fmt::Display for FailReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use ptc_lisp::Value;

    use super::*;

    fn map(entries: &[(&str, Value)]) -> Value {
        Value::map_from(entries.iter().map(|(key, value)| (Value::keyword(key), value.clone())))
    }

    #[test]
    fn explicit_failures_take_reason_and_message_from_a_map() {
        let given = map(&[("reason", Value::keyword("no_rooms")), ("message", "full".into())]);
        assert_snapshot!(Fail::explicit(given), @"no_rooms: full");
        assert_snapshot!(Fail::explicit("nope".into()), @r#"failed: "nope""#);
        assert_snapshot!(Fail::explicit(map(&[("code", Value::Int(3))])), @"failed: {:code 3}");
    }

    #[test]
    fn explicit_failures_keep_the_value() {
        let fail = Fail::explicit(Value::Int(7));
        let details = fail.details.unwrap();
        assert!(matches!(details.as_map().unwrap().get_named("value"), Some(Value::Int(7))));
        assert_eq!(fail.kind, FailKind::Explicit);
    }

    #[test]
    fn reasons_survive_their_name() {
        for reason in [
            FailReason::MaxTurnsExceeded,
            FailReason::Cancelled,
            FailReason::Custom("no_rooms".into()),
            FailReason::Program(Reason::Timeout),
        ] {
            assert_eq!(FailReason::from(reason.as_str()), reason);
        }
        assert_eq!(FailReason::from(Reason::TypeError).as_str(), "type_error");
    }
}
