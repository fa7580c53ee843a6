//! `ptc mission approve`: decides what waits in a mission of a durable engine.

use clap::Args;
use ptc_durable::{Answer, MissionId};
use ptc_runner::transcript::{Decided, ValueForm, json_of};

use crate::commands::run::approve::arguments;
use crate::engine::{EngineArg, asked};
use crate::failure::{Exit, Failure};
use crate::output;

const EXAMPLES: &str = "\
Examples:
  ptc mission approve orders/6a1fd10c9b0e4d57 2/1                     # the first call of turn 2, as `ptc mission status` shows it
  ptc mission approve orders/6a1fd10c9b0e4d57 2/1 --deny 'too much'   # the model is shown why
  ptc mission approve orders/6a1fd10c9b0e4d57 2/1 --edit '{\"amount\": 20}'
  ptc mission approve orders/6a1fd10c9b0e4d57 2                       # the program of turn 2

Exit codes: 0 ok, 2 wrong usage, or the call does not wait, or was already decided.";

/// Approve or deny a call or program that waits for approval.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ApproveArgs {
    /// Mission id.
    #[arg(value_name = "ID")]
    id: MissionId,
    /// Id of what waits, as `ptc mission status` shows it; its prefix, the mission id, may be left out.
    #[arg(value_name = "CALL")]
    call: String,
    /// Deny the call; the model is shown the reason.
    #[arg(long, value_name = "REASON", conflicts_with = "edit")]
    deny: Option<String>,
    /// Approve with these arguments instead: a JSON object.
    #[arg(long, value_name = "JSON")]
    edit: Option<String>,
    #[command(flatten)]
    engine: EngineArg,
}

/// Run the command.
pub(crate) fn run(args: &ApproveArgs) -> Result<Exit, Failure> {
    let decision = decision(args)?;
    let word = if matches!(decision, Decided::Deny(_)) { "denied" } else { "approved" };
    let front = format!("{}/", args.id);
    let call = if args.call.starts_with(&front) { args.call.clone() } else { format!("{front}{}", args.call) };
    let client = args.engine.client()?;
    asked(async {
        client.approve(&args.id, &Answer { call: call.clone(), decision }).await?;
        output::print(|out| writeln!(out, "{word} {call}"))?;
        Ok(Exit::Ok)
    })
}

fn decision(args: &ApproveArgs) -> Result<Decided, String> {
    match (&args.deny, &args.edit) {
        (Some(reason), _) => Ok(Decided::Deny(reason.clone())),
        (None, Some(text)) => {
            let edited = arguments(text).map_err(|problem| format!("--edit: {problem}"))?;
            Ok(Decided::Edit(json_of(&edited, ValueForm::Typed)))
        }
        (None, None) => Ok(Decided::Approve),
    }
}
