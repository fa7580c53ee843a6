//! JSON Schemas of classes as types of signatures.

use ptc_runner::signature::{Enums, Field, Signature, Type};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::Value as Json;

/// Levels of fields whose descriptions are read; a class may be inside itself.
const DEPTH: usize = 5;

/// The type that a JSON Schema means, with the descriptions of fields; `:any` where there is none.
///
/// Errors with `ValueError` for a text that is not JSON.
#[pyfunction]
pub(crate) fn schema_type(schema: &str) -> PyResult<String> {
    let schema: Json = serde_json::from_str(schema).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let whole = Field::new("it", Type::from_json_schema(&schema, Enums::String));
    let mut signature = Signature::new(Some(vec![whole]), Type::Any);
    describe(&mut signature, &schema, &schema, "it");
    Ok(signature.param("it").map_or(&Type::Any, |field| &field.ty).to_string())
}

/// Read a signature that the tool `name` was given as text.
///
/// Errors with `ValueError` for one that cannot be read.
#[pyfunction]
pub(crate) fn check_signature(name: &str, signature: &str) -> PyResult<()> {
    read_signature(name, signature).map(drop)
}

/// The signature of the tool `name`.
pub(crate) fn read_signature(name: &str, text: &str) -> PyResult<Signature> {
    Signature::parse(text).map_err(|error| PyValueError::new_err(format!("tool '{name}': {error}")))
}

/// Say what the fields at `path` are, from their schemas.
fn describe(signature: &mut Signature, root: &Json, schema: &Json, path: &str) {
    if path.split('.').count() > DEPTH {
        return;
    }
    if let Some(target) = schema.get("$ref").and_then(Json::as_str).and_then(|name| name.strip_prefix('#')) {
        return root.pointer(target).into_iter().for_each(|target| describe(signature, root, target, path));
    }
    for (name, field) in schema.get("properties").and_then(Json::as_object).into_iter().flatten() {
        let path = format!("{path}.{name}");
        if let Some(about) = field.get("description").and_then(Json::as_str) {
            // The type of a class inside itself ends where it meets itself: the field may be missing.
            signature.describe(&path, &about.split_whitespace().collect::<Vec<_>>().join(" "));
        }
        describe(signature, root, field, &path);
    }
    let cases = schema.get("anyOf").and_then(Json::as_array).into_iter().flatten();
    let inside = [schema.get("items"), schema.get("additionalProperties")];
    for part in cases.chain(inside.into_iter().flatten()) {
        describe(signature, root, part, path);
    }
}
