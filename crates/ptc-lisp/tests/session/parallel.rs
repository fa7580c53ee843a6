//! `pmap` and `pcalls`: parallel branches, handed to the host in batches.

use std::fmt::Write;

use insta::assert_snapshot;
use proptest::prelude::*;
use ptc_lisp::{Ending, Limits, Outcome, Progress, Reason, Session, ToolCall, ToolError, ToolResult};

use super::{reason, session, session_with, shown, text};

/// Every tool gives the value of its argument `n`; `tool/boom` fails.
fn answer(call: &ToolCall) -> ToolResult {
    match &*call.name {
        "boom" => Err(ToolError::new("gone")),
        _ => Ok(call.surface.as_map().and_then(|args| args.get_named("n").cloned()).unwrap_or_default()),
    }
}

/// Run a program; answers the calls of each batch as text, and the outcome.
fn batches(session: &mut Session, program: &str, slice: Option<u64>) -> (Vec<Vec<String>>, Outcome) {
    let mut batches = Vec::new();
    session.start(program);
    loop {
        match session.advance(slice) {
            Progress::Slice => {}
            Progress::Calls(calls) => {
                batches.push(calls.iter().map(|call| format!("{} {}", call.name, text(&call.surface))).collect());
                let answers = calls.iter().map(answer).collect();
                session.answer(answers);
            }
            Progress::Done(outcome) => return (batches, outcome),
        }
    }
}

/// Each program with [`check_one`].
fn check(programs: &[&str]) -> String {
    programs.iter().map(|program| format!("{program}\n{}\n", check_one(program))).collect::<Vec<_>>().join("\n")
}

/// The batches, the calls in the order of their records, the prints and the ending; the same for every slice.
fn check_one(program: &str) -> String {
    let render = |slice| {
        let (batches, outcome) = batches(&mut session(), program, slice);
        let mut out = String::new();
        for batch in &batches {
            _ = writeln!(out, "batch: {}", batch.join(", "));
        }
        for record in &outcome.tool_calls {
            _ = writeln!(out, "record: {} {}", record.name, text(&record.surface));
        }
        for record in &outcome.parallel_calls {
            _ = writeln!(
                out,
                "{}: {} of {} ended well, {} failed",
                record.form.name(),
                record.succeeded,
                record.count,
                record.failed
            );
        }
        out.push_str(&shown(&outcome));
        out
    };
    let whole = render(None);
    assert_eq!(render(Some(1)), whole);
    assert_eq!(render(Some(7)), whole);
    whole
}

#[test]
fn calls_of_all_branches_form_one_batch() {
    assert_snapshot!(check(&[
        "(pmap (fn [n] (inc (tool/double {:n n}))) [1 2 3])",
        "(pmap tool/double [{:n 1} {:n 2}])",
        "(pcalls #(tool/double {:n 1}) (fn [] 2) #(tool/label {:n 3}))",
        "(pmap + [1 2 3] [10 20])",
        "[(pmap inc []) (pmap inc nil) (pcalls)]",
    ]));
}

#[test]
fn fifty_calls_are_open_at_once() {
    let (batches, outcome) =
        batches(&mut session(), "(reduce + (pmap (fn [id] (tool/double {:n id})) (range 50)))", None);
    assert_eq!(batches.iter().map(Vec::len).collect::<Vec<_>>(), [50]);
    assert_eq!(outcome.value().map(text).as_deref(), Some("1225"));
}

#[test]
fn at_most_256_branches_are_alive() {
    let (batches, outcome) = batches(
        &mut session(),
        "(count (pmap (fn [id] (tool/double {:n id}) (tool/label {:n id})) (range 600)))",
        None,
    );
    assert_eq!(batches.iter().map(Vec::len).collect::<Vec<_>>(), [256, 256, 256, 256, 88, 88]);
    assert_eq!(outcome.value().map(text).as_deref(), Some("600"));
}

#[test]
fn branches_have_several_rounds_of_calls() {
    assert_snapshot!(check(&[
        "(pmap (fn [n] (loop [i 0 sum 0] (if (< i n) (recur (inc i) (+ sum (tool/double {:n (+ (* 10 n) i)}))) sum))) [1 3 2])",
    ]));
}

