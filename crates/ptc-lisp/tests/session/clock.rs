//! When calls of tools began and how long they took.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use ptc_lisp::{Clock, Session, SessionOptions, ToolRecord, ToolSpec, Value};

const PROGRAM: &str = "(map (fn [n] (tool/wait {:n n})) [1 2])";

/// A clock that stands still unless a test moves it.
#[derive(Default)]
struct Moved(AtomicI64);

impl Clock for Moved {
    fn now_micros(&self) -> i64 {
        self.0.load(Ordering::Relaxed)
    }
}

fn records(options: SessionOptions, wait: &mut dyn FnMut()) -> Vec<ToolRecord> {
    let mut session = Session::new(SessionOptions { tools: vec![ToolSpec::new("wait")], ..options });
    let outcome = session.run(PROGRAM, &mut |_| {
        wait();
        Ok(Value::Nil)
    });
    assert!(outcome.usage.time < Duration::from_secs(5));
    outcome.tool_calls
}

#[test]
fn a_clock_of_the_host_dates_calls_and_nothing_else_does() {
    let clock = Arc::new(Moved::default());
    let options = SessionOptions { clock: clock.clone(), ..SessionOptions::default() };
    let records = records(options, &mut || {
        clock.0.fetch_add(3_600_000_000, Ordering::Relaxed);
    });
    let dated: Vec<_> = records.iter().map(|record| (record.started_micros, record.duration.as_secs())).collect();
    assert_eq!(dated, [(0, 3_600), (3_600_000_000, 3_600)]);
}

#[test]
fn the_clock_of_the_machine_goes_on_between_calls() {
    let wait = Duration::from_millis(20);
    let records = records(SessionOptions::default(), &mut || std::thread::sleep(wait));
    let micros = |time: Duration| i64::try_from(time.as_micros()).unwrap();
    assert!(records.iter().all(|record| record.duration >= wait));
    assert!(records[1].started_micros >= records[0].started_micros + micros(wait));
    // It may be set a little while the test runs.
    assert!(ptc_lisp::SystemClock.now_micros() >= records[1].started_micros + micros(wait / 2));
}
