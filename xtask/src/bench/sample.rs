//! Times of one thing, as a measuring program prints them.

use serde::Deserialize;

/// What a measuring program prints: the driver, `cpython.py`, and every peer.
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct Samples {
    /// Nanoseconds of each run.
    pub(super) samples_ns: Vec<u64>,
    /// The answer of the workload.
    pub(super) answer: serde_json::Value,
}

impl Samples {
    /// The middle one in milliseconds; `None` for none.
    pub(super) fn median_ms(&self) -> Option<f64> {
        let mut sorted = self.samples_ns.clone();
        sorted.sort_unstable();
        let upper = *sorted.get(sorted.len() / 2)?;
        let lower = *sorted.get((sorted.len() - 1) / 2)?;
        Some(f64::midpoint(lower as f64, upper as f64) / 1e6)
    }

    /// These, and those of another round.
    pub(super) fn join(&mut self, other: Samples) {
        self.samples_ns.extend(other.samples_ns);
    }
}

/// Whether two answers agree: numbers up to rounding, everything else exactly.
pub(super) fn same_answer(left: &serde_json::Value, right: &serde_json::Value) -> bool {
    use serde_json::Value::{Array, Number, Object};
    match (left, right) {
        (Number(left), Number(right)) => match (left.as_f64(), right.as_f64()) {
            (Some(left), Some(right)) => (left - right).abs() <= 1e-9 * left.abs().max(right.abs()),
            _ => left == right,
        },
        (Array(left), Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same_answer(left, right))
        }
        (Object(left), Object(right)) => {
            left.len() == right.len()
                && left.iter().all(|(key, left)| right.get(key).is_some_and(|right| same_answer(left, right)))
        }
        _ => left == right,
    }
}
