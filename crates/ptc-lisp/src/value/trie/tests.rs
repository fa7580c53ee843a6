//! Laws of tries: naive collections as references, versions that stay, forms that cannot be distinguished.

use std::collections::VecDeque;

use indexmap::IndexMap;
use proptest::prelude::*;

use super::index::{Index, Mark};
use super::{EntryTrie, Trie};
use crate::error::Error;
use crate::limits::meter::Meter;
use crate::limits::release::Batch;
use crate::value::key::Key;
use crate::value::size::LiveCount;
use crate::value::{FormatOptions, Map, Set, Value, Vector, format};

fn int(value: &Value) -> i64 {
    if let Value::Int(n) = value { *n } else { panic!("{value:?}") }
}

fn ints(range: std::ops::Range<i64>) -> impl ExactSizeIterator<Item = Value> {
    (0..(range.end - range.start) as usize).map(move |at| Value::Int(range.start + at as i64))
}

fn live(values: &[&Value]) -> u64 {
    let mut count = LiveCount::new();
    values.iter().for_each(|value| count.add(value));
    count.bytes()
}

/// A step on a sequence; places are taken modulo its length.
#[derive(Clone, Debug)]
enum Step {
    Push(i64),
    PushMany(i64),
    PushFront(i64),
    PushFrontMany(i64),
    Set(usize, i64),
    Keep(usize, usize),
    DropLast,
    DropFirst,
    /// Continue with an older version.
    Back(usize),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => any::<i64>().prop_map(Step::Push),
        2 => (1..1_200_i64).prop_map(Step::PushMany),
        3 => any::<i64>().prop_map(Step::PushFront),
        1 => (1..100_i64).prop_map(Step::PushFrontMany),
        4 => (any::<usize>(), any::<i64>()).prop_map(|(at, n)| Step::Set(at, n)),
        1 => (0..120_usize, 0..120_usize).prop_map(|(from, to)| Step::Keep(from, to)),
        2 => Just(Step::DropLast),
        2 => Just(Step::DropFirst),
        2 => any::<usize>().prop_map(Step::Back),
    ]
}

/// The step on the reference.
fn play(model: &mut VecDeque<i64>, step: &Step) {
    match *step {
        Step::Push(n) => model.push_back(n),
        Step::PushMany(count) => model.extend(0..count),
        Step::PushFront(n) => model.push_front(n),
        Step::PushFrontMany(count) => (0..count).for_each(|n| model.push_front(n)),
        Step::Set(at, n) => {
            let length = model.len().max(1);
            if let Some(place) = model.get_mut(at % length) {
                *place = n;
            }
        }
        Step::Keep(front, back) => {
            model.truncate(model.len().saturating_sub(back));
            model.drain(..front.min(model.len()));
        }
        Step::DropLast => drop(model.pop_back()),
        Step::DropFirst => drop(model.pop_front()),
        Step::Back(_) => {}
    }
}

/// The step on a trie.
fn apply(trie: &mut Trie<Value>, step: &Step, made: &mut usize) {
    match *step {
        Step::Push(n) => trie.push(n.into(), made),
        Step::PushMany(count) => ints(0..count).for_each(|item| trie.push(item, made)),
        Step::PushFront(n) => trie.push_front(n.into(), made),
        Step::PushFrontMany(count) => ints(0..count).for_each(|item| trie.push_front(item, made)),
        Step::Set(at, n) => {
            let length = trie.len().max(1);
            if let Some(place) = trie.get_mut(at % length, made) {
                *place = n.into();
            }
        }
        Step::Keep(front, back) => {
            let end = trie.len().saturating_sub(back);
            trie.keep(front.min(end), end, made);
        }
        Step::DropLast => trie.keep(0, trie.len().saturating_sub(1), made),
        Step::DropFirst => trie.keep(1, trie.len(), made),
        Step::Back(_) => {}
    }
}

/// The step on a vector.
fn change(vector: &mut Vector, step: &Step) {
    let mut meter = Meter::host();
    match *step {
        Step::Push(n) => vector.push(n.into(), &mut meter).unwrap(),
        Step::PushMany(count) => vector.extend(ints(0..count), &mut meter).unwrap(),
        Step::PushFront(n) => vector.push_front(n.into(), &mut meter).unwrap(),
        Step::PushFrontMany(count) => ints(0..count).for_each(|item| vector.push_front(item, &mut meter).unwrap()),
        Step::Set(at, n) => {
            let length = vector.len().max(1);
            if let Some(place) = vector.get_mut(at % length, &mut meter).unwrap() {
                *place = n.into();
            }
        }
        Step::Keep(front, back) => {
            let end = vector.len().saturating_sub(back);
            vector.keep(front, end, &mut meter).unwrap();
        }
        Step::DropLast => vector.drop_last(&mut meter).unwrap(),
        Step::DropFirst => vector.keep(1, usize::MAX, &mut meter).unwrap(),
        Step::Back(_) => {}
    }
}

