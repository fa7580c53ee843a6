//! Test support: messages of servers without a server.

use ptc_lisp::{ToolResult, ToolSpec};
use rmcp::model::{CallToolResult, Tool};

use crate::further::Kind;
use crate::list::Offered;
use crate::tool::described;
use crate::{Results, ServerSpec, ServerTool};

/// The result of a call whose JSON this is.
///
/// Errors when it is not a result.
pub fn result_of(json: &str) -> Result<ToolResult, serde_json::Error> {
    serde_json::from_str::<CallToolResult>(json)
        .map(|result| crate::result::value(result.into(), Results::default(), None))
}

/// A tool that `server` lists as this JSON: as policies and as programs see it.
///
/// Errors when it is not a tool.
pub fn tool_of(server: &ServerSpec, json: &str) -> Result<(ServerTool, ToolSpec), serde_json::Error> {
    let tool: Tool = serde_json::from_str(json)?;
    let spec = described(&tool, server);
    Ok((ServerTool::new(&Offered { tool, kind: Kind::Tool }, server), spec))
}
