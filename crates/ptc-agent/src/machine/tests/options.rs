//! Options of single runs.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use insta::assert_snapshot;
use ptc_chat::{LlmError, OutputMode, Reply, ScriptedLlm, Tokens};
use ptc_lisp::Reason;
use ptc_transcript::RunUsage;
use serde_json::json;

use super::{agent, bookings, check, check_raw};
use crate::{Agent, Backoff, Context, FormatSettings, LlmRetry, OnBudgetExceeded, RunOptions, SubagentOptions};

const TWO_TURNS: [&str; 2] = ["(def a 1)", "(return a)"];

/// A program that costs this many tokens.
fn costing(program: &str, tokens: u64) -> Result<Reply, LlmError> {
    let tokens = Some(Tokens { input: tokens - 1, output: 1, ..Tokens::default() });
    Ok(Reply { tokens, ..Reply::from(program) })
}

/// How many messages each request has, and whether the second one shows definitions.
fn is_compressed(llm: &ScriptedLlm) -> bool {
    let requests = llm.requests();
    let second = &requests[1].messages;
    second.len() == 1 && second[0].content().contains(";; === user/")
}

/// Proves: API-007, CHG-001.
#[tokio::test]
async fn compression_is_an_option_of_the_definition_of_the_call_and_of_a_run() {
    let compresses = async |agent: &Agent| {
        let llm = ScriptedLlm::replies(TWO_TURNS);
        agent.run(&llm, ()).await.expect("a run");
        is_compressed(&llm)
    };
    let plain = Agent::builder("Count").build().expect("an agent");
    let defined = Agent::builder("Count").compression(true).build().expect("an agent");
    assert!(compresses(&defined).await && !compresses(&plain).await);

    let asked = ScriptedLlm::replies(TWO_TURNS);
    crate::run(Agent::builder("Count").compression(true), &asked, ()).await.expect("a run");
    assert!(is_compressed(&asked));

    let adjusted = |agent: &Agent, on: bool| agent.adjusted(|agent| agent.compression(on)).expect("an agent");
    assert!(compresses(&adjusted(&plain, true)).await && !compresses(&adjusted(&defined, false)).await);
    assert!(
        compresses(&defined.adjusted(|agent| agent.max_turns(9)).expect("an agent")).await,
        "another option leaves it as it is"
    );
    assert!(!compresses(&plain).await, "the agent itself is as it was");
}