fn holds(trie: &Trie<Value>, model: &VecDeque<i64>) {
    assert_eq!(trie.len(), model.len());
    let items = (0..trie.len()).map(|at| trie.get(at).map(int));
    assert!(items.eq(model.iter().copied().map(Some)));
    for at in [0, 1, 31, 32, 33, model.len() / 2, model.len().saturating_sub(1), model.len()] {
        assert_eq!(trie.get(at).map(int), model.get(at).copied());
        assert_eq!(trie.chunk(at).first().map(int), model.get(at).copied());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_trie_is_a_deque_whose_versions_stay(length in 0..3_000_i64, steps in prop::collection::vec(step(), 0..40)) {
        let mut made = 0;
        let mut versions = vec![(Trie::of(ints(0..length)), (0..length).collect::<VecDeque<i64>>())];
        for step in &steps {
            let from = if let Step::Back(at) = step { at % versions.len() } else { versions.len() - 1 };
            let (mut trie, mut model) = versions[from].clone();
            apply(&mut trie, step, &mut made);
            play(&mut model, step);
            versions.push((trie, model));
        }
        versions.iter().for_each(|(trie, model)| holds(trie, model));
        // Without the other versions, every node is changed in place.
        let (mut last, mut model) = versions.pop().unwrap();
        drop(versions);
        for step in &steps {
            apply(&mut last, step, &mut made);
            play(&mut model, step);
        }
        holds(&last, &model);
    }

    #[test]
    fn a_vector_does_not_show_its_form(length in 0..1_500_i64, steps in prop::collection::vec(step(), 0..30)) {
        let mut versions = vec![(Vector::external(ints(0..length).collect()), (0..length).collect::<VecDeque<i64>>())];
        for step in &steps {
            let from = if let Step::Back(at) = step { at % versions.len() } else { versions.len() - 1 };
            let (mut vector, mut model) = versions[from].clone();
            change(&mut vector, step);
            play(&mut model, step);
            versions.push((vector, model));
        }
        let mut meter = Meter::host();
        for (vector, model) in versions {
            let (made, flat) = (Value::Vector(vector), Value::vector(model.iter().map(|n| Value::Int(*n)).collect()));
            prop_assert!(made.equals(&flat, &mut meter).unwrap() && flat.is_identical(&made, &mut meter).unwrap());
            prop_assert!(made.compare(&flat, &mut meter).unwrap().is_eq());
            prop_assert_eq!(made.key_hash(&mut meter).unwrap(), flat.key_hash(&mut meter).unwrap());
            prop_assert_eq!(format(&made, &FormatOptions::full()), format(&flat, &FormatOptions::full()));
            prop_assert_eq!(made.to_json().unwrap(), flat.to_json().unwrap());
            let Value::Vector(made) = made else { unreachable!() };
            prop_assert_eq!(made.iter().len(), model.len());
            prop_assert_eq!(made.iter_from(40).map(int).collect::<Vec<_>>(), model.iter().skip(40).copied().collect::<Vec<_>>());
            prop_assert_eq!(made.last().map(int), model.back().copied());
            prop_assert_eq!(made.into_vec().iter().map(int).collect::<VecDeque<_>>(), model);
        }
    }

    #[test]
    fn a_map_does_not_show_its_form(length in 0..700_i64, steps in prop::collection::vec(map_step(), 0..60)) {
        let mut meter = Meter::host();
        let base = Map::from_pairs(ints(0..length).map(|n| (n.clone(), n)), &mut meter).unwrap().into_external();
        let mut versions = vec![(base, (0..length).map(|n| (n, n)).collect::<IndexMap<i64, i64>>())];
        for step in &steps {
            let from = if let MapStep::Back(at) = step { at % versions.len() } else { versions.len() - 1 };
            let (mut map, mut model) = versions[from].clone();
            change_map(&mut map, &mut model, step);
            versions.push((map, model));
        }
        for (map, model) in versions {
            prop_assert_eq!(map.len(), model.len());
            prop_assert_eq!(map.iter().len(), model.len());
            prop_assert!(map.iter().map(|(key, value)| (int(key), int(value))).eq(model.iter().map(|(key, value)| (*key, *value))));
            for at in [0, 1, 31, 32, model.len() / 2, model.len().saturating_sub(1), model.len()] {
                let entry = map.entry_at(at).map(|(key, value)| (int(key), int(value)));
                prop_assert_eq!(entry, model.get_index(at).map(|(key, value)| (*key, *value)));
            }
            for key in -3..length + 3 {
                prop_assert_eq!(map.get(&key.into(), &mut meter).unwrap().map(int), model.get(&key).copied());
            }
            let (made, plain) = (Value::Map(map), Value::map_from(model.iter().map(|(key, value)| ((*key).into(), (*value).into()))));
            prop_assert!(made.equals(&plain, &mut meter).unwrap() && plain.is_identical(&made, &mut meter).unwrap());
            prop_assert_eq!(made.key_hash(&mut meter).unwrap(), plain.key_hash(&mut meter).unwrap());
            prop_assert_eq!(format(&made, &FormatOptions::full()), format(&plain, &FormatOptions::full()));
            prop_assert_eq!(made.to_json().unwrap(), plain.to_json().unwrap());
        }
    }

    #[test]
    fn an_index_finds_every_place(steps in prop::collection::vec((any::<bool>(), 0..6_u32, 0..4_u32, 0..200_usize), 0..400)) {
        let mut made = 0;
        let mut versions = vec![(Index::default(), IndexMap::<usize, u32>::new())];
        for (remove, low, high, place) in steps {
            // Few hashes, many of them equal in their first or their last bits, or in all.
            let hash = low | high << 30;
            let (mut index, mut model) = versions.last().cloned().unwrap();
            match (model.get(&place).copied(), remove) {
                (Some(hash), true) => {
                    index.remove(Mark { hash, position: place }, &mut made);
                    model.swap_remove(&place);
                }
                (None, false) => {
                    index.insert(Mark { hash, position: place }, &mut made);
                    model.insert(place, hash);
                }
                _ => {}
            }
            versions.push((index, model));
        }
        for (index, model) in versions.iter().step_by(7).chain(versions.last()) {
            for hash in (0..6).flat_map(|low| (0..4).map(move |high| low | high << 30)) {
                let mut found: Vec<usize> = index.positions(hash).collect();
                found.sort_unstable();
                let mut wanted: Vec<usize> = model.iter().filter(|(_, known)| **known == hash).map(|(place, _)| *place).collect();
                wanted.sort_unstable();
                prop_assert_eq!(found, wanted);
            }
        }
    }
}

/// A step on a map; places are taken modulo its length.
#[derive(Clone, Debug)]
enum MapStep {
    Insert(i64, i64),
    InsertMany(i64),
    Remove(i64),
    RemoveAt(usize),
    RemoveMany(usize, usize),
    /// Continue with an older version.
    Back(usize),
}

fn map_step() -> impl Strategy<Value = MapStep> {
    prop_oneof![
        4 => (-5..900_i64, any::<i64>()).prop_map(|(key, n)| MapStep::Insert(key, n)),
        1 => (1..300_i64).prop_map(MapStep::InsertMany),
        2 => (-5..900_i64).prop_map(MapStep::Remove),
        2 => any::<usize>().prop_map(MapStep::RemoveAt),
        2 => (0..4_usize, 1..200_usize).prop_map(|(step, count)| MapStep::RemoveMany(step, count)),
        2 => any::<usize>().prop_map(MapStep::Back),
    ]
}

fn change_map(map: &mut Map, model: &mut IndexMap<i64, i64>, step: &MapStep) {
    let mut meter = Meter::host();
    match *step {
        MapStep::Insert(key, n) => {
            let old = map.insert(key.into(), n.into(), &mut meter).unwrap();
            assert_eq!(old.as_ref().map(int), model.insert(key, n));
        }
        MapStep::InsertMany(count) => {
            for key in 1_000..1_000 + count {
                map.assoc(key.into(), key.into(), &mut meter).unwrap();
                model.insert(key, key);
            }
        }
        MapStep::Remove(key) => {
            let removed = map.remove_exact(&key.into(), &mut meter).unwrap();
            assert_eq!(removed.map(|(_, value)| int(&value)), model.shift_remove(&key));
        }
        MapStep::RemoveAt(at) => remove_at(map, model, at % model.len().max(1)),
        MapStep::RemoveMany(step, count) => (0..count).for_each(|at| remove_at(map, model, at * step)),
        MapStep::Back(_) => {}
    }
}

fn remove_at(map: &mut Map, model: &mut IndexMap<i64, i64>, at: usize) {
    if let Some((key, value)) = model.shift_remove_index(at) {
        let removed = map.remove(&key.into(), &mut Meter::host()).unwrap();
        assert_eq!(removed.map(|(_, value)| int(&value)), Some(value));
    }
}

#[test]
fn keys_with_one_hash_are_told_apart() {
    let mut meter = Meter::host();
    let mut trie = EntryTrie::of([].into_iter(), &mut meter).unwrap();
    for n in 0..100 {
        trie.push(7, n.into(), (n * n).into(), &mut meter).unwrap();
    }
    let found = trie
        .find(7, &mut meter, |key, _| Ok::<_, Box<Error>>(int(key) == 60))
        .unwrap()
        .map(|(place, _, value)| (place, int(value)));
    assert_eq!(found, Some((60, 3_600)));
    assert!(trie.find(8, &mut meter, |_, _| Ok::<_, Box<Error>>(true)).unwrap().is_none());
    assert_eq!(trie.find_plain(7, |key| int(key) == 9).map(|(_, _, value)| int(value)), Some(81));
}

#[test]
fn a_thousand_versions_of_one_base_cost_one_conversion() {
    let mut meter = Meter::host();
    let base = Vector::from(ints(0..10_000).collect::<Vec<_>>());
    let versions: Vector = (0..1_000)
        .map(|n| {
            let mut version = base.clone();
            *version.get_mut(n * 10, &mut meter).unwrap().unwrap() = Value::Nil;
            Value::Vector(version)
        })
        .collect();
    let (base, versions) = (Value::Vector(base), Value::Vector(versions));
    // The base, its trie, and for each version one path: a leaf, two branches, the vector itself.
    let bytes = live(&[&base, &versions]);
    assert!(bytes < 340_000 + 1_000 * 1_600, "{bytes}");

    let pairs = ints(0..10_000).map(|n| (n.clone(), n));
    let base = Map::from_pairs(pairs, &mut meter).unwrap();
    let versions: Vector = (0..1_000)
        .map(|n| {
            let mut version = base.clone();
            version.assoc((n * 10).into(), Value::Nil, &mut meter).unwrap();
            Value::Map(version)
        })
        .collect();
    let (base, versions) = (Value::Map(base), Value::Vector(versions));
    let bytes = live(&[&base, &versions]);
    assert!(bytes < 1_600_000 + 1_000 * 2_200, "{bytes}");
}

#[test]
fn a_write_counts_what_it_makes_and_host_data_stays_free() {
    let mut meter = Meter::host();
    let host = Value::from_json((0..10_000).map(|n| serde_json::json!({ "n": n })).collect());
    assert_eq!(live(&[&host]), 0);
    let Value::Vector(mut version) = host.clone() else { unreachable!() };
    version.push(Value::Nil, &mut meter).unwrap();
    let own = Value::Vector(version.clone());
    let bytes = live(&[&host, &own]);
    assert!((160_000..190_000).contains(&bytes), "{bytes}");
    // The next version shares all but one leaf.
    version.push(Value::Nil, &mut meter).unwrap();
    assert!(live(&[&host, &own, &Value::Vector(version)]) < bytes + 1_000);
}

#[test]
fn host_data_that_a_program_changes_in_place_counts() {
    let mut meter = Meter::host();
    let Value::Map(mut map) = Value::from_json(serde_json::json!({ "n": [1] })) else { unreachable!() };
    assert!(map.is_unique());
    map.insert(Value::keyword("own"), Value::string("x".repeat(10_000)), &mut meter).unwrap();
    assert!(live(&[&Value::Map(map)]) > 10_000);
}

#[test]
fn bytes_announced_are_bytes_made() {
    let mut meter = Meter::host();
    for length in [600, 5_000, 100_000] {
        let base = Vector::from(ints(0..length).collect::<Vec<_>>());
        let (mut version, before) = (base.clone(), meter.charged);
        version.push(Value::Nil, &mut meter).unwrap();
        drop(base);
        let (announced, made) = (meter.charged - before, live(&[&Value::Vector(version)]));
        assert!(announced.abs_diff(made) < made / 10 + 1_200, "vector of {length}: announced {announced}, made {made}");

        let base = Map::from_pairs(ints(0..length).map(|n| (n.clone(), n)), &mut meter).unwrap();
        let (mut version, before) = (base.clone(), meter.charged);
        version.insert(Value::Nil, Value::Nil, &mut meter).unwrap();
        drop(base);
        let (announced, made) = (meter.charged - before, live(&[&Value::Map(version)]));
        assert!(announced.abs_diff(made) < made / 3 + 2_400, "map of {length}: announced {announced}, made {made}");
    }
}

#[test]
fn only_what_is_not_shared_goes_with_a_version() {
    let mut meter = Meter::host();
    let watched = std::sync::Arc::new(num_bigint::BigInt::from(1) << 80_u32);
    let base = Vector::from(vec![Value::Big(watched.clone()); 2_000]);
    let mut version = base.clone();
    version.push(Value::Big(watched.clone()), &mut meter).unwrap();
    let mut other = version.clone();
    other.keep(1, 1_000, &mut meter).unwrap();
    drop((base, version));
    assert_eq!(other.iter().filter(|item| matches!(item, Value::Big(_))).count(), 999);
    // Up to one leaf at either end is held a little longer.
    assert!((1_000..1_064).contains(&std::sync::Arc::strong_count(&watched)));
    drop(other);
    assert_eq!(std::sync::Arc::strong_count(&watched), 1);
}

#[test]
fn a_short_rest_of_a_trie_stands_side_by_side_again() {
    let mut meter = Meter::host();
    let base = Vector::from(ints(0..2_000).collect::<Vec<_>>());
    let mut version = base.clone();
    version.push(Value::Nil, &mut meter).unwrap();
    assert!(version.side_by_side().is_none());
    while version.len() > 32 {
        version.keep(1, usize::MAX, &mut meter).unwrap();
    }
    assert_eq!(version.side_by_side().map(<[Value]>::len), Some(32));

    let base = Map::from_pairs(ints(0..2_000).map(|n| (n.clone(), n)), &mut meter).unwrap();
    let mut version = base.clone();
    for n in 0..1_968 {
        assert!(n == 0 || !version.is_table());
        version.remove(&n.into(), &mut meter).unwrap();
    }
    assert!(version.is_table());
    assert!(version.iter().map(|(key, _)| int(key)).eq(1_968..2_000));
}

#[test]
fn sets_have_versions_too() {
    let mut meter = Meter::host();
    let base = Set::from_values(ints(0..1_000), &mut meter).unwrap();
    let mut version = base.clone();
    assert!(version.remove(&500.into(), &mut meter).unwrap() && version.insert((-1).into(), &mut meter).unwrap());
    assert_eq!((base.len(), version.len()), (1_000, 1_000));
    assert_eq!((base.member_at(500).map(int), version.member_at(500).map(int)), (Some(500), Some(501)));
    assert_eq!(version.member_at(999).map(int), Some(-1));
}

#[test]
fn deep_tries_are_built_counted_and_dropped_on_a_small_stack() {
    let work = || {
        let mut meter = Meter::host();
        let base = Vector::from(ints(0..600).collect::<Vec<_>>());
        let mut short = base.clone();
        short.push(Value::Nil, &mut meter).unwrap();
        short.keep(0, 40, &mut meter).unwrap();
        let base = Map::from_pairs(ints(0..300).map(|n| (n.clone(), n)), &mut meter).unwrap();
        let mut few = base.clone();
        (40..300).for_each(|n| drop(few.remove(&n.into(), &mut meter).unwrap()));
        assert!(!few.is_table());
        let mut inner = Value::Int(1);
        for _ in 0..5_000 {
            let (mut vector, mut map) = (short.clone(), few.clone());
            vector.push(inner, &mut meter).unwrap();
            assert!(vector.side_by_side().is_some() == (short.side_by_side().is_some()));
            map.insert(1.into(), Value::Vector(vector), &mut meter).unwrap();
            inner = Value::Map(map);
        }
        assert!(live(&[&inner]) > 5_000 * 1_000);
        drop(inner);
    };
    std::thread::Builder::new().stack_size(512 * 1024).spawn(work).unwrap().join().unwrap();
}

#[test]
fn marks_are_freed_bit_by_bit() {
    const MANY: usize = 200_000;
    const AT_ONCE: usize = 1 << 10;
    let mut index = Index::default();
    // Like good hashes, they differ in all their bits.
    (0..MANY).for_each(|position| {
        index.insert(Mark { hash: (position as u32).wrapping_mul(0x9e37_79b1), position }, &mut 0)
    });
    let mut open: Vec<Batch> = vec![Box::new(index.with_about(MANY))];
    let (mut pieces, mut marks) = (0, 0);
    while let Some(batch) = open.pop() {
        if batch.elements() > AT_ONCE {
            batch.drop_some(&mut open);
        } else {
            pieces += 1;
            marks += batch.elements();
        }
    }
    assert!(pieces > MANY / AT_ONCE && marks > MANY * 9 / 10, "{pieces} pieces with {marks} marks");
}
