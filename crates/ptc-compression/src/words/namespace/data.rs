//! The `data/` section.

use indexmap::IndexMap;
use ptc_lisp::signature::{Signature, Type};
use ptc_lisp::text::{FormatOptions, format_within, one_line, shortened};
use ptc_lisp::values::{key_text, type_of};
use ptc_lisp::{Map, ShownNames, Value};

use super::SampleLimits;
use super::hidden::hidden_note;
use super::shape::{DataShapes, EntryShape};
use super::values::grouped;
use crate::words::apart::line;
use crate::words::section::{DATA_HEADER, pad, section};

/// The data key that holds the failure of the previous turn; it is never listed.
const FAIL_KEY: &str = "fail";
/// Characters of the first element of a list, and of a line of a text.
const ELEMENT_CHARS: usize = 300;
/// Lines of a text.
const TEXT_LINES: usize = 2;

/// The input of the `data/` section; all of it stays the same during a run.
#[derive(Debug, Clone, Copy)]
pub struct DataView<'a> {
    /// The input data.
    pub values: &'a Map,
    /// The shapes of the values, if they were computed before.
    pub shapes: Option<&'a DataShapes>,
    /// The signature of the agent, whose parameter types win over the types of the values.
    pub signature: Option<&'a Signature>,
    /// Descriptions by key: those of the agent, then those from the previous agent, which win.
    pub descriptions: [&'a IndexMap<String, String>; 2],
    /// Whether values are shown in addition to their shapes.
    pub shows_samples: bool,
}

/// The entries of the data in order of their names: type, sample and description. Hidden values have no sample.
///
/// - type: the declared one, when it names the fields; else that of the values, such as `list[500] of {id :string, kg
///   :float?}`
/// - sample: the whole value when that has at most 2,000 characters (4,000 for all such entries); else the first
///   element of a list, the first two lines of a text, and for anything else what `limits` allow; `limits` below the
///   default apply to all; none without [`DataView::shows_samples`]
/// - instead of a sample, what the values of a long list are, and which shapes the lines of a log have
/// - cost: with [`DataView::shapes`] linear in the number of entries, else that of [`DataShapes::new`]
pub fn data_section(data: &DataView<'_>, limits: SampleLimits) -> Option<String> {
    let own;
    let shapes = match data.shapes {
        Some(shapes) => shapes,
        None => {
            own = DataShapes::new(data.values);
            &own
        }
    };
    section(
        DATA_HEADER,
        entries(data.values).into_iter().map(|(key, value)| whole_entry(data, shapes, &key, value, limits)),
    )
}

/// The entries of the data in order of their names: the kind of the value or its declared type, a sample within these
/// limits, and the description.
pub fn short_data_section(data: &DataView<'_>, limits: SampleLimits) -> Option<String> {
    let entry = |(key, value): (String, &Value)| {
        let sample = match is_hidden(&key) {
            true => Some(HIDDEN.to_owned()),
            false => data.shows_samples.then(|| {
                format!(
                    "sample: {}{}",
                    limits.sample(value, &ShownNames::default()),
                    hidden_note(value, &ShownNames::default())
                )
            }),
        };
        entry(data, &key, &label(data, &key, value), sample)
    };
    section(DATA_HEADER, entries(data.values).into_iter().map(entry))
}

/// The entries of the data in order of their names, with nothing but their types.
pub fn data_types_section(data: &DataView<'_>) -> Option<String> {
    let lines = entries(data.values);
    section(
        DATA_HEADER,
        lines.iter().map(|(key, value)| line(format!("{}; {}", pad(&format!("data/{key}")), label(data, key, value)))),
    )
}

/// The listed entries, in order of their names.
pub(super) fn entries(values: &Map) -> Vec<(String, &Value)> {
    let mut entries: Vec<(String, &Value)> = values.iter().map(|(key, value)| (key_text(key), value)).collect();
    entries.retain(|(key, _)| key != FAIL_KEY);
    entries.sort_by(|a, b| a.0.cmp(&b.0));
    entries
}

