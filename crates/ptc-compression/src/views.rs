//! What the strategies besides the default one show, line by line.

use crate::words::{NO_TOOL_CALLS, TOOL_CALLS_HEADER};
use insta::assert_snapshot;
use ptc_lisp::{Effect, Memory, ToolRecord};
use ptc_transcript::{Turn, TurnFields};
use serde_json::json;

use crate::sample_runs::{Agent, call, failure, fields, memory, worked_example};
use crate::{Aggressive, Compression, Digest, PerTurnSummary, RenderInput, RollingWindow, Strategy, ViewLimits};

fn shown(strategy: &dyn Compression, turns: &[Turn]) -> String {
    let agent = Agent::bookings();
    let memory = turns.last().map(|turn| turn.memory().clone()).unwrap_or_default();
    let rendered = strategy.to_messages(turns, &memory, &agent.input(4 - turns.len().min(4)));
    let texts = rendered.messages.iter().map(|message| format!("[{:?}]\n{}", message.role, message.content()));
    texts.collect::<Vec<_>>().join("\n\n")
}

/// The text after the stable part.
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
    let cut = format!(";; Output:\n{}... (100 more characters not shown: print less)\n", "x".repeat(200));
    assert!(text.contains(&cut), "{text}");
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
    let first =
        Turn::success(TurnFields { memory: memory(&[("a", json!(1)), ("b", json!(2))]), ..fields(1, "(def b 2)") });
    let input = RenderInput { kept: &kept, ..agent.input(3) };
    let rendered = PerTurnSummary::default().to_messages(std::slice::from_ref(&first), first.memory(), &input);
    let text = rendered.messages[2].content().into_owned();
    assert!(text.contains(";; Turn 1\n;; Defined: b\n"), "{text}");
}

#[test]
fn limits_drop_calls_from_the_blocks_of_older_turns() {
    let turn = |number: usize| {
        Turn::success(TurnFields { tool_calls: vec![call("ping", json!({"n": number}))], ..fields(number, "(go)") })
    };
    let limits = ViewLimits { tool_call_limit: 1, ..ViewLimits::default() };
    let text = shown(&PerTurnSummary { limits, ..PerTurnSummary::default() }, &[turn(1), turn(2)]);
    assert!(
        text.contains("[User]\n;; Turn 1\n;; Tool calls made:\n;   (1 earlier call not shown)\n\n[Assistant]"),
        "{text}"
    );
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
fn turns_left_out_of_a_summary_are_counted() {
    let turns: Vec<Turn> = (1..=5).map(|number| Turn::success(fields(number, "(go)"))).collect();
    let text = shown(&PerTurnSummary::new().turn_limit(2), &turns);
    assert!(text.contains("42})`.\n\n;; (3 earlier turns not shown)\n\n[Assistant]"), "{text}");
}

/// No matter what a strategy leaves out, effects of failed programs stay in view.
#[test]
fn what_failed_turns_did_is_listed_until_the_end() {
    let pay = |cents: i64| {
        call(
            "pay",
            json!({"from": "NL90-bell-and-daughters", "to": "NL45-diaz-brothers", "cents": cents, "memo": "room 12"}),
        )
    };
    let looks = (0..6).map(|n| ToolRecord { effect: Effect::Read, ..call("look", json!({"n": n})) });
    let failing = |record: ToolRecord, error: &str| ToolRecord { error: Some(error.to_owned()), ..record };
    let refused = failing(pay(3), "no money");
    let lost = ToolRecord { may_have_run: true, ..failing(pay(4), "504 gateway timeout") };
    let first = TurnFields { tool_calls: [pay(1), pay(2)].into_iter().chain(looks).collect(), ..fields(1, "(pay)") };
    let second = TurnFields { tool_calls: vec![pay(2), refused, lost], ..fields(2, "(pay)") };
    let turns = [failure(first, "no", "no"), failure(second, "no", "no"), Turn::success(fields(3, "(+ 1 1)"))];
    let line = |cents: i64| {
        format!(
            ";   pay({{:from \"NL90-bell-and-daughters\" :to \"NL45-diaz-brothers\" :cents {cents} :memo \"room 12\"}})"
        )
    };
    let note = ";; Note: these calls of failed programs took effect:";
    let wanted =
        format!("{note}\n{}\n{} (2 times)\n{} (perhaps done: 504 gateway timeout)\n", line(1), line(2), line(4));
    for strategy in Strategy::all().into_iter().chain([Strategy::Digest(Digest::new().begin_at(0))]) {
        let text = shown(&*strategy.to_compression(), &turns);
        let noted = match &strategy {
            // The calls of each turn are at the place of the turn.
            Strategy::Digest(_) => [line(1), line(2), line(4) + " (perhaps done: 504 gateway timeout)"]
                .iter()
                .all(|line| text.contains(line)),
            _ => text.contains(&wanted),
        };
        assert!(noted, "{}: {text}", strategy.name());
        assert!(!text.contains(NO_TOOL_CALLS) && !text.contains(TOOL_CALLS_HEADER), "{}: {text}", strategy.name());
    }
}

/// What a failed program printed is shown with its error, by every strategy, and gone after recovery.
#[test]
fn output_before_an_error_is_shown_until_a_turn_succeeds() {
    let prints = (1..=17).map(|n| format!("row {n}.")).collect();
    let failed = failure(TurnFields { prints, ..fields(1, "(count 5)") }, "type_error", "count: no");
    let turns = [failed, Turn::success(fields(2, "(+ 1 1)"))];
    for strategy in Strategy::all().into_iter().chain([Strategy::Digest(Digest::new().begin_at(0))]) {
        let [during, after] = [1, 2].map(|seen| shown(&*strategy.to_compression(), &turns[..seen]));
        let earlier = |count: usize| format!(";; ({count} earlier prints not shown)\nrow {}.\n", count + 1);
        let shown_of_it = match strategy {
            Strategy::Aggressive(_) => earlier(14),
            // The limit is one of characters.
            Strategy::Digest(_) | Strategy::AppendOnly(_) => "row 1.\n".to_owned(),
            _ => earlier(2),
        };
        let wanted = format!("Output before the error:\n{shown_of_it}");
        assert!(during.contains(&wanted), "{}: {during}", strategy.name());
        let is_dialogue = matches!(&strategy, Strategy::Digest(digest) if digest.begin_at > 0);
        assert_eq!(after.contains("row 17."), is_dialogue, "{}: {after}", strategy.name());
    }
}
