//! Fuel is exact: it does not depend on slices, and a limit is where a program stops.

use ptc_lisp::{Limits, Outcome, Reason, reference};

use super::{SLICED, host, reason, session_with, shown};

fn run(program: &str, fuel: u64, slice: Option<u64>) -> Outcome {
    session_with(Limits { fuel, ..Limits::default() }).run_sliced(program, slice, &mut host)
}

/// Programs of every kind, and every example of the function table that does not end in an error.
fn programs() -> Vec<&'static str> {
    let examples = reference().into_iter().flat_map(|entry| entry.examples.iter().map(|(program, _)| *program));
    SLICED.into_iter().chain(examples).collect()
}

#[test]
fn a_program_needs_exactly_its_fuel() {
    let ample = Limits::default().fuel;
    for program in programs() {
        let whole = run(program, ample, None);
        let needed = whole.usage.fuel;
        for slice in [Some(1), Some(7), None] {
            let enough = run(program, needed, slice);
            assert_eq!(enough.usage.fuel, needed, "{program} in slices of {slice:?}");
            assert_eq!(shown(&enough), shown(&whole), "{program} in slices of {slice:?}");
            if needed > 0 {
                let short = run(program, needed - 1, slice);
                assert_eq!(reason(&short), Some(Reason::FuelExceeded), "{program} in slices of {slice:?}");
                assert_eq!(short.usage.fuel, needed - 1, "{program} in slices of {slice:?}");
            }
        }
    }
}

#[test]
fn a_limit_is_never_passed() {
    for program in SLICED {
        let needed = run(program, Limits::default().fuel, None).usage.fuel;
        for fuel in 0..needed.min(40) {
            let stopped = run(program, fuel, Some(3));
            assert_eq!((reason(&stopped), stopped.usage.fuel), (Some(Reason::FuelExceeded), fuel), "{program}");
        }
    }
}

/// A key may be a path: one that is nested deep, or long, ends in an error or a limit.
#[test]
fn a_path_of_any_shape_ends() {
    let limits = Limits { fuel: 400_000, ..Limits::default() };
    let deep = "(loop [n 0 path :a] (if (< n 100000) (recur (inc n) [path]) path))";
    let refused = [("sort-by", Reason::NestingTooDeep), ("map", Reason::TypeError), ("filter", Reason::TypeError)];
    let ends = ["max-by", "sum-by", "group-by", "pluck", "distinct-by"].map(|name| (name, None));
    for (name, expected) in refused.map(|(name, reason)| (name, Some(reason))).into_iter().chain(ends) {
        let outcome = session_with(limits.clone()).run(&format!("({name} {deep} [{{:a 1}} {{:a 2}}])"), &mut host);
        assert_eq!(reason(&outcome), expected, "{name}: {}", shown(&outcome));
    }
    let long = "(let [path (vec (repeat 100000 0)) xs (vec (repeat 1000 [[]]))] (sort-by path (repeat 1000 xs)))";
    let outcome = session_with(limits.clone()).run(long, &mut host);
    assert_eq!(reason(&outcome), Some(Reason::FuelExceeded), "{}", shown(&outcome));
}
