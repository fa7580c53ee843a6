//! A batch: one mission for each of many rows.

mod local;
mod report;
mod results;
mod row;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, VecDeque};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use ptc_agent::{BudgetUsage, CancellationToken};
use ptc_chat::{BoxFuture, Tokens};
use serde::Serialize;
use serde_json::Value as Json;
use tokio::task::{JoinError, JoinSet};

use crate::account::Account;
use crate::lines::LinesError;
use local::Runner;

pub use local::{BatchMission, PricesOf, RowModels, is_rate_of};
pub use report::{BatchReport, ExpensiveRow, FailureGroup, Quantiles};
pub use results::{BatchResults, BatchResultsError, RowResult, RowState, table};
pub use row::{BatchRow, rows_of};

/// Where the runs of a batch are made.
#[derive(Clone)]
#[non_exhaustive]
pub enum BatchPlace {
    /// In this process.
    Here(Box<BatchMission>),
    /// Elsewhere, by a function that waits for the end of a run.
    Elsewhere(RunElsewhere),
}

/// Makes the run of a row elsewhere; the same row, also after a crash, is the same run.
pub type RunElsewhere = Arc<dyn Fn(BatchRow, u32) -> BoxFuture<'static, RowEnd> + Send + Sync>;

/// How a batch is run.
#[derive(Clone)]
pub struct BatchOptions {
    /// The model, as results name it.
    pub model: String,
    /// The version of the mission and of what else decides what a row is asked.
    pub version: String,
    /// Runs in progress at once; at least one.
    pub jobs: usize,
    /// No request is sent that could make the batch cost more than this.
    pub max_usd: Option<f64>,
    /// No request is sent that could make the batch use more tokens than this.
    pub max_tokens: Option<u64>,
    /// How long no request at all may be answered before the batch stops because its model is unreachable.
    pub patience: Duration,
    /// States of finished rows that are tried again.
    pub retry: Vec<RowState>,
    /// Ends the batch: runs in progress are cut off, and continue the next time.
    pub cancel: CancellationToken,
    /// Told of each row that has ended.
    pub on_row: Option<OnRow>,
    /// Told when the model cannot be reached, and when it answers again.
    pub on_trouble: Option<OnTrouble>,
}

/// Told of each row that has ended.
pub type OnRow = Arc<dyn Fn(&RowResult) + Send + Sync>;

/// Told why the model cannot be reached, or nothing when it answers again.
pub type OnTrouble = Arc<dyn Fn(Option<&str>) + Send + Sync>;

/// How the run of a row has ended.
#[derive(Debug, Clone, Default)]
pub struct RowEnd {
    /// How.
    pub state: RowState,
    /// The answer.
    pub answer: Json,
    /// Why there is none, by a stable name.
    pub reason: Option<String>,
    /// The same for people.
    pub message: Option<String>,
    /// Turns.
    pub turns: usize,
    /// Requests to models.
    pub requests: u64,
    /// Tokens.
    pub tokens: Tokens,
    /// What they cost in USD, where that is known.
    pub usd: Option<f64>,
    /// Wall time in milliseconds.
    pub duration_ms: u64,
    /// Why no other row need be tried.
    pub stop: Option<BatchStop>,
}

/// Why a batch has stopped before its last row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum BatchStop {
    /// It was cancelled.
    #[error("interrupted")]
    Cancelled,
    /// The limit of its cost or its tokens.
    #[error("its limit is reached: {0}")]
    Budget(String),
    /// The provider does not let this model be asked.
    #[error("the model cannot be asked: {0}")]
    NoAccess(String),
    /// No request was answered for as long as the batch is patient.
    #[error("the model is unreachable: {0}")]
    Unreachable(String),
    /// Records or results cannot be written.
    #[error("the record of a run cannot be used: {0}")]
    Record(String),
}

