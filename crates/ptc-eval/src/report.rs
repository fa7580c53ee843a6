//! What an evaluation found: figures, failures, and every program that was written.

mod markdown;
#[cfg(test)]
mod tests;

use std::time::Duration;

use ptc_agent::CompiledAgent;
use ptc_lisp::{FormatOptions, format, shortened};
use ptc_transcript::{Step, TurnKind};
use serde::Serialize;
use serde_json::Value as Json;

use crate::case::Case;
use crate::constraint::quoted;
use crate::options::EvalOptions;
use crate::suite::Suite;

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
    /// How history was shown, where the cases did not decide: a strategy with its options, or `none`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compression: Option<String>,
    /// The key of the language text, where it is not the usual one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language_spec: Option<String>,
    /// Runs of each case.
    pub runs: usize,
    /// Sums over all runs.
    pub summary: Summary,
    /// The cases in order.
    pub cases: Vec<CaseReport>,
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
    /// Wall time.
    pub duration_ms: u64,
    /// Tokens that models read.
    pub input_tokens: u64,
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
    /// Whether all runs passed.
    pub passed: bool,
    /// Its runs in order.
    pub runs: Vec<RunReport>,
}

/// One run of a case.
#[derive(Debug, Clone, Default, Serialize)]
#[non_exhaustive]
pub struct RunReport {
    /// Its number, from 1.
    pub run: usize,
    /// Whether everything held.
    pub passed: bool,
    /// What did not hold: `wanted 1..100, got 101`.
    pub problems: Vec<String>,
    /// The answer, null when there is none.
    pub answer: Json,
    /// Programs that were tried.
    pub attempts: usize,
    /// Turns that corrected a refused value.
    pub retries: usize,
    /// Wall time.
    pub duration_ms: u64,
    /// Tokens that models read: for all agents, retried requests included.
    pub input_tokens: u64,
    /// Tokens that models wrote.
    pub output_tokens: u64,
    /// The programs in order.
    pub programs: Vec<ProgramReport>,
    /// The whole run, for readers who want the details; none for a compiled program.
    #[serde(skip)]
    pub step: Option<Step>,
}

/// A program that was written.
#[derive(Debug, Clone, Serialize)]
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

impl Report {
    pub(crate) fn new(suite: &Suite, options: &EvalOptions) -> Report {
        Report {
            title: suite.title.clone(),
            model: options.llm.as_ref().map_or_else(|| "recorded answers".to_owned(), |llm| llm.name().to_owned()),
            version: env!("CARGO_PKG_VERSION"),
            commit: None,
            seed: suite.seed,
            compression: options.compression.as_ref().map(|chosen| chosen.as_str().to_owned()),
            language_spec: options.language_spec.clone(),
            runs: options.runs.max(1),
            summary: Summary::default(),
            cases: Vec::new(),
        }
    }

    /// Add the runs of a case; `price` is that of a million input and output tokens.
    pub(crate) fn add(&mut self, case: CaseReport, price: Option<(f64, f64)>) {
        let sums = &mut self.summary;
        for run in &case.runs {
            sums.passed += usize::from(run.passed);
            sums.failed += usize::from(!run.passed);
            sums.total += 1;
            sums.attempts += run.attempts;
            sums.retries += run.retries;
            sums.duration_ms += run.duration_ms;
            sums.input_tokens = sums.input_tokens.saturating_add(run.input_tokens);
            sums.output_tokens = sums.output_tokens.saturating_add(run.output_tokens);
        }
        sums.cost =
            price.map(|(input, output)| (sums.input_tokens as f64 * input + sums.output_tokens as f64 * output) / 1e6);
        self.cases.push(case);
    }

    /// Whether every run passed.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.summary.failed == 0
    }
}

impl CaseReport {
    pub(crate) fn new(case: &Case, runs: Vec<RunReport>) -> CaseReport {
        CaseReport {
            name: case.name.clone(),
            level: case.level.clone(),
            description: case.mission.agent.description.clone(),
            question: case.mission.agent.mission.clone(),
            passed: runs.iter().all(|run| run.passed),
            runs,
        }
    }
}

impl RunReport {
    /// `tokens`: input and output.
    pub(crate) fn new(
        run: usize,
        answer: Json,
        problems: Vec<String>,
        time: Duration,
        tokens: (u64, u64),
    ) -> RunReport {
        let duration_ms = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let (input_tokens, output_tokens) = tokens;
        RunReport {
            run,
            passed: problems.is_empty(),
            problems,
            answer,
            duration_ms,
            input_tokens,
            output_tokens,
            ..RunReport::default()
        }
    }

    /// The same with the details of an agent's run.
    pub(crate) fn of_step(mut self, step: Step) -> RunReport {
        for turn in step.turns() {
            self.retries += usize::from(turn.kind() == TurnKind::Retry);
            let Some(source) = turn.program() else { continue };
            let whole = || format(turn.result(), &FormatOptions::full()).text;
            self.programs.push(ProgramReport {
                turn: turn.number(),
                source: source.to_owned(),
                success: turn.is_success(),
                result: shortened(&turn.error_message().unwrap_or_else(whole), MAX_RESULT).into_owned(),
            });
        }
        self.attempts = self.programs.len();
        self.step = Some(step);
        self
    }

    /// The same with the details of a compiled program: its earlier attempts are not kept.
    pub(crate) fn of_compiled(mut self, compiled: &CompiledAgent) -> RunReport {
        let metadata = compiled.metadata();
        self.attempts = metadata.turns;
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