#[test]
fn branches_may_branch() {
    assert_snapshot!(check(&[
        "(pmap (fn [row] (reduce + (pmap (fn [n] (tool/double {:n n})) row))) [[1 2] [3] []])",
        "(pmap (fn [x] (pmap (fn [y] (println x y) (tool/double {:n y})) [1 2])) [:a :b])",
    ]));
}

#[test]
fn prints_and_records_keep_branch_order() {
    assert_snapshot!(check(&[
        "(do (print \"> \") (pmap (fn [n] (println \"before\" n) (tool/double {:n n}) (println \"after\" n)) [1 2]) (println \"done\"))",
        "(with-out-str (pmap (fn [n] (print n) (print \"!\")) [1 2]))",
        "(pmap (fn [n] (with-out-str (print n) (tool/double {:n n}) (print n))) [1 2])",
    ]));
}

#[test]
fn the_first_failure_by_number_counts() {
    assert_snapshot!(check(&[
        "(pmap (fn [n] (println n) (if (odd? n) (/ n 0) (tool/double {:n n}))) [2 3 4 5])",
        "(pmap (fn [n] (tool/double {:n n}) (tool/boom {:n n})) [1 2])",
        "(try (pmap (fn [n] (throw (ex-info \"no\" {:n n}))) [1 2]) (catch Exception e [(ex-message e) (ex-data e)]))",
        "(pmap (fn [n] (try (tool/boom {:n n}) (catch Exception e (ex-message e)) (finally (println \"end\" n)))) [1 2])",
        "(pmap (fn [x] (return x)) [1])",
        "(pcalls (fn [] (fail {:reason :no})))",
        "(pcalls (fn [x] x))",
        "(pcalls 5)",
        "(pmap inc 5)",
    ]));
}

#[test]
fn definitions_and_tasks_of_branches_are_their_own_and_atoms_are_shared() {
    assert_snapshot!(check(&[
        "(def x 1) (def seen (atom [])) [(pmap (fn [n] (def x (+ x n)) (tool/double {:n n}) (swap! seen conj n) x) [10 20]) x @seen]",
        "(defn f [] 1) [(pcalls (fn [] (defn f [] 2) (tool/double {:n 0}) (f)) (fn [] (f))) (f)]",
    ]));
}

#[test]
fn what_one_branch_computes_the_others_wait_for() {
    assert_snapshot!(check(&[
        "(let [d (delay (println \"once\") (tool/double {:n 5}))] (pmap (fn [n] (+ n @d)) [1 2 3]))",
        "(let [xs (map (fn [n] (println n) (tool/double {:n n})) (iterate inc 0))] (pmap (fn [n] (nth xs n)) [2 0 1]))",
        "(let [d (delay (pmap (fn [n] (tool/double {:n n})) [1 2]))] (pcalls (fn [] @d) (fn [] (count @d))))",
        "(def d (delay (first (pmap (fn [_] @d) [1])))) @d",
        "(def a (delay (tool/double {:n 1}) @b)) (def b (delay (tool/double {:n 2}) @a)) (pcalls (fn [] @a) (fn [] @b))",
    ]));
}

#[test]
fn a_comparator_may_not_call_tools_in_a_branch_either() {
    assert_snapshot!(check(&["(sort (fn [a b] (first (pmap (fn [_] (tool/double {:n a})) [1]))) [2 1])",]));
}

#[test]
fn limits_end_all_branches_and_keep_what_they_printed() {
    let small = Limits { fuel: 20_000, ..Limits::default() };
    let (_, outcome) = batches(
        &mut session_with(small.clone()),
        "(pmap (fn [n] (println n) (tool/double {:n n}) (loop [] (recur))) [1 2])",
        None,
    );
    assert_eq!(reason(&outcome), Some(Reason::FuelExceeded));
    assert_eq!(outcome.prints, ["1", "2"]);
    assert_eq!(outcome.tool_calls.len(), 2);
    let (_, outcome) = batches(&mut session_with(small), "((fn f [n] (pmap f [n])) 0)", None);
    assert_eq!(reason(&outcome), Some(Reason::RecursionLimitExceeded), "{}", shown(&outcome));
    let memory = Limits { memory: 2_000_000, ..Limits::default() };
    let (_, outcome) = batches(
        &mut session_with(memory),
        "(pmap (fn [n] (let [xs (vec (range 20000))] (tool/double {:n n}) (count xs))) (range 200))",
        None,
    );
    assert_eq!(reason(&outcome), Some(Reason::MemoryExceeded), "{}", shown(&outcome));
}

