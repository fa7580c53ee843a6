//! Everything that is wrong with a mission file, reported at once; nothing runs.

mod places;
#[cfg(test)]
mod tests;

use std::path::Path;

use ptc_agent::{AgentBuilder, AgentError, AgentSpec, AgentWarning, Context};
use ptc_chat::ReplayLlm;
use ptc_lisp::signature::{Finding, PathStep};

use crate::agents::{self, AgentDefinition};
use crate::document::{Document, Section};
use crate::error::ConfigError;
use crate::mission::{MissionFile, UnknownInput};
use crate::model::ModelName;
use crate::nearest::nearest;
use crate::place::Place;
use crate::problems::{MissionWarning, Problems};
use crate::registry::Registry;
use crate::text::read_text;

/// What [`MissionFile::check`] finds.
#[derive(Debug)]
#[non_exhaustive]
pub struct MissionCheck {
    /// What can be read of the mission; with problems it is not what the file means.
    pub mission: MissionFile,
    /// Why the mission cannot run, in the order of the file where a problem has a place in it.
    pub problems: Vec<ConfigError>,
    /// What works, and is likely to be a mistake.
    pub warnings: Vec<MissionWarning>,
    /// The models that are named, where, in the order of the file; of these only recorded answers are already read.
    pub models: Vec<(Box<Place>, ModelName)>,
}

impl MissionFile {
    /// Everything that is wrong with a mission file, without running anything: unknown keys, values, signatures, data
    /// files and whether they fit the signature, commands, programs of tools, canned answers, placeholders, recorded
    /// answers, and the same for agents below. MCP servers are not started, so their tools are unknown.
    ///
    /// Errors when the file is not there or not text. Cost: reads the data files, too.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("m.toml");
    /// std::fs::write(&path, "mission = \"Count {{rows}}\"\nmax_turn = 3\ntimeout = true\n")?;
    /// let found = ptc_config::MissionFile::check(&path)?;
    /// let texts: Vec<String> = found.problems.iter().map(|problem| problem.message()).collect();
    /// assert_eq!(texts, ["unknown key `max_turn`; use `max_turns`", "timeout must be an integer above 0 (got true)"]);
    /// assert_eq!(found.warnings[0].message, "nothing fills {{rows}}: it stays as typed; give it a value under [data]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check(path: impl AsRef<Path>) -> Result<MissionCheck, ConfigError> {
        Registry::new().check(path)
    }
}

impl Registry {
    /// The same for a file that may name what is registered; see [`MissionFile::check`].
    pub fn check(&self, path: impl AsRef<Path>) -> Result<MissionCheck, ConfigError> {
        let path = path.as_ref();
        Ok(self.check_text(path, &read_text(path)?))
    }

    /// The same for `text` as if it were the file `path`.
    pub fn check_text(&self, path: impl AsRef<Path>, text: &str) -> MissionCheck {
        let document = Document::new(path.as_ref(), text).with(self);
        let (parsed, mistakes) = document.parse_all();
        let table = document.section(&parsed);
        let mut problems = Problems::default();
        let mission = if mistakes.is_empty() {
            let mission = MissionFile::with_mission(table, &[], &mut problems);
            as_a_whole(table, &mission, &mut problems);
            mission
        } else {
            // What was read of a file that is not TOML is not what its author meant.
            let nothing = MissionFile::with_mission(table, &[], &mut Problems::default());
            problems.all(mistakes);
            nothing
        };
        let mut models = Vec::new();
        places::models(table, &document.folder(), &mut models);
        recorded(table, &mission, &models, &mut problems);
        let Problems { mut errors, mut warnings } = problems;
        let at = |place: Option<&Place>| place.map(|place| (place.line, place.column));
        errors.sort_by_key(|error| at(error.place()));
        warnings.sort_by_key(|warning| at(warning.place.as_deref()));
        MissionCheck { mission, problems: errors, warnings, models }
    }
}

/// What only the whole file shows.
fn as_a_whole(table: Section<'_>, mission: &MissionFile, problems: &mut Problems) {
    let is_read = problems.errors.iter().all(|error| matches!(error, ConfigError::Data { .. }));
    inputs(table, mission, problems);
    if is_read {
        let limits = mission.limits();
        let agent = built(table, &mission.agent, &mission.agents, problems, &|| {
            agents::build(&mission.agent, &mission.tools, &mission.agents, &limits)?.build()
        });
        let warnings = agent.map(|agent| agent.check(&Context::from_map(mission.data_map()))).unwrap_or_default();
        for warning in warnings {
            let place = match &warning {
                AgentWarning::ToolHidesFunction(name) | AgentWarning::ToolBehindForm(name) => {
                    places::callable(table, name)
                }
                AgentWarning::DataBehindLanguage(name) | AgentWarning::ToolAndData(name) => {
                    places::entry(table, "data", name)
                }
                AgentWarning::EmptyMission | AgentWarning::OpenPlaceholder { .. } => table.place_of("mission"),
                _ => table.place_of("prompt_limit"),
            };
            let code = if matches!(warning, AgentWarning::EmptyMission) { "mission" } else { "name" };
            problems.warn(code, place, warning.to_string());
        }
    } else {
        placeholders(table, &mission.agent, problems);
    }
}

