//! Instructions and limits of agents and runs, as data: one row per option.
//!
//! A row has the name of the option, its type, its default, what values it takes and a sentence on it. [`table`] turns
//! the rows into the struct, its default, the setters of builders and the list of [`OptionRow`]s by which mission files
//! are read and documented. A new option is therefore one row, besides the code that uses it.

pub(crate) mod agent;
mod choice;
mod enums;
mod format;
mod plan;
mod retry;
mod row;
pub(crate) mod run;
pub(crate) mod table;
#[cfg(test)]
mod tests;

pub use agent::AgentSpec;
pub use choice::names as option_names;
pub use enums::{KeepTurns, MemoryStrategy, OnBudgetExceeded, SignatureValidation};
pub use format::FormatSettings;
pub use plan::{PlanStep, plan};
pub(crate) use retry::FailedAttempt;
pub use retry::{Backoff, LlmRetry};
pub use row::{OptionKind, OptionRow};
pub use run::RunSpec;
