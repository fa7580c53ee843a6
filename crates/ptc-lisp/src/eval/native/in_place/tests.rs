use proptest::prelude::*;

use crate::limits::Limits;
use crate::session::outcome::Ending;
use crate::session::{Session, SessionOptions};
use crate::value::{FormatOptions, Value, format};

fn shown(outcome: &crate::Outcome) -> String {
    match &outcome.ending {
        Ending::Value(value) => format(value, &FormatOptions::full()).text,
        other => {
            let text = format!("{other:?}");
            text.get(..text.len().min(300)).unwrap_or_default().to_owned()
        }
    }
}

fn run(session: &mut Session, program: &str) -> String {
    shown(&session.run(program, &mut |_| Ok(Value::Nil)))
}

fn session(limits: Limits) -> Session {
    Session::new(SessionOptions { limits, ..SessionOptions::default() })
}

fn answer(program: &str) -> String {
    run(&mut session(Limits::default()), program)
}

/// Contents, including some that most functions refuse.
const CONTENTS: &[&str] = &[
    "nil",
    "1",
    "2.5",
    "123456789012345678901234567890",
    "true",
    "\"text\"",
    ":key",
    "[]",
    "[1 2 3]",
    "[[1 2] {:a 1}]",
    "{}",
    "{:a 1 :b [1]}",
    "{:a {:b {:c 1}} \"s\" #{1}}",
    "(zipmap (range 40) (range 40))",
    "#{}",
    "#{1 :a \"b\"}",
    "(set (range 40))",
    "(sorted-map 1 2)",
    "(sorted-set 3 1)",
    "(vec (range 600))",
];

/// Calls on a content, with a place for it.
const CALLS: &[&str] = &[
    "conj % 1",
    "conj % [1 2]",
    "conj % [[1] 2] {:z 1}",
    "conj % :a :b",
    "conj %",
    "conj % nil",
    "conj % {:a 2}",
    "into % [1 2]",
    "into % [[1 2] [3 4]]",
    "into % #{9}",
    "into % {:a 7}",
    "into % 5",
    "assoc % :a 2",
    "assoc % 0 :x",
    "assoc % 99 :x",
    "assoc % 1 2 3",
    "assoc % [1] 2",
    "assoc % [0 :a] 1 [0 :a] 2 \"k\" [1]",
    "conj % [[0 1] 2] [[0 1] 3]",
    "disj % [0 1]",
    "update % [0 \"b\"] (fnil inc 0)",
    "assoc-in % [[0 1] :a] 1",
    "dissoc % :a",
    "dissoc % [1]",
    "disj % 1",
    "disj % {}",
    "merge % {:a 9 :n 1}",
    "merge % nil",
    "merge % [1 2]",
    "union % #{5 1}",
    "union % [1]",
    "difference % #{1}",
    "str % 1 :a",
    "str % [1] nil",
    "str % \"é\"",
    "pop %",
    "rest %",
    "next %",
    "butlast %",
    "+ % 1",
    "+ % nil",
    "- %",
    "* % 2.0",
    "inc %",
    "dec %",
    "max % 3",
    "min % :a",
    "not %",
    "first %",
    "count %",
    "update % :a inc",
    "update % :a (fnil inc 0)",
    "update % :q (fnil conj []) 1",
    "update % :b conj 2",
    "update % 0 + 5",
    "update % :a str \"x\"",
    "update % :a assoc :k 1",
    "update % :n conj 1",
    "update % [1] conj 1",
    "update % :a nil",
    "update % 99 conj 1",
    "update-in % [:a :b :c] + 1",
    "update-in % [:x :y] (fnil + 10) 1",
    "update-in % [:a :b] dissoc :c",
    "update-in % [] conj 1",
    "update-in % :a inc",
    "update-in % [1 1] conj 1",
    "assoc-in % [:a :b] 1",
    "assoc-in % [0 :k] 1",
    "assoc-in % [] 1",
    "assoc-in % [:x :y :z] [1]",
    "assoc-in % [9 9] 1",
];

fn in_both_ways(content: &str, calls: &[&str], word: &str, make: &str) -> [String; 2] {
    let program = |general: bool| {
        let steps = calls.iter().map(|call| {
            let (f, rest) = call.split_once(" %").expect("a place");
            let swap =
                if general { format!("({word} a (fn [c] ({f} c{rest})))") } else { format!("({word} a {f}{rest})") };
            format!("(try {swap} (catch Throwable e (str \"! \" (ex-message e)))) @a")
        });
        format!("(let [a ({make} {content}) before @a] [{} before])", steps.collect::<Vec<_>>().join(" "))
    };
    [answer(&program(false)), answer(&program(true))]
}

/// Messages say where the function is, so only their presence is compared.
fn without_messages(text: &str) -> String {
    text.split("\"! ")
        .enumerate()
        .map(|(at, part)| if at == 0 { part } else { part.split_once('"').map_or("", |(_, rest)| rest) })
        .collect::<Vec<_>>()
        .join("\"!\"")
}

