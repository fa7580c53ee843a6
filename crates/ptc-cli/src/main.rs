//! The `ptc` command: PTC-Lisp programs and missions from the shell.

mod args;
mod commands;
mod data;
mod failure;
mod files;
mod kept;
mod limits;
mod recorded;
mod report;
mod signals;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Cli, Command};
use crate::failure::{Exit, Failure};

/// Rows of large data stand side by side with it: programs over them take half the time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match cli.command {
        Command::Eval(args) => commands::eval::run(&args),
        Command::Run(args) => commands::run::run(&args),
        Command::Check(args) => commands::check::run(&args),
        Command::Doc(args) => commands::doc::run(&args),
        Command::Bench(args) => commands::bench::run(&args),
        Command::Trace(args) => commands::trace::run(&args),
        Command::Replay(args) => commands::replay::run(&args),
        Command::EvalSuite(args) => commands::eval_suite::run(&args),
    };
    let exit = done.unwrap_or_else(|failure| match failure {
        // Whoever read our output has seen enough.
        Failure::Output(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Exit::Ok,
        failure => {
            report::failure(&failure);
            Exit::Usage
        }
    });
    ExitCode::from(exit as u8)
}
