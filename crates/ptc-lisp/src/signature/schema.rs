//! Signatures and JSON Schema, both ways.

mod import;
#[cfg(test)]
mod tests;
mod whole;

use serde_json::{Map, Value, json};

pub use import::Enums;
pub use whole::ToolSchema;

use crate::signature::{Field, Literal, Signature, Type, kind_of};

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
            Type::OneOf(values) => {
                let mut schema = kind_of(values).to_json_schema();
                match schema.as_object_mut().filter(|schema| schema.get("type").is_some_and(|kind| kind != "object")) {
                    Some(schema) => {
                        drop(schema.insert("enum".to_owned(), values.iter().map(Literal::to_json).collect()))
                    }
                    None => schema = json!({"enum": values.iter().map(Literal::to_json).collect::<Value>()}),
                }
                schema
            }
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

impl Literal {
    /// The value as JSON: a keyword is its name.
    pub fn to_json(&self) -> Value {
        match self {
            Literal::String(text) | Literal::Keyword(text) => json!(text),
            Literal::Number(number) => json!(number),
            Literal::Bool(flag) => json!(flag),
        }
    }
}

fn object(fields: &[Field]) -> Value {
    let properties: Map<String, Value> = fields.iter().map(|field| (field.name.clone(), with_default(field))).collect();
    let required: Vec<&str> =
        fields.iter().filter(|field| !field.ty.accepts_absent()).map(|field| field.name.as_str()).collect();
    json!({"type": "object", "properties": properties, "required": required})
}

fn with_default(field: &Field) -> Value {
    let mut schema = field.ty.to_json_schema();
    if let (Some(default), Some(schema)) = (&field.default, schema.as_object_mut()) {
        schema.insert("default".to_owned(), default.clone());
    }
    schema
}

fn closed(mut schema: Value) -> Value {
    if let Some(object) = schema.as_object_mut() {
        object.insert("additionalProperties".to_owned(), Value::Bool(false));
    }
    schema
}
