//! The models that the run of a mission asks.

#[cfg(test)]
mod tests;

use std::fmt;
use std::path::Path;

use super::MissionFile;
use crate::error::ConfigError;
use crate::model::ModelName;
use crate::place::Place;
use crate::settings::Settings;

/// The environment variable that names a model when neither the command line nor the mission does.
const VARIABLE: &str = "PTC_LLM";

/// The models that a run asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunModels {
    /// The model of the mission.
    pub first: ModelName,
    /// What names it.
    pub source: ModelSource,
    /// Those that its tools and sub-agents name, by what was written. They all are the first one when that was named on
    /// a command line, or when its answers are recorded: then no other model is to be called.
    pub below: Vec<(String, ModelName)>,
}

/// What names the model of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelSource {
    /// The command line.
    Given,
    /// `llm` of the mission.
    Mission,
    /// `replay` of the mission.
    Recorded,
    /// The environment variable `PTC_LLM`.
    Variable,
    /// The settings, at this place.
    Settings(Box<Place>),
}

impl fmt::Display for ModelSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ModelSource::Given => f.write_str("--llm"),
            ModelSource::Mission => f.write_str("`llm` of the mission"),
            ModelSource::Recorded => f.write_str("`replay` of the mission"),
            ModelSource::Variable => write!(f, "the environment variable {VARIABLE}"),
            ModelSource::Settings(place) => place.fmt(f),
        }
    }
}

impl RunModels {
    /// The files of recorded answers.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        std::iter::once(&self.first).chain(self.below.iter().map(|(_, model)| model)).filter_map(ModelName::file)
    }
}

/// The model of a run, and what names it: it is `given` on a command line, else the mission's `llm`, else its `replay`,
/// else that of the environment variable `PTC_LLM`, else that of the settings. None when nothing names one.
///
/// Files named in the mission are relative to its folder, those in settings to theirs, others to the current one.
#[must_use]
pub fn model_of(
    mission: Option<&MissionFile>,
    given: Option<&str>,
    settings: &Settings,
) -> Option<(ModelName, ModelSource)> {
    named(mission, given, std::env::var(VARIABLE).ok().as_deref(), settings)
}

fn named(
    mission: Option<&MissionFile>,
    given: Option<&str>,
    environment: Option<&str>,
    settings: &Settings,
) -> Option<(ModelName, ModelSource)> {
    let here = |text: &str| ModelName::parse(text, Path::new(""));
    let of_mission = || {
        let mission = mission?;
        let llm = mission.agent.llm.as_deref().map(|text| ModelName::parse(text, &mission.folder));
        llm.map(|llm| (llm, ModelSource::Mission))
            .or_else(|| mission.replay.clone().map(|file| (ModelName::Replay(file), ModelSource::Recorded)))
    };
    let of_environment = || environment.filter(|text| !text.trim().is_empty()).map(here);
    let of_settings = || Some((settings.model()?, ModelSource::Settings(settings.model.as_ref()?.place.clone())));
    given
        .map(|text| (here(text), ModelSource::Given))
        .or_else(of_mission)
        .or_else(|| of_environment().map(|model| (model, ModelSource::Variable)))
        .or_else(of_settings)
}

impl MissionFile {
    /// The models of a run, without settings; see [`model_of`]. Errors when nothing names a model.
    pub fn models(&self, given: Option<&str>) -> Result<RunModels, ConfigError> {
        self.models_with(given, &Settings::default())
    }

    /// The models of a run; see [`model_of`]. Errors when nothing names a model.
    pub fn models_with(&self, given: Option<&str>, settings: &Settings) -> Result<RunModels, ConfigError> {
        self.models_of(model_of(Some(self), given, settings))
    }

    fn models_of(&self, first: Option<(ModelName, ModelSource)>) -> Result<RunModels, ConfigError> {
        let (first, source) = first.ok_or_else(|| ConfigError::NoModel { file: self.path.clone() })?;
        let stands_for_all = source == ModelSource::Given || first.file().is_some();
        let below = |name: &str| {
            if stands_for_all { first.clone() } else { ModelName::parse(name, &self.folder) }
        };
        let below = self.llm_names().into_iter().map(|name| (name.to_owned(), below(name))).collect();
        Ok(RunModels { first, source, below })
    }
}
