//! How often the loop and its strategy together count the same text.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use ptc_compression::{
    AppendOnly, ByteBound, Ceiling, Compression, CompressionConfig, RollingWindow, SingleUserCoalesced, TokenCounter,
};

use super::{agent, check};

/// Counts bytes, and how often it is asked for each text.
#[derive(Clone, Default)]
struct Counting(Arc<Mutex<BTreeMap<String, usize>>>);

impl TokenCounter for Counting {
    fn name(&self) -> &str {
        "counting"
    }

    fn count(&self, text: &str) -> usize {
        *self.0.lock().unwrap().entry(text.to_owned()).or_default() += 1;
        ByteBound.count(text)
    }
}

/// Runs below a ceiling with this much space left after the system text: the step of the ceiling in the last request,
/// and each counted text with its number of counts, without the system text.
fn counted(strategy: impl Compression + 'static, room: usize) -> (Option<usize>, usize, BTreeMap<String, usize>) {
    let system = agent().build().unwrap().system_prompt().unwrap().text;
    let counter = Counting::default();
    let ceiling = Ceiling::new(system.len() + room, counter.clone());
    let loud = "(def long (vec (range 300))) (println (apply str (repeat 9 \"all work \"))) (tool/quote-room {:room 1 :nights 2})";
    let seen = check(
        agent().max_turns(6).compression(CompressionConfig::from(strategy).with_ceiling(ceiling)),
        &[loud, loud, loud, "(broken", "(return 1)"],
    );
    assert_eq!((seen.end().as_str(), seen.requests.len()), ("return 1", 5));
    let mut texts = counter.0.lock().unwrap().clone();
    let times = texts.remove(&system).unwrap();
    (seen.step.usage.compression.unwrap().ceiling_step, times, texts)
}

#[test]
fn the_system_text_is_counted_once_in_a_run() {
    for room in [700, 1_000, 1_500] {
        assert_eq!(counted(SingleUserCoalesced::default(), room).1, 1);
        assert_eq!(counted(RollingWindow::default(), room).1, 1);
        assert_eq!(counted(AppendOnly::default(), room).1, 1);
    }
}

/// Fitting, checking and estimating together count a request once, and its stable beginning only in the first request.
#[test]
fn no_text_is_counted_twice() {
    for (room, step) in [(700, 9), (900, 5), (1_500, 0)] {
        let (last_step, _, texts) = counted(SingleUserCoalesced::default(), room);
        assert_eq!(last_step, Some(step));
        assert!(texts.values().all(|times| *times == 1), "{texts:#?}");
    }
}
