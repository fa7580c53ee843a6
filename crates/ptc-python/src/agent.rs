//! Agents: descriptions of missions, and their runs.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ptc_runner::agent::{Agent as RustAgent, AgentError, AgentSpec, CancellationToken, Context, RunOptions, blocking};
use ptc_runner::lisp::Value;
use ptc_runner::trace::LiveTrace;
use ptc_runner::transcript::Step as RustStep;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::attached::attached;
use crate::budget::{Budget, cost_of};
use crate::calls::{AgentTool, DescribedTool, PythonTool, tools_of};
use crate::from_python::{ends_run, exception_text};
use crate::host::{Host, Interruption};
use crate::limits::{GivenLimits, fields};
use crate::model::model_of;
use crate::observing::Callbacks;
use crate::options::{set_option, set_run_option};
use crate::session::data_of;
use crate::step::Step;
use crate::to_python::Writer;
use crate::workers::spawn;

/// How often a waiting run looks at the signals of the process.
const LOOK: Duration = Duration::from_millis(50);

/// The native part of `ptc_runner.Agent`.
#[pyclass(module = "ptc_runner._native", frozen)]
pub(crate) struct Agent {
    agent: RustAgent,
    tools: Mutex<Vec<Arc<PythonTool>>>,
}

/// What a run has of its caller: the attributes of `ptc_runner._running.Caller`.
#[derive(FromPyObject)]
struct Caller {
    on_turn: Option<Py<PyAny>>,
    on_text: Option<Py<PyAny>>,
    /// Takes the JSON of an event.
    on_event: Option<Py<PyAny>>,
    approve: Option<Py<PyAny>>,
    /// Whether it names a type of the answer, which then holds in runs of one turn, too.
    names_type: bool,
    /// Takes an answer, and raises what is wrong with it.
    check: Option<Py<PyAny>>,
    budget: Option<Py<Budget>>,
    /// Takes the counts of tokens, and returns what they cost.
    cost: Option<Py<PyAny>>,
    context: Py<PyAny>,
    raised: Py<PyDict>,
    on_loop: Option<Py<PyAny>>,
}

/// A run that can start.
struct Prepared {
    agent: RustAgent,
    context: Context,
    options: RunOptions,
    host: Arc<Host>,
    /// Bytes that Python takes for the data.
    data: u64,
}

#[pymethods]
impl Agent {
    /// An agent for `mission`, with objects of `ptc_runner.Tool`, options by name, and a `ptc_runner.Limits` or None.
    #[new]
    #[pyo3(signature = (mission, signature, tools, options, limits))]
    fn new(
        mission: String,
        signature: Option<String>,
        tools: Vec<Bound<'_, PyAny>>,
        options: &Bound<'_, PyDict>,
        limits: &Bound<'_, PyAny>,
    ) -> PyResult<Agent> {
        let mut spec = AgentSpec::new(mission);
        for (name, value) in options.iter() {
            set_option(&mut spec, &name.extract::<String>()?, &value)?;
        }
        GivenLimits::read(limits)?.set(&mut spec)?;
        let tools: Vec<Arc<PythonTool>> = tools_of(&tools)?.into_iter().map(Arc::new).collect();
        let mut builder = ptc_runner::agent::AgentBuilder::from(spec);
        if let Some(signature) = signature {
            builder = builder.signature(signature);
        }
        // Only the descriptions: each run has functions that know how to stop it.
        for tool in &tools {
            builder = builder.tool(DescribedTool(tool.spec.clone()));
        }
        let agent = builder.build().map_err(|error| refused(&error))?;
        Ok(Agent { agent, tools: Mutex::new(tools) })
    }

    /// The fields of the `ptc_runner.Limits` of its programs.
    fn limits<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        fields(py, &self.agent.spec().limits())
    }

    /// The messages of the first request, without asking a model.
    fn preview<'py>(&self, py: Python<'py>, data: &Bound<'_, PyAny>) -> PyResult<(String, Vec<Bound<'py, PyDict>>)> {
        let context = Context::from_map(data_of(data)?.0);
        let preview = self.agent.preview_prompt(context).map_err(|error| refused(&error))?;
        let messages = preview.messages.iter().map(|message| crate::model::message_of(py, message));
        Ok((preview.system.to_string(), messages.collect::<PyResult<_>>()?))
    }

    /// Run it, and wait for the end.
    #[pyo3(signature = (model, data, *, options, caller, after, seed))]
    #[allow(clippy::too_many_arguments, reason = "one for each argument in Python")]
    fn run(
        &self,
        py: Python<'_>,
        model: &Bound<'_, PyAny>,
        data: &Bound<'_, PyAny>,
        options: &Bound<'_, PyDict>,
        caller: Caller,
        after: Option<PyRef<'_, Step>>,
        seed: u64,
    ) -> PyResult<Step> {
        let Prepared { agent, context, options, host, data } =
            self.prepared((model, data, options), caller, after, seed)?;
        let result = py.detach(|| drive(&agent, context, options, &host.interruption));
        ended(result, &host, data)
    }

    /// Start it. `done` is called from another thread, with a step or an exception; the other one is None.
    #[pyo3(signature = (model, data, *, options, caller, after, seed, done))]
    #[allow(clippy::too_many_arguments, reason = "one for each argument in Python")]
    fn start(
        &self,
        model: &Bound<'_, PyAny>,
        data: &Bound<'_, PyAny>,
        options: &Bound<'_, PyDict>,
        caller: Caller,
        after: Option<PyRef<'_, Step>>,
        seed: u64,
        done: Py<PyAny>,
    ) -> PyResult<Running> {
        let Prepared { agent, context, options, host, data } =
            self.prepared((model, data, options), caller, after, seed)?;
        let running = Running(host.interruption.cancel.clone());
        spawn(async move {
            // A task for the run, so that a defect of the library ends only this task.
            let run = tokio::spawn(async move { agent.run_with(context, options).await });
            let result = run.await.map_err(|_| defect());
            // What refers to objects of the caller is dropped here: without the lock, it would stay until the next call.
            attached(move |py| {
                let (step, error) = match ended(result, &host, data) {
                    Ok(step) => (Some(step), None),
                    Err(error) => (None, Some(error.into_value(py))),
                };
                drop(host);
                // A loop that was closed takes no answer.
                done.call1(py, (step, error)).map(drop).unwrap_or_default();
            });
        })?;
        Ok(running)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        let Ok(tools) = self.tools.try_lock() else { return Ok(()) };
        // A run that has a tool, too, keeps it: then it is not only ours.
        tools.iter().filter(|tool| Arc::strong_count(tool) == 1).try_for_each(|tool| tool.visit(&visit))
    }

    fn __clear__(&self) {
        let tools = self.tools.try_lock().map(|mut tools| std::mem::take(&mut *tools));
        drop(tools);
    }
}

