//! How runs end (scenarios 1, 2, 17–21, 23, 24, 33–35).

use std::time::Duration;

use insta::assert_snapshot;
use ptc_chat::{LlmError, LlmErrorKind, Reply, StopReason, Tokens};
use serde_json::json;

use super::{agent, bookings, check, check_raw};
use crate::{Agent, CancellationToken, FnTool, LlmRetry, MemoryStrategy, OnBudgetExceeded, RunOptions, ToolError};

/// Small in memory, but `2^60` numbers when read: records say `...`, and it is not an answer.
#[test]
fn a_value_that_repeats_its_parts_is_no_answer() {
    let doubled = "(loop [v [1] n 0] (if (< n 60) (recur [v v] (inc n)) v))";
    let keep = format!("(def kept {doubled}) kept");
    for way in
        [format!("(return {doubled})"), format!("(fail {doubled})"), "(fail {:reason kept :message kept})".to_owned()]
    {
        for signature in ["{a :string}", ":any", "[[[:int]]]"] {
            let seen = check(
                agent().signature(signature).compression(true),
                &[&keep, &way, "(return (count kept))", "(fail :no)", "(fail :no)"],
            );
            assert_eq!(seen.outcomes().split(' ').take(2).collect::<Vec<_>>(), ["ok", "memory_exceeded"], "{way}");
            assert!(
                seen.last(3).contains("repeats the same parts so often that it cannot be written out"),
                "{}",
                seen.last(3)
            );
            assert!(seen.json().to_string().len() < 1 << 20);
        }
    }
    let seen = check(agent().max_turns(1), &[doubled]);
    assert_eq!((seen.outcomes().as_str(), seen.step.is_ok()), ("memory_exceeded", false));
    let seen = check(agent().max_turns(2), &[doubled, "nil"]);
    assert!(seen.end().starts_with("limit max_turns_exceeded"), "{}", seen.end());
}

