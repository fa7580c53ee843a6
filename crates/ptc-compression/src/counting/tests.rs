use crate::testkit;
use crate::{
    ByteBound, Ceiling, Compression, CompressionConfig, History, PlainOptions, RenderInput, Rendered,
    SingleUserCoalesced,
};
use ptc_lisp::Memory;
use ptc_transcript::{CompressionStats, Turn};

/// A custom strategy that counts nothing.
#[derive(Clone)]
struct Marker;

impl Compression for Marker {
    fn name(&self) -> &str {
        "marker"
    }

    fn to_messages(&self, turns: &[Turn], _: &Memory, _: &RenderInput<'_>) -> Rendered {
        vec![ptc_chat::Message::user(format!("{} turns", turns.len()))].into()
    }
}

fn stats(config: impl Into<CompressionConfig>, run: &testkit::SampleRun) -> CompressionStats {
    let seen = run.turns().len();
    let history = History::start(&config.into(), "", PlainOptions::new(9, 0), &run.input(0)).after(run.turns(), "");
    history.request(&run.memory(seen), &run.input(seen)).stats.unwrap()
}

#[test]
fn a_custom_strategy_is_named_and_turns_are_counted() {
    for history in (0..200).map(testkit::SampleRun::random) {
        let own = stats(SingleUserCoalesced::default(), &history);
        let CompressionStats { tool_calls_total, printlns_total, error_turns_collapsed, .. } = own;
        let expected = CompressionStats {
            tool_calls_total,
            printlns_total,
            error_turns_collapsed,
            ..CompressionStats::of("marker")
        };
        assert_eq!(stats(Marker, &history), expected);
    }
}

#[test]
fn a_strategy_that_counts_keeps_its_figures() {
    let history = testkit::SampleRun::steady(30);
    let stats = stats(SingleUserCoalesced::default(), &history);
    assert_eq!((stats.printlns_shown, stats.printlns_dropped, stats.turns_compressed), (15, 15, 30));
}

#[test]
fn a_ceiling_says_how_far_it_went_with_a_custom_strategy() {
    let config = CompressionConfig::from(Marker).with_ceiling(Ceiling::new(10_000, ByteBound));
    let stats = stats(config, &testkit::SampleRun::steady(3));
    assert_eq!((stats.strategy.as_str(), stats.ceiling_step), ("marker", Some(0)));
}
