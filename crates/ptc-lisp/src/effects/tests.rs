//! Summaries of small programs, one line each.

use std::fmt::Write;

use crate::signature::Signature;
use insta::assert_snapshot;

use crate::session::host::{Effect, ToolError, ToolSpec};
use crate::session::{Session, SessionOptions};
use crate::value::Value;

const DATA: &str = r#"{"orders": [{"id": 1}, {"id": 2}, {"id": 3}], "xs": [1, 2], "none": [], "n": 5, "name": "ab",
    "report": {"rows": [1, 2], "a b": [1], "meta": {"pages": [1, 2, 3, 4]}}}"#;

fn session() -> Session {
    let Ok(Value::Map(data)) = Value::from_json_str(DATA) else { panic!("a map") };
    let read = ["list", "page"].map(|name| ToolSpec::new(name).effect(Effect::Read));
    let write = ["a", "b", "pay"]
        .map(|name| ToolSpec { signature: Signature::parse_tool("(v :any) -> :any").ok(), ..ToolSpec::new(name) });
    Session::new(SessionOptions { data, tools: read.into_iter().chain(write).collect(), ..SessionOptions::default() })
}

/// `pay ≤ count(data/orders), list 1`; `-` when no tool is reached.
fn told(session: &Session, source: &str) -> String {
    let summary = session.effects(source).unwrap_or_else(|problems| panic!("{source}: {problems:?}"));
    let tools: Vec<String> = summary.tools.iter().map(|tool| format!("{} {}", tool.name, tool.at_most)).collect();
    if tools.is_empty() { "-".to_owned() } else { tools.join(", ") }
}

/// The summary of each program in a separate session.
fn check(programs: &[&str]) -> String {
    let mut lines = String::new();
    for source in programs {
        let _ = writeln!(lines, "{source} => {}", told(&session(), source));
    }
    lines
}

/// The summary of the last program, after the others ran.
fn check_after(programs: &[&str]) -> String {
    let mut session = session();
    let Some((last, before)) = programs.split_last() else { return String::new() };
    for source in before {
        let outcome = session.run(source, &mut |_| Err(ToolError::new("not now")));
        assert!(outcome.problems().is_empty(), "{source}: {:?}", outcome.problems());
    }
    told(&session, last)
}

