//! The memory limit against the truth: what an allocator that counts has seen.

use std::time::Duration;

use proptest::prelude::*;
use ptc_lisp::{Limits, Outcome, Session, SessionOptions, ToolSpec};

use super::counting::most_held;
use super::shown;

const LIMIT: u64 = 2 << 20;
/// Frames, code and tables of a session, which no limit bounds.
const BESIDE: u64 = 64 << 10;

/// Each grows without end, or makes more at once than there is room for.
const HUNGRY: &[(&str, &str)] = &[
    ("vector", "(loop [v []] (recur (conj v 1)))"),
    ("vector of strings", "(loop [v []] (recur (conj v (str \"item \" (count v)))))"),
    ("vector of vectors", "(loop [v []] (recur (conj v [1 2 3])))"),
    ("vector of maps", "(loop [v []] (recur (conj v {:a 1 :b 2 :c 3})))"),
    ("vector of big maps", "(loop [v [] m (zipmap (range 100) (range))] (recur (conj v (assoc m :x (count v))) m))"),
    ("vector of sets", "(loop [v []] (recur (conj v #{1 2 3 (count v)})))"),
    ("vector of floats", "(loop [v []] (recur (conj v (* 1.5 (count v)))))"),
    ("vector of closures", "(loop [v []] (recur (conj v (let [n (count v)] (fn [] n)))))"),
    ("vector of atoms", "(loop [v []] (recur (conj v (atom [1]))))"),
    ("vector of delays", "(loop [v []] (recur (conj v (let [n (count v)] (delay n)))))"),
    ("vector of exceptions", "(loop [v []] (recur (conj v (ex-info \"none\" {:a (count v)}))))"),
    ("vector of caught exceptions", "(loop [v []] (recur (conj v (try (/ 1 0) (catch Exception e e)))))"),
    ("vector of big integers", "(loop [v [] n 1] (recur (conj v n) (* 3 n)))"),
    ("vector of dates", "(loop [v []] (recur (conj v (LocalDate/parse \"2024-01-01\"))))"),
    ("vector of keywords", "(loop [v []] (recur (conj v [(keyword (apply str (repeat 300 \"k\")))])))"),
    ("vector of regexes", "(loop [v []] (recur (conj v (re-pattern (str \"a+\" (count v))))))"),
    ("map", "(loop [m {} n 0] (recur (assoc m n n) (inc n)))"),
    ("map with string keys", "(loop [m {} n 0] (recur (assoc m (str \"key\" n) n) (inc n)))"),
    ("nested map", "(loop [m {} n 0] (recur (assoc-in m [(quot n 10) (mod n 10)] n) (inc n)))"),
    ("map of lists", "(loop [m {} n 0] (recur (update m (mod n 1000) conj n) (inc n)))"),
    ("set", "(loop [s #{} n 0] (recur (conj s n) (inc n)))"),
    ("sorted map", "(loop [m (sorted-map) n 0] (recur (assoc m n n) (inc n)))"),
    ("sorted set", "(loop [m (sorted-set) n 0] (recur (conj m (mod (* n 7919) 1000003)) (inc n)))"),
    (
        "sorted versions",
        "(loop [m (sorted-map) n 0 all []] (recur (assoc m (mod (* n 7919) 10007) n) (inc n) (conj all m)))",
    ),
    ("string", "(loop [s \"\"] (recur (str s \"abcdefgh\")))"),
    ("string doubled", "(loop [s \"ab\"] (recur (str s s)))"),
    ("string in front", "(loop [s \"ab\"] (recur (str \"x\" s s)))"),
    ("versions of a vector", "(loop [v (vec (range 1000)) all []] (recur (conj v 1) (conj all v)))"),
    (
        "versions of a map",
        "(loop [m (zipmap (range 1000) (range)) n 0 all []] (recur (assoc m n :x) (inc n) (conj all m)))",
    ),
    ("versions of a small vector", "(loop [v (vec (range 100)) all []] (recur (assoc v 3 (count all)) (conj all v)))"),
    ("vector at the front", "(loop [v []] (recur (cons 1 v)))"),
    ("queue", "(loop [v (vec (range 100))] (recur (conj (rest v) 1 2)))"),
    ("atom", "(def a (atom [])) (loop [] (swap! a conj 1) (recur))"),
    ("definitions", "(def a []) (loop [n 0] (def a (conj a [n])) (recur (inc n)))"),
    ("generator", "(last (iterate inc 0))"),
    ("generator held", "(def xs (iterate inc 0)) (nth xs 2500000)"),
    ("generator of vectors", "(def xs (map vector (range))) (nth xs 2500000)"),
    ("generator realised", "(vec (map inc (range)))"),
    ("lazy-seq", "(def f (fn [n] (lazy-seq (cons n (f (inc n)))))) (def xs (f 0)) (nth xs 2500000)"),
    ("cycle", "(vec (take 2500000 (cycle [1 2 3])))"),
    ("range", "(range 250000000)"),
    ("range that just fits not", "(range 135000)"),
    ("range of fractions", "(range 0 2500000 0.5)"),
    ("repeat", "(repeat 250000000 [])"),
    ("ranges kept", "(map range (repeat 100 5000))"),
    ("map in map", "(map (fn [n] (map inc (range 1000))) (range 25000))"),
    ("mapcat", "(mapcat (fn [n] (range 1000)) (range 25000))"),
    ("for", "(for [a (range 2500) b (range 2500)] [a b])"),
    ("filter", "(filter (fn [x] true) (range))"),
    ("keep-indexed", "(vec (keep-indexed (fn [i x] [i x]) (range)))"),
    ("reductions", "(reductions conj [] (range 250000))"),
    ("group-by", "(group-by (fn [n] (mod n 10)) (range 110000))"),
    ("group-by many", "(group-by identity (range 50000))"),
    ("frequencies", "(frequencies (range 50000))"),
    ("distinct", "(distinct (range 75000))"),
    ("set of", "(set (range 75000))"),
    ("into set", "(into #{} (range 75000))"),
    ("into map", "(into {} (map (fn [n] [n n]) (range 75000)))"),
    ("into vector", "(let [v (vec (range 75000))] (into v v))"),
    ("zipmap", "(zipmap (range 75000) (range))"),
    ("zipmap strings", "(zipmap (map str (range 7500)) (map str (range 15000)))"),
    ("merge", "(let [m (zipmap (range 17500) (range)) n (zipmap (range 17500 35000) (range))] (merge m n))"),
    ("select-keys", "(let [m (zipmap (range 20000) (range))] (select-keys m (range 20000)))"),
    ("update-vals", "(let [m (zipmap (range 17500) (range))] (update-vals m inc))"),
    ("map-invert", "(let [m (zipmap (range 17500) (range))] (set/map-invert m))"),
    ("invert small", "(let [m (zipmap (range 100) (range))] (map (fn [n] (set/map-invert m)) (range 2500)))"),
    ("union", "(set/union (set (range 17500)) (set (range 17500 35000)))"),
    ("difference", "(let [s (set (range 25000))] (set/difference s #{1}))"),
    ("sort", "(sort (map - (range 75000)))"),
    ("sort strings", "(sort (map str (range 20000)))"),
    ("sort by function", "(sort (fn [a b] (< a b)) (map - (range 50000)))"),
    ("sort-by", "(sort-by - (range 62500))"),
    ("sort-by comparator", "(sort-by - (fn [a b] (< a b)) (range 37500))"),
    ("reverse", "(let [v (vec (range 75000))] [v (reverse v)])"),
    ("shuffle", "(let [v (vec (range 75000))] [v (shuffle v)])"),
    ("partition", "(partition 2 1 (range 75000))"),
    ("partition-all", "(partition-all 3 (range 75000))"),
    ("partition-by", "(partition-by odd? (range 75000))"),
    ("combinations", "(combinations (range 40) 5)"),
    ("interleave", "(interleave (range 75000) (range 75000))"),
    ("interpose", "(interpose 0 (range 75000))"),
    ("zip", "(zip (range 50000) (range 50000))"),
    ("map vector", "(map vector (range 50000) (range 50000))"),
    ("map-indexed", "(map-indexed vector (range 50000))"),
    ("concat", "(concat (range 75000) (range 75000))"),
    ("flatten", "(flatten [(range 75000) [(range 75000)]])"),
    ("take", "(let [v (vec (range 75000))] [v (take 72500 v)])"),
    ("split-at", "(let [v (vec (range 75000))] [v (split-at 37500 v)])"),
    ("subvec", "(let [v (vec (range 75000))] [v (map (fn [n] (subvec v n)) (range 10 1000))])"),
    ("conj on shared", "(let [v (vec (range 75000))] [v (conj v 1)])"),
    ("assoc on shared map", "(let [m (zipmap (range 17500) (range))] [m (assoc m 1 2)])"),
    ("dissoc on shared map", "(let [m (zipmap (range 17500) (range))] [m (dissoc m 1)])"),
    ("entries", "(let [m (zipmap (range 15000) (range))] [m (seq m)])"),
    ("keys", "(let [m (zipmap (range 22500) (range))] [(keys m) (vals m)])"),
    ("reduce-kv", "(reduce-kv (fn [a k v] (assoc a k v)) {} (vec (range 50000)))"),
    ("apply", "(apply vector (range 75000))"),
    ("apply str", "(apply str (range 500000))"),
    ("rest arguments", "(apply (fn [& xs] xs) (range 50000))"),
    ("chars", "(let [s (apply str (repeat 50000 \"ab\"))] (seq s))"),
    ("chars as vector", "(let [s (apply str (repeat 50000 \"ab\"))] (vec s))"),
    ("str", "(let [s (apply str (repeat 250000 \"abcd\"))] (str \"x\" s))"),
    ("pr-str", "(pr-str (vec (range 100000)))"),
    ("pr-str of a long string", "(let [s (apply str (repeat 500000 \"\\n\"))] (pr-str s))"),
    ("str of shared parts", "(str (loop [n 0 v [1]] (if (= n 40) v (recur (inc n) [v v]))))"),
    ("join", "(str/join \",\" (range 250000))"),
    ("join strings", "(let [s (apply str (repeat 2500 \"abc\"))] (str/join s (repeat 1000 s)))"),
    ("split", "(let [s (apply str (repeat 25000 \"ab,\"))] (str/split s #\",\"))"),
    ("split by text", "(let [s (apply str (repeat 25000 \"ab,\"))] (str/split s \",\"))"),
    ("split-lines", "(let [s (apply str (repeat 25000 \"ab\\n\"))] (str/split-lines s))"),
    ("replace", "(let [s (apply str (repeat 75000 \"ab\"))] (str/replace s \"a\" \"0123456789abcdefghijk\"))"),
    (
        "replace by pattern",
        "(let [s (apply str (repeat 75000 \"ab\"))] (str/replace s #\"a\" \"0123456789abcdefghijk\"))",
    ),
    ("replace by function", "(let [s (apply str (repeat 75000 \"ab\"))] (str/replace s #\"a\" (fn [m] \"30864197\")))"),
    ("re-seq", "(let [s (apply str (repeat 50000 \"ab\"))] (re-seq #\"a\" s))"),
    ("re-seq with groups", "(let [s (apply str (repeat 25000 \"ab\"))] (re-seq #\"(a)(b)\" s))"),
    ("upper-case", "(let [s (apply str (repeat 375000 \"abc\"))] [s (str/upper-case s)])"),
    ("string reverse", "(let [s (apply str (repeat 375000 \"abc\"))] [s (str/reverse s)])"),
    ("escape", "(let [s (apply str (repeat 250000 \"a\"))] (str/escape s {\"a\" \"30864197\"}))"),
    (
        "escape by a long text",
        "(let [s (apply str (repeat 20000 \"a\")) to (apply str (repeat 1500 \"b\"))] (str/escape s {\"a\" to}))",
    ),
    ("format", "(format \"%s %s\" (apply str (repeat 750000 \"a\")) (apply str (repeat 750000 \"a\")))"),
    ("format wide", "(loop [v []] (recur (conj v (format \"%100000d\" 1))))"),
    ("json text", "(json/generate-string (vec (range 112500)))"),
    ("json text of maps", "(json/generate-string (mapv (fn [n] {:id n :name (str n)}) (range 5000)))"),
    ("json values", "(json/parse-string (str \"[\" (str/join \",\" (range 100000)) \"]\"))"),
    ("json nested", "(json/parse-string (str \"[\" (apply str (repeat 75000 \"[],\")) \"1]\"))"),
    (
        "json objects",
        "(json/parse-string (str \"[\" (str/join \",\" (repeat 15000 \"{\\\"a\\\":1,\\\"b\\\":\\\"x\\\"}\")) \"]\"))",
    ),
    ("json strings", "(json/parse-string (str \"[\" (str/join \",\" (repeat 50000 \"\\\"x\\\"\")) \"]\"))"),
    ("json lines", "(json/parse-lines (apply str (repeat 25000 \"[1,2]\\n\")))"),
    ("power", "(loop [n 3] (recur (*' n n)))"),
    ("factorial", "(reduce *' (range 1 15000))"),
    ("digits", "(str (reduce *' (repeat 3000 30864197280864197)))"),
    ("walk", "(let [v (mapv (fn [n] [n n]) (range 12500))] [v (walk/postwalk (fn [x] (if (number? x) (inc x) x)) v)])"),
    ("tree-seq", "(tree-seq vector? seq (mapv (fn [n] [n n]) (range 12500)))"),
    ("output", "(loop [n 0] (println (apply str (repeat 2000 \"x\"))) (recur (inc n)))"),
    ("output of one line", "(loop [] (print \"abcdefghijklmnopqrstuvwxyz\") (recur))"),
    ("with-out-str", "(with-out-str (loop [] (println \"abcdefghijklmnopqrstuvwxyz\") (recur)))"),
    ("pmap", "(pmap (fn [n] (vec (range 5000))) (range 200))"),
    ("pmap in pmap", "(pmap (fn [n] (pmap (fn [k] (vec (range 1000))) (range 100))) (range 200))"),
    ("recursion", "((fn f [n] (+ 1 (f [n n]))) 0)"),
    ("recursion with many locals", "((fn f [a b c d e g] (+ (f a b c d e g) (f b c d e g a))) 1 2 3 4 5 6)"),
    ("memoize", "(def f (memoize (fn [n] [n n]))) (loop [n 0] (f n) (recur (inc n)))"),
    ("transduce", "(into [] (comp (map inc) (filter odd?)) (range 500000))"),
    ("sequence", "(sequence (map inc) (range 100000))"),
    ("partition xf", "(into [] (partition-all 3) (range 100000))"),
    ("equality of sequences", "(= (map inc (range)) (map inc (range)))"),
    ("set of sequences", "(set (map (fn [n] (map inc (range n))) (range 2500)))"),
    ("hash-map", "(apply hash-map (range 50000))"),
    ("tools", "(loop [n 0] (tool/echo {:n (vec (range 2500))}) (recur (inc n)))"),
    ("tool answers", "(loop [v []] (recur (conj v (tool/echo {:n 1}))))"),
    ("compare sorted", "(= (into (sorted-set) (range 15000)) (set (range 15000)))"),
    ("sorted set of", "(into (sorted-set) (range 75000))"),
    ("apply sorted-set", "(apply sorted-set (map - (range 37500)))"),
    ("subseq", "(let [s (into (sorted-map) (map (fn [n] [n n])) (range 10000))] [s (subseq s > 10)])"),
    ("set/index", "(set/index (map (fn [n] {:k n}) (range 15000)) [:k])"),
    (
        "set/join",
        "(set/join (set (map (fn [n] {:k 1 :a n}) (range 300))) (set (map (fn [n] {:k 1 :b n}) (range 300))))",
    ),
    ("index-by", "(zipmap (map :id (map (fn [n] {:id n}) (range 15000))) (range))"),
    ("cycle", "(vec (cycle [1 2 3]))"),
    ("passes without end", "(count (filter odd? (map inc (keep identity (range)))))"),
    ("two texts beside each other", "(map vector (apply str (repeat 6380 \"abé\")) (apply str (repeat 6380 \"abé\")))"),
    ("endless beside a collection", "(map vector (range) (cycle [1 2]) (vec (range 15000)))"),
    ("sort by rows", "(sort-by (fn [n] [(- n) (str n)]) (range 10000))"),
    ("sort by a field", "(sort (fn [a b] (> (:n a) (:n b))) (map (fn [n] {:n n}) (range 15000)))"),
    ("return of a generator", "(map inc (iterate inc 0))"),
    ("return of nested generators", "(map (fn [n] (map inc (range 100))) (range 5000))"),
];

