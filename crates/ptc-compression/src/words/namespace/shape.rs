//! What the `data/` section says about an entry besides its declared type: a label from the values, the whole value
//! when it is short, the length of a text. Reading the values once is enough for a run.

use indexmap::IndexMap;
use ptc_lisp::signature::{Field, Type};
use ptc_lisp::{FormatOptions, Map, ShownNames, Value, format_within, type_of};

use super::hidden::hidden_note;
use super::lines;
use super::seen::{ColumnProfile, Looker, ShapeSummary};
use super::values::grouped;

/// Characters of a label, without the note on fields that it leaves out.
const LABEL_CHARS: usize = 400;
/// Characters of a value shown whole.
const WHOLE_CHARS: usize = 2_000;
/// Elements of a list above which its values are profiled: a sample shows too few of them.
const PROFILED: usize = 100;
/// Characters of all values shown whole.
const ALL_WHOLE_CHARS: usize = 4_000;

/// The shapes of the values of `data/`.
///
/// Cost of building one: linear in the data, at most 10,000 elements of each list or map and two million values in all.
#[derive(Debug, Clone, Default)]
pub struct DataShapes {
    entries: IndexMap<String, EntryShape>,
}

/// The shape of one entry.
#[derive(Debug, Clone, Default)]
pub(super) struct EntryShape {
    /// `list[500] of {id :string, kg :float?}`, if the values say more than their kind and are not shown whole.
    pub(super) label: Option<String>,
    /// The printed value, if it is shown whole.
    pub(super) whole: Option<String>,
    /// `4,039 characters in 42 lines`, for a text that is not shown whole.
    pub(super) length: Option<String>,
    /// What its values are, where that says more than a sample: of long lists, of maps that are not shown whole, of the
    /// lines of a log.
    pub(super) profile: Option<String>,
    /// ` (hidden: _id)`, if there are keys that are not shown.
    pub(super) hidden: String,
}

impl DataShapes {
    /// Examines the values, except entries whose name starts with `_`.
    #[must_use]
    pub fn new(values: &Map) -> DataShapes {
        let mut left = ALL_WHOLE_CHARS;
        let entries = super::data::entries(values).into_iter().filter(|(key, _)| !super::data::is_hidden(key));
        let entries = entries.map(|(key, value)| {
            let whole = whole(value).filter(|text| text.chars().count() <= left);
            left -= whole.as_ref().map_or(0, |text| text.chars().count());
            (key, EntryShape::new(value, whole))
        });
        DataShapes { entries: entries.collect() }
    }

    pub(super) fn get(&self, key: &str) -> Option<&EntryShape> {
        self.entries.get(key)
    }
}

impl EntryShape {
    fn new(value: &Value, whole: Option<String>) -> EntryShape {
        let (label, values) = match (value, &whole) {
            (Value::Map(_), Some(_)) => (None, None),
            (Value::Vector(items), _) if items.len() < PROFILED => (refined(value).map(|(label, _)| label), None),
            (_, Some(_)) => (refined(value).map(|(label, _)| label), None),
            (_, None) => refined(value).unzip(),
        };
        let lines = if whole.is_none() { lines::shapes(value) } else { None };
        let profile = lines.map(|lines| format!("lines: {lines}")).or(values.map(|values| format!("values: {values}")));
        let length = value.as_str().filter(|_| whole.is_none()).map(length);
        EntryShape { label, whole, length, profile, hidden: hidden_note(value, &ShownNames::default()) }
    }
}

/// The value as programs print it, when it is short.
fn whole(value: &Value) -> Option<String> {
    let printed = format_within(value, &FormatOptions::full(), WHOLE_CHARS);
    (!printed.truncated).then_some(printed.text)
}

/// The common type of these values, as signatures write it: `{id :int, name :string?}`.
#[must_use]
pub fn common_type(values: &[Value]) -> String {
    let (mut looker, mut seen) = (Looker::new(), ShapeSummary::default());
    let values: ptc_lisp::Vector = values.iter().cloned().collect();
    looker.elements(&values, &mut seen);
    type_text(&seen.ty())
}

/// The columns of a list of records, except hidden ones; none of other values.
///
/// Cost: that of [`DataShapes::new`].
#[must_use]
pub fn columns(value: &Value) -> Vec<ColumnProfile> {
    let Value::Vector(items) = value else { return Vec::new() };
    let (mut looker, mut seen) = (Looker::new(), ShapeSummary::default());
    looker.elements(items, &mut seen);
    seen.columns()
}

/// The kind and size of a value, and the type of its contents: `list[90] of int`, `map[2] of {a :int, b :string}`; and
/// what these are: `1..90`.
fn refined(value: &Value) -> Option<(String, String)> {
    let kind = type_of(value);
    let mut looker = Looker::new();
    let mut seen = ShapeSummary::default();
    match value {
        Value::Vector(items) if !items.is_empty() => {
            let count = looker.elements(items, &mut seen);
            let ty = type_text(&seen.ty());
            let part = match (looker.is_partial, count < items.len()) {
                (false, _) => String::new(),
                (true, true) => format!(" (from {} of them)", grouped(count)),
                (true, false) => " (from a part of them)".to_owned(),
            };
            Some((format!("{kind} of {ty}{part}"), seen.profile()))
        }
        Value::Map(map) if !map.is_empty() => {
            looker.map(map, &mut seen);
            let part = if looker.is_partial { " (from a part of it)" } else { "" };
            Some((format!("{kind} of {}{part}", type_text(&seen.ty())), seen.profile()))
        }
        _ => None,
    }
}

/// `4,039 characters in 42 lines`
fn length(text: &str) -> String {
    let (characters, lines) = (text.chars().count(), text.lines().count());
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    format!("{} character{} in {} line{}", grouped(characters), plural(characters), grouped(lines), plural(lines))
}

/// A type as signatures write it, cut at its fields. Colons separate names from types where there are names.
fn type_text(ty: &Type) -> String {
    let mut text = String::new();
    match has_fields(ty) {
        true => push_type(&mut text, ty, LABEL_CHARS),
        false => text = ty.plain().to_string(),
    }
    text
}

fn has_fields(ty: &Type) -> bool {
    match ty.required() {
        Type::List(element) => has_fields(element),
        Type::MapOf(..) | Type::Record(_) => true,
        _ => false,
    }
}

/// Appends the type; fields beyond this length are counted.
fn push_type(text: &mut String, ty: &Type, limit: usize) {
    match ty.required() {
        Type::List(element) => {
            text.push('[');
            push_type(text, element, limit);
            text.push(']');
        }
        Type::MapOf(key, value) => {
            text.push_str(&format!("{{{key} -> "));
            push_type(text, value, limit);
            text.push('}');
        }
        Type::Record(fields) => push_fields(text, fields, limit),
        other => text.push_str(&other.to_string()),
    }
    if ty.accepts_absent() {
        text.push('?');
    }
}

fn push_fields(text: &mut String, fields: &[Field], limit: usize) {
    text.push('{');
    for (number, field) in fields.iter().enumerate() {
        let separator = if number > 0 { ", " } else { "" };
        let end = text.len();
        text.push_str(&format!("{separator}{} ", field.name));
        let is_too_long = text.chars().count() >= limit || {
            push_type(text, &field.ty, limit);
            // Inner fields are cut on their own.
            text.chars().count() >= limit && !has_fields(&field.ty)
        };
        if is_too_long {
            text.truncate(end);
            text.push_str(&format!("{separator}… {} more", grouped(fields.len() - number)));
            break;
        }
    }
    text.push('}');
}

#[cfg(test)]
mod tests;
