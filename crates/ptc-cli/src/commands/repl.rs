//! `ptc repl`: programs typed one after another.

mod asking;
mod bencode;
mod commands;
mod editing;
mod history;
mod lines;
mod names;
mod nrepl;
mod running;
mod state;
mod terminal;
mod watching;
mod world;

use std::path::PathBuf;

use clap::Args;

use super::run::ApproveArg;
use crate::completion;
use crate::failure::{Exit, Failure};
use crate::output::{self, Ink, Line};
use crate::program::SessionArgs;

const EXAMPLES: &str = "\
Examples:
  ptc repl
  ptc repl --data orders=orders.csv
  ptc repl bookings.toml                   # data and tools of a mission; its tools are really called
  ptc repl bookings.toml --approve none    # calls that need approval are denied without prompting
  ptc repl bookings.toml --nrepl           # for editors: Calva, CIDER and others connect to it
  ptc repl --memory notes.json             # definitions of `ptc eval --memory notes.json`
  echo '(def n 2) (* n 21)' | ptc repl     # without a terminal: values only

At the prompt: Tab completes, :help lists the commands, (doc map) and (apropos \"split\") look things
up, *1 *2 *3 are the last values, *e is the last error, Ctrl-C interrupts a program, Ctrl-D leaves.

Exit codes: 0 at the end of a session on a terminal. Of piped input: 0 when all of it ran, else that of
the last input that failed, 1, or 3 where a limit stopped it. 2 wrong usage or unreadable input, 130
interrupted, 129 hung up, 143 terminated.";

/// Try programs at a prompt, with or without the data and tools of a mission.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ReplArgs {
    /// A mission file with the data, tools and limits of the programs. No model is called, except by agents and LLM
    /// tools that a program calls.
    #[arg(add = completion::missions())]
    pub(super) mission: Option<PathBuf>,
    #[command(flatten)]
    pub(super) session: SessionArgs,
    /// JSON file that definitions are loaded from, and saved to after each input that defines something.
    #[arg(long, value_name = "FILE")]
    pub(super) memory: Option<PathBuf>,
    /// The model of the mission's agents and LLM tools: `PROVIDER:MODEL`, `URL#MODEL` or `replay:FILE`.
    #[arg(long, value_name = "SPEC", requires = "mission")]
    pub(super) llm: Option<String>,
    /// What to do with calls that need approval; by default what `ptc config` says, else `ask`.
    #[arg(long, value_enum, value_name = "ANSWER", requires = "mission")]
    pub(super) approve: Option<ApproveArg>,
    /// Serve editors by nREPL at this port of the machine, any free one without PORT, which `.nrepl-port` names.
    #[arg(long, value_name = "PORT", num_args = 0..=1, require_equals = true, default_missing_value = "0")]
    pub(super) nrepl: Option<u16>,
    /// Do not read or write the input history.
    #[arg(long)]
    pub(super) no_history: bool,
}

/// Run the command.
pub(crate) fn run(args: &ReplArgs) -> Result<Exit, Failure> {
    let is_terminal = output::is_interactive() && args.nrepl.is_none();
    let mut state = state::State::new(args, is_terminal)?;
    if let Some(port) = args.nrepl {
        return nrepl::run(&mut state, port);
    }
    if is_terminal { terminal::run(&mut state, !args.no_history) } else { lines::run(&mut state) }
}

/// Show a line on standard error that may go unread.
fn aside(text: &str) {
    output::inked(&Line::default().with(Ink::Faint, text));
}
