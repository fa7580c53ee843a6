//! Scenarios 33 to 37: models that fail, limits of time, memory and turns, and agents called by agents.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use ptc_runner::agent::{AgentBuilder, Backoff, LlmRegistry, LlmRetry, MemoryStrategy, SubagentOptions};
use ptc_runner::chat::{Llm, LlmError, ReplayLlm, Reply, ScriptedLlm, llm_async_fn};
use ptc_runner::prelude::*;
use ptc_runner::transcript::FailReason;
use serde_json::json;
use tokio::time::Instant;

use super::{agent, end, play, run};

/// A run whose model fails with these codes before it answers, and the milliseconds between the calls of the model.
fn retried(codes: &[u16]) -> (Step, Vec<u128>) {
    let codes = Arc::new(Mutex::new(codes.to_vec()));
    let calls: Arc<Mutex<Vec<Instant>>> = Arc::default();
    let heard = Arc::clone(&calls);
    let llm = llm_async_fn("busy", move |_| {
        heard.lock().unwrap().push(Instant::now());
        let mut codes = codes.lock().unwrap();
        let answer =
            if codes.is_empty() { Ok("(return 1)".into()) } else { Err(LlmError::from_status(codes.remove(0), "no")) };
        async move { answer }
    });
    let retry = LlmRetry {
        max_attempts: 3,
        backoff: Backoff::Exponential,
        base_delay: Duration::from_millis(100),
        ..LlmRetry::default()
    };
    let options = RunOptions::new().llm(Arc::new(llm));
    let step = run(agent().llm_retry(retry), Context::default(), options);
    let calls = calls.lock().unwrap();
    (step, calls.windows(2).map(|pair| (pair[1] - pair[0]).as_millis()).collect())
}

#[test]
fn s33_failed_calls_of_the_model_are_repeated() {
    let (step, delays) = retried(&[429, 429]);
    assert_eq!((end(&step).as_str(), step.usage.turns, delays), ("return 1", 1, vec![100, 200]));
    let (step, delays) = retried(&[429, 500, 429]);
    let told = "error llm_error: the LLM call failed: rate_limit (HTTP 429): no (3 attempts in 0.3 s)";
    assert_eq!((end(&step).as_str(), delays), (told, vec![100, 200]));
    let (step, delays) = retried(&[400]);
    assert_eq!(
        (end(&step).as_str(), delays),
        ("error llm_error: the LLM call failed: client_error (HTTP 400): no", vec![])
    );
    assert_eq!(step.usage.turns, 0);
}

#[test]
fn s34_limits_of_time_and_memory() {
    let played = play(agent().timeout(Duration::from_millis(50)), &["(loop [] (recur))", "(return 1)"]);
    assert_eq!((played.end().as_str(), played.outcomes().as_str()), ("return 1", "timeout ok"));

    let small = |strategy| agent().memory_limit(200).memory_strategy(strategy);
    let programs = ["(def a 1)", "(def big (vec (range 1000)))", "(return a)"];
    let strict = play(small(MemoryStrategy::Strict), &programs);
    assert!(strict.end().starts_with("limit memory_limit_exceeded: memory holds "), "{}", strict.end());
    assert_eq!(strict.requests.len(), 2);

    let undone = play(small(MemoryStrategy::Rollback), &programs);
    assert_eq!((undone.end().as_str(), undone.outcomes().as_str()), ("return 1", "ok memory_limit_exceeded ok"));
    assert_eq!(undone.defined(2), ["a"]);
    assert!(
        undone.message(3).contains("the limit is 200: the definitions of this turn were undone"),
        "{}",
        undone.message(3)
    );
}