/// Programs that make much garbage and hold little: whatever they allocate in all, they fit.
const FRUGAL: &[&str] = &[
    "(run! range (repeat 100 50000))",
    "(reduce (fn [_ n] (count (vec (range n)))) 0 (repeat 100 50000))",
    "(loop [n 0] (when (< n 50) (count (sort (range 15000))) (recur (inc n))))",
    "(loop [n 0] (when (< n 50) (count (str/join \",\" (range 25000))) (recur (inc n))))",
    "(loop [n 0] (when (< n 30) (count (frequencies (range 2500))) (recur (inc n))))",
    "(loop [n 0] (when (< n 30) (count (group-by odd? (range 15000))) (recur (inc n))))",
    "(loop [n 0] (when (< n 30) (count (set (range 12500))) (recur (inc n))))",
    "(loop [n 0] (when (< n 30) (count (into {} (map vector (range 5000) (range 5000)))) (recur (inc n))))",
    "(loop [n 0] (when (< n 30) (count (json/parse-string (json/generate-string (vec (range 7500))))) (recur (inc n))))",
    "(loop [n 0] (when (< n 200) (re-find (re-pattern (str \"\\\\w+\" n)) \"some text\") (recur (inc n))))",
    "(loop [n 0] (when (< n 30) (count (map inc (map inc (range 25000)))) (recur (inc n))))",
    "(loop [n 0] (when (< n 30) (count (take 12500 (iterate inc 0))) (recur (inc n))))",
    "(loop [n 0] (when (< n 30) (count (str/split (str/join \",\" (range 5000)) #\",\")) (recur (inc n))))",
    "(count (loop [n 0 v (vec (range 12500))] (if (< n 100) (recur (inc n) (mapv inc v)) v)))",
    "(count (loop [n 0 m (zipmap (range 5000) (range))] (if (< n 50) (recur (inc n) (update-vals m inc)) m)))",
    "(dotimes [n 100] (mapv range (repeat 10 10000)))",
    "(mapcat (fn [n] (take 1 (range 25000))) (range 100))",
    "(pmap (fn [n] (count (range 12500))) (range 50))",
    "(dotimes [n 100000] (try (throw (ex-info \"none\" {:n n})) (catch Exception e nil)))",
    "(count (loop [n 0 s \"\"] (if (< n 300) (recur (inc n) (str/reverse (apply str (repeat 10000 \"x\")))) s)))",
    "(dotimes [n 100] (into (sorted-set) (range 2500)))",
    "(dotimes [n 100000] (atom [n]))",
];

