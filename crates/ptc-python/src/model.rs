//! Models: by name, scripted, or a Python function.

use std::sync::Arc;

use ptc_runner::chat::{
    BoxFuture, ChunkSink, Llm, LlmError, LlmErrorKind, Message, Reply, Request, ScriptedLlm, Tokens,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyString};

use crate::attached::attached;
use crate::from_python::{ends_run, exception_text};
use crate::host::{Host, SHUTTING_DOWN};
use crate::records::dict;

/// The native part of `ptc_runner.ScriptedModel`: prepared answers, in order.
#[pyclass(module = "ptc_runner._native", frozen)]
pub(crate) struct ScriptedModel(Arc<ScriptedLlm>);

#[pymethods]
impl ScriptedModel {
    /// A model that gives these answers.
    #[new]
    fn new(answers: Vec<String>) -> ScriptedModel {
        ScriptedModel(Arc::new(ScriptedLlm::replies(answers)))
    }

    /// How many answers are left.
    fn remaining(&self) -> usize {
        self.0.remaining()
    }

    /// The messages of each request so far.
    fn requests<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyList>>> {
        self.0.requests().iter().map(|request| messages(py, request)).collect()
    }
}

/// The model that a user means: a name such as `ollama:qwen3`, a scripted model, or a function from messages to
/// what `ptc_runner._models.tokens_of` reads.
///
/// Errors with `ValueError` for a name that is not one, and with `TypeError` for anything else.
pub(crate) fn model_of(model: &Bound<'_, PyAny>, host: &Arc<Host>) -> PyResult<Arc<dyn Llm>> {
    if let Ok(name) = model.cast::<PyString>() {
        let connected = ptc_runner::llm::connect(name.to_str()?);
        return match connected {
            Ok(llm) => Ok(Arc::new(llm)),
            Err(error) => Err(PyValueError::new_err(format!("model: {error}"))),
        };
    }
    if let Ok(scripted) = model.cast::<ScriptedModel>() {
        return Ok(Arc::clone(&scripted.get().0) as Arc<dyn Llm>);
    }
    if model.is_callable() {
        let function = model.clone().unbind();
        return Ok(Arc::new(PythonModel { function: Arc::new(function), host: Arc::clone(host) }));
    }
    Err(PyTypeError::new_err("model must be a name such as \"ollama:qwen3\", a function, or a ScriptedModel"))
}

/// The messages of a request as OpenAI and others write them, the system text first.
fn messages<'py>(py: Python<'py>, request: &Request) -> PyResult<Bound<'py, PyList>> {
    let made = PyList::empty(py);
    if !request.system.is_empty() {
        made.append(dict!(py, { "role": "system", "content": &*request.system }))?;
    }
    for message in &request.messages {
        made.append(message_of(py, message)?)?;
    }
    Ok(made)
}

/// A message as `{"role": …, "content": …}`.
pub(crate) fn message_of<'py>(py: Python<'py>, message: &Message) -> PyResult<Bound<'py, PyDict>> {
    Ok(dict!(py, { "role": message.role.as_str(), "content": message.content() }))
}

/// A function that answers; each request starts on a separate thread.
struct PythonModel {
    function: Arc<Py<PyAny>>,
    host: Arc<Host>,
}

impl Llm for PythonModel {
    fn reply<'a>(
        &'a self,
        request: &'a Request,
        chunks: Option<&'a mut dyn ChunkSink>,
    ) -> BoxFuture<'a, Result<Reply, LlmError>> {
        let (function, host, request) = (Arc::clone(&self.function), Arc::clone(&self.host), request.clone());
        Box::pin(async move {
            let unknown = |text: &str| LlmError::new(LlmErrorKind::Unknown, text);
            let asked = self.host.called(move |py| -> PyResult<Py<PyAny>> {
                let messages = messages(py, &request)?.into_any();
                host.call(py, function.bind(py), [messages]).map(Bound::unbind)
            });
            let answered = asked.await.map_err(|stopped| unknown(&stopped))?;
            let read = attached(|py| read(py, answered, &self.host)).ok_or_else(|| unknown(SHUTTING_DOWN))?;
            let reply = read.unwrap_or_else(|error| {
                self.host.interruption.raise(error);
                Err(unknown("the run was cancelled"))
            })?;
            if let Some(chunks) = chunks {
                chunks.chunk(&reply.content);
            }
            Ok(reply)
        })
    }

    fn name(&self) -> &'static str {
        "python"
    }
}

/// What a model function gave, as text and tokens.
fn tokens_of<'py>(py: Python<'py>, reply: Py<PyAny>) -> PyResult<(String, Option<u64>, Option<u64>)> {
    static FUNCTION: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    FUNCTION.import(py, "ptc_runner._models", "tokens_of")?.call1((reply,))?.extract()
}

/// The answer of the function, or its exception as the error of a model.
///
/// Errors with what must end the run: `KeyboardInterrupt` and the like.
fn read(py: Python<'_>, answered: PyResult<Py<PyAny>>, host: &Host) -> PyResult<Result<Reply, LlmError>> {
    match answered.and_then(|reply| tokens_of(py, reply)) {
        Ok((text, None, None)) => Ok(Ok(Reply::text(text))),
        Ok((text, input, output)) => {
            let tokens = Tokens { input: input.unwrap_or(0), output: output.unwrap_or(0), ..Tokens::default() };
            Ok(Ok(Reply { tokens: Some(tokens), ..Reply::text(text) }))
        }
        Err(error) if ends_run(py, &error) => Err(error),
        Err(error) => {
            let text = exception_text(py, &error);
            host.raised.bind(py).set_item(py.None(), error.into_value(py))?;
            Ok(Err(LlmError::new(LlmErrorKind::Unknown, text)))
        }
    }
}
