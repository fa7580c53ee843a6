//! `ptc mission`: missions on the workers of a durable engine.

mod approve;
mod cancel;
mod result;
mod status;
mod submit;

pub(crate) use result::step as recorded_step;
pub(crate) use submit::travelling;

use clap::{Args, Subcommand};

use crate::failure::{Exit, Failure};

/// Submit, watch, approve and cancel missions on the workers of a durable engine.
#[derive(Debug, Args)]
pub(crate) struct MissionArgs {
    #[command(subcommand)]
    command: MissionCommand,
}

#[derive(Debug, Subcommand)]
enum MissionCommand {
    Submit(submit::SubmitArgs),
    Status(status::StatusArgs),
    Result(result::ResultArgs),
    Approve(approve::ApproveArgs),
    Cancel(cancel::CancelArgs),
}

/// Run the command.
pub(crate) fn run(args: &MissionArgs) -> Result<Exit, Failure> {
    match &args.command {
        MissionCommand::Submit(args) => submit::run(args),
        MissionCommand::Status(args) => status::run(args),
        MissionCommand::Result(args) => result::run(args),
        MissionCommand::Approve(args) => approve::run(args),
        MissionCommand::Cancel(args) => cancel::run(args),
    }
}
