//! Files of the pages are read by what reads them: `toml` is a mission file or a part of one, unless its next word says
//! `tool` (what may be in one), `gateway`, `suite`, `cases`, `cargo`, `prices`, `settings` or `engine` (a file of the durable
//! engine); `json` is any JSON, or `answers`, `calls`, `memory` or `servers`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use ptc_runner::chat::ReplayLlm;
use ptc_runner::config::{Document, Registry, SettingsFiles};
use ptc_runner::eval::Suite;
use ptc_runner::gateway::GatewayFile;
use ptc_runner::lisp::StoredMemory;
use ptc_runner::trace::replay::PriceList;
use ptc_tests::fences::{self, Fence};

use super::{all_right, fences_of};

/// The files that missions of the pages name. Their own pages say what is in them, or any content will do.
const FILES: [(&str, &str); 7] = [
    ("bookings.csv", "guest,nights\nInes,2\n"),
    ("calls.jsonl", "{\"name\": \"balance\", \"args\": {}, \"result\": 1}\n"),
    ("clerk.md", "You are a clerk.\n"),
    ("mcp.json", r#"{"mcpServers": {"files": {"command": "npx"}, "crm": {"url": "https://crm.example/mcp"}}}"#),
    ("orders.csv", "id,price\na1,2.5\n"),
    ("people.csv", "name,_pin\nInes,1234\n"),
    ("trips.csv", "city,country,days,currency,cost\nOslo,Norway,3,NOK,6900\n"),
];

/// Commands that the pages start; a mission needs installed ones.
const COMMANDS: [&str; 5] = ["\"./rate.sh\"", "\"./rate.py\"", "\"./book.sh\"", "\"npx\"", "\"./price.sh\""];

#[test]
fn toml_of_the_pages_is_read() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in FILES {
        fs::write(folder.path().join(name), text).unwrap();
    }
    fs::write(folder.path().join("role.md"), "You are a careful clerk.\n").unwrap();
    let wrong = fences_of("toml").into_iter().filter_map(|fence| {
        let installed = if cfg!(windows) { "\"cmd\"" } else { "\"sh\"" };
        let text = COMMANDS.iter().fold(fence.text.clone(), |text, command| text.replace(command, installed));
        let kind = fence.notes.first().map_or("mission", String::as_str);
        let error = match kind {
            "mission" => mission(folder.path(), &text),
            "tool" => {
                mission(folder.path(), &format!("[tools.rate]\nsignature = '(currency :string) -> :float'\n{text}"))
            }
            "gateway" => {
                GatewayFile::from_text(folder.path().join("gateway.toml"), &text).err().map(|error| error.to_string())
            }
            "suite" => suite(&text, "[cases.a]\nmission = 'x'\nkind = 'integer'\n"),
            "cases" => suite("title = 'x'\nseed = 1\nlevels = ['basic']\n", &text),
            "cargo" => cargo(&text),
            "settings" => settings(folder.path(), &text),
            "prices" => PriceList::parse(&text).err().map(|error| error.to_string()),
            "engine" => Document::new("engine.toml", &text).parse().err().map(|error| error.to_string()),
            other => Some(format!("`toml,{other}` is not known here")),
        };
        error.map(|error| format!("{}: {error}", fence.place()))
    });
    all_right(&wrong.collect::<Vec<_>>());
}

/// All that is wrong with a mission file; a part of one gets a mission.
fn mission(folder: &Path, text: &str) -> Option<String> {
    let has_mission = text.lines().take_while(|line| !line.starts_with('[')).any(|line| line.starts_with("mission ="));
    let text = if has_mission { text.to_owned() } else { format!("mission = 'Count.'\n{text}") };
    let found = Registry::new().check_text(folder.join("mission.toml"), &text);
    let problems: Vec<String> = found.problems.iter().map(|problem| problem.to_string()).collect();
    (!problems.is_empty()).then(|| problems.join("\n"))
}

/// What is wrong with a user's own settings.
fn settings(folder: &Path, text: &str) -> Option<String> {
    let file = folder.join("config.toml");
    fs::write(&file, text).unwrap();
    SettingsFiles { user: Some(file), is_named: true, ..SettingsFiles::default() }
        .read()
        .err()
        .map(|error| error.to_string())
}

/// A suite whose levels all have these cases.
fn suite(suite: &str, cases: &str) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("suite.toml"), suite).unwrap();
    for name in ["tickets.csv", "short.toml", "strict.toml"] {
        fs::copy(fences::root().join("docs/examples/two-prompts").join(name), folder.path().join(name)).unwrap();
    }
    fs::write(folder.path().join("basic.toml"), cases).unwrap();
    fs::write(folder.path().join("robustness.toml"), cases.replace("[cases.", "[cases.b-")).unwrap();
    Suite::load(folder.path()).err().map(|error| error.to_string())
}

