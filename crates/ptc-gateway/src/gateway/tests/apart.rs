//! Sessions of one gateway are isolated from each other, whichever of their programs run at once.

use proptest::prelude::*;

use super::*;
use crate::Gateway;

/// `MINE` is the name of the client; what others must not see begins with `canary`.
const PROGRAMS: [&str; 7] = [
    "(def mine \"canary-MINE\") (println mine)",
    "(def shared (str \"canary-MINE-\" (:twice (tool/look {:n 3}))))",
    "[mine shared]",
    "[data/last \"canary-MINE\"]",
    "(pmap (fn [n] (assoc (tool/look {:n n}) :of \"canary-MINE\")) [1 2 3])",
    "(throw (ex-info \"canary-MINE\" {:at mine}))",
    "(tool/lok {:n 1})",
];

const NAMES: [&str; 3] = ["alma", "bero", "cora"];

/// Each client's program of a round, all started before the first has ended; no client sees another's data.
async fn round(gateway: &Gateway, programs: &[usize], sessions: &mut [Option<String>]) {
    let sources = programs.iter().zip(NAMES).map(|(program, name)| PROGRAMS[*program].replace("MINE", name));
    let asked = sources.zip(sessions.iter()).map(|(program, session)| {
        let session = session.clone();
        async move { report(gateway, &program, session.as_deref()).await }
    });
    let said = futures::future::join_all(asked).await;
    for ((name, session), said) in NAMES.iter().zip(sessions).zip(said) {
        let handle = said["session"].as_str().map(str::to_owned);
        assert!(session.is_none() || *session == handle, "{said}");
        *session = handle;
        for other in NAMES.iter().filter(|other| *other != name) {
            assert!(!said.to_string().contains(other), "{name} hears of {other}: {said}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    #[test]
    fn sessions_of_one_gateway_hear_nothing_of_each_other(
        rounds in prop::collection::vec(prop::collection::vec(0..PROGRAMS.len(), 3), 2..6)
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let folder = tempfile::tempdir().unwrap();
            let gateway = gateway(folder.path(), "").await;
            let mut sessions = vec![None; 3];
            for programs in &rounds {
                round(&gateway, programs, &mut sessions).await;
            }
            // What each defined is there, and its own.
            round(&gateway, &[0; 3], &mut sessions).await;
            for (name, session) in NAMES.iter().zip(&sessions) {
                let said = report(&gateway, "mine", session.as_deref()).await;
                assert!(said.to_string().contains(&format!("canary-{name}")), "{said}");
            }
        });
    }
}
