//! The worked example of a booking agent, byte for byte, and the options.

use insta::{assert_debug_snapshot, assert_snapshot};
use ptc_lisp::Memory;
use ptc_transcript::{Turn, TurnFields};
use serde_json::json;

use super::*;
use crate::input::RenderInput;
use crate::sample_runs::{Agent, call, failure, fields, memory, worked_example};
use crate::{Compression, Rendered};

fn render(strategy: &SingleUserCoalesced, turns: &[Turn], turns_left: usize) -> Rendered {
    let memory = turns.last().map(|turn| turn.memory().clone()).unwrap_or_default();
    strategy.to_messages(turns, &memory, &Agent::bookings().input(turns_left))
}

/// The text after the stable prefix.
fn history(strategy: &SingleUserCoalesced, turns: &[Turn]) -> String {
    let rendered = render(strategy, turns, 2);
    let message = &rendered.messages[0];
    message.content()[message.stable_bytes()..].trim_start().to_owned()
}

/// Proves: FMT-016, SAM-003, TC-004, MSG-004, ERR-004, CHG-008, CHG-010, CHG-018.
#[test]
fn request_of_turn_three() {
    let rendered = render(&SingleUserCoalesced::default(), &worked_example()[..2], 2);
    assert_eq!(rendered.messages.len(), 1);
    assert_snapshot!(rendered.messages[0].content(), @r#"
    Which bookings fit into 250 euros?

    ;; === tool/ ===
    tool/list-rooms() -> [{no int, beds int}]
    tool/quote-room(room int, nights int) -> {total float}  ; Price of a stay
    ;; call with named arguments, e.g. (tool/quote-room {:room … :nights …})

    ;; === data/ ===
    data/bookings                 ; [{guest string, nights int}], sample: [{:guest "Ines" :nights 3} {:guest "Oto" :nights 1} {:guest "Rui" :nights 9} {:guest "Ana" :nights 2}]
    data/currency                 ; string, sample: "EUR"
    data/limit                    ; int, sample: 250

    # Expected Output

    The answer must have the type `{kept :int}`.

    Finish with `(return {:kept 42})`.

    ;; === user/ (your prelude) ===
    rate                          ; = float, sample: 89.5

    ;; Tool calls made:
    ;   quote-room({:room 12 :nights 3})

    ---
    Your previous attempt:
    ```clojure
    (filter #(fits % rate) bookings)
    ```

    Error: undefined symbol 'fits' at line 1, column 10
    ---

    Turns left: 2
    "#);
}

/// Proves: FMT-016, CHG-007.
#[test]
fn request_of_turn_four() {
    let rendered = render(&SingleUserCoalesced::default(), &worked_example(), 1);
    let message = &rendered.messages[0];
    assert_snapshot!(&message.content()[message.stable_bytes()..], @"


    ;; === user/ (your prelude) ===
    rate                          ; = float

    ;; Tool calls made:
    ;   quote-room({:room 12 :nights 3})

    ;; Output:
    3 fit

    FINAL TURN - you must call (return result) or (fail reason) now.
    ");
    assert_debug_snapshot!(rendered.stats, @r#"
    CompressionStats {
        enabled: true,
        strategy: "single-user-coalesced",
        turns_compressed: 3,
        tool_calls_total: 1,
        tool_calls_shown: 1,
        tool_calls_dropped: 0,
        printlns_total: 1,
        printlns_shown: 1,
        printlns_dropped: 0,
        error_turns_collapsed: 1,
        ceiling_step: None,
    }
    "#);
}

/// Proves: NS-010, FMT-013.
#[test]
fn first_request_has_no_user_section() {
    assert_snapshot!(history(&SingleUserCoalesced::default(), &[]), @r"
    ;; No tool calls made

    Turns left: 2
    ");
}

/// Proves: FMT-016.
#[test]
fn an_agent_with_nothing_has_no_gaps() {
    let data = ptc_lisp::Map::new();
    let input = RenderInput {
        turns_left: 3,
        notes: "Fixed note.",
        progress: "- [ ] **1.** look",
        ..RenderInput::new("", &data)
    };
    let rendered = SingleUserCoalesced::default().to_messages(&[], &Memory::default(), &input);
    assert_snapshot!(rendered.messages[0].content(), @r"
    Fixed note.

    ;; No tool calls made

    - [ ] **1.** look

    Turns left: 3
    ");
    let bare = RenderInput { notes: "", progress: "", ..input };
    let rendered = SingleUserCoalesced::default().to_messages(&[], &Memory::default(), &bare);
    assert_eq!(rendered.messages[0].content(), ";; No tool calls made\n\nTurns left: 3");
    assert_eq!(rendered.messages[0].stable_bytes(), 0);
}

#[test]
fn calls_before_an_error_and_warnings_are_notes() {
    let calls = (1..=7).map(|room| call("quote-room", json!({"room": room}))).collect();
    let warning = ptc_transcript::TurnWarning {
        code: "list-order".into(),
        message: "conj works\nat the end".into(),
        line: 2,
        column: 4,
    };
    let turn = failure(
        TurnFields { tool_calls: calls, warnings: vec![warning], ..fields(1, "(boom)") },
        "tool_error",
        "tool pay failed: no money",
    );
    assert_snapshot!(history(&SingleUserCoalesced::default(), &[turn]), @"
    ---
    Your previous attempt:
    ```clojure
    (boom)
    ```

    Error: tool pay failed: no money
    ---

    ;; Note: these calls of failed programs took effect:
    ;   quote-room({:room 1})
    ;   quote-room({:room 2})
    ;   quote-room({:room 3})
    ;   quote-room({:room 4})
    ;   quote-room({:room 5})
    ;   quote-room({:room 6})
    ;   quote-room({:room 7})
    ;; Note: conj works at the end (line 2, column 4)

    Turns left: 2
    ");
}

#[test]
fn an_answer_without_program_is_said_so() {
    let turn =
        failure(TurnFields::new(1, "I think so.", ptc_lisp::Value::Nil), "parse_error", "Error: no program was found");
    let text = history(&SingleUserCoalesced::default(), &[turn]);
    assert!(text.contains("```clojure\n(unknown program)\n```\n\nError: no program was found\n---"));
}

/// Proves: TC-004, TC-006, AMB-005.
#[test]
fn results_are_listed_on_request_until_something_is_printed() {
    let strategy = SingleUserCoalesced::new().tool_results(true);
    let mut failing = call("quote-room", json!({"room": 2}));
    failing.error = Some("no such room\nat all".into());
    let calls = vec![call("quote-room", json!({"room": 12})), failing];
    let quiet = Turn::success(TurnFields { tool_calls: calls, ..fields(1, "(x)") });
    assert_snapshot!(history(&strategy, std::slice::from_ref(&quiet)), @r"
    ;; Tool calls made:
    ;   quote-room({:room 12}) -> {:total 267.0}
    ;   quote-room({:room 2}) -> error: no such room

    Turns left: 2
    ");
    let loud = Turn::success(TurnFields { prints: vec!["hm".into()], ..fields(2, "(println :hm)") });
    // A refused request for approval is always reported: the call had no effect.
    assert_snapshot!(history(&strategy, &[quiet, loud]), @r"
    ;; Tool calls made:
    ;   quote-room({:room 12})
    ;   quote-room({:room 2}) -> error: no such room

    ;; Output:
    hm

    Turns left: 2
    ");
}

#[test]
fn limits_of_zero_keep_what_must_be_known() {
    let strategy = SingleUserCoalesced::new().println_limit(0).tool_call_limit(0);
    assert_snapshot!(history(&strategy, &worked_example()), @"
    ;; === user/ (your prelude) ===
    rate                          ; = float

    ;; Tool calls made:
    ;   (1 earlier call not shown)

    ;; Output:
    ;; (1 earlier print not shown)

    Turns left: 2
    ");
}

#[test]
fn sample_options_apply_to_data_and_definitions() {
    let strategy = SingleUserCoalesced::new().sample_limit(1).sample_printable_limit(2).tool_hint(false);
    let memory = memory(&[("kept", json!(["Ines", "Oto"]))]);
    let rendered = strategy.to_messages(&[], &memory, &Agent::bookings().input(2));
    let text = rendered.messages[0].content();
    assert!(text.contains("data/currency                 ; string, sample: \"EU...\"\n"));
    assert!(
        text.contains(
            "kept                          ; = list[2], sample: [\"In...\" ...] (2 items, showing first 1)\n"
        )
    );
    assert!(!text.contains(";; call with"));
}

/// Proves: MSG-001, CHG-006.
#[test]
fn a_long_history_is_merged_like_a_short_one() {
    let turn = |number: usize| {
        let prints = vec![format!("print {number}: {}", "x".repeat(300))];
        let calls = vec![call("quote-room", json!({"room": number}))];
        let memory = memory(&[("rate", json!(number))]);
        Turn::success(TurnFields { prints, tool_calls: calls, memory, ..fields(number, "(go)") })
    };
    let turns: Vec<Turn> = (1..=30).map(turn).collect();
    let text = history(&SingleUserCoalesced::default(), &turns);
    assert_snapshot!(text.replace(&"x".repeat(300), "xxx"), @"
    ;; === user/ (your prelude) ===
    rate                          ; = integer

    ;; Tool calls made:
    ;   (10 earlier calls not shown)
    ;   quote-room({:room 11})
    ;   quote-room({:room 12})
    ;   quote-room({:room 13})
    ;   quote-room({:room 14})
    ;   quote-room({:room 15})
    ;   quote-room({:room 16})
    ;   quote-room({:room 17})
    ;   quote-room({:room 18})
    ;   quote-room({:room 19})
    ;   quote-room({:room 20})
    ;   quote-room({:room 21})
    ;   quote-room({:room 22})
    ;   quote-room({:room 23})
    ;   quote-room({:room 24})
    ;   quote-room({:room 25})
    ;   quote-room({:room 26})
    ;   quote-room({:room 27})
    ;   quote-room({:room 28})
    ;   quote-room({:room 29})
    ;   quote-room({:room 30})

    ;; Output:
    ;; (15 earlier prints not shown)
    print 16: xxx
    print 17: xxx
    print 18: xxx
    print 19: xxx
    print 20: xxx
    print 21: xxx
    print 22: xxx
    print 23: xxx
    print 24: xxx
    print 25: xxx
    print 26: xxx
    print 27: xxx
    print 28: xxx
    print 29: xxx
    print 30: xxx

    Turns left: 2
    ");
}
