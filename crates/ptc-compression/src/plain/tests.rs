//! The dialogue without compression.

use insta::assert_snapshot;
use proptest::prelude::*;
use ptc_transcript::TurnFields;
use serde_json::json;

use super::*;
use crate::sample_runs::{Agent, call, failure, fields, memory, repeated, worked_example};
use crate::testkit::SampleRun;
use crate::{Compression, SingleUserCoalesced};

fn history(options: PlainOptions, turns: &[Turn]) -> Vec<String> {
    let mut history = PlainHistory::start(&Agent::bookings().input(4), options);
    for turn in turns {
        history.push(turn, "");
    }
    history.messages().iter().map(|message| message.content().into_owned()).collect()
}

/// The feedback on a single turn of an agent of four turns.
fn feedback(turn: Turn) -> String {
    history(PlainOptions::new(4, 0), &[turn]).pop().unwrap()
}

#[test]
fn the_dialogue_of_the_worked_example() {
    let messages = history(PlainOptions::new(4, 0), &worked_example());
    assert_snapshot!(messages[1..].join("\n~~~\n"), @r#"
    ```clojure
    (def rate 89.5)
    (tool/quote-room {:room 12 :nights 3})
    ```
    ~~~
    Stored names: rate

    Turn 2 of 4 (3 remaining)
    ~~~
    ```clojure
    (filter #(fits % rate) bookings)
    ```
    ~~~
    Error: undefined symbol 'fits' at line 1, column 10

    Turn 3 of 4 (2 remaining). The turn after this one is the last: prepare the return.
    ~~~
    ```clojure
    (println "3 fit")
    ```
    ~~~
    3 fit

    Stored names: rate

    FINAL TURN - you must call (return result) or (fail reason) now.
    "#);
}

#[test]
fn kept_definitions_stand_in_the_first_message() {
    let agent = Agent::bookings();
    let kept = memory(&[("rate", json!(89.5))]);
    let input = RenderInput { kept: &kept, progress: "## Progress", ..agent.input(4) };
    let history = PlainHistory::start(&input, PlainOptions::new(4, 0));
    let opening = input.opening(SampleLimits::default(), true).unwrap().text;
    let rest = history.messages()[0].content().strip_prefix(&opening).unwrap().to_owned();
    assert_snapshot!(rest.trim_start(), @r"
    ;; === user/ (your prelude) ===
    rate                          ; = float, sample: 89.5

    ## Progress
    ");
}

/// Proves: ARC-012, CHG-031.
#[test]
fn the_first_message_is_stable_and_equals_the_compressed_opening() {
    let agent = Agent::bookings();
    let input = agent.input(4);
    let plain = PlainHistory::start(&input, PlainOptions::new(4, 0));
    let compressed = SingleUserCoalesced::default().to_messages(&[], &ptc_lisp::Memory::default(), &input);
    let first = &plain.messages()[0];
    assert_eq!(first.stable_bytes(), first.content().len());
    assert_eq!(first.parts[0], compressed.messages[0].parts[0]);
}

proptest! {
    /// Each request is marked as repeated by the next one, and is: part by part, so that providers find it in their
    /// caches.
    #[test]
    fn requests_are_repeated(seed: u64, progress in "[a-z]{0,3}") {
        let run = SampleRun::random(seed);
        let mut history = PlainHistory::start(&run.input(0), PlainOptions::new(6, 2));
        for turn in run.turns() {
            let before = history.messages().to_vec();
            history.push(turn, &progress);
            prop_assert_eq!(repeated(&before).len(), before.iter().map(|message| message.parts.len()).sum::<usize>());
            prop_assert!(repeated(history.messages()).starts_with(&repeated(&before)));
            prop_assert_eq!(history.messages().last().unwrap().stable_bytes(), 0);
        }
    }
}

#[test]
fn what_was_sent_stays_as_it_was() {
    let mut history = PlainHistory::start(&Agent::bookings().input(4), PlainOptions::new(4, 2));
    let mut before = history.messages().to_vec();
    for turn in worked_example() {
        history.push(&turn, "- [x] **1.** look");
        assert_eq!(history.messages()[..before.len()], before[..]);
        assert!(history.messages().last().unwrap().content().ends_with("\n\n- [x] **1.** look"));
        before = history.messages().to_vec();
    }
}

#[test]
fn long_output_is_cut() {
    let prints = vec!["é".repeat(6_000), "x".repeat(6_000), "the end".to_owned()];
    let text = feedback(Turn::success(TurnFields { prints, missing: vec![0, 500], ..fields(1, "(x)") }));
    let shown = text.split("\n\n").next().unwrap();
    let cut = |c: &str, missing| format!("{}... ({missing} more characters not shown: print less)", c.repeat(3_996));
    assert_eq!(shown, format!("{}\n{}\nthe end", cut("é", "2,004"), cut("x", "2,504")));
}

#[test]
fn a_caught_error_of_a_call_that_may_have_taken_effect_is_named() {
    let mut pay = call("pay", json!({"to": "diaz", "cents": 7000}));
    (pay.error, pay.may_have_run) = (Some("503 busy".into()), true);
    let turn = TurnFields { tool_calls: vec![pay], prints: vec!["went on".into()], ..fields(1, "(x)") };
    assert_snapshot!(feedback(Turn::success(turn)), @r#"
    went on

    ;; Note: these calls failed and may have taken effect:
    ;   pay({:to "diaz" :cents 7000}) (perhaps done: 503 busy)

    Turn 2 of 4 (3 remaining)
    "#);
}

#[test]
fn a_failed_turn_tells_what_took_effect() {
    let ran = call("look", json!({"n": 3}));
    let mut broken = call("look", json!({"n": 4}));
    broken.error = Some("no rooms on Mars".into());
    let turn = TurnFields {
        tool_calls: vec![ran, broken],
        prints: vec!["lost".into()],
        memory: memory(&[("a", json!(1))]),
        ..fields(1, "(x)")
    };
    assert_snapshot!(feedback(failure(turn, "tool_error", "tool look failed: no rooms on Mars")), @"
    Output before the error:
    lost

    Error: tool look failed: no rooms on Mars

    ;; Note: before the error these calls ran: look({:n 3})
    ;; Note: these calls of failed programs took effect:
    ;   look({:n 3})

    Turn 2 of 4 (3 remaining)
    ");
}

#[test]
fn no_message_is_empty() {
    let turn = Turn::success(TurnFields::new(1, "", ptc_lisp::Value::Nil));
    let messages = history(PlainOptions::new(1, 0), &[turn]);
    assert_eq!(messages[1..], ["(empty answer)", "Nothing was printed."]);
}

#[test]
fn answers_lose_what_stands_around_the_program() {
    let check = |answer: &str, kept: &str| assert_eq!(answer_from_program(answer), kept);
    check("Well.\n```clojure\n(a)\n```\nDone.", "```clojure\n(a)\n```");
    check("Well.\n```lisp (a)```\nand\n```\n(b)\n```", "```lisp (a)```\nand\n```\n(b)\n```");
    check("See ```python\n1\n``` or ```clojure\n(a)\n```", "```clojure\n(a)\n```");
    check("Well.\n```clojure\n(a) cut", "```clojure\n(a) cut");
    check("Well.\n```clojurescript\n(a)\n```", "Well.\n```clojurescript\n(a)\n```");
    check("(a)", "(a)");
}
