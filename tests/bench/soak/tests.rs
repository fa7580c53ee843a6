//! A short soak: allocated memory after more missions equals that before.

use ptc_runner::agent::testkit::hush;

use crate::{GROWTH, lines};

#[test]
fn more_missions_hold_no_more_memory() {
    hush();
    let lines = lines(480, 160, 7, |_| {}).expect("lines");
    // Until then, tables grow that the process has once.
    let (first, last) = (lines[1], lines[2]);
    assert!(last.allocated <= first.allocated + first.allocated * GROWTH / 100, "{lines:?}");
    assert_eq!((last.tasks, last.files), (0, first.files), "{lines:?}");
}
