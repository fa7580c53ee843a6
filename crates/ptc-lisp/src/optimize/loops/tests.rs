//! An inlined function literal does what the same function does through a name.

use proptest::prelude::*;

use crate::eval::oracle::tests::{LOCALS, program};
use crate::session::host::ToolError;
use crate::session::outcome::Ending;
use crate::session::{Session, SessionOptions};
use crate::testing::is_tried;
use crate::value::{FormatOptions, Value, format};

/// Calls with a function of one parameter instead of `F`.
pub(in crate::optimize) const CALLS: &[&str] = &[
    "(map F xs)",
    "(mapv F xs)",
    "(filter F xs)",
    "(filterv F xs)",
    "(remove F xs)",
    "(keep F xs)",
    "(some F xs)",
    "(every? F xs)",
    "(reduce + (map F xs))",
    "(reduce * (mapv F xs))",
    "(reduce + a (map F xs))",
    "(update xs :a F)",
    "(update xs \"k\" F)",
    "(update xs 0 F)",
    "(update nil a F)",
    "[(update g :a F) g]",
    "(update g :a update :k F)",
    "(update g [a 1] F)",
    "(reduce (fn [m y] (update m [(:k y) a] F)) {} rows)",
    "(filter (comp #{1 2 nil} F) xs)",
    "(map (comp {1 :one} F) xs)",
    "(update xs :a update :b (fnil F 1))",
    "(reduce (fn [m y] (update m (:k y) update :n (fnil (comp F identity) 0))) {} rows)",
    "(map (fn [y] (map F [y a])) xs)",
    "(map (fn [y] (filter F [y {:a y}])) xs)",
    "(loop [i 0 m {}] (if (< i 3) (recur (inc i) (update m (mod i 2) F)) m))",
    "(reduce (fn [m y] (update m (:k y) F)) {} rows)",
    "(reduce (fn [m y] (update m (:k y) F)) (zipmap (map str (range 12)) (range)) rows)",
    "(try (map F xs) (catch Exception _ [:caught a]))",
    "(map (fn [y] (try (some F [y 1]) (catch Exception _ [:caught y]))) xs)",
];

/// Calls with a function of two.
pub(in crate::optimize) const FOLDS: &[&str] = &[
    "(reduce F xs)",
    "(reduce F a xs)",
    "(reduce F {} rows)",
    "(map (fn [y] (reduce F [] [y 2 3])) xs)",
    "(reduce (fn [acc y] (conj acc (reduce F [y 1]))) [] xs)",
];

/// The collections that they iterate over.
pub(in crate::optimize) const COLLECTIONS: &[&str] = &[
    "[1 2 3]",
    "[]",
    "[5]",
    "nil",
    "{:a 1 :b 2}",
    "{\"k\" 1}",
    "#{7}",
    "\"ab\"",
    "5",
    "(map inc (range 3))",
    "(take 3 (iterate inc 1))",
    "(sorted-map :b 1 :a 2)",
    "[1.5 nil :a \"s\" 9223372036854775807]",
    "rows",
];

/// Calls over rows: rows that a test skips are not visible to what follows.
const OF_ROWS: &[&str] = &[
    "(map :k (filter F xs))",
    "(group-by :k (remove F xs))",
    "(count (filter F xs))",
    "(reduce (fn [acc y] (if (F y) (conj acc (:a y)) acc)) [] xs)",
    "(for [y xs :when (F y)] [y (:k y)])",
    "(map-indexed vector (filter F xs))",
];

/// Functions of a row `o` with a field of it instead of `{}`.
const TESTS: &[&str] = &[
    "(> {} 100)",
    "(< {} 1)",
    "(<= {} 1.5)",
    "(>= 200.5 {})",
    "(= {} \"x\")",
    "(= {} 1)",
    "(not (= {} \"x\"))",
    "(not= {} \"y\")",
    "(and (= {} :b) (:k o))",
    "(and (= (:k o) \"x\") (> {} 0) (:a o))",
    "(and {} (not (:k o)))",
    "(or {} 0)",
    "(if (= (:k o) \"x\") {} nil)",
    "(when (> {} 0) (when (< {} 100) (:k o)))",
    "(let [z 1] (fn [] {}) {})",
];