/// Wherever the fuel ends, also between two branches: the calls that the host was asked for are told.
#[test]
fn calls_that_were_made_are_told_wherever_a_limit_is_reached() {
    for program in [
        "(dotimes [i 3] (println i) (pmap (fn [n] (tool/double {:n n})) [1 2 3]))",
        "(pmap (fn [n] (tool/double {:n n}) (pcalls #(tool/double {:n 1}) #(tool/label {:n n}))) [1 2 3])",
        "(try (pmap (fn [n] (tool/boom {:n n})) [1 2]) (catch Throwable e (tool/double {:n 1})))",
    ] {
        for fuel in 0..150 {
            let (made, outcome) = batches(&mut session_with(Limits { fuel, ..Limits::default() }), program, None);
            let made: usize = made.iter().map(Vec::len).sum();
            assert_eq!(outcome.tool_calls.len(), made, "{program} with {fuel} units: {}", shown(&outcome));
        }
    }
}

#[test]
fn a_run_can_be_given_up_while_branches_wait() {
    let mut session = session();
    session.start("(def x 1) (pmap (fn [n] (def x n) (tool/double {:n n})) (range 10))");
    assert!(matches!(session.advance(None), Progress::Calls(calls) if calls.len() == 10));
    let (_, outcome) = batches(&mut session, "(+ 1 1)", None);
    assert_eq!(outcome.value().map(text).as_deref(), Some("2"));
    drop(session);
}

#[test]
fn a_call_without_an_answer_fails() {
    let mut session = session();
    session.start("(pmap (fn [n] (tool/double {:n n})) [1 2])");
    assert!(matches!(session.advance(None), Progress::Calls(_)));
    session.answer(vec![Ok(ptc_lisp::Value::Int(1))]);
    match session.advance(None) {
        Progress::Done(outcome) => assert_snapshot!(shown(&outcome)),
        _ => panic!("the run must end"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// `pmap` is `map` with other batches: the same value, prints and records in the same order.
    #[test]
    fn pmap_gives_what_map_gives(rows in prop::collection::vec(prop::collection::vec(0..9_i64, 0..4), 0..12), slice in 1..50_u64) {
        let body = "(fn [row] (mapv (fn [n] (println n) (tool/double {:n n})) row))";
        let rows = format!("[{}]", rows.iter().map(|row| format!("{row:?}").replace(',', "")).collect::<Vec<_>>().join(" "));
        let (_, plain) = batches(&mut session(), &format!("(mapv {body} {rows})"), None);
        let (together, parallel) = batches(&mut session(), &format!("(pmap {body} {rows})"), Some(slice));
        prop_assert_eq!(shown(&plain), shown(&parallel));
        let calls = |outcome: &Outcome| outcome.tool_calls.iter().map(|call| text(&call.surface)).collect::<Vec<_>>();
        prop_assert_eq!(calls(&plain), calls(&parallel));
        prop_assert!(together.len() <= 3);
        prop_assert!(matches!(parallel.ending, Ending::Value(_)));
    }
}

#[test]
fn branches_that_follow_others_begin_as_they_did() {
    let program = r#"(def seen 0)
      (pmap (fn [n]
              (def seen (+ seen n))
              (print n)
              [(with-out-str (print (tool/label {:n n}))) seen])
            (range 600))"#;
    let outcome = session().run(program, &mut answer);
    let expected: Vec<String> = (0..600).map(|n| format!("[\"{n}\" {n}]")).collect();
    assert_eq!(outcome.value().map(full_text), Some(format!("[{}]", expected.join(" "))));
    assert!(
        outcome.prints.iter().map(String::as_str).eq((0..600)
            .map(|n| n.to_string())
            .collect::<Vec<_>>()
            .iter()
            .map(String::as_str))
    );
    assert!(outcome.tool_calls.iter().map(|record| text(&record.surface)).eq((0..600).map(|n| format!("{{:n {n}}}"))));
}

fn full_text(value: &ptc_lisp::Value) -> String {
    let options = ptc_lisp::text::FormatOptions { hide: false, ..ptc_lisp::text::FormatOptions::full() };
    ptc_lisp::text::format(value, &options).text
}
