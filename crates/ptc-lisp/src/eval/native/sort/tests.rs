use proptest::prelude::*;

use super::*;
use crate::value::{Name, display_text};

/// The order of the keys by the slow path.
fn by_comparison(keys: &[Value], descending: bool) -> Option<Vec<Value>> {
    let mut pairs: Vec<(Value, Value)> = keys.iter().cloned().zip((0..keys.len()).map(Value::from)).collect();
    sort_pairs(&mut pairs, descending, &mut false, &mut Meter::host()).ok()?;
    Some(pairs.into_iter().map(|(_, item)| item).collect())
}

fn places(keys: &[Value], descending: bool) -> Option<Vec<Value>> {
    Some(plain::order(keys, descending, &mut Meter::host()).unwrap()?.map(Value::from).collect())
}

fn shown(items: Option<Vec<Value>>) -> String {
    items.map_or_else(|| "not this way".to_owned(), |items| display_text(&Value::vector(items)))
}

fn plain_keys() -> impl Strategy<Value = Vec<Value>> {
    let number = || {
        prop_oneof![
            (-3..3_i64).prop_map(Value::Int),
            prop_oneof![
                Just(0.0),
                Just(-0.0),
                Just(f64::INFINITY),
                Just(f64::NEG_INFINITY),
                -3.0..3.0,
                any::<i32>().prop_map(f64::from)
            ]
            .prop_map(Value::Float),
        ]
    };
    let many = |kind: BoxedStrategy<Value>| prop::collection::vec(kind, 1..3_000);
    prop_oneof![
        many(any::<i64>().prop_map(Value::Int).boxed()),
        many(number().boxed()),
        many("[ab\u{0}é]{0,10}".prop_map(Value::string).boxed()),
        many("[a-c]{1,10}".prop_map(|name| Value::Keyword(Name::new(&name))).boxed()),
        many(any::<bool>().prop_map(Value::Bool).boxed()),
        many((-5..5_i64).prop_map(Value::Instant).boxed()),
        many((-3..3_i16, 1..13_i8, 1..29_i8).prop_map(|(y, m, d)| Value::Date(jiff::civil::date(y, m, d))).boxed()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn plain_keys_sort_as_compared(keys in plain_keys(), descending in any::<bool>()) {
        prop_assert_eq!(shown(places(&keys, descending)), shown(by_comparison(&keys, descending)));
    }

    #[test]
    fn whatever_else_is_compared(keys in prop::collection::vec(crate::value::tests::any_value(), 2..6)) {
        if let Some(order) = places(&keys, false) {
            prop_assert_eq!(shown(Some(order)), shown(by_comparison(&keys, false)));
        }
    }
}

#[test]
fn other_keys_are_left_to_comparison() {
    let (int, float) = (Value::Int, Value::Float);
    let refused = [
        vec![],
        vec![Value::Nil, int(1)],
        vec![float(1.0), float(f64::NAN)],
        vec![float(1.0), int((1 << 53) + 1)],
        vec![int(1), "a".into()],
        vec!["a".into(), Value::keyword("a")],
        vec!["a".into(), "a".repeat(300).into()],
        vec![Value::vector(vec![int(1)])],
    ];
    for keys in refused {
        assert!(places(&keys, false).is_none(), "{keys:?}");
    }
}

#[test]
fn fuel_grows_like_n_log_n() {
    let used = |count: i64| {
        let mut meter = Meter::new(crate::limits::Limits { fuel: 1 << 40, ..crate::limits::Limits::default() });
        let keys: Vec<Value> = (0..count).map(|n| Value::Int(n * 7_919 % count)).collect();
        assert!(plain::order(&keys, false, &mut meter).unwrap().is_some());
        meter.fuel_used()
    };
    let (small, large) = (used(10_000), used(100_000));
    assert!(small >= 100_000 && large <= 14 * small, "{small} {large}");
}

#[test]
fn the_deadline_ends_a_long_sort() {
    let mut meter =
        Meter::new(crate::limits::Limits { time: std::time::Duration::ZERO, ..crate::limits::Limits::default() });
    let keys: Vec<Value> = (0..100_000_i64).map(|n| Value::Int(-n)).collect();
    assert!(plain::order(&keys, false, &mut meter).is_err());
}

/// Comparators whose code shows what they compare, and equivalent longer ones, which are called.
const COMPARATORS: &[(&str, &str)] = &[
    ("#(compare %1 %2)", "(fn [a b] (let [c a] (compare c b)))"),
    ("#(compare %2 %1)", "(fn [a b] (let [c a] (compare b c)))"),
    ("#(< %1 %2)", "(fn [a b] (let [c a] (< c b)))"),
    ("(fn [x y] (> x y))", "(fn [a b] (let [c a] (> c b)))"),
    ("#(< %2 %1)", "(fn [a b] (let [c a] (< b c)))"),
    ("#(<= %1 %2)", "(fn [a b] (let [c a] (<= c b)))"),
    ("#(> (:k %1) (:k %2))", "(fn [a b] (let [c a] (> (:k c) (:k b))))"),
    ("(fn [a b] (compare (:k b) (:k a)))", "(fn [a b] (let [c a] (compare (:k b) (:k c))))"),
    ("(fn [a b] (compare (:k b) (:n a)))", "(fn [a b] (let [c a] (compare (:k b) (:n c))))"),
    ("(comparator >)", "(fn [a b] (let [c a] (cond (> c b) -1 (> b c) 1 :else 0)))"),
    ("(comparator <)", "(fn [a b] (let [c a] (cond (< c b) -1 (< b c) 1 :else 0)))"),
    ("(comparator compare)", "(fn [a b] (let [c a] (cond (compare c b) -1 (compare b c) 1 :else 0)))"),
    ("(fn [a b] (- (compare a b)))", "(fn [a b] (let [c a] (- (compare c b))))"),
];

const KEYS: &[&str] = &[
    "1",
    "2",
    "2.0",
    "-3",
    "\"b\"",
    "\"a\"",
    ":x",
    "nil",
    "##NaN",
    "[1 \"a\"]",
    "[1 \"b\"]",
    "[2.5 \"a\"]",
    "[1]",
    "true",
];

fn ending(program: &str, slice: Option<u64>) -> String {
    let mut session = crate::Session::new(crate::SessionOptions::default());
    let outcome = session.run_sliced(program, slice, &mut |_| Err(crate::ToolError::new("no tools")));
    match outcome.value() {
        Some(value) => display_text(value),
        None => outcome.problems().iter().map(|problem| problem.message.clone()).collect(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn a_comparator_need_not_be_called_to_be_obeyed(
        (written, called) in prop::sample::select(COMPARATORS),
        call in prop::sample::select(&["(sort F rows)", "(sort-by :k F rows)", "(sort F (map :k rows))", "(sort-by (fn [r] (:k r)) F rows)",
            "(vec (reduce conj (sorted-set-by F) rows))", "(vec (into (sorted-map-by F) (map (juxt :k :n) rows)))"][..]),
        mixed in any::<bool>(),
        start in 0..KEYS.len(),
        picks in prop::collection::vec(0..KEYS.len(), 0..12),
    ) {
        let key = |pick: usize| KEYS[if mixed { pick } else { (start / 3 * 3 + pick % 3) % KEYS.len() }];
        let rows: Vec<String> = picks.iter().enumerate().map(|(n, pick)| format!("{{:k {} :n {n}}}", key(*pick))).collect();
        let program = |f: &str| format!("(let [rows [{}]] {})", rows.join(" "), call.replace('F', f));
        let expected = ending(&program(called), None);
        for slice in [None, Some(1), Some(7)] {
            prop_assert_eq!(ending(&program(written), slice), expected.clone(), "{}", program(written));
            prop_assert_eq!(ending(&program(called), slice), expected.clone(), "{}", program(called));
        }
    }

    #[test]
    fn rows_of_plain_columns_sort_as_compared(
        rows in prop::collection::vec((0..3_i64, "[ab]{0,2}", prop_oneof![Just(0.5), Just(-0.0), Just(0.0)]), 1..40),
        short in prop::option::weighted(0.2, 0..40_usize),
        descending in any::<bool>(),
    ) {
        let keys: Vec<Value> = rows.iter().enumerate().map(|(at, (n, text, x))| {
            let row = vec![Value::Int(*n), Value::string(text.as_str()), Value::Float(*x)];
            Value::vector(row.into_iter().take(if short == Some(at) { 2 } else { 3 }).collect())
        }).collect();
        let by_columns = plain::order_of_rows(&keys, descending, &mut Meter::host()).unwrap();
        if short.is_none_or(|at| at >= keys.len()) {
            let places: Vec<Value> = by_columns.expect("plain columns").map(Value::from).collect();
            prop_assert_eq!(shown(Some(places)), shown(by_comparison(&keys, descending)));
        } else {
            prop_assert!(by_columns.is_none() || keys.len() == 1);
        }
    }
}
