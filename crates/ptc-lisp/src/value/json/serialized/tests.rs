//! Direct serialization, compared with that through a JSON document.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde::Serialize;
use serde_json::json;
use serde_json::value::RawValue;

use crate::value::{FormatOptions, Import, Value, format};

fn shown(value: &Value) -> String {
    format(value, &FormatOptions { hide: false, ..FormatOptions::full() }).text
}

/// Both ways must agree on the value, or on the error; returns the common result.
fn both<T: Serialize + ?Sized>(value: &T) -> String {
    let direct = Import::counted().serialized(value).map_err(|error| error.to_string());
    let detour =
        serde_json::to_value(value).map(|json| Import::counted().value(json)).map_err(|error| error.to_string());
    let [direct, detour] = [direct, detour].map(|made| made.as_ref().map_or_else(Clone::clone, shown));
    assert_eq!(direct, detour);
    direct
}

#[derive(Clone, Debug, Serialize)]
enum Shape {
    Nothing,
    Flag(bool),
    Count(u64),
    Share(f64),
    Ratio(f32),
    Letter(char),
    Text(String),
    Maybe(Option<Box<Shape>>),
    Pair(i8, Box<Shape>),
    Row {
        id: u16,
        #[serde(rename = "row/name")]
        name: String,
        rest: Vec<Shape>,
    },
    Table(BTreeMap<String, Shape>),
    Flat(Flat),
}

/// A struct whose fields are next to those of a map, which may have the same names.
#[derive(Clone, Debug, Serialize)]
struct Flat {
    id: i64,
    #[serde(flatten)]
    more: BTreeMap<String, i64>,
}

fn any_shape() -> impl Strategy<Value = Shape> {
    let leaf = prop_oneof![
        Just(Shape::Nothing),
        any::<bool>().prop_map(Shape::Flag),
        any::<u64>().prop_map(Shape::Count),
        any::<f64>().prop_map(Shape::Share),
        any::<f32>().prop_map(Shape::Ratio),
        any::<char>().prop_map(Shape::Letter),
        ".{0,6}".prop_map(Shape::Text),
        (any::<i64>(), prop::collection::btree_map("[a-z/]{0,2}|id", any::<i64>(), 0..3))
            .prop_map(|(id, more)| Shape::Flat(Flat { id, more })),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::option::of(inner.clone()).prop_map(|shape| Shape::Maybe(shape.map(Box::new))),
            (any::<i8>(), inner.clone()).prop_map(|(n, shape)| Shape::Pair(n, Box::new(shape))),
            (any::<u16>(), ".{0,3}", prop::collection::vec(inner.clone(), 0..6))
                .prop_map(|(id, name, rest)| Shape::Row { id, name, rest }),
            prop::collection::btree_map(".{0,3}", inner, 0..6).prop_map(Shape::Table),
        ]
    })
}

proptest! {
    #[test]
    fn writing_directly_is_reading_the_document(shape in any_shape()) {
        both(&shape);
    }
}

#[test]
fn what_is_unusual_is_left_to_serde_json() {
    assert_eq!(both(&BTreeMap::from([(1, true), (2, false)])), r#"{"1" true "2" false}"#);
    assert_eq!(both(&BTreeMap::from([(true, ())])), "{:true nil}");
    assert_eq!(both(&(1_u128, -7_i128)), "[1 -7]");
    assert_eq!(both(&RawValue::from_string("{\"a\": [1, 2.50]}".to_owned()).unwrap()), "{:a [1 2.5]}");
    assert_eq!(both(&json!({"a": [null, {"b": 1}], "c": "x"})), r#"{:a [nil {:b 1}] :c "x"}"#);
    assert_eq!(both(&BTreeMap::from([(Some("a"), 1)])), "key must be a string");
}

#[test]
fn one_import_writes_several_values_after_an_unusual_one() {
    let mut import = Import::counted();
    let unusual = (vec![1, 2], BTreeMap::from([("a", BTreeMap::from([(1, 2)]))]));
    assert_eq!(shown(&import.serialized(&unusual).unwrap()), r#"[[1 2] {:a {"1" 2}}]"#);
    assert_eq!(shown(&import.serialized(&[3]).unwrap()), "[3]");
}

#[test]
fn integers_beyond_64_bits_are_written_whole() {
    let written = |value: &dyn Fn(&mut Import) -> Result<Value, serde_json::Error>| {
        shown(&value(&mut Import::counted()).unwrap())
    };
    assert_eq!(
        written(&|import| import.serialized(&(u64::MAX, u128::MAX))),
        "[18446744073709551615 340282366920938463463374607431768211455]"
    );
    assert_eq!(written(&|import| import.serialized(&[i128::MIN])), "[-170141183460469231731687303715884105728]");
    let raw = |text: &str| RawValue::from_string(text.to_owned()).unwrap();
    let rows = (0.5_f32, [raw("[1, {\"n\": 100000000000000000000}]"), raw("2")], 3);
    assert_eq!(written(&|import| import.serialized(&rows)), "[0.5 [[1 {:n 100000000000000000000}] 2] 3]");
}
