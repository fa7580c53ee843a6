//! Scenarios of `tool/history`: programs that read earlier turns.

use ptc_chat::OutputMode;
use ptc_transcript::ValueForm;

use super::*;

fn agent_with_past() -> AgentBuilder {
    agent().builtin_tools(["history"])
}

#[test]
fn a_program_reads_what_earlier_turns_did() {
    let first = "(println \"two\") (tool/quote-room {:room 1 :nights 2})";
    let seen = check(agent_with_past(), &[first, "(tool/fail-now {})", "(return (tool/history))"]);
    let json = ptc_transcript::json_of(seen.step.return_value().expect("an answer"), ValueForm::Plain);
    let expected = json!([
        {
            "turn": 1,
            "program": first,
            "result": {"total": 179.0},
            "prints": ["two"],
            "tool-calls": [{"name": "quote-room", "args": {"room": 1, "nights": 2}, "result": {"total": 179.0}, "error": null}],
            "error": null,
        },
        {
            "turn": 2,
            "program": "(tool/fail-now {})",
            "result": null,
            "prints": [],
            "tool-calls": [{"name": "fail-now", "args": {}, "result": null, "error": "the desk is closed"}],
            "error": {"reason": "tool_error", "message": "tool 'fail-now' failed: the desk is closed at line 1, column 1"},
        },
    ]);
    assert_eq!(json, expected);
}

#[test]
fn one_turn_is_asked_for_by_its_number() {
    for program in ["(return (:result (tool/history {:turn 2})))", "(return (:result (tool/history 2)))"] {
        assert_eq!(check(agent_with_past(), &["(+ 1 2)", "(* 6 7)", program]).end(), "return 42");
    }
    let seen = check(
        agent_with_past(),
        &["(tool/history {:turn 1})", "(tool/history {:turn 9})", "(return (:error (tool/history {:turn 2})))"],
    );
    assert!(seen.last(2).contains("there is no turn 1: this is the first one"), "{}", seen.last(2));
    assert!(seen.last(3).contains("there is no turn 9 before this one: there is only turn 1"), "{}", seen.last(3));
    assert!(seen.end().contains("tool_error"), "{}", seen.end());
}

/// With history compressed the request has no programs; their data is still there.
#[test]
fn nothing_is_lost_by_compression() {
    let agent = agent_with_past().compression(true).max_turns(30);
    let mut programs: Vec<String> =
        (0..25).map(|n| format!("(println \"entry {n}\") (tool/quote-room {{:room {} :nights {n}}})", n + 1)).collect();
    programs.push(
        "(return (let [turns (tool/history)] [(count turns) (:prints (first turns)) (:args (first (:tool-calls (nth turns 3))))]))"
            .to_owned(),
    );
    let programs: Vec<&str> = programs.iter().map(String::as_str).collect();
    let seen = check(agent, &programs);
    assert!(!seen.last(26).contains("entry 9\n") && seen.last(26).contains("entry 24"), "{}", seen.last(26));
    assert_eq!(seen.end(), r#"return [25,["entry 0"],{"room":4,"nights":3}]"#);
}

/// Calls of the history are not part of it: reading it in each turn does not make it grow.
#[test]
fn reading_the_past_does_not_double_it() {
    let mut programs = vec!["(def seen (tool/history))"; 24];
    programs.push("(return (map :tool-calls (tool/history)))");
    let seen = check(agent_with_past().max_turns(30), &programs);
    assert_eq!(seen.end(), format!("return [{}]", ["[]"; 24].join(",")));
    assert_eq!(seen.turn(25).tool_calls().len(), 1);
    assert!(seen.step.memory.entries()[0].value.as_vector().is_some_and(|turns| turns.len() == 23));
}

#[test]
fn hidden_values_of_the_past_stay_hidden() {
    let programs = [
        "(def _token \"canary-9231\")",
        "(println (str \"token is \" _token))",
        "(println (str (tool/history {:turn 1})))",
        "(return 1)",
    ];
    for compressed in [false, true] {
        let seen = check(agent_with_past().compression(compressed), &programs);
        let own = |text: &str| text.matches("canary-9231").count();
        let sent: usize = seen
            .requests
            .iter()
            .flat_map(|request| &request.messages)
            .filter(|m| m.role == ptc_chat::Role::User)
            .map(|m| own(&m.content()))
            .sum();
        assert_eq!(sent, 0);
    }
}

#[test]
fn a_conversation_has_no_such_tool() {
    let error = Agent::builder("Talk").output(OutputMode::Text).builtin_tools(["history"]).build().unwrap_err();
    assert_eq!(error.to_string(), "builtin tool family 'history' needs programs: leave it out, or use output ptc_lisp");
}
