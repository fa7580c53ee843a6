//! Suites from TOML.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use ptc_config::{
    ConfigError, ConfiguredTool, Document, Item, MissionFile, Place, Section, ToolKind, read_text, with_table,
};
use ptc_lisp::signature::{Enums, Type};
use ptc_lisp::{Import, Value};
use ptc_transcript::fingerprint;
use serde_json::{Map as JsonMap, Number, Value as Json, json};

use super::Suite;
use super::questions::{self, SuiteMission};
use crate::assertion::Assertion;
use crate::case::{Case, CompiledInput};
use crate::constraint::{Constraint, Kind, checked};
use crate::datasets::{DataSet, DataSets};
use crate::judge::{HEARD, Judge, hears_expected};

/// Keys that a case has besides those of a mission file.
const CASE_KEYS: [&str; 7] = ["sets", "kind", "expect", "check", "inputs", "then", "judge"];

/// Keys of mission files that a case cannot have, and why.
const NOT_HERE: [(&str, &str); 3] = [
    ("keep", "runs of an evaluation are not kept: its results are"),
    ("llm", "all agents of an evaluation ask the same model: name it with `--llm`"),
    ("replay", "the recorded answers of a case are in `recordings/NAME.jsonl`"),
];

/// What all cases have that do not say otherwise.
#[derive(Clone, Copy)]
pub(super) struct Defaults<'a>(Option<&'a Section<'a>>);

impl Defaults<'_> {
    /// The kind of answers.
    pub(super) fn kind(&self) -> Result<Option<Kind>, ConfigError> {
        self.0.and_then(|table| table.get("kind")).map(|kind| kind.choice("kind", &Kind::ALL)).transpose()
    }
}

/// The suite of a folder, or of a table of questions.
pub(super) fn suite(place: &Path, missions: &[PathBuf]) -> Result<Suite, ConfigError> {
    if !place.is_file() {
        let path = place.join("suite.toml");
        let text = read_text(&path)?;
        return of_text(place, path, &text, missions);
    }
    let name = |part: Option<&OsStr>| part.map(|part| part.to_string_lossy().into_owned()).unwrap_or_default();
    let text = format!("title = {}\nquestions = {}\n", json!(name(place.file_stem())), json!(name(place.file_name())));
    let folder = place.parent().unwrap_or(Path::new(""));
    of_text(folder, PathBuf::from("command line"), &text, missions)
}

/// A suite of one question.
pub(super) fn of_mission(mission: &Path) -> Result<Suite, ConfigError> {
    let folder = mission.parent().unwrap_or(Path::new(""));
    let mut suite = of_text(folder, PathBuf::from("command line"), "", &[])?;
    let mission = SuiteMission::load(mission, &[mission.to_owned()])?;
    let text = with_table("", &["cases", &mission.name], &JsonMap::new());
    let document = Document::new("command line", &text);
    let parsed = document.parse()?;
    let cases = document.section(&parsed).get("cases").map(|cases| cases.section("a table")).transpose()?;
    for (name, _, item) in cases.iter().flat_map(Section::entries) {
        let base = Some(mission.file.clone());
        let case = case("mission", name, item, &suite, &Defaults(None), base)?;
        suite.cases.push(Case { asked_with: None, ..case.with(&mission) });
    }
    suite.title.clone_from(&mission.name);
    suite.levels.push("mission".to_owned());
    Ok(suite)
}

