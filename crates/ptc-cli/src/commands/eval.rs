//! `ptc eval`: one program, or a batch of them.

mod answer;
mod batch;
mod isolated;
pub(crate) mod memory;

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, ValueEnum};
use ptc_runner::lisp::{Ending, Error, Limits, Outcome, Session, StoredMemory, Value};

use crate::failure::{Exit, Failure};
use crate::output::{self, Source};
use crate::program::{ProgramArgs, SessionArgs, exit, no_tool};

pub(crate) use answer::{errors, placed, unplaced};

const EXAMPLES: &str = "\
Examples:
  ptc eval -e '(+ 1 2)'
  ptc eval report.clj --data bookings=bookings.json --limit time=10s
  echo '(count data/rows)' | ptc eval --data rows=rows.csv
  ptc eval -e '(def total 7)' --memory notes.json    # keeps definitions for the next call
  ptc eval --show optimized -e '(count (filter odd? data/xs))' --data xs=xs.json
  ptc eval --batch < requests.jsonl > answers.jsonl  # one JSON request and one JSON answer per line
  ptc eval --isolate --batch < requests.jsonl        # in a sandboxed process, replaced when it dies

Exit codes: 0 ok, 1 the program failed, 2 wrong usage or unreadable input, 3 a limit stopped it.";

/// Run a program and print its value.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct EvalArgs {
    #[command(flatten)]
    program: ProgramArgs,
    /// Read requests as JSON Lines `{"id", "source", "data"?, "memory"?, "limits"?}` from standard input, and answer
    /// each with a line.
    #[arg(long, conflicts_with_all = ["file", "source", "format", "json", "memory"])]
    batch: bool,
    /// Run in a process without environment variables, which the kernel kills when it opens a file or connection or
    /// starts a process or thread (Linux). In a batch, a process that dies or hangs is replaced, and its request gets
    /// an error.
    #[arg(long, conflicts_with = "memory")]
    isolate: bool,
    /// Print one JSON object with value, prints, warnings, definitions and usage.
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Format of the printed value.
    #[arg(long, value_enum, default_value_t = ValueFormat::Clojure)]
    format: ValueFormat,
    /// JSON file that definitions are loaded from and saved to.
    #[arg(long, value_name = "FILE")]
    memory: Option<PathBuf>,
    /// Print a stage of the compilation instead of running the program.
    #[arg(long, value_enum, value_name = "WHAT", conflicts_with_all = ["batch", "isolate", "json", "format", "memory"])]
    show: Option<Shown>,
    /// With `--show optimized` or `--show instructions`: leave out this pass of the optimizer; repeatable.
    #[arg(long, value_name = "PASS", requires = "show", value_parser = pass_names())]
    without: Vec<String>,
    #[command(flatten)]
    session: SessionArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Shown {
    /// The tree after optimization, from which instructions are compiled.
    Optimized,
    /// The instructions of the program and of its functions.
    Instructions,
    /// The passes of the optimizer.
    Passes,
}

