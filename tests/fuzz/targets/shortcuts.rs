//! The compiler's shortcuts against programs compiled as they are written, and constants against answers of tools.

use ptc_lisp::Limits;

use super::lisp::{Input, hit_a_limit, limits, session_within, story, within_limits};

/// A program answers, prints, calls and fails the same with and without shortcuts.
pub(crate) fn run(bytes: &[u8]) {
    let Some(input) = Input::of(bytes) else { return };
    // The plain program may need more of both.
    let ample = Limits { fuel: 8 * limits().fuel, memory: 8 * limits().memory, ..limits() };
    let quick = session_within(limits()).run(input.program, &mut |call| input.answer(call));
    within_limits(&quick, &limits());
    if hit_a_limit(&quick) {
        return;
    }
    let mut plain = session_within(ample);
    plain.compile_plainly();
    let outcome = plain.run(input.program, &mut |call| input.answer(call));
    if !hit_a_limit(&outcome) {
        assert_eq!(story(&quick), story(&outcome), "with shortcuts first");
    }
}
