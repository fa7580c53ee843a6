//! Random values: bounds, and the same run for the same seed.

use insta::assert_snapshot;
use proptest::prelude::*;

use crate::stdlib::show::tests::{call, check};
use crate::value::Value;

proptest! {
    #[test]
    fn random_integers_stay_in_bounds(n in any::<i64>()) {
        let Ok(Value::Int(drawn)) = call("rand-int", &[Value::Int(n)]) else { panic!("{n}") };
        prop_assert!(drawn == 0 || (drawn.signum() == n.signum() && drawn.unsigned_abs() < n.unsigned_abs()));
    }

    #[test]
    fn a_shuffle_keeps_the_elements(items in proptest::collection::vec(any::<i64>(), 0..20)) {
        let shuffled = call("shuffle", &[Value::vector(items.iter().copied().map(Value::Int).collect())]).unwrap();
        let mut back: Vec<i64> = shuffled.as_vector().unwrap().iter().filter_map(|item| if let Value::Int(n) = item { Some(*n) } else { None }).collect();
        let mut items = items;
        items.sort_unstable();
        back.sort_unstable();
        prop_assert_eq!(items, back);
    }
}

#[test]
fn one_seed_one_run() {
    let source = "[(rand) (rand-int 100) (shuffle [1 2 3 4 5]) (rand-nth [:a :b :c]) (random-uuid)]";
    assert_eq!(check(source), check(source));
    assert_snapshot!(check("(every? #(and (<= 0 %) (< % 10)) (repeatedly 1000 (fn [] (rand 10))))"), @"true");
    assert_snapshot!(check("(= #{0 1 2} (set (repeatedly 200 #(rand-int 3))))"), @"true");
    assert_snapshot!(check("[(rand 0) (rand-nth []) (rand-nth nil) (shuffle nil) (rand-int 0)]"), @"[0.0 nil nil [] 0]");
    assert_snapshot!(check(r#"(some? (re-matches #"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}" (str (random-uuid))))"#), @"true");
    assert_snapshot!(check("(rand :a)"), @"! type_error rand: expected a number, got keyword");
    assert_snapshot!(check("(rand-int 1e300)"), @"! arithmetic_error rand-int: no integer value for 1.0e300");
}
