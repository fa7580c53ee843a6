//! Answers as input.

use insta::assert_snapshot;
use ptc_transcript::{EndingKind, FailReason, RunUsage, Step};

use crate::testing::scripted;
use crate::{Agent, AgentBuilder, AgentError, Context, RunOptions, run_or_error, then, then_or_error};

/// The step of an agent whose program is this.
async fn first(agent: AgentBuilder, program: &str) -> Step {
    let (options, _) = scripted(&[program]);
    agent.build().expect("an agent").run_with(Context::default(), options).await.expect("a run")
}

fn second() -> AgentBuilder {
    Agent::builder("Use it").signature("(result :int, more :string?) -> :int")
}

#[tokio::test]
async fn descriptions_of_fields_travel_and_win() {
    let counted =
        Agent::builder("Count").signature("{result :int}").field_descriptions([("result", "rooms with a view")]);
    let step = first(counted, "(return {:result 7 :other 1})").await;
    let (options, llm) = scripted(&["(return (* 2 data/result))"]);
    let agent = second().context_descriptions([("result", "any number")]).build().expect("an agent");
    let step = then(step, &agent, options).await.expect("a run");
    assert_eq!(step.value::<u32>().expect("a number"), 14);
    let text = llm.requests()[0].messages[0].content().into_owned();
    let line = text.lines().find(|line| line.starts_with("data/result")).unwrap_or_default();
    assert_snapshot!(line, @"data/result                   ; int, sample: 7 -- rooms with a view");
    assert_eq!(step.context_descriptions["result"], "rooms with a view");
}

#[tokio::test]
async fn a_failed_step_passes_through() {
    let failed = first(Agent::builder("Count"), r#"(fail {:reason :no_rooms :message "empty"})"#).await;
    let (options, llm) = scripted(&["(return 1)"]);
    let agent = second().build().expect("an agent");
    let step = then(failed.clone(), &agent, options.clone()).await.expect("a step");
    assert_eq!(step.fail().map(ToString::to_string).as_deref(), Some("no_rooms: empty"));
    let error = then_or_error(failed.clone(), &agent, options.clone()).await.expect_err("no answer");
    assert_snapshot!(error, @"agent run failed (no_rooms): empty");

    let step = agent.run_with(Context::from_step(&failed), options).await.expect("a step");
    let fail = step.fail().expect("a failure");
    assert_eq!(
        (&fail.reason, step.ending, &step.usage),
        (&FailReason::ChainedFailure, EndingKind::Error, &RunUsage::default())
    );
    assert_snapshot!(fail.message, @"the previous agent failed: no_rooms: empty");
    assert_snapshot!(fail.details.as_ref().map(|details| details.to_json().expect("JSON").to_string()).unwrap_or_default(), @r#"{"upstream":{"reason":"no_rooms","message":"empty"}}"#);
    assert_eq!(llm.requests().len(), 0);
}

#[tokio::test]
async fn missing_keys_are_named_before_anything_is_asked() {
    let needs = Agent::builder("x").signature("(b :int, a :int, c :int?) -> :int").build().expect("an agent");
    for program in ["(return {:c 1})", "(return 3)", "(return nil)"] {
        let step = first(Agent::builder("Count"), program).await;
        let (options, llm) = scripted(&[]);
        let error = then(step, &needs, options).await.expect_err("missing keys");
        assert_eq!(error, AgentError::ChainKeys(vec!["a".to_owned(), "b".to_owned()]));
        assert_eq!(error.to_string(), "the next agent needs [a, b], which the previous step does not return");
        assert_eq!(llm.requests().len(), 0);
    }
    let open = Agent::builder("x").build().expect("an agent");
    let (options, _) = scripted(&["(return (keys data/rooms))"]);
    let step = first(Agent::builder("Count"), "(return {:rooms {:one-a 1}})").await;
    let step = then_or_error(step, &open, options).await.expect("an answer");
    assert_snapshot!(step.value::<serde_json::Value>().expect("a value"), @r#"["one-a"]"#);
}

#[tokio::test]
async fn a_run_without_answer_can_be_an_error() {
    let agent = second().build().expect("an agent");
    let (failing, _) = scripted(&["(fail \"never\")"]);
    let data = || Context::new(serde_json::json!({"result": 1})).expect("data");
    assert_snapshot!(run_or_error(&agent, data(), failing).await.expect_err("no answer"), @r#"agent run failed (failed): "never""#);
    let without = run_or_error(&agent, data(), RunOptions::default()).await.expect_err("no model");
    assert_snapshot!(without, @"an LLM client is required");
}

#[tokio::test]
async fn a_function_is_no_input() {
    let rule = Agent::builder("Write a rule").signature("{result :any}");
    let mut step = first(rule, "(return {:result 1})").await;
    // As a step that an earlier release recorded.
    let mut session = ptc_lisp::Session::new(ptc_lisp::SessionOptions::default());
    let answer = session.run("{:result (fn [user] (= user \"admin\"))}", &mut ptc_lisp::no_tools);
    step.result = Ok(answer.into_result().expect("a value"));
    let (options, llm) = scripted(&["(return 1)"]);
    let agent = Agent::builder("Use it").build().expect("an agent");
    let next = agent.run_with(Context::from_step(&step), options.clone()).await.expect("a step");
    let fail = next.fail().expect("a failure");
    assert_snapshot!(fail.message, @"the previous agent failed: return_validation_failed: its answer cannot be data: #fn[user] is a function, which stays in its session: send data, such as what it returns");
    assert_snapshot!(fail.details.as_ref().map(|details| details.to_json().expect("JSON").to_string()).unwrap_or_default(), @r#"{"upstream":{"reason":"return_validation_failed","message":"its answer cannot be data: #fn[user] is a function, which stays in its session: send data, such as what it returns"}}"#);
    // As data of a host it would run code of another session.
    let data = step.return_value().and_then(ptc_lisp::Value::as_map).cloned().expect("a map");
    let error = agent.run_with(Context::from_map(data), options).await.expect_err("a function");
    assert_snapshot!(error, @"cannot start with these values: data/result holds #fn[user], a function of another session: run its text here, or begin this session with the definitions of that one (`SessionOptions::definitions`)");
    assert_eq!(llm.requests().len(), 0);
}

#[tokio::test]
async fn a_task_with_a_function_goes_on_with_its_definitions_only() {
    let agent = Agent::builder("Work").build().expect("an agent");
    let (options, _) = scripted(&["(def n 2) (task \"rule\" (fn [x] (* n x))) (return 1)"]);
    let options = options.tasks(Vec::new());
    let step = agent.run_with(Context::default(), options.clone()).await.expect("a step");
    let (with, _) = scripted(&["(return ((task \"rule\" nil) 4))"]);
    let next = agent.run_with(Context::default(), with.tasks(Vec::new()).continuing(&step)).await.expect("a step");
    assert_eq!(next.value::<u32>().expect("a number"), 8);
    let (without, _) = scripted(&["(return 1)"]);
    let error =
        agent.run_with(Context::default(), without.tasks(step.tasks.clone().into_iter().collect::<Vec<_>>())).await;
    assert_snapshot!(error.expect_err("a function"), @"cannot start with these values: the task rule holds #fn[x], a function of another session: run its text here, or begin this session with the definitions of that one (`SessionOptions::definitions`)");
}