pub(in crate::optimize) const ROWS: &str =
    "[{:a 1 :k \"x\"} {:a 200.5 :k \"y\"} {:k \"x\" :a -3} {:k \"10\"} {:k \"10\" :a :b} {:a 1 :k \"x\"}]";

pub(in crate::optimize) fn ending(source: &str, slice: Option<u64>) -> String {
    ending_in(&mut Session::new(SessionOptions::default()), source, slice)
}

pub(in crate::optimize) fn ending_in(session: &mut Session, source: &str, slice: Option<u64>) -> String {
    let outcome = session.run_sliced(source, slice, &mut |_| Err(ToolError::new("no tools here")));
    let text = |value: &Value| format(value, &FormatOptions::full()).text;
    match &outcome.ending {
        Ending::Value(value) | Ending::Return(value) => text(value),
        Ending::Fail(value) => format!("! fail {}", text(value)),
        Ending::Error(problems) => problems
            .iter()
            .map(|problem| format!("! {}: {}", problem.reason, problem.message))
            .collect::<Vec<_>>()
            .join("\n"),
    }
}

/// Compare the call with the function as a literal, in slices and whole, with the call by its name.
fn agree(call: &str, function: &str, collection: &str) -> Result<(), TestCaseError> {
    let around =
        |call: &str| format!("(let {LOCALS} (let [rows {ROWS} xs {collection} the-function {function}] {call}))");
    let named = ending(&around(&call.replace('F', "the-function")), None);
    let literal = around(&call.replace('F', function));
    for slice in [None, Some(1), Some(7)] {
        prop_assert_eq!(&ending(&literal, slice), &named, "{}", literal);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_literal_in_its_place_does_what_a_named_function_does(
        call in proptest::sample::select(CALLS),
        collection in proptest::sample::select(COLLECTIONS),
        parameter in proptest::sample::select(&["a", "x", "[a b]", "{:keys [a k]}"][..]),
        body in program(),
    ) {
        agree(call, &format!("(fn [{parameter}] {body})"), collection)?;
    }

    #[test]
    fn so_does_the_function_of_a_reduce(
        call in proptest::sample::select(FOLDS),
        collection in proptest::sample::select(COLLECTIONS),
        body in program(),
        ends in any::<bool>(),
    ) {
        let body = if ends { format!("(if (= a 2) (reduced b) {body})") } else { body };
        agree(call, &format!("(fn [b a] {body})"), collection)?;
    }

    #[test]
    fn fields_of_elements_are_read_where_they_are(
        call in proptest::sample::select([CALLS, OF_ROWS].concat()),
        field in proptest::sample::select(&["(:a o)", "(:k o)", "(:none o)", "[(:a o) o]"][..]),
        test in proptest::sample::select(TESTS),
        rows in proptest::sample::select(&["rows", "(filter (comp number? :a) rows)", "(conj rows 5)", "[]"][..]),
    ) {
        agree(call, &format!("(fn [o] {})", test.replace("{}", field)), rows)?;
    }
}

/// A search for the first element of a pass computes only that: the one that the whole pass would give first, if any.
#[test]
fn the_first_of_a_pass_is_the_first_of_all() {
    let makers = ["map", "mapv", "filter", "filterv", "remove", "keep"];
    let functions = [
        "(fn [x] x)",
        "#(= 3 %)",
        "(fn [{:keys [a]}] a)",
        ":a",
        "nil?",
        "(fn [x] (let [y (:a x)] (if y [y x] false)))",
        "not",
        "(fn [x] (nil? x))",
    ];
    let collections = [
        "[]",
        "nil",
        "[nil nil]",
        "[1 3 5]",
        "[false nil {:a 7} {:a nil}]",
        "{:a 1 :b 2}",
        "#{3}",
        "\"\"",
        "(take 9 (iterate inc 1))",
        "(range 3 9)",
        "7",
    ];
    for (maker, function) in makers.iter().flat_map(|maker| functions.map(|function| (maker, function))) {
        for collection in collections {
            let plain = format!("(let [all ({maker} {function} {collection})] (first all))");
            for slice in [None, Some(1)] {
                assert_eq!(
                    ending(&format!("(first ({maker} {function} {collection}))"), slice),
                    ending(&plain, slice),
                    "{plain}"
                );
            }
        }
    }
}

/// The fuel of a program over 10,000 numbers `xs`.
pub(in crate::optimize) fn fuel(program: &str) -> u64 {
    let mut session = Session::new(SessionOptions::default());
    let outcome = session.run(&format!("(def xs (vec (range 10000))) {program}"), &mut |_| unreachable!());
    assert!(outcome.value().is_some(), "{program}");
    outcome.usage.fuel
}

#[test]
fn what_is_behind_the_first_is_not_looked_at() {
    let nothing = fuel("nil");
    for program in [
        "(first (filter (fn [x] (> x 3)) xs))",
        "(first (map inc xs))",
        "(->> xs (keep #(if (> % 5) %)) first)",
        "(first (remove zero? xs))",
    ] {
        assert!(fuel(program) - nothing < 50, "{program}: {}", fuel(program) - nothing);
    }
    // Effects happen for all elements, as before.
    assert!(fuel("(first (map (fn [x] (println x) x) xs))") - nothing > 10_000);
}

/// The function of an update, and the arguments after it.
const FUNCTIONS: &[&str] = &[
    "inc",
    "+ 1",
    "- a",
    "* (count xs)",
    "(fnil inc 0)",
    "(fnil + 10) a",
    "(fnil conj []) :x",
    "conj 5",
    "(partial + 1)",
    "(partial vector a b)",
    "(comp str inc)",
    "(comp inc (fnil + 0)) a",
    "(complement nil?)",
    "(constantly a)",
    "(juxt identity str)",
    "(fn [v] v)",
    "(fn [v x] [x v x]) a",
    "(fn [v & more] [v more]) a b",
    "assoc :z a",
    "update :b (fnil inc 5)",
    "update-in [:b :c] str \"!\"",
    "assoc-in [:b :c] 1",
    ":b",
    ":b :none",
    "merge {:b 2}",
    "(fn [v] (println v) v)",
    "(do (println 1) +) 2",
    "str (do (println 2) 1)",
    "merge-with + {:b 2}",
    "map inc",
    "get a",
    "nil",
    "the-function 1",
    "(the-function 1)",
];

/// The same updates of different places.
const UPDATES: &[&str] = &[
    "(update xs :a F)",
    "(update xs 0 F)",
    "(update xs (:none xs) F)",
    "(update-in xs [:a] F)",
    "(update-in xs [:a :b] F)",
    "(update-in xs [\"k\" (count xs) 0] F)",
    "(update-in xs [] F)",
    "[(update xs :a F) xs]",
    "(try (update xs :a F) (catch Exception e [(ex-message e) xs]))",
    "(reduce (fn [acc x] (update acc x F)) xs [:a 0 :a])",
    "(reduce (fn [acc x] (update-in acc [:m x] F)) {} [:a 0 :a])",
    "(loop [n 0 acc xs] (if (< n 3) (recur (inc n) (update acc :a F)) acc))",
];

const ASSOCS: &[&str] = &[
    "(assoc-in xs [:a :b] [a])",
    "(assoc-in xs [:a 0 :c] a)",
    "(assoc-in xs [0 1] a)",
    "(assoc-in xs [:a :b] (do (println 3) a))",
];

const PLACES: &[&str] = &[
    "{}",
    "nil",
    "{:a 1}",
    "{:a \"s\" :k 1}",
    "{:a nil 0 2.5}",
    "{:a {:b 1 :c 2} \"k\" [[1]]}",
    "{:a {:b {:c 3}}}",
    "{:a [1 2] :m {:a 1}}",
    "[]",
    "[1 2]",
    "[[1 2] [3]]",
    "[{:a 1} nil]",
    "(vec (range 600))",
    "(list {:b 1})",
    "(sorted-map :a 1)",
    "(zipmap [:a :b :c :d :e :f :g :h :i :j :k] (range))",
    "\"text\"",
    "#{:a}",
];

/// Updates by the names of builtins do what they do through a local.
#[test]
fn an_update_in_its_place_does_what_a_call_does() {
    let calls = UPDATES.iter().flat_map(|call| FUNCTIONS.iter().map(move |function| call.replace('F', function)));
    for (number, call) in calls.chain(ASSOCS.iter().map(|call| (*call).to_owned())).enumerate() {
        let named = call
            .replace("(update-in ", "(the-update-in ")
            .replace("(update ", "(the-update ")
            .replace("(assoc-in ", "(the-assoc-in ");
        for (at, place) in PLACES.iter().enumerate() {
            if !is_tried(number * PLACES.len() + at) {
                continue;
            }
            let around = |call: &str| {
                format!(
                    "(let [the-update update the-update-in update-in the-assoc-in assoc-in a 7 b [8] \
                     the-function (fn ([x] (fn [y] [x y])) ([x y] [x y])) xs {place}] [(with-out-str (prn {call})) xs])"
                )
            };
            for slice in [None, Some(1)] {
                assert_eq!(ending(&around(&call), slice), ending(&around(&named), None), "{call} of {place}");
            }
        }
    }
}

/// Functions created from others do in a pass what they do as values.
#[test]
fn a_pass_does_with_a_combined_function_what_it_does_with_a_value() {
    let functions = [
        "(comp str :a)",
        "(comp inc inc)",
        "(partial + 10)",
        "(partial get {1 :x})",
        "(complement nil?)",
        "(juxt identity (comp str :a))",
        "(constantly 5)",
        "(fnil inc 0)",
        "(comp (fn [x] (println x) x) (partial vector 1))",
        "(partial (fn [x y] [y x]) :p)",
    ];
    for (call, function) in
        CALLS.iter().take(12).flat_map(|call| functions.iter().map(move |function| (call, function)))
    {
        for collection in COLLECTIONS {
            agree(call, function, collection).unwrap_or_else(|error| panic!("{call} {function} {collection}: {error}"));
        }
    }
}

/// Calls of pure functions, each a stage of a chain.
const STAGES: &[&str] = &[
    "(map inc XS)",
    "(mapv (fn [x] (if (number? x) (* 2 x) x)) XS)",
    "(filter #(and (number? %) (> % 2)) XS)",
    "(remove nil? XS)",
    "(keep (fn [x] (if (map? x) (:a x) x)) XS)",
    "(map :a XS)",
    "(filter :a XS)",
    "(map (juxt identity str) XS)",
    "(map str XS)",
    "(filterv (complement nil?) XS)",
    "(map (fn [[k v]] v) XS)",
    "(map (comp inc (fnil + 0)) XS)",
];

const SINKS: &[&str] = &[
    "XS",
    "(first XS)",
    "(count XS)",
    "(empty? XS)",
    "(if (seq XS) 1 2)",
    "(cond (not-empty XS) :some :else :none)",
    "(some #(= 6 %) XS)",
    "(every? some? XS)",
    "(reduce (fn [acc x] (conj acc x)) [] XS)",
    "(reduce conj #{} XS)",
    "(reduce + 0 XS)",
    "(group-by odd? XS)",
    "(group-by (fn [x] (mod x 3)) XS)",
    "(reduce (fn [m x] (update m x (fnil inc 0))) {} XS)",
    "(reduce (fn [m x] (if (= x 6) (reduced [m x]) (assoc m x 1))) {} XS)",
    "(into [] XS)",
    "(take 2 XS)",
    "(let [ys XS] [ys (first ys)])",
];

#[test]
fn a_chain_does_in_one_pass_what_its_calls_do_one_after_the_other() {
    let pairs = STAGES.iter().flat_map(|outer| STAGES.iter().map(move |inner| (outer, inner)));
    let chains = SINKS.iter().flat_map(|sink| pairs.clone().map(move |pair| (sink, pair)));
    for (number, (sink, (outer, inner))) in chains.enumerate() {
        for (at, collection) in COLLECTIONS.iter().enumerate() {
            if !is_tried(number * COLLECTIONS.len() + at) {
                continue;
            }
            let fused = sink.replace("XS", &outer.replace("XS", &inner.replace("XS", "xs")));
            let apart = format!(
                "(let [one {} two {}] {})",
                inner.replace("XS", "xs"),
                outer.replace("XS", "one"),
                sink.replace("XS", "two")
            );
            let around = |call: &str| format!("(let {LOCALS} (let [rows {ROWS} xs {collection}] {call}))");
            let (fused, apart) = (ending(&around(&fused), Some(3)), ending(&around(&apart), None));
            // Of two errors, the one of the earlier element comes first, and after the end of a search there is none.
            let ends = ["first", "empty?", "seq", "not-empty", "some", "every?", "reduced"]
                .iter()
                .any(|word| sink.contains(word));
            if !(apart.starts_with("! ") && (ends || fused.starts_with("! "))) {
                assert_eq!(fused, apart, "{sink} {outer} {inner} {collection}");
            }
        }
    }
}

#[test]
fn a_chain_looks_at_no_more_than_it_is_asked_for() {
    let nothing = fuel("nil");
    for program in [
        "(first (map inc (filter odd? xs)))",
        "(empty? (filter #(> % 5) xs))",
        "(if (seq (filter #(> % 5) xs)) 1 2)",
        "(when-not (empty? (remove zero? (map dec xs))) 1)",
        "(some #(= 6 %) (map inc (filter odd? xs)))",
        "(every? odd? (map inc xs))",
    ] {
        assert!(fuel(program) - nothing < 60, "{program}: {}", fuel(program) - nothing);
    }
    // All effects happen, in the order of the calls.
    let prints = "(with-out-str (count (filter (fn [x] (print x) true) (map (fn [x] (print \"-\") x) [1 2]))))";
    assert_eq!(ending(prints, None), "\"--12\"");
}

/// Folds and loops whose state can be taken apart, or nearly; `INIT` is its initial value.
const STATES: &[(&str, &str)] = &[
    ("[[] 0]", "(reduce (fn [[out n] x] [(conj out x) (inc n)]) INIT xs)"),
    ("[#{} []]", "(reduce (fn [[seen out] x] (if (seen x) [seen out] [(conj seen x) (conj out x)])) INIT xs)"),
    (
        "[#{} []]",
        "(reduce (fn [st x] (if (contains? (first st) x) st [(conj (st 0) x) (conj (second st) x)])) INIT xs)",
    ),
    ("[0 1]", "(reduce (fn [[a b :as both] x] (if (= x 2) both [b (+ a b)])) INIT xs)"),
    ("[0 1]", "(reduce (fn [[a b c] x] [b (or c x)]) INIT xs)"),
    ("[0 1]", "(reduce (fn [st x] [(nth st 1) (nth st 2 x)]) INIT xs)"),
    ("[0 1]", "(reduce (fn [[a & more] x] [x (first more)]) INIT xs)"),
    ("[0 1]", "(reduce (fn [st x] (assoc st 0 x)) INIT xs)"),
    ("[0 1]", "(reduce (fn [st x] (update st 1 + x)) INIT xs)"),
    ("[0 1]", "(reduce (fn [st x] (conj st x)) INIT xs)"),
    ("[0 1]", "(reduce (fn [[a b] x] (if (= x 2) (reduced [a]) [x a])) INIT xs)"),
    ("[0 1]", "(reduce (fn [[a b] x] (if (= x 2) nil [x a])) INIT xs)"),
    ("[0 nil]", "(reduce (fn [[a b] x] (when (nil? b) [x a])) INIT xs)"),
    ("{:m {} :n 0}", "(reduce (fn [{:keys [m n] :as st} x] (assoc st :m (assoc m x n) :n (inc n))) INIT xs)"),
    ("{:m {} :n 0}", "(reduce (fn [{:keys [m n]} x] {:m (assoc m x n) :n (inc n)}) INIT xs)"),
    ("{:m {} :n 0}", "(reduce (fn [{:keys [m n]} x] {:n (inc n) :m (assoc m x n)}) INIT xs)"),
    ("{:m {} :n 0}", "(reduce (fn [st x] (-> st (update :m assoc x true) (update :n inc))) INIT xs)"),
    ("{:m {} :n 0}", "(reduce (fn [st x] (-> st (update :n inc) (assoc-in [:m x :at] (:n st)))) INIT xs)"),
    ("{:m {} :n 0}", "(reduce (fn [st x] (-> st (update-in [:m x] (fnil + 0) (:n st)) (update :n inc))) INIT xs)"),
    (
        "{:m {} :n 0}",
        "(reduce (fn [st x] (cond-> st (odd? x) (update :n + x) (> x 1) (assoc-in [:m x] (st :n)))) INIT xs)",
    ),
    ("{:m {} :n 0}", "(reduce (fn [st x] (let [st (update st :n inc)] (assoc-in st [:m x] (:n st)))) INIT xs)"),
    ("{:m {} :n 0}", "(reduce (fn [st x] (merge st {:n x})) INIT xs)"),
    ("{:m {} :n 0}", "(reduce (fn [st x] (assoc st :new x)) INIT xs)"),
    ("{:m {} :n 0}", "(reduce (fn [st x] (assoc st (if (odd? x) :m :n) x)) INIT xs)"),
    ("{:m {} :n 0}", "(reduce (fn [st x] (update st :n (do (println x) inc))) INIT xs)"),
    ("{:m {} :n 0}", "(reduce (fn [st x] (assoc st :n (do (println :n x) x) :m (do (println :m) {}))) INIT xs)"),
    ("{:m {} :n 0}", "(reduce (fn [st x] (assoc st :n (do (println :n x) x) :n 7)) INIT xs)"),
    ("{:m {} :n 0}", "(reduce (fn [st x] (assoc st :n (count (:none st)) :m (:m st 3))) INIT xs)"),
    ("{:m {} :n 0}", "(reduce (fn [st x] (assoc st :m (mapv (fn [y] [y (:n st)]) [1 2]) :n x)) INIT xs)"),
    ("{:m {} :n 0}", "(reduce (fn [{:keys [n] :as st} x] (assoc st :m (mapv (fn [y] [y n]) [1 2]) :n x)) INIT xs)"),
    ("{:m {} :n 0}", "(reduce (fn [st x] (assoc st :m (mapv (fn [y] [y st]) [1 2]) :n x)) INIT xs)"),
    ("{:m nil :n nil}", "(reduce (fn [st x] (update st :n inc)) INIT xs)"),
    ("{:m nil :n nil}", "(reduce (fn [st x] (update st :m + x)) INIT xs)"),
    ("{:m {} :n \"s\"}", "(reduce (fn [st x] (update st :n * x)) INIT xs)"),
    ("{:m {} :n 0}", "(reduce-kv (fn [{:keys [n] :as st} k v] (assoc st :n (+ n v))) INIT {:a 1 :b 2})"),
    ("{:m {} :n 0}", "(reduce (fn [st x] (update st :n + x)) INIT (filter odd? (map inc xs)))"),
    ("{:m {} :n 0}", "(reduce (fn [st [k v]] (-> st (update :m assoc k v) (update :n inc))) INIT {:a 1 :b 2})"),
    (
        "{:m {} :n 0}",
        "(try (reduce (fn [st x] (if (= x 2) (throw (ex-info \"two\" st)) (update st :n inc))) INIT xs) (catch Exception e (ex-data e)))",
    ),
    ("[0 1]", "(loop [[a b] INIT i 0] (if (< i 9) (recur [b (+ a b)] (inc i)) [a b i]))"),
    ("[0 1]", "(loop [st INIT i 0] (if (< i 9) (recur [(st 1) (+ (first st) (second st))] (inc i)) st))"),
    (
        "{:q [0] :seen #{0}}",
        "(loop [{:keys [q seen] :as st} INIT] (if (empty? q) st (let [more (remove seen [1 (inc (first q)) 5])] (recur (if (> (count seen) 9) (assoc st :q []) (-> st (assoc :q (into (vec (rest q)) more)) (update :seen into more)))))))",
    ),
    (
        "{:n 0 :out []}",
        "(loop [st INIT xs xs] (if-let [[x & more] (seq xs)] (recur (-> st (update :out conj x) (update :n + x)) more) (assoc st :done true)))",
    ),
    (
        "{:n 0 :out []}",
        "(loop [i 0 st INIT] (cond (> i 5) (:out st) (odd? i) (recur (inc i) (update st :out conj i)) :else (recur (inc i) st)))",
    ),
    (
        "{:n 0 :out []}",
        "(loop [i 0 st INIT kept []] (if (> i 5) [st kept] (recur (inc i) (update st :out conj i) (conj kept st))))",
    ),
    (
        "{:n 0 :out []}",
        "(loop [st INIT] (if (< (:n st) 3) (recur (let [n (inc (:n st))] (assoc st :n n :out (conj (:out st) n)))) (mapv (fn [x] [x st]) (:out st))))",
    ),
    (
        "{:n 0 :out []}",
        "(do (defn add [st x] (update st :out conj x)) (reduce (fn [st x] (update (add st x) :n inc)) INIT xs))",
    ),
];

/// The collections that they iterate over.
const XS: [&str; 10] =
    ["[1 2 3 2]", "[]", "nil", "#{1 2}", "(list 3 1)", "(map inc [1 2])", "\"ab\"", "{:a 1}", "(range 4)", "7"];

/// A state that is taken apart gives the same result as one with unknown parts.
#[test]
fn a_state_that_is_taken_apart_does_what_a_whole_one_does() {
    for (init, program) in STATES {
        for xs in XS {
            let program =
                |init: &str| format!("(let [xs {xs}] [(with-out-str (prn {})) xs])", program.replace("INIT", init));
            for slice in [None, Some(1)] {
                let whole = program(&format!("(identity {init})"));
                assert_eq!(ending(&program(init), slice), ending(&whole, None), "{}", program(init));
            }
        }
    }
}

/// Maps that are filled with pairs.
const FILLED: &[&str] = &[
    "(into INIT (map (fn [x] [x (str x)]) xs))",
    "(into INIT (map (fn [x] (if (= x 2) [x :two] [(str x) x])) xs))",
    "(into INIT (map (fn [x] (if (= x 2) nil [x x])) xs))",
    "(into INIT (map (fn [x] [x x x]) xs))",
    "(into INIT (map (juxt identity str) xs))",
    "(into INIT (map (fn [[k v]] [v k]) xs))",
    "(into INIT (map (fn [x] [x (println x)]) xs))",
    "(into INIT (map (fn [x] [x x]) (filter odd? xs)))",
    "(into INIT (filter (fn [x] x) (map (fn [x] [x x]) xs)))",
    "(into INIT (for [x xs] [x (str x)]))",
    "(into INIT (for [x xs :when (= x 2)] [x (str x)]))",
    "(into INIT (for [x xs :while (not= x 3) :let [y (str x)]] [y x]))",
    "(into INIT (for [x xs y [1 2]] [[x y] y]))",
    "(into INIT (for [[k v] xs] [v k]))",
    "(into INIT (for [x xs] [(map str [x]) x]))",
    "(reduce (fn [m x] (conj m [x (str x)])) INIT xs)",
    "(reduce (fn [m x] (if (= x 2) m (conj m [x (count m)]))) INIT xs)",
    "(reduce (fn [m x] (if (= x 2) (reduced m) (conj m [x x]))) INIT xs)",
    "(reduce (fn [m x] (if (m x) (assoc m :again x) (conj m [x x]))) INIT xs)",
    "(reduce (fn [m x] (conj m [x x] [:y x])) INIT xs)",
    "(reduce (fn [m x] (conj (conj m [x x]) [:y x])) INIT xs)",
    "(reduce-kv (fn [m k v] (conj m [v k])) INIT {:a 1 :b 2})",
];

/// Filling a map literal does the same as filling an unknown map.
#[test]
fn a_map_is_filled_without_pairs_as_with_them() {
    for program in FILLED {
        for init in ["{}", "{:a 1}", "{2 :x}", "(sorted-map)"] {
            for xs in XS {
                let program =
                    |init: &str| format!("(let [xs {xs}] [(with-out-str (prn {})) xs])", program.replace("INIT", init));
                for slice in [None, Some(1)] {
                    let whole = program(&format!("(identity {init})"));
                    assert_eq!(ending(&program(init), slice), ending(&whole, None), "{}", program(init));
                }
            }
        }
    }
}

#[test]
fn a_fold_that_gives_back_what_was_reduced_before_ends() {
    for program in [
        "(reduce (fn [acc x] acc) (reduced 5) [1 2 3])",
        "(reduce (fn [acc x] (if (:a x) acc (inc acc))) (reduced 5) [{:a 1}])",
        "(reduce (fn [acc x] acc) [(reduced 5) 2 3])",
        "(deref (reduce (fn [acc x] (reduced (reduced 5))) 0 [1 2]))",
    ] {
        assert_eq!(ending(program, None), "5", "{program}");
    }
}
