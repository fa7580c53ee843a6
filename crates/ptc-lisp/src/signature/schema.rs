//! Signatures and JSON Schema, both ways.

mod import;
#[cfg(test)]
mod tests;
mod whole;
mod written;

use serde_json::{Map, Value, json};

pub use import::Enums;
pub(crate) use whole::MAX_DESCRIPTION;
pub(super) use written::written_as;

use crate::signature::types::first_step;
use crate::signature::{Field, Literal, Signature, Type, kind_of};

impl Type {
    /// The JSON Schema that a provider accepts for this type.
    ///
    /// - `:keyword` is a string, `:any` and `:map` are objects (providers insist on a type), `?` leaves no trace here
    /// - a map from keys to values has its values under `additionalProperties`; keys are strings there, whatever their
    ///   type
    /// - alternatives are under `anyOf`
    /// - a map with fields is closed by `additionalProperties: false`
    /// - rules, the types of a tuple by their places, and keys are words in a `description`: providers refuse other keys
    pub fn to_json_schema(&self) -> Value {
        self.schema(Reader::Answers)
    }

    fn schema(&self, reader: Reader) -> Value {
        match self {
            Type::String | Type::Keyword => json!({"type": "string"}),
            Type::Int => json!({"type": "integer"}),
            Type::Float => json!({"type": "number"}),
            Type::Bool => json!({"type": "boolean"}),
            Type::Any | Type::JsonOrText if reader == Reader::Model => json!({}),
            Type::Any | Type::JsonOrText | Type::Map => json!({"type": "object"}),
            Type::Optional(inner) => inner.schema(reader),
            Type::OneOf(values) => {
                let mut schema = match values.as_slice() {
                    [Literal::Nil] => return json!({"type": "null"}),
                    values => kind_of(values).schema(reader),
                };
                match schema.as_object_mut().filter(|schema| schema.get("type").is_some_and(|kind| kind != "object")) {
                    Some(schema) => {
                        drop(schema.insert("enum".to_owned(), values.iter().map(Literal::to_json).collect()))
                    }
                    None => schema = json!({"enum": values.iter().map(Literal::to_json).collect::<Value>()}),
                }
                schema
            }
            Type::List(element) => json!({"type": "array", "items": element.schema(reader)}),
            Type::Tuple(parts) => tuple(parts, reader),
            Type::MapOf(key, value) => {
                let mut schema = json!({"type": "object", "additionalProperties": value.schema(reader)});
                if reader == Reader::Answers {
                    if let Some(kept) = kept_by_keys(key) {
                        describe_whole(&mut schema, &format!("keys {kept}"));
                    }
                } else if matches!(key.required(), Type::OneOf(_) | Type::Ruled(..)) {
                    set(&mut schema, "propertyNames", key.schema(reader));
                }
                schema
            }
            Type::Ruled(inner, rules) => {
                let mut schema = inner.schema(reader);
                match schema.as_object_mut().filter(|_| reader != Reader::Answers) {
                    Some(object) => rules.iter().for_each(|rule| rule.write_schema(object)),
                    None => rules.iter().for_each(|rule| describe_whole(&mut schema, &rule.to_string())),
                }
                schema
            }
            Type::Record(fields) => closed(object(fields, reader)),
            Type::Union(types) => json!({"anyOf": types.iter().map(|ty| ty.schema(reader)).collect::<Value>()}),
        }
    }
}

impl Signature {
    /// The schema of the answer; a list is wrapped as `{"items": […]}`, and alternatives that are all maps have one schema
    /// with the fields of all, because providers want an object on top.
    pub fn result_schema(&self) -> Value {
        let result = self.result().as_record();
        let schema = result.as_ref().unwrap_or(self.result()).to_json_schema();
        match self.result().shape() {
            Type::List(_) | Type::Tuple(_) => {
                closed(json!({"type": "object", "properties": {"items": schema}, "required": ["items"]}))
            }
            _ => schema,
        }
    }

    /// The schema of the arguments: that of the source if it is of an object, without the key that names a dialect; else
    /// an object that is open to further properties, with the rules of its parameters.
    pub fn params_schema(&self) -> Value {
        match self.input.as_deref().and_then(Value::as_object) {
            Some(own) if own.get("type").is_some_and(|kind| kind == "object") => {
                own.iter().filter(|(key, _)| *key != "$schema").map(|(key, part)| (key.clone(), part.clone())).collect()
            }
            _ => object(self.params(), Reader::Calls),
        }
    }

    /// Whether parameters have descriptions: [`Signature::lines`] has them, the signature in one line has not.
    #[must_use]
    pub fn describes_params(&self) -> bool {
        let described = |param: &Value| param.get("description").is_some();
        match self.input.as_deref() {
            Some(schema) => {
                schema.get("properties").and_then(Value::as_object).is_some_and(|all| all.values().any(described))
            }
            None => self.params().iter().any(Field::is_described),
        }
    }

