use proptest::prelude::*;
use ptc_chat::Repeats;
use ptc_transcript::TurnFields;
use serde_json::json;

use super::*;
use crate::append::Dialogue;
use crate::digest::Reports;
use crate::sample_runs::{Agent, define, failure, fields, memory};
use crate::testkit::History;

#[test]
fn what_is_listed_as_it_was_is_not_listed_again() {
    let entry = |order: u64, returns: Option<&str>, value: i64| MemoryEntry {
        order,
        returns: returns.map(str::to_owned),
        ..memory(&[("a", json!(value))]).entries()[0].clone()
    };
    let one = |entry: MemoryEntry| Memory::new(vec![entry]);
    let known = one(entry(1, None, 1));
    let names =
        |now: &Memory, known: &Memory| [None, Some(Limits::default().samples())].map(|samples| changed(now, known, samples).count());
    assert_eq!(names(&known, &known), [0, 0]);
    // Another value of the same type, defined anew or in an atom: only a sample shows it.
    assert_eq!(names(&one(entry(2, None, 2)), &known), [0, 1]);
    assert_eq!(names(&one(entry(1, None, 2)), &known), [0, 1]);
    assert_eq!(names(&one(entry(2, None, 1)), &known), [0, 0]);
    let returned = |value: i64| MemoryEntry { params: Some("x".to_owned()), ..entry(1, Some("integer"), value) };
    assert_eq!(names(&one(returned(1)), &known), [1, 1]);
    assert_eq!(names(&known, &Memory::default()), [1, 1]);
}

#[test]
fn names_that_were_defined_anew_in_another_order_are_known() {
    let entry = |name: &str, order: u64, value: serde_json::Value| MemoryEntry { order, ..define(name, value) };
    let known = Memory::new(vec![entry("a", 1, json!(1)), entry("b", 2, json!(2)), entry("c", 3, json!(3))]);
    let now = Memory::new(vec![entry("b", 2, json!(2)), entry("c", 4, json!([3])), entry("a", 5, json!(5)), entry("d", 6, json!(6))]);
    let names: Vec<&str> = changed(&now, &known, None).map(|entry| entry.name.as_str()).collect();
    assert_eq!(names, ["c", "d"]);
}

fn growing(turns: &[Turn]) -> Growing<Reports> {
    Growing::new("any", Limits::default(), Reports { limits: Limits::default() }).after(turns)
}

/// Both ways to append, after these turns.
fn both(turns: &[Turn]) -> [Box<dyn Renderer>; 2] {
    [Box::new(growing(turns)), Box::new(Growing::new("any", Limits::default(), Dialogue { bytes: 16_000 }).after(turns))]
}

fn printing(number: usize, print: String, memory: &Memory) -> Turn {
    Turn::success(TurnFields { prints: vec![print], memory: memory.clone(), ..fields(number, "(go)") })
}

#[test]
fn an_empty_print_is_shown_and_counted() {
    let none = Memory::default();
    let growing = growing(&[printing(1, "x".repeat(1_200), &none), printing(2, String::new(), &none)]);
    assert_eq!((growing.since.len(), growing.stats().printlns_shown), (1, 2));
}

#[test]
fn what_a_refused_answer_defined_is_listed() {
    let (before, after) = (memory(&[("a", json!(1))]), memory(&[("a", json!(1)), ("total", json!(5))]));
    let refused = TurnFields { memory: after.clone(), ..fields(3, "(def total 5) (return 1)") };
    let turns = [printing(1, "x".repeat(1_200), &before), printing(2, "y".into(), &before), failure(refused, "no", "no")];
    let agent = Agent::bookings();
    for growing in both(&turns) {
        let rendered = growing.render(&after, &agent.input(2));
        let closing = rendered.messages.last().unwrap().parts.last().unwrap();
        assert!(
            closing.text.starts_with("\n\n;; === user/ (your prelude) ===\ntotal                         ; = integer\n\n---"),
            "{}",
            closing.text
        );
    }
}

#[test]
fn samples_do_not_outlive_the_first_print() {
    let defined = |total: i64| {
        let many = (0..30).map(|n| define(&format!("n{n}"), json!(n)));
        Memory::new(many.chain([MemoryEntry { order: total as u64, ..define("total", json!(total)) }]).collect())
    };
    let turns =
        [Turn::success(TurnFields { memory: defined(100), ..fields(1, "(def total 100)") }), printing(2, "done".into(), &defined(250))];
    let agent = Agent::bookings();
    for growing in both(&turns) {
        let rendered = growing.render(&defined(250), &agent.input(2));
        let text: String = rendered.messages.iter().map(|message| format!("{}\n", message.content())).collect();
        let last = text.lines().rfind(|line| line.starts_with("total "));
        assert_eq!(last, Some("total                         ; = integer"));
    }
}

#[test]
fn reports_stay_small_whatever_is_listed_again() {
    let defined = |number: usize| {
        let doc = Some("long ".repeat(200));
        let big = MemoryEntry { params: Some("x".into()), doc, label: "fn".into(), order: number as u64, ..define("big", json!(1)) };
        Memory::new(vec![MemoryEntry { returns: Some(format!("list[{number}]")), ..big }])
    };
    let turns: Vec<Turn> = (1..200).map(|number| printing(number, "x".repeat(200), &defined(number))).collect();
    let agent = Agent::bookings();
    let largest = (1..200).map(|seen| {
        let rendered = growing(&turns[..seen]).render(&defined(seen), &agent.input(2));
        rendered.messages[0].content().len() - rendered.messages[0].stable_bytes()
    });
    // Fifteen prints, one definition, and half of them again.
    assert!(largest.max().unwrap() < (15 * 201 + 1_100) * 155 / 100);
}

#[test]
fn what_was_merged_is_repeated_at_once() {
    let none = Memory::default();
    let agent = Agent::bookings();
    let parts = |turns: &[Turn]| growing(turns).render(&none, &agent.input(2)).messages[0].parts.to_vec();
    let turns = [printing(1, "x".repeat(1_200), &none), printing(2, "y".into(), &none)];
    let (one, two) = (parts(&turns[..1]), parts(&turns));
    let repeats = |parts: &[Part]| parts.iter().map(|part| part.repeats).collect::<Vec<_>>();
    assert_eq!(repeats(&one), [Repeats::Run, Repeats::Next, Repeats::No]);
    assert_eq!(repeats(&two), [Repeats::Run, Repeats::Next, Repeats::Next, Repeats::No]);
    assert_eq!(one[..2], two[..2]);
}

proptest! {
    /// What decides when to merge are the bytes that are sent.
    #[test]
    fn sizes_are_what_is_written(seed: u64, prints in 0..20_usize, calls in 0..20_usize, tool_results: bool) {
        let history = History::random(seed);
        let limits = Limits { println_limit: prints, tool_call_limit: calls, tool_results, ..Limits::default() };
        let mut growing = Growing::new("any", limits, Reports { limits });
        for turn in history.turns() {
            growing.push(turn);
            if growing.merged.of.is_some() {
                prop_assert_eq!(growing.merged.size.bytes, growing.merged_text().len(), "{}", growing.merged_text());
            }
            let written: usize = growing.since.iter().map(|report| report.written(&growing.appended_as).report.len()).sum();
            prop_assert_eq!(growing.since_size.bytes, written);
        }
    }
}
