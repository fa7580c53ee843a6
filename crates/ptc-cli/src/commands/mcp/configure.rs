//! `ptc mcp add`, `list`, `remove`, `test` and `trust`: the servers of a gateway file.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};
use clap_complete::engine::{ArgValueCandidates, CompletionCandidate};
use ptc_runner::agent::CancellationToken;
use ptc_runner::config::{named, read_text, with_table, without_server};
use ptc_runner::gateway::GatewayFile;
use ptc_runner::lisp::text::escaped;
use ptc_runner::mcp::{Server, ServerSpec};
use serde_json::{Map, Value as Json, json};

use super::export::{self, Client};
use crate::failure::{Exit, Failure, FileFailure};
use crate::files::{Readers, replace};
use crate::output::proposed::Proposed;
use crate::output::{self, counted};
use crate::signals::listening;
use crate::trust;

/// The gateway file when none is named.
const FILE: &str = "gateway.toml";

/// The servers that a shell proposes: those of the usual file.
pub(super) fn known_servers() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        let file = GatewayFile::load(Path::new(FILE));
        let servers = file.map(|file| file.mission.servers).unwrap_or_default();
        servers.iter().map(|server| CompletionCandidate::new(&server.name)).collect()
    })
}

/// Commands about the servers of a file.
#[derive(Debug, Subcommand)]
pub(super) enum ConfigureCommand {
    /// Add a server to a gateway file, which is created if there is none.
    #[command(after_help = ADDING)]
    Add(AddArgs),
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
        #[arg(value_name = "NAME", add = known_servers())]
        names: Vec<String>,
        #[command(flatten)]
        file: FileArg,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Remove a server from a gateway file.
    Remove {
        /// The name of the server.
        #[arg(value_name = "NAME", add = known_servers())]
        name: String,
        #[command(flatten)]
        file: FileArg,
    },
    /// Let mission and gateway files use the servers of this file, until it changes.
    Trust {
        /// A file of servers as other clients have it, in JSON.
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Print the configuration that a client needs to use a gateway.
    Export {
        /// The client.
        #[arg(value_name = "CLIENT")]
        client: Client,
        /// The gateway file.
        #[arg(value_name = "FILE", default_value = FILE)]
        file: PathBuf,
    },
}

const ADDING: &str = "\
Examples:
  ptc mcp add files -- npx -y @modelcontextprotocol/server-filesystem /srv/reports
  ptc mcp add crm https://crm.example/mcp --header 'X-Key: ${CRM_KEY}'
  ptc mcp add wiki https://wiki.example/mcp --token-file /run/secrets/wiki";

/// Run the command.
pub(super) fn run(command: &ConfigureCommand) -> Result<Exit, Failure> {
    match command {
        ConfigureCommand::Add(args) => add(args),
        ConfigureCommand::List { file, json } => list(file, *json),
        ConfigureCommand::Test { names, file, json } => test(names, file, *json),
        ConfigureCommand::Remove { name, file } => remove(name, file),
        ConfigureCommand::Trust { file } => agree(file),
        ConfigureCommand::Export { client, file } => export::run(*client, file),
    }
}

#[derive(Debug, Args)]
pub(super) struct FileArg {
    /// The gateway file.
    #[arg(long, value_name = "FILE", default_value = FILE)]
    pub(super) file: PathBuf,
}

#[derive(Debug, Args)]
pub(super) struct AddArgs {
    /// The name of the server, which begins the names of its tools.
    #[arg(value_name = "NAME")]
    name: String,
    /// Where it answers by streamable HTTP.
    #[arg(value_name = "URL", required_unless_present = "command")]
    url: Option<String>,
    /// The command that speaks over its standard streams, with its arguments.
    #[arg(value_name = "COMMAND", last = true, conflicts_with = "url")]
    command: Vec<String>,
    /// A header of each request, such as 'X-Key: ${KEY}'.
    #[arg(long = "header", value_name = "NAME: VALUE", value_parser = header, conflicts_with = "command")]
    headers: Vec<(String, String)>,
    /// A variable of the command: NAME=VALUE, or NAME to pass it on.
    #[arg(long = "env", value_name = "NAME=VALUE", conflicts_with = "url")]
    env: Vec<String>,
    /// A file with the token that requests carry.
    #[arg(long, value_name = "FILE", conflicts_with = "command")]
    token_file: Option<String>,
    #[command(flatten)]
    file: FileArg,
}

fn header(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once(':').ok_or("write NAME: VALUE")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// Add a table.
fn add(args: &AddArgs) -> Result<Exit, Failure> {
    let file = &args.file.file;
    let text = if file.exists() { editable(file)? } else { String::new() };
    let known = GatewayFile::from_text(file, &text)?;
    if known.mission.servers.iter().any(|server| server.name == args.name) {
        let (name, file) = (&args.name, named(file));
        return Err(format!("{file} already has a server `{name}`: remove it first, or use another name").into());
    }
    let text = with_table(&text, &["mcp", &args.name], &table(args));
    write(file, &text)?;
    let literal = args.headers.iter().filter(|(_, value)| !value.contains("${"));
    output::notes(&literal.map(|(name, _)| written_down(name, file)).collect::<Vec<_>>());
    output::print(|out| {
        let is_usual = file.as_path() == Path::new(FILE);
        let test = Proposed::new("ptc mcp test", &[&args.name])
            .option("--file", (!is_usual).then(|| file.display().to_string()));
        let told = format!("{} has the server `{}`; `{test}` connects to it", named(file), args.name);
        writeln!(out, "{}", escaped(&told))
    })?;
    Ok(Exit::Ok)
}

fn written_down(header: &str, file: &Path) -> String {
    let file = named(file);
    format!(
        "{file} now holds the value of the header `{header}`; with `${{NAME}}` in it, it comes from the environment"
    )
}

fn table(args: &AddArgs) -> Map<String, Json> {
    let mut table = Map::new();
    if args.command.is_empty() {
        table.insert("url".to_owned(), json!(args.url));
    } else {
        table.insert("command".to_owned(), json!(args.command));
    }
    if !args.headers.is_empty() {
        let headers: Map<String, Json> =
            args.headers.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        table.insert("headers".to_owned(), headers.into());
    }
    if let Some(file) = &args.token_file {
        table.insert("token_file".to_owned(), json!(file));
    }
    if !args.env.is_empty() {
        // A name alone is passed on.
        let variable = |given: &String| match given.split_once('=') {
            Some((name, value)) => (name.to_owned(), json!(value)),
            None => (given.clone(), json!(format!("${{{given}}}"))),
        };
        table.insert("env".to_owned(), args.env.iter().map(variable).collect::<Map<_, _>>().into());
    }
    table
}

/// The text of a file that these commands may change.
fn editable(file: &Path) -> Result<String, Failure> {
    if is_json(file) {
        let file = named(file);
        return Err(format!("{file} belongs to another client, which adds and removes its servers; a gateway file in TOML can name it as `mcp_servers`").into());
    }
    Ok(read_text(file)?)
}

fn is_json(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ["json", "jsonc"].iter().any(|known| ending.eq_ignore_ascii_case(known)))
}

/// Write the file if it is one that a gateway can read.
fn write(file: &Path, text: &str) -> Result<(), Failure> {
    GatewayFile::from_text(file, text)?;
    let unwritable = |source| FileFailure::Unwritable { path: file.to_owned(), source };
    Ok(replace(file, text.as_bytes(), Readers::AsUsual).map_err(unwritable)?)
}

/// Remove a table.
fn remove(name: &str, file: &FileArg) -> Result<Exit, Failure> {
    let file = &file.file;
    let text = editable(file)?;
    let known = GatewayFile::from_text(file, &text)?;
    let shown = named(file);
    let rest = without_server(&text, name).ok_or_else(|| {
        let names: Vec<&str> = known.mission.servers.iter().map(|server| server.name.as_str()).collect();
        let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        format!("{shown} has no table [mcp.{name}]; its servers: {names}")
    })?;
    write(file, &rest)?;
    output::print(|out| writeln!(out, "{}", escaped(&format!("{shown} no longer has the server `{name}`"))))?;
    Ok(Exit::Ok)
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
        return Err(self::unknown(unknown, &named(&file.file), &known));
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

pub(super) fn unknown(name: &str, file: &str, known: &[String]) -> Failure {
    format!("{file} has no server `{name}`; its servers: {}", known.join(", ")).into()
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
