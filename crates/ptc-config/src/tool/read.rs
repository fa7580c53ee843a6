//! Tool tables of a mission file.

use std::path::Path;

use ptc_agent::rules;
use ptc_lisp::signature::Signature;
use ptc_lisp::text::shortened;
use ptc_lisp::{Effect, HiddenFields, ToolSpec};
use ptc_mcp::{CommandLine, ONLY_UNDERSCORED, find_executable};
use serde_json::{Value as Json, json};

use super::answers::CannedAnswer;
use super::{ConfiguredTool, DEFAULT_TIMEOUT, ToolKind, check, question, recorded};
use crate::document::{Item, Section};
use crate::error::ConfigError;
use crate::options;
use crate::place::Place;
use crate::problems::{MissionWarning, Problems};
use crate::shape::{self, Key};

/// What a tool does: a table has one of these.
const BODIES: [Key; 5] = [
    Key(
        "command",
        "A command and its arguments: JSON in, JSON out.",
        || json!({"type": "array", "items": shape::text(), "minItems": 1}),
    ),
    Key("program", "A PTC-Lisp program; its parameters are bound by name.", shape::text),
    Key("answers", "Canned answers, or `{ file = \"…\" }` with recorded calls.", || {
        let answer = shape::table(shape::properties(&ANSWER), &[]);
        let file = shape::table(shape::properties(&RECORDED), &["file"]);
        json!({"anyOf": [{"type": "array", "items": answer}, file]})
    }),
    Key("self", "The agent itself, called with other input.", || json!({"const": true})),
    Key("llm", "A question to a model.", question::shape),
];
/// The other keys of a tool.
const FACTS: [Key; 10] = [
    Key("signature", "`(name type, …) -> type`.", shape::text),
    Key("description", "What the tool does, for models.", shape::text),
    Key(
        "params",
        "Descriptions of parameters by name; `\"filter.size\"` is a field of one. Shown by `(doc tool/NAME)`.",
        || shape::entries(shape::text()),
    ),
    Key("cache", "Whether repeated equal calls of a run return the first result.", shape::flag),
    Key("timeout", "Maximum time of one call; 60 s by default.", shape::amount),
    Key("approve", "Whether each call needs approval.", shape::flag),
    Key("idempotent", "Whether a call may be repeated when its outcome is unknown.", shape::flag),
    Key("effect", "Whether calls change anything outside of the run.", effects),
    Key(
        "hidden",
        "Fields of results that models do not see: names that begin with `_`. By default all such fields; with a list, those listed and those of secrets, such as `_token`.",
        shape::texts,
    ),
    Key("env", "Environment variables of the command: names to pass on, or a table of texts.", variables_shape),
];
const ANSWER: [Key; 3] = [
    Key("args", "Arguments that a call must have; it may have others.", shape::object),
    Key("result", "The result.", shape::any),
    Key("error", "The text of a failure, instead of a result.", shape::text),
];
const RECORDED: [Key; 1] = [Key("file", "JSON Lines of calls.", shape::text)];

/// The schema of `[tools.NAME]`.
pub(crate) fn schema() -> Json {
    let bodies: Vec<Json> = shape::names(&BODIES).into_iter().map(|body| json!({"required": [body]})).collect();
    shape::with(shape::table(shape::properties(BODIES.iter().chain(&FACTS)), &[]), "oneOf", bodies)
}

/// The schema of `[tools]`.
pub(crate) fn tables() -> Json {
    shape::entries(json!({"$ref": "#/$defs/tool"}))
}

pub(crate) fn effects() -> Json {
    shape::choice(&EFFECTS.map(Effect::as_str))
}

const EFFECTS: [Effect; 2] = [Effect::Read, Effect::Write];

/// The tools of `[tools]`, in order; commands are resolved from `folder`.
pub(crate) fn read(tools: Item<'_>, folder: &Path, problems: &mut Problems) -> Vec<ConfiguredTool> {
    let tools = problems.keep(tools.section("tools must be a map"));
    let entries = tools.iter().flat_map(Section::entries);
    entries.filter_map(|(name, place, item)| tool(name, place, item, folder, problems)).collect()
}