fn of_text(folder: &Path, path: PathBuf, text: &str, missions: &[PathBuf]) -> Result<Suite, ConfigError> {
    let document = Document::new(path, text);
    let parsed = document.parse()?;
    let file = document.section(&parsed);
    file.only("", &["title", "role", "seed", "levels", "questions", "missions", "defaults", "judging"])?;
    let title = file.get("title").map_or(Ok("Evaluation"), |item| item.text("title must be text"))?;
    let role = file.get("role").map(|item| item.text("role must be text")).transpose()?;
    let seed = file.get("seed").map_or(Ok(0), |item| item.count(0, "seed must be an integer, 0 or more"))?;
    let levels = file.get("levels").map(|item| item.texts("levels must list the names of files, without `.toml`"));
    let defaults = file.get("defaults").map(|item| item.section("defaults must be a table: write `[defaults]`"));
    let defaults = defaults.transpose()?;
    if let Some(table) = defaults {
        MissionFile::tools_from_section(table, &CASE_KEYS)?;
    }
    let mut suite = Suite {
        folder: folder.to_owned(),
        title: title.to_owned(),
        role: role.map(str::to_owned),
        seed,
        levels: levels.transpose()?.unwrap_or_default(),
        cases: Vec::new(),
        missions: asked_with(&file, folder, missions)?,
        judging: file.get("judging").map(judging).transpose()?,
        sets: DataSets::generate(seed),
        notes: Vec::new(),
    };
    let defaults = Defaults(defaults.as_ref());
    for name in suite.levels.clone() {
        level(&name, &mut suite, &defaults)?;
    }
    match file.get("questions") {
        Some(item) if !suite.levels.is_empty() => {
            return Err(item.refused("a suite has `levels` or `questions`; put one of them into another folder"));
        }
        Some(item) => {
            questions::read(item, &mut suite, &defaults)?;
            suite.levels.extend(suite.cases.first().map(|case| case.level.clone()));
        }
        None => {
            if let Some(item) = file.get("missions") {
                let rule =
                    "missions are for a table of questions: add `questions = \"FILE\"`; a case of a level has its own";
                return Err(item.refused(rule));
            }
            suite.missions.clear();
        }
    }
    Ok(suite)
}

/// The missions of the questions: those that the caller names, else those of the suite.
fn asked_with(file: &Section<'_>, folder: &Path, missions: &[PathBuf]) -> Result<Vec<SuiteMission>, ConfigError> {
    let own = file.get("missions").map(|item| item.texts("missions must list the names of mission files"));
    let own = own.transpose()?.unwrap_or_default().into_iter().map(|name| folder.join(name));
    let paths: Vec<PathBuf> = if missions.is_empty() { own.collect() } else { missions.to_vec() };
    paths.iter().map(|path| SuiteMission::load(path, &paths)).collect()
}

/// The cases of a level, added to those that the suite has already.
fn level(name: &str, suite: &mut Suite, defaults: &Defaults<'_>) -> Result<(), ConfigError> {
    let path = suite.folder.join(format!("{name}.toml"));
    let text = read_text(&path)?;
    let document = Document::new(path, &text);
    let parsed = document.parse()?;
    let file = document.section(&parsed);
    file.only("", &["cases"])?;
    let Some(cases) = file.get("cases") else { return Ok(()) };
    for (case_name, place, item) in cases.section("cases must be tables: write `[cases.NAME]`")?.entries() {
        check_name(case_name, place, suite)?;
        let case = case(name, case_name, item, suite, defaults, None)?;
        suite.cases.push(case);
    }
    Ok(())
}

/// A name is also the name of a file.
pub(super) fn check_name(name: &str, place: Box<Place>, suite: &Suite) -> Result<(), ConfigError> {
    let is_plain = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    let rule = match suite.cases.iter().find(|case| case.name == name) {
        _ if !is_plain => format!("a case cannot be named '{name}'; use letters, digits, `-` and `_`"),
        Some(other) => format!("case `{name}` is in {}.toml, too; give one of them another name", other.level),
        None => return Ok(()),
    };
    Err(ConfigError::BadValue { place, rule, found: None })
}

