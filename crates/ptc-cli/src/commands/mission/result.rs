//! `ptc mission result`: the outcome of a mission of a durable engine.

use std::path::{Path, PathBuf};

use clap::Args;
use ptc_durable::{Client, ClientError, MissionId, Outcome};
use ptc_runner::transcript::{Step, StepJson};
use serde_json::Value as Json;

use crate::engine::{BlobsArg, EngineArg, PATIENCE, asked, noted};
use crate::failure::{Exit, Failure};
use crate::files::{Format, WholeFile};
use crate::{ended, output};

const EXAMPLES: &str = "\
Examples:
  ptc mission result orders/6a1fd10c9b0e4d57                      # waits for its end
  ptc mission result orders/6a1fd10c9b0e4d57 --no-wait            # exit code 4 while it runs
  ptc mission result orders/6a1fd10c9b0e4d57 --json | jq .return
  ptc mission result orders/6a1fd10c9b0e4d57 --record run.jsonl   # for `ptc show run.jsonl`

Exit codes: 0 an answer, 1 the mission failed, 2 wrong usage, or the mission is unknown,
3 a limit stopped it, 4 it still runs (with --no-wait), 130 it was cancelled, or this command was
interrupted.";

/// Show the result of a mission, as `ptc run` shows it.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ResultArgs {
    /// Mission id.
    #[arg(value_name = "ID")]
    id: MissionId,
    /// Print the whole step as one JSON object.
    #[arg(long)]
    json: bool,
    /// Write the record of the run to this file, for `ptc show FILE`.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Overwrite an existing file of any kind with --record.
    #[arg(long)]
    force: bool,
    /// Do not wait: exit with code 4 if the mission is still running.
    #[arg(long)]
    no_wait: bool,
    #[command(flatten)]
    blobs: BlobsArg,
    #[command(flatten)]
    engine: EngineArg,
}

/// Run the command.
pub(crate) fn run(args: &ResultArgs) -> Result<Exit, Failure> {
    let at = |path: &Path| WholeFile::at(path, Format::RECORD, args.force);
    let record = args.record.as_deref().map(at).transpose()?;
    let client = args.engine.client()?;
    asked(async {
        if !args.no_wait {
            return awaited(&client, &args.id, &args.blobs, args.json, record.as_ref()).await;
        }
        match client.outcome(&args.id).await {
            Ok(Some(outcome)) => print(&args.id, outcome, &args.blobs, args.json, record.as_ref()).await,
            Err(error) => failed(error),
            Ok(None) => {
                let command = args.engine.proposed("ptc mission status", &[&args.id.to_string()]);
                let before = command.before().map(|before| format!("before that, {before}"));
                output::notes(&[format!("{} still runs; see `{command}`", args.id)]);
                output::notes(before.as_slice());
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
    json: bool,
    file: Option<&WholeFile>,
) -> Result<Exit, Failure> {
    noted(client, id).await;
    match client.wait(id, PATIENCE).await {
        Ok(outcome) => print(id, outcome, blobs, json, file).await,
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
    json: bool,
    file: Option<&WholeFile>,
) -> Result<Exit, Failure> {
    let (record, step) = step(id, outcome, blobs).await?;
    if let Some(file) = file {
        file.write(&record)?;
    }
    let text = json.then(|| ended::json(&step)).transpose()?;
    output::seen(output::print(|out| match &text {
        Some(text) => writeln!(out, "{text}"),
        None => ended::answer(&step, out),
    }))?;
    ended::remarks(&step, json).iter().for_each(|line| output::indented(line));
    Ok(ended::exit(&step, None))
}

/// The record of the run, and its step. Workers of older releases kept the step, which is then its own record.
pub(crate) async fn step(id: &MissionId, mut outcome: Outcome, blobs: &BlobsArg) -> Result<(String, Step), Failure> {
    let told = |problem: String| format!("the run of {id} cannot be read: {problem}; use the `ptc` of its workers");
    let (stored, old) = match (outcome.record.take(), outcome.step.take()) {
        (Some(record), _) => (record, false),
        (None, Some(step)) => (step, true),
        (None, None) => return Err(told("its outcome has no record".to_owned()).into()),
    };
    match blobs.loaded(id, "the record", stored).await? {
        json if old => {
            let text = json.to_string();
            let step = StepJson::parse(&text).and_then(|json| json.into_typed().to_step());
            Ok((text, step.map_err(|error| told(error.to_string()))?))
        }
        Json::String(record) => {
            let step = outcome.step_of(&record).map_err(|error| told(error.to_string()))?;
            Ok((record, step))
        }
        _ => Err(told("its record is not a text".to_owned()).into()),
    }
}