fn run_within(memory: u64, program: &str) -> (Outcome, u64) {
    // What the process makes once (the table, the functions of the prelude that are called) is not the program's.
    measured(memory / 16, program);
    measured(memory, program)
}

fn measured(memory: u64, program: &str) -> (Outcome, u64) {
    let limits = Limits { memory, fuel: 30_000_000, time: Duration::from_secs(120), depth: 1_000, ..Limits::default() };
    let options = SessionOptions { limits, tools: vec![ToolSpec::new("echo")], seed: 3, ..SessionOptions::default() };
    let mut session = Session::new(options);
    most_held(|| session.run(program, &mut |call| Ok(call.args.clone())))
}

#[test]
fn no_program_holds_much_more_than_the_limit() {
    let mut over = Vec::new();
    for (name, program) in HUNGRY {
        let (outcome, most) = run_within(LIMIT, program);
        if most > LIMIT + LIMIT / 10 + BESIDE {
            let ending: String = shown(&outcome).chars().take(200).collect();
            over.push(format!("{name}: {:.2} times the limit; {ending}", most as f64 / LIMIT as f64));
        }
    }
    assert_eq!(over, [""; 0]);
}

#[test]
fn garbage_does_not_count() {
    for program in FRUGAL {
        let (outcome, most) = run_within(LIMIT, program);
        assert!(outcome.value().is_some(), "{program}: {}", shown(&outcome));
        assert!(most <= LIMIT + LIMIT / 10 + BESIDE, "{program}: {most} bytes");
    }
}

