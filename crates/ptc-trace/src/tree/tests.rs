//! Spans and their nesting.

use proptest::prelude::*;
use ptc_transcript::{Event, EventKind};

use super::SpanTree;
use crate::sample::{any_events, approval_events, events, traced};

fn tree(events: &[Event]) -> SpanTree {
    SpanTree::of(&traced(events))
}

#[test]
fn a_run_that_was_cut_off() {
    insta::assert_snapshot!(tree(&events()[..6]).format(), @r"
    └─ [...] [open] run of booker
      └─ [...] [open] Turn 1
        └─ [1ms] [ok] LLM call
        └─ [...] [open] quote-room
        └─ [...] [open] quote-room
    ");
    insta::assert_snapshot!(tree(&events()[4..8]).format(), @r"
    └─ [3ms] [ok] quote-room
    └─ [1ms] [error] quote-room: there is no room 99
    ");
    insta::assert_snapshot!(tree(&[]).format(), @"");
}

#[test]
fn decisions_stand_behind_the_question() {
    insta::assert_snapshot!(tree(&approval_events()).format(), @r"
    └─ [...] [open] run
      └─ [...] [open] Turn 1
        └─ [40ms] [ok] Approval of pay, pay, quote-room: approve, deny (too expensive), edit
    ");
    let mut program = approval_events();
    program[2].kind = EventKind::ApprovalStart { ids: vec!["1".into()], tools: Vec::new() };
    insta::assert_snapshot!(tree(&program[..3]).format(), @r"
    └─ [...] [open] run
      └─ [...] [open] Turn 1
        └─ [...] [open] Approval of the program
    ");
    let spans = serde_json::to_value(tree(&program)).unwrap();
    assert_eq!(spans[2]["kind"], "approval");
}

#[test]
fn times_for_people() {
    assert_eq!(
        [0.0, 0.04, 0.44, 3.0, 9.94, 12.5, 8050.2].map(crate::entry::shown_ms),
        ["0", "0", "0.4", "3", "9.9", "12", "8050"]
    );
}

proptest! {
    #[test]
    fn parents_come_first_and_everything_is_shown_once(events in any_events()) {
        let tree = tree(&events);
        let starts = events.iter().filter(|event| event.kind.name().ends_with(".start")).count();
        prop_assert_eq!(tree.spans.len(), starts);
        for (place, span) in tree.spans.iter().enumerate() {
            prop_assert!(span.parent.is_none_or(|parent| parent < place));
            prop_assert_eq!(span.depth, span.parent.map_or(0, |parent| tree.spans[parent].depth + 1));
        }
        let mut order = tree.in_depth();
        order.sort_unstable();
        prop_assert_eq!(order, (0..tree.spans.len()).collect::<Vec<_>>());
    }
}
