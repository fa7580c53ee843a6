//! `ptc compare`: a mission by programs and by native calls, on the user's own model, with a verdict.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use ptc_runner::agent::CancellationToken;
use ptc_runner::config::{ModelName, Settings};
use ptc_runner::eval::{Case, EvalModel, EvalOptions, Results, Suite, Weighing, comparison, html_page};

use super::eval_suite::{asked, on_run, unasked};
use crate::args::{PatienceArg, usd, whole};
use crate::data::sampled;
use crate::failure::{Exit, Failure};
use crate::files::{self, Format, WholeFile};
use crate::output::{self, print};
use crate::prices::PricesArgs;
use crate::signals::listening;

const EXAMPLES: &str = "\
Examples:
  ptc compare ticket.toml --each tickets.csv --llm openai:gpt-5-mini            # five rows, and what all would cost
  ptc compare ticket.toml --each tickets.csv --llm openai:gpt-5-mini --all --max-usd 5 --report compare.html
  ptc compare mission.toml --llm anthropic:claude-sonnet-4-5 --runs 5           # one question, five times

A column `expect` of the rows has the right answers, as for `ptc eval-suite`; without it the answers of both ways are
compared with each other. Runs that were asked are in the file of results, and are not asked again.

Exit codes: 0 both ways were asked, 1 some runs were not asked, 2 wrong usage or unreadable input, 130 interrupted, 129
hung up, 143 terminated.";

/// Ask a mission by programs and by native calls of its tools, and say which one pays.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CompareArgs {
    /// The mission file.
    #[arg(value_name = "MISSION")]
    mission: PathBuf,
    /// The rows: a data file; columns that are inputs of the mission are its inputs. Without it the mission is asked with its
    /// own data.
    #[arg(long, value_name = "FILE")]
    each: Option<PathBuf>,
    /// The model: `PROVIDER:MODEL`, `URL#MODEL` or `replay:FILE`.
    #[arg(long, value_name = "SPEC")]
    llm: String,
    /// Ask so many rows, from all parts of the file.
    #[arg(long, value_name = "N", default_value = "5", value_parser = whole::<u32>(1), conflicts_with = "all")]
    sample: u32,
    /// Ask all rows.
    #[arg(long)]
    all: bool,
    /// How often each row is run.
    #[arg(long, value_name = "N", default_value = "1", value_parser = whole::<u32>(1))]
    runs: u32,
    /// How many runs are in progress at once; without it the `jobs` of `ptc config`, else 1.
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1))]
    jobs: Option<u32>,
    #[command(flatten)]
    patience: PatienceArg,
    #[command(flatten)]
    prices: PricesArgs,
    /// Start no run once all of them have cost this much, and end those in progress with the next reply.
    #[arg(long, value_name = "USD", allow_negative_numbers = true, value_parser = usd)]
    max_usd: Option<f64>,
    /// Where runs are written down, one a line; without it `NAME.compare.jsonl` for `NAME.toml`, in the current folder.
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,
    /// Also keep the record of each run, in a folder next to the file of results: `ptc view` and `ptc show` open them.
    #[arg(long)]
    keep_runs: bool,
    /// Write the tables, the picture and all failures to this page for browsers.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Let the file of --report replace an existing file of any kind.
    #[arg(long)]
    force: bool,
    /// Print everything as one JSON object.
    #[arg(long)]
    json: bool,
}

/// Run the command.
pub(crate) fn run(args: &CompareArgs) -> Result<Exit, Failure> {
    let missions = std::slice::from_ref(&args.mission);
    let suite = match &args.each {
        Some(rows) => Suite::load_with(rows, missions)?,
        None => Suite::of_mission(&args.mission)?,
    };
    output::notes(&suite.notes);
    let results = args.results.clone().unwrap_or_else(|| {
        let stem = args.mission.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        PathBuf::from(format!("{stem}.compare.jsonl"))
    });
    let mut inputs = vec![("the mission", args.mission.as_path())];
    inputs.extend(args.each.as_deref().map(|rows| ("the rows", rows)));
    files::apart(&[("--report", args.report.as_deref()), ("--results", Some(&results))], &inputs)?;
    let report = args.report.as_deref().map(|path| WholeFile::at(path, Format::HTML_REPORT, args.force)).transpose()?;
    let options = options(args, &suite, &results)?;
    let all: Vec<&Case> = suite.cases.iter().collect();
    let of = all.len();
    let cases = if args.all { all } else { sampled(all, args.sample as usize) };
    let cancel = options.cancel.clone();
    let (weighing, signal) = listening(&cancel, suite.weigh(&cases, &options, of))?;
    let weighing = weighing?;
    if let Some(file) = report {
        file.write(&html_page(&weighing.reports, &weighing.verdict))?;
    }
    if args.json {
        output::json(&weighing)?;
    } else {
        let text = shown(&weighing);
        print(|out| out.write_all(text.as_bytes()))?;
    }
    let unasked = unasked(&weighing.reports);
    output::remarks(&unasked);
    Ok(signal.unwrap_or(if unasked.is_empty() { Exit::Ok } else { Exit::Failed }))
}

fn options(args: &CompareArgs, suite: &Suite, results: &Path) -> Result<EvalOptions, Failure> {
    let settings = Settings::load(&suite.folder)?;
    let EvalModel { llm, prices } = asked(&args.llm, &args.prices.book(&settings)?)?;
    let is_replayed = matches!(ModelName::parse(&args.llm, Path::new("")), ModelName::Replay(_));
    let results = Results::open(results)?;
    output::notes(&results.note().into_iter().collect::<Vec<_>>());
    Ok(EvalOptions {
        llm: Some(llm),
        runs: args.runs as usize,
        jobs: args.jobs.unwrap_or_else(|| if is_replayed { 1 } else { settings.jobs(1) }) as usize,
        patience: args.patience.patience,
        prices,
        max_usd: args.max_usd,
        results: Some(Arc::new(if args.keep_runs { results.keeping_runs() } else { results })),
        cancel: CancellationToken::new(),
        on_run: output::is_watched().then(|| on_run(args.runs > 1, true)),
        ..EvalOptions::default()
    })
}

/// The verdict, then the tables.
fn shown(weighing: &Weighing) -> String {
    let mut text = weighing.verdict.join("\n");
    text.push('\n');
    if weighing.asked < weighing.of {
        let usd =
            weighing.usd_of_all.map(|usd| format!("about USD {usd:.4}")).unwrap_or_else(|| "an unknown sum".to_owned());
        let (asked, of) = (output::counted(weighing.asked, "row"), weighing.of);
        text.push_str(&format!(
            "{asked} of {of} asked; all of them both ways would cost {usd}: --all asks the others.\n"
        ));
    }
    format!("{text}\n{}", comparison(&weighing.reports))
}
