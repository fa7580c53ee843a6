//! What a batch has come to.

use indexmap::IndexMap;
use ptc_chat::Tokens;
use ptc_lisp::text::{one_line, shortened};
use serde::Serialize;

use super::BatchStop;
use super::results::{RowResult, RowState};

/// The most expensive rows that a report names, and the reasons of failures.
const NAMED: usize = 10;

/// Characters of a message by which failures are grouped.
const MESSAGE: usize = 160;

/// What a batch has come to, with what was known before.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct BatchReport {
    /// Rows.
    pub rows: usize,
    /// Rows with a result, by its state.
    pub states: IndexMap<&'static str, usize>,
    /// Rows without a result.
    pub unasked: usize,
    /// Why the batch has stopped before its last row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop: Option<BatchStop>,
    /// Requests to models.
    pub requests: u64,
    /// Tokens of all rows.
    pub tokens: Tokens,
    /// What they cost in USD, where all prices are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usd: Option<f64>,
    /// How the rows differ in what they needed.
    pub quantiles: IndexMap<&'static str, Quantiles>,
    /// The rows that cost most, or used the most tokens where no price is known.
    pub most_expensive: Vec<ExpensiveRow>,
    /// Why rows have no answer, the most frequent reason first.
    pub failures: Vec<FailureGroup>,
}

/// Of so many parts of all rows, the most that one of them needed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Quantiles {
    /// Half of them.
    pub p50: f64,
    /// 90 of 100.
    pub p90: f64,
    /// 99 of 100.
    pub p99: f64,
    /// All of them.
    pub max: f64,
}

/// A row that cost much.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ExpensiveRow {
    /// Its number, from 1.
    pub row: usize,
    /// Turns.
    pub turns: usize,
    /// The number of its attempts, from 1. Turns are those of the last one, tokens and cost of all.
    pub attempts: u32,
    /// Tokens.
    pub tokens: u64,
    /// USD.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usd: Option<f64>,
    /// The record of its run, from the folder of the results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
}

/// Rows without an answer for the same reason.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FailureGroup {
    /// How many.
    pub rows: usize,
    /// The first of them, from 1.
    pub first: usize,
    /// Their state.
    pub state: RowState,
    /// The reason by its stable name.
    pub reason: String,
    /// What the first one says.
    pub message: String,
    /// The record of its run, from the folder of the results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
}

impl BatchReport {
    /// The report of a batch of so many rows with these results.
    pub(super) fn new(rows: usize, results: &[RowResult], stop: Option<BatchStop>) -> BatchReport {
        let mut states = IndexMap::new();
        for state in RowState::FINAL.into_iter().chain([RowState::Stopped]) {
            let count = results.iter().filter(|result| result.state == state).count();
            if count > 0 {
                states.insert(state.as_str(), count);
            }
        }
        let mut tokens = Tokens::default();
        results.iter().for_each(|result| tokens.add(&result.tokens));
        let asked: Vec<&RowResult> = results.iter().filter(|result| result.tokens.total() > 0).collect();
        let costs: Option<Vec<f64>> = asked.iter().map(|result| result.usd).collect();
        let costs = costs.filter(|costs| !costs.is_empty());
        let done: Vec<&RowResult> = results.iter().filter(|result| result.state != RowState::Stopped).collect();
        let figures: [(&str, Option<Vec<f64>>); 4] = [
            ("turns", Some(done.iter().map(|result| result.turns as f64).collect())),
            ("tokens", Some(done.iter().map(|result| result.tokens.total() as f64).collect())),
            ("usd", done.iter().map(|result| result.usd).collect()),
            ("seconds", Some(done.iter().map(|result| result.duration_ms as f64 / 1000.0).collect())),
        ];
        let quantiles = figures.into_iter().filter_map(|(name, figures)| Some((name, Quantiles::of(figures?)?)));
        BatchReport {
            rows,
            states,
            unasked: rows.saturating_sub(results.len()),
            stop,
            requests: results.iter().map(|result| result.requests).sum(),
            tokens,
            usd: costs.map(|costs| costs.iter().sum()),
            quantiles: quantiles.collect(),
            most_expensive: most_expensive(asked),
            failures: failures(results),
        }
    }

    /// Rows whose result has this state.
    #[must_use]
    pub fn count(&self, state: RowState) -> usize {
        self.states.get(state.as_str()).copied().unwrap_or_default()
    }
}

impl Quantiles {
    /// By the nearest rank; `None` without figures.
    fn of(mut figures: Vec<f64>) -> Option<Quantiles> {
        figures.sort_by(f64::total_cmp);
        let max = *figures.last()?;
        let at = |part: f64| {
            let rank = (part * figures.len() as f64).ceil() as usize;
            figures.get(rank.saturating_sub(1)).copied().unwrap_or(max)
        };
        Some(Quantiles { p50: at(0.5), p90: at(0.9), p99: at(0.99), max })
    }
}

fn most_expensive(mut asked: Vec<&RowResult>) -> Vec<ExpensiveRow> {
    asked.sort_by(|one, other| {
        let by_cost = other.usd.unwrap_or_default().total_cmp(&one.usd.unwrap_or_default());
        by_cost.then(other.tokens.total().cmp(&one.tokens.total())).then(one.row.cmp(&other.row))
    });
    let costly = |result: &RowResult| ExpensiveRow {
        row: result.row,
        turns: result.turns,
        attempts: result.attempt,
        tokens: result.tokens.total(),
        usd: result.usd,
        run: result.run.clone(),
    };
    asked.into_iter().take(NAMED).map(costly).collect()
}

fn failures(results: &[RowResult]) -> Vec<FailureGroup> {
    let mut groups: IndexMap<(RowState, String, String), FailureGroup> = IndexMap::new();
    // What was cut off has no reason but that of the batch.
    let ended = results.iter().filter(|result| !matches!(result.state, RowState::Ok | RowState::Stopped));
    for result in ended {
        let reason = result.reason.clone().unwrap_or_default();
        let message = shortened(&one_line(result.message.as_deref().unwrap_or_default()), MESSAGE).into_owned();
        // Figures differ from row to row.
        let alike: String = message.chars().filter(|c| !c.is_ascii_digit()).collect();
        let group = groups.entry((result.state, reason.clone(), alike)).or_insert_with(|| FailureGroup {
            rows: 0,
            first: result.row,
            state: result.state,
            reason,
            message,
            run: result.run.clone(),
        });
        group.rows += 1;
    }
    let mut groups: Vec<FailureGroup> = groups.into_values().collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.rows));
    groups.truncate(NAMED);
    groups
}
