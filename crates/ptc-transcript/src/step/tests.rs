use insta::assert_snapshot;

use super::*;
use crate::fail::{FailKind, FailReason};

#[test]
fn an_answer_reads_as_a_rust_value() {
    #[derive(serde::Deserialize, Debug, PartialEq)]
    struct Quote {
        total: f64,
        kind: String,
    }
    let value = Value::map_from([
        (Value::string("total"), Value::Float(268.5)),
        (Value::string("kind"), Value::keyword("net")),
    ]);
    let step = Step::returned(EndingKind::Return, value);
    assert_eq!(step.value::<Quote>().unwrap(), Quote { total: 268.5, kind: "net".into() });
    assert!(
        step.value::<u32>().unwrap_err().to_string().starts_with("the answer is not of type u32: invalid type: map")
    );
}

#[test]
fn a_failed_run_has_no_value() {
    let fail = Fail::new(FailKind::Limit, FailReason::MaxTurnsExceeded, "limit of 3 turns reached");
    let step = Step::failed(EndingKind::Limit, fail);
    assert!(!step.is_ok() && step.return_value().is_none());
    let failure = step.value::<u32>().unwrap_err();
    assert_snapshot!(failure, @"the run ended with limit: max_turns_exceeded: limit of 3 turns reached");
}