/// A case; its mission is `base` where it has none.
pub(super) fn case(
    level: &str,
    name: &str,
    item: Item<'_>,
    suite: &Suite,
    defaults: &Defaults<'_>,
    base: Option<MissionFile>,
) -> Result<Case, ConfigError> {
    let own = item.section("a case must be a table: write `[cases.NAME]`")?;
    let table = own.or(defaults.0);
    let is_question = suite.levels.iter().all(|known| known != level);
    if table.get("mission").is_none() && base.is_none() && is_question {
        return Err(item.refused("questions are asked with missions: name one with `--mission FILE`, in `missions` of suite.toml, or as `mission` of its `[defaults]`"));
    }
    if table.get("mission").is_none() && base.is_none() {
        return Err(item.refused(format!("case `{name}` needs a mission, its question")));
    }
    for (key, why) in NOT_HERE {
        if let Some(item) = table.get(key) {
            return Err(item.refused(format!("case `{name}` cannot have `{key}`; {why}")));
        }
    }
    let mut mission = base.map_or_else(|| MissionFile::from_section(table, &CASE_KEYS), Ok)?;
    let judge = table.get("judge").map(|item| judge(item, &mut mission, suite)).transpose()?;
    let kind = table.get("kind").map(|kind| kind.choice("kind", &Kind::ALL)).transpose()?;
    if kind.is_none() && judge.is_none() && !is_question {
        let rule = format!("case `{name}` needs a kind: integer, number, string, list, map or boolean; or a judge");
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
    let below = defaults.0.and_then(|defaults| defaults.get("expect"));
    let version = version(suite, item, defaults)?;
    Ok(Case {
        name: name.to_owned(),
        level: level.to_owned(),
        sets: table.get("sets").map_or(Ok(Vec::new()), sets)?,
        then,
        kind,
        declared: kind,
        expect: table.get("expect").map_or(Ok(Vec::new()), |item| constraints(item, below))?,
        check: table.get("check").map_or(Ok(Vec::new()), assertions)?,
        inputs,
        hears_expected: judge
            .as_ref()
            .zip(suite.judging.as_ref())
            .is_some_and(|(judge, all)| hears_expected(judge, all)),
        judge,
        own_fingerprint: version.clone(),
        fingerprint: version,
        mission,
        given: IndexMap::new(),
        asked_with: None,
    })
}

/// Tells versions of a case apart.
fn version(suite: &Suite, item: Item<'_>, defaults: &Defaults<'_>) -> Result<String, ConfigError> {
    let mut parts = vec![json!(suite.role), json!(suite.seed), item.json()?];
    if let Some(defaults) = defaults.0 {
        let entries = defaults.entries().map(|(key, _, item)| Ok((key.to_owned(), item.json()?)));
        parts.push(Json::Object(entries.collect::<Result<_, ConfigError>>()?));
    }
    fingerprint(&parts).map_err(|error| item.refused(error.to_string()))
}

/// The judge of a case; programs do not get the tool of a server that judges.
fn judge(item: Item<'_>, mission: &mut MissionFile, suite: &Suite) -> Result<Judge, ConfigError> {
    let rule = "judge must be a tool of a server of the case, `SERVER.TOOL`, or of `[judging]` of the suite";
    let judge = Judge::parse(item.text(rule)?).ok_or_else(|| item.bad(rule))?;
    let listed = |names: Vec<String>| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    match &judge {
        Judge::Tool(name) => {
            let tools = suite.judging.iter().flat_map(|judging| &judging.tools);
            let known: Vec<String> = tools.map(|tool| tool.spec.name.clone()).collect();
            if !known.contains(name) {
                return Err(item.bad(format!("{rule}; tools of `[judging]`: {}", listed(known))));
            }
        }
        Judge::Server { server: name, tool } => {
            let known: Vec<String> = mission.servers.iter().map(|server| server.name.clone()).collect();
            let Some(server) = mission.servers.iter_mut().find(|server| server.name == *name) else {
                return Err(item.bad(format!("{rule}; its servers: {}", listed(known))));
            };
            server.deny.push(tool.clone());
        }
    }
    Ok(judge)
}

/// What judges answers: tools as in a mission file. Each hears parts of what was asked and answered.
fn judging(item: Item<'_>) -> Result<MissionFile, ConfigError> {
    let table = item.section("judging must be a table: write `[judging.tools.NAME]`")?;
    table.only("`judging`", &["tools"])?;
    let mut judging = MissionFile::tools_from_section(table, &[])?;
    judging.agent.mission = "Judge an answer.".to_owned();
    for ConfiguredTool { spec, kind } in &judging.tools {
        let name = &spec.name;
        let params = spec.signature.as_ref().map(|signature| signature.params()).unwrap_or_default();
        let unknown = params.iter().find(|field| !HEARD.contains(&field.name.as_str()));
        if let Some(field) = unknown {
            let rule = format!("a judge hears {}; `{name}` asks for `{}`", HEARD.join(", "), field.name);
            return Err(item.refused(rule));
        }
        if !params.iter().any(|field| field.name == "answer") {
            return Err(item.refused(format!(
                "the judge `{name}` must take the answer: write `(answer :string)` in its signature"
            )));
        }
        if matches!(kind, ToolKind::Llm(question) if question.llm.is_none()) {
            let rule =
                format!("the judge `{name}` asks a model, and must not ask the one that it judges: add its `llm`");
            return Err(item.refused(rule));
        }
    }
    Ok(judging)
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
        Ok(CompiledInput {
            data: data?,
            expect: table.get("expect").map_or(Ok(Vec::new()), |item| constraints(item, None))?,
        })
    };
    item.list(rule)?.map(read).collect()
}

