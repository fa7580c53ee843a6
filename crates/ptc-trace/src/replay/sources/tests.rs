//! Where values come from.

use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::*;

fn of(read: &[&str], results: &[Json], leaf: &Json) -> Source {
    let mut sources = Sources::default();
    read.iter().for_each(|text| sources.read(text));
    results.iter().for_each(|result| sources.returned(result.clone()));
    sources.of(leaf)
}

#[test]
fn what_was_read_comes_first() {
    let results = [json!({"id": 7})];
    assert_eq!(of(&["Order 7, please"], &results, &json!(7)), Source::Read);
    assert_eq!(of(&["It costs 1,050.00 euros."], &[], &json!(1050)), Source::Read);
    assert_eq!(of(&["in March 2022."], &[], &json!(2022)), Source::Read);
    assert_eq!(of(&["Pay UK123"], &[], &json!("uk123")), Source::Read);
}

#[test]
fn a_number_is_no_part_of_another_one() {
    assert_eq!(of(&["room 17 or x7"], &[], &json!(7)), Source::Own);
    assert_eq!(of(&["0.75"], &[], &json!(75)), Source::Own);
    assert_eq!(of(&["version 1.2.3"], &[], &json!(1.2)), Source::Own);
    assert_eq!(of(&["nan and inf"], &[], &json!(1)), Source::Own);
}

#[test]
fn the_newest_result_is_the_source() {
    let results = [json!({"id": 7}), json!([{"a": 1}, {"id": 7.0}])];
    let path = vec![Place::Index(1), Place::Key("id".into())];
    assert_eq!(of(&[], &results, &json!(7)), Source::Value { call: 1, path });
    assert_eq!(
        of(&[], &[json!("id 7"), json!({"id": 7})], &json!(7)),
        Source::Value { call: 1, path: vec![Place::Key("id".into())] }
    );
    assert_eq!(of(&[], &[json!("whole")], &json!("whole")), Source::Value { call: 0, path: vec![] });
}

#[test]
fn a_text_inside_a_text_must_be_read() {
    let results = [json!({"body": "Pay to UK12 by Monday"}), json!("nothing")];
    assert_eq!(of(&[], &results, &json!("uk12")), Source::Within { call: 0 });
}

#[test]
fn some_values_need_no_source() {
    let results = [json!({"a": true, "b": null, "c": ""})];
    for leaf in [json!(true), Json::Null, json!(""), json!(" ")] {
        assert_eq!(of(&["true null"], &results, &leaf), Source::Own);
    }
}

proptest! {
    /// Wherever a value is said to be, it is.
    #[test]
    fn a_path_leads_to_the_value(keys in prop::collection::vec("[a-c]", 1..4), number in 0..5_i64, other in 0..5_i64) {
        let nested = keys.iter().rev().fold(json!([other, number]), |inner, key| json!({key.as_str(): inner}));
        let Source::Value { path, .. } = of(&[], std::slice::from_ref(&nested), &json!(number)) else { panic!("not found") };
        let found = path.iter().fold(&nested, |value, place| match place {
            Place::Key(key) => &value[key],
            Place::Index(index) => &value[index],
        });
        prop_assert_eq!(found, &json!(number));
    }
}
