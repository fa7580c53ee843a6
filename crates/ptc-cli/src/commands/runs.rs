//! `ptc runs`: the runs that are kept, as a list; two of them side by side; removing some.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};
use indexmap::IndexSet;
use ptc_runner::chat::{Tokens, shown_addresses};
use ptc_runner::config::named;
use ptc_runner::lisp::text::{FormatOptions, format_with, one_line, shortened};
use ptc_runner::lisp::values::key_text;
use ptc_runner::lisp::{ShownNames, Value};
use ptc_runner::trace::replay::PriceBook;
use ptc_runner::trace::viewer::{Document, RunDiff, TextDiff};
use ptc_runner::transcript::{Recorded, Step};
use serde::Serialize;

use crate::failure::{Exit, Failure};
use crate::kept::{self, Progress};
use crate::output::words::duration;
use crate::prices::{self, PricesArgs};
use crate::{bounded, completion, output, recorded, viewed};

const EXAMPLES: &str = "\
Examples:
  ptc runs                               # the kept runs of this folder, the newest first
  ptc runs --state interrupted           # those that can be resumed
  ptc runs --mission bookings --json | jq .cost
  ptc runs diff -2 last                  # compares two runs, turn by turn
  ptc runs rm 20261128T101500.000000Z    # remove a run

A run is named by its id, the beginning of it, `last`, `-2` for the one before the last, or a file.

Exit codes: 0 ok, 2 wrong usage or unreadable input.";