/// Placeholders are checked whatever else is wrong with an agent.
fn placeholders(table: Section<'_>, agent: &AgentSpec, problems: &mut Problems) {
    let mut bare = AgentSpec::new(agent.mission.as_str());
    bare.signature.clone_from(&agent.signature);
    if let Err(AgentError::UncoveredPlaceholders { names, .. }) = AgentBuilder::from(bare).build() {
        problems.all(names.iter().map(|name| uncovered(table, agent, name)));
    }
}

/// The agent of a table, when those that it calls can be built. Broken rules of agents are placed at what breaks them.
fn built<T>(
    table: Section<'_>,
    mission: &AgentSpec,
    below: &[AgentDefinition],
    problems: &mut Problems,
    build: &dyn Fn() -> Result<T, AgentError>,
) -> Option<T> {
    let agents = table.get("agents").and_then(|agents| agents.section("").ok());
    let limits = ptc_lisp::Limits::default();
    let before = problems.errors.len();
    for definition in below {
        let item = agents.and_then(|agents| agents.get(&definition.name));
        if let Some(table) = item.and_then(|item| item.section("").ok()) {
            let AgentDefinition { agent, agents, .. } = definition;
            built(table, agent, agents, problems, &|| definition.callable(None, &limits));
        }
    }
    if problems.errors.len() > before {
        return None;
    }
    match build() {
        Ok(agent) => Some(agent),
        Err(AgentError::UncoveredPlaceholders { names, .. }) => {
            problems.all(names.iter().map(|name| uncovered(table, mission, name)));
            None
        }
        Err(source) => {
            problems.all([ConfigError::Rule { place: places::of_rule(table, &source), source }]);
            None
        }
    }
}

/// A placeholder that a signature with parameters does not mention.
fn uncovered(table: Section<'_>, mission: &AgentSpec, name: &str) -> ConfigError {
    let params = mission.signature.iter().flat_map(|signature| signature.params());
    let known: Vec<&str> = params.map(|param| param.name.as_str()).collect();
    let hint = match nearest(name, &known) {
        Some(nearest) => format!("did you mean {{{{{nearest}}}}}?"),
        None => format!("its parameters are {}", known.join(", ")),
    };
    let place = places::placeholder(table, &mission.mission, name);
    ConfigError::refused(place, format!("the signature has no parameter for {{{{{name}}}}}; {hint}"))
}

/// Whether the data fits what the mission says of it. Entries that could not be read were already reported.
fn inputs(table: Section<'_>, mission: &MissionFile, problems: &mut Problems) {
    let is_unread = |name: &str| places::entry(table, "data", name).is_some() && !mission.data.contains_key(name);
    let signature = mission.agent.signature.as_ref().filter(|signature| signature.declares_params());
    let Some(signature) = signature else {
        // A signature that cannot be read may declare them.
        let unfilled = if table.get("signature").is_some() && mission.agent.signature.is_none() {
            Vec::new()
        } else {
            mission.unfilled()
        };
        let is_given = |unknown: &UnknownInput| is_unread(unknown.name.split('.').next().unwrap_or_default());
        for unknown in unfilled.into_iter().filter(|unknown| !is_given(unknown)) {
            let place = places::placeholder(table, &mission.agent.mission, &unknown.name);
            let name = &unknown.name;
            match unknown.nearest {
                Some(nearest) => problems.all([ConfigError::refused(
                    place,
                    format!("nothing fills {{{{{name}}}}}; did you mean {{{{{nearest}}}}}?"),
                )]),
                None => problems.warn(
                    "placeholder",
                    Some(place),
                    format!("nothing fills {{{{{name}}}}}: it stays as typed; give it a value under [data]"),
                ),
            }
        }
        return;
    };
    let context = Context::from_map(mission.data_map());
    for finding in context.findings(signature, mission.agent.signature_validation) {
        let Some(PathStep::Name(name)) = finding.path.first().cloned() else { continue };
        if mission.data.contains_key(&name)
            && let Some(place) = places::entry(table, "data", &name).or_else(|| table.place_of("signature"))
        {
            problems.all([unfit(place, finding)]);
        }
    }
    for missing in mission.missing_inputs().iter().filter(|missing| !is_unread(&missing.name)) {
        problems.warn("input", table.place_of("signature"), missing.to_string());
    }
}

fn unfit(place: Box<Place>, finding: Finding) -> ConfigError {
    ConfigError::Rule { place, source: AgentError::ContextType(finding) }
}

/// Whether recorded answers can be read.
fn recorded(table: Section<'_>, mission: &MissionFile, models: &[(Box<Place>, ModelName)], problems: &mut Problems) {
    let replay = mission.replay.as_deref().zip(table.get("replay").map(|item| item.place()));
    let named = models.iter().filter_map(|(place, model)| Some((model.file()?, place.clone())));
    for (file, place) in replay.into_iter().chain(named) {
        match ReplayLlm::open(file) {
            Ok(replay) => replay.ignored().iter().for_each(|told| problems.warn("replay", Some(place.clone()), told)),
            Err(error) => problems.all([ConfigError::refused(place, error.to_string())]),
        }
    }
}
