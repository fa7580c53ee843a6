//! `ptc grammar`: what a model may write, for servers that constrain it.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use ptc_runner::lisp::{GrammarOptions, Session};

use super::check::{World, world};
use super::eval::memory;
use crate::failure::{Exit, Failure};
use crate::{completion, output};

const GRAMMAR_EXAMPLES: &str = "\
Examples:
  ptc grammar bookings.toml > bookings.gbnf           # for the data, tools and result of a mission
  ptc grammar --data bookings=bookings.json --tool 'rate=(nights :int) -> :float'
  ptc grammar bookings.toml --notation lark
  ptc grammar bookings.toml --ends                    # for a last turn: programs that return or fail

Every sentence is a program that parses and passes `ptc check`. With `grammar = true` a mission sends it itself.";

/// Print the grammar of programs over data and tools.
#[derive(Debug, Args)]
#[command(after_help = GRAMMAR_EXAMPLES)]
pub(crate) struct GrammarArgs {
    /// A mission file with the data, tools and result type of the programs.
    #[arg(value_name = "MISSION", add = completion::missions())]
    mission: Option<PathBuf>,
    /// Notation of the rules: GBNF for llama.cpp and vLLM, or Lark for custom tools of OpenAI.
    #[arg(long, value_enum, default_value_t = Notation::Gbnf)]
    notation: Notation,
    /// Only programs that end with a call of `return` or `fail` and call no tools, as on the last turn of a run.
    #[arg(long)]
    ends: bool,
    /// Data for `data/NAME`, as for `ptc eval`.
    #[arg(long, value_name = "FILE|NAME=FILE|NAME=JSON")]
    data: Vec<String>,
    /// A tool that programs may call; without SIGNATURE it takes any map.
    #[arg(long, value_name = "NAME=SIGNATURE")]
    tool: Vec<String>,
    /// JSON file with definitions of earlier programs; it is only read.
    #[arg(long, value_name = "FILE")]
    memory: Option<PathBuf>,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
enum Notation {
    Gbnf,
    Lark,
}

/// Run the command.
pub(crate) fn run(args: &GrammarArgs) -> Result<Exit, Failure> {
    let World { options: world, signature, .. } = world(args.mission.as_deref(), &args.data, &args.tool)?;
    let stored = args.memory.as_ref().map(|path| memory::load(path, &world.limits)).transpose()?;
    let mut session = Session::new(world);
    if let Some(stored) = stored {
        output::remarks(&session.restore_memory(&stored));
    }
    let returns = signature.as_ref().map(|signature| signature.result());
    let options = GrammarOptions { returns, tools: !args.ends, ends: args.ends };
    let grammar = session.grammar(&options).map_err(|error| error.to_string())?;
    let text = match args.notation {
        Notation::Gbnf => grammar.gbnf(),
        Notation::Lark => grammar.lark(),
    };
    output::print(|out| write!(out, "{text}"))?;
    Ok(Exit::Ok)
}
