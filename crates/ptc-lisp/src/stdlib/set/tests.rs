use proptest::prelude::*;

use crate::limits::Limits;
use crate::session::outcome::Ending;
use crate::session::{Session, SessionOptions};
use crate::value::{FormatOptions, Value, format};

fn answer(program: &str) -> String {
    let limits = Limits { fuel: 1_000_000_000, ..Limits::default() };
    let outcome =
        Session::new(SessionOptions { limits, ..SessionOptions::default() }).run(program, &mut |_| Ok(Value::Nil));
    match outcome.ending {
        Ending::Value(value) => format(&value, &FormatOptions::full()).text,
        other => format!("{other:?}"),
    }
}

proptest! {
    /// The order of the result is that of the first set, whichever side is small, and whatever the form of the set.
    #[test]
    fn sets_are_cut_down_by_the_smaller_side(
        many in prop_oneof![0..40_usize, 250..700_usize],
        few in prop::collection::vec(0..800_usize, 0..8),
        removed in prop::collection::vec(0..700_usize, 0..4),
        is_shared in any::<bool>(),
        flip in any::<bool>(),
    ) {
        let few = format!("#{{{}}}", few.iter().collect::<std::collections::BTreeSet<_>>().into_iter().rev().map(|n| format!("{n}")).collect::<Vec<_>>().join(" "));
        let removed = removed.iter().map(|n| format!(" {n}")).collect::<String>();
        // A set that `whole` also holds is a trie after the first write.
        let made = format!("(let [whole (set (shuffle (range {many}))) big (disj whole{removed}) few {few}] ");
        let (a, b) = if flip { ("few", "big") } else { ("big", "few") };
        let check = format!(
            "{made}[(= (vec (intersection {a} {b})) (filterv (fn [x] (contains? {b} x)) {a})) \
              (= (vec (difference {a} {b})) (filterv (fn [x] (not (contains? {b} x))) {a})) \
              (= (count whole) {many}){}])",
            if is_shared { " (= big (union big #{}))" } else { " true" }
        );
        prop_assert_eq!(answer(&check), "[true true true true]");
    }
}

#[test]
fn work_goes_by_the_smaller_side() {
    let fuel = |step: &str, size: usize, times: usize| {
        let program = format!("(let [big (set (range {size})) few #{{1 2}}] (dotimes [n {times}] {step}))");
        let limits = Limits { fuel: 1_000_000_000, ..Limits::default() };
        Session::new(SessionOptions { limits, ..SessionOptions::default() })
            .run(&program, &mut |_| Ok(Value::Nil))
            .usage
            .fuel
    };
    for step in ["(intersection big few)", "(intersection few big)", "(difference few big)"] {
        let each = [2_000, 20_000].map(|size| fuel(step, size, 102) - fuel(step, size, 2));
        assert!(each[1] < 2 * each[0], "{step}: {each:?}");
    }
}

#[test]
fn members_stay_what_they_are() {
    assert_eq!(
        answer("[(intersection (set (range 20)) #{1.0 3}) (difference #{1 2 3 4 5 6 7 8 9} #{1.0 2})]"),
        "[#{3} #{1 3 4 5 6 7 8 9}]"
    );
    assert_eq!(
        answer(
            "[(intersection (apply sorted-set (range 20)) #{3 1}) (difference (apply sorted-set (range 12)) #{3 1.0})]"
        ),
        answer("[(sorted-set 1 3) (apply sorted-set (filter (fn [x] (not (contains? #{3 1.0} x))) (range 12)))]")
    );
}
