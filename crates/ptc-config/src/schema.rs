//! The JSON Schema of mission files, from the rows of options and from the keys that readers know.

#[cfg(test)]
pub(crate) mod tests;

use ptc_agent::{AgentSpec, FormatSettings, LlmRetry, OptionKind, OptionRow, RunSpec};
use serde_json::{Map, Value as Json, json};

use crate::agents;
use crate::mission;
use crate::options;
use crate::shape;
use crate::tool;

/// The JSON Schema (draft 2020-12) of mission files: editors use it to complete and check them.
///
/// It knows keys and the types of values. What depends on more than one value, such as a command that is not installed,
/// is reported when the file is read.
///
/// ```
/// let schema = ptc_config::mission_schema();
/// assert_eq!(schema["properties"]["max_turns"]["minimum"], 1);
/// assert_eq!(schema["additionalProperties"], false);
/// ```
#[must_use]
pub fn mission_schema() -> Json {
    let agent = rows(AgentSpec::OPTIONS, |name| AgentSpec::default().get(name).ok());
    let run = rows(RunSpec::OPTIONS, |name| RunSpec::default().get(name).ok());
    let below = agent.clone().into_iter().chain(shape::properties(&agents::KEYS)).collect();
    let whole = agent.into_iter().chain(run).chain(shape::properties(&mission::KEYS)).collect();
    let definitions = json!({"agent": shape::table(below, &["mission", "description"]), "tool": tool::schema()});
    let schema = shape::with(shape::table(whole, &["mission"]), "$defs", definitions);
    let schema = shape::with(schema, "title", "Mission file of ptc");
    shape::with(schema, "$schema", "https://json-schema.org/draft/2020-12/schema")
}

/// Options as properties. They have defaults where mission files write them as serde does.
fn rows(rows: &[OptionRow], default: impl Fn(&str) -> Option<Json>) -> Map<String, Json> {
    let property = |row: &OptionRow| {
        let schema = shape::described(values(row), row.doc);
        let is_plain = !matches!(row.kind, OptionKind::Own(_) | OptionKind::Time | OptionKind::Text);
        let default = default(row.name).filter(|value| is_plain && !value.is_null() && !value.is_object());
        let schema = match default {
            Some(value) => shape::with(schema, "default", value),
            None => schema,
        };
        (row.name.to_owned(), schema)
    };
    rows.iter().map(property).collect()
}

/// The values that an option takes.
fn values(row: &OptionRow) -> Json {
    match row.kind {
        OptionKind::Count { least, most } => json!({"type": "integer", "minimum": least, "maximum": most}),
        OptionKind::Time | OptionKind::Bytes => shape::amount(),
        OptionKind::Flag => shape::flag(),
        OptionKind::Line => json!({"type": "string", "minLength": 1}),
        OptionKind::Texts => shape::entries(shape::text()),
        OptionKind::Choice { names, .. } => shape::choice(names()),
        OptionKind::Table(inner) => {
            let default = |name: &str| match row.name {
                "llm_retry" => LlmRetry::default().get(name).ok(),
                _ => FormatSettings::default().get(name).ok(),
            };
            shape::table(rows(inner, default), &[])
        }
        OptionKind::Own(_) => options::shape(row.name),
        _ => shape::text(),
    }
}
