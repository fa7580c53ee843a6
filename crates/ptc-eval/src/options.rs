//! Which cases are run, and how.

use std::sync::Arc;

use ptc_agent::CancellationToken;
use ptc_chat::Llm;
use ptc_config::StrategyChoice;

use crate::case::Case;
use crate::error::EvalError;
use crate::report::RunReport;
use crate::suite::Suite;

/// Informed about each finished run.
pub type OnRun = Arc<dyn Fn(&Case, &RunReport) + Send + Sync>;

/// How the cases of a suite are run. By default each runs once, on its recording, with the settings of the suite.
#[derive(Clone)]
pub struct EvalOptions {
    /// The model that all agents ask; without one the recordings of the suite answer.
    pub llm: Option<Arc<dyn Llm>>,
    /// Whether the answers of the model become the recordings of the cases that pass.
    pub record: bool,
    /// How often each case is run; at least once.
    pub runs: usize,
    /// Turns to correct a refused value, instead of those of the case.
    pub retry_turns: Option<u32>,
    /// How history is shown, instead of what the case says.
    pub compression: Option<StrategyChoice>,
    /// The key of the language text that models read, instead of the usual one.
    pub language_spec: Option<String>,
    /// Whether models discover the fields of the data themselves.
    pub explore: bool,
    /// What a million input and a million output tokens cost.
    pub price: Option<(f64, f64)>,
    /// Ends the evaluation: the current run is the last one of the report.
    pub cancel: CancellationToken,
    /// Informed about each finished run.
    pub on_run: Option<OnRun>,
}

impl Default for EvalOptions {
    fn default() -> Self {
        EvalOptions {
            llm: None,
            record: false,
            runs: 1,
            retry_turns: None,
            compression: None,
            language_spec: None,
            explore: false,
            price: None,
            cancel: CancellationToken::new(),
            on_run: None,
        }
    }
}

/// Which cases are meant; the default means all of them.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Names of levels; none means every level.
    pub levels: Vec<String>,
    /// Names of cases; none means every case.
    pub cases: Vec<String>,
    /// By the turns of their agents.
    pub turns: TurnFilter,
}

/// Cases by the turns of their agents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum TurnFilter {
    /// All of them.
    #[default]
    All,
    /// Those with one turn.
    SingleTurn,
    /// Those with several turns.
    MultiTurn,
}

impl Suite {
    /// The cases that are meant, in the order of the suite.
    ///
    /// Errors when a level or a case does not exist, or when none is left.
    pub fn select(&self, selection: &Selection) -> Result<Vec<&Case>, EvalError> {
        known("level", &selection.levels, &self.levels)?;
        let names: Vec<String> = self.cases.iter().map(|case| case.name.clone()).collect();
        known("case", &selection.cases, &names)?;
        let is_meant = |case: &&Case| {
            let turns = match selection.turns {
                TurnFilter::All => true,
                TurnFilter::SingleTurn => !case.is_multi_turn(),
                TurnFilter::MultiTurn => case.is_multi_turn(),
            };
            turns && holds(&selection.levels, &case.level) && holds(&selection.cases, &case.name)
        };
        let chosen: Vec<&Case> = self.cases.iter().filter(is_meant).collect();
        if chosen.is_empty() { Err(EvalError::NothingChosen) } else { Ok(chosen) }
    }
}

/// Whether a list of wanted names, where empty means all, has this one.
fn holds(wanted: &[String], name: &String) -> bool {
    wanted.is_empty() || wanted.contains(name)
}

fn known(what: &'static str, wanted: &[String], known: &[String]) -> Result<(), EvalError> {
    match wanted.iter().find(|name| !known.contains(name)) {
        Some(name) => Err(EvalError::Unknown { what, name: name.clone(), known: known.to_vec() }),
        None => Ok(()),
    }
}