    /// What the source says of parameters, fields and results, a line for each place, such as
    /// `filter.size integer; minimum 1; default 10; How many`. Empty when it says no more than the signature in one line.
    ///
    /// - `[]` is each element of a list, `[0]` the first, `*` any other name, `result` the result
    /// - cases (`anyOf`, `oneOf`) have separate lines: `parent (case 2).page_id string`
    /// - what a reference names is shown once, later places say where
    /// - a description longer than 4,000 characters is shortened, with the number of missing characters
    ///
    /// ```
    /// use ptc_lisp::signature::{Enums, Signature};
    /// use serde_json::json;
    ///
    /// let input = json!({"properties": {"n": {"type": "integer", "minimum": 1, "default": 5, "description": "How many"}}});
    /// let signature = Signature::from_json_schemas(Some(input), None, Enums::String);
    /// assert_eq!(signature.lines(), ["n integer; minimum 1; default 5; How many"]);
    /// ```
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let declared = |fields: &[Field], ty: &dyn Fn() -> Value| fields.iter().any(Field::is_described).then(ty);
        let params = declared(self.params(), &|| object(self.params(), Reader::Model));
        let result = declared(self.result().fields(), &|| self.result().schema(Reader::Model));
        let input = self.input.as_deref().or(params.as_ref()).map(|schema| whole::lines(schema, ""));
        let output = self.output.as_deref().or(result.as_ref()).map(|schema| whole::lines(schema, whole::RESULT));
        input.into_iter().chain(output).flatten().collect()
    }
}

impl Literal {
    /// The value as JSON: a keyword is its name.
    pub fn to_json(&self) -> Value {
        match self {
            Literal::String(text) | Literal::Keyword(text) => json!(text),
            Literal::Number(number) => json!(number),
            Literal::Bool(flag) => json!(flag),
            Literal::Nil => Value::Null,
        }
    }
}

/// What a schema is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reader {
    /// A provider decodes answers by it: it refuses some rules there.
    Answers,
    /// A provider passes it on.
    Calls,
    /// A model reads it as lines.
    Model,
}

fn object(fields: &[Field], reader: Reader) -> Value {
    let properties: Map<String, Value> =
        fields.iter().map(|field| (field.name.clone(), property(field, reader))).collect();
    let required: Vec<&str> =
        fields.iter().filter(|field| !field.ty.accepts_absent()).map(|field| field.name.as_str()).collect();
    json!({"type": "object", "properties": properties, "required": required})
}

fn property(field: &Field, reader: Reader) -> Value {
    let mut schema = field.ty.schema(reader);
    let Some(object) = schema.as_object_mut() else { return schema };
    if let Some(default) = &field.default {
        object.insert("default".to_owned(), default.clone());
    }
    if let Some(text) = &field.description {
        let all = match object.get("description").and_then(Value::as_str) {
            Some(rules) => format!("{text} ({rules})"),
            None => text.clone(),
        };
        object.insert("description".to_owned(), all.into());
    }
    schema
}

/// What holds for keys, in words.
fn kept_by_keys(key: &Type) -> Option<String> {
    let words: Vec<String> = match key.shape() {
        Type::OneOf(values) => values.iter().map(|value| value.to_json().to_string()).collect(),
        _ => key.rules().iter().map(ToString::to_string).collect(),
    };
    (!words.is_empty()).then(|| words.join(", "))
}

/// The schema of a list with these parts.
fn tuple(parts: &[Type], reader: Reader) -> Value {
    let schemas = parts.iter().map(|part| part.schema(reader)).collect::<Value>();
    if reader != Reader::Answers {
        return json!({"type": "array", "prefixItems": schemas, "minItems": parts.len(), "maxItems": parts.len()});
    }
    let mut schema = json!({"type": "array", "items": Type::union(parts.iter().cloned()).schema(reader)});
    let order = parts.iter().map(|part| part.plain().to_string()).collect::<Vec<_>>().join(", then ");
    describe_whole(&mut schema, &format!("{} items: {order}", parts.len()));
    schema
}

fn set(schema: &mut Value, key: &str, value: Value) {
    if let Some(object) = schema.as_object_mut() {
        object.insert(key.to_owned(), value);
    }
}

/// Add a text to the description of a schema.
fn describe_whole(schema: &mut Value, text: &str) {
    let known = schema.get("description").and_then(Value::as_str);
    let all = known.map_or_else(|| text.to_owned(), |known| format!("{known}; {text}"));
    set(schema, "description", all.into());
}

/// Add the description of a property to the schema of an object. False when it has no such property.
pub(super) fn describe(schema: &mut Value, path: &str, about: &str) -> bool {
    let Some(place) = property_at(schema, path) else { return false };
    place.insert("description".to_owned(), about.into());
    true
}

/// The schema of a property of an object, or of one inside it: `filter.size`.
fn property_at<'s>(schema: &'s mut Value, path: &str) -> Option<&'s mut Map<String, Value>> {
    let mut schema = schema;
    while let Some(key) =
        ["items", "additionalProperties"].into_iter().find(|key| schema.get(*key).is_some_and(Value::is_object))
    {
        schema = schema.get_mut(key)?;
    }
    let properties = schema.get_mut("properties")?.as_object_mut()?;
    let known = first_step(path, properties.keys().map(String::as_str))?.to_owned();
    let rest = path.get(known.len()..)?.strip_prefix('.');
    let property = properties.get_mut(&known)?;
    match rest {
        None => property.as_object_mut(),
        Some(rest) => property_at(property, rest),
    }
}

fn closed(mut schema: Value) -> Value {
    set(&mut schema, "additionalProperties", Value::Bool(false));
    schema
}