fn tool(
    name: &str,
    place: Box<Place>,
    item: Item<'_>,
    folder: &Path,
    problems: &mut Problems,
) -> Option<ConfiguredTool> {
    problems.keep(check_name(name, &place));
    let table = problems.keep(item.section(&format!("tool `{name}` must be a table")))?;
    problems.all(table.unknown(&format!("tool `{name}`"), &shape::names(BODIES.iter().chain(&FACTS))));
    let mut spec = spec(name, table, problems);
    let kind = kind(place, table, &spec, folder, problems)?;
    if !matches!(kind, ToolKind::Itself | ToolKind::Llm(_)) {
        spec.timeout.get_or_insert(DEFAULT_TIMEOUT);
    }
    Some(ConfiguredTool { spec, kind })
}

/// Whether a program could write this name after `tool/`.
pub(crate) fn check_name(name: &str, place: &Place) -> Result<(), ConfigError> {
    rules::tool_name(name).map_err(|source| ConfigError::Rule { place: Box::new(place.clone()), source })
}

fn spec(name: &str, table: Section<'_>, problems: &mut Problems) -> ToolSpec {
    let mut spec = ToolSpec::new(name);
    let signature = |item| options::signature(item, Signature::parse_tool);
    spec.signature = problems.keep_some(table.get("signature").map(signature));
    let description = table.get("description").map(|item| item.text("description must be text"));
    spec.description = problems.keep_some(description).map(str::to_owned);
    if let Some(params) =
        problems.keep_some(table.get("params").map(|item| item.section("params must be a table of texts")))
    {
        let has_signature = spec.signature.is_some() || table.get("signature").is_none();
        for (path, place, item) in params.entries().filter(|_| has_signature) {
            let known = problems
                .keep(item.text("params must be a table of texts"))
                .map(|about| describe(&mut spec, path, about));
            problems.all((known == Some(false)).then(|| unknown_param(&spec, path, place)));
        }
    }
    let mut flag = |key: &str| {
        problems
            .keep_some(table.get(key).map(|item| item.bool(&format!("{key} must be a boolean"))))
            .unwrap_or_default()
    };
    (spec.cache, spec.idempotent, spec.approve) = (flag("cache"), flag("idempotent"), flag("approve"));
    // A question to a model changes nothing.
    let usual = if table.get("llm").is_some() { Effect::Read } else { spec.effect };
    let declared = problems.keep_some(table.get("effect").map(effect));
    spec = ToolSpec { effect: usual, ..spec }.declared(declared);
    let hidden = problems.keep_some(table.get("hidden").map(hidden));
    spec.hidden_fields = hidden.map(HiddenFields::named).unwrap_or_default();
    let timeout = table.get("timeout").map(|item| item.duration("timeout must be an integer above 0"));
    spec.timeout = problems.keep_some(timeout);
    spec
}

fn describe(spec: &mut ToolSpec, path: &str, about: &str) -> bool {
    spec.signature.as_mut().is_some_and(|signature| signature.describe(path, about))
}

fn unknown_param(spec: &ToolSpec, path: &str, place: Box<Place>) -> ConfigError {
    let form = match spec.signature.as_ref().filter(|signature| signature.declares_params()) {
        Some(signature) => format!("its signature is {signature}"),
        None => "its signature names no parameters: write `signature = \"(name :string) -> :any\"`".to_owned(),
    };
    ConfigError::refused(place, format!("tool `{}` has no parameter `{path}`; {form}", spec.name))
}

/// The value of a `hidden` key.
pub(crate) fn hidden(item: Item<'_>) -> Result<Vec<String>, ConfigError> {
    let rule = "hidden must list names of fields";
    let names = item.texts(rule)?;
    match names.iter().find(|name| !name.starts_with('_')) {
        None => Ok(names),
        Some(name) => Err(item.refused(format!("hidden has `{}`: {ONLY_UNDERSCORED}", shortened(name, 60)))),
    }
}

/// The value of an `effect` key.
pub(crate) fn effect(item: Item<'_>) -> Result<Effect, ConfigError> {
    item.choice("effect", &EFFECTS.map(|effect| (effect.as_str(), effect)))
}

