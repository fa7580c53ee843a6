//! What is measured, with its targets: `targets.toml`.

use serde::Deserialize;

use super::row::Unit;
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
    subject: Option<String>,
    size: Option<u64>,
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

impl Target {
    /// What the driver runs, and its size.
    pub(super) fn subject(&self) -> Option<(&str, u64)> {
        Some((self.subject.as_deref()?, self.size?))
    }
}
