use insta::assert_snapshot;
use ptc_lisp::{Reason, Session, SessionOptions, WarningCode};

use super::*;

fn failed(result: Value) -> Turn {
    Turn::failure(TurnFields::new(1, "(x)", result))
}

#[test]
fn error_message_prefers_message_then_reason_then_the_value() {
    assert_snapshot!(failed(failure_value("timeout", "too slow")).error_message().unwrap(), @"too slow");
    assert_snapshot!(failed(failure_value("timeout", "Error: too slow")).error_message().unwrap(), @"too slow");
    let reason_only = Value::map_from([(Value::keyword("reason"), Value::keyword("no_rooms"))]);
    assert_snapshot!(failed(reason_only).error_message().unwrap(), @"no_rooms");
    assert_snapshot!(failed("nope".into()).error_message().unwrap(), @"nope");
    assert_snapshot!(failed(Value::vector(vec![Value::Int(1), Value::Nil])).error_message().unwrap(), @"[1 nil]");
}

/// Proves: ARC-001.
#[test]
fn only_failed_turns_have_an_error() {
    let turn = Turn::success(TurnFields::new(1, "(x)", failure_value("timeout", "too slow")));
    assert!(turn.is_success());
    assert_eq!((turn.error_message(), turn.error_reason()), (None, None));
    assert_eq!(failed(failure_value("timeout", "too slow")).error_reason(), Some(FailReason::Program(Reason::Timeout)));
}

/// A record behind an `Arc` changes only through an exclusive reference, which nothing here may take or return.
///
/// Proves: ARC-001, CHG-003, CHG-015.
#[test]
fn nothing_takes_or_gives_a_turn_for_change() {
    let (_, turn) = include_str!("../turn.rs").split_once("pub struct Turn(").unwrap();
    assert!(turn.starts_with("Arc<Record>);"), "the record is private");
    let found: Vec<&str> = turn.lines().filter(|line| line.contains("&mut") || line.contains("mut self")).collect();
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn warnings_are_placed_in_the_program() {
    let program = "[1]\n  (conj (map inc [1]) 1)";
    let warnings = Session::new(SessionOptions::default()).check(program).unwrap();
    let placed = TurnWarning::new(warnings.iter().find(|it| it.code == WarningCode::ListOrder).unwrap(), program);
    assert_eq!((placed.line, placed.column, placed.code.as_str()), (2, 4, "list-order"));
}
