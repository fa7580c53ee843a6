//! Questions from a table: a row for each case, asked with the missions of the suite.

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use ptc_config::{ConfigError, Document, Item, MissionFile, Section, named, read_text, with_table};
use ptc_lisp::signature::Type;
use ptc_lisp::values::key_text;
use ptc_lisp::{Map, Value};
use ptc_transcript::{ValueForm, fingerprint, json_of};
use serde_json::{Map as JsonMap, Value as Json, json};

use super::Suite;
use super::read::{self, Defaults};
use crate::batch::rows_of;
use crate::case::Case;
use crate::constraint::{Constraint, Kind};

/// The column that names a case, and the one with its answer; `expect.contains` and so on are other constraints.
const NAME: &str = "case";
const EXPECT: &str = "expect";

/// The columns that no mission sees.
const OWN: [&str; 5] = [NAME, EXPECT, "check", "then", "judge"];

/// Constraints that take a list, which a cell has between these.
const LISTS: [&str; 4] = ["set", "one_of", "between", "has_keys"];
const BETWEEN: char = '|';

/// A mission that all questions of a suite can be asked with.
#[derive(Debug, Clone)]
pub struct SuiteMission {
    /// The name of its file without its ending, with its folder where several files are called so.
    pub name: String,
    /// What the file says.
    pub file: MissionFile,
    /// Tells versions of it apart.
    fingerprint: String,
}

impl SuiteMission {
    /// Read a mission file, one of these.
    pub(super) fn load(path: &Path, all: &[PathBuf]) -> Result<SuiteMission, ConfigError> {
        let text = read_text(path)?;
        let file = MissionFile::from_text(path, &text)?;
        let is_alone = all.iter().filter(|other| other.file_stem() == path.file_stem()).count() == 1;
        let name =
            if is_alone { path.file_stem().map(Path::new).unwrap_or(path).to_owned() } else { path.with_extension("") };
        let parts: Vec<_> = name.components().map(|part| part.as_os_str().to_string_lossy()).collect();
        Ok(SuiteMission {
            name: parts.join("-"),
            file,
            fingerprint: fingerprint(&Json::from(text)).unwrap_or_default(),
        })
    }

    /// The kind of the answers that it declares, if it is only one.
    fn kind(&self) -> Option<Kind> {
        Kind::of_type(self.file.agent.signature.as_ref()?.result())
    }
}

impl Case {
    /// The same question, asked with this mission.
    pub(crate) fn with(&self, mission: &SuiteMission) -> Case {
        let mut file = mission.file.clone();
        file.data.extend(self.given.iter().map(|(name, value)| (name.clone(), value.clone())));
        let version = fingerprint(&json!([self.own_fingerprint, mission.fingerprint])).unwrap_or_default();
        Case {
            mission: file,
            asked_with: Some(mission.name.clone()),
            kind: self.declared.or_else(|| mission.kind()).or(self.kind),
            fingerprint: version,
            ..self.clone()
        }
    }
}

