//! The `data/` section.

use indexmap::IndexMap;
use ptc_lisp::{Map, Value, one_line, type_of};
use ptc_signature::Signature;

use super::SampleLimits;
use crate::apart::line;
use crate::section::{DATA_HEADER, pad, section};

/// The data key that holds the failure of the turn before; it is never listed.
const FAIL_KEY: &str = "fail";

/// What the `data/` section is made from; all of it stays the same during a run.
#[derive(Debug, Clone, Copy)]
pub struct DataView<'a> {
    /// The input data.
    pub values: &'a Map,
    /// The signature of the agent, whose parameter types win over the types of the values.
    pub signature: Option<&'a Signature>,
    /// Descriptions by key: those of the agent, then those received from the agent before, which win.
    pub descriptions: [&'a IndexMap<String, String>; 2],
}

/// The entries of the data in order of their names: type, sample and description. Hidden values have no sample.
pub fn data_section(data: &DataView<'_>, limits: SampleLimits) -> Option<String> {
    section(DATA_HEADER, entries(data).iter().map(|(key, value)| entry(data, key, value, limits)))
}

/// What is listed, in order of the names.
fn entries<'a>(data: &DataView<'a>) -> Vec<(String, &'a Value)> {
    let mut entries: Vec<(String, &Value)> = data.values.iter().map(|(key, value)| (key_text(key), value)).collect();
    entries.retain(|(key, _)| key != FAIL_KEY);
    entries.sort_by(|a, b| a.0.cmp(&b.0));
    entries
}

/// The entries of the data in order of their names, with nothing but their types.
pub fn data_types_section(data: &DataView<'_>) -> Option<String> {
    let lines = entries(data);
    section(DATA_HEADER, lines.iter().map(|(key, value)| line(format!("{}; {}", pad(&format!("data/{key}")), label(data, key, value)))))
}

fn label(data: &DataView<'_>, key: &str, value: &Value) -> String {
    let declared = data.signature.and_then(|signature| signature.param(key));
    declared.map_or_else(|| type_of(value), |param| param.ty.plain().to_string())
}

fn entry(data: &DataView<'_>, key: &str, value: &Value, limits: SampleLimits) -> String {
    let label = label(data, key, value);
    let sample = match key.starts_with('_') {
        true => "[Hidden] [Firewalled]".to_owned(),
        false => format!("sample: {}", limits.sample(value)),
    };
    let description = data.descriptions.iter().rev().find_map(|texts| texts.get(key)).map(|text| one_line(text));
    let description = description.filter(|text| !text.is_empty()).map_or_else(String::new, |text| format!(" -- {text}"));
    line(format!("{}; {label}, {sample}{description}", pad(&format!("data/{key}"))))
}

fn key_text(key: &Value) -> String {
    match key {
        Value::Keyword(name) => name.as_str().to_owned(),
        Value::Str(text) => text.as_str().to_owned(),
        other => ptc_lisp::display_text(other),
    }
}
