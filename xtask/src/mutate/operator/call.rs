//! Mistakes in the arguments of calls. A message may point at the argument or at the call.

use super::Change;
use crate::mutate::site::Sites;
use crate::mutate::syntax::Kind;
use ptc_tests::random::Random;

/// Two neighbouring arguments in the wrong order.
pub(super) fn swapped(sites: &Sites<'_>, _: &mut Random) -> Vec<Change> {
    let mut changes = Vec::new();
    for call in sites.calls() {
        for pair in call.arguments().windows(2) {
            // Lines must stay where they are.
            if let [one, other] = pair
                && !one.text.contains('\n')
                && !other.text.contains('\n')
            {
                changes.push(Change::swap(one, other).or_at(other.span.start).or_at(call.span.start));
            }
        }
    }
    changes
}

/// An argument left out or typed twice.
pub(super) fn wrong_count(sites: &Sites<'_>, random: &mut Random) -> Vec<Change> {
    let mut changes = Vec::new();
    for call in sites.calls() {
        for argument in call.arguments() {
            let lines = lines(argument.text);
            let twice = random.chance(50) && lines.is_empty();
            let replacement = if twice { format!("{0} {0}", argument.text) } else { lines };
            changes.push(Change::at(argument.span.clone(), replacement).or_at(call.span.start));
        }
    }
    changes
}

/// A key of a tool's arguments left out, with its value.
pub(super) fn missing_argument(sites: &Sites<'_>, _: &mut Random) -> Vec<Change> {
    let mut changes = Vec::new();
    for call in sites.calls().filter(|call| call.head().is_some_and(|head| head.starts_with("tool/"))) {
        for arguments in call.arguments().iter().filter(|form| form.kind == Kind::Map) {
            for pair in arguments.items.chunks(2) {
                let [key, value] = pair else { continue };
                let span = key.span.start..value.span.end;
                let lines = lines(sites.source.get(span.clone()).unwrap_or_default());
                changes.push(Change::at(span, lines).or_at(call.span.start));
            }
        }
    }
    changes
}

/// The line ends of a text that is left out.
fn lines(text: &str) -> String {
    "\n".repeat(text.matches('\n').count())
}