impl Agent {
    fn prepared(
        &self,
        (model, data, given): (&Bound<'_, PyAny>, &Bound<'_, PyAny>, &Bound<'_, PyDict>),
        caller: Caller,
        after: Option<PyRef<'_, Step>>,
        seed: u64,
    ) -> PyResult<Prepared> {
        let memory = self.agent.spec().limits().memory;
        let Caller { on_turn, on_text, on_event, approve, names_type, check, budget, cost, context, raised, on_loop } =
            caller;
        let host = Arc::new(Host::new(context, raised, on_loop, memory));
        let mut llm = model_of(model, &host)?;
        if let Some(budget) = budget {
            llm = budget.get().0.guard(llm, cost.map(|function| cost_of(function, Arc::clone(&host))));
        }
        let mut options = RunOptions::new().llm(llm).seed(seed);
        options.cancel = host.interruption.cancel.clone();
        for (name, value) in given.iter() {
            set_run_option(&mut options.spec, &name.extract::<String>()?, &value)?;
        }
        if let Some(after) = after {
            options = options.continuing(&after.step);
        }
        let (data, bytes) = data_of(data)?;
        let on_event = on_event.map(|function| (function, LiveTrace::start()));
        let callbacks = Callbacks { on_turn, on_text, on_event, host: Arc::clone(&host), data: bytes };
        if callbacks.are_there() {
            options.stream = callbacks.streams();
            options.observers.push(Arc::new(callbacks));
        }
        if let Some(function) = approve {
            let approver = crate::approval::PythonApprover::new(function, Arc::clone(&host));
            options = options.approval(Arc::new(approver));
        }
        let mut builder = ptc_runner::agent::AgentBuilder::from(self.agent.spec().clone());
        let tools = self.tools.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for tool in tools {
            builder = builder.tool(AgentTool::new(tool, Arc::clone(&host)));
        }
        if let Some(function) = check {
            let host = Arc::clone(&host);
            builder = builder.check_answer(move |value| checked(&host, &function, value, bytes));
        } else if names_type {
            builder = builder.check_answer(|_| Ok(()));
        }
        let agent = builder.build().map_err(|error| refused(&error))?;
        Ok(Prepared { agent, context: Context::from_map(data), options, host, data: bytes })
    }
}

/// A run that was started.
#[pyclass(module = "ptc_runner._native", frozen)]
pub(crate) struct Running(CancellationToken);

#[pymethods]
impl Running {
    /// Stop it; `done` is still called.
    fn cancel(&self) {
        self.0.cancel();
    }
}

/// What a function says about an answer, by an exception.
fn checked(host: &Host, function: &Py<PyAny>, value: &Value, data: u64) -> Result<(), String> {
    let asked = attached(|py| {
        let value = Writer::new(py, host.memory, data).shown(value).map_err(|error| exception_text(py, &error))?;
        match host.call(py, function.bind(py), [value]) {
            Ok(_) => Ok(()),
            Err(error) => {
                let text = exception_text(py, &error);
                if ends_run(py, &error) {
                    host.interruption.raise(error);
                }
                Err(text)
            }
        }
    });
    asked.unwrap_or(Ok(()))
}

/// The step of a run, or what ended it.
fn ended(result: PyResult<Result<RustStep, AgentError>>, host: &Host, data: u64) -> PyResult<Step> {
    if let Some(error) = host.interruption.take() {
        return Err(error);
    }
    let step = result?.map_err(|error| refused(&error))?;
    Ok(Step::new(Arc::new(step), host.memory, data))
}

fn defect() -> PyErr {
    PyRuntimeError::new_err("the run ended by a defect of the library; its message is on standard error")
}

/// Run on another thread, since this one looks at signals, and may be inside another run's callback.
fn drive(
    agent: &RustAgent,
    context: Context,
    options: RunOptions,
    interruption: &Interruption,
) -> PyResult<Result<RustStep, AgentError>> {
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
