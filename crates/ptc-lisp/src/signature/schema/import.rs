//! From JSON Schema to types: the declarations of a foreign tool or a Rust type, as far as our types can express them.

mod described;

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::whole::{PARTS, Parts, Presence};
use super::written::written_as;
use crate::signature::types::MAX_NESTING;
use crate::signature::{Field, Literal, Rule, Signature, Type};

/// Bounds the cost of one schema, however its references multiply.
const MAX_NODES: usize = 10_000;

/// What a string restricted to a fixed list of values becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Enums {
    /// `:keyword`, for schemas derived from Rust types.
    Keyword,
    /// `:string`, for schemas written by others.
    String,
    /// `:string`, for schemas derived from the types of another language, which are right about kinds as those of Rust are.
    Exact,
}

impl Enums {
    /// Whether the schemas are derived from types.
    fn are_derived(self) -> bool {
        self != Enums::String
    }
}

impl Type {
    /// The type that a JSON Schema describes, `:any` where our types cannot express it.
    ///
    /// - references to `#/…` are followed; a recursive type is `:any` where it meets itself
    /// - `enum` and `const` of texts, numbers and booleans are [`Type::OneOf`]
    /// - properties of `allOf`, and those of some cases (`anyOf`, `oneOf`, `then`, `else`, `dependentSchemas`), which may
    ///   be left out, are fields beside those of `properties`
    /// - an object whose properties are only described together (`additionalProperties`, or one of `patternProperties`,
    ///   as for a `HashMap`) is a map from strings
    /// - nullable, or not among `required`: optional
    /// - limits, patterns and formats are [`Type::Ruled`]
    /// - descriptions of properties are those of fields, at most 4,000 characters. Of a property without one it is that of
    ///   its type, and that of each value follows: `:express: on the next day`. A case that is an object has its
    ///   description at the field that names the case
    /// - cost: linear in the schema, bounded at 10,000 nodes after following references
    pub fn from_json_schema(schema: &Value, enums: Enums) -> Type {
        let mut importer = Importer::new(schema, enums);
        importer.keeps_descriptions = true;
        importer.ty(schema)
    }
}

impl Signature {
    /// The signature of a tool that is described by JSON Schemas for its arguments and its result.
    ///
    /// - `params`: an object schema. Absent: the inputs are not declared. Where it says that it has other properties than
    ///   those it names, or names none without being closed, the signature is [open](Signature::open)
    /// - `result`: absent means `:any`
    /// - both are kept, for [`Signature::lines`] and [`Signature::params_schema`]
    pub fn from_json_schemas(params: Option<Value>, result: Option<Value>, enums: Enums) -> Signature {
        let ty = result.as_ref().map_or(Type::Any, |schema| {
            let mut importer = Importer::new(schema, enums);
            importer.is_result = true;
            importer.ty(schema)
        });
        let (fields, is_open) = match &params {
            Some(schema) => {
                let (fields, is_open) = Importer::new(schema, enums).params(schema);
                (Some(fields), is_open)
            }
            None => (None, false),
        };
        let mut signature = Signature::new(fields, ty);
        (signature.input, signature.output) = (params.map(Arc::new), result.map(Arc::new));
        if is_open { signature.open() } else { signature }
    }
}

struct Importer<'a> {
    root: &'a Value,
    enums: Enums,
    nodes: usize,
    depth: usize,
    following: Vec<&'a str>,
    /// Whether the schema is of a result, which nothing checks against rules: what a server sends is as it is.
    is_result: bool,
    /// Whether fields have descriptions: those of tools are in the schema, which is kept.
    keeps_descriptions: bool,
}

impl<'a> Importer<'a> {
    fn new(root: &'a Value, enums: Enums) -> Self {
        Importer { root, enums, nodes: 0, depth: 0, following: Vec::new(), is_result: false, keeps_descriptions: false }
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
        let rules = self.rules(object, 0, !matches!(ty.shape(), Type::Record(_)));
        let ty = ty.ruled(rules);
        self.depth -= 1;
        if object.get("nullable") == Some(&Value::Bool(true)) { ty.optional() } else { ty }
    }

