//! `--isolate`: each mission in a separate process.
//!
//! The worker starts its command line again for each mission that the engine has it drive. That process reads which one
//! from its standard input, loads it, and bounds its own memory.

use std::path::PathBuf;
use std::process::Command;

use ptc_durable::{HandedInvocation, Worker};
use ptc_runner::agent::CancellationToken;
use ptc_runner::config::MissionFile;

use super::WorkerArgs;
use crate::failure::{Exit, Failure};
use crate::output;
use crate::seal;
use crate::signals::listening;

/// Tells the command that it is the process of a mission.
const MISSION: &str = "PTC_ISOLATED_MISSION";

/// Bytes that a process maps in addition to the memory of programs: the allocator maps a gigabyte ahead.
const BESIDE: u64 = 2 << 30;

/// Bytes that it may map for each byte of the memory limit of programs: definitions, requests and steps are copies.
const FOR_EACH_BYTE: u64 = 8;

/// Whether this process is that of a mission.
pub(super) fn is_mission() -> bool {
    std::env::var_os(MISSION).is_some()
}

/// The worker with a process for each mission.
pub(super) fn isolating(worker: Worker) -> Result<Worker, Failure> {
    if !seal::is_supported() {
        output::notes(&["the memory of the processes is not bounded: this system does not support it".to_owned()]);
    }
    let program = std::env::current_exe()?;
    let args: Vec<_> = std::env::args_os().skip(1).collect();
    Ok(worker.isolate(move || {
        let mut command = Command::new(&program);
        command.args(&args).env(MISSION, "1");
        command
    }))
}

/// Drive the mission that a worker has handed to this process.
pub(super) fn run(args: &WorkerArgs) -> Result<Exit, Failure> {
    let stop = CancellationToken::new();
    let (driven, signal) = listening(&stop, async {
        tokio::select! {
            driven = driven(args) => driven,
            () = stop.cancelled() => Ok(()),
        }
    })?;
    driven?;
    Ok(signal.unwrap_or(Exit::Ok))
}

async fn driven(args: &WorkerArgs) -> Result<(), Failure> {
    let handed = HandedInvocation::receive().await?;
    let file = match args.folder.is_file() {
        true => args.folder.clone(),
        false => args.folder.join(format!("{}.toml", handed.mission())),
    };
    bound(&file)?;
    let worker = super::worker(args, handed.version(), &[file]).await?;
    Ok(worker.drive(handed).await?)
}

/// Bound the memory of this process by what programs of the mission may hold.
fn bound(file: &PathBuf) -> Result<(), Failure> {
    if !seal::is_supported() {
        return Ok(());
    }
    let memory = MissionFile::load(file)?.limits().memory;
    Ok(seal::bound(BESIDE.saturating_add(memory.saturating_mul(FOR_EACH_BYTE)))?)
}
