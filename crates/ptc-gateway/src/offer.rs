//! The tools of a gateway.

use ptc_lisp::ToolSpec;
use ptc_mcp::ServerTool;

use crate::pins::Unreviewed;

/// A tool of the gateway, as policies, searches and records know it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct OfferedTool {
    /// Its server's description.
    pub said: ServerTool,
    /// What programs and models see.
    pub spec: ToolSpec,
    /// How it differs from what was reviewed, if its server is pinned.
    pub unreviewed: Option<Unreviewed>,
}

impl OfferedTool {
    /// A server's description of a tool, and what programs see of it.
    #[must_use]
    pub fn new(said: ServerTool, spec: &ToolSpec) -> OfferedTool {
        OfferedTool { said, spec: spec.clone(), unreviewed: None }
    }

    /// Its name after `tool/`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.spec.name
    }
}
