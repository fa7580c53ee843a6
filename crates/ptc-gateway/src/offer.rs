//! The tools of a gateway.

use ptc_lisp::ToolSpec;
use ptc_mcp::ServerTool;

/// A tool of the gateway, as policies, searches and records know it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct OfferedTool {
    /// Its server's description.
    pub said: ServerTool,
    /// What programs and models see.
    pub spec: ToolSpec,
}

impl OfferedTool {
    /// A server's description of a tool, and what programs see of it.
    #[must_use]
    pub fn new(said: ServerTool, spec: &ToolSpec) -> OfferedTool {
        OfferedTool { said, spec: spec.clone() }
    }

    /// Its name after `tool/`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.spec.name
    }
}
