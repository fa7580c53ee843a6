//! Requests below a ceiling: what is left out, in which order, and that it is enough.

use insta::assert_snapshot;
use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::sample_runs::{Agent, call, define, failure, fields, map, worked_example};
use crate::testkit::{self, History};
use crate::{
    Aggressive, ByteBound, Caps, Digest, Limits, O200k, PerTurnSummary, Redactor, RollingWindow, SingleUserCoalesced,
    Strategy,
};

fn below(strategy: impl Compression + 'static, max_tokens: usize) -> TokenCeiling {
    TokenCeiling::with_counter(strategy, max_tokens, ByteBound)
}

fn keeps_rules(strategy: &TokenCeiling, histories: usize) {
    if let Err(violation) = testkit::check(strategy, histories, 2026) {
        panic!("{violation}");
    }
}

#[test]
fn the_rules_hold_below_any_ceiling() {
    keeps_rules(&below(SingleUserCoalesced::default(), 2_000), 10_000);
    keeps_rules(&below(SingleUserCoalesced::from(Limits { tool_results: true, ..Limits::default() }), 400), 2_000);
    keeps_rules(&below(RollingWindow::default(), 1_500), 2_000);
    keeps_rules(&below(PerTurnSummary::default(), 2_500), 2_000);
    keeps_rules(&below(Aggressive::default(), 900), 2_000);
    keeps_rules(&TokenCeiling::new(RollingWindow::default(), 600), 2_000);
}

/// A strategy that obeys no caps and writes its own beginning.
struct Verbose;

impl Compression for Verbose {
    fn name(&self) -> &str {
        "verbose"
    }

    fn to_messages(&self, turns: &[Turn], memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        let RenderInput { mission, tools, data, turns_left, .. } = *input;
        let plain = RenderInput { tools, turns_left, ..RenderInput::new(mission, data) };
        let mut rendered = SingleUserCoalesced::default().to_messages(turns, memory, &plain);
        rendered.stats = ptc_transcript::CompressionStats::default();
        rendered
    }
}

#[test]
fn strategies_of_ones_own_are_kept_below_it_too() {
    let ceiling = below(Verbose, 700);
    let history = turns();
    let rendered = render(&ceiling, &history);
    assert_eq!(rendered.stats.ceiling_step, Some(10));
    assert!(ceiling.ceiling.check(&ceiling.ceiling.requests(""), &rendered.messages).is_ok());
    let whole = render(&below(Verbose, 100_000), &history);
    assert_eq!(whole.stats, ptc_transcript::CompressionStats { ceiling_step: Some(0), ..Default::default() });
}

/// Turns with everything in abundance: the last one failed.
fn turns() -> Vec<Turn> {
    let text = |number: usize| format!("entry {number}: {}", "all work and no play ".repeat(5));
    let memory = Memory::new((0..4).map(|n| define(&format!("part-{n}"), json!([text(n), n, n]))).collect());
    let turn = |number: usize| {
        Turn::success(ptc_transcript::TurnFields {
            prints: if number < 12 { Vec::new() } else { vec![text(number)] },
            tool_calls: vec![call("quote-room", json!({"room": number, "nights": 3}))],
            memory: memory.clone(),
            ..fields(number, "(tool/quote-room {:room 1 :nights 3})")
        })
    };
    let fields = ptc_transcript::TurnFields {
        memory: memory.clone(),
        tool_calls: vec![call("pay", json!({"euros": 9}))],
        ..fields(25, "(boom)")
    };
    (1..25).map(turn).chain([failure(fields, "type_error", "expected int, got string\nsecond line")]).collect()
}

fn render(strategy: &dyn Compression, turns: &[Turn]) -> Rendered {
    let memory = turns.last().map(|turn| turn.memory().clone()).unwrap_or_default();
    strategy.to_messages(turns, &memory, &Agent::bookings().input(3))
}

fn text(rendered: &Rendered) -> String {
    rendered.messages.iter().map(|message| message.content().into_owned()).collect::<Vec<_>>().join("\n\n")
}