/// `{ gte = 1, lt = 10 }`: all of them must hold, and those of `below`, where `item` does not say otherwise.
fn constraints(item: Item<'_>, below: Option<Item<'_>>) -> Result<Vec<Constraint>, ConfigError> {
    let rule = "expect must be a table such as { eq = 500 }";
    let below = below.map(|item| item.section(rule)).transpose()?;
    let table = item.section(rule)?;
    let known: Vec<&str> = Constraint::NAMES.into_iter().chain(["within"]).collect();
    table.only("`expect`", &known)?;
    let get = |name: &str| table.get(name).or_else(|| below?.get(name));
    let within = get("within").map(|item| Ok((item, number("within", item)?))).transpose()?;
    if let Some((item, _)) = within.as_ref().filter(|_| get("eq").is_none()) {
        return Err(item.refused("within says how far a number may be from the one of `eq`; add it"));
    }
    let read = |name: &str| {
        let item = get(name)?;
        Some(match &within {
            Some((_, most)) if name == "eq" => item.json().map(|wanted| Constraint::Within(wanted, most.clone())),
            _ => constraint(name, item),
        })
    };
    Constraint::NAMES.into_iter().filter_map(read).collect()
}

fn constraint(name: &str, item: Item<'_>) -> Result<Constraint, ConfigError> {
    let length = || item.small(0, &format!("{name} must be a length, 0 or more")).map(|length| length as usize);
    let values = |rule: &str| item.list(rule)?.map(|item| item.json()).collect::<Result<Vec<Json>, _>>();
    Ok(match name {
        "set" => Constraint::Set(values("set must be a list")?),
        "contains" => Constraint::Contains(match item.json()? {
            Json::Array(values) => values,
            one => vec![one],
        }),
        "matches" => matches(item)?,
        "schema" => Constraint::Schema(schema(item)?),
        "program" => program(item)?,
        "not" => Constraint::Not(constraints(item, None)?),
        "gt" => Constraint::Gt(number(name, item)?),
        "gte" => Constraint::Gte(number(name, item)?),
        "lt" => Constraint::Lt(number(name, item)?),
        "between" => between(item)?,
        "length" => Constraint::Length(length()?),
        "gt_length" => Constraint::GtLength(length()?),
        "starts_with" => Constraint::StartsWith(item.text("starts_with must be text")?.to_owned()),
        "one_of" => Constraint::OneOf(values("one_of must be a list")?),
        "has_keys" => Constraint::HasKeys(item.texts("has_keys must list keys")?),
        _ => Constraint::Eq(item.json()?),
    })
}

fn matches(item: Item<'_>) -> Result<Constraint, ConfigError> {
    let pattern = item.text("matches must be a regular expression")?;
    let checked = regex::Regex::new(pattern);
    checked.map_err(|error| item.refused(format!("matches: {error}")))?;
    Ok(Constraint::Matches(pattern.to_owned()))
}

/// The type of an answer: a JSON Schema, or a type as signatures have it.
fn schema(item: Item<'_>) -> Result<Type, ConfigError> {
    match item.json()? {
        Json::String(text) => Type::parse(&text).map_err(|error| item.refused(format!("schema: {error}"))),
        schema @ Json::Object(_) => Ok(Type::from_json_schema(&schema, Enums::Exact)),
        _ => Err(item.bad("schema must be a JSON Schema as a table, or a type such as \"{n :int}\"")),
    }
}

fn program(item: Item<'_>) -> Result<Constraint, ConfigError> {
    let source = item.text("program must be a program that reads `data/answer`")?;
    checked(source).map_err(|problems| item.refused(format!("program: {problems}")))?;
    Ok(Constraint::Program(source.to_owned()))
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
            "turns" => read.extend(constraints(item, None)?.into_iter().map(Assertion::Turns)),
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
