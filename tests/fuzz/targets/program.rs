//! Programs run under small limits: whole, in slices, and again over what they left in memory.

use ptc_lisp::{Outcome, Session, StoredMemory};

use super::lisp::{Input, hit_a_limit, limits, session, story, text, within_limits};

/// A program ends within its limits, the same in slices of any size, calls no more than its summary of effects says, and
/// leaves a session that continues and a memory that can be stored and read.
pub(crate) fn run(bytes: &[u8]) {
    let Some(input) = Input::of(bytes) else { return };
    let mut whole = session();
    let summary = whole.effects(input.program);
    let outcome = whole.run(input.program, &mut |call| input.answer(call));
    within_limits(&outcome, &limits());
    match &summary {
        Ok(summary) => {
            for reach in &summary.tools {
                let calls = calls_of(&outcome, &reach.name);
                let limit = reach.at_most.limit();
                assert!(
                    limit.is_none_or(|most| calls <= most),
                    "{} is called {calls} times, not {limit:?}",
                    reach.name
                );
            }
            for call in &outcome.tool_calls {
                assert!(summary.tools.iter().any(|reach| *reach.name == *call.name), "{} is not told of", call.name);
            }
        }
        Err(_) => assert!(!outcome.problems().is_empty() && outcome.tool_calls.is_empty()),
    }

    let mut sliced = session();
    let in_slices = sliced.run_sliced(input.program, Some(input.slice()), &mut |call| input.answer(call));
    within_limits(&in_slices, &limits());
    if hit_a_limit(&outcome) || hit_a_limit(&in_slices) {
        // Where exactly a limit strikes may differ by the units of fuel between two checks, and by when garbage is
        // counted.
        assert!(
            hit_a_limit(&outcome) == hit_a_limit(&in_slices) || is_near_limits(&outcome),
            "slices of {}",
            input.slice()
        );
    } else {
        assert_eq!(story(&outcome), story(&in_slices), "slices of {}", input.slice());
        let same_fuel = outcome.usage.fuel == in_slices.usage.fuel;
        assert!(
            same_fuel || is_near_limits(&outcome),
            "slices of {}: {:?}, {:?}",
            input.slice(),
            outcome.usage,
            in_slices.usage
        );
    }

    let next = whole.run(":on", &mut |call| input.answer(call));
    assert_eq!(next.value().map(text).as_deref(), Some(":on"), "the session goes on: {}", story(&next));
    keeps_memory(&mut whole, &input);
    if !hit_a_limit(&outcome) {
        // Earlier definitions and atoms are there: it must end, no matter how.
        within_limits(&whole.run_sliced(input.program, Some(3), &mut |call| input.answer(call)), &limits());
    }
}

/// Whether steps may have been repeated because memory was short, or fuel was almost used up.
fn is_near_limits(outcome: &Outcome) -> bool {
    outcome.usage.memory > limits().memory / 2 || outcome.usage.fuel + 2_000 > limits().fuel
}

fn calls_of(outcome: &Outcome, tool: &str) -> u64 {
    outcome.tool_calls.iter().filter(|call| &*call.name == tool && !call.cached).count() as u64
}

/// What is stored reads back, and what the new session stores is the same text.
fn keeps_memory(session: &mut Session, input: &Input<'_>) {
    let (stored, left_out) = session.store_memory();
    let Ok(written) = serde_json::to_string(&stored) else { panic!("a stored memory is JSON") };
    let read = match StoredMemory::parse(&written) {
        Ok(read) => read,
        Err(error) => panic!("{error}: {written}"),
    };
    let mut restored = super::lisp::session();
    let missing = restored.restore_memory(&read);
    assert!(missing.is_empty(), "{missing:?} of {written}");
    let (again, left_out_again) = restored.store_memory();
    assert!(left_out_again.is_empty(), "{left_out_again:?}, after {left_out:?}");
    let Ok(again) = serde_json::to_string(&again) else { panic!("a stored memory is JSON") };
    assert_eq!(written, again, "of {:?}", input.program);
}
