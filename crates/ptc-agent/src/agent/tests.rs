//! The rules that an agent must obey, and those for its input.

use std::time::Duration;

use insta::assert_snapshot;
use ptc_mission::{PromptParts, SystemPromptOptions};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use crate::{
    Agent, AgentBuilder, Context, FnTool, LlmRetry, RunOptions, SignatureValidation, SubagentOptions, ToolError,
};

#[derive(Serialize, Deserialize, JsonSchema)]
struct Total {
    total: f64,
    note: Option<String>,
}

fn agent(mission: &str) -> AgentBuilder {
    Agent::builder(mission)
}

fn tool(name: &str) -> FnTool {
    FnTool::new(name, "A tool", |_: Total| Ok::<_, ToolError>(1))
}

/// What is wrong with an agent.
fn check(builder: AgentBuilder) -> String {
    builder.build().err().map(|error| error.to_string()).unwrap_or_default()
}

/// What is wrong with an input; when it is accepted, the data as JSON.
fn check_input(signature: &str, mode: SignatureValidation, data: Json) -> String {
    let agent = agent("Go").signature(signature).signature_validation(mode).build().expect("an agent");
    let started = Context::new(data).and_then(|context| agent.start(context, &RunOptions::default()));
    match started {
        Ok(run) => ptc_lisp::Value::Map(run.facts.data.clone()).to_json().expect("JSON").to_string(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn options_are_checked() {
    assert_snapshot!(check(agent("")), @"");
    assert_snapshot!(check(agent("x").signature("{n :number}")), @"invalid signature: signature, line 1, column 4: expected a type, found `:number}`; write `:float` instead of `:number`; types are :string, :int, :float, :bool, :keyword, :map, :any, lists like [:int], maps like {name :string} and {:string -> :int}, sets of values like #{:low :high} and alternatives like :int | :string");
    assert_snapshot!(check(agent("x").max_turns(0)), @"max_turns must be an integer above 0");
    assert_snapshot!(check(agent("x").timeout(Duration::ZERO)), @"timeout must be an integer above 0");
    assert_snapshot!(check(agent("x").max_heap(0)), @"max_heap must be an integer above 0, or absent");
    assert_snapshot!(check(agent("x").fuel(0)), @"fuel must be an integer above 0, or absent");
    assert_snapshot!(check(agent("x").call_depth(0)), @"call_depth must be an integer above 0, or absent");
    assert_snapshot!(check(agent("x").source_bytes(0)), @"source_bytes must be an integer above 0, or absent");
    assert_snapshot!(check(agent("x").mission_timeout(Duration::ZERO)), @"mission_timeout must be an integer above 0, or absent");
    assert_snapshot!(check(agent("x").memory_limit(0)), @"memory_limit must be an integer above 0, or absent");
    assert_snapshot!(check(agent("x").memory_limit(None)), @"");
    assert_snapshot!(check(agent("x").turn_budget(0)), @"turn_budget must be an integer above 0, or absent");
    assert_snapshot!(check(agent("x").llm_retry(LlmRetry { max_attempts: 0, ..LlmRetry::default() })), @"llm_retry.max_attempts must be an integer above 0");
    assert_snapshot!(check(agent("x").description("")), @"description must not be empty");
    let unknown = PromptParts { language_spec: Some("nope".into()), ..PromptParts::default() };
    assert!(check(agent("x").system_prompt(SystemPromptOptions::Parts(unknown))).contains("nope"));
}

#[test]
fn names_of_tools_are_checked() {
    assert_snapshot!(check(agent("x").tool(tool("a b"))), @"invalid tool name 'a b': use letters, digits, `_`, `-`, `?` and `!`, starting with a letter or `_`");
    assert_snapshot!(check(agent("x").tool(tool("return"))), @"'return' is reserved and cannot name a tool");
    assert_snapshot!(check(agent("x").tool(tool("a")).tool(tool("a"))), @"two tools are named 'a': rename one of them");
    assert_snapshot!(check(agent("x").tool(tool("a?")).tool(tool("_b!"))), @"");
}

#[test]
fn placeholders_need_parameters_once_some_are_declared() {
    let with =
        |mission: &str| check(agent(mission).signature("(user {name :string}, rows [{id :int}], any :map) -> :int"));
    assert_snapshot!(with("{{user.name}} {{any.thing.deep}} {{#rows}}{{id}}{{user.name}}{{/rows}}"), @"");
    assert_snapshot!(with("{{x}} {{user.age}} {{x}} {{#rows}}{{no}}{{/rows}} {{#none}}{{y}}{{/none}}"), @"mission placeholders without a signature parameter: {{x}}, {{user.age}}, {{no}}, {{none}}");
    assert_snapshot!(check(agent("{{x}}").signature(":int")), @"");
    assert_snapshot!(check(agent("{{x}}").signature("() -> :int")), @"mission placeholders without a signature parameter: {{x}}");
}

#[test]
fn results_come_from_rust_types() {
    let built = |builder: AgentBuilder| {
        builder.build().expect("an agent").spec().signature.as_ref().map(ToString::to_string).unwrap_or_default()
    };
    assert_snapshot!(built(agent("x").returns::<Total>()), @"{total :float, note :string?}");
    assert_snapshot!(built(agent("x").signature("(n :int) -> :any").returns::<Vec<u8>>()), @"(n :int) -> [:int (0 to 255)]");
}

#[test]
fn agents_can_be_changed() {
    let first = agent("x").tool(tool("a")).max_turns(7).signature(":int").build().expect("an agent");
    let second = first.to_builder().max_turns(2).tool(tool("b")).build().expect("an agent");
    assert_eq!((first.spec().max_turns, second.spec().max_turns), (7, 2));
    assert_eq!((first.tools().len(), second.tools().len()), (1, 2));
    assert_eq!(first.spec().signature, second.spec().signature);
}

#[test]
fn inputs_are_held_against_the_signature() {
    let signature = "(limit :int, names [:string]?) -> :int";
    let enabled = |data| check_input(signature, SignatureValidation::Enabled, data);
    assert_snapshot!(enabled(json!({"limit": "42", "more": 1})), @r#"{"limit":42,"more":1}"#);
    assert_snapshot!(enabled(json!({"limit": 1, "names": ["a"]})), @r#"{"limit":1,"names":["a"]}"#);
    assert_snapshot!(enabled(json!({"limit": 1, "names": ["a", 2]})), @"the context does not fit the signature: [names.1]: cannot coerce to string, got int");
    assert_snapshot!(enabled(json!({})), @"the context does not fit the signature: [limit]: required input is missing");
    assert_snapshot!(enabled(json!([1])), @"the context must be a map of names to JSON values: got a vector");
    assert_snapshot!(enabled(json!({"fail": 1, "limit": 1})), @"data key 'fail' is reserved: programs read the last error there; give the entry another name");
    let strict = |data| check_input(signature, SignatureValidation::Strict, data);
    assert_snapshot!(strict(json!({"limit": "42"})), @"the context does not fit the signature: [limit]: expected int, got string");
    assert_snapshot!(check_input(signature, SignatureValidation::WarnOnly, json!({"limit": "x"})), @r#"{"limit":"x"}"#);
    assert_snapshot!(check_input(signature, SignatureValidation::Disabled, json!({})), @"{}");
}

#[test]
fn names_that_confuse_are_found() {
    let agent = agent("x")
        .tool(tool("count"))
        .tool(tool("if"))
        .tool(tool("when"))
        .tool(tool("status"))
        .build()
        .expect("an agent");
    let data = json!({"status": 1, "map": 2, "rows": [], "let": 3});
    let warnings = agent.check(&Context::new(data).expect("data"));
    assert_snapshot!(warnings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"), @r"
    tool 'count' has the name of a function: `count` alone is the tool in programs; give it another name
    tool 'if' has the name of a form of the language: only `tool/if` is the tool; give it another name
    tool 'when' has the name of a form of the language: only `tool/when` is the tool; give it another name
    'status' is both a tool and a data key: `status` alone is an error in programs; rename one of them
    data key 'map' has a name of the language: only `data/map` is the data; give it another name
    data key 'let' has a name of the language: only `data/let` is the data; give it another name
    ");
    assert!(agent.check(&Context::default()).len() == 3);
}

#[test]
fn a_system_text_that_is_cut_is_said() {
    let clerk = agent("Pay")
        .description("Pays")
        .system_prompt(SystemPromptOptions::Text("You pay every bill at once.".into()))
        .prompt_limit(9)
        .build()
        .expect("an agent");
    let clerk = clerk.as_tool(SubagentOptions::named("clerk")).expect("a tool");
    let boss = agent("Decide")
        .system_prompt(SystemPromptOptions::Text("You decide what is paid.".into()))
        .prompt_limit(10)
        .tool(clerk)
        .build()
        .expect("an agent");
    let warnings = boss.check(&Context::default());
    assert_snapshot!(warnings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"), @r"
    the system text is cut at 10 of 24 characters (prompt_limit): the model does not see the last 14; raise prompt_limit, or leave it out
    agent 'clerk': the system text is cut at 9 of 27 characters (prompt_limit): the model does not see the last 18; raise prompt_limit, or leave it out
    ");
    assert_snapshot!(boss.system_prompt().expect("a text").text, @r"
    You decide

    [system text cut here: 14 of 24 characters are left out]
    ");
    let whole = boss.adjusted(|agent| agent.prompt_limit(24)).expect("an agent");
    assert_eq!((whole.check(&Context::default()).len(), whole.system_prompt().expect("a text").cut), (1, None));
}

#[test]
fn missions_that_ask_nothing_or_stop_within_a_tag_are_told() {
    let told = |mission: &str| {
        let warnings = agent(mission).build().expect("an agent").check(&Context::default());
        warnings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    assert_snapshot!(told(" \n"), @"the mission is empty: say in `mission` what the model should do");
    assert_snapshot!(told("a {{b}}\nçc {{d"), @"the mission has {{ at 2:4 without a closing }}: it stays as typed");
    assert_snapshot!(told("a {{b}} }} {"), @"");
}

/// What a bare name calls, as the warnings say.
#[test]
fn warnings_tell_the_truth() {
    let tool = |name: &str| ptc_lisp::ToolSpec::new(name);
    let data = Context::new(json!({"map": 2, "status": 1}))
        .expect("data")
        .checked(None, SignatureValidation::Disabled)
        .expect("data");
    let options = || ptc_lisp::SessionOptions {
        tools: ["count", "if", "when", "status"].map(tool).to_vec(),
        data: data.clone(),
        ..ptc_lisp::SessionOptions::default()
    };
    let mut session = ptc_lisp::Session::new(options());
    let mut run = |program: &str| {
        let outcome = session.run(program, &mut |call| Ok(ptc_lisp::Value::string(format!("tool {}", call.name))));
        outcome.value().map_or_else(|| outcome.problems()[0].message.clone(), ptc_lisp::text::display_text)
    };
    assert_snapshot!(run("(count {:a 1})"), @"tool count");
    assert_snapshot!(run("(if true 1)"), @"1");
    assert_snapshot!(run("(when true 1)"), @"1");
    assert_snapshot!(run("(tool/when {:a 1})"), @"tool when");
    assert_snapshot!(run("(vector? map)"), @"false");
    assert_snapshot!(run("data/map"), @"2");
    assert_snapshot!(run("(str status)"), @"Symbol 'status' exists in both tool/ and data/ namespaces. Use explicit namespace.");
}

#[tokio::test]
async fn a_run_needs_a_model() {
    let agent = agent("x").build().expect("an agent");
    let error = agent.run_with(Context::default(), RunOptions::default()).await.expect_err("no model");
    assert_snapshot!(error, @"an LLM client is required");
}

#[test]
fn agents_that_answer_with_json_or_text_keep_their_rules() {
    use ptc_chat::OutputMode::{Json, Text};
    let json = |mission: &str| agent(mission).output(Json);
    assert_snapshot!(check(json("x")), @"json output needs a signature");
    assert_snapshot!(check(json("x").signature(":int").tool(tool("t"))), @"json output excludes tools");
    assert_snapshot!(check(json("x").signature(":int").compression(true)), @"json output excludes compression");
    assert_snapshot!(check(agent("x").output(Text).grammar(true)), @"grammar excludes text: a grammar lets the model write a program and nothing else");
    assert_snapshot!(check(agent("x").thinking(true).grammar(true)), @"grammar excludes thinking: a grammar lets the model write a program and nothing else");
    assert_snapshot!(check(agent("x").output(Text).compression(true)), @"text output excludes compression");
    let ceiling = ptc_compression::Ceiling::new(90_000, ptc_compression::ByteBound);
    assert_snapshot!(check(agent("x").output(Text).compression(ceiling)), @"text output excludes compression");
    assert_snapshot!(check(json("x").signature("{a [{_id :int}]}")), @"json output cannot return hidden field _id");
    assert_snapshot!(check(json("{{a}}").signature("(c :int, a :int, b :int) -> :int")), @"json output: parameters not used in the mission: [b, c]");
    assert_snapshot!(check(json("{{_key}}").signature(":int")), @"hidden input {{_key}} cannot be embedded in a text mission");
    assert_snapshot!(check(json("{{a}}").signature("(a :int) -> :int")), @"");
    assert_snapshot!(check(agent("x").output(Text).tool(tool("t"))), @"");
}

#[test]
fn sections_of_text_missions_are_checked() {
    let check = |mission: &str| {
        let signature = "(rows [{no :int}], tags [:string], hotel :string, vip :bool) -> :int";
        let rest = "{{#rows}}{{no}}{{/rows}}{{#tags}}{{.}}{{/tags}}{{hotel}}{{#vip}}!{{/vip}}";
        check(agent(&format!("{rest}{mission}")).signature(signature).output(ptc_chat::OutputMode::Json))
    };
    assert_snapshot!(check("{{#rows}}{{no}}/{{hotel}}{{/rows}}"), @"");
    assert_snapshot!(check("{{#rows}}{{nope}}{{/rows}}"), @"mission placeholders without a signature parameter: {{nope}}");
    assert_snapshot!(check("{{#rows}}{{.}}{{/rows}}"), @"{{.}} in {{#rows}} is a whole element: use one of its fields");
    assert_snapshot!(check("{{#tags}}{{name}}{{/tags}}"), @"mission placeholders without a signature parameter: {{name}}");
    assert_snapshot!(check("{{.}}"), @"{{.}} means an element: use it inside a section");
}

#[test]
fn plans_and_families_of_tools_are_checked() {
    assert_snapshot!(check(agent("x").plan(["a", " "])), @"plan step 2 has no description");
    assert_snapshot!(check(agent("x").plan([("1", "a"), ("b", "b"), ("1", "c")])), @"plan ids used twice: 1");
    assert_snapshot!(check(agent("x").builtin_tools(["sed"])), @"unknown builtin tool family 'sed' (grep, history)");
    let own = agent("x").builtin_tools(["grep"]).tool(tool("grep")).build().unwrap();
    let about: Vec<String> = own.tools().into_iter().filter_map(|tool| tool.description).collect();
    assert_eq!(about[0], "A tool", "a tool of the host wins");
}
