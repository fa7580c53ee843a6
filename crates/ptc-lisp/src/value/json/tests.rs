use std::sync::Arc;

use insta::assert_snapshot;
use proptest::prelude::*;
use serde_json::{Value as Json, json};

use crate::error::{Error, Exception, Reason};
use crate::limits::Limits;
use crate::limits::meter::Meter;
use crate::parse::{FormKind, parse};
use crate::value::tests::{map, nested, set, vector};
use crate::value::{Columns, FormatOptions, Import, KeyTexts, Map, Name, NoCells, Value, format};

fn shown(value: &Value) -> String {
    format(value, &FormatOptions { hide: false, ..FormatOptions::full() }).text
}

/// The value of a JSON text, and the JSON of that value.
fn check(text: &str) -> String {
    match Value::from_json_str(text) {
        Ok(value) => {
            let same = Value::from_json(serde_json::from_str(text).unwrap());
            assert_eq!(shown(&same), shown(&value), "both ways in agree");
            format!("{} -> {}", shown(&value), value.to_json().unwrap())
        }
        Err(error) => error.to_string(),
    }
}

fn out(value: impl Into<Value>) -> String {
    value.into().to_json().map_or_else(|error| format!("{}: {}", error.reason, error.message), |json| json.to_string())
}

#[test]
fn inbound() {
    assert_snapshot!(check(r#"{"name": "Laptop", "price": 1200, "tags": ["a", null, true]}"#), @r#"{:name "Laptop" :price 1200 :tags ["a" nil true]} -> {"name":"Laptop","price":1200,"tags":["a",null,true]}"#);
    assert_snapshot!(check(r#"{"b": 1, "a": 2, "b": 3}"#), @r#"{:b 3 :a 2} -> {"b":3,"a":2}"#);
    assert_snapshot!(check("[1.0, 1e3, -0.0, 9223372036854775807, 9223372036854775808]"), @r#"[1.0 1000.0 -0.0 9223372036854775807 9223372036854775808] -> [1.0,1000.0,-0.0,9223372036854775807,"9223372036854775808"]"#);
    assert_snapshot!(check(r#"[{}, [], "", {"x": {}}]"#), @r#"[{} [] "" {:x {}}] -> [{},[],"",{"x":{}}]"#);
    assert_snapshot!(check("[1,]"), @"trailing comma at line 1 column 4");
    assert_snapshot!(check("1 2"), @"trailing characters at line 1 column 3");
}

#[test]
fn integers_beyond_64_bits_stay_integers() {
    let read = |text: &str| Value::from_json_str(text).map_or_else(|error| error.to_string(), |value| shown(&value));
    assert_snapshot!(read("123456789012345678901234567890"), @"123456789012345678901234567890");
    assert_snapshot!(read("[18446744073709551615, 18446744073709551616, -9223372036854775808, -9223372036854775809]"), @"[18446744073709551615 18446744073709551616 -9223372036854775808 -9223372036854775809]");
    assert_snapshot!(read("[1e300, 1.5, 1E19, -1e19, 10000000000000000000000.0, 1]"), @"[1.0e300 1.5 10000000000000000000.0 -10000000000000000000.0 1.0e22 1]");
    assert_snapshot!(read(r#"{"1e30": 100000000000000000000, "a \"200000000000000000000\" b": [1e30, {"n":-300000000000000000000}], "\\": "400000000000000000000"}"#), @r#"{"1e30" 100000000000000000000 "a \"200000000000000000000\" b" [1.0e30 {:n -300000000000000000000}] "\\" "400000000000000000000"}"#);
    assert_snapshot!(read("[1e400]"), @"number out of range at line 1 column 6");
    assert_snapshot!(read("[100000000000000000000, 1,]"), @"trailing comma at line 1 column 27");
    let long = "7".repeat(400);
    assert_eq!(read(&format!("[{long}, -{long}, 1e300]")), format!("[{long} -{long} 1.0e300]"));
    assert_eq!(read(&format!("[{long}, 1,]")), "trailing comma at line 1 column 406");
    assert_eq!(read(&format!("[{long}, 1e400]")), "number out of range at line 1 column 408");
}

#[test]
fn a_program_pays_for_the_digits_of_long_integers() {
    let text = format!("[{}]", "7".repeat(100_000));
    let read = |fuel| {
        let mut meter = Meter::new(Limits { fuel, ..Limits::default() });
        let read = Import::within(&mut meter, &text, false);
        (
            read.map(|value| value.map(|value| shown(&value).len())).map_err(|signal| format!("{signal:?}")),
            meter.fuel_used(),
        )
    };
    let (value, paid) = read(100_000_000);
    assert_eq!(value, Ok(Some(text.len())));
    assert_eq!(paid, crate::value::number::fuel_for_digits(100_000) as u64);
    let (refused, paid) = read(paid - 1);
    assert!(refused.unwrap_err().contains("FuelExceeded"));
    assert_eq!(paid, crate::value::number::fuel_for_digits(100_000) as u64 - 1);
}

#[test]
fn object_keys() {
    assert_snapshot!(check(r#"{"größe": 1, "a/b": 2, "1st": 3, "two words": 4, "": 5, "SKU-12": 6, "a:b": 7, "_id": 8, "nil": 9, "+": 10}"#), @r#"{:größe 1 "a/b" 2 "1st" 3 "two words" 4 "" 5 :SKU-12 6 :a:b 7 :_id 8 :nil 9 :+ 10} -> {"größe":1,"a/b":2,"1st":3,"two words":4,"":5,"SKU-12":6,"a:b":7,"_id":8,"nil":9,"+":10}"#);
}

#[test]
fn outbound() {
    let kw = Value::keyword;
    assert_snapshot!(out(map([(kw("b"), kw("x/y")), ("a".into(), set([2.into(), 1.into()])), (3.into(), Value::Symbol(Name::new("s")))])), @r#"{"b":"x/y","a":[2,1],"3":"s"}"#);
    assert_snapshot!(out(map([("a".into(), 1.into()), (kw("a"), 2.into()), ("c".into(), 3.into())])), @r#"{"a":2,"c":3}"#);
    assert_snapshot!(out(map([(kw("a"), 2.into()), ("a".into(), 1.into())])), @r#"{"a":2}"#);
    assert_snapshot!(out(vector([f64::NAN.into(), f64::INFINITY.into(), 2.0.into(), 1e300.into()])), @"[null,null,2.0,1e+300]");
    assert_snapshot!(out(vector([Value::Date(jiff::civil::date(2024, 3, 9)), Value::Instant(0), Value::Tool(Name::new("t"))])), @r##"["2024-03-09","1970-01-01T00:00:00Z","#<tool t>"]"##);
    assert_snapshot!(out(map([(Value::Date(jiff::civil::date(2024, 3, 9)), 1.into()), (Value::Nil, 2.into()), (vector([1.into()]), 3.into())])), @r#"{"2024-03-09":1,"nil":2,"[1]":3}"#);
    let mut error = Exception::new(Error::new(Reason::Exception, "boom"));
    error.attached.data = Some(map([(kw("k"), 1.into())]));
    assert_snapshot!(out(Value::Exception(error.into())), @r#"{"reason":"exception","message":"boom","data":{"k":1}}"#);
}

#[test]
fn nesting_has_a_bound() {
    assert_eq!(out(nested(511)).len(), 1_022 + 1);
    assert_snapshot!(out(nested(600)), @"nesting_too_deep: cannot write JSON nested more than 512 deep");
    let deep = (0..2_000).fold(json!(1), |inner, _| Json::Array(vec![inner]));
    assert_eq!(shown(&Value::from_json(deep)).matches('[').count(), 512);
    assert!(Value::from_json_str(&"[".repeat(100_000)).is_err());
}

#[test]
fn shared_parts_meet_the_memory_limit() {
    let shared = (0..60).fold(Value::from("leaf"), |inner, _| vector([inner.clone(), inner]));
    let limits = Limits { memory: 100_000, ..Limits::default() };
    let result = super::export::json_of(&shared, 0, &NoCells, &mut Meter::new(limits));
    assert!(format!("{result:?}").contains("MemoryExceeded"));
}

#[test]
fn host_data_is_marked() {
    let marked = |value: &Value| match value {
        Value::Vector(items) => items.is_external(),
        Value::Map(map) => map.is_external(),
        _ => false,
    };
    let value = Value::from_json(json!([{"a": [1]}]));
    let Value::Vector(items) = &value else { panic!() };
    assert!(marked(&value) && items.get(0).is_some_and(marked));
    let counted = Import::counted().value(json!([{"a": [1]}]));
    assert!(!marked(&counted));
}

/// The addresses of the strings of a vector.
fn addresses(value: &Value) -> Vec<usize> {
    let Value::Vector(items) = value else { panic!("{value:?}") };
    items.iter().map(|item| if let Value::Str(text) = item { text.address() } else { panic!("{item:?}") }).collect()
}

#[test]
fn a_key_that_comes_twice_takes_the_later_value() {
    let fields = |count: usize| (0..count).map(|n| format!(r#""k{n}": {n}, "#)).collect::<String>();
    for count in [1, 3, 7, 8, 20] {
        let value = Value::from_json_str(&format!(r#"{{{}"k0": "last"}}"#, fields(count))).unwrap();
        let map = value.as_map().unwrap();
        assert_eq!((map.len(), map.entry_at(0).map(|(_, value)| shown(value))), (count, Some("\"last\"".to_owned())));
    }
}

#[test]
fn short_strings_that_come_again_are_shared() {
    let long = "prose ".repeat(5);
    let many: Vec<String> = (0..20_000).map(|n| format!("s{}", n % 50)).collect();
    let found = addresses(&Value::from_json(json!(many)));
    // Two of them may need the same place, and are then created again and again.
    assert!(found.iter().collect::<std::collections::HashSet<_>>().len() < 8_000);
    let prose = addresses(&Value::from_json(json!([long, long])));
    assert_ne!(prose[0], prose[1]);
}

#[test]
fn an_import_goes_on_after_a_broken_text() {
    let mut import = Import::uncounted();
    assert!(import.text("[1, [2, 3, ").is_err());
    assert_eq!(shown(&import.text(r#"[4, {"a": [5]}]"#).unwrap()), "[4 {:a [5]}]");
}

fn json_shape() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        (-1e9..1e9_f64).prop_map(Json::from),
        ".{0,6}".prop_map(Json::from),
    ];
    leaf.prop_recursive(4, 40, 12, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..12).prop_map(Json::Array),
            prop::collection::vec((".{0,4}", inner), 0..12)
                .prop_map(|fields| Json::Object(fields.into_iter().collect())),
        ]
    })
}

/// JSON with numbers of any length, and strings that look like numbers and JSON punctuation.
fn number_texts() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        "-?[1-9][0-9]{0,60}",
        "-?[1-9][0-9]{17,21}",
        "-?(0|[1-9][0-9]{0,30})\\.[0-9]{1,20}",
        "-?[1-9][0-9]{0,20}[eE][+-]?[0-9]{1,2}",
        "[0-9,\\[\\]{}\"\\\\ e.-]{0,30}".prop_map(|text| Json::from(text).to_string()),
        Just("null".to_owned()),
    ];
    leaf.prop_recursive(3, 24, 6, |inner| {
        let key = "[0-9a-c\"\\\\]{0,24}".prop_map(|key| Json::from(key).to_string());
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(|items| format!("[{}]", items.join(", "))),
            prop::collection::vec((key, inner), 0..4).prop_map(|fields| format!(
                "{{{}}}",
                fields.iter().map(|(key, item)| format!("{key}:{item}")).collect::<Vec<_>>().join(" ,\n")
            )),
        ]
    })
}

/// The scalars of a value in order; no key occurs twice, because the later one would take the place of the earlier.
fn scalars(value: &Value, out: &mut Vec<String>) {
    match value {
        Value::Vector(items) => items.iter().for_each(|item| scalars(item, out)),
        Value::Map(map) => map.iter().for_each(|(_, item)| scalars(item, out)),
        other => out.push(shown(other)),
    }
}

#[test]
fn an_import_of_parts_is_external_and_takes_any_key() {
    let mut import = Import::uncounted();
    let (name, text) = (import.key("a b"), import.string("x"));
    let pair = import.list(vec![Value::Int(1), Value::Int(2)]);
    let map = import.map(vec![(name, text), (pair.clone(), Value::Nil), (pair, Value::Bool(true))]).expect("a map");
    let set = import.set(vec![map.clone(), map.clone()]).expect("a set");
    assert_eq!(shown(&set), r#"#{{"a b" "x" [1 2] true}}"#);
    let is_external = |value: &Value| value.sharing().is_some_and(|sharing| sharing.external);
    assert!(is_external(&map) && is_external(&set));
    assert!(!is_external(&Import::counted().set(vec![Value::Nil]).expect("a set")));
}

proptest! {
    #[test]
    fn any_integer_of_json_arrives_as_that_integer(digits in "-?[1-9][0-9]{0,60}") {
        let read = |text: &str| shown(&Value::from_json_str(text).unwrap());
        prop_assert_eq!(read(&digits), digits.clone());
        prop_assert_eq!(read(&format!("[1.5, {digits}, \"{digits}\", 1e300]")), format!("[1.5 {digits} \"{digits}\" 1.0e300]"));
        for long_tokens in [false, true] {
            let within = Import::within(&mut Meter::host(), &format!("{{\"n\": {digits}}}"), long_tokens).unwrap();
            prop_assert_eq!(within.map(|value| shown(&value)), Some(format!("{{:n {digits}}}")));
        }
    }

    #[test]
    fn numbers_of_json_are_what_they_are_alone(items in prop::collection::vec(number_texts(), 0..6)) {
        let whole = Value::from_json_str(&format!("[{}]", items.join(","))).unwrap();
        let (mut together, mut alone) = (Vec::new(), Vec::new());
        scalars(&whole, &mut together);
        items.iter().for_each(|item| scalars(&Value::from_json_str(item).unwrap(), &mut alone));
        prop_assert_eq!(together, alone);
    }

    #[test]
    fn json_comes_back_as_it_went_in(json in json_shape()) {
        let value = Value::from_json(json.clone());
        prop_assert_eq!(value.to_json().unwrap().to_string(), json.to_string());
        let read = Value::from_json_str(&json.to_string()).unwrap();
        prop_assert_eq!(serde_json::to_string(&read).unwrap(), json.to_string());
    }

    #[test]
    fn keyword_keys_read_back_as_that_keyword(name in "[ -~äß\u{200b}\u{a0}’“]{1,6}") {
        if super::is_key_name(&name) {
            let parsed = parse(&format!("[:{name} 1]")).map(|parsed| parsed.forms).unwrap();
            let FormKind::Vector(items) = &parsed[0].kind else { panic!("{parsed:?}") };
            prop_assert!(matches!(&items[0].kind, FormKind::Keyword(read) if *read == name) && items.len() == 2);
        }
    }
}

/// A value as in the arguments of a tool: under a keyword, next to a value with other keys.
fn around(value: Value) -> Map {
    match Value::map_from([(Value::keyword("value"), value), (Value::keyword("id"), Value::Int(1))]) {
        Value::Map(map) => map,
        other => panic!("{other:?} is no map"),
    }
}

#[test]
fn more_keys_than_are_remembered_keep_their_texts() {
    let names: Vec<String> = (0..40).map(|number| format!("key-{number}")).collect();
    let map = Value::map_from(names.iter().map(|name| (Value::keyword(name), Value::Nil)));
    let mut keys = KeyTexts::default();
    for _ in 0..2 {
        let shaped =
            super::json_shaped(map.as_map().unwrap(), &mut keys, &NoCells, &mut Meter::host()).expect("a shape");
        assert!(
            shaped
                .as_map()
                .unwrap()
                .iter()
                .map(|(key, _)| key.as_str())
                .eq(names.iter().map(|name| Some(name.as_str())))
        );
    }
}

proptest! {
    #[test]
    fn json_shaped_maps_are_what_their_json_reads_as(value in crate::value::tests::any_value()) {
        let (map, mut keys) = (around(value), KeyTexts::default());
        let json = super::export::json_of(&Value::Map(map.clone()), 0, &NoCells, &mut Meter::host()).expect("JSON");
        // The second time, the keys are known.
        super::json_shaped(&map, &mut keys, &NoCells, &mut Meter::host()).expect("a shape");
        let direct = super::json_shaped(&map, &mut keys, &NoCells, &mut Meter::host()).expect("a shape");
        let read = Import::with_text_keys().value(json);
        prop_assert_eq!(shown(&direct), shown(&read));
    }

    #[test]
    fn records_of_plain_values_are_shaped_as_other_maps(
        one in crate::value::tests::any_value(), other in crate::value::tests::any_value(), dash in any::<bool>(),
    ) {
        let columns = [Value::keyword("id"), Value::keyword(if dash { "row-id" } else { "row" })];
        let is_plain = |value: &Value| match value {
            Value::Nil | Value::Bool(_) | Value::Int(_) | Value::Str(_) => true,
            Value::Float(x) => x.is_finite(),
            _ => false,
        };
        let usual = is_plain(&one) && is_plain(&other) && !dash;
        let columns = Arc::new(Columns::of(columns.iter()).unwrap());
        let map = Map::record(&columns, vec![one, other].into()).unwrap();
        let (mut keys, mut meters) = (KeyTexts::default(), [Meter::host(), Meter::host()]);
        for _ in 0..2 {
            let [quick, plain] = &mut meters;
            let shaped = super::plainly_shaped(&map, &mut keys, quick).expect("a shape");
            prop_assert_eq!(shaped.is_some(), usual);
            if let Some(shaped) = shaped {
                let other = super::json_shaped(&map, &mut keys, &NoCells, plain).expect("a shape");
                prop_assert_eq!(shown(&Value::Map(shaped)), shown(&other));
                prop_assert_eq!((quick.fuel_used(), quick.charged), (plain.fuel_used(), plain.charged));
            }
        }
    }

    #[test]
    fn shaping_costs_the_fuel_that_writing_json_does(value in crate::value::tests::any_value()) {
        let mut meters = [Meter::host(), Meter::host()];
        let [direct, detour] = &mut meters;
        let map = around(value);
        super::json_shaped(&map, &mut KeyTexts::default(), &NoCells, direct).expect("a shape");
        super::export::json_of(&Value::Map(map), 0, &NoCells, detour).expect("JSON");
        prop_assert_eq!(direct.fuel_used(), detour.fuel_used());
    }
}
