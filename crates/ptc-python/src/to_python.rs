//! Values of programs as plain Python objects.

use std::collections::HashMap;

use jiff::Timestamp;
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::{Offset, TimeZone};
use ptc_runner::lisp::text::display_text;
use ptc_runner::lisp::values::{MAX_NESTING, Temporal};
use ptc_runner::lisp::{Error, Import, Name, Value};
use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyDate, PyDateTime, PyDelta, PyDict, PyFloat, PyFrozenSet, PyInt, PyList, PySet, PyString, PyTime, PyTuple,
    PyTzInfo,
};

use crate::from_python::uuid_class;

/// Bytes that Python takes for a small object and the reference to it.
pub(crate) const OBJECT: u64 = 64;

/// How often a value may need its memory limit as Python objects.
const TIMES: u64 = 4;

/// Why a value has no Python form.
#[derive(Debug)]
pub(crate) enum Refused {
    /// It shares parts so often that it would be larger than this many bytes without sharing.
    TooLarge(u64),
    /// It nests too deep.
    TooDeep,
    /// It has no JSON: an exception with such a value.
    Exception(Error),
    /// Python refused.
    Python(PyErr),
}

impl From<PyErr> for Refused {
    fn from(error: PyErr) -> Refused {
        Refused::Python(error)
    }
}

impl Refused {
    /// The stable reason and the message, as programs have them.
    pub(crate) fn problem(self) -> Result<(&'static str, String), PyErr> {
        match self {
            Refused::TooLarge(bytes) => {
                let size = format!("the value takes more than {bytes} bytes as Python objects");
                Ok(("memory_exceeded", format!("{size}, {TIMES} times the memory limit; return less")))
            }
            Refused::TooDeep => {
                let text = format!("the value nests deeper than {MAX_NESTING} levels; return a flatter one");
                Ok(("nesting_too_deep", text))
            }
            Refused::Exception(error) => Ok((error.reason.as_str(), error.message)),
            Refused::Python(error) => Err(error),
        }
    }
}

/// Counts the bytes of a value as Python objects, before any of them is made.
struct Measure {
    left: u64,
    limit: u64,
}

impl Measure {
    fn charge(&mut self, bytes: usize) -> Result<(), Refused> {
        self.left = self.left.checked_sub(OBJECT + bytes as u64).ok_or(Refused::TooLarge(self.limit))?;
        Ok(())
    }

    fn value(&mut self, value: &Value, depth: usize) -> Result<(), Refused> {
        if depth > MAX_NESTING {
            return Err(Refused::TooDeep);
        }
        match value {
            Value::Str(text) | Value::Uuid(text) => self.charge(text.as_str().len()),
            Value::Big(n) => self.charge(usize::try_from(n.bits() / 8).unwrap_or(usize::MAX)),
            Value::Vector(items) => {
                self.charge(0)?;
                items.iter().try_for_each(|item| self.value(item, depth + 1))
            }
            Value::Set(members) => {
                self.charge(0)?;
                members.iter().try_for_each(|member| self.value(member, depth + 1))
            }
            Value::Map(map) => {
                self.charge(0)?;
                map.iter().try_for_each(|(key, item)| {
                    // Texts of keywords are shared.
                    if !matches!(key, Value::Keyword(_)) {
                        self.value(key, depth + 1)?;
                    }
                    self.value(item, depth + 1)
                })
            }
            _ => self.charge(0),
        }
    }
}

/// Writes values, within a limit of bytes for all of them together.
pub(crate) struct Writer<'py> {
    py: Python<'py>,
    /// Python texts of keys: records share them.
    keys: HashMap<String, Bound<'py, PyString>>,
    measure: Measure,
}

