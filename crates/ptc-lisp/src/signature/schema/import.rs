//! From JSON Schema to types: the declarations of a foreign tool or a Rust type, as far as our types can express them.

use serde_json::{Map, Value};

use crate::signature::types::{MAX_NESTING, is_name};
use crate::signature::{Field, Signature, Type};

/// Bounds the cost of one schema, however its references multiply.
const MAX_NODES: usize = 10_000;

/// What a string restricted to a fixed list of values becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Enums {
    /// `:keyword`, for schemas derived from Rust types.
    Keyword,
    /// `:string`, for schemas written by others.
    String,
}

impl Type {
    /// The type that a JSON Schema describes, `:any` where our types cannot express it.
    ///
    /// - references to `#/…` are followed; a recursive type is `:any` where it meets itself
    /// - an object whose properties are only described together (`additionalProperties`, or one of `patternProperties`,
    ///   as for a `HashMap`) is a map from strings
    /// - an object with a property name that is not an identifier (`"first name"`) becomes `:map`
    /// - nullable, or not among `required`: optional
    /// - cost: linear in the schema, bounded at 10,000 nodes after following references
    pub fn from_json_schema(schema: &Value, enums: Enums) -> Type {
        Importer::new(schema, enums).ty(schema)
    }
}

impl Signature {
    /// The signature of a tool that is described by JSON Schemas for its arguments and its result.
    ///
    /// - `params`: an object schema. Absent, or not expressible as named parameters: the inputs are not declared
    /// - `result`: absent means `:any`
    pub fn from_json_schemas(params: Option<&Value>, result: Option<&Value>, enums: Enums) -> Signature {
        let params = params.and_then(|schema| match Type::from_json_schema(schema, enums) {
            Type::Record(fields) => Some(fields),
            Type::Map if declares_nothing(schema) => Some(Vec::new()),
            _ => None,
        });
        let result = result.map_or(Type::Any, |schema| Type::from_json_schema(schema, enums));
        Signature::new(params, result)
    }
}

/// A tool without arguments has an object schema without properties that is not marked as open.
fn declares_nothing(schema: &Value) -> bool {
    let open = schema.get("additionalProperties").is_some_and(|more| more != &Value::Bool(false));
    !open && schema.get("properties").is_none_or(|properties| properties.as_object().is_some_and(Map::is_empty))
}

struct Importer<'a> {
    root: &'a Value,
    enums: Enums,
    nodes: usize,
    depth: usize,
    following: Vec<&'a str>,
}

impl<'a> Importer<'a> {
    fn new(root: &'a Value, enums: Enums) -> Self {
        Importer { root, enums, nodes: 0, depth: 0, following: Vec::new() }
    }

    fn ty(&mut self, schema: &'a Value) -> Type {
        self.nodes += 1;
        let Some(object) = schema.as_object() else {
            return Type::Any;
        };
        if self.nodes > MAX_NODES || self.depth + 1 >= MAX_NESTING {
            return Type::Any;
        }
        self.depth += 1;
        let ty = self.object_schema(object);
        self.depth -= 1;
        if object.get("nullable") == Some(&Value::Bool(true)) { ty.optional() } else { ty }
    }

