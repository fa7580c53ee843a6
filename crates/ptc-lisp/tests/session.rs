//! Sessions from outside: turns, tools, limits, slices.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros, reason = "tests are hosts")]

#[path = "session/clock.rs"]
mod clock;
#[path = "session/comparators.rs"]
mod comparators;
#[path = "session/counting.rs"]
mod counting;
#[path = "session/earlier.rs"]
mod earlier;
#[path = "session/fuel.rs"]
mod fuel;
#[path = "session/hostile.rs"]
mod hostile;
#[path = "session/kept.rs"]
mod kept;
#[path = "session/laws.rs"]
mod laws;
#[path = "session/lazy.rs"]
mod lazy;
#[path = "session/memory.rs"]
mod memory;
#[path = "session/parallel.rs"]
mod parallel;
#[path = "session/passes.rs"]
mod passes;
#[path = "session/work.rs"]
mod work;

use std::fmt::Write;
use std::time::{Duration, Instant};

use insta::assert_snapshot;
use ptc_lisp::text::{FormatOptions, format};
use ptc_lisp::{Limits, Outcome, Reason, Session, SessionOptions, ToolCall, ToolError, ToolResult, ToolSpec, Value};

const TOOLS: [&str; 3] = ["double", "label", "boom"];

fn session_with(limits: Limits) -> Session {
    Session::new(SessionOptions {
        limits,
        tools: TOOLS.map(ToolSpec::new).to_vec(),
        seed: 7,
        ..SessionOptions::default()
    })
}

fn session() -> Session {
    session_with(Limits::default())
}

/// The host: doubles `n`, turns `n` into a label, or fails.
fn host(call: &ToolCall) -> ToolResult {
    let given = call.args.as_map().and_then(|args| args.get_named("n")).cloned().unwrap_or_default();
    match (&*call.name, given) {
        ("double", Value::Int(n)) => Ok(Value::Int(2 * n)),
        ("label", n) => Ok(Value::string(format!("n{}", text(&n)))),
        (name, n) => Err(ToolError::new(format!("{name} does not take {}", text(&n)))),
    }
}

fn text(value: &Value) -> String {
    format(value, &FormatOptions::full()).text
}

/// Printed lines after `> `, then the value, or each problem as `! reason message`.
fn shown(outcome: &Outcome) -> String {
    let mut lines: Vec<String> = outcome.prints.iter().map(|line| format!("> {line}")).collect();
    lines.extend(outcome.value().map(text));
    if let ptc_lisp::Ending::Fail(value) = &outcome.ending {
        lines.push(format!("fail {}", text(value)));
    }
    lines.extend(outcome.problems().iter().map(|problem| format!("! {} {}", problem.reason, problem.text())));
    lines.join("\n")
}

/// What the programs give, one turn after the other.
fn check(programs: &[&str]) -> String {
    let mut session = session();
    programs.iter().map(|program| shown(&session.run(program, &mut host))).collect::<Vec<_>>().join("\n")
}

/// The tool calls of a program after its result, one per line.
fn check_calls(program: &str) -> String {
    let outcome = session().run(program, &mut host);
    let mut lines = shown(&outcome);
    for record in &outcome.tool_calls {
        let answer = record.error.clone().map_or_else(|| text(&record.result), |error| format!("! {error}"));
        let _ = write!(lines, "\n{} {} -> {answer}", record.name, text(&record.surface));
    }
    lines
}

fn definitions(session: &Session) -> String {
    let mut lines = Vec::new();
    for entry in session.memory().entries() {
        let mut line = format!("{} {} {}", entry.name, entry.label, text(&entry.value));
        for (name, part) in [("params", &entry.params), ("doc", &entry.doc), ("returns", &entry.returns)] {
            if let Some(part) = part {
                let _ = write!(line, " {name}={part:?}");
            }
        }
        lines.push(line);
    }
    lines.join("\n")
}

fn reason(outcome: &Outcome) -> Option<Reason> {
    outcome.problems().first().map(|problem| problem.reason)
}

