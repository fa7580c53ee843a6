use std::time::Duration;

use indexmap::IndexMap;
use ptc_compression::RollingWindow;
use ptc_mission::{SystemPromptOptions, TextFunction};
use serde_json::json;

use super::*;

#[test]
fn what_is_written_of_options_is_read_back() {
    let mut spec = AgentSpec::new("Count.");
    spec.timeout = Duration::from_millis(7);
    spec.signature = Some(ptc_lisp::signature::Signature::parse("(n :int) -> :int").unwrap());
    spec.compression = RollingWindow::new().window(3).into();
    spec.system_prompt = SystemPromptOptions::Text("Be brief.".to_owned());
    spec.plan = IndexMap::from([("1".to_owned(), "Look".to_owned())]);
    let whole = serde_json::to_value(&spec).unwrap();
    assert_eq!(serde_json::to_value(serde_json::from_value::<AgentSpec>(whole.clone()).unwrap()).unwrap(), whole);
    let mut single = AgentSpec::default();
    for row in AgentSpec::OPTIONS {
        single.set(row.name, spec.get(row.name).unwrap()).unwrap();
    }
    assert_eq!(serde_json::to_value(single).unwrap(), whole, "one by one");
    assert_eq!(whole.as_object().unwrap().len(), AgentSpec::OPTIONS.len());
}

#[test]
fn what_is_not_said_has_its_default() {
    let spec: AgentSpec = serde_json::from_value(json!({"mission": "x", "format": {"feedback_limit": 3}})).unwrap();
    assert_eq!((spec.max_turns, spec.memory_limit, spec.fallback), (5, Some(16 << 20), true));
    assert_eq!(spec.format_options, FormatSettings { feedback_limit: 3, ..FormatSettings::default() });
}

#[test]
fn wrong_names_and_values_are_errors() {
    let mut spec = AgentSpec::default();
    assert_eq!(spec.set("max_turn", json!(3)).unwrap_err().to_string(), "unknown option `max_turn`");
    assert!(spec.set("max_turns", json!("three")).is_err());
    assert_eq!(spec.get("turns").unwrap_err().to_string(), "unknown option `turns`");
    spec.system_prompt = SystemPromptOptions::Function(TextFunction::new(str::to_owned));
    assert!(spec.get("system_prompt").is_err(), "a function is not data");
}

#[test]
fn every_row_says_what_it_is() {
    let tables = [AgentSpec::OPTIONS, RunSpec::OPTIONS, FormatSettings::OPTIONS];
    for row in tables.concat() {
        assert!(row.doc.ends_with('.'), "{}: {}", row.name, row.doc);
        if let OptionKind::Choice { names, .. } = row.kind {
            assert!(names().len() > 1, "{}", row.name);
        }
    }
    let row = |name: &str| AgentSpec::OPTIONS.iter().find(|row| row.name == name).unwrap();
    assert!(row("max_heap").is_optional && !row("max_turns").is_optional);
    assert!(row("float_precision").decides_course && !row("mission_timeout").decides_course);
    let OptionKind::Choice { names, .. } = row("output").kind else { panic!("a choice") };
    assert_eq!(names(), ["ptc_lisp", "json", "text"]);
}
