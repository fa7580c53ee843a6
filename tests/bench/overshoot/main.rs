//! How late a run stops: the largest calls that the default limits allow, each under deadlines that strike while it
//! works.
//!
//! `cargo run --release -p ptc-tests --example overshoot [PART]` prints a table: family, call, how long the call takes
//! when it is not stopped, and the worst overshoot, in milliseconds of CPU time from the deadline until the session has
//! answered: other load on the machine counts little. PART keeps the calls whose family or text contains it.
//!
//! Hand-written calls come first; then every row of the function table, with calls generated from its examples: one
//! with each kind of huge values (minutes; `--rows` prints these alone), or with `--all` one for each of its places (an
//! hour); with `--one-in=N` one of N of them, with `--of=KIND` those with values of this kind.

mod calls;
mod generated;

use std::time::{Duration, Instant};

use ptc_lisp::{Ending, Limits, Outcome, Session, SessionOptions, Value};

use self::calls::{CALLS, Call};

/// Moments at which the deadline strikes, in hundredths of the time that the whole call takes.
const MOMENTS: [u32; 6] = [5, 25, 45, 60, 75, 90];

/// Times that each moment is tried: the minimum counts, because a busy machine can only add.
const TRIES: usize = 2;

/// Tries until one counts.
const ATTEMPTS: usize = 10;

fn main() {
    let (flags, parts): (Vec<_>, Vec<_>) = std::env::args().skip(1).partition(|arg| arg.starts_with("--"));
    let part = parts.into_iter().next().unwrap_or_default();
    let has = |name: &str| flags.iter().any(|flag| flag == name);
    if !has("--rows") {
        listed(&part);
    }
    let one_in = flags.iter().find_map(|flag| flag.strip_prefix("--one-in=")?.parse().ok());
    let of = flags.iter().find_map(|flag| flag.strip_prefix("--of=")).unwrap_or_default();
    generated::table(&part, of, has("--all"), one_in.unwrap_or(1));
}

fn listed(part: &str) {
    println!("{:<10} {:>9} {:>9}  call", "family", "whole ms", "late ms");
    for call in CALLS.iter().filter(|call| call.family.contains(part) || call.program.contains(part)) {
        let mut session = prepared(call);
        let whole = timed(&mut session, call, Duration::from_secs(600));
        let late = MOMENTS.iter().filter_map(|moment| {
            let deadline = whole.0 * *moment / 100;
            (0..TRIES).map(|_| overshoot(deadline, || timed(&mut session, call, deadline))).min().flatten()
        });
        let late = late.max();
        let late = late.map_or("-".to_owned(), |late| format!("{:.1}", milliseconds(late)));
        println!("{:<10} {:>9.1} {late:>9}  {}{}", call.family, milliseconds(whole.0), call.program, remark(&whole.1));
    }
}

/// A session with the data of the call.
fn prepared(call: &Call) -> Session {
    let data = call.host.map(|make| make()).unwrap_or_default();
    let mut session = Session::new(SessionOptions { data, ..SessionOptions::default() });
    session.set_limits(Limits { fuel: 1 << 40, memory: 1 << 32, time: Duration::from_secs(600), ..Limits::default() });
    let made = session.run(&format!("{} {}", calls::HELPERS, call.given), &mut |_| Ok(Value::Nil));
    assert!(made.value().is_some(), "{}: {:?}", call.given, made.problems());
    session
}

fn timed(session: &mut Session, call: &Call, time: Duration) -> (Duration, Outcome) {
    session.set_limits(Limits { time, ..Limits::default() });
    run(session, call.program)
}

/// How long the program takes, and its outcome.
fn run(session: &mut Session, program: &str) -> (Duration, Outcome) {
    let started = Instant::now();
    let outcome = session.run(program, &mut |_| Ok(Value::Nil));
    (started.elapsed(), outcome)
}

/// How much longer `work` took after the deadline, in CPU time, without freeing its answer, which the host can do at
/// any time; none when it was faster than the deadline this time.
///
/// A second thread reads the clock at the deadline; an attempt in which it woke up late does not count.
fn overshoot<T>(deadline: Duration, mut work: impl FnMut() -> T) -> Option<Duration> {
    for _ in 0..ATTEMPTS {
        let (stop, stopped) = std::sync::mpsc::channel::<()>();
        let started = Instant::now();
        let watch = std::thread::spawn(move || {
            let ended = stopped.recv_timeout(deadline.saturating_sub(started.elapsed())).is_ok();
            (ended, cpu_time(), started.elapsed())
        });
        let answer = work();
        let after = cpu_time();
        drop(answer);
        // The watching thread has ended when its time is over.
        let _ = stop.send(());
        match watch.join() {
            Ok((true, ..)) => return None,
            Ok((false, at_deadline, woke)) if woke < deadline + Duration::from_millis(1) => {
                return Some(after.saturating_sub(at_deadline));
            }
            _ => {}
        }
    }
    None
}

/// The CPU time of this process so far: apart from the session it only waits.
fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Another way in which the whole call ended: then it was not the largest possible one.
fn remark(outcome: &Outcome) -> String {
    match &outcome.ending {
        Ending::Error(problems) => {
            problems.first().map(|problem| format!("  [{:?}]", problem.reason)).unwrap_or_default()
        }
        _ => String::new(),
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