#[test]
fn s35_mission_timeout_and_turn_budget() {
    let slow = llm_async_fn("slow", |_| async {
        tokio::time::sleep(Duration::from_secs(31)).await;
        Ok(Reply::from("(def a 1)"))
    });
    let options = RunOptions::new().llm(Arc::new(slow));
    let step = run(agent().mission_timeout(Duration::from_secs(30)), Context::default(), options);
    assert_eq!(end(&step), "limit mission_timeout: the mission deadline has passed");
    assert_eq!(
        (step.turns().len(), step.usage.llm_requests),
        (0, Some(1)),
        "nobody waits for an answer after the deadline"
    );

    let played = play(agent().turn_budget(2).max_turns(5), &["1", "2", "(return 3)"]);
    assert_eq!(played.end(), "limit turn_budget_exhausted: the turn budget is used up");
    assert_eq!((played.step.turns().len(), played.requests.len()), (2, 2));
}

fn pricer() -> AgentBuilder {
    Agent::builder("Price {{room}}")
        .signature("(room :int) -> {total :float}")
        .description("Prices one room")
        .max_turns(2)
}

/// Answers by agent; `""` is the one that was started from outside.
fn replay(lines: &[(&str, &str)]) -> Arc<dyn Llm> {
    let line = |(agent, program): &(&str, &str)| {
        json!({"agent": (!agent.is_empty()).then_some(agent), "content": program}).to_string()
    };
    Arc::new(ReplayLlm::from_text("answers", &lines.iter().map(line).collect::<Vec<_>>().join("\n")).unwrap())
}

#[test]
fn s36_an_agent_as_a_tool() {
    let child = ["(def n 2)", "(return {:total (* n data/room)})"];
    let parent = ["(return (:total (tool/pricer {:room 41})))", child[0], child[1]];
    // Its own model takes precedence over the one that the tool binds, and that over the caller's.
    for (has_own, is_bound, asked) in [(true, true, [2, 0, 1]), (false, true, [0, 2, 1]), (false, false, [0, 0, 3])] {
        let [own, bound, caller] =
            [child.as_slice(), &child, &parent].map(|script| Arc::new(ScriptedLlm::replies(script.iter().copied())));
        let agent_below = if has_own { pricer().llm(own.clone()) } else { pricer() }.build().unwrap();
        let tool = agent_below
            .as_tool(SubagentOptions { llm: is_bound.then(|| "bound".into()), ..SubagentOptions::named("pricer") })
            .unwrap();
        let options = RunOptions::new()
            .llm(caller.clone())
            .llm_registry(LlmRegistry::from([("bound".to_owned(), bound.clone() as Arc<dyn Llm>)]));
        let step = run(agent().tool(tool), Context::default(), options);
        assert_eq!((end(&step).as_str(), step.usage.turns), ("return 82", 1));
        assert_eq!((step.child_steps.len(), step.child_steps[0].turns().len()), (1, 2));
        assert_eq!([own, bound, caller].map(|llm| llm.requests().len()), asked);
    }

    let tool = pricer().build().unwrap().as_tool(SubagentOptions::named("pricer")).unwrap();
    let failing = [
        ("", "(tool/pricer {:room 41})"),
        ("pricer", r#"(fail {:reason :closed :message "no room 41"})"#),
        ("", "(return :on)"),
    ];
    let options = RunOptions::new().llm(replay(&failing));
    let step = run(agent().tool(tool), Context::default(), options);
    assert_eq!((end(&step).as_str(), step.turns()[0].error_reason()), (r#"return "on""#, Some(FailReason::ToolError)));
    assert!(step.turns()[0].error_message().unwrap().starts_with("tool 'pricer' failed: closed: no room 41"));
}

#[test]
fn s37_recursion_ends_at_the_depth_limit() {
    let walk = Agent::builder("Walk {{n}}").signature("(n :int) -> :int").self_tool("walk").max_depth(2);
    let deeper = "(return (+ 1 (tool/walk {:n (dec data/n)})))";
    let answers = [("", deeper), ("walk", deeper), ("walk", "(return 0)")];
    let options = RunOptions::new().llm(replay(&answers));
    let step = run(walk, Context::new(json!({"n": 9})).unwrap(), options);
    assert_eq!(end(&step), "return 1");
    let error = step.child_steps[0].turns()[0].error_message().unwrap();
    assert!(
        error.starts_with("tool 'walk' failed: max_depth_exceeded: nesting depth 2 reaches the limit 2"),
        "{error}"
    );
}
