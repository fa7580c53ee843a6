//! What servers say of their tools, beside what programs need to call them.

use ptc_lisp::{Effect, ToolSpec};
use rmcp::model::Tool;

use crate::spec::ServerSpec;

/// A tool as its server describes it. The hints are what the server says of itself: a server that nobody trusts can say
/// anything.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServerTool {
    /// The name of the server; empty for a tool that no server has.
    pub server: String,
    /// What the server calls it.
    pub tool: String,
    /// What programs call it behind `tool/`.
    pub name: String,
    /// The whole description; empty when the server gives none.
    pub description: String,
    /// It changes nothing; not so unless the server says so.
    pub read_only: bool,
    /// It may delete or overwrite; so unless the server says otherwise, or that it changes nothing.
    pub destructive: bool,
    /// Called twice with the same arguments, it does what it does once; not so unless the server says so.
    pub idempotent: bool,
    /// It deals with the world outside, such as the web or mail; so unless the server says otherwise.
    pub open_world: bool,
    /// Whether the server says what its results look like.
    pub declares_result: bool,
}

impl ServerTool {
    /// A tool that no server has, as its own description has it.
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
        }
    }

    pub(crate) fn new(tool: &Tool, spec: &ServerSpec) -> ServerTool {
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
        }
    }
}
