//! Going back: checkpoints, failed programs and programs that are given up leave nothing that means something else
//! afterwards.

use std::time::Duration;

use ptc_lisp::{Limits, Progress, Reason, Session, SessionOptions, ToolSpec, no_tools, problems_text};

/// A session with code and cells under the numbers that those of other sessions have, too.
pub(crate) fn busy(options: SessionOptions) -> Session {
    let mut session = Session::new(options);
    let program =
        "(defn yes [& xs] :wrong) (def cell (atom :wrong)) (def lazy (iterate (fn [x] :wrong) :wrong)) (take 2 lazy)";
    assert!(session.run(program, &mut no_tools).value().is_some());
    session
}

/// The text of what a program returns, or its problems.
pub(crate) fn answer(session: &mut Session, program: &str) -> String {
    let outcome = session.run(program, &mut no_tools);
    outcome.value().map_or_else(|| problems_text(outcome.problems()), ToString::to_string)
}

/// Little memory, so that live values are counted often.
fn session() -> Session {
    let limits = Limits { memory: 2 << 20, time: Duration::from_secs(3_600), ..Limits::default() };
    busy(SessionOptions { tools: vec![ToolSpec::new("get")], limits, ..SessionOptions::default() })
}

/// A program that makes garbage until the live values are counted.
const GARBAGE: &str = "(dotimes [i 40] (count (mapv str (range 5000))))";

#[test]
fn a_checkpoint_of_another_session_is_refused() {
    let (mut first, mut second) = (session(), session());
    answer(&mut first, "(defn f [x] :first)");
    answer(&mut second, "(defn g [x] :second)");
    let error = second.restore(first.checkpoint()).unwrap_err();
    assert_eq!(error.reason, Reason::ForeignValue);
    assert!(error.message.starts_with("this is a checkpoint of another session: "), "{error}");
    assert_eq!(answer(&mut second, "(g 4)"), ":second");
    assert!(answer(&mut second, "(f 4)").starts_with("undefined symbol 'f'"));
}

#[test]
fn a_checkpoint_keeps_its_atoms() {
    let mut session = session();
    answer(&mut session, "(def n (atom 1)) (def from (iterate inc 5)) (def late (delay 7))");
    let checkpoint = session.checkpoint();
    answer(&mut session, "(swap! n inc)");
    answer(&mut session, "(def n 0) (def from 0) (def late 0)");
    for at in 0..5 {
        answer(
            &mut session,
            &format!(
                "(def other{at} (atom :wrong)) (def list{at} (iterate (constantly :wrong) :wrong)) (first list{at})"
            ),
        );
    }
    session.restore(checkpoint).unwrap();
    assert_eq!(answer(&mut session, "[@n (take 3 from) @late]"), "[2 [5 6 7] 7]");
}

#[test]
fn after_a_checkpoint_names_have_their_own_places() {
    let mut session = session();
    let checkpoint = session.checkpoint();
    let f = session.run("(def x :x) (defn f [] x) f", &mut no_tools).into_result().unwrap();
    session.restore(checkpoint).unwrap();
    answer(&mut session, "(def y :wrong) (defn z [] :wrong)");
    assert!(answer(&mut session, "(*2)").starts_with("undefined symbol 'x': its def has not run yet"));
    session.define("f", f, None).unwrap();
    assert!(answer(&mut session, "(f)").starts_with("undefined symbol 'x': its def has not run yet"));
    assert_eq!(answer(&mut session, "(def x :again) (f)"), ":again");
}

#[test]
fn what_a_failed_program_left_in_a_delay_means_nothing_else_later() {
    let mut session = session();
    answer(&mut session, "(def a (atom nil)) (def d (delay @a))");
    let told = answer(&mut session, "(def x :x) (reset! a (fn [] x)) @d (throw (ex-info \"no\" {}))");
    assert!(told.starts_with("no"), "{told}");
    answer(&mut session, "(def y :wrong)");
    assert!(answer(&mut session, "(@d)").starts_with("undefined symbol 'x': its def has not run yet"));
}

#[test]
fn a_failed_program_gives_atoms_back() {
    let mut session = session();
    answer(&mut session, "(def a (atom 1)) (def from (iterate inc 5)) (def late (delay 7))");
    let program = format!(
        "(def a nil) (def from nil) (def late nil) {GARBAGE} (def b (atom :wrong)) (def c (iterate (constantly :wrong) 0)) (first c) {GARBAGE} (throw (ex-info \"no\" {{}}))"
    );
    assert!(answer(&mut session, &program).starts_with("no"));
    answer(&mut session, "(def c (atom :wrong)) (def d (atom :wrong)) (def e (atom :wrong))");
    assert_eq!(answer(&mut session, "[@a (take 2 from) @late]"), "[1 [5 6] 7]");
}

/// Atoms that only a failure would bring back hold no memory that nothing counts.
#[test]
fn what_a_program_puts_into_lost_atoms_is_counted() {
    for (made, filled) in [
        ("(atom 0)", "(reset! old (vec (range 9000)))"),
        ("(atom 0)", "(reset! old (atom (vec (range 9000))))"),
        ("(iterate inc 0)", "(nth old 9000)"),
        ("(let [n (atom 0)] (delay @n))", "(do @old 0)"),
        ("(delay (vec (range 9000)))", "(count @old)"),
    ] {
        let mut session = session();
        for at in 0..40 {
            answer(&mut session, &format!("(def old{at} {made})"));
        }
        let fill = |at| format!("(let [old old{at}] (def old{at} nil) {filled})");
        let program: Vec<String> = (0..40).map(fill).collect();
        let told = answer(&mut session, &format!("{} {GARBAGE} :all", program.join(" ")));
        let fits = filled == "(do @old 0)";
        assert_eq!(told == ":all", fits, "{made} {filled}: {told}");
        assert!(fits || told.starts_with("memory limit"), "{told}");
    }
}

/// However a program is given up, its definitions and what it wrote into atoms are undone.
#[test]
fn a_program_that_is_given_up_leaves_nothing() {
    let give_up: [fn(&mut Session); 6] = [
        |session| drop(session.interrupt([])),
        |session| session.start("(+ 1 1)"),
        |session| drop(session.run("(+ 1 1)", &mut no_tools)),
        |session| drop(session.run("(+ 1 nil)", &mut no_tools)),
        |session| drop(session.store_memory()),
        |session| {
            let checkpoint = session.checkpoint();
            session.interrupt([]);
            session.restore(checkpoint).unwrap();
            session.run("(def x 0)", &mut no_tools);
        },
    ];
    for (number, give_up) in give_up.into_iter().enumerate() {
        let mut session = session();
        answer(&mut session, "(def x 0) (def n (atom 0)) (def seen (volatile! []))");
        session.start("(def x 1) (def fresh 2) (swap! n inc) (vswap! seen conj 1) (tool/get {}) (def x 3)");
        assert!(matches!(session.advance(None), Progress::Calls(_)));
        give_up(&mut session);
        while !matches!(session.advance(None), Progress::Done(_)) {}
        assert_eq!(answer(&mut session, "[x @n @seen]"), "[0 0 []]", "way {number}");
        let names: Vec<String> = session.memory().entries().iter().map(|entry| entry.name.clone()).collect();
        assert!(!names.contains(&"fresh".to_owned()) || number == 5, "way {number}: {names:?}");
    }
}