    fn object_schema(&mut self, schema: &'a Map<String, Value>) -> Type {
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            return match schema.contains_key("properties") {
                true => self.record(schema),
                false => self.reference(reference),
            };
        }
        if let Some(ty) = self.closed_set(schema) {
            return ty;
        }
        match schema.get("type") {
            Some(Value::String(name)) => self.named(name, schema),
            Some(Value::Array(names)) => self.one_of_names(names, schema),
            _ => self.untyped(schema),
        }
    }

    fn reference(&mut self, reference: &'a str) -> Type {
        let target = self.target(reference);
        let Some(target) = target.filter(|_| !self.following.contains(&reference)) else {
            return Type::Any;
        };
        self.following.push(reference);
        let ty = self.ty(target);
        self.following.pop();
        ty
    }

    /// `T` or null is `T?`. Several kinds are a union in schemas of Rust types; in those of others, kinds of objects are one
    /// with the fields of all, and any other choice is `:any`: what serde writes has one kind, what others write is often
    /// wrong about which.
    fn choice(&mut self, choices: &'a [Value], schema: &'a Map<String, Value>) -> Type {
        let (nulls, others): (Vec<&Value>, Vec<&Value>) = choices.iter().partition(|choice| is_null(choice));
        let types: Vec<Type> = others
            .iter()
            .map(|choice| {
                let ty = self.ty(choice);
                self.with_description(ty, choice)
            })
            .collect();
        let ty = match types.split_first() {
            Some(_) if self.enums.are_derived() => Type::union(types),
            Some((first, rest)) if rest.iter().all(|ty| ty.shape() == first.shape()) => {
                rest.iter().fold(first.clone(), common)
            }
            Some(_) if types.iter().all(|ty| matches!(ty, Type::Record(_))) => self.record(schema),
            _ => Type::Any,
        };
        if nulls.is_empty() || others.is_empty() { ty } else { ty.optional() }
    }

    fn one_of_names(&mut self, names: &'a [Value], schema: &'a Map<String, Value>) -> Type {
        let mut others = names.iter().filter_map(Value::as_str).filter(|name| *name != "null");
        let ty = match (others.next(), others.next()) {
            (Some(name), None) => self.named(name, schema),
            (Some(name), Some(other)) if self.enums.are_derived() => {
                let names = [name, other].into_iter().chain(others);
                Type::union(names.map(|name| self.named(name, schema)).collect::<Vec<_>>())
            }
            _ => Type::Any,
        };
        if names.iter().any(|name| name == "null") { ty.optional() } else { ty }
    }

    fn named(&mut self, name: &str, schema: &'a Map<String, Value>) -> Type {
        match name {
            "string" => Type::String,
            "integer" => Type::Int,
            "number" => Type::Float,
            "boolean" => Type::Bool,
            "array" => self.list(schema),
            "object" => self.record(schema),
            "null" if self.enums.are_derived() => Type::OneOf(vec![Literal::Nil]),
            _ => Type::Any,
        }
    }

    /// Schemas that leave `type` out still show their meaning by their other keys.
    fn untyped(&mut self, schema: &'a Map<String, Value>) -> Type {
        if schema.contains_key("items") || schema.contains_key("prefixItems") {
            return self.list(schema);
        }
        let names_fields = ["properties", "patternProperties"].iter().any(|key| schema.contains_key(*key));
        if names_fields || shared_schema(schema).is_some() {
            return self.record(schema);
        }
        if let Some(choices) = ["anyOf", "oneOf"].iter().find_map(|key| schema.get(*key)?.as_array()) {
            return self.choice(choices, schema);
        }
        match schema.get("allOf").and_then(Value::as_array).map(Vec::as_slice) {
            Some([only]) => self.ty(only),
            Some(_) => self.object(schema).unwrap_or(Type::Any),
            None => Type::Any,
        }
    }

    /// The values of `enum`, of `const`, or of cases that each have one value.
    fn closed_set(&mut self, schema: &'a Map<String, Value>) -> Option<Type> {
        let mut values: Vec<&Value> = Vec::new();
        if let Some(only) = schema.get("const") {
            values.push(only);
        } else if let Some(listed) = schema.get("enum").and_then(Value::as_array) {
            values.extend(listed);
        } else {
            let cases = ["anyOf", "oneOf"].iter().find_map(|key| schema.get(*key)?.as_array())?;
            for case in cases {
                match (case.get("const"), case.get("enum").and_then(Value::as_array)) {
                    (Some(only), _) => values.push(only),
                    (None, Some(listed)) => values.extend(listed),
                    (None, None) if is_null(case) => values.push(&Value::Null),
                    (None, None) => return None,
                }
            }
        }
        let is_nullable = values.iter().any(|value| value.is_null());
        let mut literals: Vec<Literal> = Vec::new();
        for value in values.into_iter().filter(|value| !value.is_null()) {
            let literal = self.literal(value)?;
            if !literals.contains(&literal) {
                literals.push(literal);
            }
        }
        let ty = Some(Type::OneOf(literals)).filter(|ty| *ty != Type::OneOf(Vec::new()))?;
        Some(if is_nullable { ty.optional() } else { ty })
    }

    fn literal(&self, value: &Value) -> Option<Literal> {
        Some(match (value, self.enums) {
            (Value::String(text), Enums::Keyword) => Literal::Keyword(text.clone()),
            (Value::String(text), Enums::String | Enums::Exact) => Literal::String(text.clone()),
            (Value::Number(number), _) => Literal::Number(number.clone()),
            (Value::Bool(flag), _) => Literal::Bool(*flag),
            _ => return None,
        })
    }

    fn list(&mut self, schema: &'a Map<String, Value>) -> Type {
        let parts = schema.get("prefixItems").and_then(Value::as_array).filter(|_| self.enums.are_derived());
        let element = match (schema.get("items"), parts) {
            (_, Some(parts)) => {
                let types: Vec<Type> = parts.iter().map(|part| self.ty(part)).collect();
                let is_exact = ["minItems", "maxItems"].iter().all(|key| schema.get(*key) == Some(&types.len().into()));
                if is_exact {
                    return Type::tuple(types);
                }
                Type::union(types)
            }
            (Some(items), None) if !schema.contains_key("prefixItems") => self.ty(items),
            _ => Type::Any,
        };
        Type::List(Box::new(element))
    }

    fn map_of(&mut self, schema: &'a Map<String, Value>) -> Type {
        match shared_schema(schema) {
            Some(value) => {
                let names = schema.get("propertyNames").filter(|_| self.enums.are_derived());
                let key = names.map_or(Type::String, |names| self.key(names));
                Type::MapOf(Box::new(key), Box::new(self.ty(value)))
            }
            None => Type::Map,
        }
    }

    /// The type of names: a set of texts, or texts with rules.
    fn key(&mut self, names: &'a Value) -> Type {
        match self.ty(names) {
            set if matches!(set.shape(), Type::OneOf(_)) => set,
            _ => {
                // That they are texts need not be said.
                let mut names = names.as_object().cloned().unwrap_or_default();
                names.insert("type".to_owned(), "string".into());
                Type::String.ruled(Rule::of_schema(&names))
            }
        }
    }

    fn record(&mut self, schema: &'a Map<String, Value>) -> Type {
        self.object(schema).unwrap_or_else(|| self.map_of(schema))
    }

    /// The type of a schema that names properties, or describes all of them.
    fn object(&mut self, schema: &'a Map<String, Value>) -> Option<Type> {
        let mut found = Properties::default();
        self.properties(schema, Presence::Always, &mut found);
        let fields = found.into_fields();
        if !fields.is_empty() {
            return Some(Type::Record(fields));
        }
        let is_described = schema.contains_key("patternProperties") || shared_schema(schema).is_some();
        is_described.then(|| self.map_of(schema))
    }

    /// The parameters of a tool, and whether it takes others, too.
    fn params(&mut self, schema: &'a Value) -> (Vec<Field>, bool) {
        let Some(object) = schema.as_object() else { return (Vec::new(), schema != &Value::Bool(false)) };
        self.depth += 1;
        let mut found = Properties::default();
        self.properties(object, Presence::Always, &mut found);
        self.depth -= 1;
        let is_closed = object.get("additionalProperties") == Some(&Value::Bool(false));
        let says_more = object.get("additionalProperties").is_some_and(|more| more != &Value::Bool(false));
        let is_open = says_more || object.contains_key("patternProperties") || found.has_unknown;
        let fields = found.into_fields();
        // Without any name, only a schema that is closed takes nothing. Types of Rust say all that they have.
        let is_open = is_open || (fields.is_empty() && !is_closed && self.enums == Enums::String);
        (fields, is_open)
    }

    /// Add the properties that this schema names for its object, those of its parts included.
    fn properties(&mut self, schema: &'a Map<String, Value>, presence: Presence, found: &mut Properties) {
        if self.nodes > MAX_NODES || self.depth + 1 >= MAX_NESTING {
            found.has_unknown = true;
            return;
        }
        self.nodes += 1;
        self.depth += 1;
        for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let ty = self.ty(property);
            let default = property.get("default").filter(|default| !default.is_null()).cloned();
            let description = self.keeps_descriptions.then(|| self.description(property)).flatten();
            found.add(Field { default, description, ..Field::new(name, ty) }, self.enums);
        }
        // After its own: of a tagged enum, the tag.
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            self.referred(reference, presence, found);
        }
        for name in schema.get("required").and_then(Value::as_array).into_iter().flatten() {
            let name = name.as_str().filter(|_| presence == Presence::Always);
            found.required.extend(name.map(str::to_owned));
        }
        for (key, parts, part_presence) in PARTS {
            let (Some(inside), Some(part_presence)) = (schema.get(key), part_presence) else { continue };
            let presence_of_whole = presence;
            let presence = if part_presence == Presence::Always { presence } else { Presence::Sometimes };
            match parts {
                Parts::Cases => self.cases(&parts.schemas(inside), presence_of_whole, found),
                parts => self.parts(&parts.schemas(inside), presence, found),
            }
        }
        self.depth -= 1;
    }

    fn parts(&mut self, parts: &[&'a Value], presence: Presence, found: &mut Properties) {
        for part in parts {
            match part.as_object() {
                Some(part) => self.properties(part, presence, found),
                None => found.has_unknown |= *part == &Value::Bool(true),
            }
        }
    }

    /// What all cases require is required.
    fn cases(&mut self, cases: &[&'a Value], presence: Presence, found: &mut Properties) {
        let mut required: Option<HashSet<String>> = None;
        for case in cases {
            let mut one = Properties::default();
            self.parts(&[case], Presence::Always, &mut one);
            required = Some(match required {
                Some(known) => known.intersection(&one.required).cloned().collect(),
                None => one.required,
            });
            found.has_unknown |= one.has_unknown;
            one.fields.into_values().for_each(|field| found.add(field, self.enums));
        }
        if presence == Presence::Always {
            found.required.extend(required.unwrap_or_default());
        }
    }

    /// What holds for all values of a schema besides their type: its rules, those of its parts, and how its description
    /// wants values written.
    fn rules(&mut self, schema: &'a Map<String, Value>, depth: usize, is_told: bool) -> Vec<Rule> {
        self.nodes += 1;
        if self.is_result || depth >= MAX_NESTING || self.nodes > MAX_NODES {
            return Vec::new();
        }
        let mut rules = Rule::of_schema(schema);
        let description = schema.get("description").and_then(Value::as_str).filter(|_| is_told);
        rules.extend(description.and_then(written_as).map(Rule::Hint));
        for part in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            let target = part.get("$ref").and_then(Value::as_str).and_then(|reference| self.target(reference));
            for part in [Some(part), target].into_iter().flatten().filter_map(Value::as_object) {
                for rule in self.rules(part, depth + 1, is_told) {
                    if !rules.contains(&rule) {
                        rules.push(rule);
                    }
                }
            }
        }
        rules
    }

    fn target(&self, reference: &str) -> Option<&'a Value> {
        reference.strip_prefix('#').and_then(|pointer| self.root.pointer(pointer))
    }

    fn referred(&mut self, reference: &'a str, presence: Presence, found: &mut Properties) {
        let target = self.target(reference);
        match target.and_then(Value::as_object).filter(|_| !self.following.contains(&reference)) {
            Some(target) => {
                self.following.push(reference);
                self.properties(target, presence, found);
                self.following.pop();
            }
            None => found.has_unknown = true,
        }
    }
}

