//! The ways of asking a case: with which mission, of which model, with programs or with native tool calls, and how history and language are shown.

#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;

use ptc_agent::AgentSpec;
use ptc_chat::{Llm, OutputMode};
use ptc_config::{AgentDefinition, MissionFile, StrategyChoice};
use ptc_lisp::signature::{Field, Signature, Type};
use ptc_mission::{PromptParts, SystemPromptOptions, extract_placeholders};
use ptc_trace::replay::{PriceBook, Prices};
use ptc_transcript::{ValueForm, json_of};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::assertion::Assertion;
use crate::case::Case;
use crate::constraint::Kind;
use crate::datasets::DataSet;

/// What a model writes to act.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Mode {
    /// Programs, which call the tools.
    Programs,
    /// Calls of the tools in the provider's own format, and text as the answer.
    NativeTools,
}

/// A model to ask, and what it costs.
#[derive(Clone)]
pub struct EvalModel {
    /// The model.
    pub llm: Arc<dyn Llm>,
    /// What its tokens cost; without it the list prices of the model, if they are known.
    pub prices: Option<Prices>,
}

/// A way of asking the cases of a suite; the default is that of each case.
#[derive(Debug, Clone, Default)]
pub struct Variant {
    /// The mission of the suite with which questions are asked, by its name; without it the first one.
    pub mission: Option<String>,
    /// The model, instead of the one of the options.
    pub model: Option<EvalModel>,
    /// What the model writes, instead of what the case says.
    pub mode: Option<Mode>,
    /// Whether a model that calls tools itself reads the data that programs would read: it is in the first message, as JSON.
    pub shows_data: bool,
    /// How history is shown, instead of what the case says.
    pub compression: Option<StrategyChoice>,
    /// The key of the language text that models read, instead of the usual one.
    pub language_spec: Option<String>,
}

impl Mode {
    /// All of them by name.
    pub const ALL: [(&'static str, Mode); 2] = [("programs", Mode::Programs), ("native-tools", Mode::NativeTools)];

    /// Its name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Mode::Programs => "programs",
            Mode::NativeTools => "native-tools",
        }
    }
}

impl EvalModel {
    /// The prices given, else those of the list.
    pub(crate) fn known_prices(&self) -> Option<Prices> {
        self.prices.clone().or_else(|| PriceBook::default().of_run(self.llm.name()).cloned())
    }
}

impl fmt::Debug for EvalModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EvalModel").field("llm", &self.llm.name()).field("prices", &self.prices).finish()
    }
}

/// What differs from the cases, or `per case`.
impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let compression = self.compression.as_ref().map(StrategyChoice::as_str);
        let model = self.model.as_ref().map(|model| model.llm.name());
        let parts =
            [self.mission.as_deref(), model, self.mode.map(Mode::as_str), compression, self.language_spec.as_deref()];
        let parts: Vec<&str> = parts.into_iter().flatten().collect();
        f.write_str(if parts.is_empty() { "per case" } else { "" })?;
        f.write_str(&parts.join(" · "))
    }
}

impl Variant {
    /// Whether the model calls tools in its provider's format, whatever the case says.
    pub(crate) fn is_by_tools(&self) -> bool {
        self.mode == Some(Mode::NativeTools)
    }

    /// The agent of a case, asked in this way.
    pub(crate) fn apply(&self, agent: &mut AgentSpec, kind: Option<Kind>) {
        match self.mode {
            None => {}
            Some(Mode::Programs) => agent.output = OutputMode::PtcLisp,
            Some(Mode::NativeTools) => return as_tools(agent, kind),
        }
        if let Some(compression) = &self.compression {
            compression.apply(agent);
        }
    }
}