/// A batch that cannot be run or brought to its end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BatchError {
    /// Its results cannot be written.
    #[error(transparent)]
    Results(#[from] BatchResultsError),
    /// A defect: the run of a row has panicked.
    #[error("the run of a row broke off, which is a defect of ptc-runner: {source}")]
    Broken {
        /// What is known of it.
        r#source: JoinError,
    },
}

impl From<LinesError> for BatchError {
    fn from(error: LinesError) -> BatchError {
        BatchError::Results(error.into())
    }
}

impl Default for RowState {
    /// Nothing is known of the run.
    fn default() -> RowState {
        RowState::Stopped
    }
}

/// A batch in progress.
struct Batch<'a> {
    place: Place,
    options: &'a BatchOptions,
    account: Arc<Account>,
    results: BatchResults,
    /// Cancels the runs in progress when the batch stops.
    cut: CancellationToken,
    stop: Option<BatchStop>,
}

#[derive(Clone)]
enum Place {
    Here(Arc<Runner>),
    Elsewhere(RunElsewhere),
}

/// Run the mission for each row that has no result yet, and write down what each run has found.
///
/// Rows that are in `results` are not asked again, unless their state is one to try again. What stops the batch stays
/// in the report; each row that was not asked to its end is continued when the same batch is run again.
///
/// Errors when the results cannot be written.
pub async fn run_batch(
    place: BatchPlace,
    rows: Vec<BatchRow>,
    results: BatchResults,
    options: &BatchOptions,
) -> Result<BatchReport, BatchError> {
    let account = Account::new(options.max_usd, options.max_tokens).telling(options.on_trouble.clone());
    let account = Arc::new(account);
    let prices = match &place {
        BatchPlace::Here(mission) => Some(Arc::clone(&mission.prices)),
        BatchPlace::Elsewhere(_) => None,
    };
    let results = match &prices {
        Some(prices) => results.priced(prices),
        None => results,
    };
    let cut = options.cancel.child_token();
    let place = match place {
        BatchPlace::Here(mission) => {
            let run = mission.run.clone().cancel(cut.clone());
            Place::Here(Arc::new(Runner::new(BatchMission { run, ..*mission }, Arc::clone(&account))))
        }
        BatchPlace::Elsewhere(run) => Place::Elsewhere(run),
    };
    let numbers: HashMap<String, usize> = rows.iter().map(|row| (row.key.clone(), row.number)).collect();
    let mut batch = Batch { place, options, account, results, cut, stop: None };
    batch.go(rows).await?;
    let Batch { results, stop, .. } = batch;
    Ok(BatchReport::new(numbers.len(), &results.finish(&numbers, prices.as_ref())?, stop))
}

