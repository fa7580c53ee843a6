//! Requests below a ceiling: what is left out, in which order, and that this is enough.

use insta::assert_snapshot;
use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::sample_runs::{Agent, call, define, failure, fields, map, worked_example};
use crate::testkit;
use crate::{
    Aggressive, ByteBound, Caps, Ceiling, CompressionConfig, Digest, History, O200k, PerTurnSummary, PlainOptions,
    Redactor, RollingWindow, SingleUserCoalesced, Strategy, TokenCounter, ViewLimits,
};
use ptc_lisp::testing::test_cases;

/// A strategy below a ceiling as one strategy: its requests are those of a history.
struct Below {
    name: String,
    config: CompressionConfig,
    system: &'static str,
}

fn below(strategy: impl Into<CompressionConfig>, max_tokens: usize) -> Below {
    below_counting(strategy, max_tokens, ByteBound)
}

fn below_counting(
    strategy: impl Into<CompressionConfig>,
    max_tokens: usize,
    counter: impl TokenCounter + 'static,
) -> Below {
    let config = strategy.into().with_ceiling(Ceiling::new(max_tokens, counter));
    Below { name: config.strategy().unwrap().name().to_owned(), config, system: "" }
}

impl Below {
    fn history(&self, input: &RenderInput<'_>) -> History {
        History::start(&self.config, self.system, PlainOptions::new(input.turns_left, 0), input)
    }

    fn request(&self, turns: &[Turn], memory: &Memory, input: &RenderInput<'_>) -> NextRequest {
        self.history(input).after(turns, "").request_with(memory, input)
    }
}

impl Compression for Below {
    fn name(&self) -> &str {
        &self.name
    }

    fn to_messages(&self, turns: &[Turn], memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        let NextRequest { messages, stats, .. } = self.request(turns, memory, input);
        Rendered { messages, stats: stats.unwrap() }
    }
}

fn keeps_rules(strategy: &Below, histories: u32) {
    if let Err(violation) = testkit::check(strategy, test_cases(histories) as usize, 2026) {
        panic!("{violation}");
    }
}

/// Proves: ARC-012, MSG-007.
#[test]
fn the_rules_hold_below_any_ceiling() {
    keeps_rules(&below(SingleUserCoalesced::default(), 2_000), 10_000);
    keeps_rules(
        &below(SingleUserCoalesced::from(ViewLimits { tool_results: true, ..ViewLimits::default() }), 400),
        2_000,
    );
    keeps_rules(&below(RollingWindow::default(), 1_500), 2_000);
    keeps_rules(&below(PerTurnSummary::default(), 2_500), 2_000);
    keeps_rules(&below(Aggressive::default(), 900), 2_000);
    keeps_rules(&below_counting(RollingWindow::default(), 600, O200k), 2_000);
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
    let limit = ceiling.config.ceiling().unwrap();
    assert!(limit.check(&limit.requests(""), &rendered.messages).is_ok());
    let whole = render(&below(Verbose, 100_000), &history);
    assert_eq!((whole.stats.strategy.as_str(), whole.stats.ceiling_step), ("verbose", Some(0)));
    assert_eq!(
        (whole.stats.printlns_total, whole.stats.printlns_shown),
        (13, 0),
        "only the strategy knows what it shows"
    );
}

/// Turns with plenty of everything: the last one failed.
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

/// Proves: ARC-012.
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
    let own = input.opening(ViewLimits::default().samples(), true).unwrap().text;
    let strategy = SingleUserCoalesced::default();
    let first = strategy.to_messages(&[], &Memory::default(), &input);
    let prefix = |max_tokens: usize| {
        let ceiling = Ceiling::new(max_tokens, ByteBound);
        Prefix::of(&first, &input, |messages| ceiling.check(&ceiling.requests(""), &messages).is_ok())
    };
    let needed = 3 + 4 + 2 * (4 + own.len());
    let prefix_of_own = prefix(needed);
    assert_eq!((prefix_of_own.text, prefix_of_own.is_shortened), (own.clone(), false));
    let shortened = prefix(needed - 1);
    assert!(shortened.is_shortened && shortened.text == input.short_opening(Detail::ShortSamples));
    assert_eq!(prefix(1).text, input.short_opening(Detail::Names));
}

/// The replacement of a hidden word has more tokens than the word.
#[test]
fn what_is_counted_is_what_is_sent() {
    let (hidden, shown) = (map(json!({"_word": "bookings"})), map(json!({"word": "bookings"})));
    let agent = Agent::bookings();
    let prints = (0..15).map(|_| "bookings ".repeat(20)).collect();
    let turns = [Turn::success(ptc_transcript::TurnFields { prints, ..fields(1, "(println)") })];
    let strategy = below_counting(SingleUserCoalesced::default(), 700, O200k);
    let request = |data| strategy.request(&turns, &Memory::default(), &RenderInput { data, ..agent.input(3) });
    let (seen, blind) = (request(&hidden), request(&shown));
    let mut late = blind.messages;
    Redactor::new(&hidden, &Memory::default()).redact_messages(&mut late);
    let tokens = |messages: &[Message]| strategy.config.ceiling().unwrap().requests("").tokens(messages);
    assert!(tokens(&seen.messages) <= 700 && tokens(&late) > 700, "{} {}", tokens(&seen.messages), tokens(&late));
    assert_eq!(seen.estimate.total() as usize, tokens(&seen.messages));
    assert!(blind.stats.unwrap().printlns_shown > seen.stats.unwrap().printlns_shown);
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
            ..fields(number, &format!("(go) ;{}", " because".repeat(200)))
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
    let below = render(&below_counting(SingleUserCoalesced::default(), 500_000, O200k), &worked_example());
    assert_eq!(below.messages, plain.messages);
    assert_eq!(below.stats.ceiling_step, Some(0));
}

proptest! {
    /// No request exceeds the ceiling, unless nothing is left to omit.
    #[test]
    fn requests_fit(seed: u64, max_tokens in 60..1_200_usize, which in 0..Strategy::NAMES.len(), length in 0..8) {
        let run = if length == 7 { testkit::SampleRun::long(seed) } else { testkit::SampleRun::random(seed) };
        let strategy = Strategy::all()[which].to_compression();
        let strategy = Below { system: "Write programs.", ..below_counting(strategy, max_tokens, O200k) };
        let seen = run.turns().len();
        let (input, memory) = (run.input(seen), run.memory(seen));
        let request = strategy.request(run.turns(), &memory, &input);
        let tokens = strategy.config.ceiling().unwrap().requests(strategy.system).tokens(&request.messages);
        prop_assert_eq!(request.over_ceiling.is_none(), tokens <= max_tokens);
        prop_assert_eq!(request.estimate.total() as usize, tokens);
        prop_assert!(request.fits() || request.stats.as_ref().unwrap().ceiling_step == Some(10));
        // Parts are counted one by one; a provider that counts whole messages counts no more.
        let texts = request.messages.iter().map(Message::content).chain([strategy.system.into()]);
        let whole: usize = texts.map(|text| 4 + O200k.count(&text)).sum();
        prop_assert!(whole + 3 <= tokens, "{whole} and 3 instead of {tokens}");
    }
}
