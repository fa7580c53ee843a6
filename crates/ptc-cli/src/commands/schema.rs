//! `ptc schema`: the JSON Schema of mission files, for editors.

use clap::Args;
use ptc_runner::config::mission_schema;

use crate::failure::{Exit, Failure};
use crate::output;

const EXAMPLES: &str = "\
Examples:
  ptc schema > mission.schema.json

An editor that knows TOML, such as one with Taplo or Even Better TOML, completes and checks a mission file that begins with
  #:schema ./mission.schema.json";

/// Print the JSON Schema of mission files, for editors.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SchemaArgs {}

/// Run the command.
pub(crate) fn run(_: &SchemaArgs) -> Result<Exit, Failure> {
    output::print(|out| writeln!(out, "{:#}", mission_schema()))?;
    Ok(Exit::Ok)
}
