//! Suites from TOML.

use std::path::Path;

use indexmap::IndexMap;
use ptc_config::{ConfigError, Document, Item, MissionFile, Place, Section, read_text};
use ptc_lisp::{Import, Value};
use ptc_transcript::fingerprint;
use serde_json::{Number, Value as Json, json};

use super::Suite;
use crate::assertion::Assertion;
use crate::case::{Case, CompiledInput};
use crate::constraint::{Constraint, Kind};
use crate::datasets::{DataSet, DataSets};
use crate::judge::Judge;

/// Keys that a case has besides those of a mission file.
const CASE_KEYS: [&str; 7] = ["sets", "kind", "expect", "check", "inputs", "then", "judge"];

/// Keys of mission files that a case cannot have, and why.
const NOT_HERE: [(&str, &str); 3] = [
    ("keep", "runs of an evaluation are not kept: its results are"),
    ("llm", "all agents of an evaluation ask the same model: name it with `--llm`"),
    ("replay", "the recorded answers of a case are in `recordings/NAME.jsonl`"),
];

pub(super) fn suite(folder: &Path) -> Result<Suite, ConfigError> {
    let path = folder.join("suite.toml");
    let text = read_text(&path)?;
    let document = Document::new(path, &text);
    let parsed = document.parse()?;
    let file = document.section(&parsed);
    file.only("", &["title", "role", "seed", "levels"])?;
    let title = file.get("title").map_or(Ok("Evaluation"), |item| item.text("title must be text"))?;
    let role = file.get("role").map(|item| item.text("role must be text")).transpose()?;
    let seed = file.get("seed").map_or(Ok(0), |item| item.count(0, "seed must be an integer, 0 or more"))?;
    let levels = file.get("levels").map(|item| item.texts("levels must list the names of files, without `.toml`"));
    let mut suite = Suite {
        folder: folder.to_owned(),
        title: title.to_owned(),
        role: role.map(str::to_owned),
        seed,
        levels: levels.transpose()?.unwrap_or_default(),
        cases: Vec::new(),
        sets: DataSets::generate(seed),
    };
    for name in suite.levels.clone() {
        level(&name, &mut suite)?;
    }
    Ok(suite)
}

/// The cases of a level, added to those that the suite has already.
fn level(name: &str, suite: &mut Suite) -> Result<(), ConfigError> {
    let path = suite.folder.join(format!("{name}.toml"));
    let text = read_text(&path)?;
    let document = Document::new(path, &text);
    let parsed = document.parse()?;
    let file = document.section(&parsed);
    file.only("", &["cases"])?;
    let Some(cases) = file.get("cases") else { return Ok(()) };
    for (case_name, place, item) in cases.section("cases must be tables: write `[cases.NAME]`")?.entries() {
        check_name(case_name, place, suite)?;
        let case = case(name, case_name, item, suite)?;
        suite.cases.push(case);
    }
    Ok(())
}

/// A name is also the name of a file.
fn check_name(name: &str, place: Box<Place>, suite: &Suite) -> Result<(), ConfigError> {
    let is_plain = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    let rule = match suite.cases.iter().find(|case| case.name == name) {
        _ if !is_plain => format!("a case cannot be named '{name}'; use letters, digits, `-` and `_`"),
        Some(other) => format!("case `{name}` is in {}.toml, too; give one of them another name", other.level),
        None => return Ok(()),
    };
    Err(ConfigError::BadValue { place, rule, found: None })
}

