//! Every row of the function table looks at the clock while it works, whatever huge values it gets. Its calls are made
//! from its examples, so a new row is covered automatically: all of them when `PTC_ALL_CALLS` is set, else a sample.
//!
//! Nothing here is timed: looks are compared with the units of work and the bytes that a call pays for.
//! `cargo run --release -p ptc-tests --example overshoot` measures the same calls.

use std::time::Duration;

use super::*;
use crate::reference::{ReferenceKind, reference};
use crate::testing::huge::{HUGE, Huge, called};
use crate::testing::is_tried;

/// Elements of the largest values.
const SIZE: usize = 16_000;

/// Units of work and bytes that a call may pay for without a look, on average.
const UNITS: u64 = 8_192;
const BYTES: u64 = 1 << 20;

/// Looks that are still to come when a call ends.
const SLACK: u64 = 2;

/// Units and bytes from which a call counts as long: it did something for all elements of the smallest of the huge
/// values.
const LONG_UNITS: u64 = 1_000;
const LONG_BYTES: u64 = 16_000;

fn prepared(huge: &Huge) -> Session {
    let mut session = session();
    let ample = Limits { fuel: 1 << 40, memory: 1 << 32, time: Duration::from_secs(3_600), ..Limits::default() };
    session.set_limits(ample.clone());
    let made = session.run(&format!("{} nil", huge.given(SIZE)), &mut |_| unreachable!());
    assert!(made.value().is_some(), "{}: {:?}", huge.name, made.problems());
    // Work is what ends the calls, also on a busy machine.
    session.set_limits(Limits { fuel: 30_000, memory: session.memory_bytes() + (8 << 20), ..ample });
    session
}

#[test]
fn every_row_looks_at_the_clock_whatever_it_gets() {
    let (functions, all) = (called(), std::env::var_os("PTC_ALL_CALLS").is_some());
    let (mut blind, mut calls) = (Vec::new(), 0);
    let mut longest = vec![(0, 0); functions.len()];
    for (kind, huge) in HUGE.iter().enumerate() {
        let mut session = prepared(huge);
        for (at, (function, longest)) in functions.iter().zip(&mut longest).enumerate() {
            for call in function.tried(huge, at + kind, all) {
                let outcome = session.run(&call, &mut |_| Err(ToolError::new("no tools")));
                let meter = &session.machine.cx.meter;
                let (looks, bytes) = (meter.looks as u64, meter.announced);
                // A call that is refused fuel at once has done no work for it.
                let refused = outcome.problems().iter().any(|problem| problem.reason == Reason::FuelExceeded);
                let units = if refused { 0 } else { outcome.usage.fuel };
                calls += 1;
                if looks + SLACK < (units / UNITS).max(bytes / BYTES) {
                    blind.push(format!("{call} of {}: {looks} looks, {units} units, {bytes} bytes", huge.name));
                }
                *longest = (units.max(longest.0), bytes.max(longest.1));
            }
        }
    }
    assert_eq!(blind, [""; 0], "of {calls} calls");
    // A row whose calls are never long costs a bounded number of units and bytes, whatever it gets.
    let (long, short): (Vec<_>, Vec<_>) =
        functions.iter().zip(&longest).partition(|(_, longest)| longest.0 >= LONG_UNITS || longest.1 >= LONG_BYTES);
    let names: Vec<&str> = short.iter().map(|(function, _)| function.name).collect();
    println!("{calls} calls of {} rows; never long are {}: {}", functions.len(), names.len(), names.join(" "));
    assert!(long.len() > 300, "{} rows have long calls", long.len());
}

/// On the stack that a thread has when nothing says otherwise, in builds without optimisation, too: a host may be one.
#[test]
fn every_entry_nests_as_deep_as_the_reader_allows_on_a_small_stack() {
    let nested = |open: &str, close: &str| format!("{}1{}", open.repeat(199), close.repeat(199));
    let entries = reference().into_iter().enumerate();
    let mut programs: Vec<String> = entries
        .filter(|(at, entry)| entry.kind != ReferenceKind::Function || is_tried(*at))
        .map(|(_, entry)| nested(&format!("({} ", entry.name), ")"))
        .collect();
    for form in [
        "let [x 1]",
        "loop [x 1]",
        "fn [x]",
        "for [x [1]]",
        "doseq [x [1]]",
        "if 1",
        "->",
        "try",
        "map inc",
        "(fn [x] x)",
    ] {
        programs.push(nested(&format!("({form} "), ")"));
    }
    programs.extend(
        [("[", "]"), ("{:a ", "}"), ("#{", "}"), ("(let [{:keys [a]} ", "] a)")]
            .map(|(open, close)| nested(open, close)),
    );
    let work = move || {
        for program in &programs {
            let mut session = session();
            let _ = session.effects(program);
            let outcome = session.run(program, &mut |_| Err(ToolError::new("no tools")));
            let is_defect = outcome.problems().iter().any(|problem| problem.reason == Reason::InternalError);
            assert!(!is_defect, "{}: {:?}", &program[..20], outcome.problems());
        }
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(work).unwrap().join().unwrap();
}
