//! What an evaluation found: figures, failures, and every program that was written.

mod figures;
mod html;
mod markdown;
mod picture;
mod pooled;
#[cfg(test)]
mod tests;

use std::time::Duration;

use ptc_agent::CompiledAgent;
use ptc_chat::Tokens;
use ptc_compression::{Estimate, TokenCounter};
use ptc_lisp::ToolRecord;
use ptc_lisp::Value;
use ptc_lisp::text::{FormatOptions, display_text, format, shortened};
use ptc_mission::MissionExpander;
use ptc_trace::replay::Prices;
use ptc_transcript::{Step, TurnKind};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::case::Case;
use crate::constraint::quoted;
use crate::options::EvalOptions;
use crate::suite::Suite;
use crate::variant::{Mode, Variant};

pub(crate) use figures::times;
pub use figures::{Difference, Figures};
pub use html::html_page;
pub use markdown::{Detail, comparison};

/// Characters of a program's result that a report holds.
const MAX_RESULT: usize = 500;

/// The report of an evaluation; serializes to its JSON form.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// The title of the suite.
    pub title: String,
    /// The model, or `recorded answers`.
    pub model: String,
    /// Version of ptc-runner.
    pub version: &'static str,
    /// The commit that was evaluated, where the caller knows one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The seed of the generated data.
    pub seed: u64,
    /// The mission of the questions by its name, where several are asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mission: Option<String>,
    /// What the model wrote, where the cases did not decide: `programs` or `native-tools`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<Mode>,
    /// How history was shown, where the cases did not decide: a strategy with its options, or `none`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compression: Option<String>,
    /// The key of the language text, where it is not the usual one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language_spec: Option<String>,
    /// How it was asked, in a few words: what differs between the ways of the evaluation.
    pub way: String,
    /// Runs of each case.
    pub runs: usize,
    /// What tokens cost, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prices: Option<Prices>,
    /// Whether anything is expected of the answers.
    pub is_judged: bool,
    /// Sums over all runs.
    pub summary: Summary,
    /// Rates and means, with intervals; none without runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub figures: Option<Figures>,
    /// How the way of asking differs from each one before it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<Difference>,
    /// The cases in order.
    pub cases: Vec<CaseReport>,
    /// Runs that were not asked, or not to the end, and are in no figure.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unasked: Vec<Unasked>,
}

/// A run that was not asked to its end.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Unasked {
    /// The case.
    pub case: String,
    /// The number of the run, from 1.
    pub run: usize,
    /// Why.
    pub why: SkipReason,
    /// What it has cost nevertheless in USD, where a price is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}

/// Why a run was not asked to its end; nothing that says anything about the model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SkipReason {
    /// The evaluation was cancelled.
    #[error("the evaluation was interrupted")]
    Cancelled,
    /// The limit in USD was reached.
    #[error("the limit in USD is reached")]
    NoMoney,
    /// The provider does not let this model be asked.
    #[error("the model cannot be asked: {0}")]
    NoModel(String),
    /// The provider failed, also after several attempts.
    #[error("the provider failed: {0}")]
    Service(String),
    /// Another run showed that the model cannot be asked.
    #[error("the model cannot be asked")]
    Halted,
}

/// Sums over all runs of all cases.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Summary {
    /// Runs that passed.
    pub passed: usize,
    /// Runs that failed.
    pub failed: usize,
    /// All runs.
    pub total: usize,
    /// Programs that were tried.
    pub attempts: usize,
    /// Turns that corrected a refused value.
    pub retries: usize,
    /// Turns of all runs.
    pub turns: usize,
    /// Requests to models.
    pub requests: u64,
    /// Wall time.
    pub duration_ms: u64,
    /// Tokens that models read, cached ones included.
    pub input_tokens: u64,
    /// Of these, tokens that the provider had cached.
    pub cached_tokens: u64,
    /// Tokens that models wrote.
    pub output_tokens: u64,
    /// What the tokens cost, where a price is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}

/// A case with its runs.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct CaseReport {
    /// Its name.
    pub name: String,
    /// Its level.
    pub level: String,
    /// What it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The question as the agent has it.
    pub question: String,
    /// What the user said after each answer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub then: Vec<String>,
    /// Whether all runs passed.
    pub passed: bool,
    /// Its runs in order.
    pub runs: Vec<RunReport>,
}

