//! `ptc worker`: missions of a folder, driven by a durable engine.

#[cfg(unix)]
mod isolated;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use ptc_durable::{AT_ONCE, Client, Limits, Mission, Registered, Worker, open_blobs};
use ptc_runner::agent::CancellationToken;
use ptc_runner::chat::shown_address;
use ptc_runner::config::{MissionFile, RunModels, Settings, parse_duration};
use ptc_runner::transcript::fingerprint;
use tokio::net::TcpListener;

use super::run::llm::Connect;
use crate::args::{PatienceArg, whole};
use crate::failure::{Exit, Failure, FileFailure};
use crate::output;
use crate::signals::listening;

const EXAMPLES: &str = "\
Examples:
  ptc worker missions                                  # all mission files of the folder, at 127.0.0.1:9080
  ptc worker missions --register http://127.0.0.1:9070 # also registers it with the engine
  ptc worker missions --blobs s3://missions/blobs --limit openai=500,200000 --limit tenant=60";

/// How often the worker registers with the engine, once a second, until it succeeds.
const REGISTERS: u32 = 60;

/// Run the missions of a folder for a durable engine (Restate).
///
/// Each mission file is a service with the name of the file; `ptc mission submit` starts missions, and any worker of the same folder
/// can continue them.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct WorkerArgs {
    /// A folder of mission files, or one mission file.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// The address on which the worker listens for the engine. Only the engine should reach it: anyone who connects can
    /// start missions.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:9080")]
    listen: SocketAddr,
    /// Register the worker with the engine, whose admin API is at this address. Several workers need a common address,
    /// see --advertise: missions stay with the address at which they started.
    #[arg(long, value_name = "URL", env = "PTC_ENGINE_ADMIN", hide_env_values = true)]
    register: Option<String>,
    /// The address at which the engine reaches the worker, or a load balancer of several; http://ADDRESS by default.
    #[arg(long, value_name = "URL", requires = "register")]
    advertise: Option<String>,
    /// Replace the engine's registration of that address; missions that other workers started there fail if they run
    /// differently.
    #[arg(long, requires = "register")]
    force: bool,
    /// The blob store for values that are too large for the engine: a folder, or s3://BUCKET/PREFIX, shared by all
    /// workers.
    #[arg(long, value_name = "PLACE", env = "PTC_BLOBS", default_value = ".ptc/blobs", hide_env_values = true)]
    blobs: String,
    /// The model of all missions, instead of those that they name.
    #[arg(long, value_name = "MODEL")]
    llm: Option<String>,
    /// Name of this version of the missions; a fingerprint of their files and the release by default.
    #[arg(long, value_name = "NAME")]
    label: Option<String>,
    /// Rate limit over all workers, in requests a minute, or requests and tokens: NAME=REQUESTS or
    /// NAME=REQUESTS,TOKENS. NAME is a provider, a model, `tenant` for each tenant or `tenant:NAME`. May be repeated.
    #[arg(long, value_name = "LIMIT")]
    limit: Vec<String>,
    #[command(flatten)]
    patience: PatienceArg,
    /// Maximum number of concurrent missions; further ones wait.
    #[arg(long, value_name = "N", default_value_t = AT_ONCE, allow_negative_numbers = true, value_parser = whole::<usize>(1))]
    missions: usize,
    /// Suspend missions that wait this long; they resume later, from their record.
    #[arg(long, value_name = "TIME", default_value = "1s", allow_hyphen_values = true, value_parser = parse_duration)]
    suspend_after: Duration,
    /// Run each mission in a separate process with bounded memory: if it takes more, or crashes, other missions
    /// continue. Costs the start of a process whenever a mission starts or resumes.
    #[cfg(unix)]
    #[arg(long)]
    isolate: bool,
    /// How long the engine keeps the results of missions.
    #[arg(long, value_name = "TIME", default_value = "168h", allow_hyphen_values = true, value_parser = parse_duration)]
    keep: Duration,
}

/// Run the command.
pub(crate) fn run(args: &WorkerArgs) -> Result<Exit, Failure> {
    #[cfg(unix)]
    if isolated::is_mission() {
        return isolated::run(args);
    }
    let files = mission_files(&args.folder)?;
    let stop = CancellationToken::new();
    let (served, signal) = listening(&stop, served(args, &files, stop.clone()))?;
    served?;
    Ok(signal.unwrap_or(Exit::Ok))
}

/// A worker of the missions in these files.
async fn worker(args: &WorkerArgs, version: &str, files: &[PathBuf]) -> Result<Worker, Failure> {
    let mut limits = Limits::default();
    for limit in &args.limit {
        limits.add(limit)?;
    }
    let mut worker = Worker::new(version, open_blobs(&args.blobs)?)
        .limits(limits)
        .at_once(args.missions)
        .suspend_after(args.suspend_after)
        .keep(args.keep)
        .on_trouble(|trouble| output::notes(&[trouble.to_owned()]));
    for file in files {
        worker = worker.mission(mission(file, args).await?)?;
    }
    Ok(worker)
}

