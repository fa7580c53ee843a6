//! Agents: descriptions of missions, and their runs.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

use ptc_runner::agent::{Agent as RustAgent, AgentError, AgentSpec, Context, RunOptions, blocking};
use ptc_runner::transcript::{Event, EventKind, Observer};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::calls::{AgentTool, Interruption, PythonTool, tools_of};
use crate::model::model_of;
use crate::options::{json_of, set_option};
use crate::session::data_of;
use crate::step::{Step, turn_fields};
use crate::to_python::Writer;

/// How often a waiting run looks at the signals of the process.
const LOOK: Duration = Duration::from_millis(50);

/// The native part of `ptc_runner.Agent`.
#[pyclass(module = "ptc_runner._native", frozen)]
pub(crate) struct Agent {
    agent: RustAgent,
    tools: Vec<Arc<PythonTool>>,
}

#[pymethods]
impl Agent {
    /// An agent for `mission`, with objects of `ptc_runner.FnTool` and options by name.
    #[new]
    #[pyo3(signature = (mission, signature, tools, options))]
    fn new(
        mission: String,
        signature: Option<String>,
        tools: Vec<Bound<'_, PyAny>>,
        options: &Bound<'_, PyDict>,
    ) -> PyResult<Agent> {
        let mut spec = AgentSpec::new(mission);
        for (name, value) in options.iter() {
            set_option(&mut spec, &name.extract::<String>()?, &value)?;
        }
        let tools: Vec<Arc<PythonTool>> = tools_of(&tools)?.into_iter().map(Arc::new).collect();
        let mut builder = ptc_runner::agent::AgentBuilder::from(spec);
        if let Some(signature) = signature {
            builder = builder.signature(signature);
        }
        // Only the descriptions: each run has its own functions, which know how to stop it.
        let idle = Interruption::default();
        let described = tools.iter().map(|tool| AgentTool::new(Arc::clone(tool), idle.clone(), 0));
        let agent = builder.tools(described).build().map_err(|error| refused(&error))?;
        Ok(Agent { agent, tools })
    }

    /// The messages of the first request, without asking a model.
    fn preview<'py>(&self, py: Python<'py>, data: &Bound<'_, PyAny>) -> PyResult<(String, Vec<Bound<'py, PyDict>>)> {
        let context = Context::from_map(data_of(data)?.0);
        let preview = self.agent.preview_prompt(context).map_err(|error| refused(&error))?;
        let messages = preview.messages.iter().map(|message| crate::model::message_of(py, message));
        Ok((preview.system.to_string(), messages.collect::<PyResult<_>>()?))
    }

    /// Run it. Callbacks are None or functions: `on_turn` takes the fields of a `ptc_runner.Turn`, `on_text` pieces of
    /// text, `approve` a tool and its arguments.
    #[pyo3(signature = (model, data, *, options, on_turn, on_text, approve, after, seed))]
    #[allow(clippy::too_many_arguments, reason = "one for each keyword argument in Python")]
    fn run(
        &self,
        py: Python<'_>,
        model: &Bound<'_, PyAny>,
        data: &Bound<'_, PyAny>,
        options: &Bound<'_, PyDict>,
        on_turn: Option<Py<PyAny>>,
        on_text: Option<Py<PyAny>>,
        approve: Option<Py<PyAny>>,
        after: Option<PyRef<'_, Step>>,
        seed: u64,
    ) -> PyResult<Step> {
        let interruption = Interruption::default();
        let memory = self.agent.spec().limits().memory;
        let mut run = RunOptions::new().llm(model_of(model, &interruption)?).seed(seed);
        run.cancel = interruption.cancel.clone();
        for (name, value) in options.iter() {
            let name = name.extract::<String>()?;
            let value = json_of(&value, &name)?;
            run.spec.set(&name, value).map_err(|error| PyValueError::new_err(format!("{name}: {error}")))?;
        }
        if let Some(after) = after {
            run = run.continuing(&after.step);
        }
        let (data, bytes) = data_of(data)?;
        if on_turn.is_some() || on_text.is_some() {
            run.stream = on_text.is_some();
            let interruption = interruption.clone();
            run.observers.push(Arc::new(Callbacks { on_turn, on_text, interruption, memory, data: bytes }));
        }
        if let Some(function) = approve {
            run = run.approval(Arc::new(crate::approval::PythonApprover::new(function, interruption.clone(), memory)));
        }
        let tools = self.tools.iter().map(|tool| AgentTool::new(Arc::clone(tool), interruption.clone(), memory));
        let agent = with_tools(&self.agent, tools).map_err(|error| refused(&error))?;
        let result = py.detach(|| drive(&agent, Context::from_map(data), run, &interruption));
        if let Some(error) = interruption.take() {
            return Err(error);
        }
        let step = result?.map_err(|error| refused(&error))?;
        Ok(Step::new(Arc::new(step), memory, bytes))
    }
}