#[test]
fn steps_follow_the_documented_order() {
    let turns = turns();
    let ceilings = (400..9_000).rev().step_by(10);
    let mut seen = std::collections::BTreeMap::new();
    for rendered in ceilings.map(|max_tokens| render(&below(RollingWindow::default(), max_tokens), &turns)) {
        seen.entry(rendered.stats.ceiling_step.unwrap()).or_insert_with(|| text(&rendered));
    }
    let row = |(step, text): (&usize, &String)| {
        let shown =
            ["\nentry ", "quote-room({", "```clojure\n(tool", "Your previous", "Last error: expected int", "pay({"];
        format!("{step}: {}", shown.map(|what| text.matches(what).count().to_string()).join(" "))
    };
    let table = seen.iter().map(row).collect::<Vec<_>>().join("\n");
    // Prints, calls, programs, error with its program, line of the error, calls before the error.
    assert_snapshot!(table, @r"
    0: 13 20 3 1 0 1
    3: 8 20 3 1 0 1
    4: 3 20 3 1 0 1
    5: 1 20 3 1 0 1
    6: 1 10 2 1 0 1
    7: 1 3 1 1 0 1
    8: 1 1 0 1 0 1
    9: 1 0 0 0 1 1
    10: 0 0 0 0 1 1
    ");
}

#[test]
fn the_smallest_view_of_a_run() {
    let rendered = render(&below(SingleUserCoalesced::default(), 1), &turns());
    assert_snapshot!(text(&rendered), @"
    Which bookings fit into 250 euros?

    ;; === tool/ ===
    tool/list-rooms tool/quote-room

    ;; === data/ ===
    data/bookings data/currency data/limit

    Return: {kept :int}

    ;; === user/ (your prelude) ===
    part-0 part-1 part-2 part-3

    ;; Last error: expected int, got string second line

    ;; Note: these calls of failed programs took effect:
    ;   pay({:euros 9})

    Turns left: 3
    ");
}

#[test]
fn shorter_beginnings() {
    let agent = Agent::bookings();
    let data =
        map(json!({"bookings": [{"guest": "Ines with a very long name"}, {"guest": "Oto"}], "_key": "s3cret-canary"}));
    let input = RenderInput { data: &data, notes: "A note.", ..agent.input(3) };
    let shown = Detail::ALL.map(|detail| input.short_opening(detail));
    assert!(shown.iter().is_sorted_by_key(|text| std::cmp::Reverse(text.len())));
    assert_snapshot!(shown[1..].join("\n~~~\n"), @r"
    Which bookings fit into 250 euros?

    ;; === tool/ ===
    tool/list-rooms() -> [{no int, beds int}]
    tool/quote-room(room int, nights int) -> {total float}  ; Price of a stay

    ;; === data/ ===
    data/_key                     ; string
    data/bookings                 ; [{guest string, nights int}]

    # Expected Output

    The answer must have the type `{kept :int}`.

    Finish with `(return {:kept 42})`.

    A note.
    ~~~
    Which bookings fit into 250 euros?

    ;; === tool/ ===
    tool/list-rooms() -> [{no int, beds int}]
    tool/quote-room(room int, nights int) -> {total float}

    ;; === data/ ===
    data/_key                     ; string
    data/bookings                 ; [{guest string, nights int}]

    Return: {kept :int}

    A note.
    ~~~
    Which bookings fit into 250 euros?

    ;; === tool/ ===
    tool/list-rooms tool/quote-room

    ;; === data/ ===
    data/_key data/bookings

    Return: {kept :int}

    A note.
    ");
}

#[test]
fn the_beginning_leaves_half_of_the_ceiling_to_the_history() {
    let agent = Agent::bookings();
    let input = agent.input(3);
    let own = input.opening(Limits::default().samples(), true).unwrap().text;
    let prefix = |max_tokens: usize| {
        let strategy = below(SingleUserCoalesced::default(), max_tokens);
        strategy.prefix(&strategy.ceiling.requests(input.system), &input)
    };
    let needed = 3 + 4 + 2 * (4 + own.len());
    assert!(matches!(prefix(needed), Prefix::Own(text) if text == own));
    let shortened = prefix(needed - 1);
    assert!(
        matches!(&shortened, Prefix::Shortened(_)) && shortened.text() == input.short_opening(Detail::ShortSamples)
    );
    assert_eq!(prefix(1).text(), input.short_opening(Detail::Names));
}

/// What stands in for a hidden word has more tokens than the word.
#[test]
fn what_is_counted_is_what_is_sent() {
    let data = map(json!({"_word": "bookings"}));
    let redactor = Redactor::new(&data, &Memory::default());
    let agent = Agent::bookings();
    let prints = (0..15).map(|_| "bookings ".repeat(20)).collect();
    let turns = [Turn::success(ptc_transcript::TurnFields { prints, ..fields(1, "(println)") })];
    let strategy = TokenCeiling::new(SingleUserCoalesced::default(), 700);
    let render =
        |redactor| strategy.to_messages(&turns, &Memory::default(), &RenderInput { redactor, ..agent.input(3) });
    let (seen, blind) = (render(Some(&redactor)), render(None));
    let sent = |rendered: &Rendered| {
        let mut messages = rendered.messages.clone();
        redactor.redact_messages(&mut messages);
        strategy.ceiling.requests("").tokens(&messages)
    };
    assert!(sent(&seen) <= 700 && sent(&blind) > 700, "{} {}", sent(&seen), sent(&blind));
    assert!(blind.stats.printlns_shown > seen.stats.printlns_shown);
}

#[test]
fn what_was_appended_is_merged_before_anything_is_left_out() {
    let definitions =
        |count: usize| Memory::new((0..count).map(|n| define(&format!("part-{n:02}"), json!([n, n]))).collect());
    let turn = |number: usize| {
        let call = call("quote-room", json!({"room": number, "nights": 3}));
        Turn::success(ptc_transcript::TurnFields {
            tool_calls: vec![call],
            memory: definitions(20 + number),
            ..fields(number, "(go)")
        })
    };
    let turns: Vec<Turn> = (1..6).map(turn).collect();
    let digest = Digest::new().begin_at(0);
    let agent = Agent::bookings();
    let input = RenderInput { caps: Caps { merged: true, ..Caps::NONE }, ..agent.input(3) };
    let merged = text(&digest.to_messages(&turns, turns[4].memory(), &input));
    let grown = text(&render(&digest, &turns));
    assert!(grown.len() > merged.len() + 50 && grown.contains(";; Turn 5"), "{grown}");
    // Bytes are counted as tokens: 4 for each of two messages, 3 for the answer.
    let rendered = render(&below(digest, merged.len() + 11), &turns);
    assert_eq!((text(&rendered), rendered.stats.ceiling_step), (merged, Some(0)));
    assert_eq!((rendered.stats.tool_calls_dropped, rendered.stats.turns_compressed), (0, 5));
}

#[test]
fn the_worked_example_is_not_touched_by_a_high_ceiling() {
    let plain = render(&SingleUserCoalesced::default(), &worked_example());
    let below = render(&TokenCeiling::new(SingleUserCoalesced::default(), 500_000), &worked_example());
    assert_eq!(below.messages, plain.messages);
    assert_eq!(below.stats.ceiling_step, Some(0));
}

proptest! {
    /// No request exceeds the ceiling, unless nothing is left that could be left out.
    #[test]
    fn requests_fit(seed: u64, max_tokens in 60..1_200_usize, which in 0..Strategy::NAMES.len(), length in 0..8) {
        let history = if length == 7 { History::long(seed) } else { History::random(seed) };
        let strategy = TokenCeiling::new(Strategy::all()[which].to_compression(), max_tokens);
        let seen = history.turns().len();
        let input = RenderInput { system: "Write programs.", ..history.input(seen) };
        let rendered = strategy.to_messages(history.turns(), &history.memory(seen), &input);
        let requests = strategy.ceiling.requests(input.system);
        let checked = strategy.ceiling.check(&requests, &rendered.messages);
        let tokens = requests.tokens(&rendered.messages);
        prop_assert_eq!(checked.is_ok(), tokens <= max_tokens);
        prop_assert!(checked.is_ok() || rendered.stats.ceiling_step == Some(10));
        // Parts are counted one by one; as a provider counts, each message whole, there are no more.
        let texts = rendered.messages.iter().map(Message::content).chain([input.system.into()]);
        let whole: usize = texts.map(|text| 4 + O200k.count(&text)).sum();
        prop_assert!(whole + 3 <= tokens, "{whole} and 3 instead of {tokens}");
    }
}
