//! The memory limit against the truth for every row of the function table: whatever huge values its calls get, the
//! allocator hands out no more than the guide's page on security says. All calls are tried when `PTC_ALL_CALLS` is set,
//! else a sample.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros, reason = "tests are hosts")]

#[path = "session/counting.rs"]
mod counting;

use std::time::Duration;

use ptc_lisp::signature::Signature;
use ptc_lisp::testing::{HUGE, HUGE_TOOLS, amplifiers, called, tool_calls};
use ptc_lisp::{Limits, Session, SessionOptions, ToolSpec, Value};

use counting::most_held;

/// Elements of the largest values.
const SIZE: usize = 16_000;
/// Bytes for a call.
const ROOM: u64 = 1 << 19;
/// Frames, code and tables of a session, which no limit bounds.
const BESIDE: u64 = 96 << 10;

/// While the largest buffer moves to a larger place, its old place counts as well. Few calls end in that moment.
const MOVING: f64 = 2.3;
const FEW: usize = 1_000;

/// Every which call with two values that amplify each other is tried when not all are.
const SAMPLE: usize = 61;

fn prepared(name: &str, given: &str) -> (Session, Limits) {
    let tool = |(name, signature): &(&str, Option<&str>)| {
        let signature = signature.and_then(|text| Signature::parse_tool(text).ok());
        ToolSpec { signature, ..ToolSpec::new(*name) }
    };
    let tools = HUGE_TOOLS.iter().map(tool).collect();
    let mut session = Session::new(SessionOptions {
        tools,
        tasks: Some(Vec::new()),
        float_precision: Some(2),
        ..SessionOptions::default()
    });
    let ample = Limits { fuel: 1 << 40, memory: 1 << 32, time: Duration::from_secs(3_600), ..Limits::default() };
    session.set_limits(ample.clone());
    let made = session.run(&format!("{given} nil"), &mut |_| unreachable!());
    assert!(made.value().is_some(), "{name}: {:?}", made.problems());
    let limits = Limits { fuel: 100_000, memory: session.memory_bytes() + ROOM, ..ample };
    session.set_limits(limits.clone());
    (session, limits)
}

#[test]
fn no_row_holds_much_more_than_the_limit_whatever_it_gets() {
    let (functions, all) = (called(), std::env::var_os("PTC_ALL_CALLS").is_some());
    let (mut over, mut calls) = (Vec::new(), 0);
    for (kind, huge) in HUGE.iter().enumerate() {
        let (mut session, limits) = prepared(huge.name, &huge.given(SIZE));
        for call in functions
            .iter()
            .enumerate()
            .flat_map(|(at, function)| function.tried(huge, at + kind, all))
            .chain(tool_calls(huge))
        {
            calls += 1;
            over.extend(excess(&mut session, &limits, &call, huge.name));
        }
    }
    judge(&over, calls);
}

#[test]
fn no_row_holds_much_more_than_the_limit_when_its_arguments_amplify_each_other() {
    let all = std::env::var_os("PTC_ALL_CALLS").is_some();
    let (mut session, limits) = prepared("amplifiers", &amplifiers(SIZE));
    let calls = called().into_iter().flat_map(|function| function.amplified()).enumerate();
    let calls: Vec<String> = calls.filter(|(at, _)| all || at % SAMPLE == 0).map(|(_, call)| call).collect();
    let over: Vec<Excess> =
        calls.iter().filter_map(|call| excess(&mut session, &limits, call, "values that amplify")).collect();
    judge(&over, calls.len());
}

/// A call that held more than the limit and what is beside it.
struct Excess {
    call: String,
    held: u64,
}

/// Print what was found; fail when calls that end while a buffer moves are not few, or hold more than that explains.
fn judge(over: &[Excess], calls: usize) {
    let most = ROOM as f64 * MOVING + BESIDE as f64;
    let lines: Vec<String> = over.iter().map(|Excess { call, held }| format!("{call}: {held} bytes")).collect();
    let told = format!("{} of {calls} calls above the limit:\n{}", over.len(), lines.join("\n"));
    println!("{told}");
    assert!(over.len() * FEW <= calls && over.iter().all(|excess| (excess.held as f64) < most), "{told}");
}

/// The call and what it held, when that is more than the limit.
fn excess(session: &mut Session, limits: &Limits, call: &str, kind: &str) -> Option<Excess> {
    let allowed = ROOM + limits.memory / 10 + BESIDE;
    let mut run = || drop(session.run(call, &mut |_| Ok(Value::Nil)));
    let ((), mut most) = most_held(&mut run);
    // What is made once for the process or the session is not there a second time.
    if most > allowed {
        most = most_held(&mut run).1;
    }
    (most > allowed).then(|| Excess { call: format!("{call} of {kind}"), held: most })
}
