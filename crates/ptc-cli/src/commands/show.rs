//! `ptc show`: looking at a recorded run.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use indexmap::IndexSet;
use ptc_runner::chat::shown_addresses;
use ptc_runner::config::named;
use ptc_runner::debug::{DebugOptions, View};
use ptc_runner::trace::{Analysis, Trace, TraceLimits, chrome_trace, viewer};
use ptc_runner::transcript::{Recorded, journal_answers};

use crate::failure::{Exit, Failure};
use crate::files::{self, Format, WholeFile};
use crate::kept;
use crate::prices::{self, PricesArgs};
use crate::recorded::{self, Found, RecordedRun};
use crate::{bounded, completion, ended, output, viewed};

const SHOW_EXAMPLES: &str = "\
Examples:
  ptc show                               # the last run in this folder: each turn, its program, calls, output and result
  ptc show -2 --raw --usage              # the one before it, with the raw answers and their cost
  ptc show 20261128T1015                 # a run whose id begins with this
  ptc show run.jsonl --view compressed   # what the model would read next, by the strategy of the run
  ptc show --follow                      # a run in progress, turn by turn
  ptc show --html run.html               # a page for browsers, everything in one file
  ptc show --timing                      # totals and the tree of spans
  ptc show --requests | jq .system       # the requests; --answers and --events print answers and events
  ptc show --json | jq .return
  ptc show --chrome run.trace.json       # for chrome://tracing or ui.perfetto.dev

Exit codes: 0 ok, 2 wrong usage or unreadable input.";

/// Show a recorded run.
///
/// A run that `ptc run` kept or wrote with `--record`; also a step of `ptc run --json`, and logs of older releases.
#[derive(Debug, Args)]
#[command(after_help = SHOW_EXAMPLES)]
pub(crate) struct ShowArgs {
    /// A file, the id of a kept run or its beginning, `last`, or `-2` for the one before it.
    #[arg(value_name = "RUN", default_value = "last", allow_negative_numbers = true, add = completion::runs())]
    run: String,
    /// Each turn, or the messages that the strategy would send next (to models that write programs).
    #[arg(long, value_enum)]
    view: Option<ViewName>,
    /// Also requests and answers, without cutting long lines.
    #[arg(long)]
    raw: bool,
    /// Also tokens and their cost, calls by tool, and what compression left out.
    #[arg(long)]
    usage: bool,
    /// Show each turn as it ends, until the run ends.
    #[arg(long, conflicts_with_all = ["view", "usage"])]
    follow: bool,
    /// Write the run to this file as a self-contained HTML page.
    #[arg(long, value_name = "OUT", group = "form", conflicts_with_all = ["view", "raw", "usage", "follow"])]
    html: Option<PathBuf>,
    /// Print the requests as they were sent, as JSON Lines.
    #[arg(long, group = "form", conflicts_with_all = ["view", "raw", "usage", "follow"])]
    requests: bool,
    /// Print the answers of the models as lines of a replay file.
    #[arg(long, group = "form", conflicts_with_all = ["view", "raw", "usage", "follow"])]
    answers: bool,
    /// Print the events of the run as JSON Lines.
    #[arg(long, group = "form", conflicts_with_all = ["view", "raw", "usage", "follow"])]
    events: bool,
    /// Show totals and the tree of spans with their durations.
    #[arg(long, group = "form", conflicts_with_all = ["view", "raw", "usage", "follow"])]
    timing: bool,
    /// Write the run to this file in the format of the trace viewers of browsers.
    #[arg(long, value_name = "OUT", group = "form", conflicts_with_all = ["view", "raw", "usage", "follow"])]
    chrome: Option<PathBuf>,
    #[command(flatten)]
    prices: PricesArgs,
    /// Overwrite an existing file of any kind with --html or --chrome.
    #[arg(long)]
    force: bool,
    /// Print the run as one JSON object, as `ptc run --json`; with --timing the numbers.
    #[arg(long, conflicts_with_all = ["view", "raw", "usage", "follow", "html", "requests", "answers", "events", "chrome"])]
    json: bool,
}

/// How a run is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ViewName {
    /// A box per turn.
    Turns,
    /// The messages that the strategy would send next.
    Compressed,
}

impl From<ViewName> for View {
    fn from(name: ViewName) -> View {
        match name {
            ViewName::Turns => View::Turns,
            ViewName::Compressed => View::Compressed,
        }
    }
}

/// Run the command.
pub(crate) fn run(args: &ShowArgs) -> Result<Exit, Failure> {
    bounded::within(|| show(args))
}

fn show(args: &ShowArgs) -> Result<Exit, Failure> {
    let file = kept::find(Path::new(""), &args.run)?;
    files::apart(&[("--html", args.html.as_deref()), ("--chrome", args.chrome.as_deref())], &[("the run", &file)])?;
    if args.follow {
        return follow(args, &file);
    }
    let found = recorded::found(&file)?;
    if Trace::is_log(&found.bytes) {
        show_log(args, &file, &found.bytes)?;
    } else if args.requests || args.answers || args.events || args.timing || args.chrome.is_some() {
        show_record(args, &file, &found)?;
    } else {
        show_step(args, &file, &found)?;
    }
    Ok(Exit::Ok)
}

