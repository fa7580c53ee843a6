//! `Session::check` leaves a session unchanged, whatever it checks.

use proptest::prelude::*;

use super::*;
use crate::Reason;
use crate::limits::Limits;
use crate::session::Progress;
use crate::session::host::ToolResult;
use crate::value::NoCells;
use crate::values::to_tagged;

/// Programs that wait for `tool/ask` and then create names; the answer says how many.
const WAITING: &[&str] = &[
    "(count (map #(keyword (str \"made\" %)) (range (tool/ask {}))))",
    "(def seen (atom [])) (dotimes [n (tool/ask {})] (swap! seen conj (keyword (str \"made\" n)))) (count @seen)",
    "(defn twice [x] (* 2 x)) (def kept (map keyword (map str (range (tool/ask {}))))) [(twice (count kept)) (re-find #\"a+\" \"baa\")]",
    "(pmap (fn [n] (let [made (tool/ask {:n n})] (count (mapv #(keyword (str n \"-\" %)) (range made))))) [1 2])",
    "(require '[clojure.string :as s]) (:a [1]) (s/join (map #(name (keyword (str \"k\" %))) (range (tool/ask {}))))",
];

/// Programs to check in between: few names, many names, definitions, warnings, problems, no programs.
const LOOKED_AT: &[&str] = &[
    "1",
    "[a1 :b2]",
    "{:a 1 :b 2 :c 3 :d 4 :e 5 :f 6 :g 7 :h 8 :i 9 :j 10 :k 11 :l 12 :m 13 :n 14 :o 15 :p 16}",
    "(def seen 1) (defn twice [x] :other) (def kept nil) (twice seen)",
    "(map inc [1]) (require '[clojure.walk :as w]) (re-find #\"b\" \"abc\") (w/keywordize-keys {\"x\" *1})",
    "(defn f [x] (inc y)) (f 1 2)",
    "(tool/ask {:n 1} 2 3)",
    "(((",
];

fn session(symbols: usize) -> Session {
    let limits = Limits { symbols, ..Limits::default() };
    Session::new(SessionOptions { limits, tools: vec![ToolSpec::new("ask")], ..SessionOptions::default() })
}

/// The outcome of a program, in every respect that does not depend on the time.
fn told(outcome: &Outcome) -> String {
    let ending = match &outcome.ending {
        Ending::Value(value) => to_tagged(value, &NoCells).unwrap().to_string(),
        other => format!("{other:?}"),
    };
    let usage = (outcome.usage.fuel, outcome.usage.memory);
    format!("{ending} {usage:?} {:?} {:?} {}", outcome.prints, outcome.warnings, outcome.tool_calls.len())
}

/// Run `program`, checking `others` whenever it waits; returns its outcome, the definitions, and how `after` runs.
fn run(program: &str, others: &[&str], symbols: usize, answer: i64) -> [String; 3] {
    let mut session = session(symbols);
    session.start(program);
    let outcome = loop {
        match session.advance(None) {
            Progress::Slice => {}
            Progress::Calls(calls) => {
                for other in others {
                    let _ = session.check(other);
                }
                session.answer(calls.iter().map(|_| ToolResult::Ok(Value::Int(answer))).collect());
            }
            Progress::Done(outcome) => break outcome,
        }
    };
    for other in others {
        let _ = session.check(other);
    }
    let memory = session.memory();
    let memory = memory.entries().iter().map(|entry| format!("{} {} {}", entry.name, entry.order, shown(&entry.value)));
    let memory = format!("{} {}", memory.collect::<Vec<_>>().join(", "), session.memory_bytes());
    let after = session.run("(def later [*1 (resolve-none)])", &mut |_| Ok(Value::Nil));
    [told(&outcome), memory, told(&after)]
}

fn shown(value: &Value) -> String {
    format(value, &FormatOptions::full()).text
}

#[test]
fn names_that_a_program_makes_are_none_of_its_text() {
    let run = |others: &[&str], symbols| {
        let [told, ..] = run(WAITING[0], others, symbols, 8);
        told.split(' ').next().unwrap_or_default().to_owned()
    };
    // The program has seven names and creates eight.
    let many = LOOKED_AT[2];
    assert_eq!(run(&[], 7), run(&[many], 7));
    assert_eq!(run(&[], 7), r#"{"t":"int","v":"8"}"#);
    assert!(run(&["1"], 6).starts_with("Error([Problem"), "{}", run(&["1"], 6));
}

#[test]
fn a_check_tells_of_closing_delimiters_too_many() {
    let told = |program: &str| {
        let warnings = session(100).check(program).expect("a program");
        warnings
            .iter()
            .map(|warning| format!("{} {} {}", warning.code.as_str(), warning.span.start, warning.message))
            .collect::<Vec<_>>()
    };
    assert_eq!(told("(+ 1 2))"), ["surplus-delimiter 7 1 closing delimiter too many: the program ends before it"]);
    assert_eq!(told("(+ 1 2)"), Vec::<String>::new());
    let many = "(map inc [1]) (filter odd? [1]) (count [1]) (first [1]) (sort [1]) (rest [1]) 1)";
    let told = told(many);
    assert_eq!(
        (told.len(), told.iter().filter(|warning| warning.starts_with("surplus-delimiter")).count()),
        (5, 1),
        "{told:?}"
    );
    for broken in ["(+ 1 [2)", "(+ 1 2", "(f (g 1]))"] {
        assert_eq!(session(100).check(broken).unwrap_err()[0].reason, Reason::ParseError, "{broken}");
    }
}

proptest! {
    #[test]
    fn a_check_leaves_a_waiting_program_alone(
        program in prop::sample::select(WAITING),
        others in prop::collection::vec(prop::sample::select(LOOKED_AT), 1..4),
        symbols in 8..40_usize,
        answer in 0..20_i64,
    ) {
        prop_assert_eq!(run(program, &others, symbols, answer), run(program, &[], symbols, answer));
    }
}