impl Batch<'_> {
    /// Run what is to be run, until nothing is in progress.
    async fn go(&mut self, rows: Vec<BatchRow>) -> Result<(), BatchError> {
        let mut waiting: VecDeque<(BatchRow, u32)> = rows
            .into_iter()
            .filter_map(|row| {
                let attempt = self.attempt(&row)?;
                Some((row, attempt))
            })
            .collect();
        self.count_known(&waiting);
        let mut running = JoinSet::new();
        loop {
            while running.len() < self.options.jobs.max(1) && !waiting.is_empty() && self.may_begin() {
                let Some((row, attempt)) = waiting.pop_front() else { break };
                running.spawn(self.begin(row, attempt));
            }
            match running.join_next().await {
                Some(ended) => {
                    let (row, attempt, end) = ended.map_err(|source| BatchError::Broken { source })?;
                    self.ended(&row, attempt, end)?;
                }
                None => return Ok(()),
            }
        }
    }

    /// Count what is spent already. What the record of a run holds is counted when the run continues.
    fn count_known(&self, waiting: &VecDeque<(BatchRow, u32)>) {
        let continued: HashMap<&str, u32> = waiting.iter().map(|(row, attempt)| (row.key.as_str(), *attempt)).collect();
        for known in self.results.all() {
            let (tokens, usd) = match continued.get(known.key.as_str()) {
                Some(attempt) => self.results.before(&known.key, *attempt),
                None => (known.tokens, known.usd),
            };
            let usd = usd.unwrap_or_default();
            self.account.budget.add(BudgetUsage { usd, tokens: tokens.total() });
        }
    }

    /// Whether another row may begin; notes why not.
    fn may_begin(&mut self) -> bool {
        if self.stop.is_none() && self.options.cancel.is_cancelled() {
            self.stop = Some(BatchStop::Cancelled);
        }
        if self.stop.is_none() && self.account.budget.is_used_up() {
            let why = self.account.budget.refusal().unwrap_or_else(|| "all of it is used".to_owned());
            self.stop = Some(BatchStop::Budget(why));
        }
        self.stop.is_none()
    }

    /// The number of the attempt at a row, from 1; `None` when its result is known. A run that was cut off, or whose model
    /// was unreachable, continues if it has a record.
    fn attempt(&self, row: &BatchRow) -> Option<u32> {
        let Some(last) = self.results.last(row) else { return Some(1) };
        let is_open = last.state == RowState::Stopped;
        if !is_open && !self.options.retry.contains(&last.state) {
            return None;
        }
        let continues = matches!(last.state, RowState::Stopped | RowState::Unreachable) && last.run.is_some();
        Some(if continues { last.attempt } else { last.attempt + 1 })
    }

    fn begin(&self, row: BatchRow, attempt: u32) -> impl Future<Output = (BatchRow, u32, RowEnd)> + use<> {
        let (place, record) = (self.place.clone(), self.results.record(&row, attempt));
        async move {
            let end = match place {
                Place::Here(runner) => runner.run(&row, record.as_ref().map(|(_, path)| path.as_path())).await,
                Place::Elsewhere(run) => run(row.clone(), attempt).await,
            };
            (row, attempt, end)
        }
    }

    /// Write down the end of a run, and stop the batch if it says so.
    fn ended(&mut self, row: &BatchRow, attempt: u32, mut end: RowEnd) -> Result<(), BatchError> {
        if matches!(self.place, Place::Elsewhere(_)) {
            self.account.budget.add(BudgetUsage { usd: end.usd.unwrap_or_default(), tokens: end.tokens.total() });
        }
        let is_down = end.state == RowState::Unreachable && self.account.silence() >= self.options.patience;
        if is_down {
            // Not the fault of this row: it is continued with the others.
            end.state = RowState::Stopped;
            end.stop = Some(BatchStop::Unreachable(end.message.clone().unwrap_or_default()));
        }
        if let Some(stop) = end.stop.take() {
            end.state = RowState::Stopped;
            // What is still within a limit is not cut off.
            if !matches!(stop, BatchStop::Budget(_)) {
                self.cut.cancel();
            }
            self.stop.get_or_insert(stop);
        }
        if end.state == RowState::Stopped && end.requests == 0 {
            return Ok(());
        }
        let result = self.result(row, attempt, end);
        self.results.append(&result)?;
        if let Some(on_row) = &self.options.on_row {
            on_row(&result);
        }
        Ok(())
    }

    fn result(&self, row: &BatchRow, attempt: u32, end: RowEnd) -> RowResult {
        let (tokens, usd) = end.after(&self.results.before(&row.key, attempt));
        let record = self.results.record(row, attempt).filter(|_| matches!(self.place, Place::Here(_)));
        let has_record = |(_, path): &(String, std::path::PathBuf)| Path::new(path).exists();
        RowResult {
            row: row.number,
            inputs: row.json(),
            state: end.state,
            answer: end.answer,
            reason: end.reason,
            message: end.message,
            model: self.options.model.clone(),
            turns: end.turns,
            requests: end.requests,
            tokens,
            usd,
            duration_ms: end.duration_ms,
            attempt,
            run: record.filter(has_record).map(|(name, _)| name),
            key: row.key.clone(),
            version: self.options.version.clone(),
        }
    }
}
