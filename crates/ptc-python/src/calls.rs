//! Python functions as tools.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use ptc_runner::agent::{AgentError, rules};
use ptc_runner::lisp::{BoxFuture, Effect, Import, Tool, ToolCall, ToolError, ToolResult, ToolSpec};
use pyo3::exceptions::PyValueError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::attached::attached;
use crate::from_python::{ends_run, exception_text, value_of};
use crate::host::{Host, SHUTTING_DOWN};
use crate::schema::read_signature;
use crate::to_python::Writer;

/// A tool: what programs see of it, and the object that has the function.
pub(crate) struct PythonTool {
    pub(crate) spec: ToolSpec,
    /// A `ptc_runner.Tool`.
    object: Py<PyAny>,
}

/// Calls a method with one argument: directly, or in the context of a run.
type Call<'f, 'py> = &'f dyn Fn(&Bound<'py, PyAny>, Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>>;

/// Why a call has no result.
pub(crate) enum NoResult {
    /// The arguments have no Python form.
    NotWritten(String),
    /// The arguments are not what the type hints say: the function was not called.
    Unfit(PyErr),
    /// The function raised it.
    Raised(PyErr),
}

impl From<PyErr> for NoResult {
    fn from(error: PyErr) -> NoResult {
        NoResult::Raised(error)
    }
}

impl NoResult {
    /// The error of the call; its exception is kept in `raised`.
    ///
    /// Errors with what must end the run: `KeyboardInterrupt` and the like.
    fn into_error(self, py: Python<'_>, tool: &str, raised: &Py<PyDict>) -> PyResult<ToolError> {
        let (error, was_called) = match self {
            NoResult::NotWritten(text) => return Ok(ToolError::new(text).may_have_run(false)),
            NoResult::Unfit(error) => (error, false),
            NoResult::Raised(error) => (error, true),
        };
        if ends_run(py, &error) {
            return Err(error);
        }
        let text = exception_text(py, &error);
        raised.bind(py).set_item((tool, &text), error.into_value(py))?;
        let failed = ToolError::new(text);
        Ok(if was_called { failed } else { failed.may_have_run(false) })
    }
}

impl PythonTool {
    /// The tool that an object of the class `ptc_runner.Tool` describes.
    ///
    /// Errors with `ValueError` when its name or its signature cannot be used.
    pub(crate) fn new(tool: &Bound<'_, PyAny>) -> PyResult<PythonTool> {
        let name: String = tool.getattr("name")?.extract()?;
        rules::tool_name(&name).map_err(|error| PyValueError::new_err(error.to_string()))?;
        let signature: Option<String> = tool.getattr("signature")?.extract()?;
        let mut signature = signature.map(|text| read_signature(&name, &text)).transpose()?;
        for (parameter, about) in tool.getattr("parameters")?.extract::<HashMap<String, String>>()? {
            // A signature that was given as text may leave a parameter out.
            signature.as_mut().map(|signature| signature.describe(&parameter, &about));
        }
        let timeout: Option<f64> = tool.getattr("timeout")?.extract()?;
        let declared: Option<String> = tool.getattr("effect")?.extract()?;
        let spec = ToolSpec {
            signature,
            description: tool.getattr("description")?.extract()?,
            cache: tool.getattr("cache")?.extract()?,
            idempotent: tool.getattr("idempotent")?.extract()?,
            approve: tool.getattr("approve")?.extract()?,
            timeout: timeout.map(|seconds| duration("timeout", seconds)).transpose()?,
            ..ToolSpec::new(name).declared(declared.as_deref().map(effect).transpose()?)
        };
        Ok(PythonTool { spec, object: tool.clone().unbind() })
    }

    /// The same tool, for another owner.
    pub(crate) fn clone_ref(&self, py: Python<'_>) -> PythonTool {
        PythonTool { spec: self.spec.clone(), object: self.object.clone_ref(py) }
    }

