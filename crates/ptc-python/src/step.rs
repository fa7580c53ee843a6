//! Finished runs.

use std::sync::Arc;

use ptc_runner::lisp::Value;
use ptc_runner::trace::debug::{DebugOptions, format_trace};
use ptc_runner::trace::viewer::{self, About, Document};
use ptc_runner::transcript::{StepJson, Turn, ValueForm};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::records::{self, dict};
use crate::to_python::Writer;

/// The native part of `ptc_runner.Step`. Values become Python objects when they are asked for.
#[pyclass(module = "ptc_runner._native", frozen)]
pub(crate) struct Step {
    pub(crate) step: Arc<ptc_runner::transcript::Step>,
    /// Memory limit of programs.
    memory: u64,
    /// Bytes that Python takes for the data.
    data: u64,
}

impl Step {
    pub(crate) fn new(step: Arc<ptc_runner::transcript::Step>, memory: u64, data: u64) -> Step {
        Step { step, memory, data }
    }

    fn writer<'py>(&self, py: Python<'py>) -> Writer<'py> {
        Writer::new(py, self.memory, self.data)
    }
}

#[pymethods]
impl Step {
    /// The answer; None without one.
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.writer(py).shown(self.step.return_value().unwrap_or(&Value::Nil))
    }

    /// How the run ended: `return`, `value`, `fallback`, `fail`, `limit`, `error`.
    fn ending(&self) -> &'static str {
        self.step.ending.as_str()
    }

    /// Why there is no answer: the fields of `ptc_runner.Failure`; None with one.
    fn failure<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(fail) = self.step.fail() else { return Ok(None) };
        let details = fail.details.as_ref().map(|details| self.writer(py).shown(details)).transpose()?;
        Ok(Some(dict!(py, { "reason": fail.reason.as_str(), "message": &fail.message, "details": details })))
    }

    /// The fields of `ptc_runner.Usage`.
    fn usage<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let usage = &self.step.usage;
        Ok(dict!(py, {
            "seconds": std::time::Duration::from_millis(usage.duration_ms).as_secs_f64(),
            "turns": usage.turns,
            "requests": usage.llm_requests.unwrap_or(0),
            "input_tokens": usage.input_tokens,
            "output_tokens": usage.output_tokens,
            "cached_tokens": usage.cache_read_tokens,
        }))
    }

    /// The fields of each `ptc_runner.Turn`.
    fn turns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let made = PyList::empty(py);
        for turn in self.step.turns() {
            made.append(turn_fields(&mut self.writer(py), py, turn)?)?;
        }
        Ok(made)
    }

    /// The definitions at the end, by name.
    fn definitions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        records::definitions(&mut self.writer(py), py, self.step.memory.entries())
    }

    /// The run as text, turn by turn.
    fn text(&self, py: Python<'_>) -> String {
        py.detach(|| format_trace(&self.step, DebugOptions { usage: true, ..DebugOptions::default() }))
    }

    /// The run as one page for browsers.
    fn html(&self, py: Python<'_>) -> String {
        py.detach(|| viewer::page(&Document::of(&self.step, &About::default())))
    }

    /// The run as JSON, as `ptc show` and `ptc view` read it.
    fn to_json(&self, py: Python<'_>) -> String {
        py.detach(|| StepJson::new(&self.step, ValueForm::Typed).to_json().to_string())
    }
}

/// The fields of a `ptc_runner.Turn`.
pub(crate) fn turn_fields<'py>(writer: &mut Writer<'py>, py: Python<'py>, turn: &Turn) -> PyResult<Bound<'py, PyDict>> {
    let tokens = turn.tokens();
    Ok(dict!(py, {
        "number": turn.number(),
        "ok": turn.is_success(),
        "program": turn.program(),
        "response": turn.raw_response(),
        "result": writer.shown(turn.result())?,
        "error": turn.error_message(),
        "prints": turn.prints(),
        "calls": records::calls(writer, py, turn.tool_calls())?,
        "seconds": turn.duration().as_secs_f64(),
        "input_tokens": tokens.map(|tokens| tokens.input),
        "output_tokens": tokens.map(|tokens| tokens.output),
    }))
}
