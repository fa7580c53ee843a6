//! What is sent to a model: the mission with its data, and the history.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion};
use ptc_runner::compression::{
    self, Ceiling, CompressionConfig, O200k, PlainHistory, PlainOptions, Strategy, renderer_of,
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

/// Requests after 10, 100 and 1,000 turns by each strategy, from the whole history and with the renderer that a run
/// keeps, and the cost of the dialogue without compression.
pub fn histories(c: &mut Criterion) {
    let mut group = c.benchmark_group("render");
    for turns in [10, 100, 1_000] {
        let history = History::new(turns);
        for strategy in Strategy::all() {
            let (name, strategy) = (strategy.name(), strategy.to_compression());
            group.bench_function(BenchmarkId::new(name, turns), |b| {
                b.iter(|| strategy.to_messages(&history.turns, &history.memory, &history.input()));
            });
            let mut kept = renderer_of(&strategy);
            history.turns.iter().for_each(|turn| kept.push(turn));
            group.bench_function(BenchmarkId::new(format!("{name}-kept"), turns), |b| {
                b.iter(|| kept.render(&history.memory, &history.input()));
            });
        }
        // One ceiling that is not reached, and one that leaves names only.
        for (name, max_tokens) in [("high-ceiling", 500_000), ("low-ceiling", 400)] {
            let config = CompressionConfig::from(true).with_ceiling(Ceiling::new(max_tokens, O200k));
            let plain = PlainOptions::new(turns, 0);
            let kept = compression::History::start(&config, "", plain, &history.input()).after(&history.turns, "");
            group.bench_function(BenchmarkId::new(format!("{name}-kept"), turns), |b| {
                b.iter(|| kept.request(&history.memory, &history.input()));
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
