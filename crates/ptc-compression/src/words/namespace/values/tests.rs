use insta::assert_snapshot;
use ptc_lisp::Value;
use serde_json::{Value as Json, json};

use crate::words::{DataView, SampleLimits, data_section};

/// What the list of data says of a value.
fn line(value: Json, shows_samples: bool) -> String {
    let values = Value::from_json(json!({ "d": value }));
    let none = indexmap::IndexMap::new();
    let view = DataView {
        values: values.as_map().unwrap(),
        shapes: None,
        signature: None,
        descriptions: [&none, &none],
        shows_samples,
    };
    data_section(&view, SampleLimits::default())
        .unwrap()
        .lines()
        .nth(1)
        .unwrap()
        .trim_start_matches("data/d")
        .trim_start()
        .to_owned()
}

fn rows(count: usize, row: impl Fn(usize) -> Json) -> Json {
    Json::Array((0..count).map(row).collect())
}

#[test]
fn long_lists_have_ranges_counts_and_gaps() {
    let cities = ["Bonn", "Ulm", "Bonn"];
    let row = |n: usize| {
        json!({
            "id": n, "city": cities[n % 3], "km": if n.is_multiple_of(7) { Json::Null } else { json!(n as f64 / 2.0) },
            "day": format!("2024-0{}-11", n % 9 + 1), "name": format!("customer {}", n / 2), "paid": n.is_multiple_of(4),
            "code": if n.is_multiple_of(50) { "NA".to_owned() } else { format!("c{n}") }
        })
    };
    assert_snapshot!(line(rows(120, row), true), @r#"; list[120] of {id :int, city :string, km :float?, day :string, name :string, paid :bool, code :string}, values: {:id 0..119, :city "Bonn" 80 | "Ulm" 40, :km 0.5..59.0 (18 nil), :day "2024-01-11".."2024-09-11", :name "customer 0" … 60 different, :paid true 30 | false 90, :code "c1" … 118 different (3 "NA")}"#);
    let text = line(rows(120, row), false);
    assert!(!text.contains("Bonn") && !text.contains("values"), "{text}");
    let text = line(rows(99, row), true);
    assert!(text.contains("sample: {:id 0"), "{text}");
}

#[test]
fn scalars_and_mixed_values_are_told_apart() {
    assert_snapshot!(line(rows(1_000, |n| json!(n * 3)), true), @"; list[1000] of int, values: 0..2997");
    assert_snapshot!(line(rows(400, |n| json!({"a": if n < 50 { json!(n) } else { json!("x") }, "b": 7})), true), @r#"; list[400] of {a :any, b :int}, values: {:a 0..49 or "x" 350, :b 7}"#);
    assert_snapshot!(line(rows(200, |n| json!({"tags": [n % 2, 5], "at": {"lat": n}})), true), @"; list[200] of {tags [:int], at {lat :int}}, values: {:tags [0..5], :at {:lat 0..199}}");
    assert_snapshot!(line(rows(400, |n| if n == 3 { json!({}) } else { json!({"only": 1}) }), true), @"; list[400] of {only :int?}, values: {:only 1 (1 nil)}");
}

#[test]
fn maps_that_are_not_shown_whole_are_profiled() {
    let cars = rows(93, |n| json!({"maker": {"name": format!("Maker {}", n % 4)}, "price": n * 100}));
    assert_snapshot!(line(json!({"meta": {"source": "Consumer Reports", "next": null}, "data": cars}), true), @r#"; map[2] of {meta {source :string, next :any}, data [{maker {name :string}, price :int}]}, values: {:meta {:source "Consumer Reports", :next nil}, :data [{:maker {:name "Maker 0" 24 | "Maker 1" 23 | "Maker 2" 23 | "Maker 3" 23}, :price 0..9200}]}"#);
    let keyed: serde_json::Map<_, _> = (0..400).map(|n| (format!("k{n}"), json!({"no": n, "open": true}))).collect();
    assert_snapshot!(line(Json::Object(keyed), true), @"; map[400] of {:keyword -> {no :int, open :bool}}, values: {:k0 … -> {:no 0..399, :open true 400}}");
}

#[test]
fn wide_records_and_long_texts_are_cut() {
    let wide = |n: usize| {
        Json::Object((0..60).map(|i| (format!("column-{i}"), json!(format!("{}{n}", "x".repeat(90))))).collect())
    };
    let text = line(rows(100, wide), true);
    assert!(text.ends_with(" more}") && text.chars().count() < 1_300, "{text}");
    assert!(!text.contains(&"x".repeat(50)), "{text}");
}
