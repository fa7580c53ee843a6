//! `ptc mcp`: the gateway, and deciding what waits in it.

mod configure;
mod export;
mod login;
mod serving;

use std::io::IsTerminal;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Subcommand};
use ptc_runner::agent::CancellationToken;
use ptc_runner::gateway::{
    Answer, Choice, Client, Gateway, GatewayFile, PinnedServers, Unreviewed, Waiting, WaitingError, decide,
    interrupted_in, waiting_in,
};
use ptc_runner::lisp::text::{escaped, escaped_lines, one_line, shortened};
use serde_json::json;

use crate::failure::{Exit, Failure};
use crate::output;
use crate::signals::listening;
use crate::trust;

const EXAMPLES: &str = "\
Examples:
  ptc mcp gateway.toml                      # serve one client over the standard streams
  ptc mcp mcp.json                          # the same, with the servers of another client's file
  ptc mcp gateway.toml --http 127.0.0.1:8090
  ptc mcp gateway.toml --http 0.0.0.0:8090 --token-file tokens   # for clients of other machines
  ptc mcp tools gateway.toml                # which tools there are, and what the policy says about them
  ptc mcp add files -- npx -y @modelcontextprotocol/server-filesystem /srv/reports
  ptc mcp waiting                           # what waits for a decision
  ptc mcp approve 4f1c0d2e9a7b6c53-90ab12   # asks for the code that the gateway shows with the question";

/// Serve programs over the tools of MCP servers, governed and recorded.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct McpArgs {
    #[command(subcommand)]
    command: Option<McpCommand>,
    #[command(flatten)]
    serve: ServeArgs,
}

