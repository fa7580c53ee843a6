//! The loop around the interpreter.

use criterion::{BenchmarkId, Criterion, Throughput};
use ptc_runner::agent::{Agent, blocking};
use ptc_runner::chat::ScriptedLlm;

/// Whole missions of small programs against a model that answers at once: what remains is the loop, turn by turn.
pub fn turns(c: &mut Criterion) {
    let mut group = c.benchmark_group("agent");
    group.sample_size(20);
    for turns in [1_u32, 10, 50] {
        let agent = Agent::builder("Count to the end.").returns::<u32>().max_turns(turns as usize).build().unwrap();
        let replies: Vec<String> =
            (1..turns).map(|turn| format!("(def step-{turn} {turn})")).chain([format!("(return {turns})")]).collect();
        let run = || blocking::run(&agent, &ScriptedLlm::replies(replies.clone()), serde_json::json!({})).unwrap();
        assert_eq!(run().value::<u32>().unwrap(), turns);
        group.throughput(Throughput::Elements(turns.into()));
        group.bench_function(BenchmarkId::new("turns", turns), |b| b.iter(run));
    }
    group.finish();
}
