//! Options of agents and runs from a table of a mission file, by their rows.

use indexmap::IndexMap;
use ptc_agent::{AgentSpec, OptionKind, OptionRow, PlanStep, RunSpec, option_names, rules};
use ptc_chat::{LlmErrorKind, ModelOptions, ReasoningEffort};
use ptc_lisp::signature::{Signature, SignatureError};
use serde_json::{Value as Json, json};

use super::prompt;
use crate::compression;
use crate::document::{Item, Section};
use crate::error::ConfigError;
use crate::model;
use crate::problems::Problems;
use crate::shape::{self, Key};

/// A key that used to be an option.
const PMAP_TIMEOUT: &str = "pmap_timeout";

/// The keys of all options of agents and of runs.
pub(crate) fn keys() -> impl Iterator<Item = &'static str> {
    let rows = AgentSpec::OPTIONS.iter().chain(RunSpec::OPTIONS);
    rows.map(|row| row.name).chain([PMAP_TIMEOUT])
}

/// The options of the agent of `table`; its keys are already checked.
///
/// Rules are checked in the order in which the options are documented, not in the order of the file.
pub(crate) fn agent(table: Section<'_>, problems: &mut Problems) -> AgentSpec {
    problems.all(
        table.get(PMAP_TIMEOUT).map(|item| {
            item.refused("`pmap_timeout` is not an option: `timeout` bounds a program with all its branches")
        }),
    );
    problems.keep_some(table.get("llm").map(model::read));
    let mut spec = AgentSpec::default();
    for (row, item) in given(table, AgentSpec::OPTIONS) {
        problems.keep(match row.kind {
            OptionKind::Own(_) => own(&mut spec, row.name, item),
            _ => value(row, item)
                .and_then(|value| spec.set(row.name, value).map_err(|error| item.bad(error.to_string()))),
        });
    }
    spec
}

/// What `table` says about the run.
pub(crate) fn run(table: Section<'_>, problems: &mut Problems) -> RunSpec {
    let mut spec = RunSpec::default();
    for (row, item) in given(table, RunSpec::OPTIONS) {
        let value = value(row, item);
        problems.keep(value.and_then(|value| spec.set(row.name, value).map_err(|error| item.bad(error.to_string()))));
    }
    spec
}

fn given<'a>(table: Section<'a>, rows: &'static [OptionRow]) -> impl Iterator<Item = (&'static OptionRow, Item<'a>)> {
    rows.iter().filter_map(move |row| Some((row, table.get(row.name)?)))
}

