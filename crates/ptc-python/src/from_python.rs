//! Python objects as values of programs.

use std::fmt::Write;

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;
use num_bigint::BigInt;
use ptc_runner::lisp::values::{MAX_NESTING, Temporal};
use ptc_runner::lisp::{Import, Value};
use pyo3::exceptions::{PyException, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{
    IntoPyDict, PyBool, PyByteArray, PyBytes, PyDate, PyDateAccess, PyDateTime, PyDelta, PyDeltaAccess, PyDict,
    PyFloat, PyFrozenSet, PyInt, PyList, PyMapping, PyRange, PySet, PyString, PyTime, PyTimeAccess, PyTuple, PyType,
    PyTzInfo, PyTzInfoAccess,
};

use crate::to_python::OBJECT;

/// What cannot be a value, and where it is.
pub(crate) struct Refusal {
    error: PyErr,
    /// From the inside out: `["when"]`, `[3]`.
    path: Vec<String>,
}

impl Refusal {
    fn unsupported(message: impl Into<String>) -> Refusal {
        Refusal { error: PyTypeError::new_err(message.into()), path: Vec::new() }
    }

    fn value(message: impl Into<String>) -> Refusal {
        Refusal { error: PyValueError::new_err(message.into()), path: Vec::new() }
    }

    fn within(mut self, step: impl FnOnce() -> String) -> Refusal {
        // The outermost steps are kept: a value that contains itself has as many as there are levels.
        if self.path.len() == SHOWN_STEPS {
            self.path.remove(0);
        }
        self.path.push(step());
        self
    }

    /// `data["orders"][3]["when"]: …` for a value that is called `root`.
    pub(crate) fn into_error(self, py: Python<'_>, root: &str) -> PyErr {
        let is_ours = self.error.is_instance_of::<PyTypeError>(py) || self.error.is_instance_of::<PyValueError>(py);
        if !is_ours {
            return self.error;
        }
        let mut text = root.to_owned();
        self.path.iter().rev().for_each(|step| text.push_str(step));
        let _ = write!(text, ": {}", self.error.value(py));
        PyErr::from_type(self.error.get_type(py), text)
    }
}

impl From<PyErr> for Refusal {
    fn from(error: PyErr) -> Refusal {
        Refusal { error, path: Vec::new() }
    }
}

/// Steps of a path that an error shows.
const SHOWN_STEPS: usize = 8;

/// The value of an object. `root` is its name in errors.
///
/// Errors with `TypeError` and `ValueError` that name the part that cannot be a value. Cost: linear.
pub(crate) fn value_of(object: &Bound<'_, PyAny>, import: &mut Import, root: &str) -> PyResult<Value> {
    sized_value_of(object, import, root).map(|(value, _)| value)
}

/// Like [`value_of`], with the number of bytes that Python takes for the object.
pub(crate) fn sized_value_of(object: &Bound<'_, PyAny>, import: &mut Import, root: &str) -> PyResult<(Value, u64)> {
    let mut reader = Reader { import, open: Vec::new(), bytes: 0 };
    let value = reader.value(object).map_err(|refusal| refusal.into_error(object.py(), root))?;
    Ok((value, reader.bytes))
}

struct Reader<'i> {
    import: &'i mut Import,
    /// Addresses of the objects around the current one.
    open: Vec<usize>,
    /// Bytes that Python takes for what was read.
    bytes: u64,
}