/// The same agent with native calls. Options of programs have no meaning then; the answer is text.
fn as_tools(agent: &mut AgentSpec, kind: Option<Kind>) {
    let plain = AgentSpec::default();
    agent.output = OutputMode::Text;
    let params = |signature: Signature| {
        let params = signature.declares_params().then(|| signature.params().to_vec());
        Signature::new(params, Type::String)
    };
    agent.signature = agent.signature.take().map(params);
    agent.schema = None;
    (agent.compression, agent.grammar, agent.thinking) = (plain.compression, plain.grammar, plain.thinking);
    let Some(shape) = kind.filter(|kind| *kind != Kind::String) else { return };
    if let SystemPromptOptions::Default = agent.system_prompt {
        agent.system_prompt = SystemPromptOptions::Parts(PromptParts::default());
    }
    if let SystemPromptOptions::Parts(parts) = &mut agent.system_prompt {
        let form = format!("The shape of the result: JSON, {}.", shape.as_json());
        parts.suffix = Some(parts.suffix.take().map_or_else(|| form.clone(), |own| format!("{own}\n\n{form}")));
    }
}

impl Case {
    /// Why a model that calls tools in its provider's format cannot be asked this case, if it cannot.
    pub(crate) fn why_not_by_tools(&self, variant: &Variant) -> Option<String> {
        let is_read = |read: bool| read && !variant.shows_data;
        let data_set = self.sets.iter().find(|set| is_read(**set != DataSet::Documents));
        let unseen = unseen(&self.mission).next().filter(|_| is_read(true));
        let of_programs = self.check.iter().find_map(of_programs);
        let writes = self.mission.agents.iter().find(|agent| writes_programs(agent));
        Some(match (data_set, unseen, of_programs, writes) {
            _ if !self.inputs.is_empty() => "it has `inputs`, which a program answers without a model".to_owned(),
            _ if !self.mission.agent.plan.is_empty() => "it has a plan, whose steps programs tick off".to_owned(),
            (Some(set), ..) => format!("the set `{set}` is data, which only programs read"),
            (_, Some(key), ..) => format!("its data `{key}` is not in the mission, and only programs read it there"),
            (_, _, Some(name), _) => format!("`check.{name}` is about programs"),
            (.., Some(agent)) => format!("its agent `{}` writes programs", agent.name),
            _ => return None,
        })
    }
}

/// The data that the text of a mission does not show.
fn unseen(mission: &MissionFile) -> impl Iterator<Item = &str> {
    let placeholders = extract_placeholders(&mission.agent.mission);
    let is_shown = move |key: &str| placeholders.iter().any(|one| one.path.first().is_some_and(|first| first == key));
    mission.data.keys().map(String::as_str).filter(move |key| !is_shown(key))
}

/// Put the data that the text of a mission does not show at its end, as JSON.
pub(crate) fn show_data(mission: &mut MissionFile) {
    let names: Vec<String> = unseen(mission).map(str::to_owned).collect();
    let is_shown = |name: &&String| !name.starts_with('_');
    let shown = |name: &String| Some((name.clone(), json_of(mission.data.get(name)?, ValueForm::Plain)));
    let data: serde_json::Map<String, Json> = names.iter().filter(is_shown).filter_map(shown).collect();
    if !data.is_empty() {
        mission.agent.mission = format!("{}\n\nData:\n{}", mission.agent.mission, Json::Object(data));
    }
    // An agent that writes text takes the inputs that its mission names.
    let signature = mission.agent.signature.take();
    mission.agent.signature = signature.map(|signature| {
        let is_named = |field: &&Field| !names.contains(&field.name);
        let params = signature.declares_params().then(|| signature.params().iter().filter(is_named).cloned().collect());
        Signature::new(params, signature.result().clone())
    });
}

/// The name of an assertion that only holds for programs.
fn of_programs(assertion: &Assertion) -> Option<&'static str> {
    match assertion {
        Assertion::ProgramsDiffer(..) => Some("programs_differ"),
        Assertion::Uses(_) => Some("uses"),
        Assertion::Fails(_) => Some("fails"),
        Assertion::Turns(_) | Assertion::Calls { .. } | Assertion::Hides(_) => None,
    }
}

fn writes_programs(agent: &AgentDefinition) -> bool {
    agent.agent.output == OutputMode::PtcLisp || agent.agents.iter().any(writes_programs)
}
