//! All that a JSON Schema says, as lines.

use serde_json::{Map, Value};

use crate::escape::{one_line, shortened_counted};

/// Characters of one description; what is above is counted.
pub(crate) const MAX_DESCRIPTION: usize = 4_000;

/// Places of a schema that have a line; the others are counted.
const MAX_LINES: usize = 2_000;

/// The place of a result.
pub(super) const RESULT: &str = "result";

/// Levels of nested schemas.
const MAX_LEVELS: usize = 64;

/// Everything that a schema says, a line for each place, after the name of the whole.
pub(super) fn lines(schema: &Value, place: &str) -> Vec<String> {
    let mut walk = Walk { root: schema, shown: Vec::new(), lines: Vec::new(), more: 0 };
    walk.schema(schema, place, 0);
    let Walk { mut lines, more, .. } = walk;
    lines.extend((more > 0).then(|| format!("... ({more} more)")));
    lines
}

struct Walk<'s> {
    root: &'s Value,
    /// References that were followed, with the place.
    shown: Vec<(&'s str, String)>,
    lines: Vec<String>,
    /// Lines that are left out.
    more: usize,
}

/// How the parts of a schema that are under a key are named, after the place of the schema.
pub(super) enum Parts {
    /// `.NAME` for each entry.
    Named,
    /// As `.NAME`, where the name is a pattern: `./NAME/`.
    Patterns,
    /// `[N]` for each.
    Numbered,
    /// The same place.
    Same,
    /// The same place, each with ` (case N)`.
    Cases,
    /// One schema, with this text after the place.
    One(&'static str),
}

/// Which objects a part of an object's schema describes as a whole.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    /// All.
    Always,
    /// Those of one case.
    Sometimes,
}

/// The keys that hold schemas, and of which objects these have the properties.
pub(super) const PARTS: [(&str, Parts, Option<Presence>); 19] = [
    ("properties", Parts::Named, None),
    ("patternProperties", Parts::Patterns, None),
    ("additionalProperties", Parts::One(".*"), None),
    ("unevaluatedProperties", Parts::One(".*"), None),
    ("propertyNames", Parts::One(" (names)"), None),
    ("items", Parts::One("[]"), None),
    ("additionalItems", Parts::One("[]"), None),
    ("unevaluatedItems", Parts::One("[]"), None),
    ("contains", Parts::One("[] (at least one)"), None),
    ("prefixItems", Parts::Numbered, None),
    ("allOf", Parts::Same, Some(Presence::Always)),
    ("anyOf", Parts::Cases, Some(Presence::Sometimes)),
    ("oneOf", Parts::Cases, Some(Presence::Sometimes)),
    ("if", Parts::One(" (if)"), None),
    ("then", Parts::One(" (then)"), Some(Presence::Sometimes)),
    ("else", Parts::One(" (else)"), Some(Presence::Sometimes)),
    ("not", Parts::One(" (not)"), None),
    ("dependentSchemas", Parts::Named, Some(Presence::Sometimes)),
    ("dependencies", Parts::Named, Some(Presence::Sometimes)),
];

impl Parts {
    /// The schemas under a key.
    pub(super) fn schemas<'s>(&self, inside: &'s Value) -> Vec<&'s Value> {
        match (self, inside) {
            (Parts::Named | Parts::Patterns, Value::Object(entries)) => entries.values().collect(),
            (Parts::Numbered | Parts::Same | Parts::Cases, Value::Array(items)) => items.iter().collect(),
            (Parts::One(_), schema) => vec![schema],
            _ => Vec::new(),
        }
    }
}

/// Keys that say nothing about values, or whose content is shown where it is referred to.
const SILENT: [&str; 10] =
    ["$schema", "$id", "$anchor", "$comment", "$defs", "definitions", "required", "type", "title", "description"];

impl<'s> Walk<'s> {
    fn schema(&mut self, schema: &'s Value, place: &str, level: usize) {
        let Some(schema) = schema.as_object().filter(|_| level < MAX_LEVELS) else {
            return;
        };
        let mut facts = facts(schema, place);
        let target = schema.get("$ref").and_then(Value::as_str).map(|name| self.referred(name, place, &mut facts));
        self.line(place, &facts);
        if let Some(target) = target.flatten() {
            self.schema(target, place, level + 1);
        }
        for (key, parts, _) in PARTS {
            if let Some(inside) = schema.get(key) {
                self.parts(inside, &parts, place, level + 1);
            }
        }
    }

