//! `ptc mission result`: the outcome of a mission of a durable engine.

use std::path::{Path, PathBuf};

use clap::Args;
use ptc_durable::{Client, ClientError, MissionId, Outcome};
use ptc_runner::transcript::{Step, StepJson, ValueForm};
use serde_json::Value as Json;

use crate::engine::{BlobsArg, EngineArg, PATIENCE, asked, noted};
use crate::failure::{Exit, Failure};
use crate::files::{Format, WholeFile};
use crate::{ended, output};

const EXAMPLES: &str = "\
Examples:
  ptc mission result orders/6a1fd10c9b0e4d57                              # waits for its end
  ptc mission result orders/6a1fd10c9b0e4d57 --no-wait                    # exit code 4 while it runs
  ptc mission result orders/6a1fd10c9b0e4d57 --json --typed > step.json   # for `ptc show step.json`
  ptc mission result orders/6a1fd10c9b0e4d57 --trace run.jsonl            # for `ptc show run.jsonl`

Exit codes: 0 an answer, 1 the mission failed, 2 wrong usage, or nothing is known of it,
3 a limit stopped it, 4 it still runs (with --no-wait), 130 it was cancelled, or this command was
interrupted.";

/// Show the result of a mission, as `ptc run` shows it.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ResultArgs {
    /// The mission, as `ptc mission submit` printed it.
    #[arg(value_name = "ID")]
    id: MissionId,
    #[command(flatten)]
    shown: OutputArgs,
    /// Write what happened to this file as JSON Lines, for `ptc show FILE`.
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Let the file of --trace replace an existing file of any kind.
    #[arg(long)]
    force: bool,
    /// Do not wait: end with exit code 4 while the mission runs.
    #[arg(long)]
    no_wait: bool,
    #[command(flatten)]
    blobs: BlobsArg,
    #[command(flatten)]
    engine: EngineArg,
}

/// How an outcome is printed.
#[derive(Debug, Args)]
pub(crate) struct OutputArgs {
    /// Print the whole step as one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
    /// With --json: write values that JSON does not know as `{"$kw": "name"}` and the like, with the input data, so
    /// that nothing is lost for `ptc show`.
    #[arg(long, requires = "json")]
    pub(crate) typed: bool,
}

/// Run the command.
pub(crate) fn run(args: &ResultArgs) -> Result<Exit, Failure> {
    let at = |path: &Path| WholeFile::at(path, Format::TRACE, args.force);
    let trace = args.trace.as_deref().map(at).transpose()?;
    let client = args.engine.client()?;
    asked(async {
        if !args.no_wait {
            return awaited(&client, &args.id, &args.blobs, &args.shown, trace.as_ref()).await;
        }
        match client.outcome(&args.id).await {
            Ok(Some(outcome)) => print(&args.id, outcome, &args.blobs, &args.shown, trace.as_ref()).await,
            Err(error) => failed(error),
            Ok(None) => {
                let id = &args.id;
                output::notes(&[format!("{id} still runs; see `ptc mission status {id}{}`", args.engine.again())]);
                Ok(Exit::NotYet)
            }
        }
    })
}

/// Wait for the end of a mission and show its outcome.
pub(crate) async fn awaited(
    client: &Client,
    id: &MissionId,
    blobs: &BlobsArg,
    shown: &OutputArgs,
    trace: Option<&WholeFile>,
) -> Result<Exit, Failure> {
    noted(client, id).await;
    match client.wait(id, PATIENCE).await {
        Ok(outcome) => print(id, outcome, blobs, shown, trace).await,
        Err(error) => failed(error),
    }
}

/// A mission that the engine has ended has failed; anything else means that the question was not answered.
fn failed(error: ClientError) -> Result<Exit, Failure> {
    let is_stopped = matches!(error, ClientError::Stopped { .. });
    let failure = Failure::from(error);
    if !is_stopped {
        return Err(failure);
    }
    output::failure(&failure);
    Ok(Exit::Failed)
}

async fn print(
    id: &MissionId,
    outcome: Outcome,
    blobs: &BlobsArg,
    shown: &OutputArgs,
    trace: Option<&WholeFile>,
) -> Result<Exit, Failure> {
    match (trace, outcome.trace) {
        (None, _) => {}
        (Some(_), None) => output::notes(&[format!("the workers wrote no trace of {id}")]),
        (Some(file), Some(stored)) => match blobs.loaded(id, "the trace", stored).await? {
            Json::String(text) => file.write(&text)?,
            other => file.write(&other.to_string())?,
        },
    }
    let step = step(id, blobs.loaded(id, "the step", outcome.step).await?)?;
    let json = shown
        .json
        .then(|| ended::json(&step, if shown.typed { ValueForm::Typed } else { ValueForm::Plain }))
        .transpose()?;
    output::seen(output::print(|out| match &json {
        Some(json) => writeln!(out, "{json}"),
        None => ended::answer(&step, out),
    }))?;
    ended::remarks(&step, shown.json).iter().for_each(|line| output::indented(line));
    Ok(ended::exit(&step, None))
}

fn step(id: &MissionId, json: Json) -> Result<Step, Failure> {
    let told = |problem: String| format!("the step of {id} cannot be read: {problem}; use the `ptc` of its workers");
    let json: StepJson = serde_json::from_value(json).map_err(|error| told(error.to_string()))?;
    Ok(json.into_typed().to_step().map_err(|error| told(error.to_string()))?)
}
