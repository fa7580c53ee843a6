//! What a digest shows, when it merges, and what it repeats.

use insta::assert_snapshot;
use proptest::prelude::*;
use ptc_chat::{Message, Repeats};
use ptc_lisp::{Effect, Memory, MemoryEntry, ToolRecord};
use ptc_transcript::{Turn, TurnFields};
use serde_json::{Value as Json, json};

use super::history::ANNOUNCEMENT;
use super::*;
use crate::input::RenderInput;
use crate::sample_runs::{Agent, call, define, failure, fields, memory};
use crate::testkit::SampleRun;
use crate::{Caps, Compression, PlainHistory, PlainOptions, Rendered};

/// The text after the stable prefix.
fn history(strategy: &dyn Compression, turns: &[Turn]) -> String {
    let memory = turns.last().map(|turn| turn.memory().clone()).unwrap_or_default();
    let rendered = strategy.to_messages(turns, &memory, &Agent::bookings().input(2));
    let texts = rendered.messages.iter().map(|message| format!("[{:?}]\n{}", message.role, message.content()));
    let text = texts.collect::<Vec<_>>().join("\n\n");
    text[text.find("42})`.").unwrap() + 6..].trim_start().to_owned()
}

fn read(name: &str, arguments: Json) -> ToolRecord {
    ToolRecord { effect: Effect::Read, ..call(name, arguments) }
}

fn failing(record: ToolRecord, error: &str) -> ToolRecord {
    ToolRecord { error: Some(error.to_owned()), ..record }
}

fn printing(number: usize, print: String) -> Turn {
    Turn::success(TurnFields { prints: vec![print], ..fields(number, "(go)") })
}

/// A comment that makes a program longer than a report on it.
fn wordy(program: &str) -> String {
    format!("{program} ;{}", " because".repeat(120))
}

/// Two turns that define, call and print, then one that fails.
fn example() -> Vec<Turn> {
    example_of(str::to_owned)
}

fn example_of(program: impl Fn(&str) -> String) -> Vec<Turn> {
    let owners = (1..=35).map(|n| read("owner", json!({"ip": format!("10.0.0.{n}")})));
    let slow = failing(read("owner", json!({"ip": "10.0.0.9"})), "429 slow down");
    let pay = call(
        "pay",
        json!({"from": "NL90-bell-and-daughters", "to": "NL45-diaz-brothers", "cents": 50000, "memo": "three nights"}),
    );
    let birds =
        json!([{"season": 2007, "species": "Adelie", "mass": 3750}, {"season": 2008, "species": "Gentoo", "nest": 2}]);
    let notes = MemoryEntry {
        doc: Some("what the \"log\" says".into()),
        ..define("notes", json!({"log": "x".repeat(70), "_key": "s3cret"}))
    };
    let label = MemoryEntry {
        params: Some("{:keys [to kg]}".into()),
        returns: Some("map[5]".into()),
        label: "#fn[...]".into(),
        ..define("weigh", json!(null))
    };
    let atom = MemoryEntry { label: "atom".into(), ..define("seen", json!(14)) };
    let letter = define("letter", json!("z".repeat(80)));
    let all = |count: i64| {
        let entries = [
            define("over-25", json!(count)),
            define("birds", birds.clone()),
            notes.clone(),
            label.clone(),
            atom.clone(),
            letter.clone(),
        ];
        Memory::new(entries.into_iter().zip(1..).map(|(entry, order)| MemoryEntry { order, ..entry }).collect())
    };
    let first = TurnFields {
        memory: all(14),
        tool_calls: owners.chain([slow.clone(), slow, pay]).collect(),
        prints: vec!["kept 3".into()],
        ..fields(1, &program("(def over-25 14)"))
    };
    let second = TurnFields {
        memory: all(15),
        tool_calls: vec![read("look", json!({}))],
        ..fields(2, &program("(def over-25 15)"))
    };
    let third = TurnFields { memory: all(15), prints: vec!["half".into()], ..fields(3, "(totl)") };
    vec![Turn::success(first), Turn::success(second), failure(third, "undefined_symbol", "undefined symbol 'totl'")]
}

