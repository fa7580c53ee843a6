//! The same missions, few of them, on a clock that only runs while all tasks wait: their counts are exact.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::agents::{self, CALLS, LATENCY, Late, TOTAL, TURNS};

const AGENTS: usize = 200;

#[tokio::test(start_paused = true)]
async fn many_agents_each_take_their_five_turns_and_nobody_waits_for_another() {
    let (agent, calls) = agents::agent().expect("an agent");
    let llm = Arc::new(Late::new(LATENCY));
    let mut missions = JoinSet::new();
    let began = Instant::now();
    for number in 0..AGENTS {
        missions.spawn(agents::mission(agent.clone(), Arc::clone(&llm), number));
    }
    let mut endings: HashMap<String, usize> = HashMap::new();
    while let Some(step) = missions.join_next().await {
        let step = step.expect("a mission that does not panic").expect("a mission that starts");
        assert_eq!(step.value::<i64>().expect("a number"), TOTAL);
        assert_eq!((step.usage.turns, step.usage.llm_requests), (TURNS, Some(TURNS as u64)));
        *endings.entry(step.ending.as_str().to_owned()).or_default() += 1;
    }
    assert_eq!(endings, HashMap::from([("return".to_owned(), AGENTS)]));
    assert_eq!(llm.requests.load(Ordering::Relaxed), AGENTS * TURNS);
    assert_eq!(calls.load(Ordering::Relaxed), AGENTS * TURNS * CALLS);
    assert_eq!(began.elapsed(), LATENCY * TURNS as u32);
}
