//! `ptc mcp list`, `test` and `trust`: the servers of a gateway file.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};
use ptc_runner::agent::CancellationToken;
use ptc_runner::config::named;
use ptc_runner::gateway::GatewayFile;
use ptc_runner::lisp::escaped;
use ptc_runner::mcp::{Server, ServerSpec};
use serde_json::json;

use crate::failure::{Exit, Failure};
use crate::output::{self, counted};
use crate::signals::listening;
use crate::trust;

/// Commands about the servers of a file.
#[derive(Debug, Subcommand)]
pub(super) enum ConfigureCommand {
    /// Show the servers of a gateway file without starting any.
    List {
        #[command(flatten)]
        file: FileArg,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Connect to servers of a gateway file: how long it takes, and how many tools they have.
    Test {
        /// The servers; all of them by default.
        #[arg(value_name = "NAME")]
        names: Vec<String>,
        #[command(flatten)]
        file: FileArg,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Let mission and gateway files use the servers of this file, until it changes.
    Trust {
        /// A file of servers as other clients have it, in JSON.
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
}

/// Run the command.
pub(super) fn run(command: &ConfigureCommand) -> Result<Exit, Failure> {
    match command {
        ConfigureCommand::List { file, json } => list(file, *json),
        ConfigureCommand::Test { names, file, json } => test(names, file, *json),
        ConfigureCommand::Trust { file } => agree(file),
    }
}

#[derive(Debug, Args)]
pub(super) struct FileArg {
    /// The gateway file.
    #[arg(long, value_name = "FILE", default_value = "gateway.toml")]
    file: PathBuf,
}

fn is_json(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ["json", "jsonc"].iter().any(|known| ending.eq_ignore_ascii_case(known)))
}

/// Show the servers of a file, without starting any.
fn list(file: &FileArg, as_json: bool) -> Result<Exit, Failure> {
    let mission = GatewayFile::load(&file.file)?.mission;
    let width = mission.servers.iter().map(|server| server.name.len()).max().unwrap_or(0);
    output::print(|out| {
        for server in &mission.servers {
            let (name, way) = (&server.name, trust::way(server));
            let is_trusted = server.source.as_ref().is_none_or(|source| source.is_trusted);
            if as_json {
                writeln!(out, "{}", json!({"server": name, "way": way, "trusted": is_trusted}))?;
            } else {
                let remark = if is_trusted { "" } else { "  (not trusted yet)" };
                writeln!(out, "{}", escaped(&format!("{name:width$}  {way}{remark}")))?;
            }
        }
        for one in mission.left_out.iter().filter(|_| as_json) {
            writeln!(out, "{}", json!({"server": one.server, "left_out": one.reason}))?;
        }
        Ok(())
    })?;
    output::notes(&mission.notes);
    Ok(Exit::Ok)
}

/// The outcome of connecting to a server.
struct Tried {
    name: String,
    took: Duration,
    tools: Result<usize, String>,
}

/// Connect to servers and count their tools.
fn test(names: &[String], file: &FileArg, as_json: bool) -> Result<Exit, Failure> {
    let mut mission = GatewayFile::load(&file.file)?.mission;
    output::notes(&mission.notes);
    let known: Vec<String> = mission.servers.iter().map(|server| server.name.clone()).collect();
    if let Some(unknown) = names.iter().find(|name| !known.contains(name)) {
        let (file, known) = (named(&file.file), known.join(", "));
        return Err(format!("{file} has no server `{unknown}`; its servers: {known}").into());
    }
    mission.servers.retain(|server| names.is_empty() || names.contains(&server.name));
    trust::ask(&mut mission)?;
    let width = mission.servers.iter().map(|server| server.name.len()).max().unwrap_or(0);
    let stop = CancellationToken::new();
    let (tried, signal) = listening(&stop, async {
        let running: Vec<_> = mission.servers.iter().cloned().map(|spec| tokio::spawn(tried(spec))).collect();
        let mut all = Vec::new();
        for one in running {
            tokio::select! {
                () = stop.cancelled() => break,
                one = one => all.extend(one),
            }
        }
        all
    })?;
    output::print(|out| tried.iter().try_for_each(|one| writeln!(out, "{}", one.line(as_json, width))))?;
    let has_failed = tried.iter().any(|one| one.tools.is_err());
    Ok(signal.unwrap_or(if has_failed { Exit::Failed } else { Exit::Ok }))
}

async fn tried(spec: ServerSpec) -> Tried {
    let (name, began) = (spec.name.clone(), Instant::now());
    let connected = Server::connect(spec).await;
    let took = began.elapsed();
    let tools = match connected {
        Ok(server) => {
            let tools = server.tools().len();
            server.close().await;
            Ok(tools)
        }
        Err(error) => Err(error.to_string()),
    };
    Tried { name, took, tools }
}

impl Tried {
    fn line(&self, as_json: bool, width: usize) -> String {
        let Tried { name, took, tools } = self;
        match (as_json, tools) {
            (true, Ok(tools)) => json!({"server": name, "tools": tools, "ms": took.as_millis() as u64}).to_string(),
            (true, Err(problem)) => {
                json!({"server": name, "problem": problem, "ms": took.as_millis() as u64}).to_string()
            }
            (false, Ok(tools)) => {
                let tools = counted(*tools, "tool");
                escaped(&format!("{name:width$}  {tools}  {:.1} s", took.as_secs_f64())).into_owned()
            }
            (false, Err(problem)) => escaped(&format!("{name:width$}  {problem}")).into_owned(),
        }
    }
}

/// Show what a file of servers says, and trust it.
fn agree(file: &Path) -> Result<Exit, Failure> {
    if !is_json(file) {
        let file = named(file);
        return Err(format!("{file} is not a file of servers in JSON: a gateway or mission file is trusted by running it, and `ptc mcp trust` is for the file that it names as `mcp_servers`").into());
    }
    let mission = GatewayFile::load(file)?.mission;
    output::notes(&mission.notes);
    trust::trust(file)?;
    output::print(|out| {
        for server in &mission.servers {
            writeln!(out, "{}", escaped(&trust::described(server)))?;
        }
        writeln!(out, "{}", escaped(&format!("{} is trusted until it changes", named(file))))
    })?;
    Ok(Exit::Ok)
}
