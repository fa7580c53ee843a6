//! Sessions: programs one after another, with Python functions as tools.

use std::collections::HashMap;
use std::sync::{Mutex, TryLockError};

use ptc_runner::lisp::syntax::{Token, TokenKind, tokens};
use ptc_runner::lisp::text::{FormatOptions, format_within};
use ptc_runner::lisp::values::key_name;
use ptc_runner::lisp::{
    Ending, Import, Limits, Map, Outcome, Progress, SessionOptions, ToolError, Value, problems_text,
};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::calls::{PythonTool, by_name, tools_of};
use crate::from_python::{sized_value_of, value_of};
use crate::limits::{GivenLimits, fields};
use crate::program::{Function, FunctionResult, found};
use crate::records::{self, dict};
use crate::to_python::Writer;

/// Fuel between two looks at the signals of the process: a few milliseconds.
const SLICE: u64 = 500_000;

/// Characters of a value that an error shows.
const SHOWN: usize = 500;

/// The native part of `ptc_runner.Session`.
#[pyclass(module = "ptc_runner._native", frozen)]
pub(crate) struct Session(Mutex<Inner>);

struct Inner {
    session: ptc_runner::lisp::Session,
    tools: HashMap<String, PythonTool>,
    /// Limits of programs.
    limits: Limits,
    /// Bytes that Python takes for the data.
    data: u64,
}

#[pymethods]
impl Session {
    /// A session over `data`, a mapping or None, with objects of `ptc_runner.Tool`.
    #[new]
    #[pyo3(signature = (data, tools, limits, seed))]
    fn new(
        data: &Bound<'_, PyAny>,
        tools: Vec<Bound<'_, PyAny>>,
        limits: &Bound<'_, PyAny>,
        seed: u64,
    ) -> PyResult<Session> {
        let limits = GivenLimits::read(limits)?.over(&Limits::default());
        let (data, bytes) = read_by_programs(data_of(data)?)?;
        let tools = tools_of(&tools)?;
        let specs = tools.iter().map(|tool| tool.spec.clone()).collect();
        let options = SessionOptions { data, tools: specs, limits: limits.clone(), seed, ..SessionOptions::default() };
        Ok(Session::of(ptc_runner::lisp::Session::new(options), tools, limits, bytes))
    }

    /// Run a program. The result has the fields of `ptc_runner.Outcome` and of `ptc_runner.ProgramError`. Exceptions of tools
    /// are put into `raised` by `(tool, text)`.
    fn run<'py>(&self, py: Python<'py>, source: &str, raised: Py<PyDict>) -> PyResult<Bound<'py, PyDict>> {
        self.with(|inner| {
            let memory = inner.limits.memory;
            let outcome = py.detach(|| {
                inner.session.start(source);
                inner.finish(memory, &raised)
            })?;
            inner.outcome(py, memory, source, &outcome)
        })
    }

    /// A function that programs have defined.
    fn function<'py>(&self, py: Python<'py>, name: &str) -> PyResult<FunctionResult<'py>> {
        self.with(|inner| found(py, inner.session.function(name)))
    }

    /// Call a function, with limits of this call. The result is that of `run`.
    fn call<'py>(
        &self,
        py: Python<'py>,
        function: &Function,
        args: Vec<Bound<'_, PyAny>>,
        limits: &Bound<'_, PyAny>,
        raised: Py<PyDict>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let limits = GivenLimits::read(limits)?;
        let (mut values, mut bytes) = (Vec::with_capacity(args.len()), 0);
        for (at, arg) in args.iter().enumerate() {
            let root = format!("argument {} of {}", at + 1, function.0.name());
            let (value, size) = sized_value_of(arg, &mut Import::uncounted(), &root)?;
            values.push(value);
            bytes += size;
        }
        self.with(|inner| {
            let limits = limits.over(&inner.limits);
            let outcome = py.detach(|| {
                inner.session.start_call(&function.0, values, &limits);
                inner.finish(limits.memory, &raised)
            })?;
            // Arguments do not count as memory, and may be in the result.
            inner.outcome(py, limits.memory.saturating_add(bytes), "", &outcome)
        })
    }

    /// The fields of the `ptc_runner.Limits` of its programs.
    fn limits<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.with(|inner| fields(py, &inner.limits))
    }

    /// The warnings of a program, or its problems: nothing runs.
    fn check<'py>(&self, py: Python<'py>, source: &str) -> PyResult<Bound<'py, PyDict>> {
        self.with(|inner| {
            let (problems, warnings) = match inner.session.check(source) {
                Ok(warnings) => (Vec::new(), warnings),
                Err(problems) => (problems, Vec::new()),
            };
            Ok(dict!(py, {
                "problems": records::problems(py, &problems)?,
                "message": problems_text(&problems),
                "warnings": records::warnings(py, &warnings, source)?,
            }))
        })
    }

    /// The definitions that programs made, by name.
    fn definitions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.with(|inner| {
            let memory = inner.session.memory();
            records::definitions(&mut Writer::new(py, inner.limits.memory, inner.data), py, memory.entries())
        })
    }

    /// Bind a definition, as `(def name value)` would.
    fn define(&self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = value_of(value, &mut Import::uncounted(), name)?;
        self.with(|inner| inner.session.define(name, value, None).map_err(|error| PyValueError::new_err(error.message)))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        // A session that runs is in use.
        let Ok(inner) = self.0.try_lock() else { return Ok(()) };
        inner.tools.values().try_for_each(|tool| tool.visit(&visit))
    }

    fn __clear__(&self) {
        // What is dropped may run code of the user, which may use the session: after the lock.
        let tools = self.0.try_lock().map(|mut inner| std::mem::take(&mut inner.tools));
        drop(tools);
    }
}

