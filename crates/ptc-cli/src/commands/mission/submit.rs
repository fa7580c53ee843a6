//! `ptc mission submit`: starts a mission on the workers of a durable engine.

use std::path::Path;

use clap::Args;
use ptc_durable::{Blob, INLINE_BYTES, MissionId, Submission};
use ptc_runner::config::MissionFile;
use ptc_runner::lisp::Value;
use ptc_runner::lisp::values::key_name;
use ptc_runner::transcript::{ValueForm, json_of};
use serde_json::{Map as JsonMap, Value as Json, json};

use super::result;
use crate::args::whole;
use crate::commands::run::overrides;
use crate::engine::{BlobsArg, EngineArg, asked};
use crate::failure::{Exit, Failure};
use crate::{data, output};

const EXAMPLES: &str = "\
Examples:
  ptc mission submit orders --set limit=250               # prints the id, such as orders/6a1fd10c9b0e4d57
  ptc mission submit missions/orders.toml --set limit=250 # also checks its inputs here
  ptc mission submit orders --key 2026-11-26 --wait       # shows its outcome, as `ptc run` does
  ptc mission submit orders --data orders=orders.csv --blobs /srv/blobs
  PTC_ENGINE=http://engine:8080 ptc mission submit orders

Exit codes: 0 ok, 2 wrong usage, or the engine refuses it; with --wait those of `ptc run`.";

/// Start a mission on the workers of a durable engine (`ptc worker`).
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SubmitArgs {
    /// The name under which workers serve the mission, or the path of its file.
    mission: String,
    /// A data entry; VALUE is JSON, else the text itself.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Data from a file (.json, .jsonl, .csv, .txt, .md, each also with .gz) or as JSON; without NAME a JSON object is all of
    /// `data/`.
    #[arg(long, value_name = "FILE|NAME=FILE|NAME=JSON")]
    data: Vec<String>,
    /// Idempotency key: letters, digits, `-` and `_`. Submitting the same key again starts nothing.
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
    /// Seed of random numbers; derived from the key by default.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u64>(0))]
    seed: Option<u64>,
    /// Tenant, for fair rate limiting.
    #[arg(long, value_name = "NAME")]
    tenant: Option<String>,
    /// Wait until the mission ends and show its result, as `ptc mission result` does.
    #[arg(long)]
    wait: bool,
    /// Print JSON: the id, or with --wait the step.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    blobs: BlobsArg,
    #[command(flatten)]
    engine: EngineArg,
}

/// Run the command.
pub(crate) fn run(args: &SubmitArgs) -> Result<Exit, Failure> {
    let (id, file) = named(args)?;
    let data = entries(args, file.as_ref())?;
    let client = args.engine.client()?;
    asked(async {
        let mut submission = Submission { seed: args.seed, tenant: args.tenant.clone(), ..Submission::default() };
        (submission.data, submission.stored_data) = travelling(&args.blobs, data).await?;
        client.submit(&id, &submission).await?;
        if !args.wait {
            let line = if args.json { json!({"id": id.to_string()}).to_string() } else { id.to_string() };
            output::print(|out| writeln!(out, "{line}"))?;
            return Ok(Exit::Ok);
        }
        output::notes(&[format!("submitted as {id}")]);
        result::awaited(&client, &id, &args.blobs, args.json, None).await
    })
}

/// The id of the new mission, and its file when that is there.
fn named(args: &SubmitArgs) -> Result<(MissionId, Option<MissionFile>), Failure> {
    let path = Path::new(&args.mission);
    let is_path = path.components().count() > 1 || path.extension().is_some_and(|extension| extension == "toml");
    let name = path.file_stem().filter(|_| is_path).and_then(|name| name.to_str()).unwrap_or(&args.mission);
    let file = (is_path && path.exists()).then(|| MissionFile::load(path)).transpose()?;
    let fresh = MissionId::fresh(name).map_err(|_| plain(name))?;
    let id = match &args.key {
        None => fresh,
        Some(key) => format!("{name}/{key}").parse().map_err(|_| plain(key))?,
    };
    Ok((id, file))
}

fn plain(given: &str) -> String {
    format!("'{given}' cannot be in the id of a mission: its name and its key are letters, digits, `-` and `_`")
}

/// What `--data` and `--set` give, as JSON.
fn entries(args: &SubmitArgs, file: Option<&MissionFile>) -> Result<JsonMap<String, Json>, Failure> {
    let mut entries = JsonMap::new();
    for (key, value) in data::read(&args.data)?.iter() {
        let Some(key) = key_name(key) else { continue };
        overrides::input(&format!("--data {key}"), key, file)?;
        entries.insert(key.to_owned(), plain_json("--data", key, value)?);
    }
    for given in &args.set {
        let (key, value) = overrides::entry(given, file)?;
        entries.insert(key.clone(), plain_json("--set", &key, &value)?);
    }
    Ok(entries)
}

/// Anything that a worker reads back as the same value.
fn plain_json(option: &str, key: &str, value: &Value) -> Result<Json, String> {
    let json = json_of(value, ValueForm::Plain);
    let back = Value::from_json(json.clone());
    let told = "it has a value that JSON does not know, such as an integer beyond 64 bits; write that as a text";
    let typed = |value: &Value| json_of(value, ValueForm::Typed);
    if typed(&back) == typed(value) { Ok(json) } else { Err(format!("{option} {key}: {told}")) }
}

/// Small data inline, large data as a blob.
pub(crate) async fn travelling(
    blobs: &BlobsArg,
    data: JsonMap<String, Json>,
) -> Result<(JsonMap<String, Json>, Option<Blob>), Failure> {
    let bytes = serde_json::to_vec(&data)?;
    if bytes.len() <= INLINE_BYTES {
        return Ok((data, None));
    }
    let Some(blobs) = blobs.open()? else {
        let size = bytes.len();
        return Err(format!(
            "the data has {size} bytes as JSON; more than {INLINE_BYTES} do not travel through the engine: name the blob store of the workers with --blobs DIR or PTC_BLOBS"
        )
        .into());
    };
    Ok((JsonMap::new(), Some(blobs.put(bytes).await?)))
}
