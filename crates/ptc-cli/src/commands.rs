//! The commands, one file each.

#[cfg(feature = "evaluation")]
mod batch;
mod bench;
mod check;
mod completions;
mod config;
mod data;
mod doc;
mod eval;
#[cfg(feature = "evaluation")]
mod eval_suite;
mod grammar;
mod init;
mod man;
#[cfg(feature = "gateway")]
mod mcp;
#[cfg(feature = "engine")]
mod mission;
#[cfg(feature = "repl")]
mod repl;
#[cfg(feature = "tokens")]
mod replay;
mod run;
mod runs;
mod schema;
mod show;
#[cfg(feature = "view")]
mod view;
#[cfg(feature = "engine")]
mod worker;

use clap::Subcommand;

use crate::failure::{Exit, Failure};

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Eval(eval::EvalArgs),
    Run(run::RunArgs),
    #[cfg(feature = "evaluation")]
    Batch(batch::BatchArgs),
    Init(init::InitArgs),
    #[cfg(feature = "repl")]
    Repl(repl::ReplArgs),
    Check(check::CheckArgs),
    Data(data::DataArgs),
    Grammar(grammar::GrammarArgs),
    Doc(doc::DocArgs),
    Bench(bench::BenchArgs),
    Show(show::ShowArgs),
    Runs(runs::RunsArgs),
    #[cfg(feature = "view")]
    View(view::ViewArgs),
    #[cfg(feature = "tokens")]
    Replay(replay::ReplayArgs),
    #[cfg(feature = "evaluation")]
    EvalSuite(eval_suite::EvalSuiteArgs),
    #[cfg(feature = "gateway")]
    Mcp(mcp::McpArgs),
    #[cfg(feature = "engine")]
    Worker(worker::WorkerArgs),
    #[cfg(feature = "engine")]
    Mission(mission::MissionArgs),
    Config(config::ConfigArgs),
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
            #[cfg(feature = "evaluation")]
            Command::Batch(args) => batch::run(args),
            Command::Init(args) => init::run(args),
            #[cfg(feature = "repl")]
            Command::Repl(args) => repl::run(args),
            Command::Check(args) => check::run(args),
            Command::Data(args) => data::run(args),
            Command::Grammar(args) => grammar::run(args),
            Command::Doc(args) => doc::run(args),
            Command::Bench(args) => bench::run(args),
            Command::Show(args) => show::run(args),
            Command::Runs(args) => runs::run(args),
            #[cfg(feature = "view")]
            Command::View(args) => view::run(args),
            #[cfg(feature = "tokens")]
            Command::Replay(args) => replay::run(args),
            #[cfg(feature = "evaluation")]
            Command::EvalSuite(args) => eval_suite::run(args),
            #[cfg(feature = "gateway")]
            Command::Mcp(args) => mcp::run(args),
            #[cfg(feature = "engine")]
            Command::Worker(args) => worker::run(args),
            #[cfg(feature = "engine")]
            Command::Mission(args) => mission::run(args),
            Command::Config(args) => config::run(args),
            Command::Schema(args) => schema::run(args),
            Command::Completions(args) => completions::run(args, all),
            Command::Man(args) => man::run(args, all),
        }
    }
}
