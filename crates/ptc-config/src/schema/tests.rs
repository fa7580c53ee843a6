use std::path::{Path, PathBuf};

use super::*;
use crate::{MissionFile, Strategy};

/// Whether `value` fits `schema`, as far as the schema of mission files goes: each keyword that it uses is implemented
/// here.
fn fits(root: &Json, schema: &Json, value: &Json) -> bool {
    let Json::Object(keywords) = schema else { return schema.as_bool().unwrap() };
    keywords.iter().all(|(keyword, wanted)| {
        let all = || wanted.as_array().unwrap().iter();
        match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" | "default" => true,
            "$ref" => fits(root, root.pointer(&wanted.as_str().unwrap()[1..]).unwrap(), value),
            "type" if wanted.is_array() => all().any(|of| is_of(of.as_str().unwrap(), value)),
            "type" => is_of(wanted.as_str().unwrap(), value),
            "enum" => all().any(|one| one == value),
            "const" => wanted == value,
            "not" => !fits(root, wanted, value),
            "anyOf" => all().any(|schema| fits(root, schema, value)),
            "oneOf" => all().filter(|schema| fits(root, schema, value)).count() == 1,
            "minimum" => value.as_f64().is_none_or(|number| number >= wanted.as_f64().unwrap()),
            "maximum" => value.as_f64().is_none_or(|number| number <= wanted.as_f64().unwrap()),
            "minLength" => value.as_str().is_none_or(|text| text.chars().count() as u64 >= wanted.as_u64().unwrap()),
            "minItems" => value.as_array().is_none_or(|items| items.len() as u64 >= wanted.as_u64().unwrap()),
            "maxItems" => value.as_array().is_none_or(|items| items.len() as u64 <= wanted.as_u64().unwrap()),
            "items" => value.as_array().is_none_or(|items| items.iter().all(|item| fits(root, wanted, item))),
            "required" => value.as_object().is_none_or(|map| all().all(|key| map.contains_key(key.as_str().unwrap()))),
            "properties" => value.as_object().is_none_or(|map| {
                map.iter().all(|(key, value)| wanted.get(key).is_none_or(|schema| fits(root, schema, value)))
            }),
            "additionalProperties" => value.as_object().is_none_or(|map| {
                let further = |key: &str| schema.get("properties").is_none_or(|known| known.get(key).is_none());
                map.iter().all(|(key, value)| !further(key) || fits(root, wanted, value))
            }),
            _ => panic!("the schema uses {keyword}"),
        }
    })
}

fn is_of(kind: &str, value: &Json) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        _ => panic!("the schema has values of the type {kind}"),
    }
}

/// Whether the text of a mission file fits the schema.
fn check(toml: &str) -> bool {
    let schema = mission_schema();
    fits(&schema, &schema, &toml::from_str(toml).unwrap())
}

fn mission(toml: &str) -> bool {
    check(&format!("mission = 'x'\n{toml}"))
}

/// The mission files of the project.
pub(crate) fn missions() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    for folder in ["docs/examples", "tests/study", "tests/bench"] {
        files(&root.join(folder), &mut found);
    }
    assert!(found.len() > 40, "{}", found.len());
    found
}

/// Mission files below a folder.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.file_name().is_some_and(|name| name == "mission.toml") {
            found.push(path);
        }
    }
}

#[test]
fn every_mission_file_of_the_project_fits() {
    for path in missions() {
        assert!(check(&std::fs::read_to_string(&path).unwrap()), "{}", path.display());
    }
}

#[test]
fn wrong_keys_do_not_fit() {
    assert!(mission("") && !check("max_turns = 3"), "a mission is required");
    assert!(!mission("prompt = 'x'") && !mission("pmap_timeout = 3"));
    assert!(mission("format_options = { feedback_limit = 0 }") && !mission("format_options = { limit = 0 }"));
    assert!(mission("llm_retry = { max_attempts = 2 }") && !mission("llm_retry = { attempts = 2 }"));
    assert!(mission("[tools.a]\nprogram = '1'") && !mission("[tools.a]\nprogram = '1'\nenviron = 'x'"));
    assert!(!mission("[tools.a]\nprogram = '1'\nself = true"), "a tool does one thing");
    assert!(
        mission("[mcp.a]\nurl = 'http://x'\ndeny = ['b']") && !mission("[mcp.a]\nurl = 'http://x'\ncommand = ['y']"),
        "a server is reached in one way"
    );
    assert!(mission("mcp_servers = 'mcp.json'\n[mcp.a]\ndeny = ['b']"), "it is reached as the other file says");
    assert!(!mission("[tools.a]\ncache = true"), "a tool does something");
    let agent = "[agents.a]\nmission = 'y'\ndescription = 'd'\n";
    assert!(mission(agent) && mission(&format!("{agent}[agents.a.tools.t]\nprogram = '1'")));
    assert!(!mission("[agents.a]\nmission = 'y'") && !mission(&format!("{agent}data = {{}}")));
    assert!(!mission(&format!("{agent}token_limit = 9")), "that is of the run");
}

