//! A batch on the workers of a durable engine, which continues although this command ends.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use ptc_durable::{Client, ClientError, MissionId, Outcome, Submission};
use ptc_runner::chat::shown_address;
use ptc_runner::config::{MissionFile, Settings};
use ptc_runner::eval::{BatchPlace, BatchRow, BatchStop, RowEnd, RowState};
use ptc_runner::lisp::values::key_text;
use ptc_runner::trace::replay::PriceBook;
use ptc_runner::transcript::{Recorded, ValueForm, json_of};
use serde_json::{Map as JsonMap, Value as Json};

use super::{BatchArgs, Work, jobs, rows, tables, version};
use crate::commands::mission::{recorded_step, travelling};
use crate::commands::run::overrides;
use crate::engine::{BlobsArg, PATIENCE};
use crate::failure::{Exit, Failure};

/// Run the command with this engine.
pub(super) fn run(args: &BatchArgs, engine: &str) -> Result<Exit, Failure> {
    let path = &args.asked.mission;
    let file = path.is_file().then(|| MissionFile::load(path)).transpose()?;
    let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
    let id: MissionId = format!("{name}/check")
        .parse()
        .map_err(|_| format!("'{name}' cannot be the name of a mission: write letters, digits, `-` and `_`"))?;
    drop(id);
    let settings = Settings::load(path.parent().unwrap_or(Path::new("")))?;
    let rows = rows::read(&args.each, file.as_ref())?;
    let mut given = JsonMap::new();
    for entry in &args.asked.set {
        let (key, value) = overrides::entry(entry, file.as_ref())?;
        given.insert(key, json_of(&value, ValueForm::Plain));
    }
    let elsewhere = Arc::new(Elsewhere {
        client: Client::new(engine)?,
        name,
        // Another version of the mission or of the options is other work.
        version: version(args)?.chars().take(8).collect(),
        given,
        seed: args.seed,
        prices: args.prices.book(&settings)?,
        blobs: args.blobs.clone(),
    });
    let place = BatchPlace::Elsewhere(Arc::new(move |row: BatchRow, attempt: u32| {
        let elsewhere = Arc::clone(&elsewhere);
        Box::pin(async move { elsewhere.row(&row, attempt).await })
    }));
    let model = format!("the workers of {}", shown_address(engine));
    Work {
        jobs: jobs(args, &settings),
        model,
        prices: args.prices.book(&settings)?,
        patience: Some(PATIENCE),
        rows,
        place,
        tables: tables(args, &[])?,
    }
    .go(args)
}

struct Elsewhere {
    client: Client,
    /// The name of the mission.
    name: String,
    version: String,
    /// What `--set` gives all rows.
    given: JsonMap<String, Json>,
    seed: u64,
    prices: PriceBook,
    blobs: BlobsArg,
}

impl Elsewhere {
    /// Submit a row, which starts it once however often that is done, and wait for its end.
    async fn row(&self, row: &BatchRow, attempt: u32) -> RowEnd {
        let began = Instant::now();
        let end = match self.outcome(row, attempt).await {
            Ok((id, outcome)) => self.end(&id, outcome).await,
            Err(Lost::Engine(error)) => engine_end(&error),
            Err(Lost::Refused(problem)) => Ok(refused(problem)),
        };
        let end = end.unwrap_or_else(|failure| refused(failure.to_string()));
        RowEnd { duration_ms: u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX), ..end }
    }

    async fn outcome(&self, row: &BatchRow, attempt: u32) -> Result<(MissionId, Outcome), Lost> {
        let key = format!("{}-{}-{attempt}", self.version, row.key);
        let id: MissionId = format!("{}/{key}", self.name)
            .parse()
            .map_err(|_| Lost::Refused(format!("'{key}' cannot be a key of a mission")))?;
        let mut data = self.given.clone();
        data.extend(row.inputs.iter().map(|(name, value)| (key_text(name), json_of(value, ValueForm::Plain))));
        let mut submission = Submission { seed: Some(self.seed), ..Submission::default() };
        let sent = travelling(&self.blobs, data).await.map_err(|failure| Lost::Refused(failure.to_string()))?;
        (submission.data, submission.stored_data) = sent;
        match self.client.submit(&id, &submission).await {
            // By this command, before it was stopped.
            Ok(()) | Err(ClientError::AlreadySubmitted { .. }) => {}
            Err(error) => return Err(Lost::Engine(error)),
        }
        let outcome = self.client.wait(&id, PATIENCE).await.map_err(Lost::Engine)?;
        Ok((id, outcome))
    }

    /// What the record of a run says of its end.
    async fn end(&self, id: &MissionId, outcome: Outcome) -> Result<RowEnd, Failure> {
        let (record, step) = recorded_step(id, outcome, &self.blobs).await?;
        let recorded = Recorded::read(record.as_bytes())?;
        let mut end = RowEnd::of_step(&step);
        // The engine does not continue what was cancelled there.
        if end.state == RowState::Stopped {
            end.state = RowState::Failed;
        }
        let mut usd = Some(0.0);
        for (model, tokens) in recorded.iter().flat_map(Recorded::tokens_by_model) {
            end.tokens.add(&tokens);
            usd = usd.zip(self.prices.of_run(model)).map(|(usd, prices)| usd + prices.cost(&tokens));
        }
        end.usd = usd.filter(|_| end.tokens.total() > 0);
        end.requests = step.usage.llm_requests.unwrap_or_default().max(1);
        Ok(end)
    }
}

/// Why an outcome is missing.
enum Lost {
    Engine(ClientError),
    Refused(String),
}

/// A mission that the engine has ended has failed; where the engine cannot be asked, other rows cannot be either.
fn engine_end(error: &ClientError) -> Result<RowEnd, Failure> {
    let message = Some(error.to_string());
    if matches!(error, ClientError::Stopped { .. }) {
        let reason = Some("stopped".to_owned());
        return Ok(RowEnd { state: RowState::Failed, reason, message, requests: 1, ..RowEnd::default() });
    }
    Ok(RowEnd { message, stop: Some(BatchStop::Unreachable(error.to_string())), ..RowEnd::default() })
}

fn refused(problem: String) -> RowEnd {
    let reason = Some("refused".to_owned());
    RowEnd { state: RowState::Failed, reason, message: Some(problem), ..RowEnd::default() }
}
