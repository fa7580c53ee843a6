//! `ptc completions`: what shells need to complete the words of a command line.

use clap::{Args, Command};
use clap_complete::{Shell, generate};

use crate::failure::{Exit, Failure};
use crate::output;

const EXAMPLES: &str = "\
Examples:
  ptc completions bash > ~/.local/share/bash-completion/completions/ptc
  ptc completions zsh > ~/.zfunc/_ptc       # a folder of $fpath
  ptc completions fish > ~/.config/fish/completions/ptc.fish";

/// Print completions for a shell.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    shell: Shell,
}

/// Run the command; `all` has every command with its options.
pub(crate) fn run(args: &CompletionsArgs, mut all: Command) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    let name = all.get_name().to_owned();
    generate(args.shell, &mut all, name, &mut script);
    output::print(|out| out.write_all(&script))?;
    Ok(Exit::Ok)
}
