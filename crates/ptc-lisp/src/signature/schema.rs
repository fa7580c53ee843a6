//! Signatures and JSON Schema, both ways.

mod import;
#[cfg(test)]
mod tests;
mod whole;

use serde_json::{Map, Value, json};

pub use import::Enums;
pub(crate) use whole::MAX_DESCRIPTION;
pub use whole::ToolSchema;

use crate::signature::{Field, Literal, Signature, Type, kind_of};

impl Type {
    /// The JSON Schema that a provider accepts for this type.
    ///
    /// - `:keyword` is a string, `:any` and `:map` are objects (providers insist on a type), `?` leaves no trace here
    /// - a map from keys to values has its values under `additionalProperties`; keys are strings there, whatever their
    ///   type
    /// - a map with fields is closed by `additionalProperties: false`; rules of fields are left out
    pub fn to_json_schema(&self) -> Value {
        self.schema(Rules::Left)
    }

    fn schema(&self, rules: Rules) -> Value {
        match self {
            Type::String | Type::Keyword => json!({"type": "string"}),
            Type::Int => json!({"type": "integer"}),
            Type::Float => json!({"type": "number"}),
            Type::Bool => json!({"type": "boolean"}),
            Type::Any | Type::JsonOrText | Type::Map => json!({"type": "object"}),
            Type::Optional(inner) => inner.schema(rules),
            Type::OneOf(values) => {
                let mut schema = kind_of(values).schema(rules);
                match schema.as_object_mut().filter(|schema| schema.get("type").is_some_and(|kind| kind != "object")) {
                    Some(schema) => {
                        drop(schema.insert("enum".to_owned(), values.iter().map(Literal::to_json).collect()))
                    }
                    None => schema = json!({"enum": values.iter().map(Literal::to_json).collect::<Value>()}),
                }
                schema
            }
            Type::List(element) => json!({"type": "array", "items": element.schema(rules)}),
            Type::MapOf(_, value) => json!({"type": "object", "additionalProperties": value.schema(rules)}),
            Type::Record(fields) => closed(object(fields, rules)),
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

    /// The schema of the arguments: an object that is open to further properties, with the rules of its parameters.
    pub fn params_schema(&self) -> Value {
        object(self.params(), Rules::Kept)
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

/// Whether a schema has the rules of its fields: providers refuse some of them in schemas of answers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rules {
    Kept,
    Left,
}

fn object(fields: &[Field], rules: Rules) -> Value {
    let properties: Map<String, Value> =
        fields.iter().map(|field| (field.name.clone(), property(field, rules))).collect();
    let required: Vec<&str> =
        fields.iter().filter(|field| !field.ty.accepts_absent()).map(|field| field.name.as_str()).collect();
    json!({"type": "object", "properties": properties, "required": required})
}

fn property(field: &Field, rules: Rules) -> Value {
    let mut schema = field.ty.schema(rules);
    let Some(object) = schema.as_object_mut() else { return schema };
    if let Some(default) = &field.default {
        object.insert("default".to_owned(), default.clone());
    }
    if rules == Rules::Kept {
        field.rules.iter().for_each(|rule| rule.write_schema(object));
    }
    schema
}

fn closed(mut schema: Value) -> Value {
    if let Some(object) = schema.as_object_mut() {
        object.insert("additionalProperties".to_owned(), Value::Bool(false));
    }
    schema
}
