//! What the header of a journal says of an agent beside what makes a mission the same mission.

use std::sync::Arc;
use std::time::Duration;

use indexmap::IndexMap;
use ptc_chat::{ModelOptions, OutputMode};
use ptc_lisp::{Tool, ToolSpec};
use ptc_mission::SystemPromptOptions;
use ptc_transcript::{ChangedSetting, JournalError, JournalHeader, Step, fingerprint};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::Told;
use crate::agent::{Agent, AgentBuilder, Definition};
use crate::options::{FormatSettings, MemoryStrategy, SignatureValidation};
use crate::run::{Run, estimated_tokens};
use crate::tool::Callable;

/// A setting too long to be shown where it has changed: its fingerprint is.
const SYSTEM_TEXT: &str = "system_text";

/// The tool that the run itself answers.
const HISTORY: &str = "history";

/// What decides which course programs take and what models are shown. Keys that a journal lacks have the defaults of
/// agents.
///
/// Bounds of the whole run, its tokens and its time, are not among them: a run that reached one may have been resumed
/// with more.
#[derive(Debug, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Settings {
    /// The mission as the model saw it.
    mission: Option<String>,
    output: OutputMode,
    schema: Option<Json>,
    plan: IndexMap<String, String>,
    field_descriptions: IndexMap<String, String>,
    /// Those received from an agent before included.
    context_descriptions: IndexMap<String, String>,
    llm_query: bool,
    /// The run itself answers `tool/history`.
    history: bool,
    timeout: Duration,
    max_heap: Option<u64>,
    memory_limit: Option<u64>,
    memory_strategy: MemoryStrategy,
    turn_budget: Option<usize>,
    max_tool_calls: Option<usize>,
    float_precision: Option<u32>,
    signature_validation: SignatureValidation,
    validate_single_shot: bool,
    fallback: bool,
    format: FormatSettings,
    system_text: Option<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings::of(&Agent::builder("").definition)
    }
}

/// What a header says of an agent: what decides its course, and what else its requests depend on, so that a run which
/// cannot go on can say why.
#[derive(Serialize)]
struct Written<'a> {
    #[serde(flatten)]
    settings: Settings,
    thinking: bool,
    model_options: &'a ModelOptions,
    cache: bool,
    release: &'static str,
}

/// The settings of a run, for the header of its journal.
pub(crate) fn settings_of(run: &Run) -> Result<Json, JournalError> {
    let definition = &run.agent().definition;
    let mut settings = Settings::of(definition);
    settings.mission = Some(run.mission().to_owned()).filter(|mission| *mission != definition.mission);
    settings.context_descriptions.extend(run.received().clone());
    settings.system_text = Some(run.system().to_owned());
    let written = Written {
        settings,
        thinking: definition.thinking,
        model_options: &definition.model_options,
        cache: run.caches(),
        release: env!("CARGO_PKG_VERSION"),
    };
    serde_json::to_value(written).map_err(|error| JournalError::Unwritable(error.to_string()))
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

impl Settings {
    fn of(definition: &Definition) -> Settings {
        Settings {
            mission: None,
            output: definition.output,
            schema: definition.schema.clone(),
            plan: definition.plan.clone(),
            field_descriptions: definition.field_descriptions.clone(),
            context_descriptions: definition.context_descriptions.clone(),
            llm_query: definition.llm_query,
            history: definition.tools.get(HISTORY).is_some_and(Callable::is_history),
            timeout: definition.timeout,
            max_heap: definition.max_heap,
            memory_limit: definition.memory_limit,
            memory_strategy: definition.memory_strategy,
            turn_budget: definition.turn_budget,
            max_tool_calls: definition.max_tool_calls,
            float_precision: definition.float_precision,
            signature_validation: definition.signature_validation,
            validate_single_shot: definition.validate_single_shot,
            fallback: definition.fallback,
            format: definition.format.clone(),
            system_text: None,
        }
    }

    pub fn read(header: &JournalHeader) -> Result<Settings, JournalError> {
        match &header.settings {
            Json::Null => Ok(Settings::default()),
            json => Settings::deserialize(json).map_err(|error| JournalError::Value(format!("settings: {error}"))),
        }
    }

    /// A tool of the run, which cannot be called: its results are in the journal, or the run itself answers.
    pub fn tool(&self, spec: ToolSpec) -> Callable {
        if self.history && spec.name == HISTORY {
            Callable::history(spec)
        } else {
            Callable::from(Arc::new(Told { spec }) as Arc<dyn Tool>)
        }
    }

    /// The same agent, as far as settings go.
    pub fn builder(&self, builder: AgentBuilder) -> AgentBuilder {
        let mut builder = builder
            .output(self.output)
            .field_descriptions(self.field_descriptions.clone())
            .context_descriptions(self.context_descriptions.clone())
            .plan(self.plan.clone())
            .llm_query(self.llm_query)
            .timeout(self.timeout)
            .max_heap(self.max_heap)
            .memory_limit(self.memory_limit)
            .memory_strategy(self.memory_strategy)
            .max_tool_calls(self.max_tool_calls)
            .float_precision(self.float_precision)
            .signature_validation(self.signature_validation)
            .validate_single_shot(self.validate_single_shot)
            .fallback(self.fallback)
            .format_options(self.format.clone());
        if let Some(text) = &self.system_text {
            // It counts for a ceiling.
            builder = builder.system_prompt(SystemPromptOptions::Text(text.clone()));
        }
        if let Some(turns) = self.turn_budget {
            builder = builder.turn_budget(turns);
        }
        if let Some(schema) = &self.schema {
            builder = builder.schema(schema.clone());
        }
        builder
    }

    /// What a run does not say by itself when it is repeated.
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
