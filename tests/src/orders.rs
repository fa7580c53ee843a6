//! The orders example, `docs/examples/orders/`: 10,000 orders of a made-up shop, a mission over them, and its answer.
//!
//! Everything is a function of one seed. Another seed yields other customers, orders, exchange rates and another
//! answer; the recorded model answers stay the same, because they compute everything from the data.

mod answer;
mod shop;
#[cfg(test)]
mod tests;
mod texts;

pub use answer::answer;

/// The seed of the files that are committed.
pub const SHIPPED_SEED: u64 = 2024;

/// All files of the example for a seed: names with their texts (about 5 MB).
#[must_use]
pub fn files(seed: u64) -> Vec<(&'static str, String)> {
    let shop = shop::shop(seed);
    vec![
        ("orders.json", texts::orders(&shop)),
        ("customers.json", texts::customers(&shop)),
        ("mission.toml", texts::mission(&shop)),
        ("answers.jsonl", texts::answers()),
        ("expected.json", format!("{:#}\n", answer::of(&shop))),
    ]
}
