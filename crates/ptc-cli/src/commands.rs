//! The commands, one file each.

mod bench;
mod check;
mod doc;
mod eval;
mod eval_suite;
mod replay;
mod run;
mod trace;

use clap::Subcommand;

use crate::failure::{Exit, Failure};

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Eval(eval::EvalArgs),
    Run(run::RunArgs),
    Check(check::CheckArgs),
    Doc(doc::DocArgs),
    Bench(bench::BenchArgs),
    Trace(trace::TraceArgs),
    Replay(replay::ReplayArgs),
    EvalSuite(eval_suite::EvalSuiteArgs),
}

impl Command {
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        match self {
            Command::Eval(args) => eval::run(args),
            Command::Run(args) => run::run(args),
            Command::Check(args) => check::run(args),
            Command::Doc(args) => doc::run(args),
            Command::Bench(args) => bench::run(args),
            Command::Trace(args) => trace::run(args),
            Command::Replay(args) => replay::run(args),
            Command::EvalSuite(args) => eval_suite::run(args),
        }
    }
}