/// Proves: API-007.
#[tokio::test]
async fn the_call_for_agents_needed_once_takes_every_option_of_agents() {
    let corrected =
        Agent::builder("Count").signature(":int").max_turns(1).retry_turns(1).timeout(Duration::from_millis(900));
    let step = crate::run(corrected, &ScriptedLlm::replies(["(return :no)", "(return 7)"]), ()).await.expect("a run");
    assert_eq!((step.value::<u32>().expect("a number"), step.turns().len()), (7, 2));
    let llm = ScriptedLlm::replies([r#"{"n": 1}"#]);
    let step = crate::run(Agent::builder("Count").output(OutputMode::Json).signature("{n :int}"), &llm, ())
        .await
        .expect("a run");
    assert_eq!((step.is_ok(), llm.requests()[0].output), (true, OutputMode::Json));
}

#[test]
fn an_adjusted_agent_keeps_what_is_not_changed() {
    let agent =
        agent().signature("(bookings [:map]) -> :int").plan(["Look"]).self_tool("again").build().expect("an agent");
    let adjusted = agent.adjusted(|agent| agent.max_turns(9)).expect("an agent");
    let tools = |agent: &Agent| agent.tools().into_iter().map(|tool| tool.name).collect::<Vec<_>>();
    assert_eq!(tools(&adjusted), tools(&agent));
    assert_eq!(
        (&adjusted.spec().signature, adjusted.spec().max_turns, agent.spec().max_turns),
        (&agent.spec().signature, 9, 5)
    );
    let first = |agent: &Agent| agent.preview_prompt(json!({"bookings": []})).expect("a request");
    assert_eq!(first(&adjusted).messages, first(&agent).messages);
    assert_eq!(
        agent.adjusted(|agent| agent.max_turns(0)).expect_err("an error").to_string(),
        "max_turns must be an integer above 0"
    );
}

#[test]
fn questions_of_programs_can_be_taken_back() {
    let agent = Agent::builder("Ask").llm_query(true).build().expect("an agent");
    let silent = agent.adjusted(|agent| agent.llm_query(false)).expect("an agent");
    assert_eq!((agent.tools().len(), silent.tools().len()), (1, 0));
}

#[test]
fn the_retry_of_a_run_wins_over_that_of_the_agent() {
    let slow = || LlmError::from_status(429, "slow down");
    let answers = || vec![Err(slow()), Err(slow()), Ok("(return 1)".into())];
    let retry =
        LlmRetry { max_attempts: 3, backoff: Backoff::Constant, base_delay: Duration::ZERO, ..LlmRetry::default() };
    let run = |llm_retry| check_raw(agent(), answers(), bookings(), RunOptions::new().llm_retry(llm_retry));
    assert_eq!(run(Some(retry)).end(), "return 1");
    assert_eq!(run(None).step.fail().expect("a failure").reason.as_str(), "llm_error");
}

#[test]
fn the_heap_of_a_run_wins_over_that_of_the_agent_and_binds_its_children() {
    let large = "(return (count (vec (range 200000))))";
    let run = |agent: crate::AgentBuilder, answers: &[&str], max_heap| {
        let answers = answers.iter().map(|answer| Ok((*answer).into())).collect();
        check_raw(agent, answers, json!({}), RunOptions::new().max_heap(max_heap))
    };
    let small = || agent().max_heap(1_000_000).max_turns(1);
    assert_eq!(run(small(), &[large], None).outcomes(), Reason::MemoryExceeded.as_str());
    assert_eq!(run(small(), &[large], Some(100_000_000)).end(), "return 200000");
    assert_eq!(run(agent().max_turns(1), &[large], Some(1_000_000)).outcomes(), Reason::MemoryExceeded.as_str());
    let child = Agent::builder("Count").description("Counts").max_turns(1).build().expect("an agent");
    let parent = Agent::builder("Ask").tool(child.as_tool(SubagentOptions::named("count")).expect("a tool"));
    let seen = run(parent, &["(tool/count {})", large, "(return (:message data/fail))"], Some(1_000_000));
    assert!(seen.end().contains("memory_exceeded"), "{}", seen.end());
}

#[test]
fn each_limit_of_a_program_is_an_option() {
    let ends = |agent: crate::AgentBuilder, program: &str| check(agent.max_turns(1), &[program]).outcomes();
    assert_eq!(ends(agent().fuel(1_000), "(loop [] (recur))"), Reason::FuelExceeded.as_str());
    let nested = "((fn down [n] (if (= n 0) 0 (inc (down (dec n))))) 100)";
    assert_eq!(ends(agent().call_depth(50), nested), Reason::RecursionLimitExceeded.as_str());
    assert_eq!(ends(agent(), nested), "ok");
    assert_eq!(ends(agent().source_bytes(10), "(return (+ 1 2 3))"), Reason::ParseError.as_str());
    let few = FormatSettings { max_prints: Some(1), ..FormatSettings::default() };
    let seen = check(agent().format_options(few), &["(println 1) (println 2) (println 3)", "(return 1)"]);
    assert_eq!(seen.turn(1).prints(), ["(2 earlier lines are not kept)", "3"]);
}

#[test]
fn figures_are_checked_before_the_first_request() {
    let error = |options: RunOptions| {
        let agent = agent().build().expect("an agent");
        agent.start(Context::default(), &options).err().expect("an error").to_string()
    };
    assert_snapshot!(error(RunOptions::new().max_heap(0)), @"max_heap must be an integer above 0, or absent");
    let llm_retry = Some(LlmRetry { max_attempts: 0, ..LlmRetry::default() });
    assert_snapshot!(error(RunOptions::new().llm_retry(llm_retry)), @"llm_retry.max_attempts must be an integer above 0");
}

#[test]
fn a_callback_decides_by_what_was_used_and_wins_over_the_limit() {
    let heard: Arc<Mutex<Vec<RunUsage>>> = Arc::default();
    let hear = Arc::clone(&heard);
    let budget = move |usage: &RunUsage| {
        hear.lock().expect("a list").push(usage.clone());
        if usage.llm_requests > Some(2) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = RunOptions::new().budget(budget).token_limit(1);
    let answers = || vec![costing("(inc 0)", 10), costing("(inc 1)", 20), costing("(return 3)", 30)];
    let seen = check_raw(agent(), answers(), bookings(), options.clone());
    assert_eq!(seen.end(), "limit budget_callback_exceeded: stopped by the budget callback");
    let told = heard
        .lock()
        .expect("a list")
        .iter()
        .map(|usage| (usage.turns, usage.total_tokens, usage.input_tokens))
        .collect::<Vec<_>>();
    assert_eq!(told, [(0, Some(10), Some(9)), (1, Some(30), Some(28)), (2, Some(60), Some(57))]);
    let partial = options.on_budget_exceeded(OnBudgetExceeded::ReturnPartial);
    assert_eq!(check_raw(agent(), answers(), bookings(), partial).end(), "fallback 2");
}

#[test]
fn a_callback_that_panics_ends_the_run() {
    let options = RunOptions::new().budget(|_| panic!("no idea"));
    let seen = check_raw(agent(), vec![Ok("(return 1)".into())], bookings(), options);
    assert_eq!(seen.end(), "error internal_error: no idea");
}

/// A parent whose child costs 40 tokens for each of its two turns.
fn family(options: RunOptions) -> super::Seen {
    let child = Agent::builder("Count").description("Counts").max_turns(3).build().expect("an agent");
    let parent = Agent::builder("Ask").tool(child.as_tool(SubagentOptions::named("count")).expect("a tool"));
    let answers = vec![
        costing("(def n (tool/count {}))", 10),
        costing("(def x 3)", 40),
        costing("(return x)", 40),
        costing("(return n)", 10),
    ];
    check_raw(parent, answers, json!({}), options)
}

#[test]
fn tokens_of_children_count_for_the_limit_of_the_run() {
    let limited = |tokens| family(RunOptions::new().token_limit(tokens));
    assert_eq!(limited(100).end(), "return 3");
    let seen = limited(99);
    assert_eq!(seen.end(), "limit budget_callback_exceeded: token limit reached: 100 tokens used, token_limit is 99");
    assert_eq!(
        (seen.step.usage.total_tokens, seen.step.child_steps[0].usage.total_tokens),
        (Some(20), Some(80)),
        "each step has its own"
    );
    // The child itself stops when the run has used too much.
    let seen = limited(60);
    assert_eq!(seen.step.child_steps[0].fail().expect("a failure").reason.as_str(), "budget_callback_exceeded");
    assert_eq!(seen.requests.len(), 4, "and the parent with its next answer");
    assert!(
        seen.turn(1).error_message().expect("an error").starts_with("tool 'count' failed: budget_callback_exceeded: ")
    );
}

#[test]
fn a_callback_hears_of_children_too() {
    let most = Arc::new(Mutex::new((None, None)));
    let hear = Arc::clone(&most);
    let budget = move |usage: &RunUsage| {
        *hear.lock().expect("figures") = (usage.total_tokens, usage.llm_requests);
        ControlFlow::Continue(())
    };
    assert_eq!(family(RunOptions::new().budget(budget)).end(), "return 3");
    assert_eq!(*most.lock().expect("figures"), (Some(100), Some(4)));
}

#[test]
fn options_of_children_do_not_carry_definitions() {
    let first = check(agent(), &["(def secret 1) (return 1)"]).step;
    let child = Agent::builder("Look").description("Looks").max_turns(1).build().expect("an agent");
    let parent = Agent::builder("Ask").tool(child.as_tool(SubagentOptions::named("look")).expect("a tool"));
    let answers =
        vec![Ok("(tool/look {})".into()), Ok("(inc secret)".into()), Ok("(return (:message data/fail))".into())];
    let seen = check_raw(parent, answers, json!({}), RunOptions::default().continuing(&first));
    assert!(seen.end().contains("undefined symbol 'secret'"), "{}", seen.end());
    assert!(seen.step.child_steps[0].definitions.is_empty() && seen.step.data.get_named("x").is_none());
}
