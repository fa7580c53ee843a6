//! The grammar of each request of a constrained agent.

use super::*;

fn grammar(request: &Request) -> &str {
    request.grammar.as_deref().expect("a grammar")
}

#[test]
fn each_request_has_the_grammar_of_what_is_known_then() {
    let seen = check(
        agent().signature("() -> {fits :int}").max_turns(3).grammar(true),
        &["(def cheap 1)", "(defn twice [n] (* 2 n))", "(return {:fits (twice cheap)})"],
    );
    assert_eq!(seen.end(), r#"return {"fits":2}"#);
    let [first, second, last] = seen.requests.as_slice() else { panic!("three requests") };
    for request in [first, second, last] {
        assert!(grammar(request).contains("\"data/bookings\" | \"data/limit\""));
        assert!(grammar(request).contains(r#"::= ":fits " y"#));
    }
    let names = [r#""cheap""#, r#""twice""#, r#""(tool/quote-room {""#];
    let known = |request| names.map(|name| grammar(request).contains(name));
    assert_eq!(known(first), [false, false, true]);
    assert_eq!(known(second), [true, false, true]);
    // The last turn must end the run, and calls nothing.
    assert_eq!(known(last), [true, true, false]);
    let ends = |request| grammar(request).lines().any(|line| line.starts_with("last0") && !line.contains(" | e"));
    assert_eq!([first, last].map(ends), [false, true]);
}

#[test]
fn an_agent_that_is_not_constrained_sends_none() {
    let seen = check(agent(), &["(return 1)"]);
    assert!(seen.requests.iter().all(|request| request.grammar.is_none()));
}

#[test]
fn a_run_with_too_many_names_does_not_start() {
    let data: serde_json::Map<String, Json> =
        (0..5_000).map(|n| (format!("a-data-set-with-number-{n}"), json!(1))).collect();
    let agent = Agent::builder("Count.").grammar(true).build().expect("an agent");
    let llm = ScriptedLlm::replies(["(return 1)"]);
    let error = crate::blocking::run(&agent, &llm, Json::Object(data)).expect_err("too many names").to_string();
    assert!(error.starts_with("grammar: the grammar has ") && error.contains("at most 90000"), "{error}");
    assert!(llm.requests().is_empty());
}
