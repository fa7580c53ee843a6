//! Parts of outcomes and turns as dictionaries, from which the classes of the package are made.

use ptc_runner::lisp::syntax::position;
use ptc_runner::lisp::{Frame, MemoryEntry, Problem, ToolRecord, Warning};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::to_python::Writer;

/// A dictionary with these entries.
macro_rules! dict {
    ($py:expr, { $($key:literal: $value:expr),* $(,)? }) => {{
        let dict = pyo3::types::PyDict::new($py);
        $(dict.set_item(pyo3::intern!($py, $key), $value)?;)*
        dict
    }};
}
pub(crate) use dict;

/// `ptc_runner.Call`
pub(crate) fn calls<'py>(
    writer: &mut Writer<'py>,
    py: Python<'py>,
    records: &[ToolRecord],
) -> PyResult<Bound<'py, PyList>> {
    let made = PyList::empty(py);
    for record in records {
        made.append(dict!(py, {
            "tool": &*record.name,
            "args": writer.shown(&record.args)?,
            "result": writer.shown(&record.result)?,
            "error": record.error.as_deref(),
            "seconds": record.duration.as_secs_f64(),
            "effect": record.effect.as_str(),
            "cached": record.cached,
        }))?;
    }
    Ok(made)
}

/// `ptc_runner.Problem`
pub(crate) fn problems<'py>(py: Python<'py>, problems: &[Problem]) -> PyResult<Bound<'py, PyList>> {
    let made = PyList::empty(py);
    for problem in problems {
        made.append(dict!(py, {
            "code": problem.reason.as_str(),
            "message": &problem.message,
            "line": problem.position.map(|place| place.line),
            "column": problem.position.map(|place| place.column),
            "tool": problem.tool.as_deref(),
            "text": problem.text(),
            "frames": frames(py, &problem.frames)?,
            "snippets": (problem.snippet(false), problem.snippet(true)),
        }))?;
    }
    Ok(made)
}

/// `ptc_runner.Frame`
fn frames<'py>(py: Python<'py>, frames: &[Frame]) -> PyResult<Bound<'py, PyList>> {
    let made = PyList::empty(py);
    for frame in frames {
        made.append(dict!(py, {
            "function": frame.function.as_deref(),
            "line": frame.position.line,
            "column": frame.position.column,
            "line_text": &frame.line_text,
            "is_earlier": frame.is_earlier,
        }))?;
    }
    Ok(made)
}

/// A problem without a place.
pub(crate) fn problem<'py>(py: Python<'py>, code: &str, message: &str) -> PyResult<Bound<'py, PyList>> {
    let snippet = format!("{message}\n");
    let entry = dict!(py, {
        "code": code,
        "message": message,
        "line": py.None(),
        "column": py.None(),
        "tool": py.None(),
        "text": message,
        "frames": PyList::empty(py),
        "snippets": (&snippet, &snippet),
    });
    PyList::new(py, [entry])
}

/// `ptc_runner.ProgramWarning`
pub(crate) fn warnings<'py>(py: Python<'py>, warnings: &[Warning], source: &str) -> PyResult<Bound<'py, PyList>> {
    let made = PyList::empty(py);
    for warning in warnings {
        let place = position(source, warning.span.start);
        made.append(dict!(py, {
            "code": warning.code.as_str(),
            "message": &warning.message,
            "line": place.line,
            "column": place.column,
        }))?;
    }
    Ok(made)
}

/// Values by the names of definitions.
pub(crate) fn definitions<'py, 'm>(
    writer: &mut Writer<'py>,
    py: Python<'py>,
    entries: impl IntoIterator<Item = &'m MemoryEntry>,
) -> PyResult<Bound<'py, PyDict>> {
    let made = PyDict::new(py);
    for entry in entries {
        made.set_item(&entry.name, writer.shown(&entry.value)?)?;
    }
    Ok(made)
}