#[derive(Debug, Args)]
struct ServeArgs {
    /// The gateway file: TOML, or servers in JSON as other clients have them.
    #[arg(value_name = "FILE", required = true)]
    file: Option<PathBuf>,
    /// Serve any number of clients by streamable HTTP at http://ADDRESS/mcp instead of one over the standard streams.
    #[arg(long, value_name = "ADDRESS")]
    http: Option<SocketAddr>,
    /// Serve only clients with a token of this file over HTTP: a line `NAME: TOKEN` for each. Needed where other machines
    /// can reach the address.
    #[arg(long, value_name = "FILE", requires = "http")]
    token_file: Option<PathBuf>,
    /// Where sessions, journals and the audit log are kept; `.ptc/mcp` next to the file by default.
    #[arg(long, value_name = "FOLDER")]
    state: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum McpCommand {
    #[command(flatten)]
    Configure(configure::ConfigureCommand),
    /// Log in to a server: prints an address, where a person agrees in a browser. Its tokens are kept for all commands.
    Login(login::LoginArgs),
    /// Forget the login to a server.
    Logout(login::LogoutArgs),
    /// Show the tools behind a gateway and what its policy says about them.
    Tools {
        /// The gateway file.
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// What it says about this client: its name in the token file, or the one that it gives itself over the standard
        /// streams.
        #[arg(long, value_name = "NAME")]
        client: Option<String>,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Take the tools of pinned servers for reviewed as they are now, and show which were new or changed.
    Pin {
        /// The gateway file.
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// One of the servers; all pinned ones by default.
        #[arg(value_name = "SERVER")]
        server: Option<String>,
    },
    /// Show what waits for a decision, and programs that were interrupted.
    Waiting {
        #[command(flatten)]
        state: StateArg,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Allow what waits. Asks for the code that the gateway shows with the question: on its terminal, else in
    /// `approvals.log` in its state.
    Approve {
        /// The question, as `ptc mcp waiting` names it.
        #[arg(value_name = "QUESTION")]
        id: String,
        /// The code of the question, instead of asking for it.
        #[arg(long, value_name = "CODE")]
        code: Option<String>,
        /// Allow the later calls of these tools by the same program, too, as often as it was shown.
        #[arg(long)]
        all: bool,
        #[command(flatten)]
        state: StateArg,
    },
    /// Do not allow what waits.
    Deny {
        /// The question, as `ptc mcp waiting` names it.
        #[arg(value_name = "QUESTION")]
        id: String,
        /// The reason, for the model.
        reason: Option<String>,
        #[command(flatten)]
        state: StateArg,
    },
}

#[derive(Debug, Args)]
struct StateArg {
    /// Where the gateway keeps its state.
    #[arg(long, value_name = "FOLDER", default_value = ".ptc/mcp")]
    state: PathBuf,
}

/// Run the command.
pub(crate) fn run(args: &McpArgs) -> Result<Exit, Failure> {
    match &args.command {
        None => serving::serve(&args.serve),
        Some(McpCommand::Configure(command)) => configure::run(command),
        Some(McpCommand::Login(args)) => login::log_in(args),
        Some(McpCommand::Logout(args)) => login::forget(args),
        Some(McpCommand::Tools { file, client, json }) => tools(file, client.as_deref(), *json),
        Some(McpCommand::Pin { file, server }) => pin(file, server.as_deref()),
        Some(McpCommand::Waiting { state, json }) => waiting(&state.state, *json),
        Some(McpCommand::Approve { id, code, all, state }) => {
            let choice = if *all { Choice::ApproveAll } else { Choice::Approve };
            approve(&state.state, id, choice, code.as_deref())
        }
        Some(McpCommand::Deny { id, reason, state }) => {
            let choice = Choice::Deny(reason.clone().unwrap_or_default());
            let answer = Answer { choice, by: "the command line".to_owned() };
            decided("not allowed", &decide(&state.state, id, answer, None)?)
        }
    }
}

/// A misspelt rule protects nothing.
fn idle(gateway: &Gateway) -> Vec<String> {
    let about = |rule: String| {
        format!(
            "policy `{rule}` matches no tool: `tool` is its name at the server, without `SERVER-`; see `ptc mcp tools`"
        )
    };
    gateway.idle_rules().into_iter().map(about).collect()
}

fn tools(file: &Path, client: Option<&str>, as_json: bool) -> Result<Exit, Failure> {
    let mut file = GatewayFile::load(file)?;
    output::notes(&file.mission.notes);
    trust::ask(&mut file.mission)?;
    let stop = CancellationToken::new();
    let (listed, signal) = listening(&stop, async {
        let gateway = settled(file, &stop).await?;
        let tools = client.map_or_else(|| Ok(gateway.tools()), |name| gateway.tools_of(&Client::named(name)));
        let (problems, idle) = (gateway.problems(), idle(&gateway));
        gateway.close().await;
        Ok::<_, Failure>((tools?, problems, idle))
    })?;
    let (tools, problems, idle) = listed?;
    let width = tools.iter().map(|reach| reach.tool.len()).max().unwrap_or(0) + "tool/".len();
    output::print(|out| {
        for reach in &tools {
            if as_json {
                let line = json!({
                    "tool": reach.tool, "policy": reach.ruling(), "read_only": reach.read_only, "destructive": reach.destructive,
                    "unreviewed": reach.unreviewed.map(Unreviewed::as_str),
                });
                writeln!(out, "{line}")?;
            } else {
                let name = format!("tool/{}", reach.tool);
                let unreviewed = reach.unreviewed.map_or_else(String::new, |how| format!("  {}", how.as_str()));
                writeln!(
                    out,
                    "{:width$}  {:12}  {}{unreviewed}",
                    escaped(&name),
                    reach.kind(),
                    escaped(&reach.ruling())
                )?;
            }
        }
        for problem in problems.iter().filter(|_| as_json) {
            writeln!(out, "{}", json!({"problem": problem}))?;
        }
        Ok(())
    })?;
    output::notes(&problems);
    output::notes(&idle);
    Ok(signal.unwrap_or(Exit::Ok))
}

/// The gateway of a file, whose servers can be used or cannot be.
async fn settled(file: GatewayFile, stop: &CancellationToken) -> Result<Gateway, Failure> {
    let gateway = Gateway::start(file).await?;
    tokio::select! {
        () = gateway.settled(Duration::MAX) => {}
        () = stop.cancelled() => {}
    }
    Ok(gateway)
}

fn pin(file: &Path, server: Option<&str>) -> Result<Exit, Failure> {
    let file = GatewayFile::load(file)?;
    if file.pin == PinnedServers::None {
        return Err(
            "no server is pinned: write `pin = true` in the table of a server, or at the top of the gateway file"
                .into(),
        );
    }
    let stop = CancellationToken::new();
    let (accepted, signal) = listening(&stop, async {
        let gateway = settled(file, &stop).await?;
        let accepted = gateway.accept_tools(server);
        gateway.close().await;
        Ok::<_, Failure>(accepted?)
    })?;
    let accepted = accepted?;
    output::print(|out| {
        for reach in &accepted {
            let how = reach.unreviewed.map_or("", Unreviewed::as_str);
            writeln!(out, "tool/{}  {how}", escaped(&reach.tool))?;
        }
        Ok(())
    })?;
    if accepted.is_empty() {
        output::notes(&["all tools were as reviewed".to_owned()]);
    }
    Ok(signal.unwrap_or(Exit::Ok))
}

fn waiting(state: &Path, as_json: bool) -> Result<Exit, Failure> {
    let (found, interrupted) = (waiting_in(state)?, interrupted_in(state)?);
    output::print(|out| {
        for waiting in &found {
            if as_json {
                writeln!(
                    out,
                    "{}",
                    json!({
                        "question": waiting.id(), "session": waiting.session, "text": waiting.text,
                        "all": waiting.all,
                    })
                )?;
            } else {
                writeln!(out, "question {}\n  {}", waiting.id(), escaped_lines(&waiting.text).replace('\n', "\n  "))?;
            }
        }
        for program in interrupted.iter().filter(|program| found.iter().all(|one| one.session != program.session)) {
            let (session, calls) = (&program.session, program.calls);
            if as_json {
                writeln!(out, "{}", json!({"session": session, "interrupted": program.program, "calls": calls}))?;
            } else {
                let program = one_line(&program.program);
                let program = escaped(&shortened(&program, 200)).into_owned();
                let when = match calls {
                    Some(calls) => format!("after {calls} calls"),
                    None => "after an unknown number of calls: its journal cannot be read".to_owned(),
                };
                writeln!(out, "session {session} was interrupted {when}\n  {program}")?;
            }
        }
        Ok(())
    })?;
    if found.is_empty() && interrupted.is_empty() {
        output::notes(&["nothing waits".to_owned()]);
    }
    Ok(Exit::Ok)
}

/// Times that a code may be typed.
const TRIES: usize = 3;

fn approve(state: &Path, id: &str, choice: Choice, code: Option<&str>) -> Result<Exit, Failure> {
    let answer = Answer { choice, by: "the command line, with the code".to_owned() };
    let mut decision = decide(state, id, answer.clone(), code);
    if code.is_some() {
        return decided("allowed", &decision?);
    }
    for _ in 0..TRIES {
        let Err(error @ (WaitingError::NeedsCode { .. } | WaitingError::WrongCode { .. })) = &decision else { break };
        if !std::io::stdin().is_terminal() {
            return Err(format!("{error}; write `--code CODE`").into());
        }
        output::notes(&[format!("{error}; type it")]);
        let mut typed = String::new();
        std::io::stdin().read_line(&mut typed)?;
        decision = decide(state, id, answer.clone(), Some(&typed));
    }
    decided("allowed", &decision?)
}

fn decided(told: &str, waiting: &Waiting) -> Result<Exit, Failure> {
    output::print(|out| writeln!(out, "{told}:\n  {}", escaped_lines(&waiting.text).replace('\n', "\n  ")))?;
    Ok(Exit::Ok)
}
