//! When turns are merged, what stands behind them, and what may stand twice.

use insta::assert_snapshot;
use proptest::prelude::*;
use ptc_chat::Repeats;
use ptc_transcript::{CompressionStats, TurnFields};
use serde_json::json;

use super::*;
use crate::SingleUserCoalesced;
use crate::sample_runs::{Agent, call, failure, fields, memory};
use crate::testkit::History;

/// What follows the stable prefix.
fn history(strategy: &dyn Compression, turns: &[Turn]) -> String {
    let memory = turns.last().map(|turn| turn.memory().clone()).unwrap_or_default();
    let message = strategy.to_messages(turns, &memory, &Agent::bookings().input(2)).messages.remove(0);
    message.content()[message.stable_bytes()..].trim_start().to_owned()
}

#[test]
fn a_long_history_grows_at_its_end() {
    let print = |number: usize| Turn::success(TurnFields { prints: vec!["x".repeat(120)], ..fields(number, "(go)") });
    let quote = |number: usize| TurnFields { tool_calls: vec![call("quote-room", json!({"room": number}))], ..fields(number, "(quote)") };
    let rate = TurnFields { memory: memory(&[("rate", json!(89.5))]), ..fields(11, "(def rate 89.5)") };
    let failed = TurnFields { memory: rate.memory.clone(), ..fields(12, "(totl)") };
    let mut turns: Vec<Turn> = (1..=8).map(print).collect();
    turns.extend([quote(9), quote(10), rate].map(Turn::success));
    turns.push(failure(failed, "undefined_symbol", "undefined symbol 'totl'"));

    let text = |strategy: &dyn Compression, seen: usize| {
        let text = history(strategy, &turns[..seen]);
        let start = text.find(";; No tool").or_else(|| text.find(";; Tool calls made")).unwrap();
        text[start..].replace(&"x".repeat(120), "xxx")
    };
    let long = text(&Digest::new(), 12);
    assert_snapshot!(long, @"
    ;; Tool calls made:
    ;   quote-room({:room 9})

    ;; Output:
    xxx
    xxx
    xxx
    xxx
    xxx
    xxx
    xxx
    xxx

    ;; Since then, turn by turn. Of a name that is listed again, the last line holds.

    ;; Turn 10

    ;; Tool calls made:
    ;   quote-room({:room 10})

    ;; Turn 11

    ;; === user/ (your prelude) ===
    rate                          ; = float

    ---
    Your previous attempt:
    ```clojure
    (totl)
    ```

    Error: undefined symbol 'totl'
    ---

    Turns left: 2
    ");
    // Nothing stays that says that there was no call.
    assert!(text(&Digest::new(), 8).starts_with(";; No tool calls made"));
    let merged = text(&Digest::new(), 9);
    assert_eq!(merged, text(&SingleUserCoalesced::new(), 9));
    assert!(long.starts_with(merged.strip_suffix("Turns left: 2").unwrap()), "{merged}");
}

/// Bytes of the parts that are such.
fn bytes(rendered: &Rendered, such: impl Fn(Repeats) -> bool) -> usize {
    rendered.messages[0].parts.iter().filter(|part| such(part.repeats)).map(|part| part.text.len()).sum()
}

proptest! {
    /// A request is what the reference would send, or the one before goes on, by half of it at most; limits are never exceeded
    /// by more than themselves.
    #[test]
    fn requests_go_on_until_they_are_merged(seed: u64, prints in 1..20_usize, calls in 1..20_usize) {
        let history = History::random(seed);
        let limits = Limits { println_limit: prints, tool_call_limit: calls, ..Limits::default() };
        let strategies: [&dyn Compression; 2] = [&Digest { limits }, &SingleUserCoalesced { limits }];
        let (mut merged_bytes, mut before) = (0, Vec::new());
        for seen in 0..=history.turns().len() {
            let [appending, merged] = strategies.map(|strategy| {
                strategy.to_messages(history.after(seen), &history.memory(seen), &history.input(seen))
            });
            let text = appending.messages[0].content();
            if text == merged.messages[0].content() {
                prop_assert_eq!(&appending.stats, &CompressionStats { strategy: Digest::NAME.to_owned(), ..merged.stats.clone() });
                merged_bytes = bytes(&merged, |repeats| repeats != Repeats::Run);
            } else {
                prop_assert!(appending.messages[0].parts.starts_with(&before), "{text}");
                // Each report stands behind a blank line.
                let blank_lines = 2 * text.matches("\n;; Turn ").count();
                let repeated = bytes(&appending, |repeats| repeats == Repeats::Next);
                let note = REPORTS_NOTE.len() + 2;
                prop_assert!(repeated <= merged_bytes * 3 / 2 + blank_lines + note, "{text}");
                let stats = [&appending.stats, &merged.stats].map(|stats| (stats.printlns_shown, stats.tool_calls_shown));
                prop_assert!(stats[0].0 >= stats[1].0 && stats[0].0 <= 2 * prints, "{stats:?}");
                prop_assert!(stats[0].1 >= stats[1].1 && stats[0].1 <= 2 * calls, "{stats:?}");
            }
            let parts = appending.messages[0].parts.iter();
            before = parts.filter(|part| part.repeats != Repeats::No).cloned().collect();
        }
    }
}
