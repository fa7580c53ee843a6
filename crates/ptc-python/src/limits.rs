//! Limits of programs, as `ptc_runner.Limits` has them.

use std::time::Duration;

use ptc_runner::agent::AgentSpec;
use ptc_runner::lisp::Limits;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt};

use crate::calls::duration;
use crate::from_python::shown;
use crate::records::dict;

/// The limits that a `ptc_runner.Limits` names; the session or the agent has defaults for the others.
#[derive(Default)]
pub(crate) struct GivenLimits {
    fuel: Option<u64>,
    memory: Option<u64>,
    time: Option<Duration>,
    depth: Option<usize>,
    source_bytes: Option<usize>,
    print_chars: Option<usize>,
    prints: Option<usize>,
}

impl GivenLimits {
    /// The fields of an object of the class, or of None.
    ///
    /// Errors with `TypeError` and `ValueError` that name the limit.
    pub(crate) fn read(limits: &Bound<'_, PyAny>) -> PyResult<GivenLimits> {
        if limits.is_none() {
            return Ok(GivenLimits::default());
        }
        let large = |name: &str| number(limits, name);
        let count =
            |name: &str| Ok::<_, PyErr>(number(limits, name)?.map(|n| usize::try_from(n).unwrap_or(usize::MAX)));
        Ok(GivenLimits {
            fuel: large("fuel")?,
            memory: large("memory")?,
            time: seconds(limits)?,
            depth: count("depth")?,
            source_bytes: count("source_bytes")?,
            print_chars: count("print_chars")?,
            prints: count("prints")?,
        })
    }

    /// These limits instead of the others.
    pub(crate) fn over(&self, others: &Limits) -> Limits {
        Limits {
            fuel: self.fuel.unwrap_or(others.fuel),
            memory: self.memory.unwrap_or(others.memory),
            time: self.time.unwrap_or(others.time),
            depth: self.depth.unwrap_or(others.depth),
            source_bytes: self.source_bytes.unwrap_or(others.source_bytes),
            print_chars: self.print_chars.unwrap_or(others.print_chars),
            prints: self.prints.unwrap_or(others.prints),
            ..others.clone()
        }
    }

    /// Give them to the programs of an agent.
    ///
    /// Errors with `ValueError` for one that leaves no program.
    pub(crate) fn set(&self, spec: &mut AgentSpec) -> PyResult<()> {
        let (depth, source_bytes) = (self.depth.map(|n| n as u64), self.source_bytes.map(|n| n as u64));
        let bounds = [("fuel", self.fuel), ("memory", self.memory), ("depth", depth), ("source_bytes", source_bytes)];
        if let Some((name, _)) = bounds.iter().find(|(_, bound)| *bound == Some(0)) {
            return Err(PyValueError::new_err(format!("limit {name} of an agent must be an integer above 0, got 0")));
        }
        spec.fuel = self.fuel.or(spec.fuel);
        spec.max_heap = self.memory.or(spec.max_heap);
        spec.timeout = self.time.unwrap_or(spec.timeout);
        spec.call_depth = self.depth.or(spec.call_depth);
        spec.source_bytes = self.source_bytes.or(spec.source_bytes);
        let shown = &mut spec.format_options;
        shown.max_print_length = self.print_chars.or(shown.max_print_length);
        shown.max_prints = self.prints.or(shown.max_prints);
        Ok(())
    }
}

/// The fields of a `ptc_runner.Limits` that has them all.
pub(crate) fn fields<'py>(py: Python<'py>, limits: &Limits) -> PyResult<Bound<'py, PyDict>> {
    Ok(dict!(py, {
        "fuel": limits.fuel,
        "memory": limits.memory,
        "seconds": limits.time.as_secs_f64(),
        "depth": limits.depth,
        "source_bytes": limits.source_bytes,
        "print_chars": limits.print_chars,
        "prints": limits.prints,
    }))
}

fn number(limits: &Bound<'_, PyAny>, name: &str) -> PyResult<Option<u64>> {
    let value = limits.getattr(name)?;
    value.extract().map_err(|_| {
        let is_above = value.is_instance_of::<PyInt>() && value.gt(u64::MAX).unwrap_or(false);
        let wanted = if is_above { "below 2**64" } else { "an integer from 0 on" };
        PyValueError::new_err(format!("limit {name} must be {wanted}, got {}", shown(&value)))
    })
}

fn seconds(limits: &Bound<'_, PyAny>) -> PyResult<Option<Duration>> {
    let given: Option<f64> =
        limits.getattr("seconds")?.extract().map_err(|_| PyTypeError::new_err("limit seconds must be a number"))?;
    given.map(|seconds| duration("limit seconds", seconds)).transpose()
}