/// Whether nothing but the kind of a value is shown.
pub(super) fn is_hidden(key: &str) -> bool {
    key.starts_with('_')
}

/// Replaces the sample of a hidden value.
const HIDDEN: &str = "[Hidden] [Firewalled]";

fn declared<'a>(data: &DataView<'a>, key: &str) -> Option<&'a Type> {
    data.signature.and_then(|signature| signature.param(key)).map(|param| &param.ty)
}

fn label(data: &DataView<'_>, key: &str, value: &Value) -> String {
    declared(data, key).map_or_else(|| type_of(value), |ty| ty.plain().to_string())
}

fn whole_entry(data: &DataView<'_>, shapes: &DataShapes, key: &str, value: &Value, limits: SampleLimits) -> String {
    let Some(shape) = shapes.get(key) else {
        return entry(data, key, &label(data, key, value), Some(HIDDEN.to_owned()));
    };
    let is_refined = declared(data, key).is_none_or(is_open);
    let mut left = shape.label.clone().filter(|_| is_refined).unwrap_or_else(|| label(data, key, value));
    match (&shape.length, value) {
        (Some(length), _) => left.push_str(&format!(", {length}")),
        (None, Value::Vector(items)) if !is_refined && shape.whole.is_none() => {
            left.push_str(&format!(", {} elements", grouped(items.len())))
        }
        _ => {}
    }
    if !data.shows_samples {
        return entry(data, key, &(left + &shape.hidden), None);
    }
    let shown = match &shape.profile {
        Some(profile) if limits.shows_all() => format!("{profile}{}", shape.hidden),
        _ => format!("sample: {}{}", sample(shape, value, limits), shape.hidden),
    };
    entry(data, key, &left, Some(shown))
}

/// Whether the type says nothing about the fields that the value has.
fn is_open(ty: &Type) -> bool {
    match ty.shape() {
        Type::Any | Type::JsonOrText | Type::Map => true,
        Type::List(element) | Type::MapOf(_, element) => is_open(element),
        _ => false,
    }
}

fn sample(shape: &EntryShape, value: &Value, limits: SampleLimits) -> String {
    if !limits.shows_all() {
        return limits.sample(value, &ShownNames::default());
    }
    if let Some(whole) = &shape.whole {
        return whole.clone();
    }
    match value {
        Value::Vector(items) => items.get(0).map_or_else(|| "[]".to_owned(), element),
        Value::Str(text) => lines(text.as_str()),
        _ => limits.sample(value, &ShownNames::default()),
    }
}

/// The first element of a list, whole where it is short enough.
fn element(first: &Value) -> String {
    let whole = format_within(first, &FormatOptions::full(), ELEMENT_CHARS);
    if !whole.truncated {
        return whole.text;
    }
    // Texts get equal shares next to about ten characters for each key, so that most keys are shown.
    let texts = first.as_map().map_or(1, |map| map.len().max(1));
    let share = (ELEMENT_CHARS / texts).saturating_sub(10).max(20);
    format_within(first, &FormatOptions { printable_limit: Some(share), ..FormatOptions::full() }, ELEMENT_CHARS).text
}

/// The first lines of a longer text.
fn lines(text: &str) -> String {
    let mut shown = String::new();
    for (number, line) in text.lines().take(TEXT_LINES).enumerate() {
        shown.push_str(if number > 0 { "\n" } else { "" });
        shown.push_str(&shortened(line, ELEMENT_CHARS));
    }
    if text.lines().nth(TEXT_LINES).is_some() {
        shown.push_str("\n...");
    }
    ptc_lisp::text::format(&Value::string(shown), &FormatOptions::full()).text
}

fn entry(data: &DataView<'_>, key: &str, label: &str, sample: Option<String>) -> String {
    let description = data.descriptions.iter().rev().find_map(|texts| texts.get(key)).map(|text| one_line(text));
    let description =
        description.filter(|text| !text.is_empty()).map_or_else(String::new, |text| format!(" -- {text}"));
    let sample = sample.map(|sample| format!(", {sample}")).unwrap_or_default();
    line(format!("{}; {label}{sample}{description}", pad(&format!("data/{key}"))))
}