impl Session {
    pub(crate) fn of(session: ptc_runner::lisp::Session, tools: Vec<PythonTool>, limits: Limits, data: u64) -> Session {
        Session(Mutex::new(Inner { session, tools: by_name(tools), limits, data }))
    }

    /// Do this with the session, which only one thread may use at a time.
    fn with<T>(&self, work: impl FnOnce(&mut Inner) -> PyResult<T>) -> PyResult<T> {
        match self.0.try_lock() {
            Ok(mut inner) => work(&mut inner),
            Err(TryLockError::WouldBlock) => Err(PyRuntimeError::new_err(
                "the session is running a program: use one session for each thread, and none in its own tools",
            )),
            Err(TryLockError::Poisoned(_)) => {
                Err(PyRuntimeError::new_err("the session ended by a defect of the library; make a new one"))
            }
        }
    }
}

impl Inner {
    /// Run what was started without the interpreter lock; tools take it. Their arguments are written within `memory`.
    ///
    /// Errors with what must end it: `KeyboardInterrupt`, from a signal or from a tool.
    fn finish(&mut self, memory: u64, raised: &Py<PyDict>) -> PyResult<Outcome> {
        let Inner { session, tools, .. } = self;
        loop {
            match session.advance(Some(SLICE)) {
                Progress::Slice => {
                    if let Some(Err(signal)) = Python::try_attach(|py| py.check_signals()) {
                        session.interrupt([]);
                        return Err(signal);
                    }
                }
                Progress::Calls(calls) => {
                    let mut answers = Vec::with_capacity(calls.len());
                    for call in &calls {
                        let answer = match tools.get(&*call.name) {
                            Some(tool) => tool.answer(call, memory, raised),
                            None => Ok(Err(ToolError::new(format!("there is no tool '{}'", call.name)))),
                        };
                        match answer {
                            Ok(answer) => answers.push(answer),
                            Err(signal) => {
                                session.interrupt(answers.into_iter().map(Into::into));
                                return Err(signal);
                            }
                        }
                    }
                    session.answer(answers);
                }
                Progress::Done(outcome) => return Ok(outcome),
            }
        }
    }

