//! Which model a run talks to.

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ptc_runner::agent::LlmRegistry;
use ptc_runner::chat::{Llm, ReplayLlm};
use ptc_runner::config::MissionFile;
use ptc_runner::transcript::Recorded;

use super::failure::RunFailure;
use super::logs::Logs;
use crate::failure::Failure;
use crate::output;

/// A model that somebody named.
#[derive(Debug, PartialEq)]
pub(crate) enum Choice {
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

/// What somebody wrote; files start from `folder`.
pub(crate) fn named(spec: &str, folder: &Path) -> Choice {
    match spec.strip_prefix("replay:") {
        Some(file) => Choice::Replay(folder.join(file)),
        None => Choice::Model(spec.to_owned()),
    }
}

/// The model itself; nothing is asked yet. Recorded answers begin behind those that a run was given before it was
/// stopped.
pub(crate) fn connect(choice: &Choice, stopped: Option<&Recorded>) -> Result<Arc<dyn Llm>, Failure> {
    match choice {
        Choice::Replay(file) => {
            let replay = ReplayLlm::open(file)?;
            if let Some(stopped) = stopped {
                go_on_after(stopped, &replay, file);
            }
            Ok(Arc::new(replay))
        }
        Choice::Model(spec) => Ok(ptc_runner::llm::connect(spec)?),
    }
}

/// The file may hold the whole run or the rest of it: say which it is.
fn go_on_after(stopped: &Recorded, replay: &ReplayLlm, file: &Path) {
    let tools: Vec<&str> = stopped.header().tools.iter().map(|tool| tool.name.as_str()).collect();
    let file = file.display();
    match replay.go_on_after(stopped.asked(), &tools) {
        _ if stopped.asked().is_empty() => {}
        0 => output::notes(&[format!(
            "{file} does not begin with answers of the journal: it is used from its first line on"
        )]),
        1 => output::notes(&[format!("the first answer of {file} is in the journal: the run goes on behind it")]),
        used => output::notes(&[format!(
            "the first {used} answers of {file} are in the journal: the run goes on behind them"
        )]),
    }
}

/// The files that the models of a run answer from.
pub(super) fn replayed(mission: &MissionFile, is_forced: bool, choice: &Choice) -> Vec<PathBuf> {
    let below = mission
        .llm_names()
        .into_iter()
        .filter(|_| !stands_for_all(is_forced, choice))
        .map(|name| named(name, &mission.folder));
    let files = below.filter_map(|choice| match choice {
        Choice::Replay(file) => Some(file),
        Choice::Model(_) => None,
    });
    let first = match choice {
        Choice::Replay(file) => Some(file.clone()),
        Choice::Model(_) => None,
    };
    first.into_iter().chain(files).collect()
}

/// Whether nobody else is asked than the model of the run.
fn stands_for_all(is_forced: bool, choice: &Choice) -> bool {
    is_forced || matches!(choice, Choice::Replay(_))
}

/// The models that agents below the first one name. They all are the model of the run when that was named on the
/// command line, or when its answers are recorded ones: then nobody else is to be asked.
pub(super) fn registry(
    mission: &MissionFile,
    is_forced: bool,
    choice: &Choice,
    llm: &Arc<dyn Llm>,
    logs: &Logs,
) -> Result<LlmRegistry, Failure> {
    let is_forced = stands_for_all(is_forced, choice);
    let mut models = LlmRegistry::new();
    for name in mission.llm_names() {
        let model =
            if is_forced { Arc::clone(llm) } else { logs.around(connect(&named(name, &mission.folder), None)?) };
        models.insert(name.to_owned(), model);
    }
    Ok(models)
}
