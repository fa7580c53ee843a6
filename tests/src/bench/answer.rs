//! The expected answers of the workloads, computed without the interpreter.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Value, json};

use super::data::{Order, customers, orders};

pub(super) fn sum_with_two(size: u64) -> Value {
    json!(size + 2)
}

pub(super) fn paid_by_region(size: u64) -> Value {
    let mut regions: BTreeMap<&str, (u64, f64)> = BTreeMap::new();
    for order in orders(size).filter(|order| order.amount > 100.0 && order.status == "paid") {
        let (count, sum) = regions.entry(order.region).or_default();
        *count += 1;
        *sum += order.amount;
    }
    regions.iter().map(|(region, (count, sum))| json!({"region": region, "count": count, "sum": sum})).collect()
}

pub(super) fn fibonacci(size: u64) -> Value {
    let (number, _) = (0..size).fold((0_u64, 1_u64), |(this, next), _| (next, this + next));
    json!(number)
}

pub(super) fn sum_to(size: u64) -> Value {
    json!(size * (size + 1) / 2)
}

pub(super) fn totals(size: u64) -> Value {
    let mut totals: HashMap<String, f64> = HashMap::new();
    for order in orders(size) {
        *totals.entry(order.customer).or_default() += order.amount;
    }
    json!([totals.len(), totals.get("c42")])
}

pub(super) fn largest(size: u64) -> Value {
    let tiers: HashMap<String, &str> = customers().map(|customer| (customer.id, customer.tier)).collect();
    let mut lines: Vec<(f64, Order)> = orders(size).map(|order| (total(&order), order)).collect();
    lines.sort_by(|(left, _), (right, _)| right.total_cmp(left));
    let shown = lines.iter().take(10);
    shown.map(|(total, order)| json!({"id": order.id, "tier": tiers.get(&order.customer), "total": total})).collect()
}

fn total(order: &Order) -> f64 {
    order.items.iter().map(|item| item.qty as f64 * item.price).sum()
}

pub(super) fn pieces(size: u64) -> Value {
    json!(orders(size).filter(|order| order.customer.starts_with("c42")).count())
}

pub(super) fn queued(size: u64) -> Value {
    json!(size * size.saturating_sub(1))
}

pub(super) fn text_length(size: u64) -> Value {
    json!(size * "<0>".len() as u64)
}

pub(super) fn versions(size: u64) -> Value {
    json!([size + 1, size * size.saturating_sub(1) / 2])
}

pub(super) fn squares(size: u64) -> Value {
    json!([size, size.checked_sub(1).map(|last| last * last)])
}

pub(super) fn echoed(size: u64) -> Value {
    json!(size * size.saturating_sub(1) / 2)
}
