use insta::assert_snapshot;
use proptest::prelude::*;
use serde::Serialize;
use serde_json::json;
use serde_json::value::to_raw_value;

use super::{NoRestore, from_tagged, to_tagged};
use crate::error::{Error, Exception, Reason};
use crate::limits::meter::Meter;
use crate::value::tests::{any_value, map, nested, set, vector};
use crate::value::{CellKind, CellRef, Name, NoCells, Value};

fn check(value: impl Into<Value>) -> String {
    to_tagged(&value.into(), &NoCells).map_or_else(|error| error.message, |json| json.to_string())
}

fn read(tagged: impl Serialize) -> String {
    from_tagged(&to_raw_value(&tagged).unwrap(), &mut NoRestore).map_or_else(|error| error.to_string(), check)
}

#[test]
fn kinds() {
    assert_snapshot!(check(vector([Value::Nil, true.into(), 12.into(), 1.5.into(), f64::NEG_INFINITY.into(), "s".into()])), @r#"{"t":"seq","v":[{"t":"nil"},{"t":"bool","v":true},{"t":"int","v":"12"},{"t":"float","v":"1.5"},{"t":"float","v":"-Infinity"},{"t":"str","v":"s"}]}"#);
    assert_snapshot!(check(map([(Value::keyword("a/b"), set([Value::Symbol(Name::new("x"))]))])), @r#"{"t":"map","v":[[{"t":"kw","v":"a/b"},{"t":"set","v":[{"t":"sym","v":"x"}]}]]}"#);
    assert_snapshot!(check(vector([Value::Date(jiff::civil::date(2024, 3, 9)), Value::Instant(1_500), Value::Uuid("u".into()), Value::Var(Name::new("x"))])), @r#"{"t":"seq","v":[{"t":"date","v":"2024-03-09"},{"t":"inst","v":"1970-01-01T00:00:00.0015Z"},{"t":"uuid","v":"u"},{"t":"var","v":"x"}]}"#);
    assert_snapshot!(check(vector([Value::Cell(CellRef { id: 0, kind: CellKind::Delay }), Value::Tool(Name::new("t"))])), @r##"{"t":"seq","v":[{"t":"delay"},{"t":"fn","v":"#<tool t>"}]}"##);
    let mut error = Exception::new(Error::new(Reason::ToolError, "gone"));
    error.attached.cause = Some(1.into());
    let error = Value::Exception(error.into());
    assert_snapshot!(check(error.clone()), @r#"{"t":"error","v":{"reason":"tool_error","message":"gone","cause":{"t":"int","v":"1"}}}"#);
    assert_eq!(read(to_tagged(&error, &NoCells).unwrap()), check(error));
    assert_snapshot!(check(nested(600)), @"cannot write a value nested more than 512 deep");
}

#[test]
fn mistakes() {
    assert_snapshot!(read(json!(5)), @r#"expected an object such as {"t":"int","v":"12"}, got 5"#);
    assert_snapshot!(read(json!({"t": "number", "v": 5})), @r#"unknown kind "number"; kinds are nil bool int float str kw sym var seq map set date inst uuid regex atom volatile delay error fn"#);
    assert_snapshot!(read(json!({"t": "int", "v": 5})), @r#""int" needs decimal digits as a string under "v", got 5"#);
    assert_snapshot!(read(json!({"t": "map", "v": [[{"t": "nil"}]]})), @r#""map" needs an array of [key, value] under "v", got an array"#);
    assert_snapshot!(read(json!({"t": "regex", "v": "("})), @r#""regex" needs a regular expression of at most 1 MB compiled under "v", got "(""#);
    assert_snapshot!(read(json!({"t": "atom", "v": {"t": "nil"}})), @r#""atom" cannot be read here: there is no session to hold it"#);
    assert_snapshot!(read(json!({"t": "fn", "v": "#fn[x]"})), @r#""fn" cannot be read here: a function is only its printed form"#);
}

proptest! {
    #[test]
    fn values_come_back(value in any_value()) {
        let tagged = to_tagged(&value, &NoCells).unwrap();
        let back = from_tagged(&tagged, &mut NoRestore).unwrap();
        prop_assert!(value.is_identical(&back, &mut Meter::host()).unwrap(), "{}", tagged);
        // Also in the same order.
        prop_assert_eq!(check(back), tagged.to_string());
    }
}
