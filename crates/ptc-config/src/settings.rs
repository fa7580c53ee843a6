//! Settings: what commands do when neither a flag nor a mission says it, from the user's own file and from the
//! `ptc.toml` next to a mission or above it.

mod find;
mod keys;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use serde::Serialize;
use serde_json::Value as Json;

use crate::document::Document;
use crate::error::ConfigError;
use crate::mission::Keep;
use crate::model::ModelName;
use crate::place::{Place, named};

pub use find::SettingsFiles;
pub use keys::{Allowed, SettingKey};

/// What the files of settings say: for each key the value that holds, and where it is written.
///
/// The user's own file may set every key. A `ptc.toml` can come with a folder that was copied from somewhere, so it says
/// nothing about which model is asked, and makes approvals only stricter; for its other keys it wins over the user's file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Settings {
    /// The model of runs for which nothing else names one.
    pub model: Option<Given<String>>,
    /// What tokens cost, as `--prices` takes it; the name of a file starts from the folder of the settings.
    pub prices: Option<Given<String>>,
    /// How many runs `ptc run` keeps.
    pub keep: Option<Given<Keep>>,
    /// How many runs of a batch or of an evaluation are in progress at once.
    pub jobs: Option<Given<u32>>,
    /// What happens to calls that need approval.
    pub approve: Option<Given<ApproveSetting>>,
}

/// A value of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Given<T> {
    /// The value.
    pub value: T,
    /// Where it is written.
    pub place: Box<Place>,
}

/// What happens to calls that need approval, the loosest first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ApproveSetting {
    /// All of them may run.
    All,
    /// The person at the terminal is asked about each.
    #[default]
    Ask,
    /// None of them may run.
    None,
}

impl ApproveSetting {
    /// The value in files.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            ApproveSetting::All => "all",
            ApproveSetting::Ask => "ask",
            ApproveSetting::None => "none",
        }
    }
}

impl Settings {
    /// Every key, with where it may be written.
    pub const KEYS: &[SettingKey] = &keys::KEYS;

    /// The settings of this user for missions in `folder`: those of the files that [`SettingsFiles::find`] finds.
    pub fn load(folder: impl Into<PathBuf>) -> Result<Settings, ConfigError> {
        SettingsFiles::find(folder).read()
    }

    /// The model that is asked when nothing else names one.
    #[must_use]
    pub fn model(&self) -> Option<ModelName> {
        let model = self.model.as_ref()?;
        Some(ModelName::parse(&model.value, model.place.folder()))
    }

    /// How many runs are kept.
    #[must_use]
    pub fn keep(&self) -> Keep {
        self.keep.as_ref().map(|given| given.value).unwrap_or_default()
    }

    /// How many runs are in progress at once; `otherwise` when no file says it.
    #[must_use]
    pub fn jobs(&self, otherwise: u32) -> u32 {
        self.jobs.as_ref().map_or(otherwise, |given| given.value)
    }

    /// What happens to calls that need approval.
    #[must_use]
    pub fn approve(&self) -> ApproveSetting {
        self.approve.as_ref().map(|given| given.value).unwrap_or_default()
    }

    /// What one file says.
    fn of_file(document: &Document<'_>, whose: &Whose<'_>) -> Result<Settings, ConfigError> {
        let parsed = document.parse()?;
        let mut settings = Settings::default();
        let table = document.section(&parsed);
        for (name, place, item) in table.entries() {
            keys::check(name, place, whose, table)?.read(item, &mut settings)?;
        }
        Ok(settings)
    }

    /// These of a user, with those of a `ptc.toml` above them.
    fn under(self, project: Settings) -> Result<Settings, ConfigError> {
        let approve = match project.approve {
            Some(wanted) if wanted.value < self.approve() => {
                let by = self.approve.as_ref().map_or_else(
                    || "what holds by default".to_owned(),
                    |given| format!("what {} says", named(&given.place.file)),
                );
                let (given, holds) = (wanted.value.as_str(), self.approve().as_str());
                return Err(ConfigError::LooserApproval { place: wanted.place, given, holds, by });
            }
            stricter => stricter.or(self.approve),
        };
        Ok(Settings {
            model: self.model,
            prices: project.prices.or(self.prices),
            keep: project.keep.or(self.keep),
            jobs: project.jobs.or(self.jobs),
            approve,
        })
    }
}

/// Whose file is read.
enum Whose<'a> {
    User,
    /// A `ptc.toml`; the user's own file, where there can be one.
    Project(Option<&'a std::path::Path>),
}

/// A value that holds, as JSON, and where it is written; none for one that no file has.
type Shown<'s> = Option<(Json, &'s Place)>;
