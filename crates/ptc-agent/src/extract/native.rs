//! Calls of tools in the formats of models, in an answer that should be a program.

use ptc_chat::{Reply, ToolUse};
use ptc_lisp::text::{FormatOptions, format};
use ptc_lisp::{Import, Value};
use serde_json::{Deserializer, Map, Value as Json};

use super::fence::Block;

/// What comes before a call as JSON.
const BEFORE_JSON: [&str; 6] =
    ["<tool_call>", "[TOOL_CALLS]", "<|python_tag|>", "<|tool_call|>", "<function_call>", "<tool_use>"];
/// Fields with the name of a tool.
const NAMES: [&str; 4] = ["name", "tool", "tool_name", "action"];
/// Fields with its arguments.
const ARGUMENTS: [&str; 5] = ["arguments", "parameters", "args", "input", "action_input"];
/// What models put before the name of a tool.
const PREFIXES: [&str; 4] = ["functions.", "tool/", "tool.", "tools."];

/// A call that the model asked for.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Call {
    name: String,
    args: Json,
}

impl Call {
    /// The name without what models put before it.
    pub fn tool(&self) -> &str {
        PREFIXES.iter().find_map(|prefix| self.name.strip_prefix(prefix)).unwrap_or(&self.name)
    }

    /// Whether an argument is a program.
    pub fn has_program(&self) -> bool {
        let is_program = |value: &Json| value.as_str().is_some_and(|text| text.trim_start().starts_with('('));
        self.args.as_object().is_some_and(|args| args.values().any(is_program)) || is_program(&self.args)
    }

    /// The same call in a program.
    pub fn program(&self) -> String {
        let args = match &self.args {
            Json::Object(_) => format(&with_keyword_keys(&self.args), &FormatOptions::full()).text,
            _ => "{}".to_owned(),
        };
        format!("(tool/{} {args})", self.tool())
    }
}

/// The calls of a reply: those that its provider reports, else those that its text or its blocks hold.
pub(super) fn calls(reply: &Reply, told: &str, blocks: &[Block<'_>]) -> Vec<Call> {
    if !reply.tool_calls.is_empty() {
        return reply.tool_calls.iter().map(reported).collect();
    }
    let marked = BEFORE_JSON.iter().filter_map(|mark| told.split_once(mark)).map(|(_, json)| json);
    let fenced = blocks.iter().map(|block| block.text);
    let written = marked.chain(fenced).chain([told]).map(in_json).find(|calls| !calls.is_empty());
    written.or_else(|| in_function(told).or_else(|| in_invoke(told)).map(|call| vec![call])).unwrap_or_default()
}

fn reported(call: &ToolUse) -> Call {
    Call { name: call.name.clone(), args: call.args.clone() }
}

/// The calls in the JSON that `text` begins with.
fn in_json(text: &str) -> Vec<Call> {
    let text = text.trim_start();
    if !text.starts_with(['{', '[']) {
        return Vec::new();
    }
    match Deserializer::from_str(text).into_iter().next() {
        Some(Ok(json)) => in_value(&json),
        _ => Vec::new(),
    }
}

fn in_value(json: &Json) -> Vec<Call> {
    let listed = json.as_array().or_else(|| json.get("tool_calls")?.as_array());
    if let Some(calls) = listed {
        return calls.iter().filter_map(in_object).collect();
    }
    in_object(json).into_iter().collect()
}

fn in_object(json: &Json) -> Option<Call> {
    let call = json.get("function").filter(|function| function.is_object()).unwrap_or(json);
    let name = NAMES.iter().find_map(|key| call.get(key)?.as_str())?;
    let args = ARGUMENTS.iter().find_map(|key| call.get(key))?;
    Some(Call { name: name.to_owned(), args: parsed(args) })
}

/// Arguments may be JSON in a string.
fn parsed(args: &Json) -> Json {
    let text = args.as_str().and_then(|text| serde_json::from_str(text).ok());
    text.unwrap_or_else(|| args.clone())
}

/// `<function=lookup>{"id": 3}</function>`
fn in_function(told: &str) -> Option<Call> {
    let (_, call) = told.split_once("<function=")?;
    let (name, args) = call.split_once('>')?;
    let args = Deserializer::from_str(args).into_iter().next()?.ok()?;
    Some(Call { name: name.trim().to_owned(), args })
}

/// `<invoke name="lookup"><parameter name="id">3</parameter></invoke>`
fn in_invoke(told: &str) -> Option<Call> {
    let (_, call) = told.split_once("<invoke name=\"")?;
    let (name, rest) = call.split_once('"')?;
    let parameter = |text: &str| {
        let (key, value) = text.split_once("\">")?;
        let value = value.split_once("</").map_or(value, |(value, _)| value).trim();
        let value = serde_json::from_str(value).unwrap_or_else(|_| Json::from(value));
        Some((key.to_owned(), value))
    };
    let args: Map<String, Json> = rest.split("<parameter name=\"").skip(1).filter_map(parameter).collect();
    Some(Call { name: name.to_owned(), args: Json::Object(args) })
}

fn with_keyword_keys(json: &Json) -> Value {
    match json {
        Json::Object(fields) => {
            Value::map_from(fields.iter().map(|(key, value)| (keyed(key), with_keyword_keys(value))))
        }
        Json::Array(items) => Value::vector(items.iter().map(with_keyword_keys).collect()),
        other => Import::counted().value(other.clone()),
    }
}

/// A keyword where one can be written, else a string.
fn keyed(key: &str) -> Value {
    let is_plain = key.starts_with(|c: char| c.is_ascii_alphabetic())
        && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    if is_plain { Value::keyword(key) } else { Value::string(key) }
}
