//! Models as tools.

use insta::assert_snapshot;
use ptc_chat::{OutputMode, Request};
use ptc_transcript::ValueForm;

use super::LlmTool;
use crate::testing::scripted;
use crate::{Agent, AgentBuilder, Context};

/// The answer of a run, or the error of its first turn, and the requests after the first.
async fn check(agent: AgentBuilder, replies: &[&str]) -> (String, Vec<Request>) {
    let (options, llm) = scripted(replies);
    let step = agent.build().expect("an agent").run_with(Context::default(), options).await.expect("a run");
    let told = step.turns()[0].error_message().unwrap_or_else(|| match &step.result {
        Ok(value) => ptc_transcript::json_of(value, ValueForm::Plain).to_string(),
        Err(fail) => fail.to_string(),
    });
    (told, llm.requests().into_iter().skip(1).collect())
}

fn with(tool: LlmTool) -> AgentBuilder {
    Agent::builder("Go").tool(tool.build().expect("a tool"))
}

fn tone() -> LlmTool {
    LlmTool::new("tone", "Rate {{text}}", "(text :string) -> {score :int}").description("Rates")
}

#[tokio::test]
async fn one_question_one_answer() {
    let call = "(return (:score (tool/tone {:text \"so so\"})))";
    let (told, asked) = check(with(tone()), &[call, "Sure: {\"score\": 3}"]).await;
    assert_snapshot!(told, @"3");
    assert_eq!(
        (asked[0].output, asked[0].agent.as_deref(), asked[0].schema.is_some()),
        (OutputMode::Json, Some("tone"), true)
    );
    assert!(asked[0].messages[0].content().contains("Rate so so"));
    let (told, _) = check(with(tone()), &[call, "no idea", "(return 1)"]).await;
    assert!(told.starts_with("tool 'tone' failed: json_parse_error: "), "{told}");
    let text = LlmTool::new("title", "Title of {{text}}", "(text :string) -> :string");
    let (told, asked) = check(with(text), &["(return (tool/title {:text \"x\"}))", "Ode to X"]).await;
    assert_eq!((told.as_str(), asked[0].output), ("\"Ode to X\"", OutputMode::Text));
}

#[tokio::test]
async fn arguments_are_checked_and_answers_reshaped() {
    let strict = || tone().validator(|args| if args["text"] == "" { Err("text is empty".to_owned()) } else { Ok(()) });
    let (told, asked) = check(with(strict()), &["(tool/tone {:text \"\"})", "(return 1)"]).await;
    assert_snapshot!(told, @"tool 'tone' failed: text is empty at line 1, column 1");
    assert_eq!(asked.len(), 1, "the second turn only");
    let shaped = |template: &str| {
        let tool = LlmTool::new("twice", "Rate {{text}}", "(text :string) -> :int").json_signature("{score :int}");
        with(tool.response_template(template))
    };
    let call = "(return (tool/twice {:text \"x\"}))";
    assert_snapshot!(check(shaped("(* 2 {{score}})"), &[call, "{\"score\": 4}"]).await.0, @"8");
    assert_snapshot!(check(shaped("(* 2 score)"), &[call, "{\"score\": 4}", "(return 1)"]).await.0, @"tool 'twice' failed: its response template failed: undefined symbol 'score' at line 1, column 6 at line 1, column 9");
    assert_snapshot!(check(shaped("(fail \"too low\")"), &[call, "{\"score\": 4}", "(return 1)"]).await.0, @"tool 'twice' failed: its response template failed: too low at line 1, column 9");
}

#[tokio::test]
async fn equal_questions_are_asked_once_when_told_to() {
    let calls = "(def scores [(tool/tone {:text \"x\"})]) (return (conj scores (tool/tone {:text \"x\"})))";
    let (told, asked) = check(with(tone().cache()), &[calls, "{\"score\": 3}", "{\"score\": 4}"]).await;
    assert_eq!((told.as_str(), asked.len()), (r#"[{"score":3},{"score":3}]"#, 1));
    let (told, asked) = check(with(tone()), &[calls, "{\"score\": 3}", "{\"score\": 4}"]).await;
    assert_eq!((told.as_str(), asked.len()), (r#"[{"score":3},{"score":4}]"#, 2));
    let marked = tone().approve().idempotent().build().expect("a tool");
    assert!(marked.spec().approve && marked.spec().idempotent && !marked.spec().cache);
}

#[tokio::test]
async fn programs_ask_questions_of_their_own() {
    let agent = || Agent::builder("Go").llm_query(true).compression(true);
    let typed = "(return (:ok (tool/llm-query {:prompt \"Is {{n}} prime?\" :n 7 :signature \"{ok :bool}\"})))";
    let (told, asked) = check(agent(), &[typed, "{\"ok\": true}"]).await;
    assert_snapshot!(told, @"true");
    assert!(asked[0].messages[0].content().contains("Is 7 prime?"));
    assert_snapshot!(check(agent(), &["(return (tool/llm-query {:prompt \"Hi\"}))", "Hello"]).await.0, @r#""Hello""#);
    assert_snapshot!(check(agent(), &["(tool/llm-query {:n 7})", "(return 1)"]).await.0, @r#"tool 'llm-query' failed: it needs a :prompt: write {:prompt "… {{name}} …" :name value} at line 1, column 1"#);
    assert_snapshot!(check(agent(), &["(tool/llm-query {:prompt \"x\" :llm \"big\"})", "(return 1)"]).await.0, @"tool 'llm-query' failed: there is no LLM named 'big' in the registry: it is empty at line 1, column 1");
    assert_snapshot!(check(agent(), &["(tool/llm-query {:prompt \"x\" :signature \"nope\"})", "(return 1)"]).await.0, @"tool 'llm-query' failed: invalid signature: signature, line 1, column 1: expected a type or `(name type, …) -> type`, found `nope`; types are :string, :int, :float, :bool, :keyword, :map, :any, lists like [:int], maps like {name :string} and {:string -> :int}, sets of values like #{:low :high} and alternatives like :int | :string at line 1, column 1");
    let first =
        agent().build().expect("an agent").preview_prompt(()).expect("a preview").messages[0].content().into_owned();
    assert!(first.contains("llm-query") && first.contains(crate::agent::QUERY_NOTE), "{first}");
}

#[test]
fn tools_without_a_question_are_refused() {
    let error = |tool: LlmTool| tool.build().err().map(|error| error.to_string()).unwrap_or_default();
    assert_snapshot!(error(LlmTool::new("a", " ", ":int")), @"the mission of an LLM tool must not be empty");
    assert_snapshot!(error(LlmTool::new("a", "{{x}}", "() -> :int")), @"mission placeholders without a signature parameter: {{x}}");
    assert_snapshot!(error(LlmTool::new("a", "x", "(y :int) -> :int")), @"json output: parameters not used in the mission: [y]");
}
