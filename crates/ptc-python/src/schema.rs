//! JSON Schemas of classes as types of signatures.

use ptc_runner::signature::{Enums, Signature, Type};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::Value as Json;

/// The type that a JSON Schema means, with the descriptions of fields; `:any` where there is none.
///
/// Errors with `ValueError` for a text that is not JSON.
#[pyfunction]
pub(crate) fn schema_type(schema: &str) -> PyResult<String> {
    let schema: Json = serde_json::from_str(schema).map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(Type::from_json_schema(&schema, Enums::Exact).to_string())
}

/// A signature that the tool `name` was given as text, in its usual form.
///
/// Errors with `ValueError` for one that cannot be read.
#[pyfunction]
pub(crate) fn check_signature(name: &str, signature: &str) -> PyResult<String> {
    Ok(read_signature(name, signature)?.to_string())
}

/// The signature of the tool `name`.
pub(crate) fn read_signature(name: &str, text: &str) -> PyResult<Signature> {
    Signature::parse(text).map_err(|error| PyValueError::new_err(format!("tool '{name}': {error}")))
}