    /// For the garbage collector.
    pub(crate) fn visit(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.object)
    }

    /// What the function gives, from its method `invoke`.
    fn invoke<'py>(
        &self,
        py: Python<'py>,
        call: &ToolCall,
        memory: u64,
        (invoke, through): (&str, Call<'_, 'py>),
    ) -> Result<Bound<'py, PyAny>, NoResult> {
        let args = match Writer::new(py, memory, 0).value(&call.args) {
            Ok(args) => args,
            Err(refused) => return Err(NoResult::NotWritten(refused.problem()?.1)),
        };
        let tool = self.object.bind(py);
        let args = through(&tool.getattr(intern!(py, "_arguments"))?, args).map_err(NoResult::Unfit)?;
        Ok(through(&tool.getattr(invoke)?, args)?)
    }

    /// The answer to a call in a session, checked against the signature. Waits for the function.
    ///
    /// Errors with what must end the run.
    pub(crate) fn answer(&self, call: &ToolCall, memory: u64, raised: &Py<PyDict>) -> PyResult<ToolResult> {
        let answered = Python::try_attach(|py| {
            let made = self.invoke(py, call, memory, ("_answer", &|method, args| method.call1((args,))));
            self.result(py, made, raised)
        });
        let result = answered.unwrap_or_else(|| Ok(Err(ToolError::new(SHUTTING_DOWN))))?;
        let Some(signature) = &self.spec.signature else { return Ok(result) };
        Ok(result.and_then(|value| {
            let checked = rules::tool_result(value, signature.result());
            checked.map_err(|finding| ToolError::new(format!("its result does not fit: {finding}")).may_have_run(true))
        }))
    }

    /// The answer of a function that gave this.
    fn result(
        &self,
        py: Python<'_>,
        made: Result<Bound<'_, PyAny>, NoResult>,
        raised: &Py<PyDict>,
    ) -> PyResult<ToolResult> {
        match made {
            // It has answered, so it was done.
            Ok(made) => Ok(value_of(&made, &mut Import::counted(), "its result")
                .map_err(|error| ToolError::new(exception_text(py, &error)).may_have_run(true))),
            Err(no_result) => no_result.into_error(py, &self.spec.name, raised).map(Err),
        }
    }
}

/// A tool of an agent, as long as nothing runs.
pub(crate) struct DescribedTool(pub(crate) ToolSpec);

impl Tool for DescribedTool {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn call<'a>(&'a self, _: &'a ToolCall) -> BoxFuture<'a, ToolResult> {
        Box::pin(async { Err(ToolError::new("only a run can call it").may_have_run(false)) })
    }
}

/// A tool of a run: each call starts on a separate thread.
pub(crate) struct AgentTool {
    tool: Arc<PythonTool>,
    host: Arc<Host>,
}

impl AgentTool {
    pub(crate) fn new(tool: Arc<PythonTool>, host: Arc<Host>) -> AgentTool {
        AgentTool { tool, host }
    }
}

impl Tool for AgentTool {
    fn spec(&self) -> &ToolSpec {
        &self.tool.spec
    }

    fn call<'a>(&'a self, call: &'a ToolCall) -> BoxFuture<'a, ToolResult> {
        let (tool, host, call) = (Arc::clone(&self.tool), Arc::clone(&self.host), call.clone());
        Box::pin(async move {
            let (inner, shared) = (Arc::clone(&tool), Arc::clone(&host));
            let invoke = move |py: Python<'_>| {
                let method = shared.invoke();
                let made =
                    inner.invoke(py, &call, shared.memory, (method, &|method, args| shared.call(py, method, [args])));
                made.map(Bound::unbind)
            };
            let answered = host.called(invoke).await.map_err(|stopped| ToolError::new(stopped).may_have_run(true))?;
            let result = attached(|py| tool.result(py, answered.map(|made| made.into_bound(py)), &host.raised));
            match result {
                Some(Ok(result)) => result,
                Some(Err(error)) => {
                    host.interruption.raise(error);
                    Err(ToolError::new("the run was cancelled before it answered").may_have_run(true))
                }
                None => Err(ToolError::new(SHUTTING_DOWN)),
            }
        })
    }
}

/// The tools of these objects of the class `ptc_runner.Tool`, by name.
///
/// Errors when two have the same name.
pub(crate) fn tools_of(tools: &[Bound<'_, PyAny>]) -> PyResult<Vec<PythonTool>> {
    let mut made: Vec<PythonTool> = Vec::new();
    for tool in tools {
        let tool = PythonTool::new(tool)?;
        if made.iter().any(|other| other.spec.name == tool.spec.name) {
            return Err(PyValueError::new_err(AgentError::DuplicateTool(tool.spec.name).to_string()));
        }
        made.push(tool);
    }
    Ok(made)
}

/// The tools by name.
pub(crate) fn by_name(tools: Vec<PythonTool>) -> HashMap<String, PythonTool> {
    tools.into_iter().map(|tool| (tool.spec.name.clone(), tool)).collect()
}

fn effect(name: &str) -> PyResult<Effect> {
    Effect::of_name(name)
        .ok_or_else(|| PyValueError::new_err(format!("effect must be \"read\" or \"write\", got {name:?}")))
}

/// An amount of time in seconds.
///
/// Errors when it is not positive, or too large for a clock.
pub(crate) fn duration(name: &str, seconds: f64) -> PyResult<Duration> {
    let made = Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero());
    made.ok_or_else(|| PyValueError::new_err(format!("{name} must be a number of seconds above 0, got {seconds}")))
}
