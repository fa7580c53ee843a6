//! Serving clients, for as long as they are there: what is wrong with servers is reported, and a changed file is read again.

use std::collections::BTreeSet;
use std::io::{IsTerminal, stderr};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use ptc_runner::agent::CancellationToken;
use ptc_runner::config::TrustedFiles;
use ptc_runner::gateway::{Gateway, GatewayFile, McpServer, Tokens, check_http_address};

use super::{ServeArgs, idle};
use crate::failure::{Exit, Failure};
use crate::output;
use crate::signals::{asked_to_end, hang_up, listening_to};
use crate::trust;

/// How often the servers and the files are looked at.
const LOOK: Duration = Duration::from_millis(500);

/// Run the gateway of these arguments.
pub(super) fn serve(args: &ServeArgs) -> Result<Exit, Failure> {
    let mut file = load(args)?;
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
        listening_to(&stop, asked_to_end(stderr().is_terminal()), serving(file, args, tokens, stop.clone()))?;
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
    tokens: Option<Tokens>,
    stop: CancellationToken,
) -> Result<(), Failure> {
    let watched = Watched::of(args, &file);
    let state = file.state.display().to_string();
    let gateway = Gateway::start(file).await?;
    gateway.show_notes(|note| output::notes(&[note]));
    // Clients keep what a gateway without a terminal writes there, where their models may read it.
    if stderr().is_terminal() {
        gateway.show_codes(move |question| {
            question.lines().for_each(output::line);
            output::line(&format!("decide it with `ptc mcp approve` or `ptc mcp deny`, and `--state {state}`"));
        });
    }
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
        () = reporting(&gateway) => Ok(()),
        () = reloading(&gateway, args, watched) => Ok(()),
    };
    gateway.close().await;
    Ok(served?)
}

/// Report what is wrong with servers, once each time, and rules that match nothing.
async fn reporting(gateway: &Gateway) {
    gateway.settled(Duration::MAX).await;
    let (mut known, mut rules) = (BTreeSet::new(), BTreeSet::new());
    loop {
        let problems: BTreeSet<String> = gateway.problems().into_iter().collect();
        let idle: BTreeSet<String> = idle(gateway).into_iter().collect();
        output::notes(&problems.difference(&known).chain(idle.difference(&rules)).cloned().collect::<Vec<_>>());
        if !known.is_empty() && problems.is_empty() {
            output::notes(&["all MCP servers can be used now".to_owned()]);
        }
        (known, rules) = (problems, idle);
        tokio::time::sleep(LOOK).await;
    }
}

/// Read the gateway file again when it has changed, and at each hang-up. A file that cannot be used changes nothing.
async fn reloading(gateway: &Gateway, args: &ServeArgs, mut watched: Watched) {
    loop {
        tokio::select! {
            () = hang_up(), if !stderr().is_terminal() => {}
            () = watched.other() => {}
        }
        let told = match load(args) {
            Ok(file) => {
                watched = Watched::of(args, &file);
                let mut notes = file.mission.notes.clone();
                match gateway.reload(file).await {
                    Ok(()) => {
                        notes.push("the gateway file was read again".to_owned());
                        notes
                    }
                    Err(error) => vec![kept(&error)],
                }
            }
            Err(failure) => {
                watched.look();
                vec![kept(&failure)]
            }
        };
        output::notes(&told);
    }
}

fn kept(why: &dyn std::fmt::Display) -> String {
    format!("the changed gateway file is not used, the one before stays: {why}")
}

/// Files, and when they were last changed.
struct Watched(Vec<(PathBuf, Option<SystemTime>)>);

impl Watched {
    /// The gateway file, the file of servers that it names, and the list that says whether that one may be used.
    fn of(args: &ServeArgs, file: &GatewayFile) -> Watched {
        let list = file.mission.imported.as_ref().and_then(|_| TrustedFiles::of_user());
        let list = list.map(|list| list.path().to_owned());
        let files = args.file.iter().chain(&file.mission.imported).chain(&list);
        let mut watched = Watched(files.map(|path| (path.clone(), None)).collect());
        watched.look();
        watched
    }

    /// Note when they were changed; whether one was meanwhile.
    fn look(&mut self) -> bool {
        let mut differs = false;
        for (path, known) in &mut self.0 {
            let now = std::fs::metadata(&*path).and_then(|about| about.modified()).ok();
            differs |= std::mem::replace(known, now) != now;
        }
        differs
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
