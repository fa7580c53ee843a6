//! What the command line may say about a run.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use ptc_runner::config::{ApproveSetting, Keep, RecordFormat, Settings};

use super::asked::SaveArg;
use crate::args::{PatienceArg, time_with_unit, whole};
use crate::completion;
use crate::output::proposed::Proposed;
use crate::prices::PricesArgs;

const RUN_EXAMPLES: &str = "\
Examples:
  ptc run bookings.toml --llm ollama:qwen3
  ptc run bookings.toml --llm http://127.0.0.1:8080/v1#qwen3 --set limit=250
  ptc run bookings.toml --llm anthropic:claude-sonnet-4-5 --record run.jsonl
  ptc run 'Which month had the most rain?' --data weather.csv --llm ollama:qwen3 --save rain   # without a mission file
  ptc run bookings.toml --preview                     # what the model would read first
  ptc run bookings.toml --llm replay:run.jsonl --json     # replays its answers
  ptc run bookings.toml --compression rolling-window,window=2   # options as in a mission file
  ptc run bookings.toml --language-spec full          # a longer text for a small model
  ptc run payments.toml --approve none                # calls that need approval are denied without prompting
  ptc run bookings.toml --stream --timeout 2m         # what the model writes; a server is silent for 2 minutes at most
  ptc run bookings.toml --record run.jsonl --resume   # starts, or resumes where it was stopped

Exit codes: 0 an answer, 1 the mission failed, 2 wrong usage or configuration, 3 a limit stopped it, 130 interrupted,
129 hung up, 143 terminated.";

/// A mission and what the command line says about it.
#[derive(Debug, Args)]
pub(crate) struct MissionArgs {
    /// The mission file, or a question; a single word, or a name that ends in `.toml`, is always a file.
    #[arg(value_name = "MISSION", add = completion::missions())]
    pub(crate) mission: PathBuf,
    /// A data file for programs, named after the file or as given; VALUE is a file, JSON, or `{ file = "…", skip = 2 }` as
    /// in a mission file.
    #[arg(long, value_name = "[NAME=]VALUE")]
    pub(crate) data: Vec<String>,
    /// A command that programs call as a tool: JSON in, JSON out.
    #[arg(long, value_name = "NAME=COMMAND")]
    pub(crate) tool: Vec<String>,
    /// An MCP server whose tools programs call: a command or a URL.
    #[arg(long, value_name = "NAME=SERVER")]
    pub(crate) mcp: Vec<String>,
    /// The type of the answer, as in a signature: `[{month :string, mm :float}]`.
    #[arg(long, value_name = "TYPE")]
    pub(crate) returns: Option<String>,
    /// The model: `PROVIDER:MODEL`, `URL#MODEL` or `replay:FILE`; by default the mission's `llm`, its `replay`, the
    /// environment variable PTC_LLM, then the model of `ptc config`.
    #[arg(long, value_name = "SPEC")]
    pub(crate) llm: Option<String>,
    /// Compression strategy for the history, with options after commas; `none` sends every turn.
    #[arg(long, value_name = "S[,k=v…]")]
    pub(crate) compression: Option<String>,
    /// The language text that the model reads: `lean`, `full`, `brief`, `minimal`, or another key of `ptc doc --language-spec
    /// KEY`.
    #[arg(long, value_name = "KEY")]
    pub(crate) language_spec: Option<String>,
    /// Maximum number of model turns, retry turns excluded.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u32>(1))]
    pub(crate) max_turns: Option<u32>,
    /// A data entry; VALUE is JSON, else the text itself.
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// A limit for each program: `fuel=N`, `memory=64MB`, `time=5s` or `depth=N`.
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) limit: Vec<String>,
    /// How long a model may be silent before its call fails with `timeout`, which is retried as other failures are; 10
    /// minutes by default.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = time_with_unit)]
    pub(crate) timeout: Option<Duration>,
    #[command(flatten)]
    pub(crate) patience: PatienceArg,
}

