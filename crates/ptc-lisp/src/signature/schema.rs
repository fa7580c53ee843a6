//! Signatures and JSON Schema, both ways.

mod import;
#[cfg(test)]
mod tests;

use serde_json::{Map, Value, json};

pub use import::Enums;

use crate::signature::{Field, Signature, Type};

impl Type {
    /// The JSON Schema that a provider accepts for this type.
    ///
    /// - `:keyword` is a string, `:any` and `:map` are objects (providers insist on a type), `?` leaves no trace here
    /// - a map from keys to values has its values under `additionalProperties`; keys are strings there, whatever their
    ///   type
    /// - a map with fields is closed by `additionalProperties: false`
    pub fn to_json_schema(&self) -> Value {
        match self {
            Type::String | Type::Keyword => json!({"type": "string"}),
            Type::Int => json!({"type": "integer"}),
            Type::Float => json!({"type": "number"}),
            Type::Bool => json!({"type": "boolean"}),
            Type::Any | Type::Map => json!({"type": "object"}),
            Type::Optional(inner) => inner.to_json_schema(),
            Type::List(element) => json!({"type": "array", "items": element.to_json_schema()}),
            Type::MapOf(_, value) => json!({"type": "object", "additionalProperties": value.to_json_schema()}),
            Type::Record(fields) => closed(object(fields)),
        }
    }
}

impl Signature {
    /// The schema of the answer; a list is wrapped as `{"items": […]}`, because providers want an object on top.
    pub fn result_schema(&self) -> Value {
        let schema = self.result().to_json_schema();
        match self.result().required() {
            Type::List(_) => closed(json!({"type": "object", "properties": {"items": schema}, "required": ["items"]})),
            _ => schema,
        }
    }

    /// The schema of the arguments: an object that is open to further properties.
    pub fn params_schema(&self) -> Value {
        object(self.params())
    }
}

fn object(fields: &[Field]) -> Value {
    let properties: Map<String, Value> =
        fields.iter().map(|field| (field.name.clone(), field.ty.to_json_schema())).collect();
    let required: Vec<&str> =
        fields.iter().filter(|field| !field.ty.accepts_absent()).map(|field| field.name.as_str()).collect();
    json!({"type": "object", "properties": properties, "required": required})
}

fn closed(mut schema: Value) -> Value {
    if let Some(object) = schema.as_object_mut() {
        object.insert("additionalProperties".to_owned(), Value::Bool(false));
    }
    schema
}