fn pass_names() -> PossibleValuesParser {
    PossibleValuesParser::new(Session::passes().map(|[name, does, _]| PossibleValue::new(name).help(does)))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ValueFormat {
    /// PTC-Lisp, as programs write it.
    Clojure,
    /// JSON.
    Json,
    /// JSON with the kind of every value.
    Tagged,
}

/// Run the command.
pub(crate) fn run(args: &EvalArgs) -> Result<Exit, Failure> {
    if let Some(shown) = args.show {
        return show_tree(args, shown);
    }
    match (args.batch, args.isolate) {
        (true, false) => batch::run(&args.session),
        (true, true) => batch::isolated(&args.session),
        (false, true) if !isolated::is_worker() => isolated::single(),
        (false, _) => single(args),
    }
}

fn single(args: &EvalArgs) -> Result<Exit, Failure> {
    let program = args.program.read()?;
    // People read prints as they would in a REPL; machines get the ones that a turn keeps.
    let limits = if args.json {
        Limits::default()
    } else {
        Limits { prints: usize::MAX / 4, print_chars: usize::MAX / 4, ..Limits::default() }
    };
    let options = args.session.options(limits)?;
    let load = |path| memory::load(path, &options.limits);
    let stored = args.memory.as_deref().map_or(Ok(StoredMemory::default()), load)?;
    if args.isolate {
        isolated::seal(options.limits.memory)?;
    }
    // The text of a value that shares its parts can have no end.
    let longest = options.limits.memory;
    let mut session = Session::new(options);
    let left_out = session.restore_memory(&stored);
    drop(stored);
    let outcome = session.run(&program.text, &mut no_tool);
    // Before the answer is written: a closed pipe must not lose the definitions.
    let saved = match &args.memory {
        Some(path) if outcome.problems().is_empty() => memory::save(path, &mut session),
        _ => Ok(Vec::new()),
    };
    if args.json {
        output::seen(output::json(&answer::Answer::new(None, &program.text, &outcome, &mut session, left_out)))?;
    } else {
        output::remarks(&left_out);
        output::warnings(&program, &outcome.warnings);
        show(args.format, &program, &outcome, &session, longest)?;
    }
    output::remarks(&saved?);
    Ok(exit(&outcome))
}

/// The tree that is compiled, the instructions, or the passes.
fn show_tree(args: &EvalArgs, shown: Shown) -> Result<Exit, Failure> {
    if shown == Shown::Passes {
        let width = Session::passes().map(|[name, ..]| name.len()).max().unwrap_or(0);
        output::seen(output::print(|out| {
            Session::passes().try_for_each(|[name, does, place]| writeln!(out, "{name:width$}  {does}; {place}"))
        }))?;
        return Ok(Exit::Ok);
    }
    let program = args.program.read()?;
    let session = Session::new(args.session.options(Limits::default())?);
    let without: Vec<&str> = args.without.iter().map(String::as_str).collect();
    let made = match shown {
        Shown::Instructions => session.instructions(&program.text, &without),
        _ => session.optimized(&program.text, &without),
    };
    match made {
        Ok(text) => {
            output::seen(output::print(|out| write!(out, "{text}")))?;
            Ok(Exit::Ok)
        }
        Err(problems) => {
            output::problems(&program, &problems);
            Ok(Exit::Failed)
        }
    }
}

/// Prints and value on standard output; what went wrong on standard error.
fn show(
    shape: ValueFormat,
    program: &Source,
    outcome: &Outcome,
    session: &Session,
    longest: u64,
) -> Result<(), Failure> {
    output::seen(output::print(|out| outcome.prints.iter().try_for_each(|line| writeln!(out, "{line}"))))?;
    match &outcome.ending {
        Ending::Value(value) | Ending::Return(value) => {
            let json = json(value, shape, session)?;
            output::seen(output::print(|out| match json {
                Some(json) => writeln!(out, "{json}"),
                None => output::write_clojure(value, longest, out).and_then(|()| writeln!(out)),
            }))?;
        }
        Ending::Fail(value) => {
            let text = json(value, shape, session)?.unwrap_or_else(|| output::clojure(value));
            output::line(&format!("failed: {text}"));
        }
        _ => output::problems(program, outcome.problems()),
    }
    Ok(())
}

/// The value as JSON, if it is to be shown so.
fn json(value: &Value, shape: ValueFormat, session: &Session) -> Result<Option<String>, String> {
    let json = match shape {
        ValueFormat::Clojure => return Ok(None),
        ValueFormat::Json => session.to_json(value).map(|json| json.to_string()),
        ValueFormat::Tagged => session.to_tagged(value).map(|json| json.to_string()),
    };
    let no_json = |error: Error| format!("the value cannot be shown as JSON: {}; use --format clojure", error.message);
    json.map(Some).map_err(no_json)
}
