//! Mistakes in the arguments of calls. A message may point at the argument or at the call.

use super::Change;
use crate::mutate::site::Sites;
use crate::mutate::syntax::{Form, Kind};
use ptc_tests::random::Random;

/// Two neighbouring arguments in the wrong order.
pub(super) fn swapped(sites: &Sites<'_>, _: &mut Random) -> Vec<Change> {
    let mut changes = Vec::new();
    for call in sites.calls() {
        for pair in call.arguments().windows(2) {
            let [one, other] = pair else { continue };
            let (first, second) = (one.text(sites.source), other.text(sites.source));
            // Lines must stay where they are.
            if first.contains('\n') || second.contains('\n') {
                continue;
            }
            let edits = vec![(one.span.clone(), second.to_owned()), (other.span.clone(), first.to_owned())];
            changes.push(Change {
                edits,
                places: vec![one.span.start, other.span.start, call.span.start],
                meant: None,
            });
        }
    }
    changes
}

/// An argument left out or typed twice.
pub(super) fn wrong_count(sites: &Sites<'_>, random: &mut Random) -> Vec<Change> {
    let mut changes = Vec::new();
    for call in sites.calls() {
        for argument in call.arguments() {
            let text = argument.text(sites.source);
            let lines = "\n".repeat(text.matches('\n').count());
            let twice = random.chance(50) && lines.is_empty();
            let replacement = if twice { format!("{text} {text}") } else { lines };
            changes.push(Change::at(argument.span.clone(), replacement).or_at(call.span.start));
        }
    }
    changes
}

/// A key of a tool's arguments left out, with its value.
pub(super) fn missing_argument(sites: &Sites<'_>, _: &mut Random) -> Vec<Change> {
    let is_tool = |call: &&Form| call.head(sites.source).is_some_and(|head| head.starts_with("tool/"));
    let mut changes = Vec::new();
    for call in sites.calls().filter(is_tool) {
        for arguments in call.arguments().iter().filter(|form| form.kind == Kind::Map) {
            for pair in arguments.items.chunks(2) {
                let [key, value] = pair else { continue };
                let span = key.span.start..value.span.end;
                let lines = sites.source.get(span.clone()).unwrap_or_default().matches('\n').count();
                changes.push(Change::at(span, "\n".repeat(lines)).or_at(call.span.start));
            }
        }
    }
    changes
}
