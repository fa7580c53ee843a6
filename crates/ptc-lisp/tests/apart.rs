//! Sessions of one process know nothing of each other: whatever the others do between two slices, on this thread or on
//! another one, a session says what it says alone, to the unit of fuel and the byte of memory.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test is a host, and fails where it is"
)]

#[path = "apart/border.rs"]
mod border;
#[path = "apart/crossing.rs"]
mod crossing;
#[path = "apart/earlier.rs"]
mod earlier;

use proptest::prelude::*;
use ptc_lisp::text::{FormatOptions, format};
use ptc_lisp::{
    Outcome, Progress, Session, SessionOptions, ToolCall, ToolError, ToolResult, ToolSpec, Value, problems_text,
};

/// Programs of one style each. `MINE` is a name of the session's own, `SALT` a number that differs between programs;
/// what no session may see of another begins with `canary`.
const PROGRAMS: [&str; 22] = [
    "(def MINE (atom 0)) (swap! MINE inc) @MINE",
    "(defn f [x] (str \"canary-MINE-\" x)) (f 1)",
    "(def shared \"canary-MINE\") (println shared data/own)",
    "shared",
    "(f 2)",
    "MIEN",
    "(canary-mine-typo)",
    "(tool/own-MINE {:n 1})",
    "(tool/own-MNIE {:n 1})",
    "(tool/same {:n SALT})",
    "[(gensym) (gensym \"canary\") (random-uuid) (rand-int 1000) (shuffle (range 9))]",
    "(re-find (re-pattern \"(MINE|x)+SALT?[0-9]\") data/own)",
    "(re-seq #\"[a-z]+-MINE\" data/own)",
    "(keyword (str \"canary-MINE-\" SALT))",
    "(vec (map (fn [n] {:canary-MINE n}) (range SALT)))",
    "(into #{} (map (fn [n] (str \"canary-MINE-\" n)) (range 40)))",
    "(frequencies (map (fn [n] (mod (* n SALT) 7)) (range 200)))",
    "(def cache (memoize (fn [n] (* n SALT)))) (map cache [1 2 1])",
    "(/ 1 (- SALT SALT))",
    "(pmap (fn [n] (tool/same {:n n})) (range 5))",
    "(def lazy (map inc (iterate inc SALT))) (take 3 lazy)",
    "(json/generate-string (json/parse-string (str \"{\\\"canary-MINE\\\": \" SALT \"}\")))",
];

/// Which program a session runs next, with which salt, and how large its slices are.
#[derive(Clone, Debug)]
struct Plan {
    programs: Vec<(usize, u8)>,
    slice: u64,
}

fn plans() -> impl Strategy<Value = Vec<Plan>> {
    let plan = (prop::collection::vec((0..PROGRAMS.len(), 1..9_u8), 3..10), 1..400_u64)
        .prop_map(|(programs, slice)| Plan { programs, slice });
    prop::collection::vec(plan, 2..5)
}

fn name(session: usize) -> String {
    ["alma", "bero", "cora", "dino"].get(session).unwrap().to_string()
}

fn source(session: usize, (program, salt): (usize, u8)) -> String {
    let mine = name(session);
    let typo: String = mine.chars().rev().collect();
    PROGRAMS[program]
        .replace("MINE", &mine)
        .replace("MIEN", &typo)
        .replace("MNIE", &typo)
        .replace("SALT", &salt.to_string())
}

fn session(at: usize) -> Session {
    let own = Value::string(format!("canary-{} x{}7", name(at), name(at)));
    let data = Value::map_from([(Value::keyword("own"), own), (Value::keyword(&name(at)), Value::Int(at as i64))]);
    let tools = vec![ToolSpec::new(format!("own-{}", name(at))), ToolSpec::new("same")];
    Session::new(SessionOptions { data: data.as_map().unwrap().clone(), tools, ..SessionOptions::default() })
}

