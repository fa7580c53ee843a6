//! Why a suite cannot be evaluated.

use std::io;
use std::path::PathBuf;

use ptc_agent::AgentError;
use ptc_chat::ReplayError;
use ptc_config::ConfigError;
use ptc_mission::UnknownSpec;

use crate::results::ResultsError;

/// What stops an evaluation as a whole. A failed case is not an error: the report is about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EvalError {
    /// A file of the suite cannot be read or is wrong.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A level or a case that the suite does not have.
    #[error("there is no {what} `{name}` in this suite; it has {}", .known.join(", "))]
    Unknown {
        /// `level` or `case`.
        what: &'static str,
        /// The name asked for.
        name: String,
        /// The existing ones.
        known: Vec<String>,
    },
    /// Nothing is left to run.
    #[error("no case of the suite has the chosen levels, names and turns")]
    NothingChosen,
    /// A case without recorded answers.
    #[error("case `{case}` has no recorded answers, {}: name a model with `--llm SPEC`; with `--record` its answers are kept there", .path.display())]
    NoRecording {
        /// The case.
        case: String,
        /// Where the recording should be.
        path: PathBuf,
    },
    /// A recording that cannot be used.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// A recording that cannot be written.
    #[error("cannot write {}: {source}", .path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The system's message.
        r#source: io::Error,
    },
    /// Recording without a model.
    #[error("there is nothing to record without a model; name one, or run on the existing recordings")]
    RecordWithoutModel,
    /// Several runs of a case would be several recordings.
    #[error("a recording is of one run of a case; record with one run, then repeat it as often as you like")]
    RecordManyRuns,
    /// Native calls of tools with options of programs.
    #[error(
        "a model that calls tools in its provider's format reads no language text, and its history is sent as it is: leave out compression and language text"
    )]
    ToolsWithPrograms,
    /// Cases that cannot be asked with native calls of tools.
    #[error("these cases cannot be asked with native calls of tools; choose others, or ask them as programs{}", listed(.0))]
    NotByTools(
        /// Their names, each with the reason.
        Vec<(String, String)>,
    ),
    /// A limit of cost for a model of unknown prices.
    #[error("a limit in USD needs prices, and there are no list prices of {model}: name them with `--prices`")]
    NoPrices {
        /// The model.
        model: String,
    },
    /// A file of results that cannot be used.
    #[error(transparent)]
    Results(#[from] ResultsError),
    /// A language text that does not exist.
    #[error(transparent)]
    UnknownSpec(#[from] UnknownSpec),
    /// The agent of a case cannot be built or started.
    #[error("case `{case}`: {source}")]
    Agent {
        /// The case.
        case: String,
        /// The agent's message.
        r#source: AgentError,
    },
}

/// A line for each case.
fn listed(cases: &[(String, String)]) -> String {
    cases.iter().map(|(case, why)| format!("\n  {case}: {why}")).collect()
}
