//! What the strategies beside the default one show, line by line.

use insta::assert_snapshot;
use ptc_lisp::Memory;
use ptc_transcript::{Turn, TurnFields};
use serde_json::json;

use crate::sample_runs::{Agent, call, failure, fields, memory, worked_example};
use crate::{Aggressive, Compression, Limits, PerTurnSummary, RenderInput, RollingWindow};

fn shown(strategy: &dyn Compression, turns: &[Turn]) -> String {
    let agent = Agent::bookings();
    let memory = turns.last().map(|turn| turn.memory().clone()).unwrap_or_default();
    let rendered = strategy.to_messages(turns, &memory, &agent.input(4 - turns.len().min(4)));
    let texts = rendered.messages.iter().map(|message| format!("[{:?}]\n{}", message.role, message.content()));
    texts.collect::<Vec<_>>().join("\n\n")
}

/// What stands behind the stable part.
fn history(strategy: &dyn Compression, turns: &[Turn]) -> String {
    let text = shown(strategy, turns);
    let end = text.find("# Expected Output").map_or(0, |at| at + text[at..].find("42})`.").unwrap_or(0) + 6);
    text[end..].trim_start().to_owned()
}

#[test]
fn a_window_shows_the_newest_turn_with_its_program() {
    assert_snapshot!(history(&RollingWindow { window: 1, ..RollingWindow::default() }, &worked_example()), @r#"
    ;; === user/ (your prelude) ===
    rate                          ; = float

    ;; Tool calls made:
    ;   quote-room({:room 12 :nights 3})

    [Assistant]
    ```clojure
    (println "3 fit")
    ```

    [User]
    ;; No tool calls made

    ;; Output:
    3 fit

    FINAL TURN - you must call (return result) or (fail reason) now.
    "#);
}

#[test]
fn a_summary_shows_what_each_turn_did() {
    assert_snapshot!(history(&PerTurnSummary { program_limit: 20, ..PerTurnSummary::default() }, &worked_example()), @r#"
    [Assistant]
    ```clojure
    (def rate 89.5)
    ```

    [User]
    ;; Turn 1
    ;; Defined: rate
    ;; Tool calls made:
    ;   quote-room({:room 12 :nights 3})

    [Assistant]
    ```clojure
    (println "3 fit")
    ```

    [User]
    ;; Turn 3
    ;; No tool calls made
    ;; Output:
    3 fit

    ;; === user/ (your prelude) ===
    rate                          ; = float

    FINAL TURN - you must call (return result) or (fail reason) now.
    "#);
}

#[test]
fn the_smallest_view_has_names_and_types() {
    assert_snapshot!(shown(&Aggressive::default(), &worked_example()[..2]), @r#"
    [User]
    Which bookings fit into 250 euros?

    ;; === tool/ ===
    tool/list-rooms() -> [{no int, beds int}]
    tool/quote-room(room int, nights int) -> {total float}

    ;; === data/ ===
    data/bookings                 ; [{guest string, nights int}]
    data/currency                 ; string
    data/limit                    ; int

    Return: {kept :int}

    ;; === user/ (your prelude) ===
    rate                          ; = float

    ;; Tool calls: quote-room x1

    ;; Last error: undefined symbol 'fits' at line 1, column 10

    Turns left: 2
    "#);
}

#[test]
fn calls_are_counted_by_name_and_long_texts_cut() {
    let calls = ["a", "b", "b", "c", "b", "b"].map(|name| call(name, json!({})));
    let turn = TurnFields { tool_calls: calls.into(), prints: vec!["x".repeat(300)], ..fields(1, "(go)") };
    let text = shown(&Aggressive::default(), &[Turn::success(turn)]);
    assert!(text.contains("\n\n;; Tool calls: b x4, c x1 (+1 earlier)\n\n"), "{text}");
    assert!(text.contains(&format!(";; Output:\n{}...\n", "x".repeat(200))), "{text}");
    let none = shown(&Aggressive { tool_call_limit: 0, ..Aggressive::default() }, &worked_example()[..1]);
    assert!(none.contains(";; Tool calls: (+1 earlier)"), "{none}");
}

#[test]
fn a_summary_lists_only_what_a_turn_defined_anew() {
    let redefined = |order: u64, value: i64| {
        let mut entries = memory(&[("a", json!(value)), ("b", json!(1))]).entries().to_vec();
        entries[0].order = order;
        Memory::new(entries)
    };
    let first = Turn::success(TurnFields { memory: redefined(1, 1), ..fields(1, "(def a 1) (def b 1)") });
    let second = Turn::success(TurnFields { memory: redefined(2, 2), ..fields(2, "(def a 2)") });
    let text = shown(&PerTurnSummary::default(), &[first, second]);
    assert!(text.contains(";; Turn 1\n;; Defined: a, b\n") && text.contains(";; Turn 2\n;; Defined: a\n"), "{text}");
}

#[test]
fn a_summary_does_not_list_what_was_there_before_the_first_turn() {
    let (agent, kept) = (Agent::bookings(), memory(&[("a", json!(1))]));
    let first = Turn::success(TurnFields { memory: memory(&[("a", json!(1)), ("b", json!(2))]), ..fields(1, "(def b 2)") });
    let input = RenderInput { kept: &kept, ..agent.input(3) };
    let rendered = PerTurnSummary::default().to_messages(std::slice::from_ref(&first), first.memory(), &input);
    let text = rendered.messages[2].content().into_owned();
    assert!(text.contains(";; Turn 1\n;; Defined: b\n"), "{text}");
}

#[test]
fn limits_drop_calls_from_the_blocks_of_older_turns() {
    let turn = |number: usize| Turn::success(TurnFields { tool_calls: vec![call("ping", json!({"n": number}))], ..fields(number, "(go)") });
    let limits = Limits { tool_call_limit: 1, ..Limits::default() };
    let text = shown(&PerTurnSummary { limits, ..PerTurnSummary::default() }, &[turn(1), turn(2)]);
    assert!(text.contains("[User]\n;; Turn 1\n\n[Assistant]"), "{text}");
    assert!(text.contains(";; Turn 2\n;; Tool calls made:\n;   ping({:n 2})"), "{text}");
}

#[test]
fn an_empty_mission_leaves_no_empty_message() {
    let data = ptc_lisp::Map::new();
    let turns = [Turn::success(fields(1, "(go)"))];
    for strategy in [&RollingWindow::default() as &dyn Compression, &PerTurnSummary::default()] {
        let rendered = strategy.to_messages(&turns, &Memory::default(), &RenderInput::new("", &data));
        assert_eq!(rendered.messages[0].content(), "(The mission is empty.)");
    }
}

#[test]
fn what_failed_turns_did_is_noted_until_the_end() {
    let book = |number: usize, calls: usize| {
        let booked = (0..calls).map(|room| call("book", json!({"day": number, "room": room})));
        let refused = ptc_lisp::ToolRecord { error: Some("no room".into()), ..call("book", json!({"room": 99})) };
        TurnFields { tool_calls: booked.chain([refused]).collect(), ..fields(number, "(book)") }
    };
    let turns = [failure(book(1, 1), "no", "no"), failure(book(2, 5), "no", "no"), Turn::success(fields(3, "(+ 1 1)"))];
    let notes = |strategy: &dyn Compression, seen: usize| {
        let text = shown(strategy, &turns[..seen]);
        text.lines().filter(|line| line.starts_with(";; Note:")).collect::<Vec<_>>().join("\n")
    };
    let second = (0..5).map(|room| format!("book({{:day 2 :room {room}}})")).collect::<Vec<_>>().join(", ");
    let all: [&dyn Compression; 4] =
        [&crate::SingleUserCoalesced::default(), &RollingWindow::default(), &PerTurnSummary::default(), &Aggressive::default()];
    for strategy in all {
        assert_eq!(notes(strategy, 1), ";; Note: before the error these calls ran: book({:day 1 :room 0})");
        let both = format!(
            ";; Note: in earlier turns that failed these calls ran: book({{:day 1 :room 0}})\n\
             ;; Note: before the error these calls ran: {second}"
        );
        assert_eq!(notes(strategy, 2), both);
        let later = format!(";; Note: in earlier turns that failed these calls ran: {second} (and 1 earlier)");
        assert_eq!(notes(strategy, 3), later);
        let again: Vec<Turn> = (0..9).map(|_| failure(book(1, 1), "no", "no")).chain(turns[2..].iter().cloned()).collect();
        let text = shown(strategy, &again);
        assert!(text.contains(";; Note: in earlier turns that failed these calls ran: book({:day 1 :room 0}) (9 times)\n"), "{text}");
    }
}
