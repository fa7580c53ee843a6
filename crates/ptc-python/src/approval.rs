//! A Python function that decides which calls are made.

use std::sync::Arc;

use ptc_runner::agent::{Approval, Approver, Decision};
use ptc_runner::lisp::{BoxFuture, Import};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};

use crate::calls::{Interruption, off_thread};
use crate::from_python::{ends_run, exception_text, value_of};
use crate::to_python::Writer;

/// Asks a function about each call of a marked tool: `approve(tool, args)`.
pub(crate) struct PythonApprover {
    function: Arc<Py<PyAny>>,
    interruption: Interruption,
    memory: u64,
}

impl PythonApprover {
    pub(crate) fn new(function: Py<PyAny>, interruption: Interruption, memory: u64) -> PythonApprover {
        PythonApprover { function: Arc::new(function), interruption, memory }
    }
}

impl Approver for PythonApprover {
    fn decide<'a>(&'a self, waiting: &'a Approval) -> BoxFuture<'a, Vec<Decision>> {
        let Approval::Calls(calls) = waiting else { return Box::pin(async { Vec::new() }) };
        let (function, calls, memory) = (Arc::clone(&self.function), calls.clone(), self.memory);
        Box::pin(async move {
            let decided = off_thread(move || {
                Python::try_attach(|py| {
                    let mut decisions = Vec::with_capacity(calls.len());
                    for call in &calls {
                        let args = Writer::new(py, memory, 0).shown(&call.call.args)?;
                        let answer = function.bind(py).call1((&*call.call.name, args));
                        match answer.and_then(|answer| decision(&answer)) {
                            Ok(decision) => decisions.push(decision),
                            Err(error) if ends_run(py, &error) => return Err(error),
                            Err(error) => decisions.push(Decision::deny(exception_text(py, &error))),
                        }
                    }
                    Ok(decisions)
                })
            });
            match decided.await {
                Ok(Some(Ok(decisions))) => decisions,
                Ok(Some(Err(error))) => {
                    self.interruption.raise(error);
                    Vec::new()
                }
                // What has no decision is denied.
                Ok(None) | Err(_) => Vec::new(),
            }
        })
    }
}

/// `True` or `False`, the reason of a denial, or other arguments.
fn decision(answer: &Bound<'_, PyAny>) -> PyResult<Decision> {
    if let Ok(allowed) = answer.cast::<PyBool>() {
        return Ok(if allowed.is_true() { Decision::Approve } else { Decision::deny("") });
    }
    if let Ok(reason) = answer.cast::<PyString>() {
        return Ok(Decision::deny(reason.to_str()?));
    }
    if answer.is_instance_of::<PyDict>() {
        return Ok(Decision::Edit(value_of(answer, &mut Import::counted(), "arguments")?));
    }
    Err(PyTypeError::new_err("approve must return True, False, a reason to deny (str), or other arguments (dict)"))
}
