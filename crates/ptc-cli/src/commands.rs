//! The commands, one file each.

#[cfg(feature = "evaluation")]
mod batch;
mod bench;
mod check;
#[cfg(feature = "evaluation")]
mod compare;
mod completions;
mod config;
mod data;
mod doc;
mod eval;
#[cfg(feature = "evaluation")]
mod eval_suite;
mod fmt;
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

use std::fmt::Write;

use clap::Subcommand;

use crate::failure::{Exit, Failure};

/// The commands as help shows them.
pub(crate) const GROUPS: [(&str, &[&str]); 5] = [
    ("Missions", &["init", "run", "batch", "compare", "eval-suite", "data"]),
    ("Programs", &["eval", "repl", "check", "fmt", "doc", "bench", "grammar"]),
    ("Runs", &["runs", "show", "view", "replay"]),
    ("Servers and engines", &["mcp", "worker", "mission"]),
    ("This command", &["config", "schema", "completions", "man", "help"]),
];

/// What to do first, with the command that it needs.
const FIRST: [(&str, &str, &str); 5] = [
    ("init", "init shop", "write a mission with data and recorded answers"),
    ("run", "run shop/mission.toml", "run it; `--llm PROVIDER:MODEL` asks a model"),
    ("eval", "eval '(map inc [1 2 3])'", "run a program alone"),
    ("mcp", "mcp mcp.json", "serve programs over the tools of your MCP servers"),
    ("view", "view", "look at the runs of this folder in a browser"),
];

/// What `ptc` without a command says.
pub(crate) fn first_steps(all: &clap::Command) -> String {
    let mut text = "Programs and missions in which a language model programs over your data and tools.\n\n".to_owned();
    for (_, words, does) in FIRST.iter().filter(|(name, ..)| all.find_subcommand(name).is_some()) {
        let _written = writeln!(text, "  ptc {words:27} {does}");
    }
    text + "\nAll commands: ptc --help. Examples of each: ptc COMMAND --help\n"
}

/// The command whose help shows its commands in groups.
pub(crate) fn in_groups(mut all: clap::Command) -> clap::Command {
    all.build();
    let mut text = String::new();
    for (group, names) in GROUPS {
        let there: Vec<_> = names.iter().filter_map(|name| all.find_subcommand(name)).collect();
        if there.is_empty() {
            continue;
        }
        let _written = writeln!(text, "{group}:");
        for command in there {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            let _written = writeln!(text, "  {:12} {about}", command.get_name());
        }
        text.push('\n');
    }
    all.help_template(format!("{{before-help}}{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{text}Options:\n{{options}}{{after-help}}"))
}

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
    Fmt(fmt::FmtArgs),
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
    #[cfg(feature = "evaluation")]
    Compare(compare::CompareArgs),
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
            Command::Fmt(args) => fmt::run(args),
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
            #[cfg(feature = "evaluation")]
            Command::Compare(args) => compare::run(args),
            #[cfg(feature = "gateway")]
            Command::Mcp(args) => mcp::run(args),
            #[cfg(feature = "engine")]
            Command::Worker(args) => worker::run(args),
            #[cfg(feature = "engine")]
            Command::Mission(args) => mission::run(args),
            Command::Config(args) => config::run(args),
            Command::Schema(args) => schema::run(args),
            Command::Completions(args) => completions::run(args, &all),
            Command::Man(args) => man::run(args, all),
        }
    }
}
