//! Options of agents by name, in the forms of mission files; times in seconds.

use ptc_runner::agent::{AgentSpec, OptionKind, OptionRow, PlanStep, RunSpec, rules};
use ptc_runner::compression::CompressionConfig;
use ptc_runner::lisp::Import;
use ptc_runner::lisp::text::nearest;
use ptc_runner::mission::{LanguageChoice, PromptParts, SystemPromptOptions};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyString};
use serde_json::{Map as Object, Value as Json, json};

use crate::calls::duration;
use crate::from_python::{shown, value_of};

/// Give an option of the agent its value.
///
/// Errors with `TypeError` and `ValueError` that name the option, or the nearest one when there is none of this name.
pub(crate) fn set_option(spec: &mut AgentSpec, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let row = row_of(AgentSpec::OPTIONS, "option", name)?;
    match name {
        "compression" => spec.compression = compression(value)?,
        "system_prompt" => spec.system_prompt = system_prompt(value)?,
        "plan" => {
            let steps = value.try_iter()?.map(|step| plan_step(&step?)).collect::<PyResult<Vec<_>>>()?;
            spec.plan = rules::plan(&steps).map_err(|error| PyValueError::new_err(format!("plan: {error}")))?;
        }
        _ => {
            let json = json_for(row, value)?;
            spec.set(name, json).map_err(|error| PyValueError::new_err(format!("{name}: {error}")))?;
        }
    }
    Ok(())
}

/// Give an option of a run its value.
///
/// Errors as [`set_option`].
pub(crate) fn set_run_option(spec: &mut RunSpec, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let json = json_for(row_of(RunSpec::OPTIONS, "option of runs", name)?, value)?;
    spec.set(name, json).map_err(|error| PyValueError::new_err(format!("{name}: {error}")))
}

/// The row of this name, which is a `what`.
fn row_of(rows: &'static [OptionRow], what: &str, name: &str) -> PyResult<&'static OptionRow> {
    let row = rows.iter().find(|row| row.name == name);
    row.ok_or_else(|| unknown(what, name, rows.iter().map(|row| row.name)))
}

fn unknown<'n>(what: &str, name: &str, known: impl Iterator<Item = &'n str> + Clone) -> PyErr {
    let advice = match nearest(name, known.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are {}", known.collect::<Vec<_>>().join(", ")),
    };
    PyTypeError::new_err(format!("unknown {what} `{name}`; {advice}"))
}

/// The value of an option as serde writes it.
fn json_for(row: &OptionRow, value: &Bound<'_, PyAny>) -> PyResult<Json> {
    match row.kind {
        OptionKind::Time if !value.is_none() => {
            let seconds = value
                .extract()
                .map_err(|_| PyTypeError::new_err(format!("{} must be a number of seconds", row.name)))?;
            Ok(json!(duration(row.name, seconds)?))
        }
        OptionKind::Table(rows) if !value.is_none() => {
            let mut table = Object::new();
            for (name, value) in entries(value, row.name)? {
                let row = row_of(rows, &format!("option of {}", row.name), &name)?;
                table.insert(name, json_for(row, &value)?);
            }
            Ok(Json::Object(table))
        }
        _ => {
            let json = json_of(value, row.name)?;
            if json.is_null() && row.is_optional { Ok(json) } else { ruled(row, value, json) }
        }
    }
}

/// The JSON of a value, unless it breaks the rule of its row.
fn ruled(row: &OptionRow, value: &Bound<'_, PyAny>, json: Json) -> PyResult<Json> {
    // Integers of NumPy are none of Python; those that JSON does not have are.
    let is_integer = !json.is_boolean() && (json.is_i64() || json.is_u64() || value.is_instance_of::<PyInt>());
    let (has_type, bounds) = match row.kind {
        OptionKind::Count { least, most } => (is_integer, Some(least..=most)),
        OptionKind::Bytes => (is_integer, Some(1..=u64::MAX)),
        OptionKind::Flag => (json.is_boolean(), None),
        OptionKind::Text | OptionKind::Line => (json.is_string(), None),
        _ => return Ok(json),
    };
    let broken = |rule: &str| format!("{rule}, got {}", shown(value));
    if !has_type {
        return Err(PyTypeError::new_err(broken(&row.rule())));
    }
    let Some(bounds) = bounds.filter(|bounds| !json.as_u64().is_some_and(|number| bounds.contains(&number))) else {
        return Ok(json);
    };
    let is_above = value.gt(*bounds.end())?;
    let rule = if is_above { format!("{} must be at most {}", row.name, bounds.end()) } else { row.rule() };
    Err(PyValueError::new_err(broken(&rule)))
}

fn entries<'py>(value: &Bound<'py, PyAny>, name: &str) -> PyResult<Vec<(String, Bound<'py, PyAny>)>> {
    let Ok(dict) = value.cast::<PyDict>() else { return Err(PyTypeError::new_err(format!("{name} must be a dict"))) };
    dict.items().iter().map(|pair| pair.extract()).collect()
}

/// `True`, `False`, a strategy by its name, or a dict of `strategy`, its options, and the ceiling `max_tokens` with its
/// `token_counter`.
fn compression(value: &Bound<'_, PyAny>) -> PyResult<CompressionConfig> {
    let record = match json_of(value, "compression")? {
        Json::Bool(on) => return Ok(CompressionConfig::from(on)),
        Json::String(strategy) => json!({"strategy": strategy, "options": {}}),
        Json::Object(mut given) => {
            let mut record = Object::new();
            for name in ["strategy", "max_tokens", "token_counter"] {
                record.extend(given.shift_remove(name).map(|part| (name.to_owned(), part)));
            }
            record.insert("options".to_owned(), Json::Object(given));
            Json::Object(record)
        }
        other => {
            let text = format!("compression must be True, False, the name of a strategy or a dict, got {other}");
            return Err(PyTypeError::new_err(text));
        }
    };
    serde_json::from_value(record).map_err(|error| PyValueError::new_err(format!("compression: {error}")))
}

/// The whole text, or a dict of parts.
fn system_prompt(value: &Bound<'_, PyAny>) -> PyResult<SystemPromptOptions> {
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(SystemPromptOptions::Text(text.to_str()?.to_owned()));
    }
    let mut parts = PromptParts::default();
    for (name, value) in entries(value, "system_prompt")? {
        let text: String = value.extract()?;
        match name.as_str() {
            "prefix" => parts.prefix = Some(text),
            "suffix" => parts.suffix = Some(text),
            "output_format" => parts.output_format = Some(text),
            "language_spec" => parts.language_spec = Some(LanguageChoice::from(text.as_str())),
            _ => {
                let known = ["prefix", "suffix", "language_spec", "output_format"];
                return Err(unknown("part of system_prompt", &name, known.into_iter()));
            }
        }
    }
    Ok(SystemPromptOptions::Parts(parts))
}

/// A text, or a pair of id and text.
fn plan_step(step: &Bound<'_, PyAny>) -> PyResult<PlanStep> {
    if let Ok(text) = step.extract::<String>() {
        return Ok(text.into());
    }
    let pair = step.extract::<(String, String)>();
    pair.map(Into::into).map_err(|_| PyTypeError::new_err("plan must be a list of texts, or of pairs of id and text"))
}

/// A plain value as JSON; `name` is what it is called in errors.
fn json_of(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Json> {
    let value = value_of(value, &mut Import::with_text_keys(), name)?;
    value.to_json().map_err(|error| PyValueError::new_err(error.to_string()))
}
