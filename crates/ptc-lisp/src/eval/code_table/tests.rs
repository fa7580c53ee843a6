//! Code goes when no function refers to it, and no sooner.

use proptest::prelude::*;

use crate::{Definitions, Session, SessionOptions, Value, no_tools};

fn session() -> Session {
    Session::new(SessionOptions::default())
}

fn run(session: &mut Session, program: &str) -> Value {
    session.run(program, &mut no_tools).into_result().unwrap_or_else(|error| panic!("{program}: {error}"))
}

/// How many codes the session holds, and how many numbers it has given out.
fn codes(session: &Session) -> (usize, u32) {
    let codes = &session.machine.codes;
    (codes.of_programs().count(), codes.numbers().after(codes.free.len()))
}

#[test]
fn programs_that_define_nothing_leave_nothing() {
    let mut session = session();
    run(&mut session, "(defn score [x] (+ x 1))");
    let before = (codes(&session), session.memory_bytes());
    assert_eq!(before.0.0, 1);
    let programs = [
        "1",
        "(score 1)",
        "(map (fn [x] (score x)) [1 2])",
        "(let [n 2] (map (fn [x] (map #(* n x %) [1])) [1]))",
        "(letfn [(even [n] (if (zero? n) true (odd (dec n)))) (odd [n] (if (zero? n) false (even (dec n))))] (even 4))",
    ];
    for _ in 0..200 {
        programs.iter().for_each(|program| drop(run(&mut session, program)));
        // Errors and refused programs, too.
        session.run("(map (fn [x] (/ x 0)) [1])", &mut no_tools);
        session.run("(", &mut no_tools);
    }
    assert_eq!((codes(&session).0, session.memory_bytes()), (before.0.0, before.1));
    // The most that a program had at once.
    assert!(codes(&session).1 <= 5, "{:?}", codes(&session));
}

#[test]
fn functions_that_were_defined_again_or_dropped_go_in_time() {
    let mut session = session();
    for round in 0..2_000 {
        run(&mut session, &format!("(defn f [x] (map (fn [y] (+ x y {round})) [1]))"));
        run(&mut session, &format!("(fn [x] (+ x {round}))"));
    }
    let (count, given) = codes(&session);
    assert!(count <= 200 && given <= 200, "{count} codes, {given} numbers");
    assert_eq!(run(&mut session, "(f 1)").to_string(), "[2001]");
}

#[test]
fn code_goes_when_programs_are_abandoned_or_interrupted() {
    let mut session =
        Session::new(SessionOptions { tools: vec![crate::ToolSpec::new("wait")], ..SessionOptions::default() });
    for _ in 0..200 {
        session.start("(map (fn [x] (tool/wait {:x x})) [1])");
        session.advance(None);
        session.start("(tool/wait {:x ((fn [x] x) 1)})");
        session.advance(None);
        session.interrupt([]);
    }
    assert_eq!(codes(&session).0, 0);
}

#[test]
fn a_function_that_the_host_holds_keeps_its_code() {
    let mut session = session();
    let held = run(&mut session, "(fn [x] (map (fn [y] (* x y)) [1 2 3]))");
    (0..500).for_each(|round| drop(run(&mut session, &format!("(map (fn [x] (+ x {round})) [1])"))));
    session.define("held", held, None).unwrap();
    assert_eq!(run(&mut session, "(held 2)").to_string(), "[2 4 6]");
}

/// Ways to keep a function that returns `[n x]` under the name `name`, and how to call it.
const KEEPS: [(&str, &str); 8] = [
    ("(defn NAME [x] [N x])", "(NAME 7)"),
    ("(def NAME {:f (fn [x] [N x])})", "((:f NAME) 7)"),
    ("(def NAME (let [n N] (fn [x] (first (map (fn [y] [n y]) [x])))))", "(NAME 7)"),
    ("(def NAME (atom (fn [x] [N x])))", "(@NAME 7)"),
    ("(def NAME (map (fn [x] [N x]) (iterate (fn [x] x) 7)))", "(first (drop 40 NAME))"),
    ("(def NAME (comp (fn [x] [N x]) (fn [x] x)))", "(NAME 7)"),
    ("(def NAME (letfn [(one [x] (two x)) (two [x] [N x])] one))", "(NAME 7)"),
    ("(def NAME (delay ((fn [x] [N x]) 7)))", "@NAME"),
];

proptest! {
    #[test]
    fn what_is_defined_answers_as_before(
        steps in prop::collection::vec((0..KEEPS.len(), 0..6_usize, 0..10_u8), 1..60),
    ) {
        let mut session = session();
        let mut known: [Option<(usize, usize)>; 6] = [None; 6];
        for (number, (kind, name, what)) in steps.into_iter().enumerate() {
            let text = KEEPS[kind].0.replace("NAME", &format!("name-{name}")).replace('N', &number.to_string());
            match what {
                // Another session takes the definitions up.
                0 => {
                    let definitions: Definitions = session.definitions();
                    session = Session::new(SessionOptions { definitions, ..SessionOptions::default() });
                }
                // What a program defined before it failed is gone.
                1 => drop(session.run(&format!("{text} (/ 1 0)"), &mut no_tools)),
                _ => {
                    run(&mut session, &text);
                    known[name] = Some((kind, number));
                }
            }
            for (name, kept) in known.iter().enumerate() {
                let Some((kind, number)) = kept else { continue };
                let call = KEEPS[*kind].1.replace("NAME", &format!("name-{name}"));
                prop_assert_eq!(run(&mut session, &call).to_string(), format!("[{number} 7]"), "{}", call);
            }
        }
        prop_assert!(codes(&session).0 <= 200, "{:?}", codes(&session));
    }
}