/// The same agent with other functions for its tools.
fn with_tools(agent: &RustAgent, tools: impl IntoIterator<Item = AgentTool>) -> Result<RustAgent, AgentError> {
    let mut builder = ptc_runner::agent::AgentBuilder::from(agent.spec().clone());
    for tool in tools {
        builder = builder.tool(tool);
    }
    builder.build()
}

/// Run on another thread, since this one looks at signals, and may be inside another run's callback.
fn drive(
    agent: &RustAgent,
    context: Context,
    options: RunOptions,
    interruption: &Interruption,
) -> PyResult<Result<ptc_runner::transcript::Step, AgentError>> {
    let defect =
        || PyRuntimeError::new_err("the run ended by a defect of the library; its message is on standard error");
    std::thread::scope(|scope| {
        let (sender, receiver) = sync_channel(1);
        scope.spawn(move || {
            let ended = catch_unwind(AssertUnwindSafe(|| blocking::run_with(agent, context, options)));
            // The receiver waits below.
            let _ = sender.send(ended.ok());
        });
        loop {
            match receiver.recv_timeout(LOOK) {
                Ok(ended) => return ended.ok_or_else(defect),
                Err(RecvTimeoutError::Disconnected) => return Err(defect()),
                Err(RecvTimeoutError::Timeout) => {
                    if let Some(Err(signal)) = Python::try_attach(|py| py.check_signals()) {
                        interruption.raise(signal);
                    }
                }
            }
        }
    })
}

/// Passes events on to Python. An exception in a callback ends the run.
struct Callbacks {
    on_turn: Option<Py<PyAny>>,
    on_text: Option<Py<PyAny>>,
    interruption: Interruption,
    memory: u64,
    data: u64,
}

impl Observer for Callbacks {
    fn on_event(&self, event: &Event) {
        let told = match (&event.kind, &self.on_turn, &self.on_text) {
            (EventKind::TurnStop { record: Some(turn), .. }, Some(tell), _) => Python::try_attach(|py| {
                let fields = turn_fields(&mut Writer::new(py, self.memory, self.data), py, turn)?;
                tell.call1(py, (fields,)).map(drop)
            }),
            (EventKind::LlmChunk { text, .. }, _, Some(tell)) => {
                Python::try_attach(|py| tell.call1(py, (text,)).map(drop))
            }
            _ => None,
        };
        if let Some(Err(error)) = told {
            self.interruption.raise(error);
        }
    }
}

fn refused(error: &AgentError) -> PyErr {
    let text = error.to_string();
    match error {
        AgentError::Context(_) => PyTypeError::new_err(text),
        AgentError::ApproverRequired(_) | AgentError::ProgramApproverRequired => {
            PyValueError::new_err(text.replace("`RunOptions::approval`", "`approve`"))
        }
        AgentError::Runtime(_) | AgentError::Panicked(_) => PyRuntimeError::new_err(text),
        _ => PyValueError::new_err(text),
    }
}