/// Proves: SS-001.
#[test]
fn single_shot() {
    let one = || Agent::builder("How many bookings are there?").max_turns(1).compression(true);
    let seen = check(one(), &["(count data/bookings)"]);
    assert_snapshot!(seen.end(), @"value 4");
    assert_eq!((seen.requests.len(), seen.requests[0].messages.len(), seen.step.turns().len()), (1, 1, 1));
    assert!(seen.last(1).starts_with("How many bookings are there?\n\n"));
    assert_eq!(seen.step.usage.compression, None);
    assert_eq!(seen.turn(1).raw_response(), "```clojure\n(count data/bookings)\n```");

    assert_snapshot!(check(one().signature("{kept :string}"), &["{:kept-all (count data/bookings)}"]).end(), @r#"value {"kept_all":4}"#);
    assert_snapshot!(check(one(), &["(return 5)"]).end(), @"return 5");
    assert_snapshot!(check(one(), &["(fail :no)"]).end(), @"fail failed: :no");
    assert_snapshot!(check(one(), &["(foo)"]).end(), @"error undefined_symbol: undefined symbol 'foo'. Did you mean 'for'? at line 1, column 2");
    let prose = check_raw(one(), vec![Ok("Four.".into())], bookings(), RunOptions::default());
    assert_snapshot!(prose.end(), @"error no_code_found: the LLM answer contains no program: no program was found in your answer. Write exactly one fenced block tagged `clojure`, or an answer that starts with `(`");
}

#[test]
fn one_turn_with_tools() {
    let one = || agent().max_turns(1).signature("{total :float}");
    assert_snapshot!(check(one(), &["(+ 1 1)"]).end(), @"value 2");
    assert_snapshot!(check(one(), &["(return {:total \"x\"})"]).end(), @r#"limit max_turns_exceeded: limit of 1 turns reached: turn 1 failed with return_validation_failed "[total]: expected float, got string""#);
    assert_snapshot!(check(one(), &["(fail {:reason :nope})"]).end(), @"fail nope: {:reason :nope}");
}

#[test]
fn a_refused_return_is_repaired() {
    let seen = check(agent().signature("{total :float}"), &["(return {:total \"x\"})", "(return {:total 1})"]);
    assert_snapshot!(seen.end(), @r#"return {"total":1}"#);
    assert_snapshot!(seen.outcomes(), @"return_validation_failed ok");
    assert_snapshot!(seen.last(2), @r#"
    Error: The returned value does not fit the signature.
    Wanted: {total :float}
    Got: {:total "x"}
    Problems:
    - [total]: expected float, got string
    Correct the value and return it again.

    Turn 2 of 5 (4 remaining)
    "#);
}

#[test]
fn retry_turns_follow_the_work_turns() {
    let bad = "(return {:total \"x\"})";
    let one = |retries| agent().signature("{total :float}").max_turns(1).retry_turns(retries);
    let seen = check(one(2), &[bad, bad, "(return {:total 1})"]);
    assert_snapshot!(seen.end(), @r#"return {"total":1}"#);
    assert_snapshot!(seen.kinds(), @"must_return retry retry");
    assert!(seen.requests.iter().all(|request| request.tool_names.is_empty()));
    assert_snapshot!(seen.last_line(2), @"Turn 2: retry 1 of 2 (2 retries remaining)");
    assert_snapshot!(seen.last_line(3), @"FINAL RETRY (2 of 2) - you must call (return result) or (fail reason) now.");

    let seen = check(one(1), &[bad, bad]);
    assert_snapshot!(seen.end(), @r#"limit budget_exhausted: all 1 work turns and 1 retry turns are used up: turns 1-2 failed with return_validation_failed "[total]: expected float, got string""#);
    assert_eq!(seen.step.turns().len(), 2);

    let seen = check(agent().signature("{total :float}").retry_turns(1), &[bad, "(return {:total 1})"]);
    assert_snapshot!(seen.kinds(), @"normal normal");
}

#[test]
fn a_run_without_turns_left_says_what_the_last_ones_came_to() {
    let prose = |text: &str| Ok(Reply::from(text));
    let replies = vec![
        prose("(def total 1)"),
        prose("(def b 2)"),
        prose("(inc totl)"),
        prose("I think so."),
        prose("I think so."),
    ];
    let seen = check_raw(agent().max_turns(5).fallback(false), replies, bookings(), RunOptions::default());
    assert_snapshot!(seen.end(), @r#"limit max_turns_exceeded: limit of 5 turns reached: turns 1-2 ran without calling return; turn 3 failed with undefined_symbol "undefined symbol 'totl'. Did you mean 'total'? at line 1, column 6"; turns 4-5 failed with parse_error "no program was found in your answer. Write exactly one fenced block tagged `clojure`, or an answer that starts with `(`""#);
    let bad = "(return {:total \"x\"})";
    let one = |retries| agent().signature("{total :float}").max_turns(1).retry_turns(retries);
    assert_snapshot!(check(one(2), &[bad, "(+ 1", bad]).end(), @r#"limit budget_exhausted: all 1 work turns and 2 retry turns are used up: turn 1 failed with return_validation_failed "[total]: expected float, got string"; turn 2 failed with parse_error "Unexpected end of input: '(' opened at line 1, column 1 was never closed"; turn 3 failed with return_validation_failed "[total]: expected float, got string""#);
    let many: Vec<String> =
        (1..=9).map(|n| format!("(throw (ex-info \"bad\\nline {n} {}\" {{}}))", "x".repeat(2_000))).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let told = check(agent().max_turns(9), &many).end();
    assert!(!told.contains('\n') && told.len() < 600, "{told}");
    assert_snapshot!(told.replace(&"x".repeat(20), "x"), @r#"limit max_turns_exceeded: limit of 9 turns reached; at the end turn 7 failed with exception "bad\nline 7 xxxxxxxxxxxxx..."; turn 8 failed with exception "bad\nline 8 xxxxxxxxxxxxx..."; turn 9 failed with exception "bad\nline 9 xxxxxxxxxxxxx...""#);
}

#[test]
fn a_run_without_turns_left_quotes_nothing_hidden() {
    let data = json!({"_pin": "correct-horse-battery"});
    let program = "(throw (ex-info (str \"no such pin: \" data/_pin) {}))";
    let seen =
        check_raw(agent().max_turns(2), vec![Ok(program.into()), Ok(program.into())], data, RunOptions::default());
    assert_snapshot!(seen.end(), @r#"limit max_turns_exceeded: limit of 2 turns reached: turns 1-2 failed with exception "no such pin: [hidden] at line 1, column 1""#);
}

#[test]
fn an_explicit_failure_ends_the_run() {
    let seen = check(agent().retry_turns(2), &[r#"(fail {:reason :no_rooms :message "full"})"#]);
    assert_snapshot!(seen.end(), @"fail no_rooms: full");
    assert_eq!(seen.step.turns().len(), 1);
    assert_snapshot!(check(agent(), &[r#"(fail "nope")"#]).end(), @r#"fail failed: "nope""#);
}

#[test]
fn the_last_good_value_can_be_the_answer() {
    let two = || agent().max_turns(2).signature(":int");
    let seen = check(two(), &["(+ 20 1)", "(println \"hm\")"]);
    assert_snapshot!(seen.end(), @"fallback 21");
    assert!(seen.step.usage.fallback_used);
    assert_snapshot!(check(two().fallback(false), &["(+ 20 1)", "nil"]).end(), @"limit max_turns_exceeded: limit of 2 turns reached: turns 1-2 ran without calling return");
    assert_snapshot!(check(two(), &["7", "(def a 1)"]).end(), @"fallback 7");
    let seen = check(agent().max_turns(2).signature("{a :string}"), &["1", "2"]);
    assert_snapshot!(seen.end(), @"limit max_turns_exceeded: limit of 2 turns reached: turns 1-2 ran without calling return");
    assert_eq!(seen.step.turns().len(), 2);
}

#[test]
fn a_stuck_program_costs_a_turn() {
    let seen = check(agent().timeout(Duration::from_millis(50)), &["(loop [] (recur))", "(return 1)"]);
    assert_snapshot!(seen.end(), @"return 1");
    assert_snapshot!(seen.outcomes(), @"timeout ok");
    assert_snapshot!(seen.turn(1).error_message().unwrap_or_default(), @"the program ran longer than 50 ms (stopped at line 1, column 10): work on less data, or end the loop");
}

#[test]
fn too_much_memory_ends_or_undoes() {
    let small = |strategy| agent().memory_limit(200).memory_strategy(strategy);
    let big = "(def big (vec (range 1000)))";
    let seen = check(small(MemoryStrategy::Strict), &["(def a 1)", big]);
    assert!(seen.end().starts_with("limit memory_limit_exceeded: memory holds "), "{}", seen.end());
    assert!(seen.end().ends_with(" bytes, the limit is 200"));
    assert_snapshot!(seen.outcomes(), @"ok memory_limit_exceeded");

    let seen = check(small(MemoryStrategy::Rollback), &["(def a 1)", big, "(return a)"]);
    assert_snapshot!(seen.end(), @"return 1");
    assert_eq!(seen.memory_names(2), ["a"]);
    assert!(seen.last(3).contains("the definitions of this turn were undone"));
}

#[tokio::test(start_paused = true)]
async fn the_deadline_of_the_mission_is_kept() {
    let slow = |_: super::Nothing| async {
        tokio::time::sleep(Duration::from_secs(50)).await;
        Ok::<_, ToolError>(1)
    };
    let agent = agent().tool(FnTool::new("slow", "Slow", slow)).mission_timeout(Duration::from_secs(30));
    let agent = agent.build().expect("an agent");
    let llm = ptc_chat::ScriptedLlm::replies(["(tool/slow {})", "(return 1)"]);
    let step = agent.run(&llm, bookings()).await.expect("a run");
    assert_snapshot!(step.fail().expect("a failure"), @"mission_timeout: the mission deadline has passed");
    assert_eq!((step.turns().len(), step.usage.duration_ms), (1, 30_000));
    assert_snapshot!(step.turns()[0].error_message().expect("an error"), @"tool 'slow' failed: the mission deadline has passed at line 1, column 1");
}

#[test]
fn the_turn_budget_is_kept() {
    let seen = check(agent().turn_budget(2), &["1", "2", "(return 3)"]);
    assert_snapshot!(seen.end(), @"limit turn_budget_exhausted: the turn budget is used up");
    assert_eq!(seen.step.usage.turns, 2);
}

#[test]
fn failed_calls_of_the_model_are_repeated() {
    let busy = || Err(LlmError::from_status(429, "busy"));
    let retry = LlmRetry { max_attempts: 3, base_delay: Duration::from_millis(100), ..LlmRetry::default() };
    let patient = || agent().llm_retry(retry.clone());
    let seen = check_raw(patient(), vec![busy(), busy(), Ok("(return 1)".into())], bookings(), RunOptions::default());
    assert_snapshot!(seen.end(), @"return 1");
    assert_eq!(
        seen.requests.iter().map(|request| (request.turn, request.attempt)).collect::<Vec<_>>(),
        [(1, 1), (1, 2), (1, 3)]
    );
    assert_eq!((seen.step.usage.turns, seen.step.usage.llm_requests, seen.step.usage.duration_ms), (1, Some(3), 300));

    let asked = Err(LlmError::from_status(429, "busy").with_retry_after(Duration::from_secs(7)));
    let seen = check_raw(patient(), vec![asked, Ok("(return 1)".into())], bookings(), RunOptions::default());
    assert_eq!(seen.step.usage.duration_ms, 7_000);

    let seen = check_raw(patient(), vec![Err(LlmError::from_status(400, "what?"))], bookings(), RunOptions::default());
    assert_snapshot!(seen.end(), @"error llm_error: the LLM call failed: client_error (HTTP 400): what?");
}

#[test]
fn models_that_refuse_or_run_out_end_the_run() {
    let refusal = Reply { stop: StopReason::Refusal, ..Reply::text("No.") };
    let seen = check_raw(agent(), vec![Ok(refusal)], bookings(), RunOptions::default());
    assert_snapshot!(seen.end(), @"error llm_error: the LLM call failed: refused: the model refused to answer: No.");
    let seen = check(agent(), &["(def a 1)"]);
    assert_snapshot!(seen.end(), @"error llm_error: the LLM call failed: out_of_answers: the script has no answer left for turn 2, 1 were used");
    assert_eq!(seen.step.memory.entries().len(), 1);
}

#[tokio::test]
async fn a_panicking_model_is_an_error_of_the_model() {
    let llm = ptc_chat::llm_fn("broken", |_: &ptc_chat::Request| panic!("lost the key"));
    let step = agent().build().expect("an agent").run(&llm, ()).await.expect("a run");
    assert_snapshot!(step.fail().expect("a failure"), @"llm_error: the LLM call failed: unknown: the client panicked: lost the key");
}

#[test]
fn tokens_are_counted_and_limited() {
    let reply = |text: &str| {
        Ok(Reply { tokens: Some(Tokens { input: 90, output: 20, ..Tokens::default() }), ..Reply::text(text) })
    };
    let limited = |on_budget_exceeded| RunOptions::new().token_limit(200).on_budget_exceeded(on_budget_exceeded);
    let answers = || vec![reply("(+ 40 2)"), reply("(return 1)")];
    let seen = check_raw(agent(), answers(), bookings(), limited(OnBudgetExceeded::Fail));
    assert_snapshot!(seen.end(), @"limit budget_callback_exceeded: token limit reached: 220 tokens used, token_limit is 200");
    assert_eq!((seen.step.usage.turns, seen.step.usage.total_tokens), (1, Some(220)));
    let seen = check_raw(agent(), answers(), bookings(), limited(OnBudgetExceeded::ReturnPartial));
    assert_snapshot!(seen.end(), @"fallback 42");
}

#[test]
fn a_cancelled_run_says_so() {
    let cancel = CancellationToken::new();
    let stop = cancel.clone();
    let tool = FnTool::new("stop", "Stops", move |_: super::Nothing| {
        let stop = stop.clone();
        async move {
            stop.cancel();
            Ok::<_, ToolError>(json!(1))
        }
    });
    let options = RunOptions::new().cancel(cancel);
    let seen =
        check_raw(agent().tool(tool), vec![Ok("(def a 1)".into()), Ok("(tool/stop {})".into())], bookings(), options);
    assert_snapshot!(seen.end(), @"error cancelled: the run was cancelled");
    assert_snapshot!(seen.outcomes(), @"ok cancelled");
    assert_eq!(seen.turn(2).tool_calls()[0].error, None, "the call was done");
}

#[test]
fn other_errors_are_not_repeated() {
    let retry = LlmRetry { max_attempts: 2, retryable_errors: vec![LlmErrorKind::Unreachable], ..LlmRetry::default() };
    let unreachable = || Err(LlmError::new(LlmErrorKind::Unreachable, "no route"));
    let seen = check_raw(
        agent().llm_retry(retry),
        vec![unreachable(), unreachable(), Ok("(return 1)".into())],
        bookings(),
        RunOptions::default(),
    );
    assert_snapshot!(seen.end(), @"error llm_error: the LLM call failed: unreachable: no route (2 attempts in 1.0 s)");
    assert_eq!(seen.requests.len(), 2);
}
