//! What is sent to a model: the mission with its data, and the history.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{BenchmarkId, Criterion};
use ptc_runner::compression::{
    Compression, PlainHistory, PlainOptions, SingleUserCoalesced, Strategy, TokenCeiling, renderer_of,
};
use ptc_runner::mission::{MissionExpander, MissionValues};

use crate::history::History;

const MISSION: &str = "Sum what {{customer.name}} paid in {{region}} above {{limit}}, of {{orders}}. \
    {{#items}}Look at {{sku}}: {{qty}} at {{price}}.{{/items}} Answer in {{currency}}.";

/// A mission with values, references and a section over 20 elements.
pub fn missions(c: &mut Criterion) {
    let items: Vec<_> = (0..20).map(|n| serde_json::json!({"sku": format!("s{n}"), "qty": n, "price": 1.5})).collect();
    let orders: Vec<_> = (0..200).map(|n| serde_json::json!({"id": n, "amount": 9.5})).collect();
    let data = serde_json::json!({
        "customer": {"name": "Ines"}, "region": "north", "limit": 100, "orders": orders, "items": items, "currency": "EUR"});
    for (name, values) in [("inline", MissionValues::Inline), ("auto", MissionValues::Auto)] {
        c.bench_function(&format!("mission/{name}"), |b| {
            b.iter(|| MissionExpander::expand_mission(black_box(MISSION), &data, values))
        });
    }
}

/// Requests after 10, 100 and 1,000 turns by each strategy, from the whole history and by the renderer that a run
/// keeps, and what the dialogue costs without compression.
pub fn histories(c: &mut Criterion) {
    let mut group = c.benchmark_group("render");
    for turns in [10, 100, 1_000] {
        let history = History::new(turns);
        for (name, strategy) in strategies() {
            group.bench_function(BenchmarkId::new(name, turns), |b| {
                b.iter(|| strategy.to_messages(&history.turns, &history.memory, &history.input()));
            });
            let mut kept = renderer_of(&strategy);
            history.turns.iter().for_each(|turn| kept.push(turn));
            group.bench_function(BenchmarkId::new(format!("{name}-kept"), turns), |b| {
                b.iter(|| kept.render(&history.memory, &history.input()));
            });
        }
        group.bench_function(BenchmarkId::new("plain", turns), |b| {
            b.iter(|| {
                let mut plain = PlainHistory::start(&history.input(), PlainOptions::new(turns, 0));
                history.turns.iter().for_each(|turn| plain.push(turn, ""));
                plain
            });
        });
    }
    group.finish();
}

/// All strategies with their default options, and the default one below a ceiling that is not reached and below one
/// that leaves names only.
fn strategies() -> Vec<(&'static str, Arc<dyn Compression>)> {
    let below = |max_tokens: usize| Arc::new(TokenCeiling::new(SingleUserCoalesced::default(), max_tokens));
    let ceilings: [(&str, Arc<dyn Compression>); 2] = [("high-ceiling", below(500_000)), ("low-ceiling", below(400))];
    Strategy::all().iter().map(|strategy| (strategy.name(), strategy.to_compression())).chain(ceilings).collect()
}
