//! Laws of values.

use std::cmp::Ordering;

use num_bigint::BigInt;
use proptest::prelude::*;

use super::size::LiveCount;
use super::*;
use crate::error::{Reason, Signal};
use crate::limits::meter::Meter;
use crate::limits::pace::STRETCH;
use crate::value::hash::text_hash;
use crate::value::key::Key;

/// A vector of these.
pub(crate) fn vector(items: impl IntoIterator<Item = Value>) -> Value {
    Value::vector(items.into_iter().collect())
}

/// A set of these.
pub(crate) fn set(items: impl IntoIterator<Item = Value>) -> Value {
    Value::Set(Set::from_values(items, &mut Meter::host()).unwrap())
}

/// A map of these.
pub(crate) fn map(pairs: impl IntoIterator<Item = (Value, Value)>) -> Value {
    Value::Map(Map::from_pairs(pairs, &mut Meter::host()).unwrap())
}

/// `[[[…1…]]]` with this many brackets.
pub(crate) fn nested(levels: usize) -> Value {
    (0..levels).fold(Value::Int(1), |inner, _| Value::vector(vec![inner]))
}

/// Values without functions and cells, up to four levels.
pub(crate) fn any_value() -> impl Strategy<Value = Value> {
    let small = prop_oneof![Just(0), Just(1), Just(-1), Just(i64::MIN), Just(i64::MAX), any::<i64>()];
    let float = prop_oneof![
        Just(0.0),
        Just(-0.0),
        Just(1.0),
        Just(f64::NAN),
        Just(f64::INFINITY),
        Just(9.223_372_036_854_776e18),
        any::<f64>()
    ];
    let leaf = prop_oneof![
        Just(Value::Nil),
        any::<bool>().prop_map(Value::Bool),
        small.prop_map(Value::Int),
        float.prop_map(Value::Float),
        any::<i128>().prop_map(|n| Value::integer(BigInt::from(n))),
        "[ab\"\\\\é\n]{0,3}".prop_map(Value::string),
        "[ab]{1,2}".prop_map(|name| Value::keyword(&name)),
        "[ab]{1,2}".prop_map(|name| Value::Symbol(Name::new(&name))),
        (1990..2030_i16).prop_map(|year| Value::Date(jiff::civil::date(year, 2, 3))),
        (0..3_i64).prop_map(Value::Instant),
    ];
    leaf.prop_recursive(4, 48, 12, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(vector),
            prop::collection::vec(inner.clone(), 0..12).prop_map(set),
            prop::collection::vec((inner.clone(), inner), 0..12).prop_map(map),
        ]
    })
}

fn same(a: &Value, b: &Value) -> bool {
    a.equals(b, &mut Meter::host()).unwrap()
}

fn one_key(a: &Value, b: &Value) -> bool {
    a.is_identical(b, &mut Meter::host()).unwrap()
}

fn ordered(a: &Value, b: &Value) -> Option<Ordering> {
    a.compare(b, &mut Meter::host()).ok()
}

fn holds_nan(value: &Value) -> bool {
    display_text(value).contains("NaN")
}

/// The same content in fresh nodes, maps and sets filled in reverse.
fn rebuilt(value: &Value) -> Value {
    match value {
        Value::Vector(items) => vector(items.iter().map(rebuilt)),
        Value::Set(members) => set(members.iter().map(rebuilt).collect::<Vec<_>>().into_iter().rev()),
        Value::Map(entries) => {
            map(entries.iter().map(|(key, item)| (rebuilt(key), rebuilt(item))).collect::<Vec<_>>().into_iter().rev())
        }
        Value::Str(text) => Value::string(text.as_str()),
        other => other.clone(),
    }
}

