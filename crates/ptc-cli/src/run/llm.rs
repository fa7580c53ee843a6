//! Which model a run talks to.

#[cfg(test)]
mod tests;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ptc_runner::chat::{Llm, RecordingLlm, ReplayLlm, RequestLog};
use ptc_runner::config::MissionFile;

use super::{RunArgs, RunFailure};
use crate::failure::Failure;

/// A model that somebody named.
#[derive(Debug, PartialEq)]
pub(super) enum Choice {
    /// Recorded answers.
    Replay(PathBuf),
    /// A provider or a server, as its adapter takes it.
    Model(String),
}

/// The model: `--llm`, else the mission's `llm`, else its `replay`, else `PTC_LLM`.
///
/// Files named in the mission start from its folder, others from here.
pub(super) fn choose(flag: Option<&str>, mission: &MissionFile, environment: Option<&str>) -> Result<Choice, Failure> {
    if let Some(spec) = flag {
        return Ok(named(spec, Path::new("")));
    }
    if let Some(spec) = &mission.agent.llm {
        return Ok(named(spec, &mission.folder));
    }
    if let Some(file) = &mission.replay {
        return Ok(Choice::Replay(file.clone()));
    }
    match environment.filter(|spec| !spec.trim().is_empty()) {
        Some(spec) => Ok(named(spec, Path::new(""))),
        None => Err(RunFailure::NoLlm { mission: mission.path.clone() }.into()),
    }
}

fn named(spec: &str, folder: &Path) -> Choice {
    match spec.strip_prefix("replay:") {
        Some(file) => Choice::Replay(folder.join(file)),
        None => Choice::Model(spec.to_owned()),
    }
}

/// The model itself; nothing is asked yet.
pub(super) fn connect(choice: &Choice) -> Result<Arc<dyn Llm>, Failure> {
    match choice {
        Choice::Replay(file) => Ok(Arc::new(ReplayLlm::open(file).map_err(RunFailure::from)?)),
        Choice::Model(spec) => Ok(ptc_runner::llm::connect(spec).map_err(RunFailure::from)?),
    }
}

/// The model with `--record` and `--requests` around it; their files are emptied.
pub(super) fn wrapped(llm: Arc<dyn Llm>, args: &RunArgs) -> Result<Arc<dyn Llm>, Failure> {
    let create = |path: &Path| File::create(path).map_err(|source| Failure::Unwritable { path: path.to_owned(), source });
    let llm: Arc<dyn Llm> = match &args.record {
        Some(path) => Arc::new(RecordingLlm::new(llm, create(path)?)),
        None => llm,
    };
    match &args.requests {
        Some(path) => Ok(Arc::new(RequestLog::new(llm, create(path)?))),
        None => Ok(llm),
    }
}
