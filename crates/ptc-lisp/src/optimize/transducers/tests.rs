use crate::optimize::tests::ending;

const XFORMS: &[&str] = &[
    "(map inc)",
    "(comp (map inc) (filter odd?))",
    "(comp (remove odd?) (take 2))",
    "(comp (partition-all 3) (map (fn [xs] (reduce + xs))))",
    "(comp (map-indexed (fn [i x] (* i x))) (dedupe) (drop 1))",
    "(comp (mapcat (fn [x] [x (- x)])) (distinct))",
    "(comp (keep (fn [x] (if (odd? x) (* 2 x)))) (take-while pos?) (drop-while (fn [x] (< x 5))))",
    "(comp (partition-by even?) (map count))",
    "(comp (map (fn [x] [x x])) cat (take-nth 2) (interpose 0))",
    "(comp (replace {1 100}) (map (comp inc inc)) (map (partial + 1)))",
    "(comp (map (fn [x] (println x) (inc x))) (filter odd?))",
    "(comp (map (fn [x] (println x) x)) (map (fn [x] (println :second x) x)))",
    "(comp (map (fn [x] (println x) x)) (take 2))",
    "(comp (filter odd?) (map (fn [x] (println x) (inc x))))",
];

const CALLS: &[&str] = &[
    "(into [] XF xs)",
    "(into #{7} XF xs)",
    "(into [1 2] XF xs)",
    "(transduce XF + xs)",
    "(transduce XF + 10 xs)",
    "(transduce XF conj xs)",
    "(transduce XF max 0 xs)",
    "(transduce XF (completing (fn [acc x] (conj acc [x]))) [] xs)",
    "(transduce XF (completing (fn [acc x] (if (> (count acc) 2) (reduced acc) (conj acc x))) count) [] xs)",
    "(transduce XF (fn ([acc] [:end acc]) ([acc x] (conj acc x))) [] xs)",
    "(vec (sequence XF xs))",
    "(reduce (fn [acc x] (conj acc x)) [] (eduction XF xs))",
    "(let [step (fn ([] []) ([acc] (count acc)) ([acc x] (println acc) (conj acc x)))] (transduce XF step xs))",
];

const COLLECTIONS: &[&str] =
    &["[1 2 3 4 5 6 7 8 9]", "[]", "nil", "#{4}", "[3 3 3 1 1]", "(map inc (range 7))", "(list 1 1)"];

#[test]
fn a_written_transducer_does_what_one_behind_a_name_does() {
    let calls = CALLS.iter().flat_map(|call| XFORMS.iter().map(move |xform| (call, xform)));
    for ((call, xform), xs) in calls.flat_map(|call| COLLECTIONS.iter().map(move |xs| (call, xs))) {
        let program = |xform: &str| {
            format!(
                "(let [xs {xs} made (volatile! nil)] [(with-out-str (vreset! made {})) @made])",
                call.replace("XF", xform)
            )
        };
        let hidden = ending(&program(&format!("(first [{xform}])"))).0;
        assert_eq!(ending(&program(xform)).0, hidden, "{call} {xform} {xs}");
    }
}

#[test]
fn a_transducer_without_end_ends_early() {
    for program in [
        "(into [] (comp (map inc) (take 3)) (range))",
        "(transduce (comp (filter odd?) (take 2)) + (iterate inc 1))",
        "(vec (sequence (comp (map inc) (take-while (fn [x] (< x 4)))) (range)))",
    ] {
        assert!(!ending(program).0.contains("limit"), "{program}");
        assert!(ending(program).1 < 1_000, "{program}");
    }
}

#[test]
fn a_written_transducer_makes_no_functions() {
    let cost = |xform: &str| {
        let of = |n: usize| ending(&format!("(count (let [xf {xform}] (into [] xf (range {n}))))")).1;
        of(200) - of(100)
    };
    let (written, hidden) = (cost("(comp (map inc) (filter odd?))"), cost("(first [(comp (map inc) (filter odd?))])"));
    assert!(2 * written < hidden, "{written} {hidden}");
}
