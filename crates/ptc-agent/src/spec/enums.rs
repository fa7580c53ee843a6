//! Options of agents that are more than a number.

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
    /// Nothing is looked at.
    Disabled,
}
