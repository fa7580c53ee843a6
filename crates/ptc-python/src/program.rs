//! Programs that are compiled once, and functions that are called.

use std::sync::{Mutex, PoisonError};

use ptc_runner::lisp::{Error, Limits, ProgramError, SessionOptions, problems_text};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::calls::{PythonTool, tools_of};
use crate::limits::{GivenLimits, fields};
use crate::records::{self, dict};
use crate::session::{Session, data_of, fail_text, read_by_programs};
use crate::to_python::Writer;

/// The native part of `ptc_runner.Function`.
#[pyclass(module = "ptc_runner._native", frozen)]
pub(crate) struct Function(pub(crate) ptc_runner::lisp::Function);

#[pymethods]
impl Function {
    /// The name of the definition.
    fn name(&self) -> &str {
        self.0.name()
    }
}

/// The native part of `ptc_runner.Program`.
#[pyclass(module = "ptc_runner._native", frozen)]
pub(crate) struct Program {
    program: ptc_runner::lisp::Program,
    tools: Mutex<Vec<PythonTool>>,
    limits: Limits,
    /// Bytes that Python takes for the data.
    data: u64,
}

/// A program, or the fields of a `ptc_runner.ProgramError`.
type CompileResult<'py> = (Option<Program>, Option<Bound<'py, PyDict>>);

/// A function, or problems.
pub(crate) type FunctionResult<'py> = (Option<Function>, Option<Bound<'py, PyList>>);

/// Compile a program and run it once; the other arguments are those of sessions.
#[pyfunction]
#[pyo3(signature = (text, data, tools, limits, seed))]
pub(crate) fn compile<'py>(
    py: Python<'py>,
    text: &str,
    data: &Bound<'_, PyAny>,
    tools: Vec<Bound<'_, PyAny>>,
    limits: &Bound<'_, PyAny>,
    seed: u64,
) -> PyResult<CompileResult<'py>> {
    let limits = GivenLimits::read(limits)?.over(&Limits::default());
    let (data, bytes) = read_by_programs(data_of(data)?)?;
    let tools = tools_of(&tools)?;
    let specs = tools.iter().map(|tool| tool.spec.clone()).collect();
    let options = SessionOptions { data, tools: specs, limits: limits.clone(), seed, ..SessionOptions::default() };
    match py.detach(|| ptc_runner::lisp::Program::compile(text, options)) {
        Ok(program) => Ok((Some(Program { program, tools: Mutex::new(tools), limits, data: bytes }), None)),
        Err(error) => {
            let mut writer = Writer::new(py, limits.memory, bytes);
            let (value, problems, message) = match &error {
                ProgramError::Fail(value) => (writer.shown(value)?, PyList::empty(py), fail_text(value)),
                ProgramError::Problems(problems) => {
                    (py.None().into_bound(py), records::problems(py, problems)?, problems_text(problems))
                }
                other => (py.None().into_bound(py), PyList::empty(py), other.to_string()),
            };
            Ok((None, Some(dict!(py, { "value": value, "problems": problems, "message": message }))))
        }
    }
}

#[pymethods]
impl Program {
    /// A function that it defines.
    fn function<'py>(&self, py: Python<'py>, name: &str) -> PyResult<FunctionResult<'py>> {
        found(py, self.program.function(name))
    }

    /// A new session with its definitions, data, tools and limits.
    fn session(&self, py: Python<'_>) -> Session {
        let tools = self.tools.lock().unwrap_or_else(PoisonError::into_inner);
        let tools = tools.iter().map(|tool| tool.clone_ref(py)).collect();
        Session::of(self.program.session(), tools, self.limits.clone(), self.data)
    }

    /// The names of its definitions.
    fn names(&self) -> Vec<String> {
        self.program.session().memory().entries().iter().map(|entry| entry.name.clone()).collect()
    }

    /// The fields of the `ptc_runner.Limits` of its sessions.
    fn limits<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        fields(py, &self.limits)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        let Ok(tools) = self.tools.try_lock() else { return Ok(()) };
        tools.iter().try_for_each(|tool| tool.visit(&visit))
    }

    fn __clear__(&self) {
        let tools = self.tools.try_lock().map(|mut tools| std::mem::take(&mut *tools));
        drop(tools);
    }
}

/// A function, or why there is none, as a problem without a place.
pub(crate) fn found<'py>(
    py: Python<'py>,
    found: Result<ptc_runner::lisp::Function, Error>,
) -> PyResult<FunctionResult<'py>> {
    match found {
        Ok(function) => Ok((Some(Function(function)), None)),
        Err(error) => Ok((None, Some(records::problem(py, error.reason.as_str(), &error.message)?))),
    }
}
