//! The `ptc` command: PTC-Lisp programs and missions from the shell.
//!
//! In each turn of a mission a language model writes one small program in PTC-Lisp (Clojure over immutable data); the
//! command runs it in a sandbox, next to your data and tools, until it returns the answer.
//!
//! ```sh
//! cargo install --locked --git https://github.com/ptc-runner/ptc-runner ptc-cli
//! ptc init shop --with-tool             # a mission with data and a tool, which runs at once
//! ptc run shop/mission.toml             # with recorded answers: no model is asked
//! ptc run shop/mission.toml --llm ollama:qwen3
//! ptc eval '(map inc [1 2 3])'          # a program alone
//! ```
//!
//! `ptc COMMAND --help` has examples of each command: checking missions and programs, a prompt, looking at runs in the
//! browser, what another compression would have cost, a gateway to MCP servers.

#![forbid(unsafe_code)]
#![cfg_attr(
    not(feature = "full"),
    allow(dead_code, unused_imports, reason = "a part that is left out is what uses it")
)]

mod args;
mod bounded;
mod browser;
mod commands;
mod completion;
mod data;
mod ended;
#[cfg(feature = "engine")]
mod engine;
mod failure;
mod files;
mod kept;
mod limits;
mod lines;
mod output;
mod prices;
mod program;
mod recorded;
mod seal;
mod signals;
#[cfg(test)]
mod tests;
mod trust;
mod viewed;

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser};

use crate::commands::Command;
use crate::failure::Exit;
use crate::output::OutputFailure;

/// Rows of large data are adjacent in memory with it: programs over them take half the time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Run PTC-Lisp programs and missions.
#[derive(Debug, Parser)]
#[command(name = "ptc", version, about, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Whether text for people is coloured; `auto`: on a terminal, unless NO_COLOR is set or TERM is `dumb`.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,
}

fn main() -> ExitCode {
    completion::answer(Cli::command);
    if std::env::args_os().len() <= 1 {
        // Standard error may be closed.
        let _unread = std::io::stderr().write_all(commands::first_steps(&Cli::command()).as_bytes());
        return ExitCode::from(Exit::Usage as u8);
    }
    let parsed = commands::in_groups(Cli::command()).try_get_matches();
    let cli = match parsed.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => return output::usage(error, &Cli::command()),
    };
    output::choose_colors(cli.color);
    let exit = cli.command.run(Cli::command()).unwrap_or_else(|failure| match failure.downcast_ref() {
        // The reader of our output has seen enough.
        Some(OutputFailure(error)) if error.kind() == ErrorKind::BrokenPipe => Exit::Ok,
        Some(OutputFailure(error)) if error.kind() == ErrorKind::FileTooLarge => {
            output::failure(&failure);
            Exit::Limit
        }
        _ => {
            output::failure(&failure);
            Exit::Usage
        }
    });
    ExitCode::from(exit as u8)
}