fn case(level: &str, name: &str, item: Item<'_>, suite: &Suite) -> Result<Case, ConfigError> {
    let table = item.section("a case must be a table: write `[cases.NAME]`")?;
    if table.get("mission").is_none() {
        return Err(item.refused(format!("case `{name}` needs a mission, its question")));
    }
    for (key, why) in NOT_HERE {
        if let Some(item) = table.get(key) {
            return Err(item.refused(format!("case `{name}` cannot have `{key}`; {why}")));
        }
    }
    let mut mission = MissionFile::from_section(table, &CASE_KEYS)?;
    let judge = table.get("judge").map(|item| judge(item, &mut mission)).transpose()?;
    let kind = table.get("kind").map(|kind| kind.choice("kind", &Kind::ALL)).transpose()?;
    if kind.is_none() && judge.is_none() {
        let rule = format!("case `{name}` needs a kind: integer, number, string, list or map; or a judge");
        return Err(item.refused(rule));
    }
    let then = "then must list what the user says after each answer";
    let then = table.get("then").map_or(Ok(Vec::new()), |item| item.texts(then))?;
    let inputs = table.get("inputs").map_or(Ok(Vec::new()), inputs)?;
    if let Some(item) = table.get("inputs").filter(|_| mission.agent.max_turns != 1) {
        return Err(item.refused("further inputs are for a compiled agent, which has one turn; add `max_turns = 1`"));
    }
    if let Some(item) = table.get("check").filter(|_| !inputs.is_empty()) {
        return Err(item.refused("a compiled agent is judged by its answers; leave out `check`"));
    }
    for key in ["then", "judge"] {
        if let Some(item) = table.get(key).filter(|_| !inputs.is_empty()) {
            return Err(item.refused(format!("a compiled agent answers without a model; leave out `{key}`")));
        }
    }
    let version = json!([suite.role, suite.seed, item.json()?]);
    Ok(Case {
        name: name.to_owned(),
        level: level.to_owned(),
        sets: table.get("sets").map_or(Ok(Vec::new()), sets)?,
        then,
        kind,
        expect: table.get("expect").map_or(Ok(Vec::new()), constraints)?,
        check: table.get("check").map_or(Ok(Vec::new()), assertions)?,
        inputs,
        judge,
        fingerprint: fingerprint(&version).map_err(|error| item.refused(error.to_string()))?,
        mission,
    })
}

/// The judge that `SERVER.TOOL` names; programs do not get its tool.
fn judge(item: Item<'_>, mission: &mut MissionFile) -> Result<Judge, ConfigError> {
    let rule = "judge must be a tool of a server of the case: `SERVER.TOOL`";
    let judge = Judge::parse(item.text(rule)?).ok_or_else(|| item.bad(rule))?;
    let known: Vec<String> = mission.servers.iter().map(|server| server.name.clone()).collect();
    let Some(server) = mission.servers.iter_mut().find(|server| server.name == judge.server) else {
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        return Err(item.bad(format!("{rule}; its servers: {known}")));
    };
    server.deny.push(judge.tool.clone());
    Ok(judge)
}

fn sets(item: Item<'_>) -> Result<Vec<DataSet>, ConfigError> {
    item.list("sets must list names of generated sets")?.map(|item| item.choice("set", &DataSet::ALL)).collect()
}

fn inputs(item: Item<'_>) -> Result<Vec<CompiledInput>, ConfigError> {
    let rule = "inputs must list tables such as { data = { n = 3 }, expect = { eq = 9 } }";
    let read = |item: Item<'_>| {
        let table = item.section(rule)?;
        table.only("an input", &["data", "expect"])?;
        let Some(data) = table.get("data") else { return Err(item.bad(rule)) };
        let entry = |(key, _, item): (&str, Box<Place>, Item<'_>)| {
            Ok((key.to_owned(), Import::uncounted().value(item.json()?)))
        };
        let data: Result<IndexMap<String, Value>, ConfigError> =
            data.section("data must be a map")?.entries().map(entry).collect();
        Ok(CompiledInput { data: data?, expect: table.get("expect").map_or(Ok(Vec::new()), constraints)? })
    };
    item.list(rule)?.map(read).collect()
}

