//! `ptc check`: the static problems of a program or a mission file; nothing runs.

mod mission;
pub(super) mod reading;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use ptc_runner::agent::rules;
use ptc_runner::config::{MissionFile, Reading};
use ptc_runner::lisp::{EffectSummary, Session, SessionOptions, ToolReach, ToolSpec};
use ptc_runner::signature::Signature;
use serde_json::{Value as Json, json};

use super::eval::{self, memory};
use crate::completion;
use crate::data;
use crate::failure::{Exit, Failure};
use crate::output;
use crate::program::ProgramArgs;
use crate::trust;

const CHECK_EXAMPLES: &str = "\
Examples:
  ptc check bookings.toml                             # a mission file: all its problems
  ptc check report.clj --data bookings=bookings.json
  ptc check --mission bookings.toml answer.clj        # with the data and tools of a mission
  ptc check -e '(tool/rate {:nights 2})' --tool 'rate=(nights :int) -> :float'
  ptc check --json < answer.clj
  ptc check --effects --mission bookings.toml answer.clj   # which tools it can reach, and how often

Exit codes: 0 no problems, 1 problems, 2 wrong usage or unreadable input. Warnings are not problems.";

/// Check a program or a mission file statically, without running anything.
#[derive(Debug, Args)]
#[command(after_help = CHECK_EXAMPLES)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    program: ProgramArgs,
    /// Print one JSON object with `ok`, `error` and `warnings`, as in the answers of `ptc eval --batch`.
    #[arg(long)]
    json: bool,
    /// Show which tools the program can reach, and the maximum number of calls of each.
    #[arg(long)]
    effects: bool,
    /// A mission file whose data and tools the program may use.
    #[arg(long, value_name = "FILE", add = completion::missions())]
    mission: Option<PathBuf>,
    /// Data for `data/NAME`, as for `ptc eval`.
    #[arg(long, value_name = "FILE|NAME=FILE|NAME=JSON")]
    data: Vec<String>,
    /// Also start the MCP servers of a mission file, and check that they work.
    #[arg(long)]
    connect: bool,
    /// A tool that the program may call; without SIGNATURE it takes any map.
    #[arg(long, value_name = "NAME=SIGNATURE")]
    tool: Vec<String>,
    /// JSON file with definitions of earlier programs; it is only read.
    #[arg(long, value_name = "FILE")]
    memory: Option<PathBuf>,
}

/// Run the command.
pub(crate) fn run(args: &CheckArgs) -> Result<Exit, Failure> {
    if let Some(path) = mission::named(args) {
        return mission::at(args, path);
    }
    let program = args.program.read()?;
    if mission::is_one(&program) {
        return mission::of(args, &program);
    }
    let World { options: world, readings, .. } = world(args.mission.as_deref(), &args.data, &args.tool)?;
    let has_tools = !world.tools.is_empty();
    let stored = args.memory.as_ref().map(|path| memory::load(path, &world.limits)).transpose()?;
    let mut session = Session::new(world);
    let left_out = stored.map(|stored| session.restore_memory(&stored)).unwrap_or_default();
    let (problems, warnings) = match session.check(&program.text) {
        Ok(warnings) => (Vec::new(), warnings),
        Err(problems) => (problems, Vec::new()),
    };
    // A program with problems does not run.
    let effects = args.effects.then(|| session.effects(&program.text).ok()).flatten();
    if args.json {
        let warnings = warnings.iter().map(|warning| eval::placed(warning, &program.text));
        let warnings: Vec<Json> = warnings.chain(left_out.iter().map(eval::unplaced)).collect();
        let mut answer = if problems.is_empty() {
            json!({"ok": true, "warnings": warnings})
        } else {
            json!({"ok": false, "error": eval::errors(&problems), "warnings": warnings})
        };
        reading::add(&mut answer, &readings);
        if let (Some(effects), Json::Object(fields)) = (&effects, &mut answer) {
            fields.insert("effects".to_owned(), effects.tools.iter().map(reach).collect());
        }
        output::seen(output::json(&answer))?;
    } else {
        output::remarks(&left_out);
        output::warnings(&program, &warnings);
        output::problems(&program, &problems);
        output::seen(output::print(|out| reading::write(out, &readings)))?;
        if let Some(effects) = &effects {
            output::seen(output::print(|out| write_effects(out, effects, has_tools)))?;
        }
    }
    Ok(if problems.is_empty() { Exit::Ok } else { Exit::Failed })
}

/// A tool that the program can reach, for machines; `limit` is null where there is none.
fn reach(tool: &ToolReach) -> Json {
    json!({
        "name": tool.name,
        "effect": tool.effect,
        "at_most": tool.at_most.to_string(),
        "limit": tool.at_most.limit(),
    })
}

/// The same for people, one line for each tool: `tool/pay  write  ≤ count(data/orders)`.
fn write_effects(out: &mut dyn Write, effects: &EffectSummary, has_tools: bool) -> io::Result<()> {
    if effects.tools.is_empty() {
        return match has_tools {
            true => writeln!(out, "calls no tools"),
            false => writeln!(out, "calls no tools; none are known, name them with --tool or --mission"),
        };
    }
    let width = effects.tools.iter().map(|tool| tool.name.len()).max().unwrap_or(0);
    effects.tools.iter().try_for_each(|ToolReach { name, effect, at_most, .. }| {
        writeln!(out, "tool/{name:width$}  {:5}  {at_most}", effect.as_str())
    })
}

/// What a program may use.
pub(super) struct World {
    /// For its session.
    pub(super) options: SessionOptions,
    /// That of the mission.
    pub(super) signature: Option<Signature>,
    /// How the files that the command line names were read, by their entries.
    pub(super) readings: Vec<(String, Reading)>,
}

/// Data and tools that a program may use, those of the mission first, then those of the command line; and the signature
/// of the mission.
pub(super) fn world(mission: Option<&Path>, given: &[String], tools: &[String]) -> Result<World, Failure> {
    let (mut options, mut signature) = (SessionOptions::default(), None);
    if let Some(path) = mission {
        let mut mission = MissionFile::load(path)?;
        trust::ask(&mut mission)?;
        // Only their signatures are needed.
        mission.require_servers();
        let _servers = mission.connect_hosted()?;
        output::notes(&mission.notes);
        output::notes(&mission.server_problems());
        let limits = mission.limits();
        options.tools = mission.build_agent(&limits)?.tools();
        options.data = mission.data_map();
        options.limits = limits;
        signature = mission.agent.signature;
    }
    let (entries, readings) = data::told(given)?;
    options.data = data::merged(&options.data, &entries);
    for given in tools {
        let spec = tool(given)?;
        options.tools.retain(|known| known.name != spec.name);
        options.tools.push(spec);
    }
    Ok(World { options, signature, readings })
}

/// `NAME` or `NAME=SIGNATURE`.
fn tool(given: &str) -> Result<ToolSpec, Failure> {
    let problem = |problem: &dyn std::fmt::Display| {
        format!("--tool {given}: {problem}; write NAME=SIGNATURE, for example --tool 'rate=(nights :int) -> :float'")
    };
    let (name, signature) = given.split_once('=').map_or((given, None), |(name, signature)| (name, Some(signature)));
    let spec = ToolSpec::new(name.trim());
    rules::tool_name(&spec.name).map_err(|error| problem(&error))?;
    let signature = signature.map(Signature::parse_tool).transpose().map_err(|error| problem(&error))?;
    Ok(match signature {
        Some(signature) => spec.signature(signature),
        None => spec,
    })
}
