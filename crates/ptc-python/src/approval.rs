//! A Python function that decides which calls are made.

use std::sync::Arc;

use ptc_runner::agent::{Approval, Approver, Decision, PendingCall};
use ptc_runner::lisp::{BoxFuture, Import};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};

use crate::attached::attached;
use crate::from_python::value_of;
use crate::host::Host;
use crate::to_python::Writer;

/// Asks a function about each call of a marked tool: `approve(tool, args)`.
pub(crate) struct PythonApprover {
    function: Arc<Py<PyAny>>,
    host: Arc<Host>,
}

impl PythonApprover {
    pub(crate) fn new(function: Py<PyAny>, host: Arc<Host>) -> PythonApprover {
        PythonApprover { function: Arc::new(function), host }
    }

    /// The decision about one call; None when there will be none.
    ///
    /// Errors with what the function raised: a broken approver is not a strict one.
    async fn ask(&self, call: &PendingCall) -> PyResult<Option<Decision>> {
        let (function, host) = (Arc::clone(&self.function), Arc::clone(&self.host));
        let (tool, args) = (Arc::clone(&call.call.name), call.call.args.clone());
        let asked = self.host.called(move |py| -> PyResult<Py<PyAny>> {
            let args = Writer::new(py, host.memory, 0).shown(&args)?;
            let tool = PyString::new(py, &tool).into_any();
            host.call(py, function.bind(py), [tool, args]).map(Bound::unbind)
        });
        let Ok(answer) = asked.await else { return Ok(None) };
        let answer = answer?;
        attached(|py| decision(answer.bind(py))).transpose()
    }
}

impl Approver for PythonApprover {
    fn decide<'a>(&'a self, waiting: &'a Approval) -> BoxFuture<'a, Vec<Decision>> {
        let Approval::Calls(calls) = waiting else { return Box::pin(async { Vec::new() }) };
        Box::pin(async move {
            let mut decisions = Vec::with_capacity(calls.len());
            for call in calls {
                match self.ask(call).await {
                    Ok(Some(decision)) => decisions.push(decision),
                    // What has no decision is denied.
                    Ok(None) => break,
                    Err(error) => {
                        self.host.interruption.raise(error);
                        break;
                    }
                }
            }
            decisions
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
