use insta::assert_snapshot;
use ptc_lisp::Value;

use super::*;

fn map(entries: &[(&str, Value)]) -> Value {
    Value::map_from(entries.iter().map(|(key, value)| (Value::keyword(key), value.clone())))
}

#[test]
fn explicit_failures_take_reason_and_message_from_a_map() {
    let given = map(&[("reason", Value::keyword("no_rooms")), ("message", "full".into())]);
    assert_snapshot!(Fail::explicit(given), @"no_rooms: full");
    assert_snapshot!(Fail::explicit("nope".into()), @r#"failed: "nope""#);
    assert_snapshot!(Fail::explicit(map(&[("code", Value::Int(3))])), @"failed: {:code 3}");
}

#[test]
fn explicit_failures_keep_the_value() {
    let fail = Fail::explicit(Value::Int(7));
    let details = fail.details.unwrap();
    assert!(matches!(details.as_map().unwrap().get_named("value"), Some(Value::Int(7))));
    assert_eq!(fail.kind, FailKind::Explicit);
}

#[test]
fn reasons_survive_their_name() {
    for reason in [
        FailReason::MaxTurnsExceeded,
        FailReason::Cancelled,
        FailReason::Custom("no_rooms".into()),
        FailReason::Program(Reason::Timeout),
    ] {
        assert_eq!(FailReason::from(reason.as_str()), reason);
    }
    assert_eq!(FailReason::from(Reason::TypeError).as_str(), "type_error");
}
