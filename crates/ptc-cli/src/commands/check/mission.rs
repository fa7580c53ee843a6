//! Everything that is wrong with a mission file.

use std::io::{self, Write};
use std::path::Path;

use ptc_runner::config::{
    ConfigError, Document, MissionCheck, MissionFile, MissionWarning, ModelName, Place, Registry,
};
use ptc_runner::lisp::Value;
use ptc_runner::lisp::text::escaped;
use ptc_runner::llm::{self, LlmSpecError};
use serde_json::{Value as Json, json};

use super::super::run::llm::told;
use super::{CheckArgs, reading};
use crate::failure::{Exit, Failure};
use crate::output::{self, Source, counted};
use crate::trust;

/// What a file without a mission may be.
const OTHER_FILES: &str =
    "this is for programs and missions: `ptc mcp tools FILE` reads a gateway file, `ptc eval-suite FOLDER` a suite";

/// The mission file that the command line names: by its extension, or because it is the only thing named.
pub(super) fn named(args: &CheckArgs) -> Option<&Path> {
    // Nothing else is written in these: the mission file says that it is to be TOML.
    let is_mission = |path: &&Path| {
        let ending = path.extension().unwrap_or_default();
        ["toml", "json", "yaml", "yml"].iter().any(|known| ending.eq_ignore_ascii_case(known))
    };
    args.program.file().filter(is_mission).or_else(|| args.mission.as_deref().filter(|_| args.program.is_typed()))
}

/// Whether a text is a mission file, whatever its name: a program is never TOML with a key `mission`.
pub(super) fn is_one(source: &Source) -> bool {
    let document = Document::new(&source.name, &source.text);
    let has_mission = || document.parse().is_ok_and(|parsed| document.section(&parsed).get("mission").is_some());
    source.text.contains("mission") && has_mission()
}

/// Check the mission file at `path`.
pub(super) fn at(args: &CheckArgs, path: &Path) -> Result<Exit, Failure> {
    found(args, MissionFile::check(path)?)
}

/// Check a mission file.
pub(super) fn of(args: &CheckArgs, source: &Source) -> Result<Exit, Failure> {
    found(args, Registry::new().check_text(&source.name, &source.text))
}

/// Report what was found.
fn found(args: &CheckArgs, mut found: MissionCheck) -> Result<Exit, Failure> {
    refuse_options_of_programs(args)?;
    let readings = std::mem::take(&mut found.mission.readings);
    // What is listed file by file is not said again.
    let is_listed = |note: &String| readings.iter().any(|(_, reading)| reading.note() == *note);
    let mut notes: Vec<String> = found.mission.notes.iter().filter(|note| !is_listed(note)).cloned().collect();
    notes.extend(models(&mut found));
    notes.extend(servers(args, &mut found));
    let is_fine = found.problems.is_empty();
    if args.json {
        let mut answer = json(&found, &notes);
        reading::add(&mut answer, &readings);
        output::seen(output::json(&answer))?;
    } else {
        output::mission_problems(&found.problems, &found.warnings);
        output::notes(&notes);
        if is_fine {
            output::print(|out| summary(&found.mission, out))?;
        }
        output::print(|out| reading::write(out, &readings))?;
    }
    Ok(if is_fine { Exit::Ok } else { Exit::Failed })
}

/// Options that say what a program may use: a mission file says that itself.
fn refuse_options_of_programs(args: &CheckArgs) -> Result<(), String> {
    let given = [
        ("--data", !args.data.is_empty()),
        ("--tool", !args.tool.is_empty()),
        ("--memory", args.memory.is_some()),
        ("--effects", args.effects),
        ("--mission", args.mission.is_some() && !args.program.is_typed()),
    ];
    match given.iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) => Err(format!("{option} is for programs, and this is a mission file; leave {option} out")),
        None => Ok(()),
    }
}