impl<'py> Writer<'py> {
    /// A writer for values made under this memory limit. Data of the host in them does not count there, so large data
    /// raises the limit.
    pub(crate) fn new(py: Python<'py>, memory: u64, data: u64) -> Writer<'py> {
        let limit = memory.saturating_add(data).saturating_mul(TIMES);
        Writer { py, keys: HashMap::new(), measure: Measure { left: limit, limit } }
    }

    /// The Python object: `None`, bool, int, float, str, list, dict, set, date, datetime, time, timedelta or UUID;
    /// functions and the like become their text.
    ///
    /// Errors when it would be too large or too deep; then no object is made. Cost: linear in the result.
    pub(crate) fn value(&mut self, value: &Value) -> Result<Bound<'py, PyAny>, Refused> {
        self.measure.value(value, 0)?;
        self.at(value, 0, false)
    }

    /// The value, or why it has no Python form.
    pub(crate) fn shown(&mut self, value: &Value) -> PyResult<Bound<'py, PyAny>> {
        match self.value(value) {
            Ok(object) => Ok(object),
            Err(refused) => Ok(PyString::new(self.py, &refused.problem()?.1).into_any()),
        }
    }

    /// `frozen`: as a key of a dictionary or a member of a set, which must be hashable.
    fn at(&mut self, value: &Value, depth: usize, frozen: bool) -> Result<Bound<'py, PyAny>, Refused> {
        if depth > MAX_NESTING {
            return Err(Refused::TooDeep);
        }
        let py = self.py;
        Ok(match value {
            Value::Nil => py.None().into_bound(py),
            Value::Bool(flag) => PyBool::new(py, *flag).to_owned().into_any(),
            Value::Int(n) => n.into_pyobject(py).map_err(PyErr::from)?.into_any(),
            Value::Float(x) => PyFloat::new(py, *x).into_any(),
            Value::Str(text) => self.text(text.as_str()),
            Value::Keyword(name) => self.key(name.as_str()).into_any(),
            Value::Vector(items) => {
                let mut made = Vec::with_capacity(items.len());
                for item in items.iter() {
                    made.push(self.at(item, depth + 1, frozen)?);
                }
                if frozen { PyTuple::new(py, made)?.into_any() } else { PyList::new(py, made)?.into_any() }
            }
            Value::Map(_) if frozen => self.text(&display_text(value)),
            Value::Map(map) => {
                let dict = PyDict::new(py);
                for (key, item) in map.iter() {
                    let item = self.at(item, depth + 1, false)?;
                    match key {
                        Value::Keyword(name) => dict.set_item(self.key(name.as_str()), item)?,
                        // Of a keyword and a string with the same text, the keyword's entry wins.
                        Value::Str(text) => {
                            let key = self.key(text.as_str());
                            if map.get_keyword(&Name::new(text.as_str())).is_none() {
                                dict.set_item(key, item)?;
                            }
                        }
                        other => dict.set_item(self.at(other, depth + 1, true)?, item)?,
                    }
                }
                dict.into_any()
            }
            Value::Set(set) => {
                // A set in which Python cannot hash everything becomes a list.
                let hashable = frozen || set.iter().all(|member| is_hashable(member, 0));
                let mut made = Vec::with_capacity(set.len());
                for member in set.iter() {
                    made.push(self.at(member, depth + 1, hashable)?);
                }
                match (frozen, hashable) {
                    (true, _) => PyFrozenSet::new(py, made)?.into_any(),
                    (false, true) => PySet::new(py, made)?.into_any(),
                    (false, false) => PyList::new(py, made)?.into_any(),
                }
            }
            Value::Big(n) => {
                let digits = n.to_str_radix(16);
                py.get_type::<PyInt>().call1((digits, 16))?
            }
            Value::Date(date) => self.date(*date),
            Value::Instant(micros) => self.instant(*micros),
            Value::Temporal(temporal) => self.temporal(temporal),
            Value::Uuid(text) => match uuid_class(py)?.call1((text.as_str(),)) {
                Ok(uuid) => uuid,
                Err(_) => self.text(text.as_str()),
            },
            Value::Exception(_) => {
                let plain = Import::counted().value(value.to_json().map_err(Refused::Exception)?);
                self.measure.value(&plain, depth + 1)?;
                self.at(&plain, depth + 1, frozen)?
            }
            other => self.text(&display_text(other)),
        })
    }

    fn text(&self, text: &str) -> Bound<'py, PyAny> {
        PyString::new(self.py, text).into_any()
    }

    fn key(&mut self, name: &str) -> Bound<'py, PyString> {
        if let Some(known) = self.keys.get(name) {
            return known.clone();
        }
        let made = PyString::new(self.py, name);
        self.keys.insert(name.to_owned(), made.clone());
        made
    }

    /// A date that Python has: years 1 to 9999; else its text.
    fn date(&self, date: Date) -> Bound<'py, PyAny> {
        match PyDate::new(self.py, date.year().into(), unsigned(date.month()), unsigned(date.day())) {
            Ok(made) => made.into_any(),
            Err(_) => self.text(&date.to_string()),
        }
    }

    fn instant(&self, micros: i64) -> Bound<'py, PyAny> {
        let at = Timestamp::from_microsecond(micros).map(|at| at.to_zoned(TimeZone::UTC).datetime());
        match at.ok().map(|at| self.date_time(at, Some(Offset::UTC))) {
            Some(Ok(made)) => made,
            _ => self.text(&display_text(&Value::Instant(micros))),
        }
    }

    fn temporal(&self, temporal: &Temporal) -> Bound<'py, PyAny> {
        let made = match temporal {
            Temporal::DateTime(at) => self.date_time(*at, None),
            Temporal::Zoned(at) => self.date_time(at.0.datetime(), Some(at.0.offset())),
            Temporal::Time(time) => self.time(*time),
            Temporal::Duration(micros) => self.delta(*micros),
            other => return self.text(&other.text()),
        };
        made.unwrap_or_else(|_| self.text(&temporal.text()))
    }

    fn date_time(&self, at: DateTime, offset: Option<Offset>) -> PyResult<Bound<'py, PyAny>> {
        let py = self.py;
        let zone = match offset {
            None => None,
            Some(offset) if offset == Offset::UTC => Some(PyTzInfo::utc(py)?.to_owned()),
            Some(offset) => Some(PyTzInfo::fixed_offset(py, PyDelta::new(py, 0, offset.seconds(), 0, true)?)?),
        };
        let (date, time) = (at.date(), at.time());
        let made = PyDateTime::new(
            py,
            date.year().into(),
            unsigned(date.month()),
            unsigned(date.day()),
            unsigned(time.hour()),
            unsigned(time.minute()),
            unsigned(time.second()),
            micros_of(time),
            zone.as_ref(),
        )?;
        Ok(made.into_any())
    }

    fn time(&self, time: Time) -> PyResult<Bound<'py, PyAny>> {
        let (hour, minute, second) = (unsigned(time.hour()), unsigned(time.minute()), unsigned(time.second()));
        Ok(PyTime::new(self.py, hour, minute, second, micros_of(time), None)?.into_any())
    }

    fn delta(&self, micros: i64) -> PyResult<Bound<'py, PyAny>> {
        let (seconds, rest) = (micros.div_euclid(1_000_000), micros.rem_euclid(1_000_000));
        let days = i32::try_from(seconds.div_euclid(86_400)).unwrap_or(i32::MAX);
        let seconds = i32::try_from(seconds.rem_euclid(86_400)).unwrap_or(0);
        Ok(PyDelta::new(self.py, days, seconds, i32::try_from(rest).unwrap_or(0), true)?.into_any())
    }
}

fn unsigned(part: i8) -> u8 {
    part.unsigned_abs()
}

/// Python has no nanoseconds.
fn micros_of(time: Time) -> u32 {
    time.subsec_nanosecond().unsigned_abs() / 1_000
}

/// Whether Python can hash it in its frozen form without losing what it is: it contains no map.
fn is_hashable(value: &Value, depth: usize) -> bool {
    match value {
        Value::Map(_) => false,
        _ if depth > MAX_NESTING => false,
        Value::Vector(items) => items.iter().all(|item| is_hashable(item, depth + 1)),
        Value::Set(members) => members.iter().all(|member| is_hashable(member, depth + 1)),
        _ => true,
    }
}
