//! `ptc batch --dry-run`: what a batch would ask, and cost.

use std::sync::Arc;

use ptc_runner::chat::{Llm, ScriptedLlm, Tokens, shown_addresses};
use ptc_runner::compression::usual_token_counter;
use ptc_runner::compression::words::grouped;
use ptc_runner::config::ModelName;
use ptc_runner::eval::{BatchResults, BatchRow, RowResult, RowState};
use ptc_runner::trace::replay::{NoPrice, Prices};
use serde_json::json;

use super::{BatchArgs, Ready, version};
use crate::commands::run::preview::Preview;
use crate::failure::{Exit, Failure};
use crate::output;

/// Rows whose first request is counted; more are taken to be like these.
const COUNTED: usize = 200;

/// Show the first request of the first row, and count those of all.
pub(super) fn run(args: &BatchArgs, ready: &Ready) -> Result<Exit, Failure> {
    let rows: Vec<&BatchRow> = ready.rows.iter().collect();
    let Some(first) = rows.first() else { return Ok(Exit::Ok) };
    let counter = usual_token_counter();
    let nobody: Arc<dyn Llm> = Arc::new(ScriptedLlm::replies([""; 0]));
    let registry = ready.mission.llm_names().into_iter().map(|name| (name.to_owned(), Arc::clone(&nobody))).collect();
    let options = ready.mission.run_options().llm_registry(registry);
    let preview = |row: &BatchRow| -> Result<Preview, Failure> {
        let request = ready.agent.preview_request(ready.context(row), &options)?;
        Ok(Preview { request, model: Some(ready.models.first.clone()), counter: counter.clone() })
    };
    let every = rows.len().div_ceil(COUNTED);
    let mut counted = Vec::new();
    for row in rows.iter().step_by(every) {
        counted.push(preview(row)?.total() as u64);
    }
    let mean = counted.iter().sum::<u64>() / counted.len().max(1) as u64;
    let all = mean * rows.len() as u64;
    let model = match &ready.models.first {
        ModelName::Named(name) => name.clone(),
        ModelName::Replay(file) => format!("replay:{}", file.display()),
        _ => String::new(),
    };
    let prices = ready.prices.price(&model);
    let known = known(args, &version(args)?);
    let model = shown_addresses(&model);
    let about = About { rows: rows.len(), first: all, prices: &prices, known: &known };
    if args.json {
        output::json(&about.json(&model))?;
        return Ok(Exit::Ok);
    }
    let first = preview(first)?;
    output::print(|out| {
        writeln!(out, "=== all {} rows, asked of {model} ===\n", grouped(about.rows))?;
        about.lines().iter().try_for_each(|line| writeln!(out, "{line}"))?;
        writeln!(out, "\n=== the first request of row 1 ===\n")?;
        first.write(out)
    })?;
    Ok(Exit::Ok)
}

/// The results of rows that were asked before, of a sample for example.
fn known(args: &BatchArgs, version: &str) -> Vec<RowResult> {
    let results = args.results();
    let found = if results.is_file() { BatchResults::read(&results).unwrap_or_default() } else { Vec::new() };
    let is_like = |result: &RowResult| result.version == version && result.state != RowState::Stopped;
    found.into_iter().filter(|result| is_like(result) && result.tokens.total() > 0).collect()
}

/// What is known before anything is asked.
struct About<'a> {
    rows: usize,
    /// Tokens of the first requests.
    first: u64,
    /// Those of the model, none where it costs nothing, or why they are not known.
    prices: &'a Result<Option<&'a Prices>, NoPrice>,
    known: &'a [RowResult],
}

impl About<'_> {
    /// What the rows that are left would use and cost, by those that were asked.
    fn rest(&self) -> Option<(u64, Option<f64>)> {
        let count = self.known.len();
        if count == 0 {
            return None;
        }
        let left = self.rows.saturating_sub(count) as f64 / count as f64;
        let tokens: u64 = self.known.iter().map(|result| result.tokens.total()).sum();
        let usd: Option<Vec<f64>> = self.known.iter().map(|result| result.usd).collect();
        Some(((tokens as f64 * left) as u64, usd.map(|usd| usd.iter().sum::<f64>() * left)))
    }

    /// What the first requests cost, if each is answered with nothing.
    fn least(&self) -> Option<f64> {
        let prices = self.prices.as_ref().ok()?.as_ref()?;
        Some(prices.cost(&Tokens { input: self.first, ..Tokens::default() }))
    }

    fn json(&self, model: &str) -> serde_json::Value {
        let (tokens, usd) = self.rest().unzip();
        json!({
            "rows": self.rows,
            "model": model,
            "first_requests": {"tokens": self.first, "usd": self.least()},
            "asked_before": self.known.len(),
            "rest": {"tokens": tokens, "usd": usd.flatten()},
        })
    }

    fn lines(&self) -> Vec<String> {
        let least = match (self.least(), self.prices) {
            (Some(usd), _) => format!("USD {usd:.4}, without a cache"),
            (None, Err(missing)) => missing.to_string(),
            (None, Ok(_)) => "no paid model is asked".to_owned(),
        };
        let mut lines = vec![format!(
            "the first requests have about {} tokens, {} a row: {least}",
            grouped(self.first),
            grouped(self.first / self.rows.max(1) as u64)
        )];
        lines.push(match self.rest() {
            Some((tokens, usd)) => {
                let usd = usd.map(|usd| format!(", USD {usd:.4}")).unwrap_or_default();
                let left = self.rows.saturating_sub(self.known.len());
                format!(
                    "by the {} that were asked before, the other {} would take about {} tokens{usd}",
                    output::counted(self.known.len(), "row"),
                    grouped(left),
                    grouped(tokens)
                )
            }
            None => "answers and further turns are not in this; --sample 5 asks five rows and says what all would cost"
                .to_owned(),
        });
        lines
    }
}