#[test]
fn definitions_say_how_functions_are_called() {
    let mut session = session();
    let outcome = session.run(
        "(defn area \"Of a square or rectangle.\" ([r] (area r r)) ([w h] (* w h)))
         (defn convert [amount from & to] [amount from to])
         (def fib (memoize (fn [n] n)))
         (def double-area (comp #(* 2 %) area))
         (def longest (comp str inc dec convert))
         (def shorter (comp str inc convert))
         (def ten (partial convert 10))
         (def ten-euro (partial convert 10 :eur))
         (def nested (partial (memoize (partial convert 1)) :eur))
         (def odd (complement even?))
         (def safe (fnil convert 0))
         (def label (comp str :name))
         (def both (juxt first last))
         (def one (constantly 1))
         (def total count)
         (def doubled (map inc))
         (def key :name)",
        &mut host,
    );
    assert!(outcome.value().is_some(), "{}", shown(&outcome));
    let lines: Vec<String> = session
        .memory()
        .entries()
        .iter()
        .map(|entry| format!("{} {:?}", entry.name, entry.params.as_deref()))
        .collect();
    assert_snapshot!(lines.join("\n"), @r#"
    area Some("r] [w h")
    convert Some("amount from & to")
    fib Some("n")
    double-area Some("r] [w h")
    longest Some("amount from & to")
    shorter Some("amount from & to")
    ten Some("from & to")
    ten-euro Some("& to")
    nested Some("& to")
    odd Some("n")
    safe Some("amount from & to")
    label Some("& args")
    both Some("& args")
    one Some("& _")
    total Some("coll")
    doubled Some("rf")
    key None
    "#);
}

#[test]
fn a_session_can_move_between_threads() {
    fn is_send<T: Send>(value: T) -> T {
        value
    }
    let mut session = is_send(session());
    session.run("(def a (atom 1))", &mut host);
    let outcome = std::thread::spawn(move || session.run("(swap! a inc)", &mut host)).join();
    assert_snapshot!(outcome.map_or_else(|_| "panicked".to_owned(), |outcome| shown(&outcome)), @"2");
}

#[test]
fn definitions_last_from_turn_to_turn() {
    let (mut session, mut carried) = (session(), session());
    for program in [
        "(def limit \"Rows; at\nmost\" 3) (defn rows \"The first rows.\" [xs] (take limit xs))",
        "(rows [1 2 3 4 5])",
        "(def _key 1) (def names [\"a\" \"b\"]) (defn pair ([x] [x x]) ([x y] [x y])) (pair 1)",
        "(def factor 1) (def factor 2)",
        "(def seen (atom {:n 1})) (swap! seen assoc :m 2)",
    ] {
        let outcome = session.run(program, &mut host);
        assert!(outcome.value().is_some(), "{program}: {}", shown(&outcome));
        // The same in a session that took up what the one before it wrote down.
        let (stored, left_out) = carried.store_memory();
        assert_eq!(left_out, []);
        carried = self::session();
        assert_eq!(carried.restore_memory(&stored), []);
        assert_eq!(shown(&carried.run(program, &mut host)), shown(&outcome), "{program}");
        assert_eq!(definitions(&carried), definitions(&session), "{program}");
    }
    assert_snapshot!(definitions(&session), @r#"
    limit integer 3 doc="Rows at most"
    rows #fn[...] #fn[xs] params="xs" doc="The first rows." returns="list[3]"
    _key integer 1
    names list[2] ["a" "b"]
    pair #fn[...] #fn[x] params="x] [x y" returns="list[2]"
    factor integer 2
    seen atom {:n 1 :m 2}
    "#);
    assert!(session.memory_bytes() > 0);
}

#[test]
fn a_failed_turn_leaves_nothing_behind() {
    assert_snapshot!(check(&[
        "(def a 1) (def seen (atom [])) (swap! seen conj :first)",
        "(def a 2) (def b 3) (swap! seen conj :second) (reset! seen (conj @seen a)) (println a b @seen) (/ 1 0)",
        "[a @seen]",
        "b",
        "(swap! seen conj :third) (fail \"given up\")",
        "@seen",
    ]), @r#"
    [:first]
    > 2 3 [:first :second 2]
    ! arithmetic_error Divide by zero at line 1, column 96
    [1 [:first]]
    ! undefined_symbol undefined symbol 'b' at line 1, column 1
    fail "given up"
    [:first :third]
    "#);
}

#[test]
fn tools_are_called_from_inside_anything() {
    assert_snapshot!(check_calls("(map (fn [n] (tool/double {:n n})) [1 2 3])"), @r"
    [2 4 6]
    double {:n 1} -> 2
    double {:n 2} -> 4
    double {:n 3} -> 6
    ");
    assert_snapshot!(check_calls("(reduce (fn [total n] (+ total (tool/double {:n n}))) 0 [1 2 3])"), @r"
    12
    double {:n 1} -> 2
    double {:n 2} -> 4
    double {:n 3} -> 6
    ");
    assert_snapshot!(check_calls("(sort-by (fn [n] (- (tool/double {:n n}))) [1 3 2])"), @r"
    [3 2 1]
    double {:n 1} -> 2
    double {:n 3} -> 6
    double {:n 2} -> 4
    ");
    assert_snapshot!(check_calls("(for [a [1 2] b [3 4] :when (odd? a)] (tool/double {:n (* a b)}))"), @r"
    [6 8]
    double {:n 3} -> 6
    double {:n 4} -> 8
    ");
    assert_snapshot!(check_calls("(let [twice (fn [n] (tool/double {:n n})) four (comp twice twice)] (into {} (map (juxt identity four)) [1 2]))"), @r"
    {1 4 2 8}
    double {:n 1} -> 2
    double {:n 2} -> 4
    double {:n 2} -> 4
    double {:n 4} -> 8
    ");
    assert_snapshot!(check_calls("(def a (atom 1)) (swap! a (fn [n] (tool/double {:n n}))) [@a (group-by (fn [n] (tool/label {:n n})) [1 1])]"), @r#"
    [2 {"n1" [1 1]}]
    double {:n 1} -> 2
    label {:n 1} -> "n1"
    label {:n 1} -> "n1"
    "#);
    assert_snapshot!(check_calls("(loop [n 1] (if (> n 5) n (recur (tool/double {:n n}))))"), @r"
    8
    double {:n 1} -> 2
    double {:n 2} -> 4
    double {:n 4} -> 8
    ");
    assert_snapshot!(check_calls("(take 2 (map (fn [n] (tool/double {:n n})) (range)))"), @r"
    [0 2]
    double {:n 0} -> 0
    double {:n 1} -> 2
    ");
    assert_snapshot!(check_calls("(let [[a b] (pmap (fn [n] (tool/double {:n n})) [1 2])] (tool/label {:n [a b]}))"), @r#"
    "n[2 4]"
    double {:n 1} -> 2
    double {:n 2} -> 4
    label {:n [2 4]} -> "n[2 4]"
    "#);
}

#[test]
fn a_tool_error_is_caught_or_ends_the_run() {
    assert_snapshot!(check_calls("(map (fn [n] (try (tool/boom {:n n}) (catch Exception e (ex-message e)))) [1 2])"), @r#"
    ["tool 'boom' failed: boom does not take 1" "tool 'boom' failed: boom does not take 2"]
    boom {:n 1} -> ! boom does not take 1
    boom {:n 2} -> ! boom does not take 2
    "#);
    assert_snapshot!(check_calls("(try (reduce (fn [_ n] (tool/boom {:n n})) 0 [1 2]) (catch ExceptionInfo e (ex-data e)))"), @r#"
    {:reason :tool_error :tool "boom"}
    boom {:n 1} -> ! boom does not take 1
    "#);
    assert_snapshot!(check_calls("(println :before)\n(tool/double {:n 1})\n(tool/boom {:n 2})"), @r"
    > :before
    ! tool_error tool 'boom' failed: boom does not take 2 at line 3, column 1
    double {:n 1} -> 2
    boom {:n 2} -> ! boom does not take 2
    ");
}

#[test]
fn a_limit_ends_the_run_and_is_not_caught() {
    let small =
        Limits { fuel: 200_000, memory: 2 << 20, time: Duration::from_secs(60), depth: 100, ..Limits::default() };
    let patient = Limits { fuel: u64::MAX >> 2, ..small.clone() };
    let ample = Limits { time: Duration::from_millis(200), ..patient.clone() };
    for (limits, body, expected) in [
        (&small, "(loop [n 0] (recur (inc n)))", Reason::FuelExceeded),
        (&small, "(reduce + (range 10000000))", Reason::FuelExceeded),
        (&ample, "(loop [n 0] (recur (inc n)))", Reason::Timeout),
        (&patient, "(loop [v []] (recur (conj v (str \"item \" (count v)))))", Reason::MemoryExceeded),
        (&patient, "(apply str (repeat 1000000 \"abc\"))", Reason::MemoryExceeded),
        (&small, "((fn f [n] (+ 1 (f n))) 0)", Reason::RecursionLimitExceeded),
        (&small, "((fn f [n] (map f [n])) 0)", Reason::RecursionLimitExceeded),
    ] {
        for program in [
            body.to_owned(),
            format!("(def a 1) (try {body} (catch Throwable e :caught) (finally (println :finally)))"),
        ] {
            let mut session = session_with(limits.clone());
            let outcome = session.run(&program, &mut host);
            assert_eq!(reason(&outcome), Some(expected), "{program}: {}", shown(&outcome));
            assert!(outcome.prints.is_empty() && session.memory().is_empty(), "{program}");
            assert_eq!(shown(&session.run("(+ 1 1)", &mut host)), "2", "after {program}");
        }
    }
}

#[test]
fn names_made_at_run_time_count_for_memory() {
    let few = Limits { symbols: 10, ..Limits::default() };
    let run = |program: &str| shown(&session_with(few.clone()).run(program, &mut host));
    let made = |count: usize| format!(r#"(count (map #(keyword (str "k" %)) (range {count})))"#);
    // `count`, `map`, `keyword`, `str`, `%` and `range` are six of them; names that data has are not.
    assert_eq!(run(&made(30_000)), "30000");
    assert_eq!(run("(count (map keyword [\"a\" \"b\" \"count\" \"a\"]))"), "4");
    assert_eq!(
        run(
            r#"(count (json/parse-string "{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,\"i\":1}"))"#
        ),
        "9"
    );
    assert_snapshot!(run("[:a :b :c :d :e :f :g :h :i :j :k]"), @"! symbol_limit_exceeded 11 distinct names used, the limit is 10");

    let small =
        |program: &str| shown(&session_with(Limits { memory: 4 << 20, ..Limits::default() }).run(program, &mut host));
    // While they are held they count; what nobody holds is free again.
    let endless = r#"(loop [m {} n 0] (recur (assoc m (keyword (str "k" n)) n) (inc n)))"#;
    assert_snapshot!(small(endless), @"! memory_exceeded memory limit of 4194304 bytes exceeded: keep counts and samples instead of whole collections at line 1, column 25");
    for endless in [
        r#"(loop [v [] n 0] (recur (conj v (json/parse-string (str "{\"key" n "\": 1}"))) (inc n)))"#,
        r#"(let [all (mapv #(keyword (str "k" %)) (range 100000))] (count all))"#,
    ] {
        assert!(small(endless).starts_with("! memory_exceeded"), "{endless}: {}", small(endless));
    }
    assert_eq!(small(r#"(reduce (fn [n at] (if (keyword (str "k" at)) (inc n) n)) 0 (range 100000))"#), "100000");
    assert_eq!(small(r#"(count (set (map #(symbol (str "s" (mod % 5000))) (range 100000))))"#), "5000");
    assert_eq!(small(r#"(count (mapv #(keyword (str "k" (mod % 2))) (range 100000)))"#), "100000");
}

#[test]
fn an_error_in_a_lazy_sequence_names_where_it_was_needed() {
    let sequence = "(def xs (map (fn [n] (/ 6 n)) (iterate dec 2)))";
    assert_snapshot!(check(&[&format!("{sequence}\n(take 5 xs)")]), @"! arithmetic_error Divide by zero at line 1, column 22, needed at line 2, column 1");
    assert_snapshot!(check(&[&format!("{sequence}\n{{:rest (drop 1 xs)}}")]), @"! arithmetic_error Divide by zero at line 1, column 22, needed at line 2, column 1");
    assert_snapshot!(check(&["(def d (delay (/ 1 0)))\n@d"]), @"! arithmetic_error Divide by zero at line 1, column 15, needed at line 2, column 1");
    assert_snapshot!(check(&[sequence, "(take 5 xs)"]), @r"
    #'xs
    ! arithmetic_error Divide by zero at line 1, column 1
    ");
    assert_snapshot!(check(&["(take 5 (map (fn [n] (/ 6 n)) (iterate dec 2)))"]), @"! arithmetic_error Divide by zero at line 1, column 22");
}

#[test]
fn a_long_message_is_cut_where_it_is_shown() {
    let outcome = session().run(r#"(throw (ex-info (apply str (repeat 1000 "x")) {}))"#, &mut host);
    let lengths: Vec<usize> = outcome.problems().iter().map(|problem| problem.message.chars().count()).collect();
    // With the number of missing characters.
    assert_eq!(lengths, [525]);
    let caught =
        r#"(try (throw (ex-info (apply str (repeat 1000 "x")) {})) (catch Exception e (count (ex-message e))))"#;
    assert_eq!(check(&[caught]), "1000");
}

#[test]
fn an_endless_result_ends_in_a_limit() {
    let limits = Limits { fuel: 300_000, ..Limits::default() };
    for program in [
        "(range)",
        "(iterate inc 1)",
        "(repeat :x)",
        "[1 (cycle [1 2])]",
        "(return {:a (map inc (range))})",
        "(fail (range))",
    ] {
        let outcome = session_with(limits.clone()).run(program, &mut host);
        assert_eq!(reason(&outcome), Some(Reason::FuelExceeded), "{program}");
    }
}

#[test]
fn a_value_that_shares_its_parts_is_not_written_out() {
    for program in [
        "(str (loop [n 0 v [1]] (if (= n 60) v (recur (inc n) [v v]))))",
        "(println (loop [n 0 v {}] (if (= n 60) v (recur (inc n) {:a v :b v}))))",
        "(tool/label {:n (loop [n 0 v [1]] (if (= n 60) v (recur (inc n) [v v])))})",
        "#{(loop [n 0 v [1]] (if (= n 60) v (recur (inc n) [v v])))}",
        "(= (nth (iterate (fn [v] [v v]) [1]) 60) (nth (iterate (fn [v] [v v]) [1]) 60))",
    ] {
        let started = Instant::now();
        let outcome = session_with(Limits { fuel: 1_000_000, ..Limits::default() }).run(program, &mut host);
        let ended = reason(&outcome);
        assert!(matches!(ended, Some(Reason::MemoryExceeded | Reason::FuelExceeded)), "{program}: {ended:?}");
        assert!(started.elapsed() < Duration::from_secs(5), "{program}: {:?}", started.elapsed());
    }
}

#[test]
fn a_bracket_too_many_is_named_with_the_error_that_it_leads_to() {
    assert_snapshot!(check(&[
        "(defn f [x]\n  (let [y (inc x)])\n    (* y 2)))",
        "(->> [3 1]\n     (map inc))\n     (count 5))",
        "(+ 1 2))",
    ]), @"
    ! undefined_symbol undefined symbol 'y' (there is one closing bracket too many at line 3, column 13: by the indentation, the form that ends at line 2, column 19 is closed too early) at line 3, column 8
    ! type_error count: expected a collection, got number (there is one closing bracket too many at line 3, column 15: by the indentation, the form that ends at line 2, column 15 is closed too early) at line 3, column 6
    3
    ");
}

#[test]
fn a_keyword_beside_its_name_as_a_string_is_noted() {
    let mut session = Session::new(SessionOptions::default());
    let mut notes = |source: &str| {
        let outcome = session.run(source, &mut |call| Err(ToolError::new(&*call.name)));
        let notes = outcome
            .warnings
            .iter()
            .map(|warning| format!("{} {}..{}", warning.code.as_str(), warning.span.start, warning.span.end));
        notes.collect::<Vec<_>>().join(" ")
    };
    // Constants, a constant beside a local, two locals, a builtin as a value, a branch of `case`.
    assert_eq!(notes(r#"(= :a "a")"#), "keyword-vs-string 0..10");
    assert_eq!(notes(r#"(map (fn [x] (if (= x "a") 1 2)) [:b :a])"#), "keyword-vs-string 17..26");
    assert_eq!(notes(r#"(let [x "a" y :a] (= x y))"#), "keyword-vs-string 18..25");
    assert_eq!(notes(r#"(apply = [:a "a"])"#), "keyword-vs-string 0..18");
    assert_eq!(notes(r#"(case "a" :a 1 2)"#), "keyword-vs-string 10..12");
    // Other names, and values that are equal or of other kinds, pass without a word.
    assert_eq!(notes(r#"[(= :a "b") (= :a :a) (= "a" "a") (= 1 "a") (let [x :b] (= x "a"))]"#), "");
}

#[test]
fn static_problems_come_together_and_nothing_runs() {
    assert_snapshot!(check(&[
        "(def a 1)",
        "(println :ran) (def a 2)\n(cuont [1])\n(if)\n(let [x] x)\n(tool/duoble {})\ndata/missing",
        "a",
        "(println :ran) (def a 3",
        "a",
    ]), @"
    #'a
    ! undefined_symbol undefined symbol 'cuont'. Did you mean 'count'? at line 2, column 2
    ! invalid_arity if: expected (if test then else?), got 0 at line 3, column 1
    ! invalid_form let: the bindings need an even number of forms, got 1 at line 4, column 6
    ! tool_not_found tool 'duoble' not found; available tools: boom, double, label. Did you mean 'tool/double'? at line 5, column 2
    ! data_not_found data 'missing' not found; there is no input data at line 6, column 1
    1
    ! parse_error Unexpected end of input: '(' opened at line 1, column 16 was never closed
    1
    ");
}

#[test]
fn prints_are_kept_when_the_run_fails() {
    assert_snapshot!(check(&["(println :one)\n(print \"half\")\n(print \" a line\")\n(/ 1 0)"]), @r"
    > :one
    > half a line
    ! arithmetic_error Divide by zero at line 4, column 1
    ");
}

#[test]
fn warnings_stand_beside_the_result() {
    let outcome = session().run("(def row [1])\n[(:a row) (contains? row 1)]", &mut host);
    let lines: Vec<String> =
        outcome.warnings.iter().map(|warning| format!("{} {}", warning.code.as_str(), warning.message)).collect();
    assert_snapshot!(lines.join("\n"), @r"
    keyword-on-non-map (:a x) on a vector gives nil; use (map :a xs) for many rows or (nth xs i) for one
    contains-on-vector contains? looks for an element of a vector, not for an index; compare with (count v) for an index
    ");
}

const SLICED: [&str; 34] = [
    "(reduce + (range 50))",
    "(map inc (filter odd? (range 20)))",
    "(sort-by - [3 1 2])",
    "(sort (fn [a b] (> a b)) [3 1 2 5 4])",
    "(let [shorter (comparator (fn [a b] (< (count a) (count b))))] [(shorter [1] [1 2]) (sort shorter [[1 2 3] [1] [2 3]])])",
    "(first (reduce (fn [xs x] (concat xs [x])) (lazy-seq [:start]) (range 300)))",
    "(loop [i 0 sum 0] (if (< i 30) (recur (inc i) (+ sum @(delay (count (range 100))))) sum))",
    "(loop [i 0 sum 0] (if (< i 40) (recur (inc i) (+ sum (second (iterate inc i)))) sum))",
    "(loop [n 0] (if (< n 100) (recur (inc n)) n))",
    "((fn f [n] (if (< n 2) n (+ (f (- n 1)) (f (- n 2))))) 12)",
    "(doseq [n (range 5)] (println :n n))",
    "(for [a (range 4) b (range a)] [a b])",
    "(take 5 (iterate (fn [n] (* 2 n)) 1))",
    "(take 3 (drop 2 (map (fn [n] (println n) (* n n)) (range))))",
    "(first (filter (fn [n] (> n 30)) (range)))",
    "(group-by even? (range 10))",
    "(frequencies \"abracadabra\")",
    "(into {} (map (fn [n] [n (str n)])) (range 5))",
    "(transduce (comp (map inc) (filter even?) (take 3)) + 0 (range))",
    "(map (fn [n] (tool/double {:n n})) (range 4))",
    "(sort-by (fn [n] (tool/label {:n n})) [2 3 1])",
    "(try (tool/boom {:n 1}) (catch Exception e (ex-message e)) (finally (println :end)))",
    "(tool/boom {:n 1})",
    "(try (reduce (fn [a n] (if (= n 3) (throw (ex-info \"three\" {:n n})) (+ a n))) 0 (range 9)) (catch Exception e (ex-data e)))",
    "(update-in {:a {:b 1}} [:a :b] (fn [n] (+ n 1)))",
    "(def a (atom 0)) (dotimes [n 10] (swap! a + n)) @a",
    "(defn f [n] (println n) (if (pos? n) (recur (dec n)) :done)) (f 3)",
    "(with-out-str (doseq [n [1 2]] (println n)))",
    "(let [d (delay (println :once) 1)] [@d @d])",
    "(walk/postwalk (fn [x] (if (number? x) (inc x) x)) {:a [1 {:b 2}]})",
    "(map + [1 2 3] (range) [10 20 30 40])",
    "(do (println :x) (/ 1 0))",
    "(return (map inc [1 2]))",
    "(pmap (fn [n] (tool/double {:n n})) [1 2 3])",
];

#[test]
fn a_slice_changes_nothing() {
    for program in SLICED {
        let whole = session().run_sliced(program, None, &mut host);
        let calls = |outcome: &Outcome| outcome.tool_calls.iter().map(|call| text(&call.surface)).collect::<Vec<_>>();
        for slice in [1, 7, 1_000] {
            let sliced = session().run_sliced(program, Some(slice), &mut host);
            assert_eq!(shown(&sliced), shown(&whole), "{program} in slices of {slice}");
            assert_eq!(calls(&sliced), calls(&whole), "{program} in slices of {slice}");
            assert_eq!(sliced.usage.fuel, whole.usage.fuel, "{program} in slices of {slice}");
        }
    }
}

/// Its text names the function, though no instruction does: a sequence of itself is made in a loop.
#[test]
fn a_function_that_is_a_sequence_of_itself_is_stored() {
    let mut first = session();
    first.run("(defn from [n] (lazy-seq (cons n (from (inc n)))))", &mut host);
    let (stored, left_out) = first.store_memory();
    let mut second = session();
    assert_eq!((left_out, second.restore_memory(&stored)), (vec![], vec![]));
    let outcome = second.run("(take 2 (from 3))", &mut host);
    assert_eq!(outcome.value().map(text).as_deref(), Some("[3 4]"));
}

/// Looking at a value that shares its parts costs what its distinct parts cost, wherever the host meets it.
#[test]
fn shared_parts_are_looked_at_once() {
    let shared = "(loop [n 0 v [1.234]] (if (= n 60) v (recur (inc n) [v v])))";
    let mut rounding = Session::new(SessionOptions { float_precision: Some(2), ..SessionOptions::default() });
    assert!(rounding.run(shared, &mut |_| Err(ToolError::new("no tools"))).value().is_some());
    let mut session = Session::new(SessionOptions::default());
    let program = format!("(def a (atom 1)) (def d {shared}) [a d]");
    assert!(session.run(&program, &mut |_| Err(ToolError::new("no tools"))).value().is_some());
    assert_eq!(session.memory().entries().len(), 2);
}
