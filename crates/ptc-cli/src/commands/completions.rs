//! `ptc completions`: what shells need to complete the words of a command line.

use clap::{Args, Command};
use clap_complete::Shell;

use crate::failure::{Exit, Failure};
use crate::{completion, output};

const EXAMPLES: &str = "\
Examples:
  source <(ptc completions bash)     # in ~/.bashrc
  source <(ptc completions zsh)      # in ~/.zshrc, after compinit
  ptc completions fish | source      # in ~/.config/fish/config.fish

The shell then asks this command at each Tab, and proposes runs, mission files, servers of
gateway.toml and names of functions, too. Read it at each start rather than from a file:
it belongs to the version that printed it.";

/// Print completions for a shell.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    shell: Shell,
}

/// Run the command; `all` has every command with its options.
pub(crate) fn run(args: &CompletionsArgs, all: &Command) -> Result<Exit, Failure> {
    let program = std::env::args_os().next().unwrap_or_default();
    let script = completion::script(&args.shell.to_string(), all.get_name(), &program);
    let script = script.ok_or_else(|| format!("there are no completions for {}", args.shell))??;
    output::print(|out| out.write_all(&script))?;
    Ok(Exit::Ok)
}
