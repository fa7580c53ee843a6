//! The run of a row in this process.

use std::sync::Arc;
use std::time::Instant;

use indexmap::IndexMap;
use ptc_agent::{Agent, AgentError, BudgetUsage, Context, LlmRegistry, RunOptions};
use ptc_chat::{Llm, Rate, Tokens};
use ptc_lisp::{Map, Value};
use ptc_trace::replay::Prices;
use ptc_transcript::{EndingKind, Fail, FailReason, Journal, JournalFile, Recorded, Step, ValueForm, json_of};
use serde_json::Value as Json;

use super::{BatchRow, BatchStop, RowEnd, RowState};
use crate::account::Account;
use crate::counted::{CountedLlm, Pace, SharedTally, Tally};
use crate::service;

/// What a model costs; `None` where that is not known.
pub type PricesOf = Arc<dyn Fn(&str) -> Option<Prices> + Send + Sync>;

/// The models of one run: that of the mission, and those that its agents name.
pub type RowModels = (Arc<dyn Llm>, LlmRegistry);

/// A mission whose runs differ in their inputs: agent, options, and models.
#[derive(Clone)]
pub struct BatchMission {
    /// The agent.
    pub agent: Agent,
    /// The data that all rows have; the inputs of a row hide entries of the same name.
    pub data: Map,
    /// The options of each run, without models and journal.
    pub run: RunOptions,
    /// The models of a run: the same ones each time, or recorded answers from their beginning.
    pub models: Arc<dyn Fn() -> RowModels + Send + Sync>,
    /// What models cost.
    pub prices: PricesOf,
    /// How often models and providers may be asked, by their names.
    pub rates: Vec<(String, Rate)>,
}

/// Runs rows with one account.
pub(super) struct Runner {
    pub(super) mission: BatchMission,
    pub(super) account: Arc<Account>,
    paces: IndexMap<String, Arc<Pace>>,
}

impl Runner {
    pub(super) fn new(mission: BatchMission, account: Arc<Account>) -> Runner {
        let paces = mission.rates.iter().map(|(name, rate)| (name.clone(), Arc::new(Pace::new(*rate)))).collect();
        Runner { mission, account, paces }
    }

    /// The run of a row, from where its record ends if it has one.
    pub(super) async fn run(&self, row: &BatchRow, record: Option<&std::path::Path>) -> RowEnd {
        let began = Instant::now();
        let (journal, recorded) = match record.map(JournalFile::resume).transpose() {
            Ok(Some((journal, recorded))) => (Some(Arc::new(journal) as Arc<dyn Journal>), recorded.map(Arc::new)),
            Ok(None) => (None, None),
            Err(error) => return unrecorded(&error),
        };
        let before = recorded.as_deref().map(|recorded| self.used(recorded)).unwrap_or_default();
        self.account.budget.add(BudgetUsage { usd: before.usd, tokens: before.tokens.total() });
        let tally = SharedTally::default();
        let mut options = self.options(&tally);
        options.journal = journal;
        options.resume = recorded;
        let (agent, context) = (&self.mission.agent, context(&self.mission.data, row));
        let ended = agent.run_with(context, options).await;
        let tally = tally.get();
        let end = match ended {
            Ok(step) => ended_by(&step, &tally),
            Err(error) => refused(&error),
        };
        let mut tokens = before.tokens;
        tokens.add(&tally.tokens);
        let usd = (before.is_priced && tally.is_priced).then_some(before.usd + tally.usd);
        RowEnd {
            requests: before.requests + tally.requests,
            tokens,
            usd: usd.filter(|_| tokens.total() > 0),
            duration_ms: u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX),
            ..end
        }
    }

    /// The options of a run that counts in this tally.
    fn options(&self, tally: &SharedTally) -> RunOptions {
        let (first, below) = (self.mission.models)();
        let counted = |llm: Arc<dyn Llm>| -> Arc<dyn Llm> {
            let name = llm.name().to_owned();
            let counted = CountedLlm::new(llm, (self.mission.prices)(&name), Arc::clone(&self.account));
            Arc::new(counted.paced(self.pace(&name)).counted_in(tally))
        };
        let below = below.into_iter().map(|(name, llm)| (name, counted(llm))).collect();
        self.mission.run.clone().llm(counted(first)).llm_registry(below)
    }

    /// The rate of a model: its own, else the first one that is for it.
    fn pace(&self, model: &str) -> Option<Arc<Pace>> {
        let named = || self.paces.iter().find(|(name, _)| is_rate_of(name, model)).map(|(_, pace)| pace);
        self.paces.get(model).or_else(named).cloned()
    }

    /// What a run used before it was stopped.
    fn used(&self, recorded: &Recorded) -> Tally {
        let mut used = Tally::default();
        for (model, tokens) in recorded.tokens_by_model() {
            used.add(&tokens, (self.mission.prices)(model).map(|prices| prices.cost(&tokens)));
        }
        used.requests = recorded.replies().len() as u64;
        used
    }
}