    fn outcome<'py>(
        &self,
        py: Python<'py>,
        memory: u64,
        source: &str,
        outcome: &Outcome,
    ) -> PyResult<Bound<'py, PyDict>> {
        let mut writer = Writer::new(py, memory, self.data);
        let (mut kind, value, mut problems, mut message) = match &outcome.ending {
            Ending::Value(value) => ("value", value, PyList::empty(py), String::new()),
            Ending::Return(value) => ("return", value, PyList::empty(py), String::new()),
            Ending::Fail(value) => ("fail", value, PyList::empty(py), fail_text(value)),
            Ending::Error(problems) => {
                ("error", &Value::Nil, records::problems(py, problems)?, problems_text(problems))
            }
            _ => ("error", &Value::Nil, PyList::empty(py), "the program ended in an unknown way".to_owned()),
        };
        let value = match writer.value(value) {
            Ok(value) => value,
            Err(refused) => {
                let (code, text) = refused.problem()?;
                (kind, problems, message) = ("error", records::problem(py, code, &text)?, text);
                py.None().into_bound(py)
            }
        };
        // Values of calls may need as much again.
        let mut writer = Writer::new(py, memory, self.data);
        Ok(dict!(py, {
            "kind": kind,
            "value": value,
            "problems": problems,
            "message": message,
            "prints": &outcome.prints,
            "calls": records::calls(&mut writer, py, &outcome.tool_calls)?,
            "warnings": records::warnings(py, &outcome.warnings, source)?,
            "fuel": outcome.usage.fuel,
            "memory": outcome.usage.memory,
            "seconds": outcome.usage.time.as_secs_f64(),
        }))
    }
}

/// What `(fail value)` says.
pub(crate) fn fail_text(value: &Value) -> String {
    format!("the program failed with {}", format_within(value, &FormatOptions::full(), SHOWN).text)
}

/// The native part of `ptc_runner.Data`: the entries, and the bytes that Python takes for them.
#[pyclass(module = "ptc_runner._native", frozen)]
pub(crate) struct Data(Map, u64);

#[pymethods]
impl Data {
    /// The values of a mapping.
    #[new]
    fn new(data: &Bound<'_, PyAny>) -> PyResult<Data> {
        data_of(data).map(|(data, bytes)| Data(data, bytes))
    }

    /// The names of the values.
    fn names(&self) -> Vec<String> {
        self.0.iter().filter_map(|(key, _)| key_name(key)).map(Into::into).collect()
    }
}

/// The entries of a mapping with text keys; nothing for None. The number is what Python takes for them, in bytes.
///
/// Errors with `TypeError` for anything else.
pub(crate) fn data_of(data: &Bound<'_, PyAny>) -> PyResult<(Map, u64)> {
    if let Ok(ready) = data.cast::<Data>() {
        return Ok((ready.get().0.clone(), ready.get().1));
    }
    match sized_value_of(data, &mut Import::uncounted(), "data")? {
        (Value::Nil, _) => Ok((Map::new(), 0)),
        (Value::Map(data), bytes) => Ok((data, bytes)),
        (other, _) => {
            let text = format!(
                "data must be a dict of names to values, got a {}; pass {{\"rows\": …}}, which programs read as data/rows",
                other.kind()
            );
            Err(PyTypeError::new_err(text))
        }
    }
}

/// The data, if programs can write the names of all its entries.
///
/// Errors with `TypeError` and `ValueError` that name the first one that they cannot.
pub(crate) fn read_by_programs((data, bytes): (Map, u64)) -> PyResult<(Map, u64)> {
    for (key, _) in data.iter() {
        let Some(name) = key_name(key) else {
            let text = format!(
                "data has the key {key}, which is not a name; pass {{\"rows\": …}}, which programs read as data/rows"
            );
            return Err(PyTypeError::new_err(text));
        };
        let written = format!("data/{name}");
        let is_whole = |token: &Token| token.kind == TokenKind::Name && token.span.end as usize == written.len();
        if name.is_empty() || !tokens(&written).first().is_some_and(is_whole) {
            let text = format!("programs cannot write data/{name}; give the data a name without blanks and brackets");
            return Err(PyValueError::new_err(text));
        }
    }
    Ok((data, bytes))
}
