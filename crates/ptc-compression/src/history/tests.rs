use proptest::prelude::*;

use super::*;
use crate::{O200k, Strategy, testkit};

proptest! {
    // A case renders up to a hundred requests.
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Earlier requests and the time when turns were pushed do not change a request.
    #[test]
    fn a_request_depends_on_turns_and_memory_alone(
        seed: u64,
        which in 0..=Strategy::NAMES.len(),
        ceiling in prop::option::of(60..3_000_usize),
        is_long: bool,
    ) {
        let run = if is_long { testkit::SampleRun::long(seed) } else { testkit::SampleRun::random(seed) };
        let strategy = Strategy::all().get(which).map(Strategy::to_compression);
        let config = match (strategy, ceiling) {
            (Some(strategy), Some(max_tokens)) => CompressionConfig::from(strategy).with_ceiling(Ceiling::new(max_tokens, O200k)),
            (strategy, _) => strategy.into(),
        };
        let start = || History::start(&config, "Write programs.", PlainOptions::new(40, 0), &run.input(0));
        let mut asked = start();
        for seen in 0..=run.turns().len() {
            let (memory, input) = (run.memory(seen), run.input(seen));
            let next = asked.request(&memory, &input);
            if seen % 13 == 3 || seen == run.turns().len() {
                let mut fresh = start();
                run.after(seen).iter().for_each(|turn| fresh.push(turn, input.progress));
                prop_assert_eq!(&fresh.request(&memory, &input), &next);
            }
            prop_assert_eq!(next.estimate.turn, seen + 1);
            if let Some(turn) = run.turns().get(seen) {
                asked.push(turn, input.progress);
            }
        }
    }
}