/// A log of an older release.
fn show_log(args: &ShowArgs, file: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let is_of_run =
        args.view.is_some() || args.raw || args.usage || args.html.is_some() || args.requests || args.answers;
    if is_of_run {
        return Err(format!("{} is a log of events, which holds neither values nor definitions: only --timing, --events, --chrome and --json show it", named(file)).into());
    }
    let trace = Trace::parse(bytes)?;
    if trace.torn {
        output::notes(&["a line of the log is not whole: its writer was stopped, or the disk was full"]);
    }
    show_events(args, &trace)
}

/// What happened, and when.
fn show_events(args: &ShowArgs, trace: &Trace) -> Result<(), Failure> {
    if let Some(out) = &args.chrome {
        return Ok(WholeFile::at(out, Format::CHROME, args.force)?.write(&chrome_trace(trace).to_string())?);
    }
    if args.events {
        let lines = trace.to_lines()?;
        return Ok(output::print(|out| out.write_all(lines.as_bytes()))?);
    }
    let analysis = Analysis::of(trace);
    if args.json { output::json(&analysis) } else { output::print(|out| write!(out, "{}", analysis.format())) }?;
    Ok(())
}

/// What the record alone says.
fn show_record(args: &ShowArgs, file: &Path, found: &Found) -> Result<(), Failure> {
    let of_file = |problem: String| format!("{}: {problem}", named(file));
    let run = recorded::load(file, found)?;
    let bytes = found.bytes.as_slice();
    let Some(record) = &run.record else {
        return Err(of_file(
            "a step says neither what was sent nor when what happened; the record of its run does".to_owned(),
        )
        .into());
    };
    if record.header().version < 2 {
        return Err(of_file("a record of version 1 has neither requests nor events".to_owned()).into());
    }
    if args.answers {
        let answers = journal_answers(bytes).map_err(|error| of_file(error.to_string()))?;
        return Ok(output::print(|out| out.write_all(answers.as_bytes()))?);
    }
    if args.requests {
        let requests = recorded::requests(bytes).map_err(|error| of_file(error.to_string()))?;
        return Ok(output::print(|out| out.write_all(requests.as_bytes()))?);
    }
    let trace = Trace::of_record(bytes, TraceLimits::default()).map_err(|error| of_file(error.to_string()))?;
    show_events(args, &trace)
}

fn show_step(args: &ShowArgs, file: &Path, found: &Found) -> Result<(), Failure> {
    if args.json {
        let run = recorded::load(file, found)?;
        let json = if run.record.is_some() {
            ended::json(&run.step)?
        } else {
            String::from_utf8_lossy(&found.bytes).trim().to_owned()
        };
        return Ok(output::print(|out| writeln!(out, "{json}"))?);
    }
    let run = recorded::read(file, found)?;
    if run.has_plain_values {
        output::notes(&[
            "this step has plain values: keywords show as texts and the input data is not there; the record of its run has them",
        ]);
    }
    let prices = args.prices.book_here()?;
    if let Some(out) = &args.html {
        return Ok(WholeFile::at(out, Format::HTML, args.force)?
            .write(&viewer::page(&viewed::document(file, &run, false, &prices)))?);
    }
    let view = args.view.unwrap_or(ViewName::Turns);
    output::trace(&run.step, DebugOptions { view: view.into(), raw: args.raw, usage: args.usage })?;
    let Some(record) = run.record.as_ref().filter(|record| record.model().is_some()) else { return Ok(()) };
    if args.usage || view == ViewName::Turns {
        output::print(|out| writeln!(out, "Model: {}", models(record)))?;
    }
    if args.usage {
        let cost = prices::shown(&prices, record.tokens_by_model());
        output::print(|out| writeln!(out, "Cost: {cost}"))?;
    }
    Ok(())
}

/// The models that a run and the agents that it called asked, without the keys in their addresses.
fn models(record: &Recorded) -> String {
    let below = record.all_below().map(|(_, below)| below);
    let names = std::iter::once(record).chain(below).filter_map(Recorded::model).map(shown_addresses);
    names.collect::<IndexSet<_>>().into_iter().collect::<Vec<_>>().join(", ")
}

/// How often a record is looked at that grows.
const EVERY: Duration = Duration::from_millis(200);

/// Show the turns of a run as they end, then its result.
fn follow(args: &ShowArgs, file: &Path) -> Result<Exit, Failure> {
    let (mut told, mut size) = (0, 0);
    loop {
        let is_running = kept::is_running(file);
        let found = Found::in_file(file)?;
        if found.bytes.len() > size || !is_running {
            size = found.bytes.len();
            let RecordedRun { step, record, damage, .. } = recorded::load(file, &found)?;
            damage.filter(|_| !is_running).iter().for_each(|damage| output::notes(&[damage.to_string()]));
            let ended = record.map_or(step.turns().len(), |record| record.turns().len());
            let is_over = !is_running;
            let until = if is_over { step.turns().len() } else { ended };
            if until > told {
                let mut brief = step.clone();
                brief.turns = Some(step.turns().get(told..until).unwrap_or_default().to_vec());
                output::trace(&brief, DebugOptions { view: View::Turns, raw: args.raw, usage: false })?;
                told = until;
            }
            if is_over {
                let told = match &step.result {
                    Ok(_) => "the run has ended with its answer".to_owned(),
                    Err(fail) => format!("the run has ended: {fail}"),
                };
                output::notes(&[told]);
                return Ok(Exit::Ok);
            }
        }
        std::thread::sleep(EVERY);
    }
}
