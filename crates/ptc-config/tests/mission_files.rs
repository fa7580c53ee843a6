//! The page on mission files agrees with the rows of the reader, and its examples can be read.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails where it stands")]

use std::path::Path;

use ptc_agent::{AgentSpec, FormatSettings, LlmRetry, OptionKind, OptionRow, RunSpec};
use ptc_config::{MissionFile, mission_schema};
use serde_json::Value as Json;

const PAGE: &str = "../../docs/reference/mission-files.md";

const HEAD: &str = include_str!("mission_files/head.md");

/// Set to write the page instead of comparing it.
const WRITE: &str = "PTC_WRITE_PAGES";

#[test]
fn the_page_on_mission_files_is_that_of_the_rows() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let page = page();
    if std::env::var_os(WRITE).is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(written == page, "run `{WRITE}=1 cargo test -p ptc-config --test mission_files` and commit {PAGE}");
}

#[test]
fn the_examples_of_the_page_are_read() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bookings.csv"), "guest,nights\nInes,2\n").unwrap();
    let examples: Vec<&str> =
        HEAD.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap_or_default()).collect();
    assert!(!examples.is_empty());
    for example in examples {
        // A command must be installed: any installed one will do.
        let text = example.replace("./rate.sh", if cfg!(windows) { "cmd" } else { "sh" });
        if let Err(error) = MissionFile::from_text(folder.path().join("mission.toml"), &text) {
            panic!("{error}\n{example}");
        }
    }
}

fn page() -> String {
    let (agent, run) = (AgentSpec::default(), RunSpec::default());
    let (format, retry) = (FormatSettings::default(), LlmRetry::default());
    let schema = mission_schema();
    let top = &schema["properties"];
    let (tool, below) = (&schema["$defs"]["tool"], &schema["$defs"]["agent"]);
    let canned = &tool["properties"]["answers"]["anyOf"];
    [
        HEAD.to_owned(),
        keys("Other keys at the top", top, is_no_option),
        table("Of every agent", AgentSpec::OPTIONS, |name| agent.get(name).unwrap()),
        table("Of the run, at the top of the file", RunSpec::OPTIONS, |name| run.get(name).unwrap()),
        table("In `llm_retry`", LlmRetry::OPTIONS, |name| retry.get(name).unwrap()),
        table("In `format_options`", FormatSettings::OPTIONS, |name| format.get(name).unwrap()),
        keys("In `model_options`", &top["model_options"]["properties"], |_| true),
        keys("In `system_prompt`", &top["system_prompt"]["anyOf"][1]["properties"], |_| true),
        strategies(&top["compression"]["anyOf"][2]["anyOf"]),
        keys("In `[tools.NAME]`", &tool["properties"], |_| true),
        format!("Exactly one of these is there: {}.\n", one_of(tool)),
        keys("In an element of `answers`", &canned[0]["items"]["properties"], |_| true),
        keys("In `[tools.NAME.llm]`", &tool["properties"]["llm"]["properties"], |_| true),
        keys("In `[mcp.NAME]`", &top["mcp"]["additionalProperties"]["properties"], |_| true),
        "Exactly one of `command` and `url` is there, unless the file that `mcp_servers` names has a server of this name.\n".to_owned(),
        keys("In `[agents.NAME]`", &below["properties"], is_no_option),
        "`mission` and `description` are required; every [option of an agent](#of-every-agent) is allowed, too.\n".to_owned(),
    ]
    .join("\n")
}

/// Whether a key is not one of the options: these have tables with their defaults.
fn is_no_option(key: &str) -> bool {
    let options = AgentSpec::OPTIONS.iter().chain(RunSpec::OPTIONS);
    !options.into_iter().any(|row| row.name == key)
}

/// A table of the properties of a schema.
fn keys(title: &str, properties: &Json, is_shown: impl Fn(&str) -> bool) -> String {
    let rows = properties.as_object().unwrap().iter().filter(|(key, _)| is_shown(key)).map(|(key, schema)| {
        let doc = schema["description"].as_str().unwrap_or_default().replace('|', "\\|");
        format!("| `{key}` | {} | {doc} |\n", kinds(schema))
    });
    format!("## {title}\n\n| key | values | what it is |\n|---|---|---|\n{}", rows.collect::<String>())
}

