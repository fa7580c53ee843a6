//! Sorted maps and sets as programs use them.

use std::time::Duration;

use insta::assert_snapshot;

use crate::limits::Limits;
use crate::stdlib::show::tests::{check, check_with};

/// The result of each program, one per line.
fn table(programs: &[&str]) -> String {
    programs
        .iter()
        .map(|program| format!("{program} => {}", check(program).replace('\n', " | ")))
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn the_order_is_kept_where_clojure_keeps_it() {
    let kept = [
        "(assoc S 0 :z)",
        "(dissoc S 3)",
        "(conj S [0 :z])",
        "(into S {2 :b})",
        "(merge S {2 :b})",
        "(update S 1 str)",
        "(update-in S [2 :x] inc)",
        "(assoc-in S [2 :x] 1)",
        "(empty S)",
        "(merge-with str S {2 :b})",
        "(set/rename-keys S {3 0})",
        "(not-empty S)",
        "(walk/postwalk identity S)",
        "(reduce-kv assoc S {0 :z})",
        "(persistent! (assoc! (transient S) 0 :z))",
    ];
    let lost = [
        "(select-keys S [3 1])",
        "(update-vals S str)",
        "(update-keys S -)",
        "(set/map-invert S)",
        "(into {} S)",
        "(zipmap (keys S) (vals S))",
    ];
    for (programs, sorted) in [(kept.as_slice(), "true"), (lost.as_slice(), "false")] {
        for program in programs {
            let program = program.replace('S', "(sorted-map 3 :c 1 :a)").replace(
                "(update-in (sorted-map 3 :c 1 :a) [2 :x] inc)",
                "(update-in (sorted-map 3 :c 1 :a) [2 :x] (fnil inc 0))",
            );
            let shown = check(&format!("(let [m {program}] [(sorted? m) (= (keys m) (seq (sort (or (keys m) []))))])"));
            let in_order = if sorted == "true" { "[true true]" } else { "[false " };
            assert!(shown.starts_with(in_order), "{program}: {shown}");
        }
    }
    let kept = [
        "(conj S 2)",
        "(disj S 3)",
        "(into S [0 9])",
        "(empty S)",
        "(set S)",
        "(union S #{2})",
        "(intersection S #{1})",
        "(difference S #{1})",
        "(set/select odd? S)",
        "(walk/postwalk identity S)",
    ];
    for program in kept {
        let program = program.replace('S', "(sorted-set 3 1)");
        assert_eq!(
            check(&format!("(let [s {program}] [(sorted? s) (= (seq s) (seq (sort (vec s))))])")),
            "[true true]",
            "{program}"
        );
    }
    assert_eq!(
        check("(map sorted? [(union #{2} (sorted-set 1)) (map inc (sorted-set 1)) (vec (sorted-set 1)) nil 5])"),
        "[false false false false false]"
    );
}

#[test]
fn sorted_maps_are_maps() {
    assert_snapshot!(table(&[
        "(sorted-map 3 :c 1 :a 2 :b)", "(sorted-map)", "(sorted-map :a)", "(sorted-map :a 1 :a 2)", "(sorted-map nil 1 2 2)", "(sorted-map 1 :a 1.0 :b)",
        "(sorted-map 1 1 \"a\" 2)", "(get (sorted-map 1 1) \"a\")", "(get (sorted-map :a 1) \"a\")", "((sorted-map :a 1) :a)", "(:b (sorted-map \"b\" 2))",
        "(contains? (sorted-map :a nil) :a)", "(find (sorted-map \"a\" 1) :a)", "(assoc (sorted-map \"a\" 1) :a 2)", "(count (sorted-map 1 1 2 2))",
        "[(first (sorted-map 2 2 1 1)) (last (sorted-map 2 2 1 1)) (rest (sorted-map 2 2 1 1))]", "(let [{:keys [a]} (sorted-map :b 2 :a 1)] a)",
        "(= (sorted-map :a 1 :b 2) {:b 2 :a 1} (sorted-map-by > :a 1 :b 2))", "(= (sorted-map :a 1) {\"a\" 1})", "(= (sorted-map 1 :x) {\"k\" :x})",
        "(get {(sorted-map :a 1) :found} {:a 1})", "[(type (sorted-map)) (map? (sorted-map)) (set? (sorted-set)) (coll? (sorted-set))]",
        "(json/generate-string (sorted-map \"b\" 1 \"a\" 2))", "[(reversible? (sorted-map)) (reversible? #{})]", "(rseq {:a 1})",
    ]), @r#"
    (sorted-map 3 :c 1 :a 2 :b) => {1 :a 2 :b 3 :c}
    (sorted-map) => {}
    (sorted-map :a) => ! arity_error sorted-map: expected key value pairs, the last key has no value
    (sorted-map :a 1 :a 2) => {:a 2}
    (sorted-map nil 1 2 2) => {nil 1 2 2}
    (sorted-map 1 :a 1.0 :b) => {1 :b}
    (sorted-map 1 1 "a" 2) => ! type_error cannot compare string with number: the keys of a sorted collection must be comparable with each other
    (get (sorted-map 1 1) "a") => ! type_error cannot compare string with number: the keys of a sorted collection must be comparable with each other
    (get (sorted-map :a 1) "a") => 1
    ((sorted-map :a 1) :a) => 1
    (:b (sorted-map "b" 2)) => 2
    (contains? (sorted-map :a nil) :a) => true
    (find (sorted-map "a" 1) :a) => ["a" 1]
    (assoc (sorted-map "a" 1) :a 2) => {"a" 2}
    (count (sorted-map 1 1 2 2)) => 2
    [(first (sorted-map 2 2 1 1)) (last (sorted-map 2 2 1 1)) (rest (sorted-map 2 2 1 1))] => [[1 1] [2 2] [[2 2]]]
    (let [{:keys [a]} (sorted-map :b 2 :a 1)] a) => 1
    (= (sorted-map :a 1 :b 2) {:b 2 :a 1} (sorted-map-by > :a 1 :b 2)) => true
    (= (sorted-map :a 1) {"a" 1}) => false
    (= (sorted-map 1 :x) {"k" :x}) => false
    (get {(sorted-map :a 1) :found} {:a 1}) => :found
    [(type (sorted-map)) (map? (sorted-map)) (set? (sorted-set)) (coll? (sorted-set))] => [:map true true true]
    (json/generate-string (sorted-map "b" 1 "a" 2)) => "{\"a\":2,\"b\":1}"
    [(reversible? (sorted-map)) (reversible? #{})] => [true false]
    (rseq {:a 1}) => ! type_error rseq: expected a vector, sorted map or sorted set, got map
    "#);
}

#[test]
fn sorted_sets_are_sets() {
    assert_snapshot!(table(&[
        "(sorted-set 3 1 2 1)", "(sorted-set)", "(sorted-set \"b\" \"a\")", "(sorted-set [2 1] [1] [1 2])", "(sorted-set 1 :a)", "(sorted-set ##NaN 1)",
        "(contains? (sorted-set 1 2) 2)", "((sorted-set 1 2) 3)", "(get (sorted-set 1) 1.0)", "(contains? (sorted-set :a) \"a\")", "(sorted-set {:a 1})",
        "(= (sorted-set 2 1) #{1 2} (sorted-set-by > 1 2))", "(subset? #{1} (sorted-set 1 2))", "(apply sorted-set (range 5 0 -1))", "(into (sorted-set) \"hello\")",
        "(sorted-set nil true false)",
    ]), @r#"
    (sorted-set 3 1 2 1) => #{1 2 3}
    (sorted-set) => #{}
    (sorted-set "b" "a") => #{"a" "b"}
    (sorted-set [2 1] [1] [1 2]) => #{[1] [1 2] [2 1]}
    (sorted-set 1 :a) => ! type_error cannot compare keyword with number: the keys of a sorted collection must be comparable with each other
    (sorted-set ##NaN 1) => ! type_error cannot compare ##NaN with a number: the keys of a sorted collection must be comparable with each other
    (contains? (sorted-set 1 2) 2) => true
    ((sorted-set 1 2) 3) => nil
    (get (sorted-set 1) 1.0) => 1
    (contains? (sorted-set :a) "a") => ! type_error cannot compare string with keyword: the keys of a sorted collection must be comparable with each other
    (sorted-set {:a 1}) => #{{:a 1}}
    (= (sorted-set 2 1) #{1 2} (sorted-set-by > 1 2)) => true
    (subset? #{1} (sorted-set 1 2)) => true
    (apply sorted-set (range 5 0 -1)) => #{1 2 3 4 5}
    (into (sorted-set) "hello") => #{"e" "h" "l" "o"}
    (sorted-set nil true false) => #{nil false true}
    "#);
}

#[test]
fn parts_between_bounds() {
    assert_snapshot!(table(&[
        "(subseq (sorted-set 1 2 3) > 1)", "(subseq (sorted-set 1 2 3) >= 4)", "(subseq (sorted-set 1 2 3) < 1)", "(subseq (sorted-set 1 2 3) <= 2)",
        "(subseq (sorted-set 1 2 3) > 1 < 3)", "(subseq (sorted-set 1 2 3) > 3 < 9)", "(subseq (sorted-set 1 2 3) >= 3 < 3)", "(subseq (sorted-set 1 2 3) > 3 <= 3)",
        "(rsubseq (sorted-set 1 2 3) >= 2)", "(rsubseq (sorted-set 1 2 3) < 1)", "(rsubseq (sorted-set 1 2 3) > 3)", "(rsubseq (sorted-set 1 2 3) > 0 < 1)",
        "(rsubseq (sorted-set 1 2 3) > 1 <= 3)", "(subseq (sorted-map :a 1 :b 2) > :a)", "(rsubseq (sorted-map :a 1 :b 2) <= :b)",
        "(subseq (sorted-set-by > 1 2 3) > 2)", "(subseq (sorted-set) > 1)", "(subseq (sorted-set) < 1)", "(subseq #{1} > 1)", "(subseq (sorted-set 1) < 1 > 2)",
        "(subseq (sorted-set 1) = 1)", "(subseq (sorted-set 1) > :a)", "(subseq (sorted-map-by (fn [a b] (> a b)) 1 :a 2 :b 3 :c) >= 2)",
        "(rseq (sorted-map 1 :a 2 :b))", "(rseq (sorted-set))",
    ]), @r"
    (subseq (sorted-set 1 2 3) > 1) => [2 3]
    (subseq (sorted-set 1 2 3) >= 4) => nil
    (subseq (sorted-set 1 2 3) < 1) => []
    (subseq (sorted-set 1 2 3) <= 2) => [1 2]
    (subseq (sorted-set 1 2 3) > 1 < 3) => [2]
    (subseq (sorted-set 1 2 3) > 3 < 9) => []
    (subseq (sorted-set 1 2 3) >= 3 < 3) => []
    (subseq (sorted-set 1 2 3) > 3 <= 3) => []
    (rsubseq (sorted-set 1 2 3) >= 2) => [3 2]
    (rsubseq (sorted-set 1 2 3) < 1) => nil
    (rsubseq (sorted-set 1 2 3) > 3) => []
    (rsubseq (sorted-set 1 2 3) > 0 < 1) => []
    (rsubseq (sorted-set 1 2 3) > 1 <= 3) => [3 2]
    (subseq (sorted-map :a 1 :b 2) > :a) => [[:b 2]]
    (rsubseq (sorted-map :a 1 :b 2) <= :b) => [[:b 2] [:a 1]]
    (subseq (sorted-set-by > 1 2 3) > 2) => [1]
    (subseq (sorted-set) > 1) => nil
    (subseq (sorted-set) < 1) => []
    (subseq #{1} > 1) => ! type_error subseq: expected a sorted map or set, got set
    (subseq (sorted-set 1) < 1 > 2) => ! argument_error subseq: the start test must be > or >=, the end test < or <=
    (subseq (sorted-set 1) = 1) => ! type_error subseq: expected one of < <= > >= as test, got function
    (subseq (sorted-set 1) > :a) => ! type_error cannot compare keyword with number: the keys of a sorted collection must be comparable with each other
    (subseq (sorted-map-by (fn [a b] (> a b)) 1 :a 2 :b 3 :c) >= 2) => [[2 :b] [1 :a]]
    (rseq (sorted-map 1 :a 2 :b)) => [[2 :b] [1 :a]]
    (rseq (sorted-set)) => nil
    ");
}

#[test]
fn a_function_orders() {
    assert_snapshot!(table(&[
        "(sorted-set-by (fn [a b] (> a b)) 1 3 2 3)", "(sorted-set-by (fn [a b] (compare b a)) 1 3 2)", "(sorted-set-by #(compare (count %1) (count %2)) \"aa\" \"b\" \"cc\")",
        "(sorted-set-by > \"a\" \"b\")", "(sorted-set-by :desc 1 2)", "(sorted-set-by <= 1 1)", "(sorted-map-by (comparator >) 1 :a 2 :b)", "(defn by [a b] (- b a)) (sorted-set-by #'by 1 2)",
        "(def m (sorted-map-by (fn [a b] (compare (str a) (str b))) 10 :x 9 :y)) [m (assoc m 1 :z) (:a m) (get m 9) (m 9 :none) (contains? m 8) (update m 9 str) (dissoc m 10)]",
        "(def m (sorted-map-by (fn [a b] (compare (str a) (str b))) :b 1 :a 2)) [(:b m) (:c m) (m :a) (get m \"a\") (:b m 5) (map m [:a :b]) (get-in {:x m} [:x :a])]",
        "(def s (sorted-set-by (fn [a b] (> a b)) 1 2)) [(conj s 3) (disj s 2) (s 2) (s 5) (filter s [1 5]) (into (empty s) [7 8]) (set/select even? s)]",
        "(def seen (atom 0)) (def s (into (sorted-set-by (fn [a b] (swap! seen inc) (compare a b))) [5 3 4])) [s (pos? @seen)]",
        "(sorted-set-by (fn [a b] (println a b) (compare a b)) 2 1)", "(with-out-str (sorted-set-by (fn [a b] (print a b) (compare a b)) 2 1))",
        "(sorted-set-by (fn [a b] (first (map compare [a] [b]))) 2 1)", "(sorted-set-by (fn [a b] (nth (iterate inc (compare a b)) 0)) 2 1)",
        "(def weight (memoize (fn [x] (mod x 10)))) (sorted-set-by (fn [a b] (compare (weight a) (weight b))) 19 28 37)",
        "(let [by (fn [inner] (fn [a b] (compare (first (apply sorted-set-by inner a)) (first (apply sorted-set-by inner b)))))] (sorted-set-by (by (fn [a b] (> a b))) [1 9] [2 3]))",
        "(sorted-map-by (fn [a b] (try (compare a b) (catch Exception e 0))) 1 :a \"x\" :b)", "(sorted-set-by (fn [a b] nil) 1 2)",
    ]), @r#"
    (sorted-set-by (fn [a b] (> a b)) 1 3 2 3) => #{3 2 1}
    (sorted-set-by (fn [a b] (compare b a)) 1 3 2) => #{3 2 1}
    (sorted-set-by #(compare (count %1) (count %2)) "aa" "b" "cc") => #{"b" "aa"}
    (sorted-set-by > "a" "b") => #{"b" "a"}
    (sorted-set-by :desc 1 2) => #{2 1}
    (sorted-set-by <= 1 1) => #{1}
    (sorted-map-by (comparator >) 1 :a 2 :b) => {2 :b 1 :a}
    (defn by [a b] (- b a)) (sorted-set-by #'by 1 2) => #{2 1}
    (def m (sorted-map-by (fn [a b] (compare (str a) (str b))) 10 :x 9 :y)) [m (assoc m 1 :z) (:a m) (get m 9) (m 9 :none) (contains? m 8) (update m 9 str) (dissoc m 10)] => [{10 :x 9 :y} {1 :z 10 :x 9 :y} nil :y :y false {10 :x 9 ":y"} {9 :y}]
    (def m (sorted-map-by (fn [a b] (compare (str a) (str b))) :b 1 :a 2)) [(:b m) (:c m) (m :a) (get m "a") (:b m 5) (map m [:a :b]) (get-in {:x m} [:x :a])] => [1 nil 2 2 1 [2 1] 2]
    (def s (sorted-set-by (fn [a b] (> a b)) 1 2)) [(conj s 3) (disj s 2) (s 2) (s 5) (filter s [1 5]) (into (empty s) [7 8]) (set/select even? s)] => [#{3 2 1} #{1} 2 nil [1] #{8 7} #{2}]
    (def seen (atom 0)) (def s (into (sorted-set-by (fn [a b] (swap! seen inc) (compare a b))) [5 3 4])) [s (pos? @seen)] => [#{3 4 5} true]
    (sorted-set-by (fn [a b] (println a b) (compare a b)) 2 1) => > 1 2 | #{1 2}
    (with-out-str (sorted-set-by (fn [a b] (print a b) (compare a b)) 2 1)) => "1 2"
    (sorted-set-by (fn [a b] (first (map compare [a] [b]))) 2 1) => #{1 2}
    (sorted-set-by (fn [a b] (nth (iterate inc (compare a b)) 0)) 2 1) => #{1 2}
    (def weight (memoize (fn [x] (mod x 10)))) (sorted-set-by (fn [a b] (compare (weight a) (weight b))) 19 28 37) => #{37 28 19}
    (let [by (fn [inner] (fn [a b] (compare (first (apply sorted-set-by inner a)) (first (apply sorted-set-by inner b)))))] (sorted-set-by (by (fn [a b] (> a b))) [1 9] [2 3])) => #{[2 3] [1 9]}
    (sorted-map-by (fn [a b] (try (compare a b) (catch Exception e 0))) 1 :a "x" :b) => {1 :b}
    (sorted-set-by (fn [a b] nil) 1 2) => #{1}
    "#);
}

#[test]
fn a_comparator_that_cannot_answer_is_an_error() {
    assert_snapshot!(table(&[
        "(sorted-set-by (fn [a b] :less) 1 2)", "(sorted-set-by (fn [a b] ##NaN) 1 2)", "(sorted-set-by (fn [a] 1) 1 2)", "(sorted-set-by 5 1 2)", "(sorted-map-by {} 1 2)",
        "(sorted-set-by (fn [a b] (/ a 0)) 1 2)", "(try (sorted-set-by (fn [a b] (throw (ex-info \"no\" {:a a}))) 1 2) (catch ExceptionInfo e (ex-data e)))",
        "(sorted-set-by (fn [a b] (return 5)) 1 2)", "(sorted-set-by (fn [a b] (fail 5)) 1 2)", "(sorted-map-by (fn [a b] 1) :k)",
    ]), @r#"
    (sorted-set-by (fn [a b] :less) 1 2) => ! type_error the comparator of a sorted collection must give a number or a boolean, got keyword
    (sorted-set-by (fn [a b] ##NaN) 1 2) => ! type_error the comparator of a sorted collection must give a number or a boolean, got ##NaN
    (sorted-set-by (fn [a] 1) 1 2) => ! arity_error fn: expected 1 argument, got 2
    (sorted-set-by 5 1 2) => ! type_error sorted-set-by: the comparator must be a function, :asc or :desc, got number
    (sorted-map-by {} 1 2) => ! type_error sorted-map-by: the comparator must be a function, :asc or :desc, got map
    (sorted-set-by (fn [a b] (/ a 0)) 1 2) => ! arithmetic_error Divide by zero
    (try (sorted-set-by (fn [a b] (throw (ex-info "no" {:a a}))) 1 2) (catch ExceptionInfo e (ex-data e))) => {:a 2}
    (sorted-set-by (fn [a b] (return 5)) 1 2) => ! argument_error the comparator of a sorted collection may not return or fail; let it give a number or a boolean
    (sorted-set-by (fn [a b] (fail 5)) 1 2) => ! argument_error the comparator of a sorted collection may not return or fail; let it give a number or a boolean
    (sorted-map-by (fn [a b] 1) :k) => ! arity_error sorted-map-by: expected key value pairs, the last key has no value
    "#);
}

#[test]
fn a_comparator_shares_every_limit() {
    let limits =
        Limits { fuel: 300_000, memory: 4 << 20, time: Duration::from_secs(30), depth: 200, ..Limits::default() };
    let ends = |program: &str, limits: &Limits| {
        check_with(program, limits.clone()).split(':').next().unwrap_or_default().to_owned()
    };
    let endless = "(def s (sorted-set-by (fn [a b] (loop [] (recur))) 1)) (try (conj s 2) (catch Throwable e :caught))";
    assert_snapshot!(ends(endless, &limits), @"! fuel_exceeded stopped after 300000 steps");
    let slow = Limits { fuel: u64::MAX >> 2, time: Duration::from_millis(100), ..limits.clone() };
    assert_snapshot!(ends(endless, &slow), @"! timeout run exceeded the 100 ms limit");
    assert_snapshot!(ends("(sorted-set-by (fn [a b] (loop [v []] (recur (conj v (str v))))) 1 2)", &Limits { fuel: 1 << 40, ..limits.clone() }), @"! memory_exceeded memory limit of 4194304 bytes exceeded");
    assert_snapshot!(ends("(sorted-set-by (fn f [a b] (+ 1 (f a b))) 1 2)", &limits), @"! recursion_limit_exceeded call depth exceeded 200");
    assert_snapshot!(ends("((fn deep [n] (if (pos? n) (+ 1 (deep (dec n))) (count (sorted-set-by (fn f [a b] (if (< a 80) (f (inc a) b) 1)) 1 2)))) 150)", &limits), @"! recursion_limit_exceeded call depth exceeded 200");
    assert_snapshot!(ends("(defn nested [a b] (count (conj (sorted-set-by nested a) b))) (try (nested 1 2) (catch Throwable e :caught))", &limits), @"! recursion_limit_exceeded comparators of sorted collections are nested more than 16 deep");
    // Garbage of comparisons does not add up.
    let garbage =
        "(count (into (sorted-set-by (fn [a b] (compare (vec (repeat 50 a)) (vec (repeat 50 b))))) (range 3000)))";
    assert_snapshot!(check_with(garbage, Limits { fuel: 1 << 40, ..limits.clone() }), @"3000");
    // Kept values do.
    let hoard = "(def kept (atom [])) (count (into (sorted-set-by (fn [a b] (swap! kept conj (vec (repeat 50 a))) (compare a b))) (range 30000)))";
    assert_snapshot!(ends(hoard, &Limits { fuel: 1 << 40, ..limits }), @"! memory_exceeded memory limit of 4194304 bytes exceeded");
}

#[test]
fn nested_comparators_fit_a_small_stack() {
    let work = || {
        // 16 levels of functions that order by sets that are ordered by the function one level below.
        let program = "(defn level [n] (if (zero? n) compare (let [below (level (dec n))] \
                       (fn [a b] (compare (first (sorted-set-by below a)) (first (conj (sorted-set-by below b) b)))))))";
        for (levels, expected) in [(16, "[1 2 3]"), (17, "! recursion_limit_exceeded")] {
            let shown = check(&format!("{program} (vec (sorted-set-by (level {levels}) 2 3 1))"));
            assert!(shown.starts_with(expected), "{levels}: {shown}");
        }
    };
    std::thread::Builder::new().stack_size(2 * 1024 * 1024).spawn(work).unwrap().join().unwrap();
}

#[test]
fn a_comparator_that_contradicts_itself_ends() {
    for body in ["-1", "1", "true", "false", "(rand-nth [-1 0 1])", "(rand-nth [true false])"] {
        let program = format!(
            "(let [s (into (sorted-set-by (fn [a b] {body})) (range 1000))] [(boolean (count s)) (boolean (s 5)) (boolean (count (disj s 5))) (boolean (subseq s > 5))])"
        );
        let shown = check(&program);
        assert!(shown.starts_with("[true "), "{body}: {shown}");
    }
}