#[test]
fn calls_in_a_line_are_counted() {
    assert_snapshot!(check(&[
        "1",
        "(tool/a {:v 1})",
        "(tool/a 1) (tool/b 2) (tool/a 3)",
        "(if (tool/list) (tool/a 1) (tool/a 2))",
        "(if data/n (tool/a 1) (do (tool/a 2) (tool/a 3) (tool/b 4)))",
        "(cond (tool/a 1) (tool/b 1) (tool/a 2) 5 :else (tool/b 3))",
        "(or (tool/a 1) (tool/a 2))",
        "(try (tool/a 1) (catch ArithmeticException e (tool/b 1)) (catch Exception e (tool/b 2)) (finally (tool/a 3)))",
        "(let [{:keys [k] :or {k (tool/a 1)}} (tool/list)] k)",
        "(-> (tool/list) (tool/a) (some-> (tool/b)))",
        "[(tool/a 1) {:k (tool/a 2)}]",
        r#"(task "t" (tool/pay 1))"#,
        "(comment (tool/a 1))",
    ]), @r#"
    1 => -
    (tool/a {:v 1}) => a 1
    (tool/a 1) (tool/b 2) (tool/a 3) => a 2, b 1
    (if (tool/list) (tool/a 1) (tool/a 2)) => a 1, list 1
    (if data/n (tool/a 1) (do (tool/a 2) (tool/a 3) (tool/b 4))) => a 2, b 1
    (cond (tool/a 1) (tool/b 1) (tool/a 2) 5 :else (tool/b 3)) => a 2, b 1
    (or (tool/a 1) (tool/a 2)) => a 2
    (try (tool/a 1) (catch ArithmeticException e (tool/b 1)) (catch Exception e (tool/b 2)) (finally (tool/a 3))) => a 2, b 1
    (let [{:keys [k] :or {k (tool/a 1)}} (tool/list)] k) => a 1, list 1
    (-> (tool/list) (tool/a) (some-> (tool/b))) => a 1, b 1, list 1
    [(tool/a 1) {:k (tool/a 2)}] => a 2
    (task "t" (tool/pay 1)) => pay 1
    (comment (tool/a 1)) => -
    "#);
}

#[test]
fn functions_are_followed_where_they_are_called() {
    assert_snapshot!(check(&[
        "tool/a",
        "(fn [x] (tool/a x))",
        "(defn f [x] (tool/a x))",
        "(defn f [x] (tool/a x)) (f 1) (f 2)",
        "(let [f tool/a] (f 1))",
        "((if data/n tool/a tool/b) 1)",
        "(let [t tool/a f (fn [x] (t x))] (f 1))",
        "((fn [f] (f 1)) tool/a)",
        "(((fn [x] (fn [y] (tool/a x))) 1) 2)",
        "(letfn [(f [x] (g x)) (g [x] (tool/a x))] (f 1))",
        "(letfn [(f [x] (g x)) (g [x] (tool/a x) (f x))] (f 1))",
        "(defn f [n] (when (pos? n) (tool/a n) (f (dec n)))) (f 3)",
        "((fn f [n] (when (pos? n) (tool/a n) (recur (dec n)))) 3)",
        "((fn ([] (tool/a 1)) ([x] (tool/b x))) 1)",
        "(apply tool/a [1])",
        "((comp tool/a tool/b) 1)",
        "((partial tool/a) 1)",
        "((comp (fn [f] (f 1)) identity) tool/a)",
        "((memoize (fn [f] (fn [x] (f x)))) tool/a)",
        "(def m {:f tool/a}) ((:f m) 1)",
        "(defn f [x] (tool/a x)) (#'f 1)",
        "(declare g) (defn f [] (g)) (defn g [] (tool/a 1)) (f)",
        "(when data/n (let [t tool/a] (def h (fn [x] (t x))))) (h 1)",
        "(let [t tool/a] (def h (fn [x] (t x))) (def h (fn [x] x))) (h 1)",
        "(def m {:h h}) (let [t tool/a] (def h (fn [x] (t x)))) ((:h m) 1)",
        "(defn call [] (h 1)) (def m {:c call}) (let [t tool/a] (def h (fn [x] (t x)))) ((:c m))",
        "(reset! (atom nil) tool/a)",
        "(delay (tool/a 1))",
        "(lazy-seq [(tool/a 1)])",
        "(iterate tool/a 1)",
    ]), @"
    tool/a => -
    (fn [x] (tool/a x)) => -
    (defn f [x] (tool/a x)) => -
    (defn f [x] (tool/a x)) (f 1) (f 2) => a 2
    (let [f tool/a] (f 1)) => a 1
    ((if data/n tool/a tool/b) 1) => a 1, b 1
    (let [t tool/a f (fn [x] (t x))] (f 1)) => a 1
    ((fn [f] (f 1)) tool/a) => a 1
    (((fn [x] (fn [y] (tool/a x))) 1) 2) => a 1
    (letfn [(f [x] (g x)) (g [x] (tool/a x))] (f 1)) => a 1
    (letfn [(f [x] (g x)) (g [x] (tool/a x) (f x))] (f 1)) => a unbounded
    (defn f [n] (when (pos? n) (tool/a n) (f (dec n)))) (f 3) => a unbounded
    ((fn f [n] (when (pos? n) (tool/a n) (recur (dec n)))) 3) => a unbounded
    ((fn ([] (tool/a 1)) ([x] (tool/b x))) 1) => b 1
    (apply tool/a [1]) => a 1
    ((comp tool/a tool/b) 1) => a 1, b 1
    ((partial tool/a) 1) => a 1
    ((comp (fn [f] (f 1)) identity) tool/a) => a unbounded
    ((memoize (fn [f] (fn [x] (f x)))) tool/a) => a unbounded
    (def m {:f tool/a}) ((:f m) 1) => a unbounded
    (defn f [x] (tool/a x)) (#'f 1) => a 1
    (declare g) (defn f [] (g)) (defn g [] (tool/a 1)) (f) => a 1
    (when data/n (let [t tool/a] (def h (fn [x] (t x))))) (h 1) => a unbounded
    (let [t tool/a] (def h (fn [x] (t x))) (def h (fn [x] x))) (h 1) => a unbounded
    (def m {:h h}) (let [t tool/a] (def h (fn [x] (t x)))) ((:h m) 1) => a unbounded
    (defn call [] (h 1)) (def m {:c call}) (let [t tool/a] (def h (fn [x] (t x)))) ((:c m)) => a unbounded
    (reset! (atom nil) tool/a) => a unbounded
    (delay (tool/a 1)) => a unbounded
    (lazy-seq [(tool/a 1)]) => a unbounded
    (iterate tool/a 1) => a unbounded
    ");
}

#[test]
#[expect(clippy::too_many_lines, reason = "a list of programs")]
fn passes_are_bounded_by_the_size_of_what_they_go_over() {
    assert_snapshot!(check(&[
        "(doseq [o data/orders] (tool/pay {:v (:id o)}))",
        "(->> data/orders (filter :open) (map #(tool/pay {:v (:id %)})))",
        "(defn pay [o] (tool/pay o)) (mapv pay data/orders)",
        "(pmap tool/pay data/orders)",
        "(pcalls #(tool/a 1) #(tool/b 1))",
        "(dotimes [i 3] (tool/a i))",
        "(for [a data/xs b data/orders] (tool/a [a b]))",
        "(for [a data/xs b data/orders :when (tool/list) :let [c (tool/b 1)]] (tool/a [a b]))",
        "(loop [p 1] (let [r (tool/page {:p p})] (when (:next r) (recur (inc p)))))",
        "(loop [i 0] (when (< i 4) (tool/a i) (recur (inc i))))",
        "(loop [i 0 n 3] (when (< i n) (tool/a i) (recur (inc i) (inc n))))",
        "(loop [i 0] (if (< i 4) (if (tool/list) (recur (inc i)) (recur i)) nil))",
        "(loop [i 0] (if (< i 4) (recur (+ i 2)) (tool/a i)))",
        "(loop [xs data/orders acc []] (if (empty? xs) (tool/b acc) (recur (rest xs) (conj acc (tool/a (first xs))))))",
        "(loop [xs (seq data/orders)] (when (seq xs) (tool/a (first xs)) (recur (next xs))))",
        "(loop [xs data/orders] (when (seq xs) (tool/a (first xs)) (recur xs)))",
        "(loop [xs (iterate inc 0)] (when (seq xs) (tool/a (first xs)) (recur (rest xs))))",
        "(let [rows (tool/list)] (doseq [r rows] (tool/pay r)))",
        "(let [rows (take 5 (tool/list))] (doseq [r rows] (tool/pay r)))",
        "(reduce (fn [acc o] (tool/a o)) data/orders)",
        "(reduce (fn [acc o] (tool/a o)) data/none)",
        "(reduce (fn [acc o] (tool/a o)) nil data/orders)",
        "(mapcat (fn [o] (map tool/a data/xs)) data/orders)",
        "(run! tool/a (mapcat (fn [o] [o o]) data/orders))",
        "(run! tool/a (concat data/xs data/orders [1 2]))",
        "(run! tool/a (keys {:a 1 :b 2}))",
        "(run! tool/a (range 4))",
        "(run! tool/a (range 1 6))",
        "(run! tool/a (range 1 6 2))",
        "(run! tool/a (range 6 1))",
        "(run! tool/a (range -2 3))",
        "(run! tool/a (range 5 1 -1))",
        "(run! tool/a (range 2.5 4))",
        "(run! tool/a (range 2 (count data/xs)))",
        "(run! tool/a (range (if data/n 1 4) 6))",
        "(run! tool/a (range (:a data/n) 6))",
        "(run! tool/a (:rows data/report))",
        "(run! tool/a (get data/report \"a b\"))",
        "(run! tool/a (get-in data/report [:meta :pages]))",
        "(let [{:keys [rows] {:keys [pages]} :meta} data/report] (run! tool/a rows) (run! tool/b pages))",
        "(let [{:keys [rows none] :or {none [1 2 3]}} data/report] (run! tool/a rows) (run! tool/b none))",
        "(run! tool/a (:none data/report))",
        "(run! tool/a data/none)",
        "(dotimes [i (-> data/report :meta :pages count)] (tool/a i))",
        "(run! tool/a data/name)",
        "(run! tool/a (str data/n))",
        "(def rows (filter odd? data/xs)) (run! tool/a rows)",
        "(sort-by tool/a data/xs)",
        "(sort-by tool/a > data/xs)",
        "(update {:k 1} :k tool/a)",
        "(update-vals (group-by :id data/orders) tool/a)",
        "(swap! (atom 1) tool/a)",
        "(repeatedly 3 #(tool/a 1))",
        "(into [] (map tool/a) data/xs)",
        "(into [] (mapcat tool/a) data/xs)",
        "(into [] (comp (filter odd?) (map tool/a)) data/xs)",
        "(into [] (comp (mapcat vector) (map tool/a)) data/xs)",
        "(transduce (map tool/a) + 0 data/xs)",
        "(sequence (map tool/a) (iterate inc 0))",
        "(sequence (map tool/a) (iterate inc 0) data/xs)",
        "(def xf (keep tool/a)) (into [] xf data/xs) (into #{} xf data/orders)",
        "(take 2 (map tool/a (range)))",
    ]), @r#"
    (doseq [o data/orders] (tool/pay {:v (:id o)})) => pay ≤ count(data/orders)
    (->> data/orders (filter :open) (map #(tool/pay {:v (:id %)}))) => pay ≤ count(data/orders)
    (defn pay [o] (tool/pay o)) (mapv pay data/orders) => pay ≤ count(data/orders)
    (pmap tool/pay data/orders) => pay ≤ count(data/orders)
    (pcalls #(tool/a 1) #(tool/b 1)) => a 1, b 1
    (dotimes [i 3] (tool/a i)) => a 3
    (for [a data/xs b data/orders] (tool/a [a b])) => a ≤ count(data/orders) × count(data/xs)
    (for [a data/xs b data/orders :when (tool/list) :let [c (tool/b 1)]] (tool/a [a b])) => a ≤ count(data/orders) × count(data/xs), b ≤ count(data/orders) × count(data/xs), list ≤ count(data/orders) × count(data/xs)
    (loop [p 1] (let [r (tool/page {:p p})] (when (:next r) (recur (inc p))))) => page unbounded
    (loop [i 0] (when (< i 4) (tool/a i) (recur (inc i)))) => a 4
    (loop [i 0 n 3] (when (< i n) (tool/a i) (recur (inc i) (inc n)))) => a unbounded
    (loop [i 0] (if (< i 4) (if (tool/list) (recur (inc i)) (recur i)) nil)) => list unbounded
    (loop [i 0] (if (< i 4) (recur (+ i 2)) (tool/a i))) => a 1
    (loop [xs data/orders acc []] (if (empty? xs) (tool/b acc) (recur (rest xs) (conj acc (tool/a (first xs)))))) => a ≤ count(data/orders), b 1
    (loop [xs (seq data/orders)] (when (seq xs) (tool/a (first xs)) (recur (next xs)))) => a ≤ count(data/orders)
    (loop [xs data/orders] (when (seq xs) (tool/a (first xs)) (recur xs))) => a unbounded
    (loop [xs (iterate inc 0)] (when (seq xs) (tool/a (first xs)) (recur (rest xs)))) => a unbounded
    (let [rows (tool/list)] (doseq [r rows] (tool/pay r))) => list 1, pay unbounded
    (let [rows (take 5 (tool/list))] (doseq [r rows] (tool/pay r))) => list 1, pay 5
    (reduce (fn [acc o] (tool/a o)) data/orders) => a ≤ count(data/orders)
    (reduce (fn [acc o] (tool/a o)) data/none) => a 1
    (reduce (fn [acc o] (tool/a o)) nil data/orders) => a ≤ count(data/orders)
    (mapcat (fn [o] (map tool/a data/xs)) data/orders) => a ≤ count(data/orders) × count(data/xs)
    (run! tool/a (mapcat (fn [o] [o o]) data/orders)) => a ≤ 2 × count(data/orders)
    (run! tool/a (concat data/xs data/orders [1 2])) => a ≤ count(data/orders) + count(data/xs) + 2
    (run! tool/a (keys {:a 1 :b 2})) => a 2
    (run! tool/a (range 4)) => a 4
    (run! tool/a (range 1 6)) => a 5
    (run! tool/a (range 1 6 2)) => a 3
    (run! tool/a (range 6 1)) => -
    (run! tool/a (range -2 3)) => a 5
    (run! tool/a (range 5 1 -1)) => a unbounded
    (run! tool/a (range 2.5 4)) => a unbounded
    (run! tool/a (range 2 (count data/xs))) => a ≤ count(data/xs)
    (run! tool/a (range (if data/n 1 4) 6)) => a 5
    (run! tool/a (range (:a data/n) 6)) => a unbounded
    (run! tool/a (:rows data/report)) => a ≤ count(data/report :rows)
    (run! tool/a (get data/report "a b")) => a ≤ count(data/report "a b")
    (run! tool/a (get-in data/report [:meta :pages])) => a ≤ count(data/report :meta :pages)
    (let [{:keys [rows] {:keys [pages]} :meta} data/report] (run! tool/a rows) (run! tool/b pages)) => a ≤ count(data/report :rows), b ≤ count(data/report :meta :pages)
    (let [{:keys [rows none] :or {none [1 2 3]}} data/report] (run! tool/a rows) (run! tool/b none)) => a ≤ count(data/report :rows), b 3
    (run! tool/a (:none data/report)) => -
    (run! tool/a data/none) => a ≤ count(data/none)
    (dotimes [i (-> data/report :meta :pages count)] (tool/a i)) => a ≤ count(data/report :meta :pages)
    (run! tool/a data/name) => a ≤ count(data/name)
    (run! tool/a (str data/n)) => a unbounded
    (def rows (filter odd? data/xs)) (run! tool/a rows) => a ≤ count(data/xs)
    (sort-by tool/a data/xs) => a ≤ count(data/xs)
    (sort-by tool/a > data/xs) => a unbounded
    (update {:k 1} :k tool/a) => a 1
    (update-vals (group-by :id data/orders) tool/a) => a ≤ count(data/orders)
    (swap! (atom 1) tool/a) => a unbounded
    (repeatedly 3 #(tool/a 1)) => a 3
    (into [] (map tool/a) data/xs) => a ≤ count(data/xs)
    (into [] (mapcat tool/a) data/xs) => a unbounded
    (into [] (comp (filter odd?) (map tool/a)) data/xs) => a ≤ count(data/xs)
    (into [] (comp (mapcat vector) (map tool/a)) data/xs) => a unbounded
    (transduce (map tool/a) + 0 data/xs) => a ≤ count(data/xs)
    (sequence (map tool/a) (iterate inc 0)) => a unbounded
    (sequence (map tool/a) (iterate inc 0) data/xs) => a unbounded
    (def xf (keep tool/a)) (into [] xf data/xs) (into #{} xf data/orders) => a ≤ count(data/orders) + count(data/xs)
    (take 2 (map tool/a (range))) => a unbounded
    "#);
}

#[test]
fn what_earlier_programs_defined_is_looked_at() {
    assert_snapshot!(check_after(&["(defn f [x] (tool/a x))", "(f 1)"]), @"a 1");
    assert_snapshot!(check_after(&["(defn f [x] (tool/a x))", "1"]), @"-");
    assert_snapshot!(check_after(&["(defn g [x] x) (defn f [x] (g x))", "(defn g [x] (tool/a x)) (f 1)"]), @"a 1");
    assert_snapshot!(check_after(&["(def m {:f [tool/a]})", "m"]), @"a unbounded");
    assert_snapshot!(check_after(&["(def m (atom {:f tool/a}))", "@m"]), @"a unbounded");
    assert_snapshot!(check_after(&["(let [m (atom nil)] (defn put [f] (reset! m f)) (defn run [] (@m 1)))", "(put tool/a) nil", "(run)"]), @"a unbounded");
    assert_snapshot!(check_after(&["(let [m (atom nil)] (defn put [f] (reset! m f)) (defn run [] (@m 1)))", "(put tool/a) nil", "(dotimes [i 0] (run)) (run)"]), @"a unbounded");
    assert_snapshot!(check_after(&["(def s (lazy-seq [(tool/a 1)]))", "(first s)"]), @"a unbounded");
    assert_snapshot!(check_after(&["(def s (map tool/a (range)))", "(take 2 s)"]), @"a unbounded");
    assert_snapshot!(check_after(&["(def f (partial tool/a 1))", "(f)"]), @"a unbounded");
    assert_snapshot!(check_after(&["tool/a", "(*1 1)"]), @"a 1");
    assert_snapshot!(check_after(&["(defn f [x] (tool/a x))", "(*1 1)"]), @"a 1");
    assert_snapshot!(check_after(&["(def m (sorted-set-by (fn [a b] (tool/a 1) (compare a b))))", "(conj m 1 2)"]), @"a unbounded");
    assert_snapshot!(check_after(&["(def rows (range 7))", "(run! tool/a rows)"]), @"a 7");
    assert_snapshot!(check_after(&["(def rows [1]) (defn more [] (def rows (range 7)))", "(more) (run! tool/a rows)"]), @"a unbounded");
    assert_snapshot!(check_after(&["(defn more [& _] (def rows (range 7)) 1)", "(def rows [1]) (sort more data/xs) (run! tool/a rows)"]), @"a unbounded");
    assert_snapshot!(check_after(&["(def m {:f tool/a})", "(run! (fn [_] m) data/none) m"]), @"a unbounded");
    assert_snapshot!(check_after(&["(def rows (vec (range 300000)))", "(run! (fn [x] (tool/a (count rows))) data/xs)"]), @"a ≤ count(data/xs)");
    assert_snapshot!(check_after(&["(defonce s (atom 1))", "(defonce s (tool/a 1))"]), @"-");
    assert_snapshot!(check_after(&["(defn f [x] (tool/a x))", "(defn f [x] x) (f 1)"]), @"-");
    assert_snapshot!(check_after(&["(defn f [x] (tool/a x))", "(f 1) (defn f [x] x)"]), @"a 1");
}

#[test]
fn problems_are_those_of_a_check() {
    let session = session();
    let problems = session.effects("(tool/none 1) (filtr 1)").unwrap_err();
    assert_eq!(format!("{problems:?}"), format!("{:?}", session.check("(tool/none 1) (filtr 1)").unwrap_err()));
}

#[test]
fn large_and_deep_programs_end_soon_and_on_a_small_stack() {
    let nested = |depth: usize| format!("{}(tool/a 1){}", "(inc ".repeat(depth), ")".repeat(depth));
    let functions = |depth: usize| format!("{}(tool/a 1){}", "((fn [x] ".repeat(depth), ") 1)".repeat(depth));
    let doubled: String = (1..60).map(|n| format!("(defn f{n} [x] (f{} x) (f{} x))", n - 1, n - 1)).collect();
    let chain = format!("(defn f0 [x] (tool/a x)) {} (f40 1)", {
        (1..41).map(|n| format!("(defn f{n} [x] (f{} x))", n - 1)).collect::<String>()
    });
    let programs = [
        nested(60),
        functions(20),
        functions(60),
        format!("(-> 1 {} tool/a)", "inc ".repeat(100)),
        format!("(defn f0 [x] (tool/a x)) {doubled} (f59 1)"),
        chain,
        "(tool/a 1) ".repeat(3_000),
        format!("(def f #'g) (def g (comp #'f inc)) (f 1) {}", nested(3)),
    ];
    let run = move || programs.map(|source| told(&session(), &source)).join(", ");
    let told = std::thread::Builder::new().stack_size(3 << 20).spawn(run).unwrap().join().unwrap();
    assert_snapshot!(told, @"a 1, a 1, a 1, a 1, a unbounded, a 1, a 3000, a unbounded");
}