/// The properties of an object, by name.
#[derive(Default)]
struct Properties {
    fields: indexmap::IndexMap<String, Field>,
    required: HashSet<String>,
    /// Whether a part of the schema cannot be read.
    has_unknown: bool,
}

impl Properties {
    /// A property that several parts name has the values of all of them.
    fn add(&mut self, new: Field, enums: Enums) {
        let Some(known) = self.fields.get_mut(&new.name) else {
            self.fields.insert(new.name.clone(), new);
            return;
        };
        let is_optional = known.ty.accepts_absent() || new.ty.accepts_absent();
        let both = match (known.ty.required(), new.ty.required()) {
            (one, other) if one.shape() == other.shape() => common(one.clone(), other),
            (one, other) => match (one.shape(), other.shape()) {
                (Type::OneOf(_), Type::OneOf(_)) => Type::union([one.shape().clone(), other.shape().clone()]),
                _ if enums.are_derived() => Type::union([one.clone(), other.clone()]),
                _ => Type::Any,
            },
        };
        known.ty = if is_optional { both.optional() } else { both };
        known.default = known.default.take().or(new.default);
        known.description = known.description.take().or(new.description);
    }

    /// As fields: those that are required without being described can be anything.
    fn into_fields(self) -> Vec<Field> {
        let Properties { mut fields, required, .. } = self;
        let mut bare: Vec<&String> = required.iter().filter(|name| !fields.contains_key(*name)).collect();
        bare.sort();
        let bare: Vec<String> = bare.into_iter().cloned().collect();
        fields.extend(bare.into_iter().map(|name| (name.clone(), Field::new(name, Type::Any))));
        let field = |(name, field): (String, Field)| match required.contains(&name) {
            true => Field { default: None, ..field },
            false => Field { ty: field.ty.optional(), ..field },
        };
        fields.into_iter().map(field).collect()
    }
}

/// The type of two that differ in rules only: what holds for both.
fn common(one: Type, other: &Type) -> Type {
    let rules: Vec<Rule> = one.rules().iter().filter(|rule| other.rules().contains(rule)).cloned().collect();
    let ty = one.shape().clone().ruled(rules);
    if one.accepts_absent() || other.accepts_absent() { ty.optional() } else { ty }
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