/// Dependencies on crates of ours that they are, with features that they have.
fn cargo(text: &str) -> Option<String> {
    let table: toml::Table = match text.parse() {
        Ok(table) => table,
        Err(error) => return Some(error.to_string()),
    };
    for (name, dependency) in table["dependencies"].as_table().unwrap() {
        let Some(ours) = name.strip_prefix("ptc-").map(|_| fences::root().join("crates").join(name)) else { continue };
        let Ok(manifest) = fs::read_to_string(ours.join("Cargo.toml")) else {
            return Some(format!("there is no crate {name}"));
        };
        let manifest: toml::Table = manifest.parse().unwrap();
        let features = dependency.get("features").and_then(toml::Value::as_array).into_iter().flatten();
        for feature in features.filter_map(toml::Value::as_str) {
            if manifest.get("features").and_then(|known| known.get(feature)).is_none() {
                return Some(format!("{name} has no feature {feature}"));
            }
        }
    }
    None
}

/// The README and the page on embedding have the same table of features, and it has all of them.
#[test]
fn features_of_the_library_are_those_of_the_pages() {
    let manifest = fs::read_to_string(fences::root().join("crates/ptc-runner/Cargo.toml")).unwrap();
    let manifest: toml::Table = manifest.parse().unwrap();
    let features = manifest["features"].as_table().unwrap();
    let defaults: Vec<&str> = features["default"].as_array().unwrap().iter().filter_map(toml::Value::as_str).collect();
    let known: BTreeMap<&str, bool> = features
        .keys()
        .filter(|name| *name != "default")
        .map(|name| (name.as_str(), defaults.contains(&name.as_str())))
        .collect();
    let page = fs::read_to_string(fences::root().join("docs/guide/embedding.md")).unwrap();
    let table = page.split_once("| feature | brings | default |\n|---|---|---|\n").unwrap().1;
    let rows = table.lines().take_while(|line| line.starts_with('|'));
    let listed: BTreeMap<&str, bool> = rows
        .flat_map(|row| {
            let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
            let is_default = cells.last().unwrap().starts_with("yes");
            cells[0].split(", ").map(move |name| (name.trim_matches('`'), is_default)).collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(listed, known);
}

#[test]
fn json_of_the_pages_is_read() {
    let wrong = fences_of("json").into_iter().filter_map(|fence| {
        let error = match fence.notes.first().map(String::as_str) {
            None => json(&fence.text),
            Some("answers") => answers(&fence),
            Some("calls") => calls(&fence),
            Some("memory") => StoredMemory::parse(&fence.text).err().map(|error| error.to_string()),
            Some("servers") => servers(&fence),
            Some(other) => Some(format!("`json,{other}` is not known here")),
        };
        error.map(|error| format!("{}: {error}", fence.place()))
    });
    all_right(&wrong.collect::<Vec<_>>());
}

/// One text, or one in each line.
fn json(text: &str) -> Option<String> {
    serde_json::Deserializer::from_str(text)
        .into_iter::<serde_json::Value>()
        .find_map(|value| Some(value.err()?.to_string()))
}

fn answers(fence: &Fence) -> Option<String> {
    match ReplayLlm::from_text("answers.jsonl", &fence.text) {
        Ok(llm) if llm.ignored().is_empty() && llm.remaining() == fence.text.lines().count() => None,
        Ok(llm) => Some(format!("{} answers, ignored: {:?}", llm.remaining(), llm.ignored())),
        Err(error) => Some(error.to_string()),
    }
}

/// Recorded calls answer a tool of the name in each line.
fn calls(fence: &Fence) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("calls.jsonl"), &fence.text).unwrap();
    mission(folder.path(), "[tools.balance]\nanswers = { file = \"calls.jsonl\" }\n")
}

fn servers(fence: &Fence) -> Option<String> {
    let found = ptc_runner::mcp::ServerSpec::import(&fence.text, "mcp.json");
    match found {
        Ok(found) => {
            let wrong = found.left_out.iter().map(|one| format!("{}: {}", one.server, one.reason)).chain(found.notes);
            let wrong: Vec<String> = wrong.collect();
            let is_right = wrong.is_empty() && !found.servers.is_empty();
            (!is_right).then(|| if wrong.is_empty() { "it names no server".to_owned() } else { wrong.join("; ") })
        }
        Err(error) => Some(error.to_string()),
    }
}
