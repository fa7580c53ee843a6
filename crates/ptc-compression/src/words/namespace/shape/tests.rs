use insta::assert_snapshot;
use proptest::prelude::*;
use ptc_lisp::signature::Type;
use serde_json::{Value as Json, json};

use super::*;

/// The label of a value.
fn check(json: Json) -> String {
    of(&Value::from_json(json))
}

fn of(value: &Value) -> String {
    Examined::of(value, false).map_or_else(|| type_of(value), |examined| examined.label)
}

#[test]
fn lists_of_maps_name_their_fields() {
    assert_snapshot!(check(json!([{"id": "a", "kg": 1}, {"id": "b", "kg": 2.5, "note": null}, {"id": null, "kg": 3, "note": "x"}])), @"list[3] of {id :string?, kg :float, note :string?}");
    assert_snapshot!(check(json!([{"id": "a", "tags": ["x"], "at": {"lat": 1.5}}, {"id": "b", "tags": [], "at": {}}])), @"list[2] of {id :string, tags [:string], at {lat :float?}}");
    assert_snapshot!(check(json!([{"Species": "x", "Body Mass (g)": 1, "_id": 7}])), @r#"list[1] of {Species :string, "Body Mass (g)" :int}"#);
    assert_snapshot!(check(json!([{"a": 1}, {"a": "x"}, {"a": [1]}])), @"list[3] of {a :any}");
    assert_snapshot!(check(json!([{"a": null}, null])), @"list[2] of {a :any}?");
    assert_snapshot!(check(json!([{"a": {"b": {"c": [{"d": [[1]]}]}}}])), @"list[1] of {a {b {c [{d [[:int]]}]}}}");
}

#[test]
fn lists_of_scalars_name_their_type() {
    assert_snapshot!(check(json!([1, 2, 3])), @"list[3] of int");
    assert_snapshot!(check(json!([1, 2.5, null])), @"list[3] of float?");
    assert_snapshot!(check(json!([[true], []])), @"list[2] of [bool]");
    assert_snapshot!(check(json!([1, "x"])), @"list[2] of any");
    assert_snapshot!(check(json!([null])), @"list[1] of any");
    assert_snapshot!(check(json!([[], []])), @"list[2] of [any]");
    assert_snapshot!(check(json!([])), @"list[0]");
}

#[test]
fn maps_name_their_fields_or_the_types_of_keys_and_values() {
    let many =
        |n: usize, item: &dyn Fn(usize) -> Json| Json::Object((0..n).map(|i| (format!("k{i}"), item(i))).collect());
    assert_snapshot!(check(json!({"limit": 3, "currency": "EUR", "rates": [1.5]})), @"map[3] of {limit :int, currency :string, rates [:float]}");
    assert_snapshot!(check(many(21, &|i| json!(i))), @"map[21] of {:keyword -> :int}");
    assert_snapshot!(check(many(21, &|i| json!({"no": i, "open": true}))), @"map[21] of {:keyword -> {no :int, open :bool}}");
    assert_snapshot!(check(json!((0..30).map(|i| json!({format!("k{i}"): i, "two words": 1})).collect::<Vec<_>>())), @"list[30] of {:any -> :int}");
    let mixed = check(many(21, &|i| if i == 3 { json!("x") } else { json!(i) }));
    assert!(mixed.starts_with("map[21] of {k0 :int, k1 :int, k2 :int, k3 :string, "), "{mixed}");
    let numbered = Value::map_from([(Value::Int(1), Value::Bool(true)), (Value::Int(2), Value::Nil)]);
    assert_snapshot!(of(&numbered), @"map[2] of {:int -> :bool?}");
    assert_snapshot!(check(json!({})), @"map[0]");
}

#[test]
fn other_values_have_their_kind() {
    assert_snapshot!(check(json!(250)), @"integer");
    assert_snapshot!(check(json!("text")), @"string");
    assert_snapshot!(check(json!(null)), @"nil");
    assert_snapshot!(of(&Value::vector(vec![Value::Instant(0)])), @"list[1] of any");
}

#[test]
fn labels_are_cut_at_fields() {
    let row = |n: usize| {
        Json::Object(
            (0..n).map(|i| (format!("a-long-column-name-{i}"), if i == 0 { json!(true) } else { json!(i) })).collect(),
        )
    };
    let label = check(json!([row(30), {}]));
    assert!(label.starts_with("list[2] of {a-long-column-name-0 :bool?, "), "{label}");
    assert!(label.ends_with(", … 16 more}"), "{label}");
    assert!(label.chars().count() <= LABEL_CHARS + 20, "{label}");
    let inner = check(json!([{"a": row(30), "b": 1, "c": [row(30)]}]));
    assert!(inner.ends_with(", … 16 more}, … 2 more}"), "{inner}");
    let last = check(json!([{"b": 1, "c": [row(30)]}]));
    assert!(last.starts_with("list[1] of {b :int, c [{a-long-") && last.ends_with("more}]}"), "{last}");
    let name = check(json!([{"x y ".repeat(200): 1}]));
    assert!(name.chars().count() < 90, "{name}");
}

#[test]
fn long_lists_are_sampled_evenly() {
    let row = |i: usize| if i < 5_000 { json!({"a": 1}) } else { json!({"a": 1.5, "b": "x"}) };
    assert_snapshot!(check(json!((0..10_000).map(row).collect::<Vec<_>>())), @"list[10000] of {a :float, b :string?}");
    assert_snapshot!(check(json!((0..25_000).map(row).collect::<Vec<_>>())), @"list[25000] of {a :float, b :string?} (from 10,000 of them)");
    assert_snapshot!(check(json!([vec![1; 10_001]])), @"list[1] of [int] (from a part of them)");
}

/// Values that share their parts look larger than they are.
#[test]
fn looking_is_bounded() {
    let nested = (0..60).fold(Value::Int(1), |inner, _| Value::vector(vec![inner.clone(), inner]));
    assert_snapshot!(of(&nested), @"list[2] of [[[[[[[[any]]]]]]]]");
    let wide = Value::vector(vec![Value::Int(1); 5_000]);
    let wide = Value::vector(vec![wide; 5_000]);
    assert_snapshot!(of(&wide), @"list[5000] of [int] (from 400 of them)");
}

#[test]
fn short_values_are_shown_whole_within_what_all_may_have() {
    let text = |n: usize| json!("x".repeat(n - 2));
    let shapes = |values: Json| {
        let shapes = DataShapes::new(Value::from_json(values).as_map().unwrap());
        shapes.entries.into_iter().map(|(key, shape)| (key, shape.whole.map(|text| text.len()))).collect::<Vec<_>>()
    };
    let whole = |key: &str, size: usize| (key.to_owned(), Some(size));
    let cut = |key: &str| (key.to_owned(), None);
    assert_eq!(shapes(json!({"a": text(2_000), "b": text(2_001)})), [whole("a", 2_000), cut("b")]);
    let several = json!({"a": text(1_999), "b": text(1_999), "c": text(3), "d": 7, "_e": 1, "fail": 1});
    assert_eq!(shapes(several), [whole("a", 1_999), whole("b", 1_999), cut("c"), whole("d", 1)]);
}

#[test]
fn texts_have_a_length() {
    assert_snapshot!(length(&"a line\n".repeat(1_234_567)), @"8,641,969 characters in 1,234,567 lines");
    assert_snapshot!(length("ü"), @"1 character in 1 line");
}

/// Data of any shape.
fn any_json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<i32>().prop_map(Json::from),
        Just(json!(2.5)),
        Just(json!(true)),
        Just(json!("x"))
    ];
    leaf.prop_recursive(4, 60, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Json::from),
            prop::collection::btree_map("[a-e]|two words", inner, 0..5)
                .prop_map(|fields| Json::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    /// The element type of the label holds for each element.
    #[test]
    fn every_element_has_the_type_of_the_label(items in prop::collection::vec(any_json(), 1..6)) {
        let value = Value::from_json(Json::from(items));
        let mut seen = ShapeSummary::default();
        Looker::new().elements(value.as_vector().unwrap(), &mut seen);
        let ty = without_odd_names(&seen.ty());
        for item in value.as_vector().unwrap().iter() {
            let findings = ptc_lisp::signature::validate(item, &ty, ptc_lisp::signature::ExtraFields::Allowed);
            prop_assert!(findings.is_empty() || item.is_nil() && ty == Type::Any, "{ty}: {findings:?}");
        }
    }

    /// The order of the elements does not matter for the types of fields.
    #[test]
    fn labels_do_not_depend_on_the_order_of_elements(items in prop::collection::vec(any_json(), 1..6)) {
        let fields = |items: Vec<Json>| {
            let mut words: Vec<String> = check(Json::from(items)).split([',', '{', '}']).map(|word| word.trim().to_owned()).collect();
            words.sort();
            words
        };
        prop_assert_eq!(fields(items.clone()), fields(items.into_iter().rev().collect()));
    }
}

/// Fields under quoted names are those of string keys, which signatures cannot name.
fn without_odd_names(ty: &Type) -> Type {
    match ty {
        Type::Optional(inner) => without_odd_names(inner).optional(),
        Type::List(element) => Type::List(Box::new(without_odd_names(element))),
        Type::MapOf(key, value) => Type::MapOf(key.clone(), Box::new(without_odd_names(value))),
        Type::Record(fields) => {
            let named = fields.iter().filter(|field| !field.name.starts_with('"'));
            Type::Record(named.map(|field| Field::new(&field.name, without_odd_names(&field.ty))).collect())
        }
        other => other.clone(),
    }
}
