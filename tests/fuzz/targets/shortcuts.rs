//! Programs with all passes of the optimizer against the same without one of them, or without all.

use ptc_lisp::{Ending, Limits, Outcome, Session};

use super::lisp::{Input, hit_a_limit, limits, session_within, story, within_limits};

/// A program returns, prints, calls and fails the same without any pass; the length of the input decides which.
pub(crate) fn run(bytes: &[u8]) {
    let Some(input) = Input::of(bytes) else { return };
    // The plain program may need more of both.
    let ample = Limits { fuel: 8 * limits().fuel, memory: 8 * limits().memory, ..limits() };
    let mut quick = session_within(limits()).run(input.program, &mut |call| input.answer(call));
    within_limits(&quick, &limits());
    if hit_a_limit(&quick) {
        return;
    }
    let mut plain = session_within(ample);
    let passes: Vec<&str> = Session::passes().map(|[name, ..]| name).collect();
    let off = passes.get(bytes.len() % (passes.len() + 1)).copied();
    plain.optimize_without(|pass| off.is_none_or(|off| pass == off));
    let outcome = plain.run(input.program, &mut |call| input.answer(call));
    if !hit_a_limit(&outcome) {
        place_alike(&mut quick, &outcome);
        assert_eq!(story(&quick), story(&outcome), "all passes first, then without {off:?}");
    }
}

/// If both fail, the place of the plain program: a step of a transducer that the compiler sees through fails where the
/// step is written, which is inside the call that the plain program names.
fn place_alike(quick: &mut Outcome, plain: &Outcome) {
    let Ending::Error(problems) = &mut quick.ending else { return };
    for (problem, plain) in problems.iter_mut().zip(plain.problems()) {
        let begins = |place: Option<ptc_lisp::syntax::Position>| place.map(|place| (place.line, place.column));
        if begins(problem.position) > begins(plain.position) {
            (problem.position, problem.line_text) = (plain.position, plain.line_text.clone());
        }
    }
}