/// Run a mission with a model.
#[derive(Debug, Args)]
#[command(after_help = RUN_EXAMPLES)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) asked: MissionArgs,
    /// Save the mission of a question in this folder, as a file to run again.
    #[arg(long, value_name = "DIR")]
    pub(crate) save: Option<PathBuf>,
    /// Record the run in this file instead of in `.ptc/runs`: `ptc show FILE` shows it, `--llm replay:FILE` replays its
    /// answers.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Write every request to this file as JSON Lines.
    #[arg(long, value_name = "FILE")]
    pub(crate) requests: Option<PathBuf>,
    /// Resume the recorded run: requests and tool calls in the record are not repeated.
    #[arg(long, requires = "record")]
    pub(crate) resume: bool,
    /// Overwrite existing files of any kind.
    #[arg(long)]
    pub(crate) force: bool,
    /// Do not keep the run in `.ptc/runs`, where `ptc show` finds it.
    #[arg(long)]
    pub(crate) no_keep: bool,
    /// Number of runs kept in `.ptc/runs`, or `all`; by default the mission's `keep`, else that of `ptc config`.
    #[arg(long, value_name = "N", conflicts_with_all = ["no_keep", "record"], allow_negative_numbers = true)]
    pub(crate) keep: Option<Keep>,
    /// Seed of random numbers.
    #[arg(long, value_name = "N", default_value = "0", allow_negative_numbers = true, value_parser = whole::<u64>(0))]
    pub(crate) seed: u64,
    /// What to do with calls that need approval; by default what `ptc config` says, else `ask`.
    #[arg(long, value_enum, value_name = "ANSWER")]
    pub(crate) approve: Option<ApproveArg>,
    /// Prompt for approval of each program before it runs, instead of each call.
    #[arg(long)]
    pub(crate) approve_programs: bool,
    #[command(flatten)]
    pub(crate) prices: PricesArgs,
    /// Stream what the model writes.
    #[arg(long)]
    pub(crate) stream: bool,
    /// Report only warnings, and why the run failed, on standard error.
    #[arg(long, short, conflicts_with = "stream")]
    pub(crate) quiet: bool,
    /// Print the first request and its tokens without calling a model or a tool.
    #[arg(long, conflicts_with_all = ["record", "requests", "show_program", "raw"])]
    pub(crate) preview: bool,
    /// Print the last program before the answer.
    #[arg(long)]
    pub(crate) show_program: bool,
    /// Print the model's replies before the answer.
    #[arg(long)]
    pub(crate) raw: bool,
    /// Format of the answer; by default a table for people, or PTC-Lisp.
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with = "json")]
    pub(crate) output: Option<OutputArg>,
    /// Write the answer to a file as well: `.csv`, `.jsonl`, `.json`, `.md` or `.parquet`.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Print the whole step as one JSON object.
    #[arg(long, conflicts_with_all = ["show_program", "raw"])]
    pub(crate) json: bool,
}

impl RunArgs {
    /// What `--save` says.
    pub(super) fn save(&self) -> Option<SaveArg<'_>> {
        self.save.as_deref().map(|folder| SaveArg { folder, force: self.force })
    }

    /// The command that resumes this run from its record.
    pub(super) fn again(&self, record: &Path) -> Proposed {
        let approve = self.approve.and_then(|answer| answer.to_possible_value());
        let time = |time: Duration| format!("{}ms", time.as_millis());
        let asked = &self.asked;
        Proposed::new("ptc run", &[&asked.mission.display().to_string()])
            .option("--data", &asked.data)
            .option("--tool", &asked.tool)
            .option("--mcp", &asked.mcp)
            .option("--returns", &asked.returns)
            .option("--llm", &asked.llm)
            .option("--compression", &asked.compression)
            .option("--language-spec", &asked.language_spec)
            .option("--max-turns", asked.max_turns.map(|turns| turns.to_string()))
            .option("--set", &asked.set)
            .option("--limit", &asked.limit)
            .option("--seed", (self.seed != 0).then(|| self.seed.to_string()))
            .option("--approve", approve.as_ref().map(PossibleValue::get_name))
            .flag("--approve-programs", self.approve_programs)
            .option("--timeout", asked.timeout.map(time))
            .option("--patience", asked.patience.patience.map(time))
            .option("--prices", self.prices.given())
            .option("--record", Some(record.display().to_string()))
            .flag("--resume", true)
    }
}

/// How an answer is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputArg {
    /// CSV; the answer must be records.
    Csv,
    /// JSON.
    Json,
    /// A Markdown table; the answer must be records.
    Md,
}

impl OutputArg {
    pub(super) fn format(self) -> RecordFormat {
        match self {
            OutputArg::Csv => RecordFormat::Csv,
            OutputArg::Json => RecordFormat::Json,
            OutputArg::Md => RecordFormat::Markdown,
        }
    }
}

/// An answer for everything that needs approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ApproveArg {
    /// Approve everything.
    All,
    /// Prompt for each on the terminal.
    Ask,
    /// Deny everything; the model is shown this.
    None,
}

impl ApproveArg {
    /// What is given on the command line, else what the settings say.
    pub(crate) fn or(given: Option<ApproveArg>, settings: &Settings) -> ApproveSetting {
        match given {
            None => settings.approve(),
            Some(ApproveArg::All) => ApproveSetting::All,
            Some(ApproveArg::Ask) => ApproveSetting::Ask,
            Some(ApproveArg::None) => ApproveSetting::None,
        }
    }
}
