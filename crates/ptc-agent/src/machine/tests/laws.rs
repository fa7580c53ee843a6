//! What holds for every run.

use proptest::prelude::*;
use serde_json::json;

use super::{agent, check_raw};
use crate::{Run, RunOptions};

const PROGRAMS: [&str; 8] = [
    "(def a (inc (or data/n 0)))",
    "(println data/n \"and\" data/_token)",
    "(foo)",
    "(tool/quote-room {:room 1 :nights data/n})",
    "(def _kept data/_token) (def m {:_t data/_token :n 1}) (println m)",
    "(tool/fail-now {})",
    "no program",
    "(throw (ex-info (str \"bad \" data/_token) {}))",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Proves: NS-012.
    #[test]
    fn prefixes_are_stable_and_secrets_stay_hidden(
        picks in prop::collection::vec(0..PROGRAMS.len(), 1..6),
        compression in any::<bool>(),
        token in "[a-z]{4}[0-9]{4}[A-Z]{4}",
        n in 1..9,
    ) {
        let answers: Vec<_> = picks.iter().map(|pick| Ok(PROGRAMS[*pick].into())).chain([Ok("(return 1)".into())]).collect();
        let data = json!({"n": n, "_token": token, "nested": [{"_token": format!("{token}-2"), "name": "x"}]});
        let seen = check_raw(agent().max_turns(8).compression(compression), answers, data, RunOptions::default());
        prop_assert_eq!(seen.end(), "return 1");
        prop_assert_eq!(seen.step.turns().len(), picks.len() + 1);
        prop_assert!(seen.step.turns().iter().enumerate().all(|(index, turn)| turn.number() == index + 1));
        let sent = serde_json::to_string(&seen.requests).expect("JSON");
        prop_assert!(!sent.contains(&token), "{} in {}", token, sent);
        let prefix = |request: &ptc_chat::Request| {
            let first = &request.messages[0];
            (request.system.clone(), first.content()[..first.stable_bytes()].to_owned())
        };
        prop_assert!(seen.requests.iter().all(|request| prefix(request) == prefix(&seen.requests[0])));
        if !compression {
            for pair in seen.requests.windows(2) {
                prop_assert!(pair[1].messages.len() == pair[0].messages.len() + 2);
            }
        }
    }
}

#[test]
fn a_run_can_move_between_threads() {
    fn is_send<T: Send>() {}
    is_send::<Run>();
}
