//! What happens between programs and after them has limits, too.

use std::time::Duration;

use ptc_lisp::{Limits, Reason, Session, ToolError, Value};

use super::{session, warm_up};
use crate::counting::most_held;

/// Work ends every program here.
fn limits() -> Limits {
    Limits { fuel: 20_000, memory: 1 << 20, time: Duration::from_secs(3_600), ..Limits::default() }
}

fn run(session: &mut Session, program: &str) -> Option<Reason> {
    let outcome = session.run(program, &mut |_| Err(ToolError::new("no tools")));
    outcome.problems().first().map(|problem| problem.reason)
}

/// Counts how often the clock is read: once for each element of the sequences in [`ENDLESS`].
struct Counting(std::sync::atomic::AtomicU64);

impl ptc_lisp::Clock for Counting {
    fn now_micros(&self) -> i64 {
        self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed).cast_signed()
    }
}

/// Sequences are realised to be stored. All of them together get what one program gets, and one that has no end leaves
/// some for the others.
#[test]
fn storing_definitions_costs_no_more_than_a_program() {
    let clock = std::sync::Arc::new(Counting(std::sync::atomic::AtomicU64::new(0)));
    let read = || clock.0.load(std::sync::atomic::Ordering::Relaxed);
    let options = ptc_lisp::SessionOptions { limits: limits(), clock: clock.clone(), ..Default::default() };
    let mut session = Session::new(options);
    for at in 0..50 {
        let program = format!("(def endless-{at} (iterate (fn [n] (time (inc n))) 0)) nil");
        assert_eq!(run(&mut session, &program), None);
    }
    assert_eq!(
        run(&mut session, "(def some (take 20 (iterate inc 0))) (def lazy (map inc (lazy-seq [1 2 3]))) nil"),
        None
    );
    let before = read();
    let (stored, left_out) = session.store_memory();
    assert!(read() - before <= limits().fuel, "{} steps", read() - before);
    let names = serde_json::to_value(&stored).unwrap();
    assert!(names.get("some").is_some() && names.get("lazy").is_some(), "{left_out:?}");
    assert_eq!(left_out.len(), 50);

    // As written down later, from what the session left.
    let definitions = session.definitions();
    let before = read();
    let (_, left_out) = definitions.store();
    assert!(read() - before <= limits().fuel, "{} steps", read() - before);
    assert_eq!(left_out.len(), 50);
}

/// What programs keep counts for the programs after them, until nothing more fits.
#[test]
fn definitions_of_many_programs_share_one_limit() {
    for keep in [
        "(def nameN (vec (range 2000)))",
        "(def nameN (str/join (range 3000)))",
        "(def kept (conj (try kept (catch Throwable e [])) (vec (range 1000))))",
        "(def nameN (atom (vec (range 2000))))",
        "(def nameN (let [xs (vec (range 2000))] (fn [] xs)))",
        "(def nameN (map identity (iterate inc 0))) (nth nameN 2000) nil",
        "(task \"tN\" (vec (range 2000)))",
        "(task (apply str (repeat 2000 \"tN\")) 1)",
        "(tool/kept {:v (vec (range 2000))}) nil",
        "(step-done \"N\" (apply str (repeat 5000 \"x\")))",
    ] {
        warm_up();
        let (ended, most) = most_held(|| {
            let mut session = session(limits());
            let ended = (0..200).find_map(|number| {
                let program = keep.replace('N', &number.to_string());
                let outcome = session.run(&program, &mut |call| Ok(call.args.clone()));
                outcome.problems().first().map(|problem| problem.reason)
            });
            (ended, session.memory_bytes())
        });
        // Programs and their code are kept, too.
        assert!(most <= limits().memory * 11 / 10 + 200 * (4 << 10) + (96 << 10), "{keep}: {most} bytes, {ended:?}");
        assert!(!keep.contains("step-done") || ended.0.is_none(), "{keep}: {ended:?}");
    }
}

/// A pause for the host gives a program no new fuel, time or memory, however often it is asked or arguments are changed.
#[test]
fn pauses_give_a_program_nothing() {
    for program in [
        "(loop [n 0] (tool/a {:v n}) (recur (inc n)))",
        "(pmap (fn [n] (loop [] (tool/a {:v n}) (recur))) [1 2 3])",
        "(loop [n 0] (try (tool/fails {:v n}) (catch Throwable e nil)) (recur (inc n)))",
        "(loop [] (tool/kept {:v 1}) (recur))",
    ] {
        for amended in [false, true] {
            for slice in [None, Some(1), Some(100)] {
                let mut session = session(limits());
                session.start(program);
                let mut calls = 0;
                let outcome = loop {
                    match session.advance(slice) {
                        ptc_lisp::Progress::Slice => {}
                        ptc_lisp::Progress::Calls(waiting) => {
                            calls += waiting.len() as u64;
                            assert!(calls <= limits().fuel, "{program}");
                            for call in waiting.iter().filter(|_| amended) {
                                let args = Value::map_from([(Value::keyword("v"), Value::Int(1))]);
                                assert!(session.amend(call.seq, args).is_ok());
                            }
                            session.answer(waiting.iter().map(|call| super::answer(call, calls)).collect());
                        }
                        ptc_lisp::Progress::Done(outcome) => break outcome,
                    }
                };
                let reason = outcome.problems().first().map(|problem| problem.reason);
                assert!(matches!(reason, Some(Reason::FuelExceeded | Reason::MemoryExceeded)), "{program}: {reason:?}");
                assert!(outcome.usage.fuel <= limits().fuel, "{program}");
            }
        }
    }
}
