//! The tools behind a gateway.

use ptc_lisp::{Effect, ToolSpec};
use ptc_mcp::ServerTool;
use ptc_mission::ToolLine;

/// A tool behind the gateway, as policies, searches and records know it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Offer {
    /// The name of its server; empty for a tool of the gateway's own file.
    pub server: String,
    /// What the server calls it.
    pub tool: String,
    /// The whole description.
    pub description: String,
    /// It changes nothing, as it says.
    pub read_only: bool,
    /// It may delete or overwrite.
    pub destructive: bool,
    /// Called twice, it does what it does once, as it says.
    pub idempotent: bool,
    /// It deals with the world outside.
    pub open_world: bool,
    /// Whether it says what its results look like.
    pub declares_result: bool,
    /// What programs and models see.
    pub spec: ToolSpec,
}

impl Offer {
    pub(crate) fn of_server(said: &ServerTool, spec: &ToolSpec) -> Offer {
        Offer {
            server: said.server.clone(),
            tool: said.tool.clone(),
            description: said.description.clone(),
            read_only: said.read_only,
            destructive: said.destructive,
            idempotent: said.idempotent,
            open_world: said.open_world,
            declares_result: said.declares_result,
            spec: spec.clone(),
        }
    }

    /// A tool of the gateway's own file.
    pub(crate) fn own(spec: &ToolSpec) -> Offer {
        let read_only = spec.effect == Effect::Read;
        Offer {
            server: String::new(),
            tool: spec.name.clone(),
            description: spec.description.clone().unwrap_or_default(),
            read_only,
            destructive: !read_only,
            idempotent: spec.idempotent,
            open_world: true,
            declares_result: spec.signature.is_some(),
            spec: spec.clone(),
        }
    }

    /// Its name behind `tool/`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.spec.name
    }

    /// Its line for a model: name, signature, description.
    #[must_use]
    pub fn line(&self) -> String {
        ToolLine(&self.spec).to_string()
    }
}