async fn served(args: &WorkerArgs, files: &[PathBuf], stop: CancellationToken) -> Result<(), Failure> {
    let version = args.label.clone().map_or_else(|| version(files), Ok)?;
    let worker = worker(args, &version, files).await?;
    #[cfg(unix)]
    let worker = if args.isolate { isolated::isolating(worker)? } else { worker };
    let listener = TcpListener::bind(args.listen).await;
    let listener =
        listener.map_err(|error| format!("cannot listen at {}: {error}; --listen ADDRESS says where", args.listen))?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    let names: Vec<String> = worker.names().map(str::to_owned).collect();
    output::notes(&[format!("version {version} of {} at http://{address}", names.join(", "))]);
    let serving = tokio::spawn(worker.serve(listener, stop.clone()));
    if let Some(admin) = &args.register {
        let advertised = args.advertise.clone().unwrap_or_else(|| format!("http://{address}"));
        let client = Client::new(admin)?;
        tokio::select! {
            registered = registered(&client, &advertised, args.force) => {
                let registered = registered?;
                output::notes(&[known_as(&registered, &advertised, &names)]);
            }
            () = stop.cancelled() => {}
        }
    }
    serving.await.map_err(|error| error.to_string())?.map_err(|error| error.to_string())?;
    Ok(())
}

/// Register the worker with the engine, even one that is not up yet.
async fn registered(client: &Client, advertised: &str, force: bool) -> Result<Registered, Failure> {
    let mut attempt = 0;
    loop {
        match client.register(advertised, force).await {
            Err(error) if error.is_passing() && attempt < REGISTERS => {
                if attempt == 0 {
                    output::notes(&[format!("{error}; trying for {REGISTERS} s")]);
                }
                attempt += 1;
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
            registered => return Ok(registered?),
        }
    }
}

/// What the engine knows of the worker; for an address that it already knew, what it knew before.
fn known_as(registered: &Registered, advertised: &str, names: &[String]) -> String {
    let advertised = shown_address(advertised);
    let missing: Vec<&str> =
        names.iter().filter(|name| !registered.missions.contains(name)).map(String::as_str).collect();
    match missing.as_slice() {
        [] => format!("the engine has it as {}, and finds it at {advertised}", registered.deployment),
        missing => format!(
            "the engine knew {advertised} before, as {}, and knows nothing of {} there: use a new address for a new version, or --force",
            registered.deployment,
            missing.join(", ")
        ),
    }
}

/// The mission of a file, connected to its models and servers.
async fn mission(file: &Path, args: &WorkerArgs) -> Result<Mission, Failure> {
    let mut mission = MissionFile::load(file)?;
    output::notes(&mission.notes);
    mission.ask_again(args.patience.patience);
    mission.connect().await?;
    output::notes(&mission.server_problems());
    let agent = mission.build_agent(&mission.limits())?;
    let models = mission.models_with(args.llm.as_deref(), &Settings::load(&mission.folder)?)?;
    without_recordings(file, &models)?;
    let first = Connect::default().model(&models.first, None)?;
    let below = models.below.iter().map(|(name, model)| Ok((name.clone(), Connect::default().model(model, None)?)));
    let registry = below.collect::<Result<_, Failure>>()?;
    let name = file.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let options = mission.run_options().llm(first).llm_registry(registry);
    Ok(Mission { name, agent, data: mission.data_map(), options })
}

/// Recorded answers come in order, and many missions and workers have no common order.
fn without_recordings(file: &Path, models: &RunModels) -> Result<(), Failure> {
    match models.files().next() {
        None => Ok(()),
        Some(recording) => Err(format!(
            "{}: a worker needs a model that can be asked, and not the recorded answers of {}; name one by --llm, or by `llm` in the mission",
            file.display(), recording.display()
        )
        .into()),
    }
}

/// All mission files of a folder, in the order of their names.
fn mission_files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    if folder.is_file() {
        return Ok(vec![folder.to_owned()]);
    }
    let unreadable = FileFailure::unreadable(folder);
    let entries = std::fs::read_dir(folder).and_then(|entries| entries.collect::<Result<Vec<_>, _>>());
    let paths = entries.map_err(unreadable)?.into_iter().map(|entry| entry.path());
    let mut files: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|name| name == "toml") && path.is_file()).collect();
    files.sort();
    match files.is_empty() {
        true => Err(format!(
            "{}: there are no mission files here; a worker runs each FILE.toml of its folder",
            folder.display()
        )
        .into()),
        false => Ok(files),
    }
}

/// What the missions are, and what runs them.
fn version(files: &[PathBuf]) -> Result<String, Failure> {
    let mut texts = Vec::new();
    for file in files {
        texts.push(std::fs::read(file).map_err(FileFailure::unreadable(file))?);
    }
    Ok(format!("{}-{}", env!("CARGO_PKG_VERSION"), fingerprint(&texts)?))
}
