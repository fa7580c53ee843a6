//! What the `data/` section says about an entry besides its declared type: a label from the values, the whole value
//! when it is short, the length of a text. Reading the values once is enough for a run.

use indexmap::IndexMap;
use ptc_lisp::signature::{Field, Type};
use ptc_lisp::text::{FormatOptions, format_within};
use ptc_lisp::values::type_of;
use ptc_lisp::{Map, ShownNames, Value};

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
    columns: IndexMap<String, Vec<ColumnProfile>>,
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
        DataShapes::examined(values, false)
    }

    /// The same with the columns of lists of records.
    #[must_use]
    pub fn with_columns(values: &Map) -> DataShapes {
        DataShapes::examined(values, true)
    }

    fn examined(values: &Map, has_columns: bool) -> DataShapes {
        let (mut shapes, mut left) = (DataShapes::default(), ALL_WHOLE_CHARS);
        for (key, value) in super::data::entries(values) {
            let is_hidden = super::data::is_hidden(&key);
            if is_hidden && !has_columns {
                continue;
            }
            let whole = whole(value).filter(|text| text.chars().count() <= left);
            let mut examined = match (value, &whole) {
                (Value::Map(_), Some(_)) => None,
                _ => Examined::of(value, has_columns),
            };
            if let Some(examined) = &mut examined {
                shapes.columns.insert(key.clone(), std::mem::take(&mut examined.columns));
            }
            if !is_hidden {
                left -= whole.as_ref().map_or(0, |text| text.chars().count());
                shapes.entries.insert(key, EntryShape::new(value, whole, examined));
            }
        }
        shapes
    }

    /// The columns of a list of records, except hidden ones; none of other values, and without
    /// [`DataShapes::with_columns`].
    #[must_use]
    pub fn columns(&self, key: &str) -> &[ColumnProfile] {
        self.columns.get(key).map(Vec::as_slice).unwrap_or_default()
    }

    pub(super) fn get(&self, key: &str) -> Option<&EntryShape> {
        self.entries.get(key)
    }
}

impl EntryShape {
    fn new(value: &Value, whole: Option<String>, examined: Option<Examined>) -> EntryShape {
        let is_short = whole.is_some() || matches!(value, Value::Vector(items) if items.len() < PROFILED);
        let (label, values) = examined.map(|examined| (examined.label, examined.values)).unzip();
        let lines = if whole.is_none() { lines::shapes(value) } else { None };
        let values = values.filter(|_| !is_short).map(|values| format!("values: {values}"));
        let profile = lines.map(|lines| format!("lines: {lines}")).or(values);
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

/// What was found in a list or map.
struct Examined {
    /// Its kind and size, and the type of its contents: `list[90] of int`, `map[2] of {a :int, b :string}`.
    label: String,
    /// What these are: `1..90`.
    values: String,
    /// The columns of a list of records, where they are wanted.
    columns: Vec<ColumnProfile>,
}

impl Examined {
    /// `None` for anything but a list or map with contents.
    fn of(value: &Value, has_columns: bool) -> Option<Examined> {
        let kind = type_of(value);
        let (mut looker, mut seen) = (Looker::new(), ShapeSummary::default());
        let part = match value {
            Value::Vector(items) if !items.is_empty() => {
                let count = looker.elements(items, &mut seen);
                match (looker.is_partial, count < items.len()) {
                    (false, _) => String::new(),
                    (true, true) => format!(" (from {} of them)", grouped(count)),
                    (true, false) => " (from a part of them)".to_owned(),
                }
            }
            Value::Map(map) if !map.is_empty() => {
                looker.map(map, &mut seen);
                if looker.is_partial { " (from a part of it)".to_owned() } else { String::new() }
            }
            _ => return None,
        };
        let label = format!("{kind} of {}{part}", type_text(&seen.ty()));
        let columns = if has_columns && value.as_vector().is_some() { seen.columns() } else { Vec::new() };
        Some(Examined { label, values: seen.profile(), columns })
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
    match ty.shape() {
        Type::List(element) => has_fields(element),
        Type::MapOf(..) | Type::Record(_) => true,
        _ => false,
    }
}

/// Appends the type; fields beyond this length are counted.
fn push_type(text: &mut String, ty: &Type, limit: usize) {
    match ty.shape() {
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
