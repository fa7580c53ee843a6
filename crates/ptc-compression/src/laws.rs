//! The laws of every strategy, and those of single strategies, over random histories. A new strategy adds its options
//! here; its defaults are tested because [`Strategy::all`](crate::Strategy::all) has them.

mod defaults;
mod foreign;

use std::sync::Arc;

use crate::words::user_section;
use proptest::prelude::*;
use ptc_lisp::Memory;
use ptc_lisp::testing::test_cases;
use ptc_transcript::Turn;

use crate::testkit::{self, SampleRun};
use crate::{
    Aggressive, AppendOnly, Compression, Digest, PerTurnSummary, RenderInput, Rendered, RollingWindow,
    SingleUserCoalesced, ViewLimits, renderer_of,
};

/// Random histories per strategy, and for its other options, when all generated cases are tried.
const HISTORIES: u32 = 10_000;
const MORE_HISTORIES: u32 = 2_000;

/// The seed of all histories, so that a failed run can be repeated.
const SEED: u64 = 2026;

fn limits(prints: usize, calls: usize) -> ViewLimits {
    ViewLimits { println_limit: prints, tool_call_limit: calls, ..ViewLimits::default() }
}

/// Strategies that have these limits.
fn limited(prints: usize, calls: usize) -> Vec<Arc<dyn Compression>> {
    let limits = limits(prints, calls);
    vec![
        Arc::new(SingleUserCoalesced { limits }),
        Arc::new(RollingWindow { window: 2, limits }),
        Arc::new(RollingWindow { window: 0, limits }),
        Arc::new(Aggressive { println_limit: prints, tool_call_limit: calls, ..Aggressive::default() }),
    ]
}

fn render(strategy: &dyn Compression, history: &SampleRun) -> Rendered {
    let seen = history.turns().len();
    strategy.to_messages(history.turns(), &history.memory(seen), &history.input(seen))
}

fn good(history: &SampleRun) -> impl Iterator<Item = &Turn> {
    history.turns().iter().filter(|turn| turn.is_success())
}

fn keeps_rules<S: Compression + Default>(others: impl IntoIterator<Item = S>) {
    let held = testkit::check(&S::default(), test_cases(HISTORIES) as usize, SEED);
    let others =
        others.into_iter().map(|strategy| testkit::check(&strategy, test_cases(MORE_HISTORIES) as usize, SEED));
    if let Err(violation) = std::iter::once(held).chain(others).collect::<Result<(), _>>() {
        panic!("{violation}");
    }
}

/// Proves: ARC-004, TRN-010, SAM-002, TC-001, TC-002, TC-007, MSG-003, MSG-005, MSG-007, CMP-002, ERR-001, ERR-002.
/// Proves: ERR-003, AMB-003, CHG-011, CHG-017.
#[test]
fn the_default_strategy_keeps_the_rules() {
    keeps_rules([SingleUserCoalesced::from(limits(3, 2)).tool_results(true).tool_hint(false)]);
}

/// Proves: ARC-004, MSG-007.
#[test]
fn a_digest_keeps_the_rules() {
    let short = Digest::new().begin_at(600).println_limit(3).tool_call_limit(2);
    keeps_rules([short, Digest::new().begin_at(0).tool_results(true).tool_hint(false)]);
}

/// Proves: ARC-004, MSG-007.
#[test]
fn a_window_keeps_the_rules() {
    keeps_rules([RollingWindow { window: 2, limits: ViewLimits { tool_results: true, ..limits(2, 4) } }]);
}

/// Proves: ARC-004, MSG-007.
#[test]
fn a_summary_keeps_the_rules() {
    keeps_rules([PerTurnSummary { program_limit: 20, turn_limit: 3, limits: limits(4, 2) }]);
}

/// Proves: ARC-004, ARC-012, MSG-007.
#[test]
fn the_smallest_view_keeps_the_rules() {
    keeps_rules([Aggressive { println_limit: 1, tool_call_limit: 2, print_chars: 20, error_chars: 30, doc_chars: 9 }]);
}

/// Proves: ARC-004, MSG-007.
#[test]
fn an_appended_dialogue_keeps_the_rules() {
    keeps_rules([AppendOnly { append_bytes: 600, limits: ViewLimits { tool_results: true, ..limits(4, 2) } }]);
}

proptest! {
    /// Proves: TRN-010, TC-002, TC-007.
    #[test]
    fn limits_keep_as_many_as_they_say(seed: u64, prints in 0..5_usize, calls in 0..5_usize) {
        let history = SampleRun::random(seed);
        let printed = good(&history).flat_map(Turn::prints).count();
        let made = good(&history).flat_map(Turn::tool_calls).count();
        for strategy in limited(prints, calls) {
            let stats = render(&*strategy, &history).stats;
            prop_assert_eq!((stats.printlns_shown, stats.tool_calls_shown), (printed.min(prints), made.min(calls)));
        }
    }

    #[test]
    fn a_window_of_nothing_is_the_default_strategy(seed: u64, results: bool) {
        let limits = ViewLimits { tool_results: results, ..limits(3, 2) };
        let history = SampleRun::random(seed);
        let rolling = render(&RollingWindow { window: 0, limits }, &history);
        prop_assert_eq!(rolling.messages, render(&SingleUserCoalesced { limits }, &history).messages);
    }

    #[test]
    fn a_window_and_a_summary_have_as_many_messages_as_they_say(seed: u64, shown in 0..5_usize) {
        let history = SampleRun::random(seed);
        let wanted = 1 + 2 * shown.min(good(&history).count());
        let rolling = render(&RollingWindow { window: shown, ..RollingWindow::default() }, &history);
        prop_assert_eq!(rolling.messages.len(), wanted);
        let summary = render(&PerTurnSummary { turn_limit: shown, ..PerTurnSummary::default() }, &history);
        prop_assert_eq!(summary.messages.len(), wanted);
        prop_assert_eq!(render(&Aggressive::default(), &history).messages.len(), 1);
    }

    /// Proves: SAM-001, SAM-002.
    #[test]
    fn samples_are_shown_until_something_was_printed(seed: u64) {
        let history = SampleRun::random(seed);
        let strategy = SingleUserCoalesced::default();
        let text = render(&strategy, &history).messages[0].content().into_owned();
        let printed = good(&history).any(|turn| !turn.prints().is_empty());
        let definitions = user_section(&history.memory(history.turns().len()), (!printed).then(|| strategy.limits.samples()));
        prop_assert!(text.contains(&definitions.unwrap_or_default()), "{text}");
        prop_assert!(text.contains("\ndata/limit                    ; int") && text.contains(", sample: 250\n"), "{text}");
    }
}

/// A user's strategy that implements only the pure function.
struct Marker;

impl Compression for Marker {
    fn name(&self) -> &str {
        "marker"
    }

    fn to_messages(&self, turns: &[Turn], _: &Memory, _: &RenderInput<'_>) -> Rendered {
        vec![ptc_chat::Message::user(format!("{} turns", turns.len()))].into()
    }
}

/// Proves: ARC-003, DBG-004, CHG-004.
#[test]
fn a_custom_strategy_gets_a_renderer() {
    let strategy: Arc<dyn Compression> = Arc::new(Marker);
    let history = SampleRun::steady(3);
    let mut renderer = renderer_of(&strategy);
    history.turns().iter().for_each(|turn| renderer.push(turn));
    let rendered = renderer.render(&Memory::default(), &history.input(3));
    assert_eq!(rendered.messages[0].content(), "3 turns");
    assert!(!rendered.stats.enabled);
}
