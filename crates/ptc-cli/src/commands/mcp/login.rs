//! `ptc mcp login` and `logout`: a person agrees in a browser that this client uses a server.

use std::io::{self, IsTerminal};
use std::time::Duration;

use clap::Args;
use ptc_runner::agent::CancellationToken;
use ptc_runner::config::{MissionFile, named};
use ptc_runner::gateway::GatewayFile;
use ptc_runner::lisp::text::escaped;
use ptc_runner::mcp::{Login, McpError, ServerSpec, log_out};
use tokio::sync::mpsc;

use super::configure::{FileArg, known_servers, unknown};
use crate::args::time_with_unit;
use crate::browser;
use crate::failure::{Exit, Failure};
use crate::output;
use crate::signals::listening;
use crate::trust;

#[derive(Debug, Args)]
pub(super) struct LoginArgs {
    /// The server.
    #[arg(value_name = "NAME", add = known_servers())]
    name: String,
    #[command(flatten)]
    file: FileArg,
    /// Ask for this, too, besides what an earlier login may do.
    #[arg(long = "scope", value_name = "SCOPE")]
    scopes: Vec<String>,
    /// The port of this machine to which the browser is sent back, where the authorization server wants a certain one; a
    /// free one by default.
    #[arg(long, value_name = "PORT", default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// Only print the address, for a browser on another machine: what that was sent back to is then pasted here.
    #[arg(long)]
    no_browser: bool,
    /// How long to wait.
    #[arg(long, value_name = "TIME", value_parser = time_with_unit, default_value = "5m")]
    timeout: Duration,
}

#[derive(Debug, Args)]
pub(super) struct LogoutArgs {
    /// The server.
    #[arg(value_name = "NAME", add = known_servers())]
    name: String,
    #[command(flatten)]
    file: FileArg,
}

/// How waiting for a person ended.
enum Ended {
    LoggedIn,
    Refused(McpError),
    TooLate,
    Stopped,
}

/// Log in to a server.
pub(super) fn log_in(args: &LoginArgs) -> Result<Exit, Failure> {
    let spec = server(&args.name, &args.file)?;
    let stop = CancellationToken::new();
    let (ended, signal) = listening(&stop, waited(args, &spec, &stop))?;
    Ok(match ended? {
        Ended::LoggedIn => {
            output::print(|out| writeln!(out, "{}", escaped(&format!("logged in to `{}`", args.name))))?;
            Exit::Ok
        }
        Ended::Refused(error) => {
            output::failure(&error.into());
            Exit::Failed
        }
        Ended::TooLate => {
            let time = output::words::duration(args.timeout);
            output::failure(&format!("nobody agreed within {time}; --timeout gives more").into());
            Exit::Limit
        }
        Ended::Stopped => signal.unwrap_or(Exit::Interrupted),
    })
}

async fn waited(args: &LoginArgs, spec: &ServerSpec, stop: &CancellationToken) -> Result<Ended, Failure> {
    let begun = tokio::select! {
        begun = Login::begin(spec, &args.scopes, args.port) => begun,
        () = stop.cancelled() => return Ok(Ended::Stopped),
    };
    let login = match begun {
        Ok(login) => login,
        Err(error) => return Ok(Ended::Refused(error)),
    };
    output::print(|out| writeln!(out, "{}", escaped(login.address())))?;
    let is_opened = !args.no_browser && io::stdin().is_terminal() && browser::open(login.address());
    let open = if is_opened { "agree in the browser" } else { "open this address in a browser, and agree" };
    output::notes(&[format!(
        "{open}; if it then shows that a page at 127.0.0.1 cannot be reached, paste the address of that page here"
    )]);
    let mut lines = lines();
    let redirected = tokio::select! {
        redirected = login.redirected() => redirected,
        Some(line) = lines.recv() => line,
        () = tokio::time::sleep(args.timeout) => return Ok(Ended::TooLate),
        () = stop.cancelled() => return Ok(Ended::Stopped),
    };
    Ok(login.complete(&redirected).await.map_or_else(Ended::Refused, |()| Ended::LoggedIn))
}

/// The lines of standard input that are not blank.
fn lines() -> mpsc::UnboundedReceiver<String> {
    let (send, lines) = mpsc::unbounded_channel();
    // It cannot be ended, and is not waited for.
    std::thread::spawn(move || {
        let read = io::stdin().lines().map_while(Result::ok);
        let _unheard = read.filter(|line| !line.trim().is_empty()).try_for_each(|line| send.send(line));
    });
    lines
}

/// Forget the login to a server.
pub(super) fn forget(args: &LogoutArgs) -> Result<Exit, Failure> {
    let spec = server(&args.name, &args.file)?;
    let (was_logged_in, _) = listening(&CancellationToken::new(), log_out(&spec))?;
    let told = if was_logged_in? { "logged out of" } else { "there was no login to" };
    output::print(|out| writeln!(out, "{}", escaped(&format!("{told} `{}`", args.name))))?;
    Ok(Exit::Ok)
}

/// The server in a gateway or mission file, or one of another client.
fn server(name: &str, file: &FileArg) -> Result<ServerSpec, Failure> {
    let gateway = GatewayFile::load(&file.file).map(|gateway| gateway.mission);
    let mut mission = gateway.or_else(|error| MissionFile::load(&file.file).map_err(|_| error))?;
    trust::ask(&mut mission)?;
    let known: Vec<String> = mission.servers.iter().map(|server| server.name.clone()).collect();
    let found = mission.servers.into_iter().find(|server| server.name == name);
    found.ok_or_else(|| unknown(name, &named(&file.file), &known))
}
