//! What a host needs of a session that it keeps for long: programs leave nothing behind, and a tool that panics ends no
//! session.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "what is broken fails the test")]

use std::panic::{AssertUnwindSafe, catch_unwind};

use ptc_lisp::{Session, SessionOptions, StoredMemory, ToolSpec, Value, no_tools};

use super::counting::most_held;
use super::text;

fn rules() -> Session {
    let mut session = Session::new(SessionOptions::default());
    session.run("(defn score [x] (+ x 1))", &mut no_tools);
    session
}

fn begun_with(session: &Session) -> Session {
    Session::new(SessionOptions { definitions: session.definitions(), ..SessionOptions::default() })
}

/// Bytes by which rounds may differ, since code that nothing refers to is freed in groups. If each of 1,700 rounds left 30
/// bytes, the difference would be larger.
const SLACK: u64 = 48 << 10;

/// A round of a host with the session that it keeps.
type Round = fn(&mut Session, i64);

const ROUNDS: [(&str, Round); 8] = [
    ("a program", |session, _| drop(session.run("1", &mut no_tools))),
    ("a program of another text each time", |session, n| drop(session.run(&format!("(score {n})"), &mut no_tools))),
    ("a definition of the host", |session, n| session.define("x", Value::Int(n), None).unwrap()),
    ("a definition of the host and a call", |session, n| {
        session.define("x", Value::Int(n), None).unwrap();
        session.run("(score x)", &mut no_tools);
    }),
    ("a function without a name", |session, _| drop(session.run("(score ((fn [y] (* y 2)) 3))", &mut no_tools))),
    ("a way back", |session, _| {
        let checkpoint = session.checkpoint();
        session.run("(def y (fn [] 1))", &mut no_tools);
        session.restore(checkpoint).unwrap();
    }),
    ("a session for each call", |session, n| {
        let mut one = begun_with(session);
        one.define("x", Value::Int(n), None).unwrap();
        one.run("(score x)", &mut no_tools);
    }),
    ("a session that begins where the last one is", |session, n| {
        session.run("(score 1)", &mut no_tools);
        if n % 10 == 0 {
            *session = begun_with(session);
        }
    }),
];

#[test]
fn rounds_of_a_host_leave_nothing() {
    for (name, round) in ROUNDS {
        let mut session = rules();
        let mut rounds = |from: i64, count: i64| (from..from + count).for_each(|n| round(&mut session, n));
        // Tables reach their size.
        rounds(1_000_000, 300);
        let (_, few) = most_held(|| rounds(2_000_000, 300));
        let (_, many) = most_held(|| rounds(3_000_000, 2_000));
        assert!(many < few + SLACK, "{name}: {few} bytes in 300 rounds, {many} in 2,000");
        let outcome = session.run("(score 41)", &mut no_tools);
        assert_eq!(outcome.value().map(text).as_deref(), Some("42"), "{name}");
    }
}

#[test]
fn rounds_through_a_memory_file_leave_nothing() {
    let mut session = rules();
    let mut rounds = |count: i64| {
        for n in 0..count {
            session.run(&format!("(def total (score {n}))"), &mut no_tools);
            let written = serde_json::to_string(&session.store_memory().0).unwrap();
            session = Session::new(SessionOptions::default());
            assert_eq!(session.restore_memory(&StoredMemory::parse(&written).unwrap()), []);
        }
    };
    rounds(100);
    let (_, few) = most_held(|| rounds(100));
    let (_, many) = most_held(|| rounds(400));
    assert!(many < few + SLACK, "{few} bytes in 100 rounds, {many} in 400");
}

#[test]
fn a_tool_that_panics_takes_its_program_along_and_nothing_else() {
    let tools = vec![ToolSpec::new("boom")];
    let mut session = Session::new(SessionOptions { tools, ..SessionOptions::default() });
    session.run("(def kept (atom 1)) (defn score [x] (+ x @kept))", &mut no_tools);
    let program = "(def lost 1) (swap! kept inc) (pmap (fn [n] (tool/boom {:n n})) [1 2])";
    let panicked = catch_unwind(AssertUnwindSafe(|| session.run(program, &mut |_| panic!("the tool is broken"))));
    assert!(panicked.is_err());
    let outcome = session.run("(score 1)", &mut no_tools);
    assert_eq!(outcome.value().map(text).as_deref(), Some("2"), "{:?}", outcome.problems());
    let outcome = session.run("lost", &mut no_tools);
    assert!(outcome.problems()[0].message.starts_with("undefined symbol 'lost'"), "{:?}", outcome.problems());
    let outcome = session.run("(tool/boom {:n 3})", &mut |_| Ok(Value::Int(3)));
    assert_eq!(outcome.value().map(text).as_deref(), Some("3"));
}