#[test]
fn a_swap_in_place_is_a_swap() {
    for content in CONTENTS {
        for call in CALLS {
            let [direct, general] = in_both_ways(content, &[call], "swap!", "atom");
            assert_eq!(without_messages(&direct), without_messages(&general), "{content} {call}");
        }
    }
}

proptest! {
    #[test]
    fn swaps_one_after_the_other(
        content in prop::sample::select(CONTENTS),
        calls in prop::collection::vec(prop::sample::select(CALLS), 1..6),
        volatile in any::<bool>(),
    ) {
        let (word, make) = if volatile { ("vswap!", "volatile!") } else { ("swap!", "atom") };
        let [direct, general] = in_both_ways(content, &calls, word, make);
        prop_assert_eq!(without_messages(&direct), without_messages(&general));
    }
}

#[test]
fn a_failed_turn_restores_what_was_changed_in_place() {
    let mut session = session(Limits::default());
    run(&mut session, "(def a (atom {:n [1 2]})) (def v (volatile! \"x\"))");
    let failing =
        "(dotimes [i 300] (swap! a update :n conj i) (swap! a assoc i i) (vswap! v str i)) (throw (ex-info \"no\" {}))";
    assert!(run(&mut session, failing).contains("no"));
    assert_eq!(run(&mut session, "[@a @v]"), "[{:n [1 2]} \"x\"]");
    assert_eq!(run(&mut session, "(swap! a update :n conj 3) (vswap! v str 1) [@a @v]"), "[{:n [1 2 3]} \"x1\"]");
    assert!(run(&mut session, "(swap! a update :n pop) (swap! a update :n + 1)").contains("Error"));
    assert_eq!(run(&mut session, "[@a @v]"), "[{:n [1 2 3]} \"x1\"]");
}

#[test]
fn others_keep_what_they_hold() {
    assert_eq!(
        answer("(let [a (atom [1]) b @a] (swap! a conj 2) (let [c @a] (swap! a conj 3) [b c @a]))"),
        "[[1] [1 2] [1 2 3]]"
    );
    assert_eq!(
        answer("(let [a (atom {})] [(swap! a assoc :a 1) (swap! a assoc :b 2) @a])"),
        "[{:a 1} {:a 1 :b 2} {:a 1 :b 2}]"
    );
    assert_eq!(answer("(let [a (atom [])] (swap! a conj a) (count (swap! a conj @a)))"), "2");
    assert_eq!(
        answer("(let [a (atom \"x\")] (swap! a str a))"),
        answer("(let [a (atom \"x\")] (swap! a (fn [c] (str c a))))")
    );
    assert_eq!(answer("(let [m {:k [1]} a (atom m)] (swap! a update :k conj 2) [m @a])"), "[{:k [1]} {:k [1 2]}]");
    assert_eq!(answer("(let [a (atom 0)] (dorun (pmap (fn [n] (swap! a + n)) (range 50))) @a)"), "1225");
}

#[test]
fn a_limit_ends_a_swap_as_any_call() {
    let small = Limits { memory: 1 << 20, ..Limits::default() };
    for body in [
        "(swap! a conj (str \"item \" n))",
        "(swap! a update 0 (fnil conj []) (str \"item \" n))",
        "(swap! t str \"item \" n)",
        "(swap! m assoc n (str n))",
        "(swap! m update n (fnil conj []) n)",
        "(swap! m assoc-in [n n] n)",
    ] {
        let mut session = session(small.clone());
        run(&mut session, "(def a (atom [[]])) (def t (atom \"\")) (def m (atom {:kept 1}))");
        assert!(
            run(&mut session, &format!("(loop [n 0] {body} (recur (inc n)))")).contains("MemoryExceeded"),
            "{body}"
        );
        assert_eq!(run(&mut session, "[@a @t @m]"), "[[[]] \"\" {:kept 1}]", "{body}");
        let alone = format!(
            "(let [a (atom [[]]) t (atom \"\") m (atom {{}})] (try (loop [n 0] {body} (recur (inc n))) (catch Throwable e 1)) 2)"
        );
        assert!(run(&mut session, &alone).contains("MemoryExceeded"), "{body}");
    }
    // Garbage is not a reason to refuse.
    let mut session = session(small);
    let program = "(let [a (atom [])] (dotimes [n 20000] (swap! a conj (str \"an item \" n)) (when (> (count @a) 1000) (swap! a (fn [_] [])))) (count @a))";
    assert_eq!(run(&mut session, program), "981");
}

/// Whether the vector that the program returns has never been written while something else held it: then it is not a trie.
fn is_flat(program: &str) -> bool {
    match &session(Limits::default()).run(program, &mut |_| Ok(Value::Nil)).ending {
        Ending::Value(Value::Vector(items)) => items.trie().is_none() && items.len() == 2_000,
        other => panic!("{program}: {other:?}"),
    }
}

