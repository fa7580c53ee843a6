//! Laws of sorted tables: they behave like `BTreeMap`, also when versions share their chunks.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::{CHUNK, Order};
use crate::error::Signal;
use crate::limits::meter::Meter;
use crate::value::{LiveCount, Map, Set, Value};

#[derive(Clone, Debug)]
enum Change {
    Insert(i64, i64),
    Remove(i64),
    /// A change of the value in place, by number.
    Replace(usize, i64),
    /// Keep this version while the next ones change.
    Keep,
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    // Runs in order fill chunks and leave them; scattered keys split them.
    let scattered = prop_oneof![
        6 => (0_i64..600, any::<i64>()).prop_map(|(key, value)| vec![Change::Insert(key, value)]),
        3 => (0_i64..600).prop_map(|key| vec![Change::Remove(key)]),
        1 => (0_usize..600, any::<i64>()).prop_map(|(index, value)| vec![Change::Replace(index, value)]),
        1 => Just(vec![Change::Keep]),
    ];
    let runs = prop_oneof![
        (0_i64..600, 1_i64..200)
            .prop_map(|(from, count)| (from..from + count).map(|key| Change::Insert(key, key)).collect()),
        (0_i64..600, 1_i64..200).prop_map(|(from, count)| (from..from + count).rev().map(Change::Remove).collect()),
    ];
    prop::collection::vec(prop_oneof![12 => scattered, 1 => runs], 1..300).prop_map(|parts| parts.concat())
}

fn entries(map: &Map) -> Vec<(i64, i64)> {
    let int = |value: &Value| match value {
        Value::Int(n) => *n,
        other => panic!("{other:?}"),
    };
    map.iter().map(|(key, value)| (int(key), int(value))).collect()
}

/// What `map` must hold, in its order.
fn expected(model: &BTreeMap<i64, i64>, order: &Order) -> Vec<(i64, i64)> {
    let rising = model.iter().map(|(key, value)| (*key, *value));
    if matches!(order, Order::Descending) { rising.rev().collect() } else { rising.collect() }
}

/// Every chunk holds at least one entry and no more than allowed.
fn check_shape(map: &Map) {
    let table = map.as_sorted().expect("a sorted map");
    assert!(table.chunks().iter().all(|chunk| (1..=CHUNK).contains(&chunk.len())));
    assert_eq!(table.chunks().iter().map(|chunk| chunk.len()).sum::<usize>(), table.len());
    assert!(table.chunks().windows(2).all(|pair| pair[0].len() + pair[1].len() > CHUNK / 2));
}

