//! What programs may do, and the outcome of a turn with them (scenarios 3, 13–16, 22, 25–28, 31, 32).

use insta::assert_snapshot;
use ptc_chat::{LlmError, ModelOptions, ReasoningEffort, Reply, StopReason, Tokens, ToolUse};
use serde_json::json;

use super::{agent, bookings, check, check_raw};
use crate::RunOptions;

/// Proves: NS-001.
#[test]
fn a_tool_call_then_a_return() {
    let seen = check(agent(), &["(def q (tool/quote-room {:room 12 :nights 3}))", "(return {:total (:total q)})"]);
    assert_snapshot!(seen.end(), @r#"return {"total":268.5}"#);
    let json = seen.json();
    assert_eq!(json["turns"][0]["tool_calls"][0]["args"], json!({"room": 12, "nights": 3}));
    assert_eq!((seen.step.turns().len(), seen.step.usage.turns), (2, 2));
    assert_eq!(*seen.requests[0].tool_names, ["quote-room", "fail-now"]);
}

/// Proves: NS-003, TC-006, CHG-009.
#[test]
fn a_failed_turn_defines_nothing() {
    let seen = check(agent(), &["(def a 1)", "(def b 2) (foo)", "(def b 2) (tool/fail-now {})", "(return [a])"]);
    assert_snapshot!(seen.end(), @"return [1]");
    assert_snapshot!(seen.outcomes(), @"ok undefined_symbol tool_error ok");
    let place = |turn| seen.turn(turn).failed_at().map(|place| (place.line, place.column));
    assert_eq!([1, 2, 3, 4].map(place), [None, Some((1, 12)), Some((1, 11)), None]);
    assert_eq!(seen.memory_names(2), ["a"]);
    assert_eq!(seen.memory_names(3), ["a"]);
    assert_eq!(seen.turn(3).tool_calls()[0].error.as_deref(), Some("the desk is closed"));
}

#[test]
fn an_answer_without_a_program_costs_a_turn() {
    let answers = vec![Ok("I think so.".into()), Ok("(return 1)".into())];
    let seen = check_raw(agent(), answers, bookings(), RunOptions::default());
    assert_snapshot!(seen.end(), @"return 1");
    assert_snapshot!(seen.outcomes(), @"parse_error ok");
    assert_eq!(seen.turn(1).program(), None);
    assert_snapshot!(seen.last(2), @r"
    Error: no program was found in your answer. Write exactly one fenced block tagged `clojure`, or an answer that starts with `(`

    Turn 2 of 5 (4 remaining)
    ");
}

#[test]
fn two_programs_cost_a_turn() {
    let two = "```clojure\n(a)\n```\nor\n```clojure\n(b)\n```";
    let seen = check_raw(agent(), vec![Ok(two.into()), Ok("(return 1)".into())], bookings(), RunOptions::default());
    assert_snapshot!(seen.outcomes(), @"parse_error ok");
    assert!(seen.last(2).contains("2 programs were found"));
}

#[test]
fn every_way_to_write_a_program_runs() {
    let answers = [
        "```clj\n(return 1)\n```",
        "```\n(return 1)\n```",
        "<clojure>\n(return 1)\n</clojure>",
        "(return 1)",
        "```clojure\r\n(return\r\n1)\r\n```\r\n",
        "```clojure\n(return (count “a”))\n```",
        "\u{FEFF}(return 1)",
        "(return (do #_ x 1))",
        "(return (do #_#_a b 1))",
    ];
    for answer in answers {
        let seen = check_raw(agent(), vec![Ok(answer.into())], bookings(), RunOptions::default());
        assert_eq!(seen.end(), "return 1", "{answer:?}");
    }
}

#[test]
fn a_signal_in_a_branch_not_taken_does_nothing() {
    assert_snapshot!(check(agent(), &[r#"(if true (return "yes") (fail "no"))"#]).end(), @r#"return "yes""#);
}

#[test]
fn the_last_values_can_be_read() {
    assert_snapshot!(check(agent(), &["10", "20", "(return [*1 *2 *3])"]).end(), @"return [20,10,null]");
}

/// Proves: PRE-002, NS-004, NS-005.
#[test]
fn bare_names_reach_tools_and_data() {
    assert_snapshot!(check(agent(), &["(return (count bookings))"]).end(), @"return 4");
    assert_snapshot!(check(agent(), &["(return (quote-room {:room 1 :nights 2}))"]).end(), @r#"return {"total":179.0}"#);
}

#[test]
fn a_name_that_is_tool_and_data_is_refused_before_anything_runs() {
    let tool = crate::FnTool::new("limit", "Another limit", |_: super::Nothing| Ok::<_, crate::ToolError>(1));
    let seen = check(agent().tool(tool), &["(println limit)", "(return data/limit)"]);
    assert_snapshot!(seen.end(), @"return 250");
    assert_snapshot!(seen.outcomes(), @"ambiguous_reference ok");
}

/// Proves: NS-006, NS-009.
#[test]
fn definitions_shadow_data() {
    assert_snapshot!(check(agent(), &["(def bookings []) (return [(count bookings) (count data/bookings)])"]).end(), @"return [0,4]");
}

#[test]
fn a_tool_error_can_be_read_and_recovered_from() {
    let seen = check(agent(), &["(tool/fail-now {})", "(return [(:reason data/fail) (:message data/fail)])"]);
    assert_snapshot!(seen.end(), @r#"return ["tool_error","tool 'fail-now' failed: the desk is closed at line 1, column 1"]"#);
    assert_snapshot!(seen.outcomes(), @"tool_error ok");
    let seen = check(agent(), &["(tool/fail-now {})", "1", "(return data/fail)"]);
    assert_snapshot!(seen.end(), @"return null");
}

#[test]
fn an_unknown_tool_is_refused_before_anything_runs() {
    let seen = check(agent(), &["(tool/quote-room {:room 1 :nights 1}) (tool/nope {})", "(return 1)"]);
    assert_snapshot!(seen.outcomes(), @"tool_not_found ok");
    assert!(seen.turn(1).tool_calls().is_empty());
    assert!(seen.last(2).contains("fail-now") && seen.last(2).contains("quote-room"), "{}", seen.last(2));
}

#[test]
fn calls_before_an_error_are_named() {
    let seen = check(agent(), &["(tool/quote-room {:room 1 :nights 1}) (tool/fail-now {})", "(return 1)"]);
    assert_snapshot!(seen.last(2), @"
    Error: tool 'fail-now' failed: the desk is closed at line 1, column 39

    ;; Note: before the error these calls ran: quote-room({:room 1 :nights 1})
    ;; Note: these calls of failed programs took effect:
    ;   quote-room({:room 1 :nights 1})

    Turn 2 of 5 (4 remaining)
    ");
}

#[test]
fn an_answer_cut_at_its_limit_is_told_so() {
    let cut = |text: &str| Reply {
        stop: StopReason::Length,
        tokens: Some(Tokens { output: 77, ..Tokens::default() }),
        ..Reply::text(text)
    };
    for text in ["```clojure\n(def a (+ 1", "Let me think about"] {
        let seen = check_raw(agent(), vec![Ok(cut(text)), Ok("(return 1)".into())], bookings(), RunOptions::default());
        assert_eq!(seen.outcomes(), "parse_error ok");
        assert!(seen.last(2).starts_with("Error: the answer was cut at 77 tokens"), "{}", seen.last(2));
    }
    let seen = check_raw(agent(), vec![Ok(cut("(return 2)"))], bookings(), RunOptions::default());
    assert_snapshot!(seen.end(), @"return 2");
}

/// The reply of a model whose thoughts used up its tokens.
fn cut_in_thoughts() -> Reply {
    let tokens = Some(Tokens { output: 4096, ..Tokens::default() });
    Reply { stop: StopReason::Length, reasoning: Some("So first".into()), tokens, ..Reply::default() }
}

#[test]
fn an_answer_cut_in_its_thoughts_gets_more_tokens_once() {
    let answers = vec![Ok(cut_in_thoughts()), Ok(cut_in_thoughts()), Ok("(return 1)".into())];
    let seen = check_raw(agent(), answers, bookings(), RunOptions::default());
    assert_snapshot!(seen.outcomes(), @"parse_error parse_error ok");
    assert_snapshot!(seen.last(2), @r"
    Error: your answer was cut at 4096 tokens while you were thinking, before its program. The limit is now 8192 tokens. Think less, and write the program of the next step

    Turn 2 of 5 (4 remaining)
    ");
    assert!(seen.last(3).starts_with(
        "Error: your answer was cut at 4096 tokens while you were thinking, before its program. Think less"
    ));
    let limits: Vec<u32> = seen.requests.iter().map(|request| request.options.max_output_tokens).collect();
    assert_eq!(limits, [4096, 8192, 8192]);
}

#[test]
fn a_model_that_thinks_too_much_is_made_to_think_less() {
    let high = ModelOptions { reasoning_effort: Some(ReasoningEffort::High), ..ModelOptions::default() };
    let answers = vec![Ok(cut_in_thoughts()), Ok("(return 1)".into())];
    let seen = check_raw(agent().model_options(high), answers, bookings(), RunOptions::default());
    assert!(
        seen.last(2).contains("before its program. The reasoning effort is now low. Think less"),
        "{}",
        seen.last(2)
    );
    let asked = |at: usize| seen.requests[at].options.clone();
    assert_eq!([0, 1].map(|at| asked(at).reasoning_effort), [Some(ReasoningEffort::High), Some(ReasoningEffort::Low)]);
    assert_eq!([0, 1].map(|at| asked(at).max_output_tokens), [4096, 4096]);
}

#[test]
fn a_provider_that_allows_no_longer_answer_is_asked_as_before() {
    let refused = LlmError::from_status(400, "max_tokens: too large");
    let answers = vec![Ok(cut_in_thoughts()), Err(refused.clone()), Ok(cut_in_thoughts()), Ok("(return 1)".into())];
    let seen = check_raw(agent(), answers, bookings(), RunOptions::default());
    assert_snapshot!(seen.outcomes(), @"parse_error parse_error ok");
    let limits: Vec<u32> = seen.requests.iter().map(|request| request.options.max_output_tokens).collect();
    assert_eq!(limits, [4096, 8192, 4096, 4096]);
    // The error is final for a request that the agent asked for.
    let seen = check_raw(agent(), vec![Err(refused)], bookings(), RunOptions::default());
    assert_snapshot!(seen.end(), @"error llm_error: the LLM call failed: client_error (HTTP 400): max_tokens: too large");
}

#[test]
fn an_answer_cut_in_its_thoughts_in_the_last_turn_names_the_options() {
    let seen = check_raw(agent().max_turns(1), vec![Ok(cut_in_thoughts())], bookings(), RunOptions::default());
    assert_snapshot!(seen.end(), @r#"limit max_turns_exceeded: limit of 1 turns reached: turn 1 failed with parse_error "the answer was cut at 4096 tokens while the model was thinking; raise `max_output_tokens`, or lower `reasoning_effort`""#);
}

#[test]
fn a_native_call_is_shown_and_answered_with_what_to_write() {
    let call = ToolUse::new("c1", "quote-room", json!({"room": 12, "nights": 3}));
    let called = Reply { tool_calls: vec![call], ..Reply::default() };
    let seen = check_raw(agent(), vec![Ok(called), Ok("(return 1)".into())], bookings(), RunOptions::default());
    assert_snapshot!(seen.outcomes(), @"parse_error ok");
    let messages = &seen.requests[1].messages;
    assert_snapshot!(messages[messages.len() - 2].content(), @r#"
    <tool_call>
    {"name":"quote-room","arguments":{"room":12,"nights":3}}
    </tool_call>
    "#);
    assert_snapshot!(seen.last(2), @r"
    Error: your answer calls `quote-room` in the format of native tools, but an answer here is a program. Write exactly one fenced block tagged `clojure`, in which such a call is (tool/quote-room {:room 12 :nights 3})

    Turn 2 of 5 (4 remaining)
    ");
    assert!(seen.turn(1).raw_response().contains("quote-room"));
}

#[test]
fn a_program_in_the_thoughts_is_the_answer_when_there_is_no_other() {
    let thought = Reply { reasoning: Some("I answer with\n```clojure\n(def a 2)\n```".into()), ..Reply::default() };
    let seen = check_raw(agent(), vec![Ok(thought), Ok("(return a)".into())], bookings(), RunOptions::default());
    assert_snapshot!(seen.end(), @"return 2");
    let messages = &seen.requests[1].messages;
    assert_snapshot!(messages[messages.len() - 2].content(), @"
    ```clojure
    (def a 2)
    ```
    ");
}

#[test]
fn the_budget_can_be_read() {
    let seen = check(agent().retry_turns(1), &["1", "(return (dissoc (budget/remaining) :tokens))"]);
    assert_snapshot!(seen.end(), @r#"return {"turns":5,"work-turns":4,"retry-turns":1,"depth":{"current":0,"max":3},"llm-requests":2}"#);
}
