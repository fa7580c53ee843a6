use super::*;
use crate::settings::Given;

fn models(mission: &MissionFile, flag: Option<&str>, environment: Option<&str>) -> Result<RunModels, ConfigError> {
    mission.models_of(named(Some(mission), flag, environment, &Settings::default()))
}

fn check(flag: Option<&str>, toml: &str, environment: Option<&str>) -> String {
    let mission = MissionFile::from_text("missions/m.toml", &format!("mission = \"x\"\n{toml}")).unwrap();
    match models(&mission, flag, environment).map(|models| models.first) {
        Ok(ModelName::Replay(file)) => format!("replay {}", file.display()),
        Ok(ModelName::Named(spec)) => format!("model {spec}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn the_nearest_word_wins() {
    let all = "llm = 'ollama:b'\nreplay = 'c.jsonl'";
    assert_eq!(check(Some("ollama:a"), all, Some("ollama:d")), "model ollama:a");
    assert_eq!(check(None, all, Some("ollama:d")), "model ollama:b");
    assert_eq!(check(None, "replay = 'c.jsonl'", Some("ollama:d")), "replay missions/c.jsonl");
    assert_eq!(check(None, "", Some("ollama:d")), "model ollama:d");
}

#[test]
fn settings_name_a_model_when_nothing_else_does() {
    let mission = |text: &str| MissionFile::from_text("missions/m.toml", &format!("mission = 'x'\n{text}")).unwrap();
    let place = Box::new(Place { file: "settings/c.toml".into(), line: 1, column: 9, line_text: String::new() });
    let settings = Settings { model: Some(Given { value: "replay:e.jsonl".to_owned(), place }), ..Settings::default() };
    let check = |mission: Option<&MissionFile>, environment| {
        let (model, source) = named(mission, None, environment, &settings).unwrap();
        format!("{model:?}, {source}")
    };
    let plain = mission("");
    let of_settings = r#"Replay("settings/e.jsonl"), settings/c.toml:1:9"#;
    assert_eq!(check(Some(&plain), None), of_settings);
    assert_eq!(check(None, Some("")), of_settings);
    assert_eq!(check(Some(&plain), Some("ollama:d")), r#"Named("ollama:d"), the environment variable PTC_LLM"#);
    assert_eq!(check(Some(&mission("llm = 'ollama:b'")), None), r#"Named("ollama:b"), `llm` of the mission"#);
    let replay = check(Some(&mission("replay = 'c.jsonl'")), Some("ollama:d"));
    assert_eq!(replay, r#"Replay("missions/c.jsonl"), `replay` of the mission"#);
}

#[test]
fn agents_below_ask_the_models_they_name_unless_one_is_forced() {
    let toml = "mission = 'x'\n[agents.a]\nmission = 'y'\ndescription = 'd'\nllm = 'ollama:small'\n";
    let mission = MissionFile::from_text("m.toml", toml).unwrap();
    let asked = |flag: Option<&str>, environment: &str| {
        let models = models(&mission, flag, Some(environment)).unwrap();
        let files: Vec<_> = models.files().collect();
        format!("{:?}, files {files:?}", models.below)
    };
    let below = |model: &str| format!(r#"[("ollama:small", {model})]"#);
    assert_eq!(asked(None, "ollama:large"), below(r#"Named("ollama:small")"#) + ", files []");
    assert_eq!(asked(Some("ollama:large"), ""), below(r#"Named("ollama:large")"#) + ", files []");
    let replayed = asked(None, "replay:a.jsonl");
    assert_eq!(replayed, below(r#"Replay("a.jsonl")"#) + r#", files ["a.jsonl", "a.jsonl"]"#);
}

#[test]
fn replay_files_start_where_they_are_named() {
    assert_eq!(check(Some("replay:a.jsonl"), "", None), "replay a.jsonl");
    assert_eq!(check(None, "llm = 'replay:a.jsonl'", None), "replay missions/a.jsonl");
}

#[test]
fn no_model_lists_the_choices() {
    let text = check(None, "", Some(" "));
    insta::assert_snapshot!(text, @r#"
    missions/m.toml names no model; choose one:
      --llm PROVIDER:MODEL, for example --llm ollama:qwen3
      --llm URL#MODEL for any OpenAI-compatible server, for example --llm http://127.0.0.1:8080/v1#qwen3
      --llm replay:FILE for recorded answers
      llm = "…" or replay = "FILE" in the mission file
      the environment variable PTC_LLM
      model = "…" in your settings, see `ptc config`
    "#);
    assert_eq!(check(None, "", None), text);
}