/// `{ gte = 1, lt = 10 }`: all of them must hold.
fn constraints(item: Item<'_>) -> Result<Vec<Constraint>, ConfigError> {
    let table = item.section("expect must be a table such as { eq = 500 }")?;
    table.only("`expect`", &Constraint::NAMES)?;
    table.entries().map(|(name, _, item)| constraint(name, item)).collect()
}

fn constraint(name: &str, item: Item<'_>) -> Result<Constraint, ConfigError> {
    let length = || item.small(0, &format!("{name} must be a length, 0 or more")).map(|length| length as usize);
    Ok(match name {
        "gt" => Constraint::Gt(number(name, item)?),
        "gte" => Constraint::Gte(number(name, item)?),
        "lt" => Constraint::Lt(number(name, item)?),
        "between" => between(item)?,
        "length" => Constraint::Length(length()?),
        "gt_length" => Constraint::GtLength(length()?),
        "starts_with" => Constraint::StartsWith(item.text("starts_with must be text")?.to_owned()),
        "one_of" => {
            Constraint::OneOf(item.list("one_of must be a list")?.map(|item| item.json()).collect::<Result<_, _>>()?)
        }
        "has_keys" => Constraint::HasKeys(item.texts("has_keys must list keys")?),
        _ => Constraint::Eq(item.json()?),
    })
}

fn number(name: &str, item: Item<'_>) -> Result<Number, ConfigError> {
    match item.json()? {
        Json::Number(number) => Ok(number),
        _ => Err(item.bad(format!("{name} must be a number"))),
    }
}

fn between(item: Item<'_>) -> Result<Constraint, ConfigError> {
    let rule = "between must be a list of two numbers, the lower one first";
    let limits: Vec<Number> = item.list(rule)?.map(|item| number("between", item)).collect::<Result<_, _>>()?;
    match limits.as_slice() {
        [low, high] if low.as_f64() <= high.as_f64() => Ok(Constraint::Between(low.clone(), high.clone())),
        _ => Err(item.bad(rule)),
    }
}

/// What `check` can ask for.
const CHECKS: [&str; 6] = ["turns", "programs_differ", "calls", "hides", "uses", "fails"];

fn assertions(item: Item<'_>) -> Result<Vec<Assertion>, ConfigError> {
    let table = item.section("check must be a table such as { turns = { lt = 3 } }")?;
    table.only("`check`", &CHECKS)?;
    let mut read = Vec::new();
    for (name, _, item) in table.entries() {
        match name {
            "turns" => read.extend(constraints(item)?.into_iter().map(Assertion::Turns)),
            "programs_differ" => read.push(programs_differ(item)?),
            "calls" => read.extend(calls(item.section("calls must be a map from tools to numbers")?)?),
            "hides" => read.extend(item.texts("hides must list keys of data")?.into_iter().map(Assertion::Hides)),
            "uses" => read.extend(item.texts("uses must list names of definitions")?.into_iter().map(Assertion::Uses)),
            _ => read.extend(
                item.texts("fails must list reasons such as \"type_error\"")?.into_iter().map(Assertion::Fails),
            ),
        }
    }
    Ok(read)
}

fn programs_differ(item: Item<'_>) -> Result<Assertion, ConfigError> {
    let rule = "programs_differ must be a list of two turns, from 1";
    let turns: Vec<u32> = item.list(rule)?.map(|item| item.small(1, rule)).collect::<Result<_, _>>()?;
    match turns.as_slice() {
        [first, second] if first != second => Ok(Assertion::ProgramsDiffer(*first as usize, *second as usize)),
        _ => Err(item.bad(rule)),
    }
}

fn calls(table: Section<'_>) -> Result<Vec<Assertion>, ConfigError> {
    let read = |(tool, _, item): (&str, Box<Place>, Item<'_>)| {
        let times = item.small(1, "a number of calls must be an integer above 0")? as usize;
        Ok(Assertion::Calls { tool: tool.to_owned(), times })
    };
    table.entries().map(read).collect()
}
