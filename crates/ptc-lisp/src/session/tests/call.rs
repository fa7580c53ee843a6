//! Calls of functions by the host, and programs that are compiled once.

use std::sync::Arc;

use proptest::prelude::*;
use serde::Serialize;

use crate::{
    Ending, Limits, Outcome, Program, ProgramError, Progress, Reason, Session, SessionOptions, ToolCall, ToolResult,
    ToolSpec, Value, no_tools, to_value,
};

const RULES: &str = "
(def base 10)
(def calls (atom 0))
(defn score [{:keys [country total items]}]
  (swap! calls inc)
  (+ base
     (if (> total 1000) 50 0)
     (* 2 (count items))
     (if (= country \"Atlantis\") 40 0)))
(defn rated [order] (* (tool/rate {:country (:country order)}) (score order)))
(defn keep! [x] (def kept x) (if (neg? x) (/ x 0) kept))
";

#[derive(Serialize)]
struct Order {
    country: &'static str,
    total: i64,
    items: Vec<&'static str>,
}

fn order(total: i64) -> Order {
    Order { country: "Atlantis", total, items: vec!["tea", "cup"] }
}

fn rules() -> Program {
    let tools = vec![ToolSpec::new("rate")];
    Program::compile(RULES, SessionOptions { tools, ..SessionOptions::default() }).unwrap()
}

fn call(session: &mut Session, name: &str, args: Vec<Value>) -> Outcome {
    let function = session.function(name).unwrap();
    session.call(&function, args, &Limits::default(), &mut no_tools)
}

fn shown(outcome: Outcome) -> String {
    outcome.into_result().map_or_else(|error| error.to_string(), |value| value.to_string())
}

fn reason(outcome: &Outcome) -> Option<Reason> {
    outcome.problems().first().map(|problem| problem.reason)
}

#[test]
fn a_call_is_what_a_program_with_the_call_is() {
    let program = rules();
    let score = program.function("score").unwrap();
    let mut session = program.session();
    for total in [0, 1_000, 1_001] {
        let called = session.call(&score, (order(total),), &Limits::default(), &mut no_tools);
        session.define("order", to_value(&order(total)).unwrap(), None).unwrap();
        let ran = session.run("(score order)", &mut no_tools);
        // The call itself is one unit of a program, and the host's own here.
        assert_eq!(called.usage.fuel + 1, ran.usage.fuel);
        assert_eq!(shown(called), shown(ran));
    }
    assert_eq!(session.run("@calls", &mut no_tools).into_typed::<u32>().unwrap(), 6);
}

#[test]
fn sessions_of_a_program_share_code_and_nothing_else() {
    fn shared<T: Send + Sync + Clone>(_: &T) {}
    let program = rules();
    shared(&program);
    let (mut one, mut other) = (program.session(), program.session());
    assert!(Arc::ptr_eq(&one.machine.codes, &other.machine.codes));
    call(&mut one, "score", vec![to_value(&order(1)).unwrap()]);
    call(&mut one, "keep!", vec![Value::Int(5)]);
    assert_eq!(shown(one.run("[@calls kept]", &mut no_tools)), "[1 5]");
    assert_eq!(shown(other.run("@calls", &mut no_tools)), "0");
    assert_eq!(reason(&other.run("kept", &mut no_tools)), Some(Reason::UndefinedSymbol));
    assert!(program.function("kept").is_err());
}

#[test]
fn what_a_call_does_is_undone_when_it_fails() {
    let mut session = rules().session();
    session.run("(def kept 1) (reset! calls 7)", &mut no_tools);
    session.run("(defn both! [x] (swap! calls inc) (keep! x))", &mut no_tools);
    let failed = call(&mut session, "both!", vec![Value::Int(-3)]);
    assert_eq!(reason(&failed), Some(Reason::ArithmeticError));
    assert_eq!(shown(session.run("[kept @calls]", &mut no_tools)), "[1 7]");
    assert_eq!(shown(call(&mut session, "both!", vec![Value::Int(3)])), "3");
    assert_eq!(shown(session.run("[kept @calls]", &mut no_tools)), "[3 8]");
    // What defined it is where a comparator or a branch defined it.
    session
        .run("(defn sorted! [xs] (sorted-set-by (fn [a b] (def kept a) (compare a b)) 2 1) (/ 1 xs))", &mut no_tools);
    assert_eq!(reason(&call(&mut session, "sorted!", vec![Value::Int(0)])), Some(Reason::ArithmeticError));
    assert_eq!(shown(session.run("kept", &mut no_tools)), "3");
    session.run("(defn branches! [x] (doall (pmap (fn [y] (def kept y)) [8 9])) (def other 1) (/ 1 x))", &mut no_tools);
    assert_eq!(reason(&call(&mut session, "branches!", vec![Value::Int(0)])), Some(Reason::ArithmeticError));
    assert_eq!(shown(session.run("kept", &mut no_tools)), "3");
    assert_eq!(reason(&session.run("other", &mut no_tools)), Some(Reason::UndefinedSymbol));
}

#[test]
fn calls_have_limits_of_their_own_and_are_no_turns() {
    let mut session = Session::new(SessionOptions::default());
    session.run("(defn endless [] (loop [] (recur))) (defn deep [n] (inc (deep n))) :turn", &mut no_tools);
    let endless = session.function("endless").unwrap();
    let limits = Limits { fuel: 1_000, ..Limits::default() };
    let outcome = session.call(&endless, (), &limits, &mut no_tools);
    assert_eq!((reason(&outcome), outcome.usage.fuel), (Some(Reason::FuelExceeded), 1_000));
    let deep = session.function("deep").unwrap();
    let outcome = session.call(&deep, (1,), &Limits { depth: 50, ..Limits::default() }, &mut no_tools);
    assert_eq!(reason(&outcome), Some(Reason::RecursionLimitExceeded));
    // The limits of the session hold for the next program, and `*1` is the value of the last one.
    assert_eq!(shown(session.run("[*1 (reduce + (range 2000))]", &mut no_tools)), "[:turn 1999000]");
}

#[test]
fn tools_are_answered_at_once_or_later() {
    let program = rules();
    let (mut session, rated) = (program.session(), program.function("rated").unwrap());
    let mut rate = |call: &ToolCall| -> ToolResult {
        assert_eq!(&*call.name, "rate");
        Ok(Value::Int(2))
    };
    let outcome = session.call(&rated, (order(1),), &Limits::default(), &mut rate);
    assert_eq!(outcome.tool_calls.len(), 1);
    assert_eq!(outcome.into_typed::<i64>().unwrap(), 108);
    session.start_call(&rated, (order(1),), &Limits::default());
    let Progress::Calls(calls) = session.advance(Some(1_000)) else { panic!("it calls") };
    assert_eq!(calls.len(), 1);
    session.answer(vec![Ok(Value::Int(3))]);
    let Progress::Done(outcome) = session.advance(None) else { panic!("it ends") };
    assert_eq!(shown(outcome), "162");
}

#[test]
fn everything_that_can_be_called_can_be_called() {
    let mut session = Session::new(SessionOptions::default());
    let program = "(def by-name :name) (def table {1 :one}) (def both (juxt inc dec)) (def total +) (def v #'total)
        (defn many [& xs] (count xs)) (defn lazy [n] (map inc (range n))) (defn told [] (println :hi) (return :early))
        (def n 5)";
    assert!(session.run(program, &mut no_tools).value().is_some());
    let named = Value::map_from([(Value::keyword("name"), Value::string("tea"))]);
    assert_eq!(shown(call(&mut session, "by-name", vec![named])), "\"tea\"");
    assert_eq!(shown(call(&mut session, "table", vec![Value::Int(1)])), ":one");
    assert_eq!(shown(call(&mut session, "both", vec![Value::Int(1)])), "[2 0]");
    assert_eq!(shown(call(&mut session, "total", vec![Value::Int(1); 9])), "9");
    assert_eq!(shown(call(&mut session, "v", vec![Value::Int(1); 2])), "2");
    assert_eq!(shown(call(&mut session, "many", vec![Value::Nil; 100])), "100");
    assert_eq!(shown(call(&mut session, "lazy", vec![Value::Int(3)])), "[1 2 3]");
    let told = call(&mut session, "told", vec![]);
    assert_eq!(told.prints, [":hi"]);
    assert!(matches!(told.ending, Ending::Return(_)));
    let told = |name: &str| session.function(name).unwrap_err().to_string();
    assert_eq!(told("n"), "n is a number, not a function");
    assert_eq!(told("mani"), "undefined symbol 'mani'. Did you mean 'many'?");
}

#[test]
fn calls_that_cannot_start_say_why() {
    let mut session = rules().session();
    let score = session.function("score").unwrap();
    let limits = Limits::default();
    let wrong = session.call(&score, (1, 2), &limits, &mut no_tools);
    assert_eq!(shown(wrong), "score: expected 1 argument, got 2");
    let keys = std::collections::HashMap::from([(vec![1], 2)]);
    let wrong = session.call(&score, (keys,), &limits, &mut no_tools);
    assert_eq!(shown(wrong), "argument 1 of score cannot become a value: key must be a string");
    // A function of another session, and one that this session does not have.
    let mut other = Session::new(SessionOptions::default());
    let foreign = other.run("(fn [x] x)", &mut no_tools).into_result().unwrap();
    assert_eq!(reason(&session.call(&score, vec![foreign], &limits, &mut no_tools)), Some(Reason::ForeignValue));
    assert_eq!(shown(other.call(&score, (1,), &limits, &mut no_tools)), "undefined symbol 'score'");
    // A session where the name has another number, and one where it is not a function any more.
    other.run("(def a 1) (def b 2) (def c 3) (defn score [x] [:other x])", &mut no_tools);
    assert_eq!(shown(other.call(&score, (1,), &limits, &mut no_tools)), "[:other 1]");
    other.run("(def score 3)", &mut no_tools);
    assert_eq!(shown(other.call(&score, (1,), &limits, &mut no_tools)), "score is a number, not a function");
}

#[test]
fn a_program_that_does_not_compile_says_why() {
    let compile = |text: &str| {
        let tools = vec![ToolSpec::new("rate")];
        Program::compile(text, SessionOptions { tools, ..SessionOptions::default() }).unwrap_err().to_string()
    };
    assert_eq!(
        compile("(defn f [] (filtr odd? [1]))"),
        "undefined symbol 'filtr'. Did you mean 'filter'? at line 1, column 13"
    );
    assert_eq!(
        compile("(def x (tool/rate {}))"),
        "tool 'rate' failed: tool/rate cannot be called while a program is compiled: call it in a function at line 1, column 8"
    );
    assert_eq!(compile("(fail :no)"), "the program failed with :no");
    assert!(Program::compile("1", SessionOptions::default()).unwrap().function("score").is_err());
}

#[test]
fn the_type_of_an_answer_is_checked() {
    let mut session = Session::new(SessionOptions::default());
    session.run("(defn half [n] (/ n 2))", &mut no_tools);
    let half = session.function("half").unwrap();
    let mut halved = |n: i32| session.call(&half, (n,), &Limits::default(), &mut no_tools).into_typed::<u8>();
    assert_eq!(halved(4).unwrap(), 2);
    let error = halved(3).unwrap_err();
    assert!(matches!(error, ProgramError::OtherType(_)));
    assert!(error.to_string().starts_with("the value is not of the expected type: "), "{error}");
}

/// What stays in a session: its codes, the bytes of its definitions, and its cells.
fn left(session: &Session) -> (usize, u64, usize) {
    (session.machine.codes.len(), session.memory_bytes(), session.machine.cx.cells.count())
}

proptest! {
    #[test]
    fn calls_leave_nothing(
        steps in prop::collection::vec((0..6_usize, -3..3_i64, any::<bool>()), 20..60),
        memory in prop::sample::select(vec![40_000_u64, 1 << 20]),
    ) {
        let mut session = rules().session();
        session.run(
            "(defn made [n] (map (fn [x] (* x n)) (range 20))) (defn cells [n] (let [a (atom n)] (swap! a inc) @a))
             (defn shown [n] (str \"a text that is not shared \" n))",
            &mut no_tools,
        );
        session.run("(def kept 0)", &mut no_tools);
        let limits = Limits { memory, ..Limits::default() };
        let before = left(&session);
        for round in 0..4 {
            for (kind, n, as_program) in &steps {
                let name = ["made", "cells", "shown", "keep!", "score", "rated"][*kind];
                if *as_program {
                    session.set_limits(limits.clone());
                    session.run(&format!("({name} {n})"), &mut no_tools);
                } else {
                    let function = session.function(name).unwrap();
                    session.call(&function, (n,), &limits, &mut no_tools);
                }
            }
            prop_assert_eq!(left(&session), before, "round {}", round);
            // What is thought to be left never ends a call that has enough memory.
            let made = session.function("made").unwrap();
            prop_assert!(session.call(&made, (2,), &limits, &mut no_tools).value().is_some());
        }
    }
}

#[test]
fn functions_that_are_defined_again_leave_nothing() {
    let mut session = Session::new(SessionOptions::default());
    session.run("(defn id [x] x) (defn rule! [n] (def rule (fn [x] (+ x n)))) (rule! 0)", &mut no_tools);
    let after = |session: &mut Session, rounds: i64| {
        for n in 0..rounds {
            session.run(&format!("(defn score [x] [x {n}]) (rule! {n}) (id (first (score (rule 1))))"), &mut no_tools);
        }
        session.machine.globals.own_bytes()
    };
    let few = after(&mut session, 200);
    let many = after(&mut session, 2_000);
    assert!(many <= 2 * few, "{few} bytes, then {many}");
    // What they returned last is still known.
    let label =
        |name: &str| session.machine.globals.named(&name.into()).and_then(|g| session.machine.globals.return_label(g));
    assert_eq!(
        ["id", "score", "rule"].map(label),
        ["integer", "list[2]", "integer"].map(|label| Some(label.to_owned()))
    );
}

#[test]
fn arguments_of_ever_new_kinds_are_not_remembered_for_good() {
    let mut session = Session::new(SessionOptions::default());
    session.run("(defn same [x] x)", &mut no_tools);
    let same = session.function("same").unwrap();
    for number in 0..2_000 {
        let arg = std::collections::HashMap::from([(format!("key-{number}"), format!("text-{number}"))]);
        let outcome = session.call(&same, (&arg,), &Limits::default(), &mut no_tools);
        assert_eq!(outcome.into_typed::<std::collections::HashMap<String, String>>().unwrap(), arg);
        let (keys, texts) = session.arguments.as_ref().unwrap().remembers();
        assert!(keys <= 257 && texts <= 512, "{keys} keys, {texts} texts");
    }
}