/// A value as its row expects it, in the form in which serde writes it.
fn value(row: &OptionRow, item: Item<'_>) -> Result<Json, ConfigError> {
    let rule = row.rule();
    Ok(match row.kind {
        OptionKind::Count { least, most } => item.between(least, most, &rule)?.into(),
        OptionKind::Time => serde_json::to_value(item.duration(&rule)?).map_err(|error| item.bad(error.to_string()))?,
        OptionKind::Bytes => item.bytes(&rule)?.into(),
        OptionKind::Flag => item.bool(&rule)?.into(),
        OptionKind::Line if item.text(&rule)?.trim().is_empty() => return Err(item.refused(row.blank())),
        OptionKind::Text | OptionKind::Line => item.text(&rule)?.into(),
        OptionKind::Texts => {
            let texts = item.section(&rule)?;
            let text = |(name, _, item): (&str, _, Item<'_>)| {
                Ok((name.to_owned(), item.text(&format!("{}.{name} must be text", row.name))?.into()))
            };
            Json::Object(texts.entries().map(text).collect::<Result<_, ConfigError>>()?)
        }
        OptionKind::Choice { what, names } => {
            let choices: Vec<_> = names().iter().map(|name| (*name, *name)).collect();
            item.choice(what, &choices)?.into()
        }
        OptionKind::Table(rows) => {
            let table = item.section(&rule)?;
            table.only(&format!("`{}`", row.name), &rows.iter().map(|row| row.name).collect::<Vec<_>>())?;
            let entry = |(row, item): (&OptionRow, Item<'_>)| Ok((row.name.to_owned(), value(row, item)?));
            Json::Object(given(table, rows).map(entry).collect::<Result<_, ConfigError>>()?)
        }
        OptionKind::Own(_) if row.name == "retryable_errors" => errors(item)?,
        _ => return Err(item.bad(rule)),
    })
}

const PROMPT_LIMIT: [Key; 1] = [Key("max_chars", "Characters of the system text.", || shape::integer(1))];

const MODEL_OPTIONS: [Key; 6] = [
    Key("temperature", "Sampling temperature.", || json!({"type": "number"})),
    Key("max_output_tokens", "The most tokens that a reply may have.", || shape::integer(0)),
    Key("stop", "Texts at which the model stops.", shape::texts),
    Key("seed", "Seed for providers that can repeat a reply.", || shape::integer(0)),
    Key("reasoning_effort", "How much a reasoning model should think.", || {
        shape::choice(option_names::<ReasoningEffort>())
    }),
    Key("extra", "Further fields of the request body.", shape::object),
];

/// An option with a unique shape.
fn own(spec: &mut AgentSpec, name: &str, item: Item<'_>) -> Result<(), ConfigError> {
    match name {
        "signature" => spec.signature = Some(signature(item, Signature::parse)?),
        "system_prompt" => spec.system_prompt = prompt::system_prompt(item)?,
        "prompt_limit" => spec.prompt_limit = prompt_limit(item)?,
        "compression" => spec.compression = compression::read(item)?,
        "schema" => spec.schema = Some(schema(item)?),
        "builtin_tools" => spec.builtin_tools = families(item)?,
        "plan" => spec.plan = plan(item)?,
        "model_options" => spec.model_options = model_options(item)?,
        _ => return Err(item.refused(format!("`{name}` cannot be read from mission files"))),
    }
    Ok(())
}

/// The schema of an option with a unique shape.
pub(crate) fn shape(name: &str) -> Json {
    match name {
        "signature" => shape::text(),
        "system_prompt" => prompt::shape(),
        "prompt_limit" => shape::table(shape::properties(&PROMPT_LIMIT), &[]),
        "compression" => compression::shape(),
        "schema" => shape::object(),
        "builtin_tools" => shape::texts(),
        "plan" => {
            let pair = json!({"type": "array", "items": shape::text(), "minItems": 2, "maxItems": 2});
            json!({"type": "array", "items": {"anyOf": [shape::text(), pair]}})
        }
        "model_options" => shape::table(shape::properties(&MODEL_OPTIONS), &[]),
        _ => {
            json!({"type": "array", "items": shape::choice(&LlmErrorKind::recorded().map(LlmErrorKind::as_str).collect::<Vec<_>>())})
        }
    }
}

/// The signature of an agent or a tool.
pub(crate) fn signature(
    item: Item<'_>,
    parse: fn(&str) -> Result<Signature, SignatureError>,
) -> Result<Signature, ConfigError> {
    parse(item.text("signature must be text")?).map_err(|source| ConfigError::Signature { place: item.place(), source })
}

fn prompt_limit(item: Item<'_>) -> Result<Option<usize>, ConfigError> {
    let table = item.section("prompt_limit must be a map")?;
    table.only("`prompt_limit`", &shape::names(&PROMPT_LIMIT))?;
    let chars = table.get("max_chars").map(|item| item.small(1, "max_chars must be an integer above 0"));
    Ok(chars.transpose()?.map(|n| n as usize))
}

/// Names of errors of models.
fn errors(item: Item<'_>) -> Result<Json, ConfigError> {
    let names = item.texts("retryable_errors must list names of errors")?;
    match names.iter().find(|name| LlmErrorKind::from_name(name).is_none()) {
        Some(name) => {
            let known = LlmErrorKind::recorded().map(LlmErrorKind::as_str).collect::<Vec<_>>().join(", ");
            Err(item.refused(format!("unknown error {name} ({known})")))
        }
        None => Ok(names.into()),
    }
}

fn schema(item: Item<'_>) -> Result<Json, ConfigError> {
    item.section("schema must be a map")?;
    item.json()
}

fn families(item: Item<'_>) -> Result<Vec<String>, ConfigError> {
    let names = item.texts("builtin_tools must list family names")?;
    rules::tool_families(&names).map_err(|source| item.broken(source))?;
    Ok(names)
}

/// Steps are texts, or pairs `["id", "text"]`.
fn plan(item: Item<'_>) -> Result<IndexMap<String, String>, ConfigError> {
    let step = |(number, step): (usize, Item<'_>)| {
        let malformed = format!("plan item {number} is malformed");
        match step.value.get_ref().as_str() {
            Some(text) => Ok(PlanStep::from(text)),
            None => match step.texts(&malformed)?.as_slice() {
                [id, text] => Ok(PlanStep::from((id, text))),
                _ => Err(step.refused(malformed)),
            },
        }
    };
    let steps = (1..).zip(item.list("plan must be a list")?).map(step).collect::<Result<Vec<_>, _>>()?;
    rules::plan(&steps).map_err(|source| item.broken(source))
}

fn model_options(item: Item<'_>) -> Result<ModelOptions, ConfigError> {
    let table = item.section("model_options must be a map")?;
    table.only("`model_options`", &shape::names(&MODEL_OPTIONS))?;
    for Key(name, _, shape) in &MODEL_OPTIONS {
        let Some(value) = table.get(name) else { continue };
        if serde_json::from_value::<ModelOptions>(json!({*name: value.json()?})).is_err() {
            return Err(value.bad(format!("{name} must be {}", kind_of(&shape()))));
        }
    }
    serde_json::from_value(item.json()?).map_err(|error| item.refused(format!("model_options: {error}")))
}

/// What values of a shape are, in words.
fn kind_of(shape: &Json) -> String {
    match (shape["type"].as_str(), shape["enum"].as_array()) {
        (Some("number"), _) => "a number".to_owned(),
        (Some("integer"), _) => "a whole number, 0 or more".to_owned(),
        (Some("array"), _) => "a list of texts".to_owned(),
        (_, Some(names)) => {
            let names: Vec<String> = names.iter().filter_map(Json::as_str).map(|name| format!("\"{name}\"")).collect();
            format!("one of {}", names.join(", "))
        }
        _ => "a table".to_owned(),
    }
}