/// The values that a schema allows, in words.
fn kinds(schema: &Json) -> String {
    let list = |schemas: &Vec<Json>| schemas.iter().map(kinds).collect::<Vec<_>>().join(", or ");
    if let Some(ways) = schema["anyOf"].as_array() {
        return list(ways);
    }
    if let Some(names) = schema["enum"].as_array() {
        return names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    }
    match (schema["type"].as_str(), &schema["minimum"]) {
        (Some("string"), _) => "text".to_owned(),
        (Some("boolean"), _) => "`true`, `false`".to_owned(),
        (Some("integer"), Json::Number(least)) => format!("integer, {least} or more"),
        (Some("array"), _) => format!("list of {}", plural(&kinds(&schema["items"]))),
        (Some("object"), _) => table_kind(schema),
        (Some(other), _) => other.to_owned(),
        (None, _) if schema["type"].is_array() => "milliseconds, or text such as `\"5s\"`".to_owned(),
        (None, _) if schema.get("const").is_some() => format!("`{}`", schema["const"]),
        (None, _) if schema.get("$ref").is_some() => "table, see below".to_owned(),
        (None, _) => "any value".to_owned(),
    }
}

fn table_kind(schema: &Json) -> String {
    let names = schema["properties"].as_object().into_iter().flatten().map(|(key, _)| format!("`{key}`"));
    match (names.collect::<Vec<_>>(), &schema["additionalProperties"]) {
        (_, Json::Object(of)) if of.get("anyOf").is_some() => "table of values and files".to_owned(),
        (names, _) if !names.is_empty() => format!("table of {}", names.join(", ")),
        (_, Json::Object(_)) => {
            format!("table of {}", plural(&kinds(&schema["additionalProperties"])).replace(", see below", ""))
        }
        _ => "table".to_owned(),
    }
}

fn plural(kind: &str) -> String {
    match kind.strip_prefix("table") {
        _ if kind == "text" => "texts".to_owned(),
        Some(rest) => format!("tables{rest}"),
        None => kind.to_owned(),
    }
}

/// The keys of which exactly one is required.
fn one_of(schema: &Json) -> String {
    let names =
        schema["oneOf"].as_array().unwrap().iter().map(|way| format!("`{}`", way["required"][0].as_str().unwrap()));
    names.collect::<Vec<_>>().join(", ")
}

/// The options that all strategies have.
const COMMON: [&str; 3] = ["strategy", "max_tokens", "token_counter"];

/// The options of each strategy with their defaults.
fn strategies(tables: &Json) -> String {
    let built_in =
        tables.as_array().unwrap().iter().filter(|table| table["properties"]["strategy"].get("const").is_some());
    let rows = built_in.map(|table| {
        let properties = table["properties"].as_object().unwrap();
        let options = properties.iter().filter(|(key, _)| !COMMON.contains(&key.as_str()));
        let options = options.map(|(key, schema)| match schema.get("default") {
            Some(default) => format!("`{key} = {default}`"),
            None => format!("`{key}` (no limit)"),
        });
        let name = properties["strategy"]["const"].as_str().unwrap();
        format!("| `{name}` | {} |\n", options.collect::<Vec<_>>().join(", "))
    });
    format!(
        "## In `compression`\n\n`true` is the first strategy of this table. All of them, and the dialogue without a strategy, take `max_tokens` (maximum tokens of a request) and `token_counter` (`\"o200k\"` or `\"bytes\"`).\n\n| strategy | options with their defaults |\n|---|---|\n{}",
        rows.collect::<String>()
    )
}

fn table(title: &str, rows: &[OptionRow], default: impl Fn(&str) -> Json) -> String {
    let lines = rows.iter().map(|row| {
        // One space for each line break of the doc comment.
        let doc = row.doc.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|");
        format!("| `{}` | {} | {} | {doc} |\n", row.name, values(&row.kind), shown(&row.kind, &default(row.name)))
    });
    format!("## {title}\n\n| key | values | default | what it is |\n|---|---|---|---|\n{}", lines.collect::<String>())
}

fn values(kind: &OptionKind) -> String {
    match kind {
        OptionKind::Count { least, .. } => format!("integer, {least} or more"),
        OptionKind::Time => "milliseconds, or text such as `\"5s\"`".to_owned(),
        OptionKind::Bytes => "bytes, or text such as `\"64MB\"`".to_owned(),
        OptionKind::Flag => "`true`, `false`".to_owned(),
        OptionKind::Texts => "table of texts".to_owned(),
        OptionKind::Choice { names, .. } => {
            names().iter().map(|name| format!("`\"{name}\"`")).collect::<Vec<_>>().join(", ")
        }
        OptionKind::Table(_) => "table, see below".to_owned(),
        OptionKind::Own(shape) => (*shape).to_owned(),
        _ => "text".to_owned(),
    }
}

fn shown(kind: &OptionKind, value: &Json) -> String {
    match (kind, value) {
        (OptionKind::Time, Json::Object(time)) => format!("`\"{}s\"`", time.get("secs").unwrap()),
        (OptionKind::Bytes, Json::Number(bytes)) => format!("`\"{}MB\"`", bytes.as_u64().unwrap() >> 20),
        (OptionKind::Choice { .. }, Json::String(name)) => format!("`\"{name}\"`"),
        (_, Json::Number(_) | Json::Bool(_)) => format!("`{value}`"),
        _ => String::new(),
    }
}
