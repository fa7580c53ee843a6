//! What the command line may say about a batch.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::{Args, ValueEnum};
use ptc_runner::chat::Rate;
use ptc_runner::eval::RowState;

use crate::args::{usd, whole};
use crate::commands::run::{ApproveArg, MissionArgs};
use crate::prices::PricesArgs;

const EXAMPLES: &str = "\
Examples:
  ptc batch ticket.toml --each tickets.csv --llm openai:gpt-5-mini --dry-run      # what it would ask, and cost
  ptc batch ticket.toml --each tickets.csv --llm openai:gpt-5-mini --sample 5     # five of the rows
  ptc batch ticket.toml --each tickets.csv --llm openai:gpt-5-mini --jobs 16 --max-usd 5
  ptc batch ticket.toml --each tickets.jsonl --out answers.csv --rate openai=500,200000
  ptc batch letter.toml --each letters/ --llm ollama:qwen3        # a folder: a row for each file, with `file` and `text`
  ptc batch ticket.toml --each tickets.csv --retry failed --retry unreachable     # reruns these rows
  ptc batch ticket.toml --each tickets.csv --engine http://127.0.0.1:8080         # on the workers of a durable engine

The same command continues a batch that was stopped or killed: rows with a result are not asked again, and a run that
was cut off continues where it was.

Exit codes: 0 every row has an answer, 1 some have none, 2 wrong usage or configuration, 3 stopped by --max-usd or
--max-tokens, 4 stopped since the model cannot be asked, 130 interrupted, 129 hung up, 143 terminated.";

/// Run a mission for each row of a file, or each file of a folder.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct BatchArgs {
    #[command(flatten)]
    pub(super) asked: MissionArgs,
    /// The rows: a data file, `{ file = "…", skip = 2 }` as in a mission file, or a folder. Columns with the name of an
    /// input of the mission are passed to it; the others are copied to the results.
    #[arg(long, value_name = "ROWS")]
    pub(super) each: String,
    /// Maximum number of concurrent runs; by default the `jobs` of `ptc config`, else 8.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u32>(1))]
    pub(super) jobs: Option<u32>,
    /// Also write the results as a table: `.csv`, `.json`, `.md` or `.parquet`. A name that ends in `.jsonl` is the
    /// results file, from which a stopped batch continues, instead of `ROWS.results.jsonl`. May be repeated.
    #[arg(long, value_name = "FILE")]
    pub(super) out: Vec<PathBuf>,
    /// Send no request that could make the batch cost more than this.
    #[arg(long, value_name = "USD", allow_negative_numbers = true, value_parser = usd)]
    pub(super) max_usd: Option<f64>,
    #[command(flatten)]
    pub(super) prices: PricesArgs,
    /// Send no request that could make the batch use more tokens than this.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u64>(1))]
    pub(super) max_tokens: Option<u64>,
    /// Rate limit of a model or provider, in requests a minute, or requests and tokens: `openai=500` or
    /// `openai:gpt-5=500,200000`. May be repeated.
    #[arg(long, value_name = "NAME=N[,TOKENS]", value_parser = rate)]
    pub(super) rate: Vec<(String, Rate)>,
    /// Also rerun rows that ended this way; may be repeated.
    #[arg(long, value_enum, value_name = "STATE")]
    pub(super) retry: Vec<RetryArg>,
    /// Run a sample of this many rows, spread over the file.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u32>(1))]
    pub(super) sample: Option<u32>,
    /// Show the first request, the tokens of all rows and the estimated cost, without calling a model.
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Keep no records of the runs: interrupted ones start from the beginning.
    #[arg(long)]
    pub(super) no_keep: bool,
    /// Seed of random numbers.
    #[arg(long, value_name = "N", default_value = "0", allow_negative_numbers = true, value_parser = whole::<u64>(0))]
    pub(super) seed: u64,
    /// What to do with calls that need approval; a batch never prompts.
    #[arg(long, value_enum, value_name = "ANSWER")]
    pub(super) approve: Option<ApproveArg>,
    /// Overwrite existing files of any kind with the tables of --out.
    #[arg(long)]
    pub(super) force: bool,
    /// Show no progress.
    #[arg(long, short)]
    pub(super) quiet: bool,
    /// Print the summary as one JSON object.
    #[arg(long)]
    pub(super) json: bool,
    /// Run on the workers of the durable engine at this address, which serve the mission, instead of here.
    #[cfg(feature = "engine")]
    #[arg(long, value_name = "URL", conflicts_with_all = ["llm", "max_turns", "compression", "language_spec", "timeout", "approve", "rate"])]
    pub(super) engine: Option<String>,
    #[cfg(feature = "engine")]
    #[command(flatten)]
    pub(super) blobs: crate::engine::BlobsArg,
}

impl BatchArgs {
    /// The file of the results.
    pub(super) fn results(&self) -> PathBuf {
        let is_lines = |path: &&PathBuf| path.extension().is_some_and(|ending| ending == "jsonl");
        let named = self.out.iter().find(is_lines).cloned();
        named.unwrap_or_else(|| {
            // A pattern, a table and standard input are not names of files.
            let is_name = !self.each.contains(['*', '?', '{']) && self.each != "-";
            let stem = Path::new(&self.each).file_stem().filter(|_| is_name);
            let stem = stem.map_or_else(|| "batch".to_owned(), |stem| stem.to_string_lossy().into_owned());
            PathBuf::from(format!("{stem}.results.jsonl"))
        })
    }

    /// The files that are written as tables.
    pub(super) fn tables(&self) -> impl Iterator<Item = &PathBuf> {
        let results = self.results();
        self.out.iter().filter(move |path| **path != results)
    }

    pub(super) fn retry(&self) -> Vec<RowState> {
        self.retry.iter().map(|state| RowState::from(*state)).collect()
    }
}

/// A state of a row that has no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum RetryArg {
    /// The mission failed.
    Failed,
    /// A limit of the mission stopped it.
    Limit,
    /// The model could not be reached.
    Unreachable,
}

impl From<RetryArg> for RowState {
    fn from(state: RetryArg) -> RowState {
        match state {
            RetryArg::Failed => RowState::Failed,
            RetryArg::Limit => RowState::Limit,
            RetryArg::Unreachable => RowState::Unreachable,
        }
    }
}

/// `NAME=REQUESTS` or `NAME=REQUESTS,TOKENS`.
fn rate(given: &str) -> Result<(String, Rate), String> {
    let parts = given.rsplit_once('=').filter(|(name, _)| !name.trim().is_empty());
    let parsed = parts.and_then(|(name, rate)| Some((name.trim().to_owned(), Rate::from_str(rate).ok()?)));
    parsed.ok_or_else(|| {
        "write NAME=REQUESTS or NAME=REQUESTS,TOKENS for a minute, such as openai=500 or openai:gpt-5=500,200000"
            .to_owned()
    })
}