/// Add the questions that `questions` of a suite names.
pub(super) fn read(item: Item<'_>, suite: &mut Suite, defaults: &Defaults<'_>) -> Result<(), ConfigError> {
    let keys = match item.json()? {
        Json::String(file) => JsonMap::from_iter([("file".to_owned(), Json::from(file))]),
        Json::Object(keys) => keys,
        _ => {
            return Err(
                item.bad("questions must name a data file, or be a table such as { file = \"q.csv\", skip = 2 }")
            );
        }
    };
    let file = keys.get("file").and_then(Json::as_str).unwrap_or_default().to_owned();
    let file = file.as_str();
    let stem = Path::new(file).file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let wrong = |problem: String| item.refused(format!("{}: {problem}", named(Path::new(file))));
    let kind = defaults.kind()?;
    let of_missions = || suite.missions.iter().filter_map(SuiteMission::kind);
    let is_text = kind.or_else(|| of_missions().next()).is_some_and(|kind| kind == Kind::String);
    let texts = texts(suite, is_text);
    let (rows, notes) = rows_of(&suite.folder.join("suite.toml"), keys, &texts).map_err(wrong)?;
    suite.notes.extend(notes);
    if rows.is_empty() {
        return Err(wrong("there are no rows in it".to_owned()));
    }
    let digits = rows.len().to_string().len();
    let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') { c } else { '-' };
    let stem: String = stem.chars().map(plain).collect();
    let first = suite.missions.first().cloned();
    for (place, row) in rows.iter().enumerate() {
        let number = place + 1;
        let wrong = |problem: String| wrong(format!("row {number}: {problem}"));
        let row = Row::read(row, kind).map_err(wrong)?;
        let name = row.name.clone().unwrap_or_else(|| format!("{stem}-{number:0digits$}"));
        let text = with_table("", &["cases", &name], &row.tables);
        let document = Document::new(suite.folder.join("suite.toml"), &text);
        let parsed = document.parse().map_err(|error| wrong(error.message()))?;
        let cases = document.section(&parsed).get("cases").map(|cases| cases.section("a table")).transpose()?;
        for (name, place, table) in cases.iter().flat_map(Section::entries) {
            read::check_name(name, place, suite).map_err(|error| wrong(error.message()))?;
            let base = first.as_ref().map(|mission| mission.file.clone());
            let case = read::case(&stem, name, table, suite, defaults, base).map_err(|error| wrong(error.message()))?;
            let case = row.given(case, suite).map_err(wrong)?;
            suite.cases.push(case);
        }
    }
    settle_kinds(suite);
    if let Some(mission) = first {
        suite.cases.iter_mut().for_each(|case| *case = case.with(&mission));
    }
    Ok(())
}

/// Columns that stay texts: the inputs that missions declare as texts, and right answers that are texts.
fn texts(suite: &Suite, is_text: bool) -> Vec<String> {
    let missions = suite.missions.iter().flat_map(|mission| &mission.file.agent.signature);
    let fields = missions.flat_map(|signature| signature.params()).filter(|field| *field.ty.shape() == Type::String);
    let mut names: Vec<String> = fields.map(|field| field.name.clone()).collect();
    names.extend(is_text.then(|| EXPECT.to_owned()));
    names.sort_unstable();
    names.dedup();
    names
}

/// The kind of all right answers, for cases that say none: that of their values, if these are of one kind.
fn settle_kinds(suite: &mut Suite) {
    let value = |constraint: &Constraint| match constraint {
        Constraint::Eq(value) | Constraint::Within(value, _) => Kind::of(value),
        _ => None,
    };
    let mut kinds: Vec<Kind> = suite.cases.iter().flat_map(|case| &case.expect).filter_map(value).collect();
    kinds.sort_by_key(|kind| kind.as_str());
    kinds.dedup();
    let kind = match kinds.as_slice() {
        [kind] => Some(*kind),
        [Kind::Integer, Kind::Number] => Some(Kind::Number),
        _ => None,
    };
    suite.cases.iter_mut().for_each(|case| case.kind = case.kind.or(kind));
}

/// A row of a table of questions.
struct Row {
    name: Option<String>,
    /// What is a table in a suite.
    tables: JsonMap<String, Json>,
    /// The other columns.
    columns: Vec<(String, Value)>,
}

impl Row {
    fn read(row: &Map, kind: Option<Kind>) -> Result<Row, String> {
        let mut read = Row { name: None, tables: JsonMap::new(), columns: Vec::new() };
        let mut expect = JsonMap::new();
        for (key, value) in row.iter() {
            let name = key_text(key);
            let cell = json_of(value, ValueForm::Plain);
            match (name.as_str(), name.strip_prefix("expect.")) {
                (name, constraint) if is_empty(&cell) && (OWN.contains(&name) || constraint.is_some()) => {}
                (NAME, _) => read.name = cell.as_str().map(str::to_owned).or_else(|| Some(cell.to_string())),
                (EXPECT, _) => expect.extend(wanted(cell, kind)?),
                (_, Some(constraint)) => {
                    expect.insert(constraint.to_owned(), listed(constraint, cell));
                }
                (table, _) if OWN.contains(&table) => {
                    read.tables.insert(name, cell);
                }
                _ => read.columns.push((name, value.clone())),
            }
        }
        if !expect.is_empty() {
            read.tables.insert(EXPECT.to_owned(), Json::Object(expect));
        }
        Ok(read)
    }

