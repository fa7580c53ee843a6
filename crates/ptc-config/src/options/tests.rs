use std::time::Duration;

use ptc_agent::{
    AgentSpec, Backoff, FormatSettings, KeepTurns, MemoryStrategy, OnBudgetExceeded, OptionKind, RunSpec,
    SignatureValidation,
};
use ptc_chat::{LlmErrorKind, OutputMode};
use ptc_mission::{MissionValues, PromptParts, SystemPromptOptions};

use crate::{ConfigError, MissionFile};

fn read(toml: &str) -> Result<MissionFile, ConfigError> {
    MissionFile::from_text("m.toml", &format!("mission = \"x\"\n{toml}"))
}

fn load(toml: &str) -> Result<AgentSpec, ConfigError> {
    read(toml).map(|mission| mission.agent)
}

/// The text of the error for `toml`.
fn check(toml: &str) -> String {
    load(toml).map_or_else(|error| error.to_string(), |options| format!("accepted: {options:?}"))
}

#[test]
fn nothing_said_is_the_defaults() {
    let mission = read("").unwrap();
    assert_eq!(format!("{:?}", mission.agent), format!("{:?}", AgentSpec::new("x")));
    assert_eq!(format!("{:?}", mission.run), format!("{:?}", RunSpec::default()));
}

#[test]
fn every_option_arrives() {
    let MissionFile { agent: options, run, .. } = read(
        r#"
signature = "(limit :int) -> {kept :int}"
max_turns = 7
retry_turns = 2
timeout = "1.5s"
max_heap = "8MB"
mission_timeout = "2m"
memory_limit = 4096
memory_strategy = "rollback"
max_depth = 4
llm_query = true
turn_budget = 9
shared_turn_budget = true
llm = "ollama:qwen3"
llm_retry = { max_attempts = 4, base_delay = 20, backoff = "linear", retryable_errors = ["timeout"] }
system_prompt = { prefix = "Hello" }
prompt_limit = { max_chars = 500 }
description = "d"
field_descriptions = { kept = "how many" }
context_descriptions = { limit = "in euros" }
format_options = { feedback_limit = 3 }
float_precision = 2
thinking = true
signature_validation = "warn_only"
name = "n"
mission_values = "inline"
fallback = false
validate_single_shot = true
max_parallel_calls = 3
model_options = { temperature = 0.2, max_output_tokens = 100 }
cache = true
collect_messages = true
keep_turns = "on_error"
token_limit = 1000
on_budget_exceeded = "return_partial"
"#,
    )
    .unwrap();
    let defaults = AgentSpec::new("x");
    assert_eq!(options.signature.as_ref().unwrap().params().len(), 1);
    assert_eq!((options.max_turns, options.retry_turns), (7, 2));
    assert_eq!(options.timeout, Duration::from_millis(1_500));
    assert_eq!((options.max_heap, options.memory_limit), (Some(8 << 20), Some(4_096)));
    assert_eq!(options.mission_timeout, Some(Duration::from_secs(120)));
    assert_eq!(options.memory_strategy, MemoryStrategy::Rollback);
    assert_eq!(
        (options.max_depth, options.turn_budget, options.shared_turn_budget && options.llm_query),
        (4, Some(9), true)
    );
    assert_eq!(options.llm.as_deref(), Some("ollama:qwen3"));
    let retry = options.llm_retry.unwrap();
    assert_eq!((retry.max_attempts, retry.backoff, retry.base_delay), (4, Backoff::Linear, Duration::from_millis(20)));
    assert_eq!(retry.retryable_errors, [LlmErrorKind::Timeout]);
    assert!(matches!(
        options.system_prompt,
        SystemPromptOptions::Parts(PromptParts { prefix: Some(_), suffix: None, .. })
    ));
    assert_eq!(options.prompt_limit, Some(500));
    assert_eq!(options.description.as_deref(), Some("d"));
    assert_eq!(options.field_descriptions["kept"], "how many");
    assert_eq!(options.context_descriptions["limit"], "in euros");
    assert_eq!(options.format_options, FormatSettings { feedback_limit: 3, ..defaults.format_options });
    assert_eq!(options.float_precision, Some(2));
    assert!(options.thinking && !options.fallback && options.validate_single_shot);
    assert_eq!(options.signature_validation, SignatureValidation::WarnOnly);
    assert_eq!(options.name.as_deref(), Some("n"));
    assert_eq!(options.mission_values, MissionValues::Inline);
    assert_eq!(run.max_parallel_calls, 3);
    assert_eq!((options.model_options.temperature, options.model_options.max_output_tokens), (Some(0.2), 100));
    assert!(run.cache && run.collect_messages);
    assert_eq!(run.keep_turns, KeepTurns::OnError);
    assert_eq!((run.token_limit, run.on_budget_exceeded), (Some(1_000), OnBudgetExceeded::ReturnPartial));
}

