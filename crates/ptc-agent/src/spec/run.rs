//! Instructions and limits of a run, besides its agent.

use super::choice::names;
use super::enums::{KeepTurns, OnBudgetExceeded};
use super::row::OptionKind;

/// The rows of runs, handed to a macro: they make the struct here and the setters where the options of a run are.
macro_rules! run_rows {
    ($make:ident $($Builder:ident)?) => { $crate::spec::table::$make! { $($Builder:)?
    /// Instructions and limits of a run, as data; [`RunOptions`](crate::RunOptions) has it next to models, observers
    /// and the like.
    #[derive(Debug, Clone)]
    #[non_exhaustive]
    pub struct RunSpec {
        /// Maximum number of concurrent tool calls.
        max_parallel_calls: usize = 64, OptionKind::POSITIVE, value;
        /// Whether providers are asked to cache the stable part of requests.
        cache: bool = false, OptionKind::Flag, value;
        /// Whether the step holds the messages, and each turn the request that was sent for it. With compression, the
        /// messages are those of the last request.
        collect_messages: bool = false, OptionKind::Flag, value;
        /// When the step holds the turns.
        keep_turns: KeepTurns = KeepTurns::Always, OptionKind::Choice { what: "keep_turns", names: names::<KeepTurns> }, value;
        /// Maximum input and output tokens of the run and of all agents that it calls.
        token_limit: Option<u64> = None, OptionKind::UNITS, into;
        /// What happens above `token_limit`.
        on_budget_exceeded: OnBudgetExceeded = OnBudgetExceeded::Fail,
            OptionKind::Choice { what: "on_budget_exceeded", names: names::<OnBudgetExceeded> }, value;
    }
    } };
}

run_rows!(options);
pub(crate) use run_rows;
