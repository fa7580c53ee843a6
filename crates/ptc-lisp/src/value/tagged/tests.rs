use insta::assert_snapshot;
use proptest::prelude::*;
use serde::Serialize;
use serde_json::json;
use serde_json::value::{RawValue, to_raw_value};

use super::{NoRestore, from_tagged, stored_data, to_tagged};
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
    assert_snapshot!(read(json!([5])), @r#"expected a number, a string, true, false, null or an object such as {"t":"kw","v":"name"}, got an array"#);
    assert_snapshot!(read(json!({"t": "rows", "keys": ["a"], "v": [[1, 2]]})), @r#""rows" needs a value for each key under "v", got an array"#);
    assert_snapshot!(read(json!({"t": "rows", "keys": ["a", "b"], "v": [[1]]})), @r#""rows" needs a value for each key under "v", got an array"#);
    assert_snapshot!(read(json!({"t": "rows", "v": [[1]]})), @r#""seq" needs an array under "v", got nothing"#);
    assert_snapshot!(read(json!({"t": "number", "v": 5})), @r#"unknown kind "number"; kinds are nil bool int float str kw sym var seq rows map set date inst uuid regex atom volatile delay error fn"#);
    assert_snapshot!(read(json!({"t": "int", "v": 5})), @r#""int" needs decimal digits as a string under "v", got 5"#);
    assert_snapshot!(read(json!({"t": "map", "v": [[{"t": "nil"}]]})), @r#""map" needs an array of [key, value] under "v", got an array"#);
    assert_snapshot!(read(json!({"t": "regex", "v": "("})), @r#""regex" needs a regular expression of at most 1 MB compiled under "v", got "(""#);
    assert_snapshot!(read(json!({"t": "atom", "v": {"t": "nil"}})), @r#""atom" cannot be read here: there is no session to hold it"#);
    assert_snapshot!(read(json!({"t": "fn", "v": "#fn[x]"})), @r#""fn" cannot be read here: a function is only its printed form"#);
}

/// What is stored takes less text than its memory; other forms of it are read as well.
#[test]
fn stored_values_are_plain_where_they_can_be() {
    let stored = |value: Value| stored_data(&value).unwrap();
    assert_snapshot!(stored(vector([Value::Nil, true.into(), (-12).into(), 1.0.into(), 1e300.into(), f64::NAN.into(), "s\"".into()])), @r#"{"t":"seq","v":[null,true,-12,1.0,1.0e300,{"t":"float","v":"NaN"},"s\""]}"#);
    let row = |n: i64| map([(Value::keyword("n"), n.into()), ("t".into(), Value::Nil)]);
    assert_snapshot!(stored(vector([row(1), row(2)])), @r#"{"t":"rows","keys":[{"t":"kw","v":"n"},"t"],"v":[[1,null],[2,null]]}"#);
    assert_snapshot!(stored(vector([row(1)])), @r#"{"t":"seq","v":[{"t":"map","v":[[{"t":"kw","v":"n"},1],["t",null]]}]}"#);
    assert_snapshot!(stored(vector([row(1), map([(Value::keyword("n"), 2.into())])])), @r#"{"t":"seq","v":[{"t":"map","v":[[{"t":"kw","v":"n"},1],["t",null]]},{"t":"map","v":[[{"t":"kw","v":"n"},2]]}]}"#);
    assert_snapshot!(stored(Value::Nil), @r#"{"t":"nil"}"#);
    let numbers = vector((0..1000).map(|n: i64| Value::Int(n * 1_000_003)));
    assert!(stored(numbers).len() < 11 * 1000);
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

    #[test]
    fn stored_values_come_back(values in prop::collection::vec(any_value(), 0..4), rows in 0..4_usize) {
        let row = || Value::map_from((0_i64..).map(Value::Int).map(|key| Value::string(key.to_string())).zip(values.clone()));
        for value in [vector(values.clone()), vector((0..rows).map(|_| row())), row()] {
            let text = stored_data(&value).unwrap();
            let back = from_tagged(&RawValue::from_string(text.clone()).unwrap(), &mut NoRestore).unwrap();
            prop_assert!(value.is_identical(&back, &mut Meter::host()).unwrap(), "{}", text);
            prop_assert_eq!(check(back), check(value));
        }
    }
}
