//! What the command line changes in a mission.

use ptc_runner::agent::{AgentSpec, rules};
use ptc_runner::chat::OutputMode;
use ptc_runner::config::{MissionFile, StrategyChoice, read_json};
use ptc_runner::lisp::Value;
use ptc_runner::mission::{LanguageChoice, LanguageSpec};

use super::args::MissionArgs;
use super::failure::RunFailure;
use crate::failure::Failure;
use crate::{data, limits, output};

/// Apply `--max-turns`, `--compression`, `--language-spec`, `--limit`, `--set` and `--patience`.
pub(crate) fn apply(mission: &mut MissionFile, args: &MissionArgs) -> Result<(), Failure> {
    if let Some(turns) = args.max_turns {
        mission.agent.max_turns = turns as usize;
    }
    if let Some(given) = &args.compression {
        StrategyChoice::parse("--compression", given)?.apply(&mut mission.agent);
    }
    if let Some(key) = &args.language_spec {
        language_spec(&mut mission.agent, key)?;
    }
    mission.ask_again(args.patience.patience);
    bounds(&mut mission.agent, &args.limit)?;
    for given in &args.set {
        let (key, value) = entry(given, Some(mission))?;
        mission.data.insert(key, value);
    }
    filled(mission)
}

/// A choice that would change nothing is an error: a user who compares two texts must not compare the same one.
fn language_spec(agent: &mut AgentSpec, key: &str) -> Result<(), Failure> {
    let unused = |why: &str| format!("--language-spec {key}: {why}");
    LanguageSpec::get(key)?;
    if agent.output != OutputMode::PtcLisp {
        return Err(unused("this mission asks for no program: `output` is not \"ptc_lisp\"").into());
    }
    let changed = agent.system_prompt.with_language_spec(LanguageChoice::from(key));
    agent.system_prompt = changed.ok_or_else(|| {
        unused("`system_prompt` of the mission is a whole text; write `system_prompt = { prefix = \"…\" }` to add to the language text")
    })?;
    Ok(())
}

/// A placeholder that is nearly the name of an input is a mistake. Another one may be intended, since templates cannot
/// escape braces: it stays as typed, and is reported. Where a signature declares the inputs, the agent checks them.
fn filled(mission: &MissionFile) -> Result<(), Failure> {
    if let Some(missing) = mission.missing_inputs().into_iter().next() {
        return Err(RunFailure::Missing { mission: mission.path.clone(), missing }.into());
    }
    if mission.agent.signature.as_ref().is_some_and(|signature| signature.declares_params()) {
        return Ok(());
    }
    for unknown in mission.unfilled() {
        let is_slip = unknown.nearest.is_some();
        let unfilled = RunFailure::Unfilled { mission: mission.path.clone(), unknown };
        if is_slip {
            return Err(unfilled.into());
        }
        output::remarks(&[format!("{unfilled}; it stays as typed")]);
    }
    Ok(())
}

/// The bounds that were given are options of the agent: it has its own defaults.
fn bounds(agent: &mut AgentSpec, given: &[String]) -> Result<(), Failure> {
    let limits = limits::apply(agent.limits(), given)?;
    for given in given {
        match given.split('=').next().unwrap_or_default().trim() {
            "fuel" => agent.fuel = Some(limits.fuel),
            "memory" => agent.max_heap = Some(limits.memory),
            "time" => agent.timeout = limits.time,
            // `apply` knows no other name than depth.
            _ => agent.call_depth = Some(limits.depth),
        }
    }
    Ok(())
}

/// `KEY=VALUE`: VALUE is JSON, else the text itself. It must be an input of the mission, when that is known.
pub(crate) fn entry(given: &str, mission: Option<&MissionFile>) -> Result<(String, Value), RunFailure> {
    let problem = |problem: String| RunFailure::Set { given: given.to_owned(), problem };
    let parts = given.split_once('=').map(|(key, value)| (key.trim(), value)).filter(|(key, _)| !key.is_empty());
    let Some((key, value)) = parts else {
        return Err(problem("write KEY=VALUE, for example limit=250".to_owned()));
    };
    if !data::is_name(key) {
        return Err(problem(data::NAMES.to_owned()));
    }
    rules::data_key(key).map_err(|error| problem(error.to_string()))?;
    input(&format!("--set {given}"), key, mission)?;
    let value = match read_json(value) {
        Ok(value) => value,
        Err(_) if Value::from_json_str(value).is_err() => Value::string(value),
        Err(error) => return Err(problem(error.to_string())),
    };
    Ok((key.to_owned(), value))
}

/// Refuse a name that the mission does not take as an input, when that is known; `given` is the option.
pub(crate) fn input(given: &str, name: &str, mission: Option<&MissionFile>) -> Result<(), RunFailure> {
    let known = mission.map_or(Ok(()), |mission| mission.check_input(name));
    known.map_err(|unknown| RunFailure::UnknownInput { given: given.to_owned(), unknown })
}
