//! Serving clients, for as long as they are there: what is wrong with servers is reported, and a changed file is read again.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{IsTerminal, stderr};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use ptc_runner::agent::CancellationToken;
use ptc_runner::config::TrustedFiles;
use ptc_runner::gateway::{Gateway, GatewayFile, McpServer, Tokens, check_http_address};

use super::{ServeArgs, idle};
use crate::failure::{Exit, Failure};
use crate::output;
use crate::output::words::shell;
use crate::signals::{HangUps, listening_to};
use crate::trust;

/// How often the servers and the files are looked at.
const LOOK: Duration = Duration::from_millis(500);

/// Run the gateway of these arguments.
pub(super) fn serve(args: &ServeArgs) -> Result<Exit, Failure> {
    let mut watched = Watched::new(args);
    let mut file = load(args)?;
    watched.add(&file);
    output::notes(&file.mission.notes);
    trust::ask(&mut file.mission)?;
    let tokens = args.token_file.as_deref().map(Tokens::load).transpose()?;
    if let Some(address) = args.http {
        // Before any server starts.
        check_http_address(address, tokens.is_some())?;
    }
    if let (Some(path), true) = (&args.token_file, tokens.as_ref().is_some_and(Tokens::is_exposed)) {
        output::remarks(&[format!("other users of this machine can read {}: run `chmod 600` on it", path.display())]);
    }
    let stop = CancellationToken::new();
    // A terminal that closes ends the gateway; without one, a hang-up has it read its file again.
    let (served, signal) =
        listening_to(stderr().is_terminal(), &stop, serving(file, args, watched, tokens, stop.clone()))?;
    served?;
    Ok(signal.unwrap_or(Exit::Ok))
}

fn load(args: &ServeArgs) -> Result<GatewayFile, Failure> {
    let mut file = GatewayFile::load(args.file.as_deref().unwrap_or(Path::new("")))?;
    if let Some(state) = &args.state {
        file.state.clone_from(state);
    }
    Ok(file)
}

async fn serving(
    file: GatewayFile,
    args: &ServeArgs,
    watched: Watched,
    tokens: Option<Tokens>,
    stop: CancellationToken,
) -> Result<(), Failure> {
    let state = shell(&file.state.display().to_string());
    let gateway = Gateway::start(file).await?;
    gateway.show_notes(|note| output::notes(&[note]));
    // Clients keep what a gateway without a terminal writes there, where their models may read it.
    if stderr().is_terminal() {
        gateway.show_codes(move |question| {
            question.lines().for_each(output::line);
            output::line(&format!("decide it with `ptc mcp approve` or `ptc mcp deny`, and `--state {state}`"));
        });
    }
    let clients: Option<Vec<String>> = match (&tokens, args.http) {
        (Some(tokens), Some(_)) => Some(tokens.names().into_iter().map(str::to_owned).collect()),
        // All could be any.
        (None, Some(_)) => Some(Vec::new()),
        (_, None) => None,
    };
    let server = McpServer::new(gateway.clone())?;
    let server = tokens.into_iter().fold(server, McpServer::tokens);
    let served = async {
        match args.http {
            None => server.stdio(stop).await,
            Some(address) => {
                let ready = |address| output::notes(&[format!("serving at http://{address}/mcp")]);
                server.http(address, stop, ready).await
            }
        }
    };
    let served = tokio::select! {
        served = served => served,
        () = reporting(&gateway, clients.as_deref()) => Ok(()),
        () = reloading(&gateway, args, watched) => Ok(()),
    };
    gateway.close().await;
    Ok(served?)
}

/// Report what is wrong with servers, once each time, and rules that match nothing. `clients` are those with tokens.
async fn reporting(gateway: &Gateway, clients: Option<&[String]>) {
    gateway.settled(Duration::MAX).await;
    let (mut known, mut rules) = (BTreeSet::new(), BTreeSet::new());
    loop {
        let problems: BTreeSet<String> = gateway.problems().into_iter().collect();
        let unknown = clients.map(|clients| about_unknown(gateway, clients)).unwrap_or_default();
        let idle: BTreeSet<String> = idle(gateway).into_iter().chain(unknown).collect();
        output::notes(&problems.difference(&known).chain(idle.difference(&rules)).cloned().collect::<Vec<_>>());
        if !known.is_empty() && problems.is_empty() {
            output::notes(&["all MCP servers can be used now".to_owned()]);
        }
        (known, rules) = (problems, idle);
        tokio::time::sleep(LOOK).await;
    }
}

/// Rules about clients that no token is for.
fn about_unknown(gateway: &Gateway, clients: &[String]) -> Vec<String> {
    let clients: Vec<&str> = clients.iter().map(String::as_str).collect();
    let known = match clients.is_empty() {
        true => "clients have names by `--token-file`; without them it holds for all if it asks or denies, and for none if it allows".to_owned(),
        false => format!("there are {}", clients.join(", ")),
    };
    let rules = gateway.rules_about_none_of(&clients).into_iter();
    rules.map(|rule| format!("policy `{rule}` is about a client that has no token: {known}")).collect()
}

/// Read the gateway file again when it has changed, and at each hang-up. A file that cannot be used changes nothing.
async fn reloading(gateway: &Gateway, args: &ServeArgs, mut watched: Watched) {
    let mut hang_ups = HangUps::new();
    loop {
        tokio::select! {
            () = hang_ups.next(), if !stderr().is_terminal() => {}
            () = watched.other() => {}
        }
        // Before it is read: what changes meanwhile is read once more.
        watched.look();
        let told = match load(args) {
            Ok(file) => {
                watched.add(&file);
                let mut notes = file.mission.notes.clone();
                match gateway.reload(file).await {
                    Ok(()) => {
                        notes.push("the gateway file was read again".to_owned());
                        notes
                    }
                    Err(error) => vec![kept(&error)],
                }
            }
            Err(failure) => vec![kept(&failure)],
        };
        output::notes(&told);
    }
}

fn kept(why: &dyn std::fmt::Display) -> String {
    format!("the changed gateway file is not used, the one before stays: {why}")
}

/// Files, and when they were last changed.
struct Watched(BTreeMap<PathBuf, Option<SystemTime>>);

impl Watched {
    /// The gateway file.
    fn new(args: &ServeArgs) -> Watched {
        Watched(args.file.iter().map(|path| (path.clone(), changed_at(path))).collect())
    }

    /// Also the file of servers that this gateway file names, and the list that says whether that one may be used.
    fn add(&mut self, file: &GatewayFile) {
        let list = file.mission.imported.as_ref().and_then(|_| TrustedFiles::of_user());
        let list = list.map(|list| list.path().to_owned());
        for path in file.mission.imported.iter().chain(&list) {
            self.0.entry(path.clone()).or_insert_with(|| changed_at(path));
        }
    }

    /// Note when they were changed; whether one was meanwhile.
    fn look(&mut self) -> bool {
        let changes = self.0.iter_mut().filter_map(|(path, known)| {
            let now = changed_at(path);
            (std::mem::replace(known, now) != now).then_some(())
        });
        changes.count() > 0
    }

    /// Wait until one has changed, and stays as it is for a moment: an editor may write it in parts.
    async fn other(&mut self) {
        let mut has_changed = false;
        loop {
            tokio::time::sleep(LOOK).await;
            match (self.look(), has_changed) {
                (true, _) => has_changed = true,
                (false, true) => return,
                (false, false) => {}
            }
        }
    }
}

fn changed_at(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|about| about.modified()).ok()
}
