//! Which cases are run, and how.

use std::sync::Arc;
use std::time::Duration;

use ptc_agent::{CancellationToken, LlmRegistry};
use ptc_chat::Llm;
use ptc_trace::replay::Prices;

use crate::case::Case;
use crate::error::EvalError;
use crate::report::RunReport;
use crate::results::Results;
use crate::suite::Suite;
use crate::variant::{EvalModel, Variant};

/// Informed about each finished run.
pub type OnRun = Arc<dyn Fn(&Case, &Variant, &RunReport) + Send + Sync>;

/// How the cases of a suite are run. By default each runs once, on its recording, with the settings of the suite.
#[derive(Clone)]
pub struct EvalOptions {
    /// The model that all agents ask; without one the recordings of the suite answer.
    pub llm: Option<Arc<dyn Llm>>,
    /// The models that judges ask, by the names that the suite has for them.
    pub judges: LlmRegistry,
    /// Whether the answers of the model become the recordings of the cases that pass.
    pub record: bool,
    /// How often each case is run; at least once.
    pub runs: usize,
    /// Turns to correct a refused value, instead of those of the case.
    pub retry_turns: Option<u32>,
    /// How cases are asked.
    pub variant: Variant,
    /// Whether models discover the fields of the data themselves.
    pub explore: bool,
    /// How many runs are in progress at once; at least one.
    pub jobs: usize,
    /// How long a failing model is asked again, instead of as often as the cases say.
    pub patience: Option<Duration>,
    /// What tokens cost; without it the list prices of the model, if they are known.
    pub prices: Option<Prices>,
    /// No run starts once all runs have cost this much, and runs in progress end with the next reply.
    pub max_usd: Option<f64>,
    /// Where finished runs are written down; runs found there are not asked again.
    pub results: Option<Arc<Results>>,
    /// Ends the evaluation: runs in progress end, and the report has those that were done before.
    pub cancel: CancellationToken,
    /// Informed about each finished run.
    pub on_run: Option<OnRun>,
}

impl Default for EvalOptions {
    fn default() -> Self {
        EvalOptions {
            llm: None,
            judges: LlmRegistry::default(),
            record: false,
            runs: 1,
            retry_turns: None,
            variant: Variant::default(),
            explore: false,
            jobs: 1,
            patience: None,
            prices: None,
            max_usd: None,
            results: None,
            cancel: CancellationToken::new(),
            on_run: None,
        }
    }
}

impl EvalOptions {
    /// The model that is asked in a way; without one the recordings of the suite answer.
    pub(crate) fn model(&self, variant: &Variant) -> Option<EvalModel> {
        let own = || Some(EvalModel { llm: Arc::clone(self.llm.as_ref()?), prices: self.prices.clone() });
        variant.model.clone().or_else(own)
    }

    /// The name of the model in reports.
    pub(crate) fn model_name(&self, variant: &Variant) -> String {
        self.model(variant).map_or_else(|| "recorded answers".to_owned(), |model| model.llm.name().to_owned())
    }

    /// The prices given, else those of the model.
    pub(crate) fn known_prices(&self, variant: &Variant) -> Option<Prices> {
        match self.model(variant) {
            Some(model) => model.known_prices(),
            None => self.prices.clone(),
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