/// One run of a case.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RunReport {
    /// Its number, from 1.
    pub run: usize,
    /// Whether everything held.
    pub passed: bool,
    /// What did not hold: `wanted 1..100, got 101`.
    pub problems: Vec<String>,
    /// The last answer, null when there is none.
    pub answer: Json,
    /// All answers, where the user said more than the mission.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Json>,
    /// Programs that were tried.
    pub attempts: usize,
    /// Tokens of what tools returned, about: a quarter of the characters of their JSON.
    #[serde(default)]
    pub result_tokens: u64,
    /// Turns that corrected a refused value.
    pub retries: usize,
    /// Turns, for all texts of the user.
    pub turns: usize,
    /// Requests to models: of all agents, failed ones included.
    pub requests: u64,
    /// Wall time.
    pub duration_ms: u64,
    /// Tokens that models read, cached ones included: for all agents, retried requests included.
    pub input_tokens: u64,
    /// Of these, tokens that the provider had cached.
    #[serde(default)]
    pub cached_tokens: u64,
    /// Of these, tokens that were written to the cache.
    #[serde(default)]
    pub cache_write_tokens: u64,
    /// Tokens that models wrote.
    pub output_tokens: u64,
    /// What the tokens cost in USD, where a price is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// The programs in order. Turns are counted through all texts of the user.
    pub programs: Vec<ProgramReport>,
    /// The records of its runs, one for each text of the user, relative to the folder of the file of results; empty when
    /// none were kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub records: Vec<String>,
    /// The runs of the agent, one for each text of the user, for readers who want the details; none for a compiled
    /// program, nor for a run that was read from a file of results.
    #[serde(skip)]
    pub steps: Vec<Step>,
}

/// A program that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ProgramReport {
    /// The turn, from 1.
    pub turn: usize,
    /// Its text.
    pub source: String,
    /// Whether it ran without an error.
    pub success: bool,
    /// Its value, or what went wrong.
    pub result: String,
}

/// The tokens of what a call returned.
fn result_tokens(call: &ToolRecord) -> u64 {
    let text = call.result.to_json().map(|json| json.to_string()).unwrap_or_default();
    u64::try_from(Estimate.count(&text)).unwrap_or(u64::MAX)
}

impl Report {
    pub(crate) fn new(suite: &Suite, options: &EvalOptions, variant: &Variant) -> Report {
        Report {
            title: suite.title.clone(),
            model: options.model_name(variant),
            mission: variant.mission.clone(),
            version: env!("CARGO_PKG_VERSION"),
            commit: None,
            seed: suite.seed,
            mode: variant.mode,
            compression: variant.compression.as_ref().map(|chosen| chosen.as_str().to_owned()),
            language_spec: variant.language_spec.clone(),
            runs: options.runs.max(1),
            prices: options.known_prices(variant),
            way: variant.to_string(),
            is_judged: suite.cases.iter().any(Case::is_judged),
            summary: Summary::default(),
            figures: None,
            differences: Vec::new(),
            cases: Vec::new(),
            unasked: Vec::new(),
        }
    }

    /// Add a run; the runs of a case come one after another.
    pub(crate) fn add(&mut self, case: &Case, mut run: RunReport) {
        run.cost = self.prices.as_ref().map(|prices| prices.cost(&run.tokens()));
        self.summary.add(&run);
        match self.cases.last_mut().filter(|known| known.name == case.name) {
            Some(known) => known.add(run),
            None => self.cases.push(CaseReport::new(case, run)),
        }
    }

    /// Add a run that was not asked, or cut before its end.
    pub(crate) fn add_unasked(&mut self, case: &Case, run: usize, why: SkipReason, cut: Option<&RunReport>) {
        let cost = self.prices.as_ref().zip(cut).map(|(prices, cut)| prices.cost(&cut.tokens()));
        let cost = cost.filter(|cost| *cost > 0.0);
        self.unasked.push(Unasked { case: case.name.clone(), run, why, cost });
    }

    /// Whether every run was asked and passed.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.summary.failed == 0 && self.unasked.is_empty()
    }
}

