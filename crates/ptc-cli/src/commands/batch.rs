//! `ptc batch`: one mission for each row of a file.

mod args;
#[cfg(feature = "engine")]
mod elsewhere;
mod estimate;
mod progress;
mod rows;
mod summary;

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use ptc_runner::agent::{Agent, CancellationToken, Context, LlmRetry};
use ptc_runner::chat::{Llm, LlmError, LlmErrorKind, fingerprint, llm_fn, shown_addresses};
use ptc_runner::config::{MissionFile, ModelName, RunModels, Settings, read_text};
use ptc_runner::eval::{
    BatchMission, BatchOptions, BatchPlace, BatchReport, BatchResults, BatchRow, BatchStop, PricesOf, RowModels,
    RowState, batch_table, is_rate_of, run_batch,
};
use ptc_runner::lisp::Map;
use ptc_runner::lisp::values::key_text;
use ptc_runner::mcp::HostedServers;
use ptc_runner::trace::replay::{NoPrice, PriceBook};
use serde_json::json;

use super::run::answer::Target;
use super::run::llm::Connect;
use super::run::{ApproveArg, approve, asked, overrides};
use crate::failure::{Exit, Failure};
use crate::output::live;
use crate::signals::listening;
use crate::{data, files, output, seal, trust};
use progress::Progress;

pub(crate) use args::BatchArgs;

/// How long a batch waits for its model when nothing else is said.
const PATIENCE: Duration = Duration::from_secs(15 * 60);

/// The longest wait between two attempts: after a restart of its server, a batch soon continues.
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// Files that a run may have open: its record, its connection, and what its tools need.
const FILES_OF_RUN: u64 = 8;

/// A mission that can be run for each of its rows.
struct Ready {
    mission: MissionFile,
    agent: Agent,
    rows: Vec<BatchRow>,
    data: Map,
    models: RunModels,
    settings: Settings,
    prices: PriceBook,
    /// The MCP servers that the runs share.
    _servers: HostedServers,
}

