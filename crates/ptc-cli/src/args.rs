//! What the command line may say.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::commands::bench::BenchArgs;
use crate::commands::check::CheckArgs;
use crate::commands::doc::DocArgs;
use crate::commands::eval_suite::EvalSuiteArgs;
use crate::commands::replay::ReplayArgs;
use crate::commands::run::RunArgs;
use crate::commands::trace::TraceArgs;

/// Run PTC-Lisp programs and missions.
#[derive(Debug, Parser)]
#[command(name = "ptc", version, about, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a program and print its value.
    Eval(EvalArgs),
    /// Run a mission with a model.
    Run(RunArgs),
    /// Find the static problems of a program without running it.
    Check(CheckArgs),
    /// Look up functions and special forms, or what models are taught.
    Doc(DocArgs),
    /// Time a program.
    Bench(BenchArgs),
    /// Show a recorded run.
    Trace(TraceArgs),
    /// Show what a recorded run would have sent and cost with another compression.
    Replay(ReplayArgs),
    /// Run an evaluation suite and report what passed.
    EvalSuite(EvalSuiteArgs),
}

const EVAL_EXAMPLES: &str = "\
Examples:
  ptc eval -e '(+ 1 2)'
  ptc eval report.clj --data bookings=bookings.json --limit time=10s
  echo '(count data/rows)' | ptc eval --data rows=rows.csv
  ptc eval -e '(def total 7)' --memory notes.json    # keeps definitions for the next call
  ptc eval --batch < requests.jsonl > answers.jsonl  # one JSON request and one JSON answer per line

Exit codes: 0 ok, 1 the program failed, 2 wrong usage or unreadable input, 3 a limit stopped it.";

/// Run a program and print its value.
#[derive(Debug, Args)]
#[command(after_help = EVAL_EXAMPLES)]
pub(crate) struct EvalArgs {
    /// File with the program; `-` or nothing reads standard input.
    #[arg(conflicts_with = "source")]
    pub(crate) file: Option<PathBuf>,
    /// The program itself.
    #[arg(short = 'e', value_name = "SRC")]
    pub(crate) source: Option<String>,
    /// Read JSON Lines `{"id", "source", "data"?, "memory"?, "limits"?}` from standard input, answer each with a line.
    #[arg(long, conflicts_with_all = ["file", "source", "format", "json", "memory"])]
    pub(crate) batch: bool,
    /// Print one JSON object with value, prints, warnings, definitions and usage.
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,
    /// How the value is printed.
    #[arg(long, value_enum, default_value_t = ValueFormat::Clojure)]
    pub(crate) format: ValueFormat,
    /// JSON file that definitions are loaded from and saved to.
    #[arg(long, value_name = "FILE")]
    pub(crate) memory: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Options that several commands share.
#[derive(Debug, Args)]
pub(crate) struct Common {
    /// Data for `data/NAME`: a file (.json, .jsonl, .csv, .txt, .md, each also with .gz) or JSON; without NAME a JSON
    /// object is all of `data/`.
    #[arg(long, value_name = "FILE|NAME=FILE|NAME=JSON")]
    pub(crate) data: Vec<String>,
    /// A bound: `fuel=N`, `memory=64MB`, `time=5s` or `depth=N`.
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) limit: Vec<String>,
    /// Seed of random numbers.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ValueFormat {
    /// As programs write it.
    Clojure,
    /// As JSON.
    Json,
    /// As JSON with the kind of every value.
    Tagged,
}
