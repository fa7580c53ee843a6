//! Options that choose among names.

use serde::{Deserialize, Serialize};

/// What happens when the definitions of a run grow over `memory_limit`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum MemoryStrategy {
    /// The run ends with `memory_limit_exceeded`.
    #[default]
    Strict,
    /// The definitions of that turn are undone, and the model is told.
    Rollback,
}

/// How the context and the returned value are validated against the signature of an agent.
///
/// Arguments of tools are converted where that is safe, and refused otherwise, whatever is chosen here.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SignatureValidation {
    /// Inputs are converted where that is safe, results must fit; further fields may come along.
    #[default]
    Enabled,
    /// Inputs are converted where that is safe; nothing is refused.
    WarnOnly,
    /// Nothing is converted, and fields that are not declared are refused.
    Strict,
    /// Nothing is checked.
    Disabled,
}

/// When the step keeps its turns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum KeepTurns {
    /// Always.
    #[default]
    Always,
    /// When the run has no answer.
    OnError,
    /// Never.
    Never,
}

/// What a run does when its token limit is used up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum OnBudgetExceeded {
    /// It ends with `budget_callback_exceeded`.
    #[default]
    Fail,
    /// The value of the last good turn is the answer, if it fits.
    ReturnPartial,
}
