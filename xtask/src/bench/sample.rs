//! Times of one thing, as a measuring program prints them.

use serde::Deserialize;
use serde_json::Value as Json;

use crate::Failure;

/// What a measuring program prints: the driver, `cpython.py`, and every peer.
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct Samples {
    /// Nanoseconds of each run.
    pub(super) samples_ns: Vec<u64>,
    /// The answer of the workload.
    pub(super) answer: Json,
}

impl Samples {
    /// The middle one in milliseconds; `None` for none.
    pub(super) fn median_ms(&self) -> Option<f64> {
        median(self.samples_ns.iter().map(|sample| *sample as f64 / 1e6).collect())
    }

    /// These, and those of another round.
    pub(super) fn join(&mut self, other: Samples) {
        self.samples_ns.extend(other.samples_ns);
    }
}

/// The middle one, or the middle of the two; `None` for none.
pub(crate) fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    let upper = *numbers.get(numbers.len() / 2)?;
    let lower = *numbers.get((numbers.len() - 1) / 2)?;
    Some(f64::midpoint(lower, upper))
}

/// A wrong answer has no time: errors unless it is the wanted one, where that is known.
pub(super) fn need_answer(what: &str, wanted: Option<&Json>, found: &Json) -> Result<(), Failure> {
    let wrong = wanted.filter(|wanted| !same_answer(wanted, found));
    wrong.map_or(Ok(()), |wanted| Err(Failure::measured(what, format!("the answer is {found}, not {wanted}"))))
}

/// Whether two answers agree: numbers up to rounding, everything else exactly.
pub(super) fn same_answer(left: &Json, right: &Json) -> bool {
    match (left, right) {
        (Json::Number(left), Json::Number(right)) => match (left.as_f64(), right.as_f64()) {
            (Some(left), Some(right)) => (left - right).abs() <= 1e-9 * left.abs().max(right.abs()),
            _ => left == right,
        },
        (Json::Array(left), Json::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same_answer(left, right))
        }
        (Json::Object(left), Json::Object(right)) => {
            let has = |(key, left)| right.get(key).is_some_and(|right| same_answer(left, right));
            left.len() == right.len() && left.iter().all(has)
        }
        _ => left == right,
    }
}