/// List, compare or remove the runs kept in this folder.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub(crate) struct RunsArgs {
    #[command(subcommand)]
    what: Option<What>,
    /// Only runs in this state.
    #[arg(long, value_enum)]
    state: Option<StateName>,
    /// Only runs whose mission file or mission contains this text.
    #[arg(long, value_name = "TEXT")]
    mission: Option<String>,
    #[command(flatten)]
    prices: PricesArgs,
    /// Print a JSON object for each run, one per line.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Compare two runs turn by turn: programs, output, results, tokens and cost.
    Diff {
        /// The first run.
        #[arg(allow_negative_numbers = true, add = completion::runs())]
        one: String,
        /// The second run.
        #[arg(allow_negative_numbers = true, add = completion::runs())]
        other: String,
        #[command(flatten)]
        prices: PricesArgs,
    },
    /// Remove runs that are not in use.
    Rm {
        /// The runs.
        #[arg(required = true, value_name = "RUN", allow_negative_numbers = true, add = completion::runs())]
        runs: Vec<String>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum StateName {
    /// It has an answer.
    Ok,
    /// It ended without an answer.
    Failed,
    /// It can be resumed.
    Interrupted,
    /// A process is running it.
    Running,
}

/// A run in a list.
#[derive(Debug, Serialize)]
pub(crate) struct Summary {
    id: String,
    path: String,
    state: &'static str,
    began_ms: i64,
    /// The first line of what was asked.
    question: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    mission_file: Option<String>,
    /// The input data, short.
    inputs: Vec<(String, String)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fail: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    turns: usize,
    /// Of all models, those of called agents included.
    requests: usize,
    tokens: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<f64>,
    /// Why the cost is not known, and how to give a price.
    #[serde(skip_serializing_if = "Option::is_none")]
    unpriced: Option<String>,
    took_ms: u64,
}

/// Characters shown of a text.
const MOST: usize = 60;

impl Summary {
    /// What a list says of the run of this record.
    pub(crate) fn of(path: &Path, record: &Recorded, step: &Step, prices: &PriceBook) -> Summary {
        let all = || std::iter::once(record).chain(record.all_below().map(|(_, below)| below));
        let ended = record.end().map_or(Progress::Interrupted, |end| Progress::at_end(end.reason.as_ref()));
        let state = match if kept::is_running(path) { Progress::Running } else { ended } {
            Progress::Ended if step.is_ok() => "ok",
            Progress::Ended => "failed",
            progress => progress.as_str(),
        };
        let by_model = record.tokens_by_model();
        let tokens: u64 = by_model.values().map(Tokens::total).sum();
        let cost = prices.cost(by_model);
        let mission_file = record.header().notes.get("mission_file").and_then(|file| file.as_str());
        let input = |(key, value): (&Value, &Value)| (key_text(key), short(&shown(value, &ShownNames::default())));
        Summary {
            id: kept::name(path).to_owned(),
            path: path.display().to_string(),
            state,
            began_ms: record.header().clock / 1000,
            question: short(step.mission.trim().lines().next().unwrap_or_default()),
            mission_file: mission_file.map(str::to_owned),
            inputs: step.data.iter().map(input).filter(|(name, _)| !name.starts_with('_')).collect(),
            answer: step.return_value().map(|value| short(&shown(value, step.memory.shown_names()))),
            fail: step.fail().map(|fail| short(&fail.to_string())),
            model: record.model().map(shown_addresses),
            turns: step.turns().len(),
            requests: all().map(|run| run.requests().count()).sum(),
            tokens,
            unpriced: cost.as_ref().err().filter(|missing| !missing.model.is_empty()).map(ToString::to_string),
            cost: cost.ok().flatten().map(|cost| cost.usd),
            took_ms: record.end().map_or(step.usage.duration_ms, |end| end.at_us / 1000),
        }
    }

    fn is_wanted(&self, args: &RunsArgs) -> bool {
        let state = args.state.and_then(|state| state.to_possible_value());
        let has = |text: &str| {
            self.question.contains(text) || self.mission_file.as_ref().is_some_and(|file| file.contains(text))
        };
        state.is_none_or(|state| state.get_name() == self.state) && args.mission.as_deref().is_none_or(has)
    }

    fn line(&self) -> String {
        let said = self.answer.as_ref().map(|answer| format!("→ {answer}"));
        let said = said.or_else(|| self.fail.as_ref().map(|fail| format!("✗ {fail}"))).unwrap_or_default();
        let cost = self.cost.map(|cost| format!(", USD {cost:.4}")).unwrap_or_default();
        let took = duration(Duration::from_millis(self.took_ms));
        let turns = output::counted(self.turns, "turn");
        format!(
            "{}  {:<11} {}  {said}\n    {turns}, {} tokens{cost}, {took}{}",
            self.id,
            self.state,
            self.question,
            self.tokens,
            self.model.as_ref().map(|model| format!(", {model}")).unwrap_or_default()
        )
    }
}

/// A value without what hidden names hold.
fn shown(value: &Value, names: &ShownNames) -> String {
    format_with(value, &FormatOptions::full(), names).text
}

fn short(text: &str) -> String {
    shortened(&one_line(text), MOST).into_owned()
}

/// Run the command.
pub(crate) fn run(args: &RunsArgs) -> Result<Exit, Failure> {
    match &args.what {
        None => bounded::within(|| list(args)),
        Some(What::Diff { one, other, prices }) => bounded::within(|| diff(one, other, prices)),
        Some(What::Rm { runs }) => remove(runs),
    }
}

fn list(args: &RunsArgs) -> Result<Exit, Failure> {
    let runs = kept::all(Path::new(""));
    if runs.is_empty() {
        output::notes(&["no run is kept in .ptc/runs: call this where `ptc run` was called"]);
    }
    #[cfg(feature = "view")]
    note_results()?;
    let prices = args.prices.book_here()?;
    let mut unpriced = IndexSet::new();
    for path in runs {
        let summary = match summary(&path, &prices) {
            Ok(summary) if summary.is_wanted(args) => summary,
            Ok(_) => continue,
            Err(problem) => {
                output::notes(&[problem]);
                continue;
            }
        };
        if args.json { output::json(&summary) } else { output::print(|out| writeln!(out, "{}", summary.line())) }?;
        unpriced.extend(summary.unpriced);
    }
    output::notes(&unpriced.into_iter().collect::<Vec<_>>());
    Ok(Exit::Ok)
}

/// Name the results of batches and evaluations in this folder: their runs are not in the list.
#[cfg(feature = "view")]
fn note_results() -> std::io::Result<()> {
    let files =
        std::fs::read_dir(".")?.flatten().filter(|file| file.path().extension().is_some_and(|name| name == "jsonl"));
    let results = files.filter(|file| recorded::has_results(&file.path())).map(|file| file.file_name());
    let results: std::collections::BTreeSet<_> = results.collect();
    for file in results {
        let file = output::words::shell(&file.display().to_string());
        output::notes(&[format!("the runs of a batch or an evaluation are in its results: ptc view {file}")]);
    }
    Ok(())
}

fn summary(path: &Path, prices: &PriceBook) -> Result<Summary, Failure> {
    let run = recorded::load(path, &recorded::found(path)?)?;
    let record = run.record.ok_or_else(|| format!("{}: nothing is recorded in it yet", named(path)))?;
    Ok(Summary::of(path, &record, &run.step, prices))
}

fn diff(one: &str, other: &str, prices: &PricesArgs) -> Result<Exit, Failure> {
    let prices = prices.book_here()?;
    let read = |name: &str| -> Result<(String, Document), Failure> {
        let path = kept::find(Path::new(""), name)?;
        let (run, document) = viewed::read(&path, kept::is_running(&path), &prices)?;
        let record = run.record.as_ref().filter(|record| record.model().is_some());
        let cost = record.map(|record| prices::shown(&prices, record.tokens_by_model()));
        let cost = cost.unwrap_or_else(|| "unknown, since it names no model".to_owned());
        Ok((cost, document))
    };
    let [(left_cost, left), (right_cost, right)] = [read(one)?, read(other)?];
    let diff = RunDiff::of(&left, &right);
    let mut lines = Vec::new();
    for turn in &diff.turns {
        lines.push(format!("turn {}", turn.number));
        turn.parts.iter().for_each(|part| lines.extend(of_part(part)));
    }
    let [left, right] = &diff.runs;
    let answers = [&diff.answer.one, &diff.answer.other].map(|answer| short(answer.as_deref().unwrap_or_default()));
    let tokens = [left, right].map(|run| run.tokens.unwrap_or(0).to_string());
    let models = [left, right].map(|run| run.model.clone().unwrap_or_else(|| "unknown".to_owned()));
    let costs = [left_cost, right_cost];
    for (what, [left, right]) in [("answer", answers), ("model", models), ("tokens", tokens), ("cost", costs)] {
        lines.push(if left == right { format!("{what}: {left}") } else { format!("{what}: {left} | {right}") });
    }
    output::print(|out| lines.iter().try_for_each(|line| writeln!(out, "{line}")))?;
    Ok(Exit::Ok)
}

/// The lines of a text that differ, those of each side marked.
fn of_part(part: &TextDiff) -> Vec<String> {
    if part.is_same() {
        return vec![format!("  {}: the same", part.what)];
    }
    let same = match part.head + part.tail {
        0 => String::new(),
        lines => format!(" {} are the same", output::counted(lines, "line")),
    };
    let mut lines = vec![format!("  {}:{same}", part.what)];
    for (mark, side) in ['-', '+'].into_iter().zip(part.changed()) {
        match side {
            None => lines.push(format!("  {mark} (no such turn)")),
            Some(side) => lines.extend(side.into_iter().map(|line| format!("  {mark} {line}"))),
        }
    }
    lines
}

fn remove(names: &[String]) -> Result<Exit, Failure> {
    let find = |name: &String| kept::find(Path::new(""), name);
    let runs: Vec<PathBuf> = names.iter().map(find).collect::<Result<_, _>>()?;
    for path in runs {
        if kept::id(&path).is_none() {
            return Err(format!("{} is not a kept run: remove the file itself", named(&path)).into());
        }
        if !kept::remove(&path) {
            return Err(format!("{} cannot be removed: its run may be in progress", named(&path)).into());
        }
    }
    Ok(Exit::Ok)
}
