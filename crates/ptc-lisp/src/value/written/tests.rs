use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::limits::Limits;
use crate::outcome::Ending;
use crate::session::{Session, SessionOptions};
use crate::value::tests::any_value;
use crate::{Import, ToolCall, ToolFailure, ToolSpec, to_json};

const MEMORY: u64 = 4 << 20;

fn session(data: serde_json::Value) -> Session {
    let Value::Map(data) = Import::external().value(data) else { unreachable!("an object") };
    let limits = Limits { memory: MEMORY, ..Limits::default() };
    Session::new(SessionOptions { data, limits, tools: vec![ToolSpec::new("keep")], tasks: Some(Vec::new()), ..SessionOptions::default() })
}

fn run(session: &mut Session, source: &str) -> Ending {
    session.run(source, &mut |_: &ToolCall| Err::<Value, _>(ToolFailure::new("it was called"))).ending
}

/// `2^60` numbers, 61 vectors.
const DOUBLED: &str = "(loop [a [1] n 0] (if (< n 60) (recur [a a] (inc n)) a))";

#[test]
fn what_shares_its_parts_leaves_no_program() {
    let ways = [
        "DOUBLED",
        "(return DOUBLED)",
        "(fail DOUBLED)",
        "(def a DOUBLED)",
        "(def a {:kept DOUBLED}) 1",
        "(def a (atom DOUBLED)) 1",
        "(task \"kept\" DOUBLED) 1",
        "(return (ex-info \"no\" {:data DOUBLED}))",
    ];
    for way in ways {
        let mut session = session(serde_json::json!({}));
        let Ending::Error(problems) = run(&mut session, &way.replace("DOUBLED", DOUBLED)) else { panic!("{way} came to an end") };
        assert_eq!(problems[0].reason, Reason::MemoryExceeded, "{way}");
        let text = "what the program leaves behind would take more than 4194304 bytes, because it repeats the same parts";
        assert!(problems[0].message.contains(text), "{way}: {}", problems[0].message);
        assert!(session.memory().entries().is_empty() && session.tasks().next().is_none(), "{way}");
    }
}

/// The arguments of a tool are written for it at once, on the account of the program.
#[test]
fn what_shares_its_parts_reaches_no_tool() {
    for way in
        ["(tool/keep {:value DOUBLED})", "(try (tool/keep :value DOUBLED) (catch Exception _ 1))", "(map tool/keep [{:value DOUBLED}])"]
    {
        let ending = run(&mut session(serde_json::json!({})), &way.replace("DOUBLED", DOUBLED));
        assert!(matches!(ending, Ending::Error(problems) if problems[0].reason == Reason::MemoryExceeded), "{way}");
    }
}

#[test]
fn an_atom_that_grew_is_found() {
    let mut session = session(serde_json::json!({}));
    assert!(matches!(run(&mut session, "(def a (atom [1]))"), Ending::Value(_)));
    let grow = "(dotimes [_ 60] (swap! a (fn [v] [v v])))";
    assert!(matches!(run(&mut session, grow), Ending::Error(problems) if problems[0].reason == Reason::MemoryExceeded));
    assert!(matches!(run(&mut session, "(= @a [1])"), Ending::Value(Value::Bool(true))));
}

#[test]
fn a_program_may_share_as_long_as_nothing_of_it_leaves() {
    let mut session = session(serde_json::json!({}));
    assert!(matches!(run(&mut session, &format!("(count {DOUBLED})")), Ending::Value(Value::Int(2))));
}

#[test]
fn input_larger_than_the_limit_can_be_handed_over() {
    let rows: Vec<String> = (0..60_000).map(|n| format!("{n:0>100}")).collect();
    let mut session = session(serde_json::json!({ "rows": rows }));
    for source in ["data/rows", "(def kept data/rows)", "[data/rows (def kept data/rows)]"] {
        assert!(matches!(run(&mut session, source), Ending::Value(_)), "{source}");
    }
    assert!(
        matches!(run(&mut session, "(vec (repeat 9 data/rows))"), Ending::Error(problems) if problems[0].reason == Reason::MemoryExceeded)
    );
}

proptest! {
    /// What a value takes is what it takes in JSON, up to a small factor.
    #[test]
    fn the_figure_is_about_the_length_of_the_json(value in any_value()) {
        let mut meter = Meter::new(Limits { time: Duration::MAX, ..Limits::default() });
        let mut room = Room::of(u64::MAX);
        prop_assert!(room.value(&value, 0, &mut meter).is_ok());
        let figure = u64::MAX - room.left;
        let json = to_json(&value, &crate::NoCells).map(|json| json.to_string().len() as u64).unwrap_or_default();
        prop_assert!(json <= 4 * figure + 64, "{json} characters for {figure}");
    }
}