/// A step on a map and on a list that models the map.
#[derive(Clone, Debug)]
enum Step {
    Insert(Value, i64),
    Remove(Value),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let key = prop_oneof![3 => any_value(), 2 => (0..12_i64).prop_map(Value::Int)].boxed();
    let step = prop_oneof![
        3 => (key.clone(), any::<i64>()).prop_map(|(key, n)| Step::Insert(key, n)),
        1 => key.prop_map(Step::Remove),
    ];
    prop::collection::vec(step, 0..60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn identical_values_have_one_hash(value in any_value()) {
        let again = rebuilt(&value);
        let mut meter = Meter::host();
        prop_assert!(one_key(&value, &again));
        prop_assert_eq!(value.key_hash(&mut meter).unwrap(), again.key_hash(&mut meter).unwrap());
        prop_assert!(holds_nan(&value) || same(&value, &again));
    }

    #[test]
    fn long_texts_are_compared_and_hashed_as_whole_ones(length in 3 * STRETCH - 2..3 * STRETCH + 2, at in 0..4 * STRETCH, other in "[a-c]") {
        let text = "b".repeat(length);
        let mut changed = text.clone();
        changed.replace_range(at.min(length)..(at + 1).min(length), &other);
        let (one, two) = (Value::string(text.clone()), Value::string(changed.clone()));
        let mut meter = Meter::host();
        prop_assert_eq!(one.compare(&two, &mut meter).unwrap(), text.cmp(&changed));
        prop_assert_eq!(one.equals(&two, &mut meter).unwrap(), text == changed);
        prop_assert_eq!(same(&one, &two), text == changed);
        prop_assert_eq!(two.key_hash(&mut meter).unwrap(), text_hash(&changed));
    }

    #[test]
    fn identity_implies_hash_and_equality(a in any_value(), b in any_value()) {
        prop_assert_eq!(same(&a, &b), same(&b, &a));
        prop_assert_eq!(one_key(&a, &b), one_key(&b, &a));
        if one_key(&a, &b) {
            let mut meter = Meter::host();
            prop_assert_eq!(a.key_hash(&mut meter).unwrap(), b.key_hash(&mut meter).unwrap());
            prop_assert!(holds_nan(&a) || same(&a, &b));
        }
    }

    #[test]
    fn equality_is_transitive(a in any_value(), b in any_value(), c in any_value()) {
        prop_assert!(!(same(&a, &b) && same(&b, &c)) || same(&a, &c));
    }

    #[test]
    fn the_order_is_total_where_it_is_defined(a in any_value(), b in any_value(), c in any_value()) {
        prop_assert_eq!(ordered(&a, &b), ordered(&b, &a).map(Ordering::reverse));
        if let (Some(one), Some(other), Some(whole)) = (ordered(&a, &b), ordered(&b, &c), ordered(&a, &c)) {
            let expected = if one == Ordering::Equal { other } else { one };
            prop_assert!(whole == expected || (one != other && other != Ordering::Equal && one != Ordering::Equal));
        }
        if ordered(&a, &b) == Some(Ordering::Equal) {
            prop_assert!(same(&a, &b));
        }
    }

    #[test]
    fn maps_agree_with_a_list_of_entries(steps in steps()) {
        let mut meter = Meter::host();
        let mut made = Map::new();
        let mut model: Vec<(Value, i64)> = Vec::new();
        for step in steps {
            match step {
                Step::Insert(key, n) => {
                    made.insert(key.clone(), n.into(), &mut meter).unwrap();
                    match model.iter_mut().find(|(known, _)| one_key(known, &key)) {
                        Some((_, old)) => *old = n,
                        None => model.push((key, n)),
                    }
                }
                Step::Remove(key) => {
                    let removed = made.remove_exact(&key, &mut meter).unwrap();
                    let place = model.iter().position(|(known, _)| one_key(known, &key));
                    prop_assert_eq!(removed.is_some(), place.is_some());
                    if let Some(place) = place {
                        model.remove(place);
                    }
                }
            }
        }
        prop_assert_eq!(made.len(), model.len());
        for ((key, value), (known, n)) in made.iter().zip(&model) {
            prop_assert!(one_key(key, known) && matches!(value, Value::Int(found) if found == n));
            prop_assert!(matches!(made.get(known, &mut meter).unwrap(), Some(Value::Int(found)) if found == n));
        }
    }

    #[test]
    fn printing_never_fails_and_limits_shorten(value in any_value()) {
        let all = FormatOptions { hide: false, ..FormatOptions::full() };
        let whole = format(&value, &all);
        prop_assert!(!whole.truncated && !whole.text.contains('\n'));
        let roomy = FormatOptions { limit: Some(1_000), ..all };
        prop_assert_eq!(format(&value, &roomy), whole);
    }
}

#[test]
fn the_two_zeros_are_one_key() {
    assert!(one_key(&0.0.into(), &(-0.0).into()));
    assert!(!one_key(&0.0.into(), &0.into()) && same(&0.0.into(), &0.into()));
}

#[test]
fn labels() {
    let kinds = [
        vector([1.into(), 2.into()]),
        set([]),
        map([(1.into(), 2.into())]),
        "s".into(),
        Value::integer(BigInt::from(1) << 70_u32),
        f64::NAN.into(),
        Value::Nil,
        Value::Tool(Name::new("t")),
        Value::Instant(0),
        Value::Cell(CellRef { id: 0, kind: CellKind::Volatile }),
        Value::LazySeq(LazySeq { cell: 0, offset: 0 }),
    ];
    let words: Vec<String> =
        kinds.iter().map(|value| std::format!("{} {}", type_of(value), display_text(&type_keyword(value)))).collect();
    insta::assert_snapshot!(words.join(", "), @"list[2] :vector, set[0] :set, map[1] :map, string :string, integer :number, float :number, nil , fn :function, datetime :datetime, volatile :volatile, list[...] :vector");
}

#[test]
fn live_bytes_count_shared_nodes_once_and_host_data_never() {
    let count = |value: &Value| {
        let mut live = LiveCount::new();
        live.add(value);
        live.bytes()
    };
    let leaf = vector((0..1_000).map(Value::Int));
    let one = count(&leaf);
    assert!((16_000..17_000).contains(&one), "{one}");
    let many = vector(std::iter::repeat_n(leaf.clone(), 100));
    assert!(count(&many) < one + 2_000);
    let shared = (0..60).fold(leaf, |inner, _| vector([inner.clone(), inner]));
    assert!(count(&shared) < one + 60 * 200);
    assert_eq!(count(&Value::from_json(serde_json::json!([[1], {"a": 2}]))), 0);
    let mut live = LiveCount::new();
    let atom = Value::Cell(CellRef { id: 3, kind: CellKind::Atom });
    live.add(&vector([atom.clone(), atom, Value::LazySeq(LazySeq { cell: 4, offset: 1 })]));
    assert_eq!(live.take_cells(), [3, 4]);
    assert!(live.take_cells().is_empty());
    let wide = map([(1.into(), "x".repeat(5_000).into()), (nested(3), Value::keyword(&"k".repeat(3_000)))]);
    assert!(count(&wide) > 8_000);
}

#[test]
fn names_of_data_count_from_the_thousandth_on_and_those_of_texts_do_not() {
    let count = |names: Vec<Name>| {
        let mut live = LiveCount::new();
        live.add(&vector(names.into_iter().map(Value::Keyword)));
        live.bytes()
    };
    let text = count((0..3_000).map(|n| Name::new(&format!("counted-text-{n}"))).collect());
    let made = |from, to| (from..to).map(|n| Name::made(&format!("counted-made-{n:05}"))).collect::<Vec<_>>();
    assert!(text < 60_000, "{text}");
    assert_eq!(count(made(0, 1_000)), 16_000 + count(Vec::new()));
    let many = count(made(0, 3_000)) - 3_000 * 16 - count(Vec::new());
    assert_eq!(many, 2_000 * Name::bytes("counted-made-00000".len()) as u64);
    let twice = count([made(0, 3_000), made(0, 3_000)].concat());
    assert_eq!(twice, count(made(0, 3_000)) + 3_000 * 16);
}

#[test]
fn the_table_of_names_gives_its_room_back() {
    let before = Name::capacity();
    let names: Vec<Name> = (0..200_000).map(|n| Name::made(&format!("room-{n}"))).collect();
    let full = Name::capacity();
    assert!(full >= before + 100_000, "{before} {full}");
    drop(names);
    assert!(Name::capacity() < full / 2, "{full} {}", Name::capacity());
}

/// Run on a native stack of this size.
fn on_a_stack_of(kilobytes: usize, work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(kilobytes * 1024).spawn(work).unwrap().join().unwrap();
}

fn too_deep<T, E: Into<Box<Signal>>>(result: Result<T, E>) -> bool {
    result.is_err_and(|signal| matches!(*signal.into(), Signal::Error(error) if error.reason == Reason::NestingTooDeep))
}

#[test]
fn deep_values_are_built_counted_and_dropped_on_a_small_stack() {
    on_a_stack_of(512, || {
        let (vectors, maps) = (nested(1_000_000), deep_maps());
        let mut live = LiveCount::new();
        live.add(&vectors);
        live.add(&maps);
        assert!(live.bytes() > 80_000_000);
        drop((vectors, maps));
    });
}

#[test]
fn a_count_stops_where_large_parts_wait_on_too_many_levels() {
    let limits = crate::limits::Limits::default();
    let count = |side: fn(Value) -> Value| {
        let deep = (0..100_000).fold(Value::Nil, |inner, n| side(vector([inner, n.into()])));
        let mut live = LiveCount::within_memory(&limits);
        live.add(&deep);
        (live.is_too_deep(), live.bytes() > 7_000_000)
    };
    assert_eq!(count(|inner| inner), (false, true));
    assert_eq!(count(|inner| vector([inner, vector([1.into()])])), (false, true));
    assert_eq!(count(|inner| vector([inner, map([(1.into(), 2.into())]), 3.into()])), (false, true));
    assert_eq!(
        count(|inner| vector([vector([vector([1.into()])]), inner])),
        (false, true),
        "the last one needs no place"
    );
    let twice = |inner: Value| vector([inner.clone(), vector([1.into()]), inner]);
    assert_eq!(count(twice), (false, true), "what is counted already waits nowhere");
    assert!(count(|inner| vector([inner, vector([vector([1.into()])])])).0);
    // Wide ones have many nodes and few levels.
    let wide = Value::Vector((0..400_000).fold(Vector::new(), |mut all, n| {
        all.push(vector([vector([n.into()])]), &mut Meter::host()).unwrap();
        all
    }));
    let mut live = LiveCount::within_memory(&limits);
    live.add(&vector([wide.clone(), wide]));
    assert!(!live.is_too_deep() && live.bytes() > 400_000 * 100);
}

#[test]
fn deep_values_are_printed_on_a_small_stack() {
    on_a_stack_of(512, || {
        assert!(format(&nested(1_000_000), &FormatOptions::full()).text.contains("[...]"));
        assert!(format(&deep_maps(), &FormatOptions::sample()).text.contains("{:k ...}"));
    });
}

#[test]
fn deep_values_are_refused_by_comparison_on_a_small_stack() {
    on_a_stack_of(2048, || {
        let (a, b, maps) = (nested(1_000_000), nested(1_000_000), deep_maps());
        let mut meter = Meter::host();
        assert!(too_deep(a.equals(&b, &mut meter)));
        assert!(too_deep(a.compare(&b, &mut meter)));
        assert!(too_deep(maps.equals(&deep_maps(), &mut meter)));
        assert!(too_deep(a.key_hash(&mut meter)));
        assert!(too_deep(maps.key_hash(&mut meter)));
    });
}

#[test]
fn deep_values_are_refused_by_json_on_a_small_stack() {
    on_a_stack_of(2048, || {
        assert!(nested(1_000_000).to_json().is_err() && deep_maps().to_json().is_err());
        assert!(nested(511).to_json().is_ok());
    });
}

#[test]
fn deep_values_are_refused_by_tagged_json_on_a_small_stack() {
    on_a_stack_of(2048, || {
        assert!(to_tagged(&nested(1_000_000), &NoCells).is_err() && to_tagged(&deep_maps(), &NoCells).is_err());
        let tagged = to_tagged(&nested(500), &NoCells).unwrap();
        assert!(from_tagged(&tagged, &mut NoRestore).is_ok());
    });
}

fn deep_maps() -> Value {
    (0..100_000).fold(Value::Int(1), |inner, _| map([(Value::keyword("k"), inner)]))
}

#[test]
fn deep_json_text_is_read_on_a_small_stack() {
    on_a_stack_of(1024, || {
        assert!(Value::from_json_str(&"[".repeat(100_000)).is_err());
        assert!(Value::from_json_str(&("[".repeat(512) + &"]".repeat(512))).is_ok());
        assert!(Value::from_json_str(&("{\"a\":".repeat(511) + "1" + &"}".repeat(511))).is_ok());
    });
}

proptest! {
    /// Like integers of 128 bits: no float is rounded.
    #[test]
    fn integers_and_floats_compare_exactly(
        n in prop_oneof![any::<i64>(), (0..63_u32, -3_i64..4).prop_map(|(bits, near)| (1_i64 << bits).wrapping_add(near))],
        near in -3_i64..4,
        x in prop_oneof![any::<f64>(), Just(f64::NAN), (0..70_i32).prop_map(|bits| 2_f64.powi(bits))],
        is_near: bool,
        negative: bool,
    ) {
        let n = if negative { n.wrapping_neg() } else { n };
        let x = if is_near { n.wrapping_add(near) as f64 + 0.5 } else { x };
        let exact = if x.is_nan() {
            None
        } else if x.abs() >= 2_f64.powi(100) {
            0.0.partial_cmp(&x)
        } else {
            let whole = x.floor();
            Some(i128::from(n).cmp(&(whole as i128)).then(if x > whole { Ordering::Less } else { Ordering::Equal }))
        };
        prop_assert_eq!(compare_numbers(&Value::Int(n), &Value::Float(x)), exact);
        prop_assert_eq!(compare_numbers(&Value::Float(x), &Value::Int(n)), exact.map(Ordering::reverse));
    }
}
