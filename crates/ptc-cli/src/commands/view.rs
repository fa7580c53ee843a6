//! `ptc view`: recorded runs in a browser, also while they run.

mod answer;
mod gateways;
mod library;
mod log;
mod reader;
mod server;
mod sources;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use ptc_runner::agent::CancellationToken;
use serde_json::json;

use crate::args::whole;
use crate::bounded;
use crate::browser;
use crate::failure::{Exit, Failure};
use crate::output;
use crate::prices::PricesArgs;
use crate::signals::listening;

use library::Library;
use reader::Reader;
use sources::Sources;

const EXAMPLES: &str = "\
Examples:
  ptc view                         # the runs that `ptc run` keeps in this folder, as a list
  ptc view --open                  # also opens it in the browser
  ptc view run.jsonl other.jsonl   # these runs
  ptc view ~/missions              # the runs that are kept there, and records and steps in that folder
  ptc view results.jsonl           # the runs of an evaluation
  ptc view .ptc/mcp                # a gateway: what waits, its servers, sessions and audit log
  ptc view --port 8070 --json      # print the address as JSON

The page of an unfinished run adds turns as they end. The server answers only on this machine, and only to those who know the
address that it prints. Ctrl-C ends it.

Exit codes: 0 ok, 2 wrong usage or unreadable input, 130 ended by Ctrl-C.";

/// Show recorded and running runs in a browser.
///
/// Each is shown as by `ptc show --html`. Nothing is written.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ViewArgs {
    /// Records, steps, results of evaluations, states of gateways, or folders with them; by default the runs that `ptc
    /// run` kept in this folder.
    #[arg(value_name = "FILE|DIR")]
    paths: Vec<PathBuf>,
    /// The local port; a free one by default.
    #[arg(long, default_value = "0", hide_default_value = true, allow_negative_numbers = true, value_parser = whole::<u16>(0))]
    port: u16,
    #[command(flatten)]
    prices: PricesArgs,
    /// Open the page in the browser.
    #[arg(long)]
    open: bool,
    /// Print the address as one JSON object.
    #[arg(long)]
    json: bool,
}

/// Run the command.
pub(crate) fn run(args: &ViewArgs) -> Result<Exit, Failure> {
    if bounded::is_bounded() {
        return bounded::within(|| Reader::new(&args.prices)?.print(&args.paths));
    }
    let reader = Reader::new(&args.prices)?;
    let sources = Sources::find(&args.paths)?;
    let stop = CancellationToken::new();
    let (served, signal) = listening(&stop, serve(args, (sources, reader), stop.clone()))?;
    served?;
    Ok(signal.unwrap_or(Exit::Ok))
}

async fn serve(args: &ViewArgs, (sources, reader): (Sources, Reader), stop: CancellationToken) -> Result<(), Failure> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, args.port));
    let taken =
        |error: io::Error| format!("cannot listen on port {}: {error}; leave --port out for a free one", args.port);
    let listener = tokio::net::TcpListener::bind(address).await.map_err(taken)?;
    let port = listener.local_addr()?.port();
    let only = sources.only();
    let library = Arc::new(Library::new(sources, reader));
    let server = server::Server::new(library, port);
    let url = server.address(only.as_deref());
    if args.json {
        output::json(&json!({ "url": url }))?;
    } else {
        output::print(|out| writeln!(out, "{url}\nCtrl-C ends it."))?;
    }
    if args.open && !browser::open(&url) {
        output::notes(&["no program that opens pages was found: open the address by hand"]);
    }
    server.run(listener, stop).await;
    Ok(())
}
