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

Exit codes: 0 ok, 2 wrong usage, or the mission is unknown or has ended.";

/// Cancel a mission: its step says `cancelled` and keeps the finished turns.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CancelArgs {
    /// Mission id.
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
