//! Servers' descriptions of their tools, in addition to what programs need to call them.

use std::sync::Arc;

use ptc_lisp::{Effect, ToolSpec};
use rmcp::model::Tool;
use serde_json::{Value as Json, json};

use crate::further::Kind;
use crate::list::Offered;
use crate::spec::ServerSpec;

/// A tool as its server describes it. The hints are the server's own: an untrusted server can claim anything.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServerTool {
    /// The name of the server; empty for a tool without a server.
    pub server: String,
    /// The server's name for it.
    pub tool: String,
    /// Its name in programs, after `tool/`.
    pub name: String,
    /// The whole description; empty when the server gives none.
    pub description: String,
    /// It changes nothing; false unless the server says so.
    pub read_only: bool,
    /// It may delete or overwrite; true unless the server says otherwise, or that it changes nothing.
    pub destructive: bool,
    /// It is idempotent: a repeated call with the same arguments has no further effect; false unless the server says
    /// so.
    pub idempotent: bool,
    /// It accesses the outside world, such as the web or mail; true unless the server says otherwise.
    pub open_world: bool,
    /// Whether the server declares the shape of its results.
    pub declares_result: bool,
    /// All that the server says about the tool and that decides what a call means, as JSON with sorted keys: its name,
    /// title, description, schemas and annotations. Empty for a tool without a server.
    pub contract: Arc<str>,
}

impl ServerTool {
    /// A tool without a server, described by its spec.
    #[must_use]
    pub fn without_server(spec: &ToolSpec) -> ServerTool {
        let read_only = spec.effect == Effect::Read;
        ServerTool {
            server: String::new(),
            tool: spec.name.clone(),
            name: spec.name.clone(),
            description: spec.description.clone().unwrap_or_default(),
            read_only,
            destructive: !read_only,
            idempotent: spec.idempotent,
            open_world: true,
            declares_result: spec.signature.is_some(),
            contract: Arc::default(),
        }
    }

    pub(crate) fn new(offered: &Offered, spec: &ServerSpec) -> ServerTool {
        let Offered { tool, kind } = offered;
        let hints = tool.annotations.clone().unwrap_or_default();
        let about = tool.description.as_deref().or(tool.title.as_deref()).or(hints.title.as_deref());
        let read_only = hints.read_only_hint == Some(true);
        ServerTool {
            server: spec.name.clone(),
            tool: tool.name.to_string(),
            name: spec.name_of(&tool.name),
            description: about.unwrap_or_default().to_owned(),
            read_only,
            destructive: !read_only && hints.destructive_hint != Some(false),
            idempotent: hints.idempotent_hint == Some(true),
            open_world: hints.open_world_hint != Some(false),
            declares_result: tool.output_schema.is_some(),
            contract: match kind {
                Kind::Tool | Kind::Task => contract(tool).into(),
                // What there is to read may change from day to day.
                kind => kind.method().into(),
            },
        }
    }
}

/// What a tool is, whatever the order in which its server writes it. Icons and other extras say nothing about calls.
fn contract(tool: &Tool) -> String {
    let said = json!({
        "name": tool.name, "title": tool.title, "description": tool.description, "inputSchema": tool.input_schema,
        "outputSchema": tool.output_schema, "annotations": tool.annotations,
    });
    sorted(said).to_string()
}

fn sorted(value: Json) -> Json {
    match value {
        Json::Object(fields) => {
            let mut fields: Vec<(String, Json)> = fields.into_iter().collect();
            fields.sort_by(|(a, _), (b, _)| a.cmp(b));
            fields.into_iter().map(|(name, value)| (name, sorted(value))).collect()
        }
        Json::Array(items) => items.into_iter().map(sorted).collect(),
        scalar => scalar,
    }
}
