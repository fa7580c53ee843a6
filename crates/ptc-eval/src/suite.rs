//! A suite: a folder with `suite.toml`, a file of cases for each level, and recordings.

mod questions;
mod read;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ptc_agent::RunOptions;
use ptc_chat::{Llm, Request, ScriptedLlm};
use ptc_config::{ConfigError, MissionFile};
use ptc_lisp::Value;
use ptc_transcript::{ValueForm, json_of};

use crate::case::Case;
use crate::datasets::DataSets;
use crate::error::EvalError;
use crate::options::EvalOptions;
use crate::variant::{Mode, Variant};

pub use questions::SuiteMission;

/// A suite, read and checked as a whole.
#[derive(Debug, Clone)]
pub struct Suite {
    /// Its folder.
    pub folder: PathBuf,
    /// Its title in reports.
    pub title: String,
    /// The model's role, as the first words of every system text.
    pub role: Option<String>,
    /// Seed of the generated data.
    pub seed: u64,
    /// The names of its levels, in order.
    pub levels: Vec<String>,
    /// All cases, in the order of levels and files.
    pub cases: Vec<Case>,
    /// The missions that each question can be asked with, where the suite has a table of questions.
    pub missions: Vec<SuiteMission>,
    /// The tools that judge answers, if there are any.
    pub judging: Option<MissionFile>,
    /// The generated data.
    pub sets: DataSets,
    /// Remarks on its tables.
    pub notes: Vec<String>,
}

impl Suite {
    /// Read the suite in a folder and generate its data.
    ///
    /// Errors name file, line and column and say what to write instead.
    pub fn load(folder: impl AsRef<Path>) -> Result<Suite, ConfigError> {
        Suite::load_with(folder, &[])
    }

    /// The same, where questions are asked with these missions instead of those of the suite. A file instead of a folder
    /// is a table of questions.
    pub fn load_with(place: impl AsRef<Path>, missions: &[PathBuf]) -> Result<Suite, ConfigError> {
        read::suite(place.as_ref(), missions)
    }

    /// A suite of one question: a mission with its own data, of which nothing is expected.
    pub fn of_mission(mission: impl AsRef<Path>) -> Result<Suite, ConfigError> {
        read::of_mission(mission.as_ref())
    }

    /// Whether any answer can be wrong.
    #[must_use]
    pub fn has_right_answers(&self) -> bool {
        self.cases.iter().any(Case::is_judged)
    }

    /// The case as it is asked in a way.
    pub(crate) fn asked(&self, case: &Case, variant: &Variant) -> Case {
        let mission = self.missions.iter().find(|mission| Some(&mission.name) == variant.mission.as_ref());
        mission.map_or_else(|| case.clone(), |mission| case.with(mission))
    }

    /// The file with the recorded answers of a case; those with native calls of tools are in a separate one, and those of a
    /// mission of several in a folder of its name.
    #[must_use]
    pub fn recording(&self, case: &Case, mode: Option<Mode>) -> PathBuf {
        let kind = if mode == Some(Mode::NativeTools) { ".tools" } else { "" };
        let mission = case.asked_with.as_deref().filter(|_| self.missions.len() > 1);
        let folder = self.folder.join("recordings").join(mission.unwrap_or_default());
        folder.join(format!("{}{kind}.jsonl", case.name))
    }

    /// The first request of a case in the way of the options, without sending it. Its servers are connected, and closed
    /// again.
    pub async fn preview(&self, case: &Case, options: &EvalOptions) -> Result<Request, EvalError> {
        let case = self.asked(case, &options.variant);
        let mut prepared = case.prepare(self, options, &options.variant).await?;
        prepared.mission.disconnect().await;
        let data = json_of(&Value::Map(prepared.data), ValueForm::Plain);
        let nobody: Arc<dyn Llm> = Arc::new(ScriptedLlm::replies([""; 0]));
        let names = case.mission.llm_names().into_iter().map(|name| (name.to_owned(), Arc::clone(&nobody)));
        let preview = prepared.agent.preview_request(data, &RunOptions::new().llm_registry(names.collect()));
        preview.map_err(|source| case.unusable(source))
    }
}