fn change(map: &mut Map, model: &mut BTreeMap<i64, i64>, change: &Change, meter: &mut Meter) {
    match change {
        Change::Insert(key, value) => {
            let old = map.insert((*key).into(), (*value).into(), meter).unwrap();
            assert_eq!(old.is_some(), model.insert(*key, *value).is_some());
        }
        Change::Remove(key) => {
            let old = map.remove(&(*key).into(), meter).unwrap();
            assert_eq!(old.is_some(), model.remove(key).is_some());
        }
        Change::Replace(index, value) => {
            let key = map.entry_at(*index).map(|(key, _)| key.clone());
            assert_eq!(key.is_some(), *index < model.len());
            if let Some(Value::Int(key)) = key {
                *map.value_mut(*index, meter).unwrap().expect("an entry") = (*value).into();
                model.insert(key, *value);
            }
        }
        Change::Keep => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_sorted_map_is_a_btree_map(changes in changes(), descending in any::<bool>(), probes in prop::collection::vec(-1_i64..801, 8)) {
        let mut meter = Meter::host();
        let order = if descending { Order::Descending } else { Order::Ascending };
        let (mut map, mut model) = (Map::sorted(order.clone()), BTreeMap::new());
        let mut kept = Vec::new();
        for one in &changes {
            change(&mut map, &mut model, one, &mut meter);
            if matches!(one, Change::Keep) {
                kept.push((map.clone(), model.clone()));
            }
        }
        kept.push((map, model));
        for (map, model) in &kept {
            check_shape(map);
            prop_assert_eq!(map.len(), model.len());
            prop_assert_eq!(entries(map), expected(model, &order));
            let table = map.as_sorted().expect("a sorted map");
            for probe in &probes {
                let found = map.lookup(&(*probe).into(), &mut meter).unwrap();
                prop_assert_eq!(found.is_some(), model.contains_key(probe));
                let before = if descending { model.range(probe + 1..).count() } else { model.range(..probe).count() };
                prop_assert_eq!(table.boundary(&(*probe).into(), &mut meter).unwrap(), (before, model.contains_key(probe)));
                let rest: Vec<_> = table.iter_from(before).map(|(key, _)| key.clone()).collect();
                prop_assert_eq!(rest.len(), model.len() - before);
            }
        }
    }

    #[test]
    fn equality_does_not_ask_for_the_order(keys in prop::collection::btree_set(0_i64..300, 0..200)) {
        let mut meter = Meter::host();
        let pairs = || keys.iter().map(|key| (Value::Int(*key), Value::Int(key * 2)));
        let plain = Map::from_pairs(pairs(), &mut meter).unwrap();
        let by_function = Map::sorted(Order::By(Value::Nil)).rebuilt(pairs(), &mut meter).unwrap();
        let mut rising = Map::sorted(Order::Ascending);
        for (key, value) in pairs() {
            rising.insert(key, value, &mut meter).unwrap();
        }
        let falling = Map::sorted(Order::Descending).rebuilt(pairs().rev(), &mut meter).unwrap();
        let maps = [plain, rising, falling, by_function].map(Value::Map);
        for one in &maps {
            for other in &maps {
                prop_assert!(one.equals(other, &mut meter).unwrap());
            }
        }
    }
}

#[test]
fn spellings_of_keys_are_told_apart_by_what_is_there() {
    let mut meter = Meter::host();
    let map = |keys: &[Value]| {
        let mut map = Map::sorted(Order::Ascending);
        for key in keys {
            map.insert(key.clone(), 1.into(), &mut Meter::host()).unwrap();
        }
        map
    };
    let (keywords, strings) =
        (map(&[Value::Nil, Value::keyword("a"), Value::keyword("b")]), map(&["a".into(), "b".into()]));
    for map in [&keywords, &strings] {
        assert!(map.lookup(&Value::keyword("a"), &mut meter).unwrap().is_some());
        assert!(map.lookup(&"b".into(), &mut meter).unwrap().is_some());
        assert!(map.lookup(&"c".into(), &mut meter).unwrap().is_none());
        assert!(map.lookup(&Value::keyword("c"), &mut meter).unwrap().is_none());
        assert!(map.get_named("a").is_some() && map.get_named("c").is_none());
    }
    assert!(keywords.lookup(&Value::Nil, &mut meter).unwrap().is_some());
    assert!(map(&[]).lookup(&"c".into(), &mut meter).unwrap().is_none());
    assert!(map(&[1.into()]).get_named("c").is_none());
}

#[test]
fn keys_without_an_order_together_are_refused_and_nothing_changes() {
    let mut meter = Meter::host();
    let mut map = Map::sorted(Order::Ascending);
    map.insert(1.into(), 1.into(), &mut meter).unwrap();
    for key in [Value::string("a"), f64::NAN.into(), Value::Map(Map::new())] {
        let Err(signal) = map.insert(key, 2.into(), &mut meter) else { panic!("inserted") };
        let Signal::Error(error) = *signal else { panic!("no error") };
        assert!(error.message.starts_with("cannot compare "), "{}", error.message);
        assert!(
            error.message.ends_with(": the keys of a sorted collection must be comparable with each other"),
            "{}",
            error.message
        );
    }
    assert_eq!(entries(&map), [(1, 1)]);
    // 1 and 1.0 compare equal, so they are one key; the first spelling stays.
    map.insert(1.0.into(), 3.into(), &mut meter).unwrap();
    assert_eq!(entries(&map), [(1, 3)]);
}

#[test]
fn a_function_cannot_order_without_a_run() {
    let mut set = Set::sorted(Order::By(Value::keyword("f")));
    let mut meter = Meter::host();
    assert!(set.insert(1.into(), &mut meter).unwrap());
    let Err(signal) = set.insert(2.into(), &mut meter) else { panic!("inserted") };
    assert!(format!("{signal:?}").contains("cannot run here"), "{signal:?}");
    assert_eq!(set.len(), 1);
}

#[test]
fn versions_share_their_chunks_in_memory() {
    let count = |values: &[&Value]| {
        let mut live = LiveCount::new();
        values.iter().for_each(|value| live.add(value));
        live.bytes()
    };
    let mut meter = Meter::host();
    let first = (0..10_000).fold(Map::sorted(Order::Ascending), |mut map, key| {
        map.insert(key.into(), key.into(), &mut meter).unwrap();
        map
    });
    let mut second = first.clone();
    second.insert(5_000.into(), Value::Nil, &mut meter).unwrap();
    let (first, second) = (Value::Map(first), Value::Map(second));
    let one = count(&[&first]);
    assert!((320_000..700_000).contains(&one), "{one}");
    let both = count(&[&first, &second]);
    assert!(both < one + 10_000, "{one} {both}");
    let held: Value = "x".repeat(5_000).into();
    let ordered = Value::Set(Set::sorted(Order::By(Value::vector(vec![held]))));
    assert!(count(&[&ordered]) > 5_000, "the comparator is counted");
}

#[test]
fn a_deep_value_in_a_sorted_map_is_dropped_on_a_small_stack() {
    let work = || {
        let mut meter = Meter::host();
        let deep = (0..200_000).fold(Value::Nil, |inner, _| {
            let mut map = Map::sorted(Order::Ascending);
            map.insert(1.into(), inner, &mut meter).unwrap();
            Value::Map(map)
        });
        drop(deep);
    };
    std::thread::Builder::new().stack_size(512 * 1024).spawn(work).unwrap().join().unwrap();
}
