//! Behaviour promised by the requirement catalogue that no scenario shows.

mod messages;
mod records;
mod views;

use ptc_chat::{Message, Role};
use ptc_compression::{Compression, RenderInput, Rendered};
use ptc_lisp::Memory;
use ptc_transcript::Turn;

use super::{agent, bookings, check, check_raw};
use crate::{FnTool, RunOptions, ToolError};

/// The line of a message that begins with `start`.
fn line(message: &str, start: &str) -> String {
    message.lines().find(|line| line.starts_with(start)).unwrap_or_default().to_owned()
}

/// How often the message has exactly this line.
fn count(message: &str, wanted: &str) -> usize {
    message.lines().filter(|line| *line == wanted).count()
}

/// Proves: API-003.
#[test]
fn an_agent_keeps_the_dialogue_unless_told_otherwise() {
    let seen = check(agent(), &["1", "(return 2)"]);
    let roles: Vec<Role> = seen.requests[1].messages.iter().map(|message| message.role).collect();
    assert_eq!(roles, [Role::User, Role::Assistant, Role::User]);
}

/// Proves: ARC-006.
#[test]
fn turns_are_counted_by_turns_and_not_by_messages() {
    let programs = ["1", "(foo)", "(println 3)", "4", "(return 5)"];
    let (plain, compressed) = (check(agent(), &programs), check(agent().compression(true), &programs));
    for request in 2..=5 {
        let left = 6 - request;
        let (told, indicated) = (plain.last_line(request), compressed.last_line(request));
        match left {
            1 => assert_eq!((told.as_str(), indicated.as_str()), (FINAL, FINAL)),
            _ => {
                assert!(told.starts_with(&format!("Turn {request} of 5 ({left} remaining)")), "{told}");
                assert_eq!(indicated, format!("Turns left: {left}"));
            }
        }
    }
}

const FINAL: &str = "FINAL TURN - you must call (return result) or (fail reason) now.";

/// A strategy of a user, which says how many turns it was given.
struct Counting;

impl Compression for Counting {
    fn name(&self) -> &str {
        "counting"
    }

    fn to_messages(&self, turns: &[Turn], memory: &Memory, _: &RenderInput<'_>) -> Rendered {
        vec![Message::user(format!("{} turns, {} names", turns.len(), memory.entries().len()))].into()
    }
}

/// Proves: ARC-003, DBG-004, CHG-004.
#[test]
fn a_strategy_of_the_user_renders_the_requests() {
    let seen = check(agent().compression(Counting), &["(def a 1)", "(foo)", "(return a)"]);
    assert_eq!(
        (seen.last(1), seen.last(2), seen.last(3)),
        ("0 turns, 0 names".into(), "1 turns, 1 names".into(), "2 turns, 1 names".into())
    );
}

/// Proves: NS-002.
#[test]
fn data_can_be_read_and_not_defined() {
    let seen = check(agent(), &["(def data/limit 1)", "(return data/limit)"]);
    assert_eq!((seen.end().as_str(), seen.outcomes().as_str()), ("return 250", "invalid_form ok"));
}

/// Proves: NS-006.
#[test]
fn local_names_come_before_tools_and_data() {
    let program = "(return [(let [bookings [1 2]] (count bookings)) ((fn [limit] limit) 7) (let [quote-room inc] (quote-room 1))])";
    assert_eq!(check(agent(), &[program]).end(), "return [2,7,2]");
    assert_eq!(
        check(agent(), &["(defn quote-room [n] (* 2 n)) (def limit 3)", "(return [(quote-room 4) limit])"]).end(),
        "return [8,3]"
    );
}

/// Proves: NS-007, AMB-001, AMB-010.
#[test]
fn an_ambiguous_name_is_told_with_both_namespaces() {
    let tool = FnTool::new("limit", "Another limit", |_: super::Nothing| Ok::<_, ToolError>(1));
    let seen = check(agent().tool(tool), &["(println (limit {}))", "(return [data/limit (tool/limit {})])"]);
    assert_eq!((seen.outcomes().as_str(), seen.end().as_str()), ("ambiguous_reference ok", "return [250,1]"));
    let message = seen.turn(1).error_message().expect("an error");
    assert!(message.starts_with("Symbol 'limit' exists in both tool/ and data/ namespaces. "), "{message}");
}

/// Proves: DEF-005, DEF-006, DEF-007, AMB-004.
#[test]
fn docstrings_are_taken_when_the_definition_runs() {
    let seen = check(
        agent(),
        &["(defn f \"a; b\n  c \" [] 1) (def x \"An x\" 2) (if false (defn g \"never\" [] 1))", "(return 1)"],
    );
    let memory = seen.turn(1).memory();
    let doc = |name: &str| memory.get(name).and_then(|entry| entry.doc.clone());
    assert_eq!((doc("f").as_deref(), doc("x").as_deref()), (Some("a b c"), Some("An x")));
    assert!(memory.get("g").is_none());
}

/// Proves: TYP-001, TYP-002, TYP-003, TYP-004, TYP-005, TYP-006, TYP-007, TYP-008, TYP-009, TYP-010, TYP-011.
/// Proves: TYP-012, AMB-002.
#[test]
fn every_kind_of_value_has_its_label() {
    let program = "(def v0 []) (def v3 [1 2 3]) (def m0 {}) (def m2 {:a 1 :_b 2}) (def s \"x\") (def i 1) (def f 1.5) (def b true) \
        (def k :k) (def n nil) (def c (fn [x] x)) (def t #{1 2}) (def h inc)";
    let seen = check(agent(), &[program, "(return 1)"]);
    let labels: Vec<&str> = seen.turn(1).memory().entries().iter().map(|entry| entry.label.as_str()).collect();
    let wanted = [
        "list[0]", "list[3]", "map[0]", "map[2]", "string", "integer", "float", "boolean", "keyword", "nil",
        "#fn[...]", "set[2]", "fn",
    ];
    assert_eq!(labels, wanted);
}

/// Proves: PRE-001.
#[test]
fn the_conversation_is_kept_on_request() {
    let run = |collect_messages| {
        let answers = vec![Ok("(println 1)".into()), Ok("(return 1)".into())];
        check_raw(agent(), answers, bookings(), RunOptions::new().collect_messages(collect_messages))
    };
    let kept = run(true);
    let messages = kept.step.messages.as_deref().expect("messages");
    let roles: Vec<Role> = messages.iter().map(|message| message.role).collect();
    assert_eq!(roles, [Role::User, Role::Assistant, Role::User, Role::Assistant]);
    assert_eq!(messages[..3], kept.requests[1].messages[..]);
    assert_eq!(kept.step.system.as_deref(), Some(&*kept.requests[0].system));
    let plain = run(false);
    assert!(plain.step.messages.is_none() && plain.turn(1).messages().is_none());
}
