//! A line of the table: a figure with its target.

use serde::Deserialize;

use super::target::Target;

/// The unit of a figure.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Unit {
    #[default]
    Milliseconds,
    Bytes,
}

/// A figure with its target; less is better.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) of: Target,
    /// What was measured.
    pub(super) ours: f64,
    /// CPython's median here, if it has the workload.
    pub(super) cpython: Option<f64>,
    /// By how much the target is scaled; `None` for figures that do not depend on the speed of the machine.
    pub(super) factor: Option<f64>,
}

/// The ratio to the scaled target that `--check` accepts.
pub(super) const ALLOWED: f64 = 1.3;

impl Row {
    /// The target on this machine.
    pub(super) fn scaled(&self) -> f64 {
        self.of.target * self.factor.unwrap_or(1.0)
    }

    /// The figure divided by the scaled target: at most 1 means that it is met.
    pub(super) fn ratio(&self) -> f64 {
        self.ours / self.scaled()
    }

    /// The verdict.
    pub(super) fn verdict(&self) -> &'static str {
        match self.ratio() {
            ratio if ratio <= 1.0 => "met",
            ratio if ratio <= ALLOWED => "within 1.3",
            _ => "missed",
        }
    }
}

impl Unit {
    /// A figure with three digits and the unit that suits it.
    pub(super) fn show(self, figure: f64) -> String {
        let steps: &[(f64, &str)] = match self {
            Unit::Milliseconds => &[(1_000.0, "s"), (1.0, "ms"), (1e-3, "µs"), (1e-6, "ns")],
            Unit::Bytes => &[(1e6, "MB"), (1e3, "kB"), (1.0, "B")],
        };
        let (scale, name) =
            steps.iter().find(|(scale, _)| figure >= *scale).or(steps.last()).copied().unwrap_or((1.0, ""));
        format!("{} {name}", three_digits(figure / scale))
    }
}

/// `1.23`, `12.3`, `123`, `1234`.
pub(super) fn three_digits(number: f64) -> String {
    let decimals = match number {
        number if number >= 99.95 => 0,
        number if number >= 9.995 => 1,
        _ => 2,
    };
    format!("{number:.decimals$}")
}