/// Whether the models could be called; a key that is not set here may be set where the mission runs.
fn models(found: &mut MissionCheck) -> Vec<String> {
    let mut notes = Vec::new();
    for (place, model) in &found.models {
        let ModelName::Named(name) = model else { continue };
        match llm::connect(name) {
            Ok(_) => {}
            Err(error @ LlmSpecError::MissingKey { .. }) => notes.push(format!("{place}: {error}")),
            Err(error) => {
                let (place, rule) = (place.clone(), told(&error));
                found.problems.push(ConfigError::BadValue { place, rule, found: None });
            }
        }
    }
    found.problems.sort_by_key(|problem| problem.place().map(|place| (place.line, place.column)));
    let is_other = |problem: &ConfigError| matches!(problem, ConfigError::MissingMission { .. });
    if found.problems.iter().any(is_other) {
        notes.push(OTHER_FILES.to_owned());
        return notes;
    }
    let names_none = found.mission.agent.llm.is_none() && found.mission.replay.is_none();
    if names_none && std::env::var_os("PTC_LLM").is_none_or(|name| name.is_empty()) {
        notes.push(
            "no model is named: `ptc run` needs --llm, or `llm = \"…\"` or `replay = \"…\"` in the file".to_owned(),
        );
    }
    notes
}

/// MCP servers are other people's programs: they are started only on request.
fn servers(args: &CheckArgs, found: &mut MissionCheck) -> Option<String> {
    let count = found.mission.servers.len();
    if count == 0 || !found.problems.is_empty() {
        return None;
    }
    if !args.connect {
        let servers = counted(count, "MCP server");
        return Some(format!("{servers} not started; --connect starts them and checks their tools"));
    }
    if let Err(error) = trust::ask(&mut found.mission) {
        return Some(error.to_string());
    }
    found.mission.require_servers();
    let checked =
        found.mission.connect_hosted().and_then(|_servers| found.mission.build_agent(&found.mission.limits()));
    found.problems.extend(checked.err());
    let left_out = found.mission.server_problems();
    (!left_out.is_empty()).then(|| left_out.join("\n"))
}

/// The same for machines: `error` has the first problem, and the list of all of them.
fn json(found: &MissionCheck, notes: &[String]) -> Json {
    let problem = |problem: &ConfigError| placed("reason", problem.code(), &problem.message(), problem.place());
    let warning = |it: &MissionWarning| placed("code", it.code, &it.message, it.place.as_deref());
    let all: Vec<Json> = found.problems.iter().map(problem).collect();
    let warnings: Vec<Json> = found.warnings.iter().map(warning).collect();
    match all.first().cloned() {
        None => json!({"ok": true, "warnings": warnings, "notes": notes}),
        Some(mut first) => {
            if let Json::Object(fields) = &mut first {
                fields.insert("all".to_owned(), all.into());
            }
            json!({"ok": false, "error": first, "warnings": warnings, "notes": notes})
        }
    }
}

fn placed(kind: &str, name: &str, message: &str, place: Option<&Place>) -> Json {
    let (line, column) = (place.map(|place| place.line), place.map(|place| place.column));
    let file = place.map(|place| place.file.display().to_string());
    json!({kind: name, "message": message, "file": file, "line": line, "column": column})
}

/// `shop.toml: no problems; data: year, orders (52 elements); tools: stock`
fn summary(mission: &MissionFile, out: &mut dyn Write) -> io::Result<()> {
    let data = mission.data.iter().map(|(name, value)| match value {
        Value::Vector(items) => format!("{name} ({})", counted(items.len(), "element")),
        _ => name.clone(),
    });
    let data = data.map(|entry| escaped(&entry).into_owned());
    let parts: [(&str, Vec<String>); 3] = [
        ("data", data.collect()),
        ("tools", mission.tools.iter().map(|tool| tool.spec.name.clone()).collect()),
        ("agents", mission.agents.iter().map(|agent| agent.name.clone()).collect()),
    ];
    let parts = parts.iter().filter(|(_, names)| !names.is_empty());
    let parts: String = parts.map(|(what, names)| format!("; {what}: {}", names.join(", "))).collect();
    let line = format!("{}: no problems{parts}", mission.path.display());
    writeln!(out, "{}", escaped(&line))
}