#[test]
fn wrong_values_are_told_by_their_rule() {
    let cases = [
        ("max_turns = 0", "max_turns must be an integer above 0 (got 0)"),
        ("max_turns = 1.5", "max_turns must be an integer above 0 (got 1.5)"),
        ("retry_turns = -1", "retry_turns must be an integer, 0 or more (got -1)"),
        ("timeout = 0", "timeout must be an integer above 0 (got 0)"),
        ("timeout = \"0s\"", "timeout must be an integer above 0 (got \"0s\")"),
        ("mission_timeout = false", "mission_timeout must be an integer above 0, or absent (got false)"),
        ("memory_limit = 0", "memory_limit must be an integer above 0, or absent (got 0)"),
        ("memory_strategy = \"lax\"", "unknown memory_strategy lax (strict, rollback)"),
        ("max_depth = []", "max_depth must be an integer above 0 (got a list)"),
        ("turn_budget = 0", "turn_budget must be an integer above 0, or absent (got 0)"),
        ("llm_retry = 3", "llm_retry must be a map (got 3)"),
        ("prompt_limit = 3", "prompt_limit must be a map (got 3)"),
        ("description = \" \"", "description must not be empty"),
        ("field_descriptions = \"x\"", "field_descriptions must be a map (got \"x\")"),
        ("context_descriptions = \"x\"", "context_descriptions must be a map (got \"x\")"),
        ("thinking = 1", "thinking must be a boolean (got 1)"),
        ("output = \"xml\"", "unknown output mode xml (ptc_lisp, json, text)"),
        ("builtin_tools = \"grep\"", "builtin_tools must list family names (got \"grep\")"),
        ("builtin_tools = [\"sed\"]", "unknown builtin tool family 'sed' (grep, history)"),
        ("plan = \"x\"", "plan must be a list (got \"x\")"),
        ("plan = [\"a\", \"\"]", "plan step 2 has no description"),
        ("plan = [[\"a\"]]", "plan item 1 is malformed"),
        ("plan = [[\"2\", \"a\"], \"b\"]", "plan ids used twice: 2"),
    ];
    for (toml, rule) in cases {
        let text = check(toml);
        assert!(text.ends_with(&format!(": {rule}")), "{toml}: {text}");
        assert!(text.starts_with("m.toml:2:"), "{toml}: {text}");
    }
}

