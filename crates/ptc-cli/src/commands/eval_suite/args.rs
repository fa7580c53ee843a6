//! What the command line may say about an evaluation.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use ptc_runner::eval::TurnFilter;

use crate::args::{PatienceArg, usd, whole};
use crate::commands::show::ViewName;
use crate::prices::PricesArgs;

const EXAMPLES: &str = "\
Examples:
  ptc eval-suite docs/examples/evaluation                             # on its recordings, offline
  ptc eval-suite docs/examples/evaluation --llm ollama:qwen3 --runs 3 --report report.md
  ptc eval-suite docs/examples/evaluation --llm ollama:qwen3 --compression none --compression rolling-window,window=2
  ptc eval-suite my-suite --llm openai:gpt-5-mini --as programs --as native-tools --runs 3 --jobs 8 --max-usd 5 \
    --results results.jsonl --report report.html
  ptc eval-suite questions.csv --mission short.toml --mission strict.toml --llm openai:gpt-5-mini --llm ollama:qwen3
  ptc eval-suite docs/examples/evaluation --level plan --filter multi_turn --json | jq .summary
  ptc eval-suite docs/examples/evaluation --case two-topics --view turns --raw
  ptc eval-suite my-suite --case new --llm anthropic:claude-sonnet-4-5 --record

Exit codes: 0 every run passed, 1 some failed, 2 wrong usage or unreadable input, 130 interrupted,
129 hung up, 143 terminated.";

/// Run an evaluation suite and report what passed.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct EvalSuiteArgs {
    /// The folder of the suite, with `suite.toml`, or a table of questions: a row for each, the right answers under `expect`.
    #[arg(value_name = "DIR|FILE")]
    pub(super) folder: PathBuf,
    /// A mission file with which the questions of a table are asked, instead of those of the suite; several are compared.
    #[arg(long, value_name = "FILE")]
    pub(super) mission: Vec<PathBuf>,
    /// The model: `PROVIDER:MODEL`, `URL#MODEL` or `replay:FILE`; by default the recordings of the suite are replayed. Several
    /// are compared.
    #[arg(long, value_name = "SPEC")]
    pub(super) llm: Vec<String>,
    /// Save the model's answers as recordings of the cases that pass.
    #[arg(long)]
    pub(super) record: bool,
    /// Only cases of this level; may be repeated.
    #[arg(long, value_name = "NAME")]
    pub(super) level: Vec<String>,
    /// Only this case; may be repeated.
    #[arg(long, value_name = "NAME")]
    pub(super) case: Vec<String>,
    /// Only single-turn or multi-turn cases.
    #[arg(long, value_enum, value_name = "TURNS", default_value_t = FilterArg::All)]
    pub(super) filter: FilterArg,
    /// Number of runs of each case.
    #[arg(long, value_name = "N", default_value = "1", allow_negative_numbers = true, value_parser = whole::<u32>(1))]
    pub(super) runs: u32,
    /// Turns to correct a refused value; overrides the cases.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u32>(0))]
    pub(super) retry_turns: Option<u32>,
    /// What the model writes: programs, or tool calls in its provider's format; overrides the cases. Several modes are
    /// compared.
    #[arg(long = "as", value_enum, value_name = "WHAT")]
    pub(super) mode: Vec<ModeArg>,
    /// Compression strategy for the history, with options after commas; `none` sends every turn. Several are compared.
    #[arg(long, value_name = "S[,k=v…]")]
    pub(super) compression: Vec<String>,
    /// The language text that the model reads: a key of `ptc doc --language-spec KEY`, or `auto`. Several are compared.
    #[arg(long, value_name = "KEY")]
    pub(super) language_spec: Vec<String>,
    /// Do not tell the model the fields of the data.
    #[arg(long)]
    pub(super) explore: bool,
    /// Maximum number of concurrent runs; by default the `jobs` of `ptc config`, else 1.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u32>(1))]
    pub(super) jobs: Option<u32>,
    #[command(flatten)]
    pub(super) patience: PatienceArg,
    #[command(flatten)]
    pub(super) prices: PricesArgs,
    /// Start no further run once all have cost this much, and end those in progress at the next reply.
    #[arg(long, value_name = "USD", allow_negative_numbers = true, value_parser = usd)]
    pub(super) max_usd: Option<f64>,
    /// Append each finished run to this file, one per line, and skip runs that it already has: a stopped evaluation
    /// continues.
    #[arg(long, value_name = "FILE", conflicts_with = "record")]
    pub(super) results: Option<PathBuf>,
    /// Also keep the record of each run, for `ptc view` and `ptc show`, in a folder next to the file of --results
    /// (`results.runs` for `results.jsonl`).
    #[arg(long, requires = "results")]
    pub(super) keep_runs: bool,
    /// Write the full report to this file: JSON or HTML, as its name ends, else Markdown with all programs.
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,
    /// Overwrite an existing file of any kind with --report.
    #[arg(long)]
    pub(super) force: bool,
    /// Show each run before the report: turn by turn, or as the default strategy would show it next.
    #[arg(long, value_enum, value_name = "VIEW", conflicts_with = "json")]
    pub(super) view: Option<ViewName>,
    /// With --view: also the raw answers.
    #[arg(long, requires = "view")]
    pub(super) raw: bool,
    /// With --view: also tokens, calls by tool, and what compression left out.
    #[arg(long, requires = "view")]
    pub(super) usage: bool,
    /// Ask the judges of the suite, and no other model, about the answers of this table: rows with `answer`, `label` (pass or
    /// fail), `question` and `expected`.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["llm", "record", "report", "results", "view", "preview"])]
    pub(super) check_judges: Option<PathBuf>,
    /// Print each case's first request without calling a model.
    #[arg(long, conflicts_with_all = ["llm", "record", "json", "report", "results", "view"])]
    pub(super) preview: bool,
    /// Print the full report as one JSON object, or a list with one object for each variant.
    #[arg(long)]
    pub(super) json: bool,
}

/// What the model writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ModeArg {
    /// Programs that call the tools.
    Programs,
    /// Calls of the tools, and text.
    NativeTools,
}

/// Cases by the turns of their agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(super) enum FilterArg {
    /// All cases.
    All,
    /// Those with one turn.
    SingleTurn,
    /// Those with several turns.
    MultiTurn,
}

impl From<FilterArg> for TurnFilter {
    fn from(filter: FilterArg) -> TurnFilter {
        match filter {
            FilterArg::All => TurnFilter::All,
            FilterArg::SingleTurn => TurnFilter::SingleTurn,
            FilterArg::MultiTurn => TurnFilter::MultiTurn,
        }
    }
}
