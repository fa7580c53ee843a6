//! `ptc trace`: inspecting a recorded run afterwards.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use ptc_runner::config::named;
use ptc_runner::debug::{DebugOptions, View};
use ptc_runner::trace::{Analysis, Trace, chrome_trace, viewer};

use crate::failure::{Exit, Failure};
use crate::files::{self, Format, WholeFile};
use crate::output::words::shell;
use crate::{bounded, kept, output, recorded, viewed};

const TRACE_EXAMPLES: &str = "\
Examples:
  ptc run bookings.toml --json --typed > step.json
  ptc trace step.json                           # each turn: program, calls, output, result
  ptc trace step.json --raw --usage             # also the answers as they came, and what they cost
  ptc trace step.json --view compressed         # what a model would be shown next, by the strategy of the run
  ptc trace                                     # the last run in this folder
  ptc trace run.journal                         # the same of a journal, also of a run that was killed
  ptc trace step.json --html run.html           # a page for browsers, everything in one file
  ptc run bookings.toml --trace run.jsonl
  ptc trace run.jsonl                           # numbers and the tree of spans
  ptc trace run.jsonl --chrome run.trace.json   # for chrome://tracing or ui.perfetto.dev
  ptc trace run.jsonl --json | jq .tools

Exit codes: 0 ok, 2 wrong usage or unreadable input.";

/// Show a recorded run.
///
/// A step that `ptc run --json` printed, the journal of `ptc run --journal`, or the log of `ptc run --trace`.
#[derive(Debug, Args)]
#[command(after_help = TRACE_EXAMPLES)]
pub(crate) struct TraceArgs {
    /// The step, the journal or the log; without it the run that `ptc run` kept last in this folder.
    file: Option<PathBuf>,
    /// Of a step: each turn, or the messages that the default strategy would send next (to models that write programs).
    #[arg(long, value_enum)]
    view: Option<ViewName>,
    /// Of a step: also what was sent and answered, with long lines whole.
    #[arg(long)]
    raw: bool,
    /// Of a step: also tokens, calls by tool, and what compression left out.
    #[arg(long)]
    usage: bool,
    /// Of a step: write it to this file as a page for browsers, which needs no other file.
    #[arg(long, value_name = "OUT", conflicts_with_all = ["view", "raw", "usage"])]
    html: Option<PathBuf>,
    /// Of a log: write it to this file in the format of the trace viewers of browsers.
    #[arg(long, value_name = "OUT", conflicts_with_all = ["view", "raw", "usage", "html"])]
    chrome: Option<PathBuf>,
    /// Let the file of --html or --chrome replace an existing file of any kind.
    #[arg(long)]
    force: bool,
    /// Of a log: print the analysis as one JSON object.
    #[arg(long, conflicts_with_all = ["view", "raw", "usage", "html"])]
    json: bool,
}

/// How a step is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ViewName {
    /// A box per turn.
    Turns,
    /// The messages that the default strategy would send next.
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
pub(crate) fn run(args: &TraceArgs) -> Result<Exit, Failure> {
    bounded::within(|| show(args))
}

fn show(args: &TraceArgs) -> Result<Exit, Failure> {
    let file = args.file.clone().map_or_else(|| kept::last(Path::new("")), Ok)?;
    files::apart(&[("--html", args.html.as_deref()), ("--chrome", args.chrome.as_deref())], &[("the run", &file)])?;
    let bytes = recorded::bytes(&file)?;
    if Trace::is_log(&bytes) { show_log(args, &file, &Trace::parse(&bytes)?) } else { show_step(args, &file, &bytes) }?;
    Ok(Exit::Ok)
}

fn show_log(args: &TraceArgs, file: &Path, trace: &Trace) -> Result<(), Failure> {
    if let Some(out) = &args.html {
        return Err(format!("{} is a log, which holds neither values nor definitions: --html needs the journal or the typed step of the run; `ptc trace --html {}` shows the run that `ptc run` kept last in this folder", named(file), shell(&out.display().to_string())).into());
    }
    if args.view.is_some() || args.raw || args.usage {
        return Err(format!("{} is a log, which holds neither values nor definitions: --view, --raw and --usage show a step, as `ptc run --json --typed` prints it", named(file)).into());
    }
    if trace.torn {
        output::notes(&["a line of the log is not whole: its writer was stopped, or the disk was full"]);
    }
    if let Some(out) = &args.chrome {
        WholeFile::at(out, Format::CHROME, args.force)?.write(&chrome_trace(trace).to_string())?;
        if !args.json {
            return Ok(());
        }
    }
    let analysis = Analysis::of(trace);
    if args.json { output::json(&analysis) } else { output::print(|out| write!(out, "{}", analysis.format())) }?;
    Ok(())
}

fn show_step(args: &TraceArgs, file: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let step = recorded::read(file, bytes)?;
    if args.chrome.is_some() || args.json {
        return Err(format!("{} is a recorded run, which does not say when what happened: --chrome and --json need a log, as `ptc run --trace FILE` writes it", named(file)).into());
    }
    if step.has_plain_values {
        output::notes(&[
            "this step has plain values: keywords show as texts and the input data is not there; write it with `ptc run --json --typed`",
        ]);
    }
    if let Some(out) = &args.html {
        WholeFile::at(out, Format::HTML, args.force)?.write(&viewer::page(&viewed::document(file, &step, false)))?;
        return Ok(());
    }
    let view = args.view.unwrap_or(ViewName::Turns).into();
    output::trace(&step.step, DebugOptions { view, raw: args.raw, usage: args.usage })?;
    Ok(())
}
