//! The tools behind a gateway.

use ptc_lisp::ToolSpec;
use ptc_mcp::ServerTool;

/// A tool behind the gateway, as policies, searches and records know it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Offer {
    /// What its server says of it.
    pub said: ServerTool,
    /// What programs and models see.
    pub spec: ToolSpec,
}

impl Offer {
    /// What a server says of a tool, and what programs see of it.
    #[must_use]
    pub fn new(said: ServerTool, spec: &ToolSpec) -> Offer {
        Offer { said, spec: spec.clone() }
    }

    /// Its name behind `tool/`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.spec.name
    }
}
