//! `ptc mission cancel`: ends a mission of a durable engine.

use clap::Args;
use ptc_durable::MissionId;

use crate::engine::{EngineArg, asked};
use crate::failure::{Exit, Failure};
use crate::output;

const EXAMPLES: &str = "\
Examples:
  ptc mission cancel orders/6a1fd10c9b0e4d57
  ptc mission result orders/6a1fd10c9b0e4d57 --json     # what it had done until then

Exit codes: 0 ok, 2 wrong usage, or nothing is known of it, or it has ended.";

/// Ask a mission to end: its step says `cancelled`, and what it has done stays in it.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CancelArgs {
    /// The mission, as `ptc mission submit` printed it.
    #[arg(value_name = "ID")]
    id: MissionId,
    #[command(flatten)]
    engine: EngineArg,
}

/// Run the command.
pub(crate) fn run(args: &CancelArgs) -> Result<Exit, Failure> {
    let client = args.engine.client()?;
    asked(async {
        client.cancel(&args.id).await?;
        output::print(|out| writeln!(out, "asked {} to end", args.id))?;
        Ok(Exit::Ok)
    })
}
