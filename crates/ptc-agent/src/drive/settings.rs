//! What the header of a journal says about an agent, in addition to what identifies its mission.

use std::sync::Arc;

use ptc_mission::SystemPromptOptions;
use ptc_transcript::{ChangedSetting, JournalError, JournalHeader, Step, fingerprint};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::agent::Callable;
use crate::machine::{Run, estimated_tokens};
use crate::spec::AgentSpec;

/// A setting too long to be shown when it has changed: its fingerprint is shown instead.
const SYSTEM_TEXT: &str = "system_text";

/// The tool that the run itself answers.
pub(crate) const HISTORY: &str = "history";

/// What a header says about an agent: the options that decide its course, and what else its requests depend on, so that
/// a run which cannot continue can say why. Keys missing from a journal have the defaults of agents.
///
/// Bounds of the whole run, its tokens and its time, are not among them: a run that reached one may have been resumed
/// with more.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Settings {
    #[serde(skip)]
    spec: AgentSpec,
    /// The mission as the model saw it.
    mission: Option<String>,
    /// The run itself answers `tool/history`.
    pub history: bool,
    system_text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    cache: bool,
    /// What the user says after the runs that this one continues.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub follow_up: Option<String>,
    release: String,
}

/// The settings of a run, for the header of its journal.
pub(crate) fn settings_of(run: &Run) -> Result<Json, JournalError> {
    let definition = &run.agent().definition;
    let mut spec = definition.spec.clone();
    spec.context_descriptions.extend(run.facts.setup.received.clone());
    let settings = Settings {
        mission: Some(run.facts.mission.clone()).filter(|mission| *mission != spec.mission),
        history: definition.tools.get(HISTORY).is_some_and(Callable::is_history),
        system_text: Some(run.facts.system.to_string()),
        description: spec.description.clone(),
        cache: run.facts.setup.spec.cache,
        follow_up: run.facts.setup.follow_up.clone(),
        release: env!("CARGO_PKG_VERSION").to_owned(),
        spec,
    };
    settings.written().map_err(|error| JournalError::Unwritable(error.to_string()))
}

/// What both headers say, and say differently.
pub(crate) fn changed_settings(recorded: &JournalHeader, now: &JournalHeader) -> Vec<ChangedSetting> {
    let (Some(recorded), Some(now)) = (recorded.settings.as_object(), now.settings.as_object()) else {
        return Vec::new();
    };
    let differing = now.iter().filter_map(|(name, found)| {
        let recorded = recorded.get(name).filter(|recorded| *recorded != found)?;
        let shown = |value: &Json| match name.as_str() {
            SYSTEM_TEXT => fingerprint(value).map_or(Json::Null, Json::from),
            _ => value.clone(),
        };
        Some(ChangedSetting { name: name.clone(), recorded: shown(recorded), found: shown(found) })
    });
    let mut changed: Vec<ChangedSetting> = differing.collect();
    // Most often another setting is why.
    changed.sort_by_key(|setting| setting.name == SYSTEM_TEXT);
    changed
}

/// Settings with a fingerprint instead of what is too long to keep for each run.
pub(super) fn without_texts(mut settings: Json) -> Result<Json, JournalError> {
    if let Some(text) = settings.get_mut(SYSTEM_TEXT).filter(|text| text.is_string()) {
        *text = Json::String(fingerprint(text)?);
    }
    Ok(settings)
}

impl Settings {
    fn written(&self) -> Result<Json, serde_json::Error> {
        let mut written = serde_json::to_value(self)?;
        for row in AgentSpec::OPTIONS.iter().filter(|row| row.decides_course) {
            if let Some(written) = written.as_object_mut() {
                written.insert(row.name.to_owned(), self.spec.get(row.name)?);
            }
        }
        Ok(written)
    }

    pub fn read(header: &JournalHeader) -> Result<Settings, JournalError> {
        let Json::Object(mut options) = header.settings.clone() else { return Ok(Settings::default()) };
        let wrong = |error: serde_json::Error| JournalError::Value(format!("settings: {error}"));
        let settings = Settings::deserialize(&header.settings).map_err(wrong)?;
        // Here it is the one that the model saw.
        options.remove("mission");
        Ok(Settings { spec: serde_json::from_value(Json::Object(options)).map_err(wrong)?, ..settings })
    }

    /// The description of the agent, as far as settings go.
    pub fn spec(&self) -> AgentSpec {
        let mut spec = self.spec.clone();
        if let Some(text) = &self.system_text {
            // It counts for a ceiling.
            spec.system_prompt = SystemPromptOptions::Text(text.clone());
        }
        spec
    }

    /// Adds what a repeated run does not say on its own.
    pub fn describe(&self, step: &mut Step) {
        if let Some(mission) = &self.mission {
            step.mission.clone_from(mission);
        }
        step.system = self.system_text.as_deref().map(Arc::from);
        if step.usage.system_prompt_tokens.is_some() {
            step.usage.system_prompt_tokens = step.system.as_deref().map(estimated_tokens);
        }
    }
}
