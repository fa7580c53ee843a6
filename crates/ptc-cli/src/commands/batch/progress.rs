//! What is reported while a batch runs.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use ptc_runner::compression::words::grouped;
use ptc_runner::eval::{BatchResults, BatchRow, RowResult, RowState};
use ptc_runner::lisp::text::{one_line, shortened};

use crate::output::words::duration;
use crate::output::{self, live};

/// How often a line is written where nobody watches.
const PAUSE: Duration = Duration::from_secs(30);

/// Rows without an answer that are reported one by one.
const FAILURES: usize = 10;

/// Characters of a message.
const MESSAGE: usize = 160;

/// Counts rows, and reports them.
pub(super) struct Progress {
    is_quiet: bool,
    rows: usize,
    /// Rows whose result was there before.
    known: usize,
    /// The states to try again, when no row has one of them.
    absent: Vec<RowState>,
    began: Instant,
    state: Mutex<State>,
}

struct State {
    done: usize,
    failed: usize,
    usd: f64,
    is_priced: bool,
    tokens: u64,
    told: Instant,
}

impl Progress {
    pub(super) fn new(is_quiet: bool, rows: &[BatchRow], results: &BatchResults, retry: &[RowState]) -> Progress {
        let states = || rows.iter().filter_map(|row| results.last(row)).map(|last| last.state);
        let known = states().filter(|state| *state != RowState::Stopped && !retry.contains(state)).count();
        let absent = if states().any(|state| retry.contains(&state)) { Vec::new() } else { retry.to_vec() };
        let state = State { done: 0, failed: 0, usd: 0.0, is_priced: true, tokens: 0, told: Instant::now() };
        Progress { is_quiet, rows: rows.len(), known, absent, began: Instant::now(), state: Mutex::new(state) }
    }

    /// Say what is done already.
    pub(super) fn begin(&self) {
        if self.known > 0 {
            let (known, rows) = (grouped(self.known), grouped(self.rows));
            output::notes(&[format!("{known} of {rows} rows have a result and are not asked again")]);
        }
        for state in &self.absent {
            output::notes(&[format!("--retry {}: no row is {}", state.as_str(), state.as_str())]);
        }
        if !self.is_quiet {
            live::show(&format!("0 of {} rows", grouped(self.rows - self.known)), Duration::ZERO);
        }
    }

    /// A row has ended.
    pub(super) fn row(&self, result: &RowResult) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if result.state != RowState::Stopped {
            state.done += 1;
        }
        state.usd += result.usd.unwrap_or_default();
        state.is_priced &= result.usd.is_some() || result.tokens.total() == 0;
        state.tokens += result.tokens.total();
        if self.is_quiet {
            return;
        }
        if !matches!(result.state, RowState::Ok | RowState::Stopped) {
            state.failed += 1;
            self.failed(state.failed, result);
        }
        let text = self.text(&state);
        live::show(&text, self.began.elapsed());
        if !output::is_watched() && state.told.elapsed() >= PAUSE {
            state.told = Instant::now();
            output::line(&text);
        }
    }

    /// The model cannot be reached, or answers again.
    pub(super) fn trouble(&self, why: Option<&str>) {
        if !self.is_quiet {
            output::line(&match why {
                Some(why) => format!("the model cannot be reached, and is asked again: {}", one_line(why)),
                None => "the model answers again".to_owned(),
            });
        }
    }

    fn failed(&self, number: usize, result: &RowResult) {
        if number <= FAILURES {
            let message = shortened(&one_line(result.message.as_deref().unwrap_or_default()), MESSAGE).into_owned();
            let reason = result.reason.as_deref().unwrap_or(result.state.as_str());
            output::line(&format!("row {}: {reason}: {message}", result.row));
        } else if number == FAILURES + 1 {
            output::line("further rows without an answer are in the results");
        }
    }

    /// `412 of 1,000 rows, 9 without an answer, USD 0.4100 of about 1.0000, about 3 min 5 s left`
    fn text(&self, state: &State) -> String {
        let wanted = self.rows.saturating_sub(self.known).max(state.done);
        let mut parts = vec![format!("{} of {} rows", grouped(state.done), grouped(wanted))];
        if state.failed > 0 {
            parts.push(format!("{} without an answer", grouped(state.failed)));
        }
        let part = state.done as f64 / wanted.max(1) as f64;
        if state.is_priced && state.usd > 0.0 {
            let about = if part > 0.0 { format!(" of about {:.4}", state.usd / part) } else { String::new() };
            parts.push(format!("USD {:.4}{about}", state.usd));
        } else if state.tokens > 0 {
            parts.push(format!("{} tokens", grouped(usize::try_from(state.tokens).unwrap_or(usize::MAX))));
        }
        if part > 0.0 && part < 1.0 {
            let left = self.began.elapsed().mul_f64((1.0 - part) / part);
            parts.push(format!("about {} left", duration(left)));
        }
        parts.join(", ")
    }
}
