//! Calls generated from the function table: every builtin, with a huge value of every kind in each argument.

use std::time::Duration;

use ptc_lisp::testing::{Called, HUGE, Huge, called};
use ptc_lisp::{Limits, Outcome, Session, SessionOptions};

use super::{cpu_time, milliseconds, overshoot, run};

/// Elements of the largest values.
const SIZE: usize = 1_000_000;

/// Moments at which the deadline strikes, in hundredths of the time that the whole call takes.
const MOMENTS: [u32; 2] = [30, 80];

/// How late a call may end. A call that takes no longer than this is not stopped: it cannot be later.
const LATE: Duration = Duration::from_millis(25);

/// How the whole call ends.
const WHOLE: Duration = Duration::from_millis(250);

/// Times that a late call is tried again: the minimum counts, because a busy machine can only add.
const TRIES: usize = 3;

/// What is known about a row.
struct Row {
    function: Called,
    calls: usize,
    longest: Measured,
    latest: Measured,
}

/// A time, and the call that takes it.
#[derive(Default)]
struct Measured {
    time: Duration,
    call: String,
}

impl Measured {
    fn note(&mut self, time: Duration, huge: &Huge, call: &str) {
        if time > self.time {
            *self = Measured { time, call: format!("{call}  of {}", huge.name) };
        }
    }
}

/// Print a line for every row whose name contains `part`, the latest first: with one call for each kind whose name
/// contains `of`, or with all of them; only one in `one_in` of these.
pub(crate) fn table(part: &str, of: &str, all: bool, one_in: usize) {
    let row = |function| Row { function, calls: 0, longest: Measured::default(), latest: Measured::default() };
    let mut rows: Vec<Row> = called().into_iter().map(row).collect();
    for (kind, huge) in HUGE.iter().enumerate().filter(|(_, huge)| huge.name.contains(of)) {
        let mut session = prepared(huge);
        let memory = Limits::default().memory + session.memory_bytes();
        // The calls made for a row depend on its index in the table.
        for (at, row) in rows.iter_mut().enumerate().filter(|(_, row)| row.function.name.contains(part)) {
            let function = &row.function;
            let calls = if all { function.calls(huge) } else { function.sample(huge, at + kind) };
            for call in calls.into_iter().filter(|_| (at * 7 + kind).is_multiple_of(one_in)) {
                measure(&mut session, memory, huge, &call, row);
            }
        }
        eprintln!("{} calls with {}", rows.iter().map(|row| row.calls).sum::<usize>(), huge.name);
    }
    rows.retain(|row| row.calls > 0);
    rows.sort_by_key(|row| std::cmp::Reverse((row.latest.time, row.longest.time)));
    println!("\n{:<24} {:>6} {:>9} {:>9}  latest call", "row", "calls", "whole ms", "late ms");
    let (long, short): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row.longest.time > LATE);
    for Row { function, calls, longest, latest } in &long {
        let (whole, late) = (milliseconds(longest.time), milliseconds(latest.time));
        let call = if latest.call.is_empty() { &longest.call } else { &latest.call };
        println!("{:<24} {calls:>6} {whole:>9.1} {late:>9.1}  {call}", function.name);
    }
    let longest = short.iter().map(|row| milliseconds(row.longest.time)).fold(0.0, f64::max);
    let names: Vec<&str> = short.iter().map(|row| row.function.name).collect();
    println!("\n{} rows take at most {longest:.1} ms whatever they get: {}", names.len(), names.join(" "));
    let late: Vec<&str> = rows.iter().filter(|row| row.latest.time > LATE).map(|row| row.function.name).collect();
    let calls = rows.iter().map(|row| row.calls).sum::<usize>();
    println!(
        "\n{calls} calls; more than {} ms late: {}",
        LATE.as_millis(),
        if late.is_empty() { "none".to_owned() } else { late.join(" ") }
    );
}

/// A session with values of a kind, which do not count towards the memory of the calls.
fn prepared(huge: &Huge) -> Session {
    let mut session = Session::new(SessionOptions { float_precision: Some(2), ..SessionOptions::default() });
    let ample = Limits { fuel: 1 << 40, memory: 1 << 32, time: Duration::from_secs(600), ..Limits::default() };
    session.set_limits(ample);
    let made = session.run(&format!("{} nil", huge.given(SIZE)), &mut |_| Ok(ptc_lisp::Value::Nil));
    assert!(made.value().is_some(), "{}: {:?}", huge.name, made.problems());
    session
}

fn measure(session: &mut Session, memory: u64, huge: &Huge, call: &str, row: &mut Row) {
    let mut timed = |time: Duration| -> (Duration, Outcome) {
        session.set_limits(Limits { time, memory, ..Limits::default() });
        run(session, call)
    };
    row.calls += 1;
    let before = cpu_time();
    drop(timed(WHOLE));
    let whole = cpu_time() - before;
    row.longest.note(whole, huge, call);
    if whole <= LATE {
        return;
    }
    for moment in MOMENTS {
        let deadline = whole.min(WHOLE) * moment / 100;
        let mut late = None;
        for _ in 0..TRIES {
            late = overshoot(deadline, || timed(deadline)).or(late).min(late.or(Some(Duration::MAX)));
            if late.is_none_or(|late| late < LATE / 2) {
                break;
            }
        }
        let late = late.filter(|late| *late < Duration::MAX).unwrap_or_default();
        if late > LATE {
            eprintln!("{:.1} ms late: {call} of {}", milliseconds(late), huge.name);
        }
        row.latest.note(late, huge, call);
    }
}