    fn parts(&mut self, inside: &'s Value, parts: &Parts, place: &str, level: usize) {
        let named = |name: &str| match parts {
            Parts::Patterns => joined(place, &format!("/{name}/")),
            _ => joined(place, name),
        };
        match (parts, inside) {
            (Parts::Named | Parts::Patterns, Value::Object(entries)) => {
                entries.iter().for_each(|(name, schema)| self.schema(schema, &named(name), level));
            }
            (Parts::One(".*"), schema) => self.schema(schema, &joined(place, "*"), level),
            // Older schemas have the types of a tuple here.
            (Parts::Numbered | Parts::One("[]"), Value::Array(items)) => {
                items.iter().enumerate().for_each(|(at, item)| self.schema(item, &format!("{place}[{at}]"), level));
            }
            (Parts::One(after), schema) => self.schema(schema, &format!("{place}{after}"), level),
            (Parts::Same, Value::Array(items)) => items.iter().for_each(|item| self.schema(item, place, level)),
            (Parts::Cases, Value::Array(items)) => {
                for (at, item) in items.iter().enumerate() {
                    self.schema(item, format!("{place} (case {})", at + 1).trim_start(), level);
                }
            }
            _ => {}
        }
    }

    /// What a reference names, unless that is shown already or cannot be found, which is said.
    fn referred(&mut self, name: &'s str, place: &str, facts: &mut Vec<String>) -> Option<&'s Value> {
        if let Some((_, known)) = self.shown.iter().find(|(shown, _)| *shown == name) {
            facts.push(format!("like {}", if known.is_empty() { "all of it" } else { known }));
            return None;
        }
        let target = name.strip_prefix('#').and_then(|pointer| self.root.pointer(pointer));
        match target {
            Some(_) => self.shown.push((name, place.to_owned())),
            None => facts.push(format!("as {}", shown_text(name))),
        }
        target
    }

    fn line(&mut self, place: &str, facts: &[String]) {
        if facts.is_empty() {
            return;
        }
        if self.lines.len() >= MAX_LINES {
            self.more += 1;
            return;
        }
        let gap = if place.is_empty() { "" } else { " " };
        self.lines.push(format!("{}{gap}{}", shown_text(place), facts.join("; ")));
    }
}

fn joined(place: &str, name: &str) -> String {
    if place.is_empty() { name.to_owned() } else { format!("{place}.{name}") }
}

/// What a schema says of the values at its place, its description last.
fn facts(schema: &Map<String, Value>, place: &str) -> Vec<String> {
    let kind = match schema.get("type") {
        Some(Value::String(name)) => Some(name.clone()),
        Some(Value::Array(names)) => Some(names.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or ")),
        _ => None,
    };
    // That it is an object is clear from its fields, which have lines.
    let kind = kind.filter(|kind| kind != "object" || !schema.contains_key("properties"));
    let rules = schema.iter().filter(|(key, value)| !is_silent(key, value)).map(|(key, value)| rule(key, value));
    let title = schema.get("title").filter(|title| is_news(title, place));
    let about = schema.get("description").or(title).and_then(Value::as_str);
    let about = about
        .map(|text| shortened_counted(&one_line(text), MAX_DESCRIPTION).into_owned())
        .filter(|text| !text.is_empty());
    kind.into_iter().map(|kind| shown_text(&kind)).chain(rules).chain(about).collect()
}

/// Whether a title says more than the name of its place: `Page size` of `page_size` does not.
fn is_news(title: &Value, place: &str) -> bool {
    let letters =
        |text: &str| text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
    let name = letters(place.rsplit('.').next().unwrap_or_default());
    // The title of a whole schema is the name of a type.
    !name.is_empty() && place != RESULT && title.as_str().is_some_and(|title| letters(title) != name)
}

fn is_silent(key: &str, value: &Value) -> bool {
    let is_part = PARTS.iter().any(|(part, ..)| *part == key) && (value.is_object() || value.is_array());
    let says_closed = matches!(key, "additionalProperties" | "unevaluatedProperties") && value == &Value::Bool(false);
    is_part || says_closed || key == "$ref" || SILENT.contains(&key)
}

/// `one of "a", "b"`, `default 3`, `minimum 1`
fn rule(key: &str, value: &Value) -> String {
    let text = |value: &Value| shortened_counted(&one_line(&value.to_string()), MAX_DESCRIPTION).into_owned();
    match (key, value) {
        ("enum", Value::Array(values)) => {
            format!("one of {}", values.iter().map(text).collect::<Vec<_>>().join(", "))
        }
        ("const", value) => format!("always {}", text(value)),
        ("format", Value::String(name)) => format!("{key} {}", shown_text(name)),
        (key, value) => format!("{} {}", shown_text(key), text(value)),
    }
}

fn shown_text(text: &str) -> String {
    one_line(text)
}