/// Whether a rate of this name is for this model: its whole name, its provider, or what follows `#` in an address.
#[must_use]
pub fn is_rate_of(name: &str, model: &str) -> bool {
    let provider = model.split(':').next().filter(|_| !model.contains("://"));
    name == model || provider == Some(name) || model.split_once('#').is_some_and(|(_, after)| after == name)
}

/// The data that all rows have, and above it the inputs of this one.
fn context(data: &Map, row: &BatchRow) -> Context {
    let entries = data.iter().chain(row.inputs.iter()).map(|(key, value)| (key.clone(), value.clone()));
    Context::from_map(Value::map_from(entries).as_map().cloned().unwrap_or_default())
}

/// What the end of a run says, and its models, which were asked until then.
fn ended_by(step: &Step, tally: &Tally) -> RowEnd {
    let end = RowEnd::of_step(step);
    let stop = step.fail().and_then(|fail| stop_of(fail, tally));
    let is_cut_off = tally.error.as_ref().is_some_and(service::is_at_fault)
        && step.fail().is_some_and(|fail| fail.reason == FailReason::LlmError);
    let state = match &stop {
        Some(_) => RowState::Stopped,
        None if end.state == RowState::Failed && is_cut_off => RowState::Unreachable,
        None => end.state,
    };
    RowEnd { state, stop, ..end }
}

/// Why no other row need be tried either, if that is so.
fn stop_of(fail: &Fail, tally: &Tally) -> Option<BatchStop> {
    match &fail.reason {
        FailReason::LlmError => {
            let error = tally.error.as_ref()?;
            match () {
                () if tally.is_refused => Some(BatchStop::Budget(error.message.clone())),
                () if service::is_without_access(error) => Some(BatchStop::NoAccess(error.to_string())),
                () => None,
            }
        }
        FailReason::JournalError => Some(BatchStop::Record(fail.message.clone())),
        _ => None,
    }
}

/// A row that is not one that the mission takes, or a record of another run.
fn refused(error: &AgentError) -> RowEnd {
    if let AgentError::Journal(error) = error {
        return unrecorded(error);
    }
    RowEnd {
        state: RowState::Failed,
        reason: Some("refused".to_owned()),
        message: Some(error.to_string()),
        ..RowEnd::default()
    }
}

fn unrecorded(error: &impl ToString) -> RowEnd {
    let stop = Some(BatchStop::Record(error.to_string()));
    RowEnd { state: RowState::Stopped, message: Some(error.to_string()), stop, ..RowEnd::default() }
}

impl RowEnd {
    /// What the end of a run says: state, answer or reason, and turns.
    #[must_use]
    pub fn of_step(step: &Step) -> RowEnd {
        let fail = step.fail();
        let state = match (step.ending, fail.map(|fail| &fail.reason)) {
            (_, Some(FailReason::Cancelled)) => RowState::Stopped,
            (EndingKind::Return | EndingKind::Value | EndingKind::Fallback, _) => RowState::Ok,
            (EndingKind::Limit, _) => RowState::Limit,
            _ => RowState::Failed,
        };
        let answer = step.return_value().filter(|_| state == RowState::Ok);
        RowEnd {
            state,
            answer: answer.map_or(Json::Null, |value| json_of(value, ValueForm::Plain)),
            reason: fail.map(|fail| fail.reason.as_str().to_owned()),
            message: fail.map(|fail| fail.message.clone()),
            turns: step.usage.turns,
            ..RowEnd::default()
        }
    }

    /// Tokens and cost, with those of earlier attempts; no cost when that of some tokens is not known.
    pub(super) fn after(&self, (tokens, usd): &(Tokens, Option<f64>)) -> (Tokens, Option<f64>) {
        let cost = |usd: Option<f64>, tokens: &Tokens| usd.or_else(|| (tokens.total() == 0).then_some(0.0));
        let mut all = *tokens;
        all.add(&self.tokens);
        let both = cost(self.usd, &self.tokens).zip(cost(*usd, tokens)).map(|(own, before)| own + before);
        (all, both.filter(|_| all.total() > 0))
    }
}
