//! Which clock runs while tools work, how long they may work, and what they know of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use insta::assert_snapshot;
use ptc_transcript::{FailReason, Step};
use serde_json::json;

use crate::testing::{Item, scripted};
use crate::{Agent, AgentBuilder, Context, FnTool, ToolContext, ToolError};

/// Takes `id` seconds.
async fn rest(item: Item) -> Result<i64, ToolError> {
    tokio::time::sleep(Duration::from_secs(item.id.unsigned_abs())).await;
    Ok(item.id)
}

async fn check(agent: AgentBuilder, programs: &[&str], parallel: usize) -> Step {
    let options = scripted(programs).0.run_id("r").max_parallel_calls(parallel);
    agent.build().expect("an agent").run_with(Context::default(), options).await.expect("a run")
}

fn rests(timeout: u64) -> AgentBuilder {
    Agent::builder("Rest").tool(FnTool::new("rest", "Rests", rest).timeout(Duration::from_secs(timeout)))
}

#[tokio::test(start_paused = true)]
async fn a_tool_has_its_own_time() {
    let step = check(rests(30), &["(tool/rest {:id 29})", "(tool/rest {:id 31})", "(return 1)"], 64).await;
    assert_eq!((step.turns()[0].is_success(), step.usage.duration_ms), (true, 59_000));
    assert_snapshot!(step.turns()[1].error_message().expect("an error"), @"tool 'rest' failed: no answer within 30000 ms at line 1, column 1");
}

#[tokio::test(start_paused = true)]
async fn the_time_of_a_call_begins_when_it_is_made() {
    let program = "(return (pmap (fn [n] (tool/rest {:id n})) [20 20 20 20 20]))";
    let step = check(rests(30), &[program], 2).await;
    assert_eq!((step.value::<Vec<i64>>().expect("numbers").len(), step.usage.duration_ms), (5, 60_000));
}

#[tokio::test(start_paused = true)]
async fn calls_that_wait_for_their_turn_keep_the_deadline() {
    let program = "(return (pmap (fn [n] (try (tool/rest {:id n}) (catch Exception e (ex-message e)))) [20 20 20]))";
    let step = check(rests(30).mission_timeout(Duration::from_secs(50)), &[program], 1).await;
    assert_eq!(step.usage.duration_ms, 50_000);
    assert_snapshot!(step.tool_calls[2].error.as_deref().unwrap_or_default(), @"the mission deadline has passed");
}

#[tokio::test]
async fn waiting_costs_a_program_no_time() {
    let nap = |item: Item| async move {
        tokio::time::sleep(Duration::from_millis(item.id.unsigned_abs())).await;
        Ok::<_, ToolError>(item.id)
    };
    let agent = |time| {
        Agent::builder("Nap").tool(FnTool::new("nap", "Naps", nap)).timeout(Duration::from_millis(time)).max_turns(1)
    };
    let step = check(agent(2_000), &["(return (+ (tool/nap {:id 1100}) (tool/nap {:id 1100})))"], 64).await;
    assert_eq!(step.value::<i64>().expect("a number"), 2_200);
    // Its own work still counts.
    let step = check(agent(100), &["(tool/nap {:id 1}) (loop [] (recur))"], 64).await;
    assert_eq!(step.turns()[0].error_reason(), Some(FailReason::Program(ptc_lisp::Reason::Timeout)));
}

#[tokio::test(start_paused = true)]
async fn functions_know_their_call() {
    let show = |context: &ToolContext| {
        json!([context.call_id(), context.time_left().map(|left| left.as_secs()), context.is_cancelled()]).to_string()
    };
    let sync = move |_: Item, context: ToolContext| Ok::<_, ToolError>(show(&context));
    let with_state = move |add: i64, item: Item, context: ToolContext| {
        Ok::<_, ToolError>(format!("{} {}", add + item.id, show(&context)))
    };
    let plain = move |_: Item, context: ToolContext| async move { Ok::<_, ToolError>(show(&context)) };
    let both = move |add: i64, item: Item, context: ToolContext| async move {
        Ok::<_, ToolError>(format!("{} {}", add + item.id, show(&context)))
    };
    let agent = Agent::builder("Show")
        .tool(FnTool::new("a", "Sync", sync))
        .tool(FnTool::with_state("b", "Sync", 10, with_state).timeout(Duration::from_secs(5)))
        .tool(FnTool::new("c", "Async", plain).timeout(Duration::from_secs(700)))
        .tool(FnTool::with_state("d", "Async", 20, both).timeout(Duration::MAX))
        .mission_timeout(Duration::from_secs(600));
    let step = check(agent, &["1", "(return (mapv (fn [f] (f {:id 1})) [tool/a tool/b tool/c tool/d]))"], 64).await;
    assert_snapshot!(step.value::<Vec<String>>().expect("texts").join("\n"), @r#"
    ["r/2/1",60,false]
    11 ["r/2/2",5,false]
    ["r/2/3",600,false]
    21 ["r/2/4",600,false]
    "#);
}

#[tokio::test(start_paused = true)]
async fn functions_learn_that_nobody_waits() {
    let learned = Arc::new(AtomicBool::new(false));
    let stubborn = |learned: Arc<AtomicBool>, _: Item, context: ToolContext| async move {
        tokio::spawn(async move {
            context.cancelled().await;
            learned.store(context.time_left() == Some(Duration::ZERO), Ordering::SeqCst);
        });
        std::future::pending::<()>().await;
        Ok::<_, ToolError>(1)
    };
    let tool = FnTool::with_state("wait", "Waits", learned.clone(), stubborn).timeout(Duration::from_secs(3));
    check(Agent::builder("Wait").tool(tool), &["(tool/wait {:id 1})", "(return 1)"], 64).await;
    tokio::task::yield_now().await;
    assert!(learned.load(Ordering::SeqCst));
}

#[tokio::test]
async fn outside_a_run_there_is_no_call() {
    assert!(ToolContext::current().is_none());
    let tool = FnTool::new("a", "Shows", |_: Item, context: ToolContext| {
        Ok::<_, ToolError>((context.call_id().len(), context.time_left().is_none()))
    });
    let args = ptc_lisp::Value::from_json(json!({"id": 1}));
    let call = ptc_lisp::ToolCall { seq: 1, name: "a".into(), surface: args.clone(), args };
    let answer = ptc_lisp::Tool::call(&tool, &call).await.expect("an answer");
    assert_eq!(answer.to_json().expect("JSON"), json!([0, true]));
}