impl Reader<'_> {
    fn value(&mut self, object: &Bound<'_, PyAny>) -> Result<Value, Refusal> {
        self.bytes += OBJECT;
        if object.is_none() {
            return Ok(Value::Nil);
        }
        if let Ok(text) = object.cast::<PyString>() {
            return self.text(text);
        }
        if let Ok(flag) = object.cast::<PyBool>() {
            return Ok(Value::Bool(flag.is_true()));
        }
        if object.is_instance_of::<PyInt>() {
            return integer(object);
        }
        if let Ok(number) = object.cast::<PyFloat>() {
            return Ok(Value::Float(number.value()));
        }
        if object.is_instance_of::<PyDict>()
            || object.is_instance_of::<PyList>()
            || object.is_instance_of::<PyTuple>()
            || object.is_instance_of::<PySet>()
            || object.is_instance_of::<PyFrozenSet>()
        {
            return self.inside(object, |reader| reader.collection(object));
        }
        self.other(object)
    }

    /// Read the parts of `object`, unless it is too deep.
    fn inside(
        &mut self,
        object: &Bound<'_, PyAny>,
        read: impl FnOnce(&mut Self) -> Result<Value, Refusal>,
    ) -> Result<Value, Refusal> {
        let address = object.as_ptr() as usize;
        if self.open.len() >= MAX_NESTING {
            let is_circular = self.open.contains(&address);
            return Err(Refusal::value(match is_circular {
                true => "it contains itself; values of programs are trees".to_owned(),
                false => format!("it nests deeper than {MAX_NESTING} levels, or contains itself"),
            }));
        }
        self.open.push(address);
        let value = read(self);
        self.open.pop();
        value
    }

    fn text(&mut self, text: &Bound<'_, PyString>) -> Result<Value, Refusal> {
        let content = text.to_str().map_err(|_| {
            Refusal::value("the text has a lone surrogate, which is not a character: decode it with errors=\"replace\"")
        })?;
        self.bytes += content.len() as u64;
        if text.is_exact_instance_of::<PyString>() || !text.is_instance(keyword_class(text.py())?)? {
            return Ok(self.import.string(content));
        }
        match self.import.key(content) {
            keyword @ Value::Keyword(_) => Ok(keyword),
            _ => Err(Refusal::value(format!("`{content}` cannot be written as a keyword; pass it as str"))),
        }
    }

    fn collection(&mut self, object: &Bound<'_, PyAny>) -> Result<Value, Refusal> {
        if let Ok(dict) = object.cast::<PyDict>() {
            // A copy: code of elements may change the dictionary.
            return self.entries(&dict.items());
        }
        if object.is_instance_of::<PySet>() || object.is_instance_of::<PyFrozenSet>() {
            return self.set(object);
        }
        self.list(object)
    }

    fn list(&mut self, items: &Bound<'_, PyAny>) -> Result<Value, Refusal> {
        let mut made = Vec::with_capacity(items.len().unwrap_or(0));
        for (index, item) in items.try_iter()?.enumerate() {
            made.push(self.value(&item?).map_err(|refusal| refusal.within(|| format!("[{index}]")))?);
        }
        Ok(self.import.list(made))
    }

    /// The members in the order of their texts: that of Python changes with every process, and runs must not.
    fn set(&mut self, members: &Bound<'_, PyAny>) -> Result<Value, Refusal> {
        let mut made = Vec::new();
        for member in members.try_iter()? {
            made.push(self.value(&member?).map_err(|refusal| refusal.within(|| "{…}".to_owned()))?);
        }
        made.sort_by_cached_key(ToString::to_string);
        self.import.set(made).map_err(|error| Refusal::value(error.to_string()))
    }

    /// The map of a list of pairs.
    fn entries(&mut self, pairs: &Bound<'_, PyList>) -> Result<Value, Refusal> {
        let mut made = Vec::with_capacity(pairs.len());
        for pair in pairs.iter() {
            let (key, item): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair.extract()?;
            let name = self.key(&key)?;
            made.push((name, self.value(&item).map_err(|refusal| refusal.within(|| step_of(&key)))?));
        }
        self.import.map(made).map_err(|error| Refusal::value(error.to_string()))
    }

    fn key(&mut self, key: &Bound<'_, PyAny>) -> Result<Value, Refusal> {
        match key.cast_exact::<PyString>().map(|text| text.to_str()) {
            Ok(Ok(text)) => Ok(self.import.key(text)),
            _ => self.value(key).map_err(|refusal| refusal.within(|| format!(" key {}", shown(key)))),
        }
    }

    /// Kinds that are rare.
    fn other(&mut self, object: &Bound<'_, PyAny>) -> Result<Value, Refusal> {
        let py = object.py();
        if let Some(time) = time_of(object)? {
            return Ok(time);
        }
        if object.is_instance(uuid_class(py)?)? {
            let text = object.str()?;
            return Ok(Value::Uuid(text.to_str()?.into()));
        }
        if object.is_instance(enum_class(py)?)? {
            return self.value(&object.getattr(intern!(py, "value"))?);
        }
        if object.is_instance_of::<PyBytes>() || object.is_instance_of::<PyByteArray>() {
            return Err(Refusal::unsupported("bytes are not text; decode them: value.decode()"));
        }
        if object.is_instance_of::<PyType>() {
            return Err(Refusal::unsupported(format!("a class ({}) is not data", shown(object))));
        }
        if let Some(fields) = object.get_type().getattr_opt(intern!(py, "__dataclass_fields__"))? {
            return self.inside(object, |reader| reader.dataclass(object, &fields));
        }
        // Models of pydantic, and what looks like them; their schemas have the aliases of fields, too.
        if let Some(dump) = object.getattr_opt(intern!(py, "model_dump"))? {
            let by_alias = [("by_alias", true)].into_py_dict(py)?;
            let plain = dump.call((), Some(&by_alias))?;
            return self.inside(object, |reader| reader.value(&plain));
        }
        if let Ok(mapping) = object.cast::<PyMapping>() {
            let items = mapping.items()?;
            return self.inside(object, |reader| reader.entries(&items));
        }
        if object.is_instance_of::<PyRange>() {
            return self.list(object);
        }
        // Arrays and scalars of NumPy, columns of pandas, array.array.
        if object.hasattr(intern!(py, "tolist"))? {
            let plain = in_microseconds(object)?.call_method0(intern!(py, "tolist"))?;
            return self.inside(object, |reader| reader.value(&plain));
        }
        if let Some(index) = object.getattr_opt(intern!(py, "__index__"))? {
            return integer(&index.call0()?);
        }
        Err(unsupported(object))
    }

    fn dataclass(&mut self, object: &Bound<'_, PyAny>, fields: &Bound<'_, PyAny>) -> Result<Value, Refusal> {
        let mut made = Vec::new();
        for name in fields.try_iter()? {
            let name = name?.cast_into::<PyString>().map_err(PyErr::from)?;
            let item = object.getattr(&name)?;
            let item = self.value(&item).map_err(|refusal| refusal.within(|| format!(".{name}")))?;
            made.push((self.import.key(name.to_str()?), item));
        }
        self.import.map(made).map_err(|error| Refusal::value(error.to_string()))
    }
}

