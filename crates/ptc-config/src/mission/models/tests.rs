use super::*;

fn check(flag: Option<&str>, toml: &str, environment: Option<&str>) -> String {
    let mission = MissionFile::from_text("missions/m.toml", &format!("mission = \"x\"\n{toml}")).unwrap();
    match mission.models_or(flag, environment).map(|models| models.first) {
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
fn agents_below_ask_the_models_they_name_unless_one_is_forced() {
    let toml = "mission = 'x'\n[agents.a]\nmission = 'y'\ndescription = 'd'\nllm = 'ollama:small'\n";
    let mission = MissionFile::from_text("m.toml", toml).unwrap();
    let asked = |flag: Option<&str>, environment: &str| {
        let models = mission.models_or(flag, Some(environment)).unwrap();
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
    "#);
    assert_eq!(check(None, "", None), text);
}
