//! Python functions as tools.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ptc_runner::agent::{AgentError, CancellationToken, rules};
use ptc_runner::lisp::{BoxFuture, Effect, Import, Tool, ToolCall, ToolError, ToolResult, ToolSpec};
use ptc_runner::signature::Signature;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::from_python::{ends_run, exception_text, value_of};
use crate::to_python::Writer;

/// What a program reads when Python ends while it waits.
const SHUTTING_DOWN: &str = "Python is shutting down";

/// A tool: what programs see of it, and the function.
pub(crate) struct PythonTool {
    pub(crate) spec: ToolSpec,
    /// Takes a dictionary of arguments.
    function: Py<PyAny>,
}

impl PythonTool {
    /// The tool that an object of the class `ptc_runner.FnTool` describes.
    ///
    /// Errors with `ValueError` when its name or its signature cannot be used.
    pub(crate) fn new(tool: &Bound<'_, PyAny>) -> PyResult<PythonTool> {
        let name: String = tool.getattr("name")?.extract()?;
        rules::tool_name(&name).map_err(|error| PyValueError::new_err(error.to_string()))?;
        let signature: Option<String> = tool.getattr("signature")?.extract()?;
        let signature = signature.map(|text| Signature::parse(&text)).transpose();
        let mut signature = signature.map_err(|error| PyValueError::new_err(format!("tool '{name}': {error}")))?;
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
        Ok(PythonTool { spec, function: tool.getattr("_invoke")?.unbind() })
    }

    /// The answer to a call. Waits for the function.
    ///
    /// Errors with what must end the run: `KeyboardInterrupt` and the like.
    pub(crate) fn answer(&self, call: &ToolCall, memory: u64) -> PyResult<ToolResult> {
        let answered = Python::try_attach(|py| {
            let args = match Writer::new(py, memory, 0).value(&call.args) {
                Ok(args) => args,
                Err(refused) => return Ok(Err(ToolError::new(refused.problem()?.1).may_have_run(false))),
            };
            let made = match self.function.bind(py).call1((args,)) {
                Ok(made) => made,
                Err(error) if ends_run(py, &error) => return Err(error),
                Err(error) => return Ok(Err(ToolError::new(exception_text(py, &error)))),
            };
            // It has answered, so it was done.
            let value = value_of(&made, &mut Import::counted(), "its result");
            Ok(value.map_err(|error| ToolError::new(exception_text(py, &error)).may_have_run(true)))
        });
        answered.unwrap_or_else(|| Ok(Err(ToolError::new(SHUTTING_DOWN))))
    }

    /// Like [`PythonTool::answer`], with the result checked against the signature, which agents do themselves.
    pub(crate) fn checked_answer(&self, call: &ToolCall, memory: u64) -> PyResult<ToolResult> {
        let result = self.answer(call, memory)?;
        let Some(signature) = &self.spec.signature else { return Ok(result) };
        Ok(result.and_then(|value| {
            let checked = rules::tool_result(value, signature.result());
            checked.map_err(|finding| ToolError::new(format!("its result does not fit: {finding}")).may_have_run(true))
        }))
    }
}

/// The tools of these objects of the class `ptc_runner.FnTool`, by name.
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

/// An exception that ends a run, for the caller that started it; the first one wins.
#[derive(Clone, Default)]
pub(crate) struct Interruption {
    error: Arc<Mutex<Option<PyErr>>>,
    /// Cancelled with the first exception.
    pub(crate) cancel: CancellationToken,
}

impl Interruption {
    pub(crate) fn raise(&self, error: PyErr) {
        self.error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.cancel.cancel();
    }

    pub(crate) fn take(&self) -> Option<PyErr> {
        self.error.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// A tool of an agent: each call runs on a separate thread.
pub(crate) struct AgentTool {
    tool: Arc<PythonTool>,
    interruption: Interruption,
    memory: u64,
}

impl AgentTool {
    pub(crate) fn new(tool: Arc<PythonTool>, interruption: Interruption, memory: u64) -> AgentTool {
        AgentTool { tool, interruption, memory }
    }
}

impl Tool for AgentTool {
    fn spec(&self) -> &ToolSpec {
        &self.tool.spec
    }

    fn call<'a>(&'a self, call: &'a ToolCall) -> BoxFuture<'a, ToolResult> {
        let (tool, call, memory) = (Arc::clone(&self.tool), call.clone(), self.memory);
        Box::pin(async move {
            match off_thread(move || tool.answer(&call, memory)).await {
                Ok(Ok(result)) => result,
                Ok(Err(error)) => {
                    self.interruption.raise(error);
                    Err(ToolError::new("the run was cancelled before it answered").may_have_run(true))
                }
                Err(stopped) => Err(ToolError::new(stopped).may_have_run(true)),
            }
        })
    }
}

/// Do work that may wait for Python where nothing else waits for it.
///
/// Errors with a text when the thread ended without a result.
pub(crate) async fn off_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, String> {
    tokio::task::spawn_blocking(work).await.map_err(|stopped| format!("its thread ended without an answer: {stopped}"))
}
