//! The contents of progress lists.

use indexmap::IndexMap;
use ptc_lisp::Value;

use super::{checklist, mission_log};

fn texts<const N: usize>(pairs: [(&str, &str); N]) -> IndexMap<String, String> {
    pairs.map(|(id, text)| (id.to_owned(), text.to_owned())).into_iter().collect()
}

#[test]
fn steps_outside_the_plan_stand_below_sorted() {
    let plan = texts([("1", "Find\nrooms")]);
    insta::assert_snapshot!(checklist(&plan, &texts([("zeta", "z"), ("1", ""), ("alpha", "found\n- [x] more")])), @r"
    ## Progress

    - [x] **1.** Find rooms

    Outside the plan:

    - [x] **alpha** — found - [x] more
    - [x] **zeta** — z
    ");
}

#[test]
fn a_list_is_as_long_as_its_plan_whatever_is_finished() {
    let plan = texts([("1", "Find rooms")]);
    let mut done: IndexMap<String, String> = (10..40).map(|turn| (format!("own-{turn}"), "found".to_owned())).collect();
    done.insert("1".to_owned(), "x".repeat(5_000));
    let text = checklist(&plan, &done);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[2], format!("- [x] **1.** Find rooms — {}...", "x".repeat(200)));
    assert_eq!(lines[4], "Outside the plan (+10 earlier):");
    assert_eq!(
        (lines[6], lines.last(), lines.len()),
        ("- [x] **own-20** — found", Some(&"- [x] **own-39** — found"), 26)
    );
}

#[test]
fn a_log_cuts_long_values_and_hides_hidden_fields() {
    let tasks = [
        ("fetch", Value::from_json(serde_json::json!({"rows": 3, "_key": "secret"}))),
        ("text", Value::string("x".repeat(500))),
    ];
    let log = mission_log(tasks.iter().map(|(id, value)| (*id, value)));
    let lines: Vec<&str> = log.lines().collect();
    assert_eq!(lines[..3], ["## Mission Log", "", "- [done] fetch: {:rows 3}"]);
    assert!(lines[3].ends_with("...") && lines[3].len() < 230, "{}", lines[3]);
    assert_eq!(mission_log([]), "");
}

#[test]
fn a_log_lists_the_newest_tasks() {
    let ids: Vec<String> = (1..=25).map(|task| format!("t{task}")).collect();
    let log = |count: usize| mission_log(ids.iter().take(count).map(|id| (id.as_str(), &Value::Nil)));
    assert_eq!(log(20).lines().next(), Some("## Mission Log"));
    let newest = log(25);
    let lines: Vec<&str> = newest.lines().collect();
    assert_eq!((lines[0], lines[2], lines.len()), ("## Mission Log (+5 earlier)", "- [done] t6: nil", 22));
}
