use std::sync::Arc;

use proptest::prelude::*;

use super::{Columns, Map};
use crate::limits::meter::Meter;
use crate::value::Value;

/// One change or lookup.
#[derive(Clone, Debug)]
enum Act {
    Insert(Value, i64),
    Assoc(Value, i64),
    Remove(Value),
    Replace(usize, i64),
}

fn key() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => "[a-f]".prop_map(|name| Value::keyword(&name)),
        1 => "[a-h]".prop_map(Value::string),
        1 => (0..3_i64).prop_map(Value::Int),
    ]
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        (key(), any::<i64>()).prop_map(|(key, value)| Act::Insert(key, value)),
        (key(), any::<i64>()).prop_map(|(key, value)| Act::Assoc(key, value)),
        key().prop_map(Act::Remove),
        (0..12_usize, any::<i64>()).prop_map(|(place, value)| Act::Replace(place, value)),
    ]
}

fn apply(map: &mut Map, act: &Act, meter: &mut Meter) {
    match act {
        Act::Insert(key, value) => drop(map.insert(key.clone(), Value::Int(*value), meter).expect("a plain key")),
        Act::Assoc(key, value) => map.assoc(key.clone(), Value::Int(*value), meter).expect("a plain key"),
        Act::Remove(key) => drop(map.remove(key, meter).expect("a plain key")),
        Act::Replace(place, value) => {
            if let Some(slot) = map.value_mut(*place, meter).expect("room") {
                *slot = Value::Int(*value);
            }
        }
    }
}

fn entries(map: &Map) -> Vec<(Value, Value)> {
    map.iter().map(|(key, value)| (key.clone(), value.clone())).collect()
}

proptest! {
    /// A record is a map like any other: only its keys are stored elsewhere.
    #[test]
    fn a_record_behaves_like_a_map_of_its_entries(
        names in prop::collection::btree_set("[a-z]{1,2}", 1..16),
        acts in prop::collection::vec(act(), 0..12),
        probes in prop::collection::vec(key(), 6),
        keep in any::<bool>(),
    ) {
        let meter = &mut Meter::host();
        let keys: Vec<Value> = names.iter().map(|name| Value::keyword(name)).collect();
        let values: Vec<Value> = (0..keys.len() as i64).map(Value::Int).collect();
        let columns = Arc::new(Columns::of(keys.iter()).expect("different keywords"));
        let mut record = Map::record(&columns, values.clone().into()).expect("a value for each key");
        let mut plain = Map::from_pairs(keys.into_iter().zip(values), meter).expect("plain keys");
        // With a second holder, every first write copies.
        let (kept, before) = (keep.then(|| record.clone()), entries(&record));
        for act in &acts {
            apply(&mut record, act, meter);
            apply(&mut plain, act, meter);
            prop_assert_eq!(record.len(), plain.len());
            for ((key, value), (other, same)) in record.iter().zip(plain.iter()) {
                prop_assert!(key.is_identical(other, meter).expect("plain") && value.is_identical(same, meter).expect("plain"));
            }
            for probe in &probes {
                let (found, expected) = (record.slot(probe, meter).expect("plain"), plain.slot(probe, meter).expect("plain"));
                prop_assert_eq!(found.map(|(place, _, value)| (place, format!("{value:?}"))), expected.map(|(place, _, value)| (place, format!("{value:?}"))));
                prop_assert_eq!(record.find(probe, meter).expect("plain").is_some(), plain.find(probe, meter).expect("plain").is_some());
            }
            prop_assert!(Value::Map(record.clone()).is_identical(&Value::Map(plain.clone()), meter).expect("plain"));
        }
        if let Some(kept) = kept {
            prop_assert_eq!(format!("{:?}", entries(&kept)), format!("{before:?}"));
        }
    }
}

#[test]
fn columns_are_different_keywords_and_not_too_many() {
    let keywords = |count: usize| (0..count).map(|n| Value::keyword(&format!("k{n}"))).collect::<Vec<_>>();
    assert!(Columns::of(keywords(16).iter()).is_some());
    assert!(Columns::of(keywords(17).iter()).is_none());
    assert!(Columns::of(keywords(0).iter()).is_none());
    assert!(Columns::of([Value::keyword("a"), Value::keyword("a")].iter()).is_none());
    assert!(Columns::of([Value::string("a")].iter()).is_none());
    let columns = Arc::new(Columns::of(keywords(2).iter()).expect("two keywords"));
    assert!(columns.are(keywords(2).iter()) && !columns.are(keywords(3).iter()));
    assert!(Map::record(&columns, vec![Value::Nil].into()).is_none());
}
