//! The ways of asking a case: with programs or with native tool calls, and how history and language are shown.

#[cfg(test)]
mod tests;

use std::fmt;

use ptc_agent::AgentSpec;
use ptc_chat::OutputMode;
use ptc_config::{AgentDefinition, StrategyChoice};
use ptc_lisp::signature::{Signature, Type};
use ptc_mission::{PromptParts, SystemPromptOptions, extract_placeholders};
use serde::{Deserialize, Serialize};

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

/// A way of asking the cases of a suite; the default is that of each case.
#[derive(Debug, Clone, Default)]
pub struct Variant {
    /// What the model writes, instead of what the case says.
    pub mode: Option<Mode>,
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

/// What differs from the cases, or `per case`.
impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let compression = self.compression.as_ref().map(StrategyChoice::as_str);
        let parts = [self.mode.map(Mode::as_str), compression, self.language_spec.as_deref()];
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
    pub(crate) fn why_not_by_tools(&self) -> Option<String> {
        let data_set = self.sets.iter().find(|set| **set != DataSet::Documents);
        let placeholders = extract_placeholders(&self.mission.agent.mission);
        let is_shown = |key: &str| placeholders.iter().any(|one| one.path.first().is_some_and(|first| first == key));
        let unseen = self.mission.data.keys().find(|key| !is_shown(key));
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
