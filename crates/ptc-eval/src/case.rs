//! One question with what its answer must be.

use indexmap::IndexMap;
use ptc_agent::{Agent, AgentError};
use ptc_config::MissionFile;
use ptc_lisp::{Map, Value};
use ptc_mission::{LanguageChoice, PromptParts, SystemPromptOptions};

use crate::assertion::Assertion;
use crate::constraint::{Constraint, Kind};
use crate::datasets::DataSet;
use crate::documents::document_tools;
use crate::error::EvalError;
use crate::judge::Judge;
use crate::options::EvalOptions;
use crate::suite::Suite;
use crate::variant::{Variant, show_data};

/// A case of a suite: a mission, and what must hold of its run.
#[derive(Debug, Clone)]
pub struct Case {
    /// Its name, unique in the suite.
    pub name: String,
    /// The level that it belongs to.
    pub level: String,
    /// The agent as a mission file has it: the question is its `mission`, the case is described by its `description`.
    pub mission: MissionFile,
    /// The generated sets that it works on.
    pub sets: Vec<DataSet>,
    /// What the user says after each answer, in order.
    pub then: Vec<String>,
    /// The kind of its answer; only a case with a judge and a question of a table may have none: then any answer is one.
    pub kind: Option<Kind>,
    /// The kind that the suite says, where `kind` may be that of the mission.
    pub(crate) declared: Option<Kind>,
    /// What must hold of the answer.
    pub expect: Vec<Constraint>,
    /// What else must hold of the run.
    pub check: Vec<Assertion>,
    /// Further inputs of a compiled agent. If there are any, the agent is compiled on the data of the case, and the
    /// program then answers the data and each input without a model.
    pub inputs: Vec<CompiledInput>,
    /// The tool that judges each answer; what it says about the last one counts.
    pub judge: Option<Judge>,
    /// Whether the judge is told the right answer: it is then asked about answers that are not equal to it.
    pub(crate) hears_expected: bool,
    /// Tells versions of the case apart: results of another version are not those of this one.
    pub fingerprint: String,
    /// That of the case alone, whatever mission it is asked with.
    pub(crate) own_fingerprint: String,
    /// The inputs that its row has, where it is a question of a table.
    pub given: IndexMap<String, Value>,
    /// The mission of the suite that it is asked with, where it names no mission.
    pub(crate) asked_with: Option<String>,
}

/// A further input of a compiled agent.
#[derive(Debug, Clone)]
pub struct CompiledInput {
    /// Its data, instead of that of the case.
    pub data: IndexMap<String, Value>,
    /// What must hold of the answer.
    pub expect: Vec<Constraint>,
}

/// An agent that is ready to run.
pub(crate) struct Prepared {
    /// With its servers connected.
    pub(crate) mission: MissionFile,
    pub(crate) agent: Agent,
    pub(crate) data: Map,
}

impl Case {
    /// Whether its agent has several turns.
    #[must_use]
    pub fn is_multi_turn(&self) -> bool {
        self.mission.agent.max_turns > 1
    }

    /// Whether a constraint is the right answer that the judge is told, and need not hold.
    pub(crate) fn is_reference(&self, constraint: &Constraint) -> bool {
        self.hears_expected && matches!(constraint, Constraint::Eq(_) | Constraint::Within(..))
    }

    /// Whether anything is expected of its answer or its run.
    pub(crate) fn is_judged(&self) -> bool {
        !self.expect.is_empty() || !self.check.is_empty() || self.judge.is_some()
    }

    /// Whether the agent can be built, as far as that is known before its servers are connected.
    pub(crate) fn check(&self, suite: &Suite, options: &EvalOptions, variant: &Variant) -> Result<(), EvalError> {
        let mut mission = self.configured(suite, options, variant)?;
        mission.servers.clear();
        self.agent(&mission, suite).map(drop)
    }

    /// The agent, with the settings of the suite, the options and the way, connected to its servers, and its data.
    pub(crate) async fn prepare(
        &self,
        suite: &Suite,
        options: &EvalOptions,
        variant: &Variant,
    ) -> Result<Prepared, EvalError> {
        let mut mission = self.configured(suite, options, variant)?;
        // Results without some of the tools would be compared with those of all.
        mission.require_servers();
        mission.connect().await?;
        let agent = self.agent(&mission, suite)?;
        let data = mission.data_map();
        Ok(Prepared { mission, agent, data })
    }

    fn configured(&self, suite: &Suite, options: &EvalOptions, variant: &Variant) -> Result<MissionFile, EvalError> {
        let mut mission = self.mission.clone();
        mission.ask_again(options.patience);
        let agent = &mut mission.agent;
        if let Some(kind) = self.kind {
            agent.signature.get_or_insert_with(|| kind.signature());
        }
        agent.retry_turns = options.retry_turns.map_or(agent.retry_turns, |turns| turns as usize);
        agent.system_prompt =
            system_prompt(&agent.system_prompt, suite.role.as_deref(), variant.language_spec.as_deref());
        variant.apply(agent, self.kind);
        for set in self.sets.iter().filter(|set| **set != DataSet::Documents) {
            if !options.explore {
                agent.context_descriptions.entry(set.to_string()).or_insert_with(|| set.fields().to_owned());
            }
            let rows = suite.sets.value(*set);
            let rows = rows.map_err(|problem| self.unusable(AgentError::Context(problem.to_string())))?;
            mission.data.entry(set.to_string()).or_insert(rows);
        }
        if variant.shows_data && variant.is_by_tools() {
            show_data(&mut mission);
        }
        Ok(mission)
    }

    fn agent(&self, mission: &MissionFile, suite: &Suite) -> Result<Agent, EvalError> {
        let agent = mission.build_agent(&mission.limits())?;
        if !self.sets.contains(&DataSet::Documents) {
            return Ok(agent);
        }
        let built = agent.to_builder().tools(document_tools(suite.sets.documents.clone())).build();
        built.map_err(|source| self.unusable(source))
    }

    /// The error of an agent that cannot be built or started.
    pub(crate) fn unusable(&self, source: AgentError) -> EvalError {
        EvalError::Agent { case: self.name.clone(), source }
    }
}

/// The system text with the role of the suite and the chosen language text, unless the case has its own.
fn system_prompt(own: &SystemPromptOptions, role: Option<&str>, language_spec: Option<&str>) -> SystemPromptOptions {
    let mut options = own.clone();
    if let SystemPromptOptions::Default = options {
        options = SystemPromptOptions::Parts(PromptParts::default());
    }
    if let SystemPromptOptions::Parts(parts) = &mut options {
        parts.prefix = parts.prefix.take().or_else(|| role.map(str::to_owned));
    }
    language_spec.and_then(|key| options.with_language_spec(LanguageChoice::from(key))).unwrap_or(options)
}

impl CompiledInput {
    /// The data as a run takes it.
    pub(crate) fn data_map(&self) -> Map {
        match Value::map_from(self.data.iter().map(|(key, value)| (Value::keyword(key), value.clone()))) {
            Value::Map(map) => map,
            _ => Map::new(),
        }
    }
}