fn kind(
    place: Box<Place>,
    table: Section<'_>,
    spec: &ToolSpec,
    folder: &Path,
    problems: &mut Problems,
) -> Option<ToolKind> {
    let name = spec.name.as_str();
    let found: Vec<&'static str> = shape::names(&BODIES).into_iter().filter(|key| table.get(key).is_some()).collect();
    let ([key], Some(item)) = (found.as_slice(), found.first().and_then(|key| table.get(key))) else {
        let found = if found.is_empty() { "none".to_owned() } else { found.join(" and ") };
        let rule = "needs exactly one of `command`, `program`, `answers`, `self` and `llm`";
        problems.all([ConfigError::refused(place, format!("tool `{name}` {rule}, it has {found}"))]);
        return None;
    };
    if let Some(env) = table.get("env").filter(|_| *key != "command") {
        problems.all([env.refused(format!("env belongs to a command; tool `{name}` has `{key}`"))]);
    }
    // Without its parameters nothing can be checked that uses them.
    let is_broken = spec.signature.is_none() && table.get("signature").is_some();
    match *key {
        "self" => problems.keep(itself(name, item, table)),
        "llm" | "program" if is_broken => None,
        "llm" => problems.keep(question::read(item, table, spec)).map(ToolKind::Llm),
        "command" => {
            let line = command_line(&format!("tool `{name}`"), item, table.get("env"), folder);
            problems.keep(line).map(ToolKind::Command)
        }
        "program" => {
            let source = problems.keep(item.text("program must be text"))?.to_owned();
            check::program(item, &source, spec, problems);
            Some(ToolKind::Program { source })
        }
        _ => {
            let read = answers(item, spec, &mut problems.warnings);
            problems.keep(read)
        }
    }
}

/// A list, or the file of recorded calls.
fn answers(item: Item<'_>, spec: &ToolSpec, warnings: &mut Vec<MissionWarning>) -> Result<ToolKind, ConfigError> {
    let rule = "answers must be a list or `{ file = \"calls.jsonl\" }`";
    let Ok(table) = item.section(rule) else {
        let mut answers = Vec::new();
        for item in item.list(rule)? {
            let answer = answer(item)?;
            warnings.extend(check::answer(item, &answer, spec));
            answers.push(answer);
        }
        return Ok(ToolKind::Answers(answers));
    };
    table.only("`answers`", &shape::names(&RECORDED))?;
    let file = table.get("file").ok_or_else(|| item.bad(rule))?;
    Ok(ToolKind::Recorded(recorded::read(&spec.name, file)?))
}

/// The agent itself declares its input and output, and how long it may run.
fn itself(name: &str, item: Item<'_>, table: Section<'_>) -> Result<ToolKind, ConfigError> {
    if !item.bool("self must be true")? {
        return Err(item.bad("self must be true"));
    }
    for key in ["signature", "timeout"] {
        if let Some(item) = table.get(key) {
            return Err(item.refused(format!("tool `{name}` is the agent itself: leave out its {key}")));
        }
    }
    Ok(ToolKind::Itself)
}

/// The command of a tool or server, called `of` in errors.
fn command_line(of: &str, item: Item<'_>, env: Option<Item<'_>>, folder: &Path) -> Result<CommandLine, ConfigError> {
    let rule = "command must list the command and its arguments as texts";
    let words = item.texts(rule)?;
    let Some((first, args)) = words.split_first() else { return Err(item.bad(rule)) };
    let executable = find_executable(first, folder).map_err(|told| item.refused(format!("{of}: {told}")))?;
    let env = env.map_or(Ok(Vec::new()), variables)?;
    Ok(CommandLine { executable, args: args.to_vec(), folder: Some(folder.to_owned()), env })
}

pub(crate) fn variables_shape() -> Json {
    json!({"anyOf": [shape::texts(), shape::entries(shape::text())]})
}

/// `["NAME", …]` passes variables on, `{ NAME = "text" }` sets them.
pub(crate) fn variables(item: Item<'_>) -> Result<Vec<(String, Option<String>)>, ConfigError> {
    let rule = "env must be a list of variable names or a map from names to texts";
    if item.value.get_ref().is_array() {
        return Ok(item.texts(rule)?.into_iter().map(|name| (name, None)).collect());
    }
    let entries = item.section(rule)?;
    entries.entries().map(|(name, _, value)| Ok((name.to_owned(), Some(value.text(rule)?.to_owned())))).collect()
}

fn answer(item: Item<'_>) -> Result<CannedAnswer, ConfigError> {
    let rule = "an answer is a table such as { args = { id = 1 }, result = … } or { error = \"…\" }";
    let table = item.section(rule)?;
    table.only("an answer", &shape::names(&ANSWER))?;
    let value = |key: &str| table.get(key).map(|item| item.json()).transpose();
    let (args, error) = (value("args")?, table.get("error").map(|error| error.text("error must be text")).transpose()?);
    if let Some(given) = table.get("args").filter(|_| args.as_ref().is_some_and(|args| !args.is_object())) {
        return Err(given.bad("args must be a map"));
    }
    let answer = CannedAnswer::of(args, value("result")?, error.map(Json::from));
    answer.ok_or_else(|| item.refused(format!("{rule}, with exactly one of `result` and `error`")))
}
