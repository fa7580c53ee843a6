//! How history is shown after a crash: as the journal says, and as the resumed run is configured.

use insta::assert_snapshot;
use ptc_compression::{Aggressive, Compression, CompressionConfig, RenderInput, Rendered, RollingWindow};
use ptc_transcript::Step;

use super::{CALLING, Setting, course, first_lines, lines_before, texts};
use crate::agent::AgentBuilder;
use crate::drive::RunOptions;

const LONG: [&str; 5] = ["(println \"one\")", "(println \"two\")", "(totl 3)", "(println \"four\")", "(return 5)"];

/// What was sent for each turn, as one text.
fn sent(step: &Step) -> Vec<String> {
    let text = |turn: &ptc_transcript::Turn| {
        turn.messages().into_iter().flatten().map(|message| format!("{}\n", message.content())).collect()
    };
    step.turns().iter().map(text).collect()
}

#[test]
fn a_resumed_run_shows_its_history_as_its_journal_says() {
    let programs = texts(&LONG);
    let collecting = RunOptions::new().collect_messages(true);
    let rolling = |builder: AgentBuilder| builder.compression(RollingWindow::new().window(1));
    let plain = Setting { options: collecting.clone(), ..Setting::of(&programs) };
    let whole =
        Setting { change: rolling, ..Setting { options: collecting.clone(), ..Setting::of(&programs) } }.run(b"");
    let left = first_lines(&whole.journal, lines_before(&whole.journal, "\"turn\":3"));
    // The agent at hand has another way: the recorded one applies.
    let resumed = plain.run(&left);
    assert_eq!(sent(resumed.step()), sent(whole.step()));
    assert_eq!((resumed.json(), course(&resumed.journal)), (whole.json(), course(&whole.journal)));
}

#[test]
fn another_compression_holds_from_the_first_new_turn_on() {
    let programs = texts(&LONG);
    let told = |config: Option<CompressionConfig>| {
        let mut options = RunOptions::new().collect_messages(true);
        options.compression = config;
        Setting { options, ..Setting::of(&programs) }
    };
    let (rolling, small) =
        (CompressionConfig::from(RollingWindow::new().window(1)), CompressionConfig::from(Aggressive::new()));
    let rolled = told(Some(rolling.clone())).run(b"");
    let left = first_lines(&rolled.journal, lines_before(&rolled.journal, "\"turn\":3"));
    let resumed = told(Some(small.clone())).run(&left);
    assert_eq!(resumed.asked[0], (3, 1), "turns 1 and 2 are known");
    let [before, after] = [&rolled, &told(Some(small.clone())).run(b"")].map(|process| sent(process.step()));
    let mixed = sent(resumed.step());
    assert_eq!((&mixed[..2], &mixed[2..]), (&before[..2], &after[2..]));
    let uses: Vec<_> =
        resumed.step().compression.iter().map(|known| (known.from_turn, known.compression.clone())).collect();
    assert_eq!(uses, [(1, rolling.to_record()), (3, small.to_record())]);

    // It is in the journal: resumed again without the option, and read back, the run is the same.
    let left = first_lines(&resumed.journal, lines_before(&resumed.journal, "\"turn\":4"));
    let again = told(None).run(&left);
    assert_eq!((sent(again.step()), course(&again.journal)), (mixed, course(&resumed.journal)));
    let read = crate::recorded_step(resumed.recorded()).expect("a step");
    assert_eq!(read.compression, resumed.step().compression);
    assert_eq!(read.usage.estimates, resumed.step().usage.estimates);
    // The same way as before changes nothing.
    assert_eq!(course(&told(Some(small)).run(&left).journal), course(&resumed.journal));
}

#[test]
fn what_was_chosen_last_holds_when_nothing_came_of_the_choice_before() {
    let programs = texts(&LONG);
    let told = |config: CompressionConfig| Setting {
        options: RunOptions::new().compression(config),
        ..Setting::of(&programs)
    };
    let whole = Setting::of(&programs).run(b"");
    let left = first_lines(&whole.journal, lines_before(&whole.journal, "\"turn\":3"));
    let first = told(Aggressive::new().into()).run(&left);
    let left = first_lines(&first.journal, lines_before(&first.journal, "\"turn\":3"));
    assert!(
        String::from_utf8_lossy(&left)
            .contains("{\"type\":\"compression\",\"from_turn\":3,\"strategy\":\"aggressive\"")
    );
    let second = told(RollingWindow::new().into()).run(&left);
    let names: Vec<_> = second
        .step()
        .compression
        .iter()
        .map(|known| (known.from_turn, known.compression.strategy.as_deref()))
        .collect();
    assert_eq!(names, [(1, None), (3, Some("rolling-window"))]);
}

/// A finished run only returns its result, and one that is refused leaves its journal as it is.
#[test]
fn a_choice_that_no_request_shows_is_not_written() {
    let programs = texts(&LONG);
    let whole = Setting::of(&programs).run(b"");
    let told = RunOptions::new().compression(Aggressive::new());
    let over = Setting { options: told.clone(), ..Setting::of(&programs) }.run(&whole.journal);
    assert_eq!((over.asked.len(), &over.journal), (0, &whole.journal));
    let left = first_lines(&whole.journal, lines_before(&whole.journal, "\"turn\":3"));
    let thinking = |builder: AgentBuilder| builder.thinking(true);
    let refused = Setting { options: told, change: thinking, ..Setting::of(&programs) }.run(&left);
    assert!(refused.outcome.is_err());
    assert_eq!(refused.journal, left);
}

/// A custom strategy.
struct Mine;

impl Compression for Mine {
    fn name(&self) -> &str {
        "mine"
    }

    fn to_messages(&self, turns: &[ptc_transcript::Turn], _: &ptc_lisp::Memory, input: &RenderInput<'_>) -> Rendered {
        vec![ptc_chat::Message::user(format!("{} after {} turns", input.mission, turns.len()))].into()
    }
}

#[test]
fn a_run_with_a_custom_strategy_is_resumed_with_it_only() {
    let programs = texts(&CALLING);
    let custom = |builder: AgentBuilder| builder.compression(Mine);
    let mine = Setting { change: custom, ..Setting::of(&programs) };
    let whole = mine.run(b"");
    let left = first_lines(&whole.journal, lines_before(&whole.journal, "\"turn\":2"));
    assert_eq!(mine.run(&left).json(), whole.json());
    assert_snapshot!(Setting::of(&programs).run(&left).error(), @"the journal cannot be resumed: the strategy `mine` is not one of this release (single-user-coalesced, digest, rolling-window, per-turn-summary, aggressive, append-only): it is a custom one or newer; give the run the strategy that it had");
}
