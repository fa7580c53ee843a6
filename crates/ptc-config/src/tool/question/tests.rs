use std::sync::Arc;

use ptc_agent::{Context, LlmRegistry, RunOptions};
use ptc_chat::{Llm, ScriptedLlm};

use crate::{ConfigError, MissionFile};

fn load(table: &str) -> Result<MissionFile, ConfigError> {
    MissionFile::from_text("m.toml", &format!("mission = \"Go\"\n[tools.tone]\n{table}\n"))
}

/// The error of a mission with this tool table.
fn check(table: &str) -> String {
    load(table).map_or_else(|error| error.to_string(), |_| "accepted".to_owned())
}

const SIGNATURE: &str = "signature = \"(text :string) -> {tone :keyword}\"\n";

/// What the program answers when the tool has this table, the model of the run answers `replies` and the model `small`
/// answers `small`.
fn answer(table: &str, program: &str, replies: &[&str], small: &[&str]) -> String {
    let scripted = |replies: Vec<&str>| -> Arc<dyn Llm> { Arc::new(ScriptedLlm::replies(replies)) };
    let mission = load(table).unwrap();
    let agent = mission.build_agent(&mission.limits()).unwrap();
    let options = RunOptions::new()
        .llm(scripted([&[program], replies].concat()))
        .llm_registry(LlmRegistry::from([("small".to_owned(), scripted(small.to_vec()))]));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let step = runtime.block_on(agent.run_with(Context::default(), options)).unwrap();
    step.value::<serde_json::Value>().map_or_else(|error| error.to_string(), |value| value.to_string())
}

#[test]
fn a_tool_asks_the_model_of_its_caller() {
    let table = format!(
        "description = \"Tone of a text\"\n{SIGNATURE}llm = {{ mission = \"How does this sound? {{{{text}}}}\" }}"
    );
    let program = "(return (= :angry (:tone (tool/tone {:text \"Again!\"}))))";
    assert_eq!(answer(&table, program, &[r#"{"tone": "angry"}"#], &[]), "true");
    let mission = load(&table).unwrap();
    let spec = &mission.tools[0].spec;
    assert_eq!((spec.description.as_deref(), spec.timeout), (Some("Tone of a text"), None));
    assert!(mission.llm_names().is_empty() && mission.tools[0].tool(&mission.limits()).is_none());
}

#[test]
fn a_question_may_name_its_model_and_reshape_the_answer() {
    let table = r#"
cache = true
signature = "(text :string) -> :int"
[tools.tone.llm]
mission = "Rate {{text}}"
llm = "small"
json_signature = "{score :int}"
response_template = "(* 2 {{score}})"
"#;
    assert_eq!(load(table).unwrap().llm_names(), ["small"]);
    let program = "(def a (tool/tone {:text \"x\"})) (return [a (tool/tone {:text \"x\"})])";
    assert_eq!(answer(table, program, &[], &[r#"{"score": 4}"#]), "[8,8]", "equal questions are asked once");
}

#[test]
fn agents_below_have_questions_too() {
    let text = format!(
        "mission = \"Go\"\n[agents.clerk]\nmission = \"Read\"\ndescription = \"Reads\"\n[agents.clerk.tools.tone]\n{SIGNATURE}\
         approve = true\nidempotent = true\nllm = {{ mission = \"{{{{text}}}}?\", llm = \"small\" }}\n"
    );
    let mission = MissionFile::from_text("m.toml", &text).unwrap();
    assert_eq!(mission.llm_names(), ["small"]);
    let callable = mission.agents[0].tools[0].callable(&mission.limits()).unwrap();
    assert_eq!((callable.spec().approve, callable.spec().idempotent, callable.spec().cache), (true, true, false));
}

#[test]
fn questions_that_cannot_be_asked() {
    let with = |llm: &str| check(&format!("{SIGNATURE}llm = {llm}"));
    insta::assert_snapshot!(with("\"small\""), @r#"m.toml:4:7: llm of tool `tone` must be a table such as { mission = "How does this sound? {{text}}" } (got "small")"#);
    insta::assert_snapshot!(with("{ llm = \"small\" }"), @r#"m.toml:4:7: llm of tool `tone` must be a table such as { mission = "How does this sound? {{text}}" }"#);
    insta::assert_snapshot!(with("{ prompt = \"{{text}}\" }"), @"m.toml:4:9: unknown key `prompt` in `llm` of tool `tone`; use `mission`");
    insta::assert_snapshot!(with("{ mission = \"{{text}}\", model = \"small\" }"), @"m.toml:4:31: unknown key `model` in `llm` of tool `tone`; use `llm`");
    insta::assert_snapshot!(with("{ mission = \"{{text}}\", signature = \":int\" }"), @"m.toml:4:31: unknown key `signature` in `llm` of tool `tone`; use `json_signature`");
    insta::assert_snapshot!(with("{ mission = \" \" }"), @"m.toml:4:7: the mission of an LLM tool must not be empty");
    insta::assert_snapshot!(with("{ mission = \"How?\" }"), @"m.toml:4:7: json output: parameters not used in the mission: [text]");
    insta::assert_snapshot!(with("{ mission = \"{{text}} {{more}}\" }"), @"m.toml:4:7: mission placeholders without a signature parameter: {{more}}");
    insta::assert_snapshot!(with("{ mission = \"{{text}}\", json_signature = \"{n :number}\" }"), @"m.toml:4:48: invalid signature: signature, line 1, column 4: expected a type, found `:number}`; write `:float` instead of `:number`; types are :string, :int, :float, :bool, :keyword, :map, :any, lists like [:int], maps like {name :string} and {:string -> :int}, sets of values like #{:low :high} and alternatives like :int | :string");
    insta::assert_snapshot!(with("{ mission = \"{{text}}\" }\ntimeout = \"5s\""), @"m.toml:5:11: tool `tone` asks a model: leave out its timeout; `mission_timeout` bounds the run");
    insta::assert_snapshot!(with("{ mission = \"{{text}}\" }\nenv = [\"A\"]"), @"m.toml:5:7: env belongs to a command; tool `tone` has `llm`");
    insta::assert_snapshot!(check("llm = { mission = \"Hi\" }"), @r#"m.toml:3:7: tool `tone` asks a model, so it needs a signature, for example signature = "(text :string) -> {tone :keyword}""#);
}