#[test]
fn wrong_values_do_not_fit() {
    for toml in [
        "max_turns = 0",
        "max_turns = '3'",
        "max_turns = 4294967296",
        "cache = 1",
        "timeout = 0",
        "timeout = true",
        "description = ''",
        "context_descriptions = { a = 1 }",
        "memory_strategy = 'loose'",
        "plan = [['a']]",
        "model_options = { temperature = 'hot' }",
        "model_options = { reasoning_effort = 'huge' }",
        "llm_retry = { retryable_errors = ['bad luck'] }",
        "compression = 3",
        "compression = { strategy = 'rolling-window', doc_chars = 3 }",
        "compression = { window = 3 }",
        "system_prompt = { prefix = 3 }",
        "data = 3",
        "[tools.a]\ncommand = []",
        "[tools.a]\nself = false",
        "[tools.a]\nllm = 'x'",
        "[tools.a]\nanswers = [{ error = 3 }]",
    ] {
        let text = format!("mission = 'x'\n{toml}");
        assert!(!check(&text), "{toml}");
        assert!(MissionFile::from_text("m.toml", &text).is_err(), "{toml}");
    }
}

#[test]
fn every_strategy_has_its_options() {
    for strategy in Strategy::all() {
        let name = strategy.name();
        assert!(mission(&format!("compression = '{name}'")) && mission(&format!("compression.strategy = '{name}'")));
        for (key, value) in strategy.to_compression().options() {
            let value = if value.is_boolean() { "true" } else { "7" };
            assert!(mission(&format!("compression = {{ strategy = '{name}', {key} = {value} }}")), "{name} {key}");
            assert!(!mission(&format!("compression = {{ strategy = '{name}', {key} = 'x' }}")), "{name} {key}");
        }
    }
    assert!(mission("compression = 'of-a-program'") && mission("compression = { max_tokens = 9 }"));
}

/// Values of many shapes.
pub(crate) const VALUES: [&str; 44] = [
    "'auto'",
    "'enabled'",
    "':int'",
    "'return_partial'",
    "0",
    "3",
    "-1",
    "1.5",
    "true",
    "false",
    "''",
    "'x'",
    "'5s'",
    "'64MB'",
    "[]",
    "['a']",
    "[['a', 'b']]",
    "{}",
    "{ a = 'b' }",
    "{ a = 1 }",
    "{ file = 'Cargo.toml' }",
    "{ max_chars = 3 }",
    "{ prefix = 'p' }",
    "{ seed = 1 }",
    "'none'",
    "'digest'",
    "{ max_tokens = 3, token_counter = 'bytes' }",
    "{ strategy = 'digest', begin_at = 3 }",
    "'text'",
    "'json'",
    "'strict'",
    "'always'",
    "'fail'",
    "['grep']",
    "{ base_delay = '1s' }",
    "{ type = 'object' }",
    "{ stop = ['a'], extra = { a = [1] } }",
    "{ max_attempts = 2, retryable_errors = ['refused'] }",
    "{ t = { program = '1' } }",
    "{ t = { answers = [{ result = 1 }], cache = true, timeout = 5 } }",
    "{ t = { command = ['sh'], env = { A = 'b' } } }",
    "{ t = { mission = 'y', description = 'd', max_turns = 2 } }",
    "{ t = { url = 'http://x' } }",
    "'src/mcp/servers.json'",
];

/// An editor marks nothing that works, and accepts no value of a type that no reader accepts.
#[test]
fn what_is_read_fits() {
    let schema = mission_schema();
    for key in schema["properties"].as_object().unwrap().keys().filter(|key| *key != "mission") {
        let mut read = 0;
        for value in VALUES {
            let text = format!("mission = 'x'\n{key} = {value}\n");
            if MissionFile::from_text("m.toml", &text).is_ok() {
                read += 1;
                assert!(fits(&schema, &schema, &toml::from_str(&text).unwrap()), "{text}");
            }
        }
        assert!((1..VALUES.len()).contains(&read), "{key}: {read}");
    }
}