/// Values of any size: numbers, texts, collections of them.
fn source() -> impl Strategy<Value = String> {
    (0..12_usize, 1..200_000_usize).prop_map(|(kind, size)| {
        let (some, few) = (size / 4 + 1, size / 40 + 1);
        match kind {
            0 => format!("(range {size})"),
            1 => format!("(vec (range {some}))"),
            2 => format!("(mapv str (range {few}))"),
            3 => format!("(zipmap (range {few}) (range))"),
            4 => format!("(set (range {few}))"),
            5 => format!("(into (sorted-map) (map vector (range {few}) (range)))"),
            6 => format!("(mapv (fn [n] [n (str n)]) (range {few}))"),
            7 => format!("(mapv (fn [n] {{:id n :name (str \"name \" n)}}) (range {few}))"),
            8 => format!("(take {some} (iterate inc 0))"),
            9 => format!("(str/split (apply str (repeat {few} \"ab,\")) #\",\")"),
            10 => format!("(mapv (fn [n] (*' n 30864197280864197280864197)) (range {few}))"),
            _ => format!("(apply str (repeat {some} \"abé\"))"),
        }
    })
}

/// What makes a collection of another one, whatever it holds.
const STEPS: &[&str] = &[
    "(map vector X X)",
    "(map str X)",
    "(mapv (fn [x] [x x]) X)",
    "(mapv (fn [x] (fn [] x)) X)",
    "(into [] X)",
    "(into #{} X)",
    "(concat X X)",
    "(reverse X)",
    "(sort-by str X)",
    "(shuffle X)",
    "(distinct X)",
    "(frequencies X)",
    "(group-by str X)",
    "(group-by count (map str X))",
    "(partition 3 1 X)",
    "(partition-all 7 X)",
    "(interleave X X)",
    "(interpose :between X)",
    "(map-indexed vector X)",
    "(mapcat (fn [x] [x [x]]) X)",
    "(zipmap X X)",
    "(reductions conj [] X)",
    "(reductions str \"\" (take 300 X))",
    "(reduce (fn [m x] (assoc m (str x) x)) {} X)",
    "(reduce (fn [v x] (conj v [v x])) [] (take 200 X))",
    "(str/split (pr-str X) #\"[ 1]\")",
    "(str/split (str/join \",\" X) #\",\")",
    "(re-seq #\"\\w+\" (str X))",
    "(re-seq #\"(\\d)(\\w*)\" (str X))",
    "(str/split (str/replace (str X) #\"[0-9]\" \"<$0>\") #\" \")",
    "(seq (str/upper-case (str X)))",
    "(list (str/reverse (str X)) (str/replace (str X) \" \" \", \"))",
    "(json/parse-string (json/generate-string (vec X)))",
    "(map (fn [x] (json/generate-string {:a x})) X)",
    "(walk/postwalk identity (vec X))",
    "(tree-seq coll? seq (vec X))",
    "(pmap (fn [x] [x (str x)]) (take 300 X))",
    "(let [xs X] [xs (vec xs) (set xs)])",
    "(loop [n 0 v X] (if (< n 3) (recur (inc n) (mapv vector v)) v))",
    "(do (def kept X) (map identity kept))",
    "(list X (format \"%20s|%s\" (str X) (count X)))",
    "(filter (fn [x] (atom x)) X)",
    "(map (fn [x] (delay x)) X)",
];

/// What is left of it.
const ENDS: &[&str] = &[
    "X",
    "(count X)",
    "(str X)",
    "(println X)",
    "(return X)",
    "(= X X)",
    "(loop [all []] (recur (conj all X)))",
    "(hash X)",
];

fn program() -> impl Strategy<Value = String> {
    (source(), prop::collection::vec(prop::sample::select(STEPS), 0..4), prop::sample::select(ENDS)).prop_map(
        |(source, steps, end)| {
            let whole = steps
                .iter()
                .fold(source, |inner, step| step.replace('X', &format!("({inner})").replacen('(', "(identity ", 1)));
            end.replace('X', &whole)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, max_shrink_iters: 60, ..ProptestConfig::default() })]

    #[test]
    fn no_chance_program_holds_much_more_than_the_limit(program in program()) {
        let (outcome, most) = run_within(LIMIT, &program);
        prop_assert!(most <= LIMIT + LIMIT / 10 + BESIDE, "{:.2} times the limit; {}", most as f64 / LIMIT as f64, shown(&outcome));
    }
}