#[test]
fn reports_show_small_values_and_grouped_reads() {
    assert_snapshot!(history(&Digest::new().begin_at(0), &example_of(wordy)), @r#"
    ;; Since then, turn by turn. Of a name that is listed again, the last line holds.

    ;; Turn 1
    ;; Defined:
    (weigh [{:keys [to kg]}]) -> map
    birds = list[2] of {season species mass nest}
    letter = string, 80 characters
    notes ; "what the \"log\" says" = map[2] {log} (hidden: _key)
    over-25 = 14
    seen = atom 14
    ;; Tool calls made:
    ;   owner × 37 (2 errors: 429 slow down), last: owner({:ip "10.0.0.9"}) -> error: 429 slow down
    ;   pay({:from "NL90-bell-and-daughters" :to "NL45-diaz-brothers" :cents 50000 :memo "three nights"})
    ;; Output:
    kept 3

    ;; Turn 2
    ;; Defined:
    over-25 = 15
    ;; Tool calls made:
    ;   look({})

    ---
    Your previous attempt:
    ```clojure
    (totl)
    ```

    Output before the error:
    half

    Error: undefined symbol 'totl'
    ---

    Turns left: 2
    "#);
}

#[test]
fn a_short_run_is_the_plain_dialogue() {
    assert_snapshot!(history(&Digest::new(), &example()), @"
    [Assistant]
    ```clojure
    (def over-25 14)
    ```

    [User]
    kept 3

    Stored names: birds, letter, notes, over-25, seen, weigh

    [Assistant]
    ```clojure
    (def over-25 15)
    ```

    [User]
    Stored names: birds, letter, notes, over-25, seen, weigh

    [Assistant]
    ```clojure
    (totl)
    ```

    [User]
    Output before the error:
    half

    Error: undefined symbol 'totl'

    Turns left: 2
    ");
}

/// The lines that count turns are not repeated; the last one is at the end.
#[test]
fn a_dialogue_says_what_runs_without_compression_say() {
    let turns = example();
    let agent = Agent::bookings();
    let mut plain = PlainHistory::start(&agent.input(4), PlainOptions::new(4, 0));
    turns.iter().for_each(|turn| plain.push(turn, ""));
    let rendered = Digest::new().to_messages(&turns, turns[2].memory(), &agent.input(1));
    let texts = |messages: &[Message]| -> Vec<String> {
        let counts = |line: &&str| line.starts_with("Turn ") || line.starts_with("FINAL TURN");
        let text =
            |message: &Message| message.content().lines().filter(|line| !counts(line)).collect::<Vec<_>>().join("\n");
        messages.iter().map(|message| text(message).trim_end().to_owned()).collect()
    };
    assert_eq!(texts(&rendered.messages), texts(plain.messages()));
    assert_eq!(rendered.stats.turns_compressed, 0);
    assert_eq!((rendered.stats.printlns_shown, rendered.stats.tool_calls_shown), (1, 39));
}

#[test]
fn output_that_the_dialogue_would_cut_is_reported_whole() {
    let long = (0..40).map(|n| format!("row {n} {}", "x".repeat(90))).collect();
    let turns = [Turn::success(TurnFields { prints: long, ..fields(1, "(go)") })];
    let text = history(&Digest::new(), &turns);
    assert!(text.contains("\nrow 0 ") && text.contains("\nrow 39 ") && !text.contains("not shown"), "{text}");
}

#[test]
fn a_turn_that_prints_more_than_a_report_shows_is_told_so() {
    let long: Vec<String> = (0..100).map(|n| format!("row {n} {}", "x".repeat(93))).collect();
    let turns = [Turn::success(TurnFields { prints: long, ..fields(1, "(go)") })];
    let text = history(&Digest::new(), &turns);
    assert!(text.contains("\n;; (20 earlier prints not shown)\nrow 20 "), "{text}");
    let turn = TurnFields { prints: turns[0].prints().to_vec(), ..fields(1, &wordy("(go)")) };
    let text = history(&Digest::new(), &[Turn::success(turn)]);
    assert!(text.contains("\n;; Output:\n;; (20 earlier prints not shown)\nrow 20 "), "{text}");
    assert!(text.contains("\n;; Note: of 100 printed entries the newest 80 are shown; "), "{text}");
}

#[test]
fn what_was_merged_keeps_the_newest_characters() {
    let turns: Vec<Turn> = (1..=150).map(|number| printing(number, format!("{number} {}", "x".repeat(196)))).collect();
    let strategy = Digest::new().begin_at(0);
    let all: Vec<String> = (1..=150).map(|seen| history(&strategy, &turns[..seen])).collect();
    let largest = all.iter().map(String::len).max().unwrap();
    assert!(largest < 60_000, "{largest}");
    let is_left_out = |text: &&String| text.contains(" earlier prints not shown: (tool/history) has them)\n");
    let (place, merged) = all.iter().enumerate().find(|(_, text)| is_left_out(text)).unwrap();
    let announced: Vec<usize> = (0..150).filter(|place| all[*place].contains(ANNOUNCEMENT)).collect();
    assert_eq!(announced.first(), Some(&(place - 1)), "the request before says so");
    let (merged, reports) =
        merged.split_once("\n\n[Assistant]\n").or_else(|| merged.split_once("\n\n;; Since")).unwrap();
    let output = merged.split_once(";; Output:\n;; (").unwrap().1;
    let kept: Vec<&str> = output.lines().filter(|line| line.ends_with('x')).collect();
    assert!(kept.iter().map(|line| line.len()).sum::<usize>() <= 12_000 && kept.len() >= 55, "{merged}");
    let newest: usize = kept.last().unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!(reports.contains(&format!("\n{} x", newest + 1)), "turns follow where what was merged ends: {reports}");
}

#[test]
fn a_function_that_was_only_called_is_not_listed_as_defined() {
    let function = |returns: &str| MemoryEntry {
        params: Some("n".into()),
        returns: Some(returns.into()),
        label: "#fn[n]".into(),
        ..define("twice", json!(null))
    };
    let turn = |number: usize, returns: &str| {
        let memory = Memory::new(vec![function(returns)]);
        Turn::success(TurnFields { memory, ..fields(number, &wordy("(twice 4)")) })
    };
    let text = history(&Digest::new().begin_at(0), &[turn(1, "integer"), turn(2, "list[9]")]);
    assert_eq!(text.matches("(twice [n])").count(), 1, "{text}");
}

/// The dialogue repeats names alone, so a value that was listed would be out of date.
#[test]
fn a_turn_that_is_told_lists_what_was_listed_with_another_value() {
    let turn = |number: usize, value: i64, program: &str| {
        Turn::success(TurnFields { memory: memory(&[("a", json!(value))]), ..fields(number, program) })
    };
    let turns = [turn(1, 1, &wordy("(def a 1)")), turn(2, 2, "(def a 2)")];
    let text = history(&Digest::new().begin_at(0), &turns);
    let last = text.lines().rfind(|line| line.starts_with("a = "));
    assert_eq!(last, Some("a = 2"), "{text}");
}

#[test]
fn what_a_refused_answer_defined_is_listed() {
    let (before, after) = (memory(&[("a", json!(1))]), memory(&[("a", json!(1)), ("total", json!(5))]));
    let first = Turn::success(TurnFields { memory: before, ..fields(1, "(def a 1)") });
    let refused = TurnFields { memory: after.clone(), ..fields(2, "(def total 5) (return 1)") };
    let turns = [first, failure(refused, "no", "no")];
    let agent = Agent::bookings();
    let rendered = Digest::new().begin_at(0).to_messages(&turns, &after, &agent.input(2));
    let closing = rendered.messages.last().unwrap().parts.last().unwrap();
    assert!(closing.text.contains("last line holds.\n\n;; Defined:\ntotal = 5\n\n---"), "{}", closing.text);
}

/// The block of the last error is shown, also when a ceiling merges a dialogue.
#[test]
fn a_failure_that_is_shown_is_not_counted_as_collapsed() {
    let turns = example();
    let agent = Agent::bookings();
    let caps = Caps { merged: true, ..Caps::NONE };
    for begin_at in [0, 8_000] {
        for caps in [Caps::NONE, caps] {
            let rendered = Digest::new().begin_at(begin_at).to_messages(
                &turns,
                turns[2].memory(),
                &RenderInput { caps, ..agent.input(2) },
            );
            assert_eq!(rendered.stats.error_turns_collapsed, 0, "{begin_at} {caps:?}");
        }
    }
}

#[test]
fn definitions_that_a_run_begins_with_are_listed_once() {
    let (agent, kept) = (Agent::bookings(), memory(&[("rate", json!(89.5))]));
    let turns: Vec<Turn> =
        (1..=3).map(|number| Turn::success(TurnFields { memory: kept.clone(), ..fields(number, "(go)") })).collect();
    for begin_at in [0, 8_000] {
        for seen in 0..=3 {
            let input = RenderInput { kept: &kept, ..agent.input(3) };
            let rendered = Digest::new().begin_at(begin_at).to_messages(&turns[..seen], &kept, &input);
            let listed: usize =
                rendered.messages.iter().map(|message| message.content().matches("\nrate = 89.5").count()).sum();
            assert_eq!(listed, 1, "{begin_at} {seen}");
        }
    }
}

/// Bytes of the parts that the next request repeats, besides those of the opening.
fn repeated(rendered: &Rendered) -> String {
    let parts = rendered.messages.iter().flat_map(|message| &*message.parts).filter(|part| part.repeats != Repeats::No);
    parts.map(|part| part.text.as_str()).collect()
}

proptest! {
    /// A request begins with what the one before repeated, or it was merged, which then bounds it.
    #[test]
    fn requests_go_on_until_they_are_merged(seed: u64, begin_at in 0..4_000_usize) {
        let history = SampleRun::random(seed);
        let strategy = Digest::new().begin_at(begin_at);
        let mut before = String::new();
        for seen in 0..=history.turns().len() {
            let rendered = strategy.to_messages(history.after(seen), &history.memory(seen), &history.input(seen));
            let text = repeated(&rendered);
            if seen > 0 && !text.starts_with(&before) {
                prop_assert!(rendered.messages.len() <= 3, "{}", text);
            }
            before = text;
        }
    }

    /// Between two mergings, the text repeated beyond the merged history stays within the cost of merging.
    #[test]
    fn no_history_grows_without_bound(print in 1..2_000_usize, turns in 1..150_usize) {
        let turns: Vec<Turn> = (1..=turns).map(|number| printing(number, "x".repeat(print))).collect();
        let text = history(&Digest::new(), &turns);
        prop_assert!(text.len() < 60_000, "{}", text.len());
    }
}
