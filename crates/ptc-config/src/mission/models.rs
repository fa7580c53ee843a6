//! The models that the run of a mission asks.

#[cfg(test)]
mod tests;

use std::path::Path;

use super::MissionFile;
use crate::error::ConfigError;
use crate::model::ModelName;

/// The environment variable that names a model when nothing else does.
const VARIABLE: &str = "PTC_LLM";

/// The models that a run asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunModels {
    /// The model of the mission.
    pub first: ModelName,
    /// Those that its tools and sub-agents name, by what was written. They all are the first one when that was named on
    /// a command line, or when its answers are recorded: then no other model is to be called.
    pub below: Vec<(String, ModelName)>,
}

impl RunModels {
    /// The files of recorded answers.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        std::iter::once(&self.first).chain(self.below.iter().map(|(_, model)| model)).filter_map(ModelName::file)
    }
}

impl MissionFile {
    /// The models of a run: the first one is `given` on a command line, else the mission's `llm`, else its `replay`,
    /// else that of the environment variable `PTC_LLM`.
    ///
    /// Files named in the mission are relative to its folder, others to the current one. Errors when nothing names a
    /// model.
    pub fn models(&self, given: Option<&str>) -> Result<RunModels, ConfigError> {
        self.models_or(given, std::env::var(VARIABLE).ok().as_deref())
    }

    fn models_or(&self, given: Option<&str>, environment: Option<&str>) -> Result<RunModels, ConfigError> {
        let here = |text: &str| ModelName::parse(text, Path::new(""));
        let of_mission = |text: &str| ModelName::parse(text, &self.folder);
        let first = given
            .map(here)
            .or_else(|| self.agent.llm.as_deref().map(of_mission))
            .or_else(|| self.replay.clone().map(ModelName::Replay))
            .or_else(|| environment.filter(|text| !text.trim().is_empty()).map(here))
            .ok_or_else(|| ConfigError::NoModel { file: self.path.clone() })?;
        let stands_for_all = given.is_some() || first.file().is_some();
        let below = |name: &str| if stands_for_all { first.clone() } else { of_mission(name) };
        let below = self.llm_names().into_iter().map(|name| (name.to_owned(), below(name))).collect();
        Ok(RunModels { first, below })
    }
}