#[test]
fn a_function_that_reads_no_cell_owns_the_content() {
    let step = "(fn [{:keys [items n] :as s} x] (assoc s :items (conj items x) :n (inc n)))";
    let swaps = format!("(doseq [x (range 2000)] (swap! a {step} x)) (:items @a)");
    assert!(is_flat(&format!("(def a (atom {{:items [] :n 0}})) {swaps}")));
    assert!(is_flat(&format!("(def a (volatile! {{:items [] :n 0}})) {}", swaps.replace("swap!", "vswap!"))));
    assert!(is_flat(&format!(
        "(defn add [s x] ({step} s x)) (def a (atom {{:items [] :n 0}})) {}",
        swaps.replace(step, "add")
    )));
    assert!(is_flat(
        "(def a (atom {:k []})) (doseq [x (range 2000)] (swap! a update :k (fn [xs] (conj xs x)))) (:k @a)"
    ));
    // Another holder, a handler of errors, and a sequence that may read any cell.
    for other in [
        format!(
            "(def a (atom {{:items [] :n 0}})) (def held (atom nil)) {}",
            swaps.replace("(swap! a", "(reset! held @a) (swap! a")
        ),
        format!("(def a (atom {{:items [] :n 0}})) (try {swaps} (catch Exception _ 1))"),
        format!("(def a (atom {{:items [] :n 0}})) (def s (lazy-seq [@a])) {swaps}"),
    ] {
        assert!(!is_flat(&other), "{other}");
    }
}

#[test]
fn nothing_sees_that_a_cell_is_empty() {
    for (program, expected) in [
        // What fails in the function, and is caught.
        (
            "(let [a (atom [1])] [(try (swap! a (fn [c] (conj c (inc nil)))) (catch Exception _ :caught)) @a])",
            "[:caught [1]]",
        ),
        (
            "(defn go [a] (swap! a (fn [c] (/ 1 0)))) (def a (atom [1])) [(try (go a) (catch Exception _ :caught)) @a]",
            "[:caught [1]]",
        ),
        (
            "(def a (atom [1])) (try (swap! a (fn [c] (throw (ex-info \"no\" {})))) (catch Exception _ 1) (finally (swap! a conj 2))) @a",
            "[1 2]",
        ),
        // Functions that read the cell: themselves, by another, by a text, by a sequence.
        ("(let [a (atom [1])] (swap! a (fn [c] (conj c (count @a)))) @a)", "[1 1]"),
        ("(def a (atom [1])) (defn size [] (count @a)) (swap! a (fn [c] (conj c (size)))) @a", "[1 1]"),
        ("(def a (atom [1])) (swap! a (fn [c] (conj c (str a)))) (count (last @a))", "ABOVE"),
        ("(def a (atom [1])) (swap! a (fn [c] (conj c ((comp str identity) a)))) (count (last @a))", "ABOVE"),
        (
            "(def a (atom [1])) (def s (map (fn [_] (count @a)) (lazy-seq [1]))) (swap! a (fn [c] (conj c (first s)))) @a",
            "[1 1]",
        ),
        ("(def a (atom [1])) (def size (delay (count @a))) (swap! a (fn [c] (conj c (force size)))) @a", "[1 1]"),
        (
            "(def a (atom [1])) (def f (fn [c] c)) (def g (fn [c] (f c))) (def f (fn [c] (conj c @a))) (swap! a g) @a",
            "[1 [1]]",
        ),
        ("(let [a (atom [1])] (swap! a (fn [c] (when (= 1 (count @a)) (swap! a conj 5)) (conj c 2))) @a)", "[1 5 2]"),
        ("(let [a (atom [1])] [(swap-vals! a (fn [c] (conj c 2))) @a])", "[[[1] [1 2]] [1 2]]"),
        (
            "(let [a (atom [1]) b @a] [(swap! a (fn [c] (conj c 2))) (swap! a (fn [c] (conj c 3))) b])",
            "[[1 2] [1 2 3] [1]]",
        ),
        ("(let [a (atom [])] (dorun (pmap (fn [n] (swap! a (fn [c] (conj c n)))) (range 50))) (sort @a))", "RANGE"),
    ] {
        let expected = match expected {
            "ABOVE" => answer("(def a (atom [1])) (count (str a))"),
            "RANGE" => answer("(range 50)"),
            other => other.to_owned(),
        };
        for slice in [None, Some(1)] {
            let mut session = session(Limits::default());
            assert_eq!(shown(&session.run_sliced(program, slice, &mut |_| Ok(Value::Nil))), expected, "{program}");
        }
    }
    // What ends the program undoes what it wrote.
    let mut session = session(Limits::default());
    run(&mut session, "(def a (atom [1]))");
    for failing in [
        "(swap! a (fn [c] (inc (conj c 2))))",
        "(swap! a (fn [c] (loop [] (recur))))",
        "(swap! a (fn f [c] (inc (f c))))",
    ] {
        assert!(run(&mut session, failing).contains("Error"), "{failing}");
        assert_eq!(run(&mut session, "@a"), "[1]", "{failing}");
    }
    assert!(run(&mut session, "(swap! a (fn [c] (return (conj c 2))))").contains('2'));
    assert_eq!(run(&mut session, "@a"), "[1]");
}
