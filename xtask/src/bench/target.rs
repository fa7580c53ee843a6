//! What is measured, with its targets (`targets.toml`), and figures with theirs.

use serde::Deserialize;

use crate::Failure;

/// Everything that is measured, in the order of the page.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Targets {
    /// Times, most of them compared with CPython's.
    pub(super) times: Vec<Target>,
    /// Figures under load.
    pub(super) load: Vec<Target>,
    /// Sizes.
    pub(super) sizes: Vec<Target>,
    pub(super) growth: Vec<Group>,
}

/// A figure with its target on the machine that it was set for.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Target {
    /// Name in the tables.
    pub(super) id: String,
    /// What is measured, in a sentence and in a few words.
    pub(super) title: String,
    pub(super) short: Option<String>,
    #[serde(default)]
    pub(super) unit: Unit,
    pub(super) target: f64,
    /// What the driver runs, and its size; none for the whole process.
    pub(super) subject: Option<(String, u64)>,
    /// CPython's time; none where it has no such workload, so that W3 stands for the speed of the machine.
    pub(super) cpython: Option<f64>,
    /// Whether `--check` enforces it.
    #[serde(default)]
    pub(super) binding: bool,
    /// Where the figure is in the JSON of the load harness, and what one of its units is in ours.
    pub(super) pointer: Option<String>,
    pub(super) scale: Option<f64>,
}

/// Curves that are counted together, at these sizes.
#[derive(Debug, Deserialize)]
pub(super) struct Group {
    pub(super) sizes: Vec<u64>,
    pub(super) curves: Vec<CurveOf>,
}

/// A subject of the driver, what it does, and a few words for a plot.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct CurveOf {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) short: String,
}

impl Targets {
    /// Those of the project.
    pub(super) fn read() -> Result<Targets, Failure> {
        toml::from_str(include_str!("targets.toml")).map_err(|error| Failure::measured("targets.toml", error))
    }
}

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