impl Summary {
    fn add(&mut self, run: &RunReport) {
        self.passed += usize::from(run.passed);
        self.failed += usize::from(!run.passed);
        self.total += 1;
        self.attempts += run.attempts;
        self.retries += run.retries;
        self.turns += run.turns;
        self.requests += run.requests;
        self.duration_ms += run.duration_ms;
        self.input_tokens = self.input_tokens.saturating_add(run.input_tokens);
        self.cached_tokens = self.cached_tokens.saturating_add(run.cached_tokens);
        self.output_tokens = self.output_tokens.saturating_add(run.output_tokens);
        if let Some(cost) = run.cost {
            *self.cost.get_or_insert_default() += cost;
        }
    }
}

impl CaseReport {
    fn new(case: &Case, run: RunReport) -> CaseReport {
        CaseReport {
            name: case.name.clone(),
            level: case.level.clone(),
            description: case.mission.agent.description.clone(),
            question: question(case),
            then: case.then.clone(),
            passed: run.passed,
            runs: vec![run],
        }
    }

    fn add(&mut self, run: RunReport) {
        self.passed &= run.passed;
        self.runs.push(run);
    }
}

/// The question with the inputs of its row: where the mission has their names in braces, or else after it.
fn question(case: &Case) -> String {
    let text = &case.mission.agent.mission;
    let given = case.given.iter().map(|(name, value)| (Value::keyword(name), value.clone()));
    let filled = MissionExpander::expand_keep(text, &Value::map_from(given));
    if filled != *text {
        return filled;
    }
    let input =
        |(name, value): (&String, &Value)| format!("\n\n{name}: {}", shortened(&display_text(value), MAX_RESULT));
    filled + &case.given.iter().map(input).collect::<String>()
}

impl RunReport {
    /// A run with these answers, one for each text of the user.
    pub(crate) fn new(run: usize, answers: Vec<Json>, problems: Vec<String>, time: Duration) -> RunReport {
        let answer = answers.last().cloned().unwrap_or_default();
        RunReport {
            run,
            passed: problems.is_empty(),
            problems,
            answer,
            answers: if answers.len() > 1 { answers } else { Vec::new() },
            duration_ms: u64::try_from(time.as_millis()).unwrap_or(u64::MAX),
            ..RunReport::default()
        }
    }

    /// The same with what was asked of models.
    pub(crate) fn of_tokens(self, requests: u64, tokens: &Tokens) -> RunReport {
        RunReport {
            requests,
            input_tokens: tokens.input,
            cached_tokens: tokens.cached,
            cache_write_tokens: tokens.cache_write,
            output_tokens: tokens.output,
            ..self
        }
    }

    /// Its tokens as models count them.
    pub(crate) fn tokens(&self) -> Tokens {
        Tokens {
            input: self.input_tokens,
            output: self.output_tokens,
            cached: self.cached_tokens,
            cache_write: self.cache_write_tokens,
        }
    }

    /// The same with the details of an agent's runs.
    pub(crate) fn of_steps(mut self, steps: Vec<Step>) -> RunReport {
        for turn in steps.iter().flat_map(Step::turns) {
            self.turns += 1;
            self.retries += usize::from(turn.kind() == TurnKind::Retry);
            self.result_tokens += turn.tool_calls().iter().map(result_tokens).sum::<u64>();
            let Some(source) = turn.program() else { continue };
            let whole = || format(turn.result(), &FormatOptions::full()).text;
            self.programs.push(ProgramReport {
                turn: self.turns,
                source: source.to_owned(),
                success: turn.is_success(),
                result: shortened(&turn.error_message().unwrap_or_else(whole), MAX_RESULT).into_owned(),
            });
        }
        self.attempts = self.programs.len();
        self.steps = steps;
        self
    }

    /// The same with the details of a compiled program: its earlier attempts are not kept.
    pub(crate) fn of_compiled(mut self, compiled: &CompiledAgent) -> RunReport {
        let metadata = compiled.metadata();
        (self.attempts, self.turns) = (metadata.turns, metadata.turns);
        let result = quoted(&self.answer);
        self.programs.push(ProgramReport {
            turn: metadata.turns,
            source: compiled.source().to_owned(),
            success: true,
            result,
        });
        self
    }
}