/// The array, with times in microseconds, as Python has them: of those in a finer unit, `tolist` makes numbers.
fn in_microseconds<'py>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = array.py();
    let Some(kind) = array.getattr_opt(intern!(py, "dtype"))? else { return Ok(array.clone()) };
    let Some(name) = kind.getattr_opt(intern!(py, "name"))? else { return Ok(array.clone()) };
    let name = name.extract::<String>().unwrap_or_default();
    match name.trim_end_matches(']').split_once('[') {
        Some((kind @ ("datetime64" | "timedelta64"), "ns" | "ps" | "fs" | "as")) => {
            array.call_method1(intern!(py, "astype"), (format!("{kind}[us]"),))
        }
        _ => Ok(array.clone()),
    }
}

/// What to do with an object that cannot be a value.
fn unsupported(object: &Bound<'_, PyAny>) -> Refusal {
    let name = type_name(object);
    let advice = match name.as_str() {
        "DataFrame" => "pass frame.to_dict(\"records\")",
        "Decimal" | "Fraction" => {
            "programs have integers and floats; pass float(value), or str(value) to keep all digits"
        }
        "NAType" => "replace what is missing: frame.astype(object).where(frame.notna(), None)",
        "generator" | "map" | "filter" | "zip" | "dict_values" | "dict_keys" | "dict_items" | "deque" => {
            "pass list(value)"
        }
        "function" | "method" | "builtin_function_or_method" => "functions are not data; pass it in tools=[…]",
        "coroutine" => "await it first",
        _ => {
            "values are None, bool, int, float, str, list, tuple, dict, set, date, datetime, time, timedelta, UUID and \
              dataclasses of these"
        }
    };
    let article = if name.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']) { "an" } else { "a" };
    Refusal::unsupported(format!("{article} {name} cannot be a value of a program; {advice}"))
}

/// An integer of any size; through hexadecimal digits, which take linear time.
fn integer(object: &Bound<'_, PyAny>) -> Result<Value, Refusal> {
    if let Ok(small) = object.extract::<i64>() {
        return Ok(Value::Int(small));
    }
    let digits = object.py().get_type::<PyInt>().call_method1("__format__", (object, "x"))?;
    let number = BigInt::parse_bytes(digits.extract::<String>()?.as_bytes(), 16);
    number.map(Value::integer).ok_or_else(|| unsupported(object))
}

