//! `ptc check`: the static problems of a program; nothing runs.

use std::path::PathBuf;

use clap::Args;
use ptc_runner::agent::rules;
use ptc_runner::config::MissionFile;
use ptc_runner::lisp::{Map, Session, SessionOptions, ToolSpec, Value};
use ptc_runner::signature::Signature;

use crate::commands::eval::{self, ErrorAnswer, WarningAnswer, memory};
use crate::data;
use crate::failure::{Exit, Failure};
use crate::report::{self, Source};

const CHECK_EXAMPLES: &str = "\
Examples:
  ptc check report.clj --data bookings=bookings.json
  ptc check --mission bookings.toml answer.clj        # with the data and tools of a mission
  ptc check -e '(tool/rate {:nights 2})' --tool 'rate=(nights :int) -> :float'
  ptc check --json < answer.clj

Exit codes: 0 no problems, 1 problems, 2 wrong usage or unreadable input. Warnings are no problems.";

/// Find the static problems of a program without running it.
#[derive(Debug, Args)]
#[command(after_help = CHECK_EXAMPLES)]
pub(crate) struct CheckArgs {
    /// File with the program; `-` or nothing reads standard input.
    #[arg(conflicts_with = "source")]
    file: Option<PathBuf>,
    /// The program itself.
    #[arg(short = 'e', value_name = "SRC")]
    source: Option<String>,
    /// Print one JSON object with `ok`, `error` and `warnings`, as an answer of `ptc eval --batch` has them.
    #[arg(long)]
    json: bool,
    /// A mission file whose data and tools the program may use.
    #[arg(long, value_name = "FILE")]
    mission: Option<PathBuf>,
    /// Data for `data/NAME`, as for `ptc eval`.
    #[arg(long, value_name = "FILE|NAME=FILE|NAME=JSON")]
    data: Vec<String>,
    /// A tool that the program may call; without SIGNATURE it takes any map.
    #[arg(long, value_name = "NAME=SIGNATURE")]
    tool: Vec<String>,
    /// JSON file with definitions of earlier programs; it is only read.
    #[arg(long, value_name = "FILE")]
    memory: Option<PathBuf>,
}

/// What `--json` prints.
#[derive(serde::Serialize)]
struct Answer<'a> {
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorAnswer>,
    warnings: Vec<WarningAnswer<'a>>,
}

/// Run the command.
pub(crate) fn run(args: &CheckArgs) -> Result<Exit, Failure> {
    let (name, text) = eval::source(args.source.as_deref(), args.file.as_deref())?;
    let source = Source { name: &name, text: &text };
    let mut session = Session::new(world(args)?);
    let left_out = match &args.memory {
        Some(path) => session.restore_memory(&memory::load(path)?),
        None => Vec::new(),
    };
    let (problems, warnings) = match session.check(&text) {
        Ok(warnings) => (Vec::new(), warnings),
        Err(problems) => (problems, Vec::new()),
    };
    if args.json {
        let placed = warnings.iter().map(|warning| WarningAnswer::of(warning, &text));
        let answer = Answer {
            ok: problems.is_empty(),
            error: (!problems.is_empty()).then(|| ErrorAnswer::of(&problems)),
            warnings: placed.chain(left_out.iter().map(WarningAnswer::left_out)).collect(),
        };
        eval::print(|out| writeln!(out, "{}", serde_json::to_string(&answer)?))?;
    } else {
        left_out.iter().for_each(|left_out| report::note(&format!("warning: {left_out}")));
        report::warnings(&source, &warnings);
        report::problems(&source, &problems);
    }
    Ok(if problems.is_empty() { Exit::Ok } else { Exit::Failed })
}

/// Data and tools that the program may use: those of the mission, then those of the command line.
fn world(args: &CheckArgs) -> Result<SessionOptions, Failure> {
    let mut options = SessionOptions::default();
    if let Some(path) = &args.mission {
        let mission = MissionFile::load(path)?;
        mission.notes.iter().for_each(|note| report::note(&format!("note: {note}")));
        let limits = mission.limits();
        options.tools = mission.build_agent(&limits)?.tools();
        options.data = mission.data_map();
        options.limits = limits;
    }
    options.data = merged(&options.data, &data::read(&args.data)?);
    for given in &args.tool {
        let spec = tool(given)?;
        options.tools.retain(|known| known.name != spec.name);
        options.tools.push(spec);
    }
    Ok(options)
}

fn merged(below: &Map, above: &Map) -> Map {
    let entries = below.iter().chain(above.iter()).map(|(key, value)| (key.clone(), value.clone()));
    match Value::map_from(entries) {
        Value::Map(map) => map,
        _ => above.clone(),
    }
}

/// `NAME` or `NAME=SIGNATURE`.
fn tool(given: &str) -> Result<ToolSpec, Failure> {
    let problem = |problem: String| Failure::Tool { given: given.to_owned(), problem };
    let (name, signature) = given.split_once('=').map_or((given, None), |(name, signature)| (name, Some(signature)));
    let name = name.trim();
    rules::tool_name(name).map_err(|error| problem(error.to_string()))?;
    let spec = ToolSpec::new(name);
    match signature {
        Some(text) => {
            let signature = Signature::parse_tool(text).map_err(|error| problem(error.to_string()))?;
            Ok(spec.signature(signature))
        }
        None => Ok(spec),
    }
}
