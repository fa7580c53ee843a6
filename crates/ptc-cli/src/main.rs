//! The `ptc` command: PTC-Lisp programs and missions from the shell.

mod args;
mod bench;
mod check;
mod data;
mod doc;
mod eval;
mod eval_suite;
mod failure;
mod kept;
mod limits;
mod output;
mod recorded;
mod replay;
mod report;
mod run;
mod signals;
mod trace;

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
        Command::Eval(args) => eval::run(&args),
        Command::Run(args) => run::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Doc(args) => doc::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Trace(args) => trace::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::EvalSuite(args) => eval_suite::run(&args),
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
