//! One tool of a server.

use std::sync::Arc;

use ptc_lisp::{BoxFuture, Effect, HostTool, ToolCall, ToolFailure, ToolResult, ToolSpec, one_line, shortened};
use ptc_signature::{Enums, Signature};
use rmcp::ServiceError;
use rmcp::model::{CallToolRequestParams, Tool};
use serde_json::Value as Json;

use crate::arguments::as_declared;
use crate::error::McpError;
use crate::result;
use crate::server::Link;

/// Characters of a description that models read.
const MAX_DESCRIPTION: usize = 300;

/// A tool of a server, called by programs.
pub(crate) struct McpTool {
    spec: ToolSpec,
    /// What the server calls it.
    name: String,
    link: Arc<Link>,
}

impl McpTool {
    pub fn new(tool: Tool, link: Arc<Link>) -> McpTool {
        let hints = tool.annotations.unwrap_or_default();
        let input = Json::Object((*tool.input_schema).clone());
        let output = tool.output_schema.map(|schema| Json::Object((*schema).clone()));
        let signature = Signature::from_json_schemas(Some(&input), output.as_ref(), Enums::String);
        let effect = if hints.read_only_hint == Some(true) { Effect::Read } else { Effect::Write };
        let mut spec = ToolSpec::new(link.spec.name_of(&tool.name)).signature(signature).effect(effect);
        let about = tool.description.as_deref().or(tool.title.as_deref()).or(hints.title.as_deref());
        spec.description = about.map(|text| shortened(&one_line(text), MAX_DESCRIPTION).into());
        spec.idempotent = hints.idempotent_hint == Some(true);
        spec.approve = link.spec.approve.iter().any(|name| *name == tool.name);
        McpTool { spec, name: tool.name.into_owned(), link }
    }

    async fn ask(&self, arguments: serde_json::Map<String, Json>) -> ToolResult {
        let params = CallToolRequestParams::new(self.name.clone()).with_arguments(arguments);
        // A server that ended before is started again; one that ends now is asked once more where that does no harm.
        let mut repeats = usize::from(self.spec.is_repeatable());
        let mut was_sent = false;
        loop {
            let absent = |error: McpError| ToolFailure::new(error.to_string()).perhaps_done(was_sent);
            let service = self.link.service().await.map_err(absent)?;
            was_sent = true;
            // The time of a call begins when it is sent: `spec.timeout` would count the start of a server, too.
            let limit = self.link.spec.timeout;
            // Dropping the call tells the server to stop.
            match tokio::time::timeout(limit, service.call_tool(params.clone())).await {
                Ok(Ok(given)) => return result::value(given),
                Ok(Err(error)) if is_lost(&error) && repeats > 0 => repeats -= 1,
                Ok(Err(error)) => return Err(self.failure(&error)),
                Err(_) => {
                    let message = format!("no answer within {} s", limit.as_secs_f64());
                    return Err(ToolFailure::new(message).perhaps_done(true));
                }
            }
        }
    }

    fn failure(&self, error: &ServiceError) -> ToolFailure {
        let server = &self.link.spec.name;
        match error {
            // The server has looked at the call and refused it.
            ServiceError::McpError(refused) => ToolFailure::new(refused.message.to_string()),
            lost if is_lost(lost) => {
                ToolFailure::new(format!("outcome unknown: the MCP server `{server}` ended during the call"))
                    .perhaps_done(true)
            }
            other => ToolFailure::new(format!("the MCP server `{server}`: {other}")).perhaps_done(true),
        }
    }
}

/// Whether the server went away before it answered.
fn is_lost(error: &ServiceError) -> bool {
    matches!(error, ServiceError::TransportClosed | ServiceError::TransportSend(_) | ServiceError::Cancelled { .. })
}

impl HostTool for McpTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn call<'a>(&'a self, call: &'a ToolCall) -> BoxFuture<'a, ToolResult> {
        Box::pin(async move {
            let arguments = match call.args.to_json() {
                Ok(Json::Object(arguments)) => {
                    let declared = self.spec.signature.as_ref().map(Signature::params).unwrap_or_default();
                    as_declared(arguments, declared)
                }
                Ok(other) => return Err(ToolFailure::new(format!("the arguments must be a map, got {other}"))),
                Err(error) => return Err(ToolFailure::new(error.message)),
            };
            self.ask(arguments).await
        })
    }
}