fn answer(at: usize, call: &ToolCall) -> ToolResult {
    match &*call.name {
        "same" => Ok(Value::vector(vec![call.args.clone(), Value::string(format!("canary-{}", name(at)))])),
        other => Err(ToolError::new(format!("canary-{} {other}", name(at)))),
    }
}

fn text(value: &Value) -> String {
    format(value, &FormatOptions::full()).text
}

/// Everything that a host sees of an outcome but the time.
fn seen(session: &Session, outcome: &Outcome) -> String {
    let value = outcome.value().map(text);
    let calls: Vec<String> =
        outcome.tool_calls.iter().map(|call| format!("{} {} {:?}", call.name, text(&call.args), call.error)).collect();
    let warnings: Vec<&String> = outcome.warnings.iter().map(|warning| &warning.message).collect();
    format!(
        "{value:?} {:?} {calls:?} {warnings:?} {} fuel {} memory {} defined {:?}",
        outcome.prints,
        problems_text(outcome.problems()),
        outcome.usage.fuel,
        outcome.usage.memory,
        session.memory().entries().iter().map(|entry| (entry.name.clone(), text(&entry.value))).collect::<Vec<_>>(),
    )
}

/// A session on its way through its programs.
struct Walk {
    at: usize,
    session: Session,
    plan: Plan,
    next: usize,
    is_running: bool,
    seen: Vec<String>,
}

impl Walk {
    fn new(at: usize, plan: &Plan) -> Walk {
        Walk { at, session: session(at), plan: plan.clone(), next: 0, is_running: false, seen: Vec::new() }
    }

    /// One slice more; false when all programs have ended.
    fn step(&mut self) -> bool {
        let Some(program) = self.plan.programs.get(self.next) else { return false };
        if !std::mem::replace(&mut self.is_running, true) {
            self.session.start(&source(self.at, *program));
        }
        match self.session.advance(Some(self.plan.slice)) {
            Progress::Slice => {}
            Progress::Calls(calls) => {
                let answers = calls.iter().map(|call| answer(self.at, call)).collect();
                self.session.answer(answers);
            }
            Progress::Done(outcome) => {
                self.seen.push(seen(&self.session, &outcome));
                self.next += 1;
                self.is_running = false;
            }
        }
        true
    }

    fn all_said(mut self) -> Vec<String> {
        while self.step() {}
        self.seen
    }
}

fn alone(plans: &[Plan]) -> Vec<Vec<String>> {
    plans.iter().enumerate().map(|(at, plan)| Walk::new(at, plan).all_said()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn sessions_in_turns_say_what_they_say_alone(plans in plans(), order in prop::collection::vec(0..4_usize, 1..60)) {
        let alone = alone(&plans);
        let mut walks: Vec<Walk> = plans.iter().enumerate().map(|(at, plan)| Walk::new(at, plan)).collect();
        // The order repeats; sessions that are not in it come at the end.
        for at in order.iter().cycle().take(2_000) {
            if let Some(walk) = walks.get_mut(*at) {
                walk.step();
            }
        }
        let together: Vec<Vec<String>> = walks.into_iter().map(Walk::all_said).collect();
        for (at, said) in together.iter().enumerate() {
            for (other, _) in plans.iter().enumerate().filter(|(other, _)| *other != at) {
                prop_assert!(!said.iter().any(|text| text.contains(&name(other))), "{} says {}: {:?}", name(at), name(other), said);
            }
        }
        prop_assert_eq!(together, alone);
    }

    #[test]
    fn sessions_on_several_threads_say_what_they_say_alone(plans in plans()) {
        let alone = alone(&plans);
        let walks: Vec<Walk> = plans.iter().enumerate().map(|(at, plan)| Walk::new(at, plan)).collect();
        let together: Vec<Vec<String>> = std::thread::scope(|scope| {
            let threads: Vec<_> = walks.into_iter().map(|walk| scope.spawn(|| walk.all_said())).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        prop_assert_eq!(together, alone);
    }
}