/// Run the command.
pub(crate) fn run(args: &BatchArgs) -> Result<Exit, Failure> {
    #[cfg(feature = "engine")]
    if let Some(engine) = &args.engine {
        return elsewhere::run(args, engine);
    }
    let mut ready = ready(args)?;
    if args.dry_run {
        return estimate::run(args, &ready);
    }
    let model = Connect { timeout: args.asked.timeout }.all(&ready.models)?.0;
    let prices = prices(args, &ready, model.as_ref())?;
    let names: Vec<&str> = std::iter::once(model.name()).chain(ready.mission.llm_names()).collect();
    for (name, _) in &args.rate {
        if !names.iter().any(|model| is_rate_of(name, model)) {
            let known = names.join("`, `");
            return Err(format!("--rate {name}: the batch uses no such model; it uses `{known}`").into());
        }
    }
    let mut run = ready.mission.run_options().seed(args.seed);
    run.approval = approve::given(ApproveArg::or(args.approve, &ready.settings), &ready.agent)?;
    let mission = BatchMission {
        agent: ready.agent.clone(),
        data: ready.data.clone(),
        run,
        models: models(args, &ready.models)?,
        prices,
        rates: args.rate.clone(),
    };
    let context = ready.rows.first().map(|row| ready.context(row)).unwrap_or_default();
    output::remarks(&ready.agent.check(&context));
    let answers: Vec<(&'static str, &Path)> = ready.models.files().map(|file| ("its recorded answers", file)).collect();
    let tables = tables(args, &answers)?;
    let work = Work {
        jobs: jobs(args, &ready.settings),
        model: model.name().to_owned(),
        prices: ready.prices.clone(),
        patience: ready.mission.agent.llm_retry.as_ref().and_then(|retry| retry.patience),
        rows: std::mem::take(&mut ready.rows),
        place: BatchPlace::Here(Box::new(mission)),
        tables,
    };
    work.go(args)
}

impl Ready {
    /// The data of a row.
    fn context(&self, row: &BatchRow) -> Context {
        Context::from_map(data::merged(&self.data, &row.inputs))
    }
}

/// Rows, and where their runs are made.
struct Work {
    jobs: u32,
    model: String,
    prices: PriceBook,
    /// How long the model may be away.
    patience: Option<Duration>,
    rows: Vec<BatchRow>,
    place: BatchPlace,
    tables: Vec<Target>,
}

impl Work {
    /// Run the rows, and print the summary.
    fn go(self, args: &BatchArgs) -> Result<Exit, Failure> {
        let Work { jobs, model, prices, patience, rows, place, tables } = self;
        let (path, version) = (args.results(), version(args)?);
        let results = BatchResults::open(&path, &model, &version)?;
        output::notes(&results.note().into_iter().collect::<Vec<_>>());
        let results = if args.no_keep { results } else { results.keeping_runs()? };
        seal::allow_files(u64::from(jobs) * FILES_OF_RUN + 256);
        let all = rows.len();
        let rows = match args.sample {
            Some(wanted) => data::sampled(rows, wanted as usize),
            None => rows,
        };
        let progress = Arc::new(Progress::new(args.quiet, &rows, &results, &args.retry()));
        progress.begin();
        let (told, troubled) = (Arc::clone(&progress), Arc::clone(&progress));
        let options = BatchOptions {
            model,
            version,
            jobs: jobs as usize,
            max_usd: args.max_usd,
            max_tokens: args.max_tokens,
            patience: patience.unwrap_or(Duration::from_secs(60)),
            retry: args.retry(),
            cancel: CancellationToken::new(),
            on_row: Some(Arc::new(move |result| told.row(result))),
            on_trouble: Some(Arc::new(move |why| troubled.trouble(why))),
        };
        let (report, signal) = listening(&options.cancel.clone(), run_batch(place, rows, results, &options))?;
        live::clear();
        let report = report?;
        let found = batch_table(&BatchResults::read(&path)?);
        tables.iter().try_for_each(|table| table.write_value(&found))?;
        if args.json {
            output::json(&report)?;
        } else {
            let about = summary::About {
                all,
                path: &path,
                tables: args.tables().collect(),
                model: &options.model,
                prices: &prices,
            };
            output::print(|out| summary::write(&report, &about, out))?;
        }
        Ok(exit(&report, signal))
    }
}

/// Runs in progress when nothing else is said.
const JOBS: u32 = 8;

fn jobs(args: &BatchArgs, settings: &Settings) -> u32 {
    args.jobs.unwrap_or_else(|| settings.jobs(JOBS))
}

fn exit(report: &BatchReport, signal: Option<Exit>) -> Exit {
    match &report.stop {
        Some(BatchStop::Budget(_)) => Exit::Limit,
        Some(BatchStop::Cancelled) => signal.unwrap_or(Exit::Interrupted),
        Some(_) => Exit::NotYet,
        None if report.count(RowState::Ok) == report.rows => Exit::Ok,
        None => Exit::Failed,
    }
}

/// Read and check everything that can be refused before a model is asked.
fn ready(args: &BatchArgs) -> Result<Ready, Failure> {
    let mut mission = asked::mission(&args.asked, None)?;
    let settings = Settings::load(&mission.folder)?;
    let prices = args.prices.book(&settings)?;
    output::notes(&mission.notes);
    let rows = rows::read(&args.each, Some(&mission))?;
    mission.change_agents(|agent| {
        agent
            .llm_retry
            .get_or_insert_with(|| LlmRetry { max_delay: LONGEST_WAIT, ..LlmRetry::default() }.for_time(PATIENCE));
    });
    // As the first row fills it, the mission is checked.
    let own = mission.data.clone();
    if let Some(first) = rows.first() {
        for (key, value) in first.inputs.iter() {
            mission.data.insert(key_text(key), value.clone());
        }
    }
    let given: Vec<String> =
        args.asked.set.iter().filter_map(|set| Some(set.split_once('=')?.0.trim().to_owned())).collect();
    if let Some(missing) = mission.missing_inputs().into_iter().find(|missing| !given.contains(&missing.name)) {
        let (each, name) = (&args.each, missing.name);
        return Err(format!(
            "--each {each}: the mission requires `{name}`, and its columns are {}: rename one, or give all rows the same with --set {name}=…",
            rows::columns(&rows)
        )
        .into());
    }
    overrides::apply(&mut mission, &args.asked)?;
    trust::ask(&mut mission)?;
    let servers = mission.connect_hosted()?;
    output::notes(&mission.server_problems());
    let agent = mission.build_agent(&mission.limits())?;
    let models = mission.models_with(args.asked.llm.as_deref(), &settings)?;
    // What `--set` gives stays, what the row gave does not.
    mission.data.retain(|name, _| own.contains_key(name) || given.contains(name));
    for (name, value) in own {
        if !given.contains(&name) {
            mission.data.insert(name, value);
        }
    }
    let data = mission.data_map();
    Ok(Ready { mission, agent, rows, data, models, settings, prices, _servers: servers })
}

/// The models of each run. Recorded answers begin from the start in each of them.
fn models(args: &BatchArgs, models: &RunModels) -> Result<Arc<dyn Fn() -> RowModels + Send + Sync>, Failure> {
    let connect = Connect { timeout: args.asked.timeout };
    let shared = connect.all(models)?;
    let names = models.clone();
    let is_recorded = matches!(models.first, ModelName::Replay(_));
    Ok(Arc::new(move || match is_recorded.then(|| connect.all(&names)) {
        None => shared.clone(),
        Some(Ok(models)) => models,
        // The file was there a moment ago.
        Some(Err(failure)) => {
            let problem = LlmError::new(LlmErrorKind::ConfigError, failure.to_string());
            let gone: Arc<dyn Llm> = Arc::new(llm_fn("recorded answers", move |_| Err(problem.clone())));
            let below = names.below.iter().map(|(name, _)| (name.clone(), Arc::clone(&gone))).collect();
            (gone, below)
        }
    }))
}

/// What models cost. Errors when a limit in USD needs a price that nobody knows.
fn prices(args: &BatchArgs, ready: &Ready, model: &dyn Llm) -> Result<PricesOf, Failure> {
    if args.max_usd.is_some() {
        let below = ready.models.below.iter().map(|(name, _)| name.as_str());
        for name in std::iter::once(model.name()).chain(below.filter(|_| args.asked.llm.is_none())) {
            if ready.prices.of_run(name).is_none() {
                let missing = NoPrice { model: shown_addresses(name) };
                return Err(format!("--max-usd needs prices: {missing}").into());
            }
        }
    }
    let book = ready.prices.clone();
    Ok(Arc::new(move |model| book.of_run(model).cloned()))
}

/// What decides, besides the rows and the model, what a row is asked.
fn version(args: &BatchArgs) -> Result<String, Failure> {
    let asked = &args.asked;
    let text = if asked.mission.is_file() { read_text(&asked.mission)? } else { asked.mission.display().to_string() };
    let parts = json!([
        text,
        asked.data,
        asked.tool,
        asked.mcp,
        asked.returns,
        asked.compression,
        asked.language_spec,
        asked.max_turns,
        asked.set,
        asked.limit,
        args.seed
    ]);
    Ok(fingerprint(&parts)?)
}

/// The files of `--out` besides the results, with their formats. Errors when one is a file that the command reads.
fn tables(args: &BatchArgs, read: &[(&'static str, &Path)]) -> Result<Vec<Target>, Failure> {
    let results = args.results();
    let outputs: Vec<(&'static str, Option<&Path>)> =
        args.tables().map(|path| ("--out", Some(path.as_path()))).chain([("--out", Some(results.as_path()))]).collect();
    let own = [("the mission", args.asked.mission.as_path()), ("the rows", Path::new(&args.each))];
    files::apart(&outputs, &[&own, read].concat())?;
    args.tables().map(|path| Target::new(path, args.force || is_table(path))).collect()
}

/// Whether a file is a table that a batch wrote: its columns are named at one of its ends.
fn is_table(path: &Path) -> bool {
    const LOOKED_AT: u64 = 1 << 16;
    let ends = || -> std::io::Result<Vec<u8>> {
        let mut file = File::open(path)?;
        let mut found = Vec::new();
        file.by_ref().take(LOOKED_AT).read_to_end(&mut found)?;
        file.seek(SeekFrom::Start(file.metadata()?.len().saturating_sub(LOOKED_AT)))?;
        file.take(LOOKED_AT).read_to_end(&mut found)?;
        Ok(found)
    };
    let found = ends().unwrap_or_default();
    path.is_file()
        && [b"run_row".as_slice(), b"run_state"].iter().all(|name| found.windows(name.len()).any(|part| part == *name))
}
