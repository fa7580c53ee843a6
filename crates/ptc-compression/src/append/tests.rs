use insta::assert_snapshot;
use proptest::prelude::*;
use ptc_chat::{Message, Repeats};
use ptc_transcript::{CompressionStats, Turn};

use super::*;
use crate::sample_runs::{Agent, repeated, worked_example};
use crate::testkit::SampleRun;
use crate::{Compression, Rendered, SingleUserCoalesced};

fn render(strategy: &AppendOnly, history: &SampleRun, seen: usize) -> Rendered {
    strategy.to_messages(history.after(seen), &history.memory(seen), &history.input(seen))
}

#[test]
fn a_report_stands_behind_each_program() {
    let turns = worked_example();
    let memory = turns[2].memory().clone();
    let rendered = AppendOnly::default().to_messages(&turns, &memory, &Agent::bookings().input(1));
    let texts: Vec<String> = rendered.messages[1..].iter().map(|message| message.content().into_owned()).collect();
    assert_snapshot!(texts.join("\n~~~\n"), @r#"
    ```clojure
    (def rate 89.5)
    (tool/quote-room {:room 12 :nights 3})
    ```
    ~~~
    ;; === user/ (your prelude) ===
    rate                          ; = float, sample: 89.5

    ;; Tool calls made:
    ;   quote-room({:room 12 :nights 3})
    ~~~
    ```clojure
    (println "3 fit")
    ```
    ~~~
    ;; Output:
    3 fit

    FINAL TURN - you must call (return result) or (fail reason) now.
    "#);
    assert_eq!(rendered.stats.turns_compressed, 1, "the failed one");
}

#[test]
fn what_grew_too_long_is_merged() {
    let turns = worked_example();
    let strategy = AppendOnly { append_bytes: 20, ..AppendOnly::default() };
    let rendered = strategy.to_messages(&turns, turns[2].memory(), &Agent::bookings().input(1));
    let merged = SingleUserCoalesced::default().to_messages(&turns, turns[2].memory(), &Agent::bookings().input(1));
    assert_eq!(rendered.messages.iter().map(Message::content).collect::<Vec<_>>(), [merged.messages[0].content()]);
    assert_eq!(rendered.stats, CompressionStats { strategy: AppendOnly::NAME.to_owned(), ..merged.stats });
}

#[test]
fn definitions_that_a_run_begins_with_are_shown_once() {
    let history = worked_example();
    let memory = history[0].memory().clone();
    let agent = Agent::bookings();
    let listed = |turns: &[Turn]| {
        let rendered = AppendOnly::default().to_messages(turns, &memory, &agent.input(3));
        rendered.messages.iter().map(|message| message.content().matches("\nrate  ").count()).sum::<usize>()
    };
    assert_eq!([listed(&[]), listed(&history[1..2]), listed(&history[1..]), listed(&history)], [1; 4]);
}

proptest! {
    /// All but the closing parts of a request starts the next one, unless it was rewritten.
    #[test]
    fn requests_go_on_where_the_last_one_ended(seed: u64, append_bytes in 0..3_000_usize) {
        let history = SampleRun::random(seed);
        let strategy = AppendOnly { append_bytes, ..AppendOnly::default() };
        let mut rewritten = 0;
        for seen in 1..history.turns().len() {
            let (one, next) = (render(&strategy, &history, seen), render(&strategy, &history, seen + 1));
            if next.messages.len() < one.messages.len() || one.messages.len() == 1 {
                rewritten += 1;
                continue;
            }
            prop_assert!(repeated(&next.messages).starts_with(&repeated(&one.messages)));
            prop_assert_eq!(one.messages.last().unwrap().parts.last().unwrap().repeats, Repeats::No);
            prop_assert_eq!(one.messages.iter().flat_map(|message| &*message.parts).filter(|part| part.repeats == Repeats::No).count(), 1);
        }
        prop_assert!(append_bytes > 0 || rewritten + 1 >= history.turns().len());
    }
}