/// Proves: CLN-011.
#[test]
fn other_mistakes() {
    insta::assert_snapshot!(check("prompt = \"x\""), @"m.toml:2:1: unknown key `prompt`; use `mission`");
    insta::assert_snapshot!(check("maxturns = 3"), @"m.toml:2:1: unknown key `maxturns`; use `max_turns`");
    insta::assert_snapshot!(check("llm_retry = { atempts = 3 }"), @"m.toml:2:15: unknown key `atempts` in `llm_retry`; known: max_attempts, backoff, base_delay, max_delay, jitter, patience, retryable_errors");
    insta::assert_snapshot!(check("signature = \"{n :number}\""), @"m.toml:2:13: invalid signature: signature, line 1, column 4: expected a type, found `:number}`; write `:float` instead of `:number`; types are :string, :int, :float, :bool, :keyword, :map, :any, lists like [:int], maps like {name :string} and {:string -> :int}, sets of values like #{:low :high} and alternatives like :int | :string");
    insta::assert_snapshot!(check("timeout = \"soon\""), @r#"m.toml:2:11: timeout: `soon` is not a duration; write `"5s"`, `"200ms"`, `"2m"` or a number of milliseconds"#);
    insta::assert_snapshot!(check("model_options = { temperature = \"hot\" }"), @r#"m.toml:2:33: temperature must be a number (got "hot")"#);
    insta::assert_snapshot!(check("model_options = { max_output_tokens = -1 }"), @"m.toml:2:39: max_output_tokens must be a whole number, 0 or more (got -1)");
    insta::assert_snapshot!(check("model_options = { reasoning_effort = 3 }"), @r#"m.toml:2:38: reasoning_effort must be one of "none", "minimal", "low", "medium", "high", "max" (got 3)"#);
    insta::assert_snapshot!(check("model_options = { top_p = 0.9 }"), @"m.toml:2:19: unknown key `top_p` in `model_options`; use `extra = { top_p = … }`");
    insta::assert_snapshot!(check("model_options = { max_tokens = 9 }"), @"m.toml:2:19: unknown key `max_tokens` in `model_options`; use `max_output_tokens`");
}

/// Proves: BRK-001, CHG-021.
#[test]
fn mission_is_required_and_text() {
    let of = |toml: &str| MissionFile::from_text("m.toml", toml).unwrap_err().to_string();
    insta::assert_snapshot!(of("max_turns = 3"), @"m.toml: mission is required; write `mission = \"…\"` at the top of the file");
    insta::assert_snapshot!(of("mission = 3"), @"m.toml:1:11: mission must be text (got 3)");
}

#[test]
fn what_left_the_language_is_refused_by_name() {
    assert!(load("output = \"ptc_lisp\"\nllm_query = false\nbuiltin_tools = []\nplan = []\n").is_ok());
    insta::assert_snapshot!(check("pmap_timeout = 900"), @"m.toml:2:16: `pmap_timeout` is not an option: `timeout` bounds a program with all its branches");
}

#[test]
fn what_an_agent_writes_and_plans_is_read() {
    let options = load("output = \"json\"\nsignature = \"{n :int}\"\nschema = { type = \"object\" }\nmax_tool_calls = 3\nbuiltin_tools = [\"grep\"]\nplan = [\"Look\", [\"b\", \"Answer\"]]").unwrap();
    assert_eq!((options.output, options.max_tool_calls), (OutputMode::Json, Some(3)));
    assert_eq!(options.schema, Some(serde_json::json!({"type": "object"})));
    let steps: Vec<(&str, &str)> = options.plan.iter().map(|(id, text)| (id.as_str(), text.as_str())).collect();
    assert_eq!(steps, [("1", "Look"), ("b", "Answer")]);
}

#[test]
fn every_option_can_be_read() {
    // A value of the wrong kind is reported by a rule that names the option; none is unknown.
    for row in AgentSpec::OPTIONS.iter().chain(RunSpec::OPTIONS) {
        let wrong = if matches!(row.kind, OptionKind::Flag | OptionKind::Own(_)) { "1979-05-27" } else { "false" };
        let text = match row.name {
            "mission" => MissionFile::from_text("m.toml", "mission = false").unwrap_err().to_string(),
            name => check(&format!("{name} = {wrong}")),
        };
        let what = if row.name == "output" { "output mode" } else { row.name };
        assert!(text.contains(what) && text.contains(wrong), "{}: {text}", row.name);
    }
}