    /// The case with those columns that a mission of the suite takes as inputs.
    fn given(&self, case: Case, suite: &Suite) -> Result<Case, String> {
        let missions: Vec<&MissionFile> = match suite.missions.as_slice() {
            [] => vec![&case.mission],
            missions => missions.iter().map(|mission| &mission.file).collect(),
        };
        let is_input = |name: &str| missions.iter().any(|mission| mission.check_input(name).is_ok());
        let given: IndexMap<String, Value> = self.columns.iter().filter(|(name, _)| is_input(name)).cloned().collect();
        let columns = || self.columns.iter().map(|(name, _)| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        for mission in missions {
            let mut filled = mission.clone();
            filled.data.extend(given.iter().map(|(name, value)| (name.clone(), value.clone())));
            let missing = filled.missing_inputs().into_iter().map(|missing| missing.name).next();
            let missing = missing.or_else(|| filled.unfilled().into_iter().map(|unknown| unknown.name).next());
            if let Some(name) = missing {
                let path = named(&mission.path);
                return Err(format!("{path} takes `{name}`, and the columns are {}; name them alike", columns()));
            }
        }
        let mut case = case;
        case.mission.data.extend(given.iter().map(|(name, value)| (name.clone(), value.clone())));
        let row = json!([case.fingerprint, json_of(&Value::map_from(keyed(&given)), ValueForm::Plain)]);
        case.own_fingerprint = fingerprint(&row).unwrap_or_default();
        case.fingerprint.clone_from(&case.own_fingerprint);
        Ok(Case { given, ..case })
    }
}

fn keyed(given: &IndexMap<String, Value>) -> impl Iterator<Item = (Value, Value)> {
    given.iter().map(|(name, value)| (Value::keyword(name), value.clone()))
}

fn is_empty(cell: &Json) -> bool {
    cell.is_null() || cell.as_str() == Some("")
}

/// What `expect` says: constraints, or the right answer.
fn wanted(cell: Json, kind: Option<Kind>) -> Result<JsonMap<String, Json>, String> {
    let is_constraint = |name: &String| Constraint::NAMES.contains(&name.as_str()) || name == "within";
    let answer = match (cell, kind) {
        (Json::Object(constraints), _) if constraints.keys().all(is_constraint) => return Ok(constraints),
        (Json::String(text), None | Some(Kind::String)) => Json::String(text),
        (Json::String(text), Some(kind)) => serde_json::from_str(text.trim())
            .map_err(|_| format!("expect: `{text}` is not {} as JSON", kind.as_json()))?,
        (cell @ (Json::Number(_) | Json::Bool(_)), Some(Kind::String)) => Json::String(cell.to_string()),
        (cell, _) => cell,
    };
    Ok(JsonMap::from_iter([("eq".to_owned(), answer)]))
}

/// The value of a constraint: a cell may have a list as JSON, or its parts with bars between them.
fn listed(constraint: &str, cell: Json) -> Json {
    let Some(text) = cell.as_str().filter(|_| LISTS.contains(&constraint)) else {
        return if LISTS.contains(&constraint) && !cell.is_array() { json!([cell]) } else { cell };
    };
    if let Ok(list @ Json::Array(_)) = serde_json::from_str(text) {
        return list;
    }
    let part = |part: &str| match serde_json::from_str(part) {
        Ok(number @ Json::Number(_)) => number,
        _ => Json::from(part),
    };
    text.split(BETWEEN).map(|text| part(text.trim())).collect()
}