    fn object_schema(&mut self, schema: &'a Map<String, Value>) -> Type {
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            return self.reference(reference);
        }
        match schema.get("type") {
            Some(Value::String(name)) => self.named(name, schema),
            Some(Value::Array(names)) => self.one_of_names(names, schema),
            _ => self.untyped(schema),
        }
    }

    fn reference(&mut self, reference: &'a str) -> Type {
        let target = reference.strip_prefix('#').and_then(|pointer| self.root.pointer(pointer));
        let Some(target) = target.filter(|_| !self.following.contains(&reference)) else {
            return Type::Any;
        };
        self.following.push(reference);
        let ty = self.ty(target);
        self.following.pop();
        ty
    }

    /// `T` or null is `T?`; several fixed strings are an enum; any other choice is beyond our types.
    fn choice(&mut self, choices: &'a [Value]) -> Type {
        let (nulls, others): (Vec<&Value>, Vec<&Value>) = choices.iter().partition(|choice| is_null(choice));
        let ty = match others.as_slice() {
            [] => Type::Any,
            [only] => self.ty(only),
            several => {
                let mut types = several.iter().map(|choice| self.ty(choice));
                let first = types.next().unwrap_or(Type::Any);
                if types.all(|ty| ty == first) { first } else { Type::Any }
            }
        };
        if nulls.is_empty() || others.is_empty() { ty } else { ty.optional() }
    }

    fn one_of_names(&mut self, names: &'a [Value], schema: &'a Map<String, Value>) -> Type {
        let mut others = names.iter().filter_map(Value::as_str).filter(|name| *name != "null");
        let ty = match (others.next(), others.next()) {
            (Some(name), None) => self.named(name, schema),
            _ => Type::Any,
        };
        if names.iter().any(|name| name == "null") { ty.optional() } else { ty }
    }

    fn named(&mut self, name: &str, schema: &'a Map<String, Value>) -> Type {
        match name {
            "string" if ["enum", "const", "oneOf"].iter().any(|key| schema.contains_key(*key)) => self.fixed_string(),
            "string" => Type::String,
            "integer" => Type::Int,
            "number" => Type::Float,
            "boolean" => Type::Bool,
            "array" => self.list(schema),
            "object" => self.record(schema),
            _ => Type::Any,
        }
    }

    /// Schemas that leave `type` out still show their meaning by their other keys.
    fn untyped(&mut self, schema: &'a Map<String, Value>) -> Type {
        if ["properties", "patternProperties"].iter().any(|key| schema.contains_key(*key))
            || shared_schema(schema).is_some()
        {
            return self.record(schema);
        }
        if schema.contains_key("items") {
            return self.list(schema);
        }
        if let Some(choices) = ["anyOf", "oneOf"].iter().find_map(|key| schema.get(*key)?.as_array()) {
            return self.choice(choices);
        }
        if let Some([only]) = schema.get("allOf").and_then(Value::as_array).map(Vec::as_slice) {
            return self.ty(only);
        }
        let fixed = schema.get("enum").and_then(Value::as_array);
        let all_strings = fixed.is_some_and(|values| !values.is_empty() && values.iter().all(Value::is_string));
        if all_strings || schema.get("const").is_some_and(Value::is_string) {
            return self.fixed_string();
        }
        Type::Any
    }

    fn fixed_string(&self) -> Type {
        match self.enums {
            Enums::Keyword => Type::Keyword,
            Enums::String => Type::String,
        }
    }

    fn list(&mut self, schema: &'a Map<String, Value>) -> Type {
        let element = match schema.get("items") {
            Some(items) if !schema.contains_key("prefixItems") => self.ty(items),
            _ => Type::Any,
        };
        Type::List(Box::new(element))
    }

    fn map_of(&mut self, schema: &'a Map<String, Value>) -> Type {
        match shared_schema(schema) {
            Some(value) => Type::MapOf(Box::new(Type::String), Box::new(self.ty(value))),
            None => Type::Map,
        }
    }

    fn record(&mut self, schema: &'a Map<String, Value>) -> Type {
        let properties = schema.get("properties").and_then(Value::as_object);
        let Some(properties) = properties.filter(|properties| !properties.is_empty()) else {
            return self.map_of(schema);
        };
        if !properties.keys().all(|name| is_name(name)) {
            return Type::Map;
        }
        let required = schema.get("required").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let required: std::collections::HashSet<&str> = required.iter().filter_map(Value::as_str).collect();
        let field = |(name, schema): (&'a String, &'a Value)| {
            let ty = self.ty(schema);
            Field::new(name, if required.contains(name.as_str()) { ty } else { ty.optional() })
        };
        Type::Record(properties.iter().map(field).collect())
    }
}

/// The one schema that all properties of an object share, if it says anything about them.
fn shared_schema(object: &Map<String, Value>) -> Option<&Value> {
    let says_something = |schema: &&Value| schema.as_object().is_some_and(|schema| !schema.is_empty());
    let patterns = object.get("patternProperties").and_then(Value::as_object).filter(|patterns| !patterns.is_empty());
    match (patterns, object.get("additionalProperties")) {
        (None, Some(schema)) => Some(schema).filter(says_something),
        (Some(patterns), Some(Value::Bool(false))) if patterns.len() == 1 => {
            patterns.values().next().filter(says_something)
        }
        _ => None,
    }
}

fn is_null(schema: &Value) -> bool {
    schema.get("type").is_some_and(|name| name == "null") || schema.get("const").is_some_and(Value::is_null)
}
