//! Hints after what was found.

use super::{Error, Reason};

#[test]
fn a_hint_replaces_the_one_before() {
    let mut error = Error::hinted(Reason::FuelExceeded, "stopped: after 5 steps", "end the loop");
    assert_eq!(error.message, "stopped: after 5 steps: end the loop");
    error.hint("write (take n coll)");
    assert_eq!(error.message, "stopped: after 5 steps: write (take n coll)");
}

#[test]
fn a_hint_on_a_message_that_was_rewritten_is_added() {
    let mut error = Error::new(Reason::FuelExceeded, "ab");
    error.message = "\u{20ac}".to_owned();
    error.hint("c");
    assert_eq!(error.message, "\u{20ac}: c");
}
