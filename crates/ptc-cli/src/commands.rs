//! The commands, one file each.

mod approve;
mod bench;
mod cancel;
mod check;
mod completions;
mod doc;
mod eval;
mod eval_suite;
mod grammar;
mod init;
mod man;
mod mcp;
mod repl;
mod replay;
mod result;
mod run;
mod schema;
mod status;
mod submit;
mod trace;
mod view;
mod worker;

use clap::Subcommand;

use crate::failure::{Exit, Failure};

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Eval(eval::EvalArgs),
    Run(run::RunArgs),
    Init(init::InitArgs),
    Repl(repl::ReplArgs),
    Check(check::CheckArgs),
    Grammar(grammar::GrammarArgs),
    Doc(doc::DocArgs),
    Bench(bench::BenchArgs),
    Trace(trace::TraceArgs),
    View(view::ViewArgs),
    Replay(replay::ReplayArgs),
    EvalSuite(eval_suite::EvalSuiteArgs),
    Mcp(mcp::McpArgs),
    Worker(worker::WorkerArgs),
    Submit(submit::SubmitArgs),
    Status(status::StatusArgs),
    Result(result::ResultArgs),
    Approve(approve::ApproveArgs),
    Cancel(cancel::CancelArgs),
    Schema(schema::SchemaArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

impl Command {
    /// Run it; `all` has every command with its options.
    pub(crate) fn run(&self, all: clap::Command) -> Result<Exit, Failure> {
        match self {
            Command::Eval(args) => eval::run(args),
            Command::Run(args) => run::run(args),
            Command::Init(args) => init::run(args),
            Command::Repl(args) => repl::run(args),
            Command::Check(args) => check::run(args),
            Command::Grammar(args) => grammar::run(args),
            Command::Doc(args) => doc::run(args),
            Command::Bench(args) => bench::run(args),
            Command::Trace(args) => trace::run(args),
            Command::View(args) => view::run(args),
            Command::Replay(args) => replay::run(args),
            Command::EvalSuite(args) => eval_suite::run(args),
            Command::Mcp(args) => mcp::run(args),
            Command::Worker(args) => worker::run(args),
            Command::Submit(args) => submit::run(args),
            Command::Status(args) => status::run(args),
            Command::Result(args) => result::run(args),
            Command::Approve(args) => approve::run(args),
            Command::Cancel(args) => cancel::run(args),
            Command::Schema(args) => schema::run(args),
            Command::Completions(args) => completions::run(args, all),
            Command::Man(args) => man::run(args, all),
        }
    }
}