/// A date, a time or an amount of time; `None` for anything else.
fn time_of(object: &Bound<'_, PyAny>) -> Result<Option<Value>, Refusal> {
    let invalid = |error: jiff::Error| Refusal::value(format!("{} cannot be a value: {error}", shown(object)));
    if let Ok(at) = object.cast::<PyDateTime>() {
        // pandas has a datetime that equals nothing for one that is missing.
        if !at.is_exact_instance_of::<PyDateTime>() && object.ne(object)? {
            return Ok(Some(Value::Nil));
        }
        if at.get_tzinfo().is_none() {
            return civil(at).map(|at| Some(Temporal::DateTime(at).into())).map_err(invalid);
        }
        let utc = PyTzInfo::utc(object.py())?;
        let at = object.call_method1(intern!(object.py(), "astimezone"), (utc,))?;
        let at = civil(at.cast::<PyDateTime>().map_err(PyErr::from)?).map_err(invalid)?;
        let micros = at.to_zoned(TimeZone::UTC).map_err(invalid)?.timestamp().as_microsecond();
        return Ok(Some(Value::Instant(micros)));
    }
    if let Ok(date) = object.cast::<PyDate>() {
        return date_of(date).map(|date| Some(Value::Date(date))).map_err(invalid);
    }
    if let Ok(time) = object.cast::<PyTime>() {
        if time.get_tzinfo().is_some() {
            return Err(Refusal::unsupported("a time with a time zone cannot be a value; pass a datetime"));
        }
        return time_of_day(time).map(|time| Some(Temporal::Time(time).into())).map_err(invalid);
    }
    if let Ok(delta) = object.cast::<PyDelta>() {
        let seconds = i64::from(delta.get_days()) * 86_400 + i64::from(delta.get_seconds());
        let micros =
            seconds.checked_mul(1_000_000).and_then(|micros| micros.checked_add(delta.get_microseconds().into()));
        let micros =
            micros.ok_or_else(|| Refusal::value("a timedelta of more than 292,000 years cannot be a value"))?;
        return Ok(Some(Temporal::Duration(micros).into()));
    }
    Ok(None)
}

fn civil(at: &Bound<'_, PyDateTime>) -> Result<DateTime, jiff::Error> {
    Ok(DateTime::from_parts(date_of(at.as_any().cast::<PyDate>().map_err(|_| odd())?)?, time_of_day(at)?))
}

fn odd() -> jiff::Error {
    jiff::Error::from_args(format_args!("not a date"))
}

fn date_of(date: &impl PyDateAccess) -> Result<Date, jiff::Error> {
    let year = i16::try_from(date.get_year()).map_err(|_| odd())?;
    Date::new(year, date.get_month().cast_signed(), date.get_day().cast_signed())
}

fn time_of_day(time: &impl PyTimeAccess) -> Result<Time, jiff::Error> {
    let nanos = i32::try_from(time.get_microsecond()).unwrap_or(0).saturating_mul(1_000);
    Time::new(time.get_hour().cast_signed(), time.get_minute().cast_signed(), time.get_second().cast_signed(), nanos)
}

fn keyword_class<'py>(py: Python<'py>) -> PyResult<&'py Bound<'py, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "ptc_runner._values", "Keyword")
}

/// `uuid.UUID`.
pub(crate) fn uuid_class<'py>(py: Python<'py>) -> PyResult<&'py Bound<'py, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "uuid", "UUID")
}

fn enum_class<'py>(py: Python<'py>) -> PyResult<&'py Bound<'py, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "enum", "Enum")
}

fn unfit_class<'py>(py: Python<'py>) -> PyResult<&'py Bound<'py, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "ptc_runner._kinds", "Unfit")
}

fn type_name(object: &Bound<'_, PyAny>) -> String {
    object.get_type().name().map_or_else(|_| "object".to_owned(), |name| name.to_string())
}

/// The first 40 characters of the representation.
pub(crate) fn shown(object: &Bound<'_, PyAny>) -> String {
    let text = object.repr().map_or_else(|_| type_name(object), |text| text.to_string());
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

fn step_of(key: &Bound<'_, PyAny>) -> String {
    format!("[{}]", shown(key))
}

/// The text of an exception as programs and models read it: `ValueError: no room 7`.
pub(crate) fn exception_text(py: Python<'_>, error: &PyErr) -> String {
    let name = error.get_type(py).name().map_or_else(|_| "Exception".to_owned(), |name| name.to_string());
    let text = error.value(py).str().map_or_else(|_| String::new(), |text| text.to_string_lossy().into_owned());
    // It is written for them.
    let is_whole = unfit_class(py).is_ok_and(|class| error.is_instance(py, class));
    match text.is_empty() {
        true => name,
        false if is_whole => text,
        false => format!("{name}: {text}"),
    }
}

/// Whether an exception ends the run instead of being an answer: `KeyboardInterrupt`, `SystemExit` and the like.
pub(crate) fn ends_run(py: Python<'_>, error: &PyErr) -> bool {
    !error.is_instance_of::<PyException>(py)
}
