//! Builtins look at the clock while they work: however long one call takes, the deadline ends it.
//!
//! Nothing here is timed. What counts is how often a call looked.

use super::session;

/// Elements of the arguments.
const MANY: usize = 100_000;

/// Elements that a builtin may handle without a look, on average.
const STRETCH: usize = 8_192;

/// Programs with one long call each.
const CALLS: &str = r#"
(vec s)
(vec m)
(vec text)
(set xs)
(into [] xs)
(into [1] xs)
(into xs ys)
(into #{} xs)
(into {} pairs)
(into (sorted-set) xs)
(conj xs 1)
(assoc m 5 1)
(concat xs ys)
(reverse xs)
(sort xs)
(sort > xs)
(sort-by - xs)
(shuffle xs)
(distinct xs)
(dedupe xs)
(frequencies xs)
(group-by odd? xs)
(partition 2 xs)
(partition-all 2 xs)
(partition-by odd? xs)
(interleave xs ys)
(interpose 0 xs)
(zip xs ys)
(zipmap xs ys)
(map vector xs ys)
(map inc xs)
(filter odd? xs)
(reduce + xs)
(apply + xs)
(apply max xs)
(apply vector xs)
(apply hash-map xs)
(apply str xs)
(take 99000 xs)
(take-nth 1 xs)
(split-at 99000 xs)
(flatten [xs [ys]])
(range 100000)
(repeat 100000 1)
(keys m)
(vals m)
(seq m)
(merge {} m)
(select-keys m xs)
(update-vals m inc)
(set/map-invert m)
(set/union #{} s)
(set/union s #{-1})
(set/intersection s s)
(set/difference s #{-1})
(set/subset? s s)
(set/project rows [:a])
(set/index rows [:a])
(= xs ys)
(= m m2)
(compare xs ys)
(hash xs)
(hash m)
(hash s)
{xs 1}
#{m}
(sum xs)
(str xs)
(pr-str m)
(str/join xs)
(str/split text #"a")
(str/split text "a")
(str/replace text #"a" "b")
(re-seq #"a" text)
(json/generate-string xs)
(println xs)
(walk/postwalk identity xs)
(replace {1 2} xs)
(subseq sorted > 1)
(take 90000 (iterate inc 0))
(last (map inc (iterate inc 0)))
(drop-last 1 (range))
"#;

#[test]
fn every_long_call_looks_at_the_clock() {
    let mut session = session();
    let given = "(def xs (vec (range MANY))) (def ys (mapv identity xs)) (def m (zipmap xs ys)) (def m2 (zipmap ys xs)) (def s (set xs))
                 (def sorted (into (sorted-map) (map vector xs ys))) (def rows (mapv (fn [n] {:a n}) xs)) (def pairs (map vector xs ys))
                 (def text (apply str (repeat MANY \"ab\")))";
    let made = session.run(&given.replace("MANY", &MANY.to_string()), &mut |_| unreachable!());
    assert!(made.value().is_some(), "{:?}", made.problems());
    session.limits.fuel = 2_000_000;
    let mut blind = Vec::new();
    for call in CALLS.trim().lines() {
        let outcome = session.run(call, &mut |_| unreachable!());
        let looks = session.machine.cx.meter.looks;
        if looks < MANY / STRETCH {
            blind.push(format!("{call}: {looks} {:?}", outcome.problems()));
        }
    }
    assert_eq!(blind, [""; 0], "of at least {} looks", MANY / STRETCH);
}
