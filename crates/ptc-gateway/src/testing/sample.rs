//! A server with all that a server may have, behind HTTP, which tests put a gateway in front of.

use std::borrow::Cow;
use std::net::SocketAddr;
use std::path::Path;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ErrorData, ListToolsResult, PaginatedRequestParams,
    ProtocolVersion, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::gateway;
use crate::{Gateway, McpServer};

/// The server, in one of both revisions.
#[derive(Clone, Copy)]
pub(crate) struct Sample {
    pub is_new: bool,
}

/// The gateway of a folder in front of the server, which ends with the guard.
pub(crate) async fn before_sample(folder: &Path, is_new: bool, more: &str) -> (Gateway, DropGuard) {
    let host = folder.join("host");
    std::fs::create_dir(&host).unwrap();
    let server = McpServer::new(gateway(&host, "").await).unwrap();
    let (ready, address) = tokio::sync::oneshot::channel();
    let stop = CancellationToken::new();
    let (any, stopped) = (SocketAddr::from(([127, 0, 0, 1], 0)), stop.clone());
    tokio::spawn(server.http_through(any, stopped, |address| ready.send(address).unwrap(), move |_| Sample { is_new }));
    let address = address.await.unwrap();
    let file = format!("[mcp.s]\nurl = \"http://{address}/mcp\"\n{more}");
    let gateway = gateway(folder, &file).await;
    assert_eq!(gateway.problems(), [""; 0]);
    (gateway, stop.drop_guard())
}

pub(crate) fn typed<T: DeserializeOwned>(json: Json) -> T {
    serde_json::from_value(json).unwrap()
}

/// A picture and a sound beside structured content.
fn chart() -> Json {
    json!({
        "content": [
            {"type": "text", "text": "{\"points\": 2}"},
            {"type": "image", "mimeType": "image/png", "data": "iVBORw0KGgo="},
            {"type": "audio", "mimeType": "audio/wav", "data": "UklGRg=="},
        ],
        "structuredContent": {"points": 2},
    })
}

impl ServerHandler for Sample {
    fn get_info(&self) -> ServerConfig {
        let mut info = ServerConfig::new(ServerCapabilities::builder().enable_tools().build());
        info.protocol_version = self.supported_protocol_versions()[0].clone();
        info.instructions = Some("Charts are drawn\nonce a day.".to_owned());
        info
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        match self.is_new {
            true => Cow::Borrowed(&[ProtocolVersion::V_2026_07_28]),
            false => Cow::Borrowed(&[ProtocolVersion::V_2025_11_25]),
        }
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tool = |name: &str| json!({"name": name, "annotations": {"readOnlyHint": true}, "inputSchema": {"type": "object", "properties": {}}});
        let mut tools: Vec<Json> = ["chart", "files", "fail"].map(tool).to_vec();
        tools[0]["outputSchema"] = json!({"type": "object", "properties": {"points": {"type": "integer"}}, "required": ["points"], "additionalProperties": false});
        Ok(ListToolsResult::with_all_items(typed(json!(tools))))
    }

    async fn call_tool(
        &self,
        params: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let result: CallToolResult = typed(match &*params.name {
            "chart" => chart(),
            "files" => json!({"content": [
                {"type": "resource_link", "uri": "file:///a.txt", "name": "a.txt"},
                {"type": "resource", "resource": {"uri": "file:///b.bin", "mimeType": "application/octet-stream", "blob": "AAEC"}},
                {"type": "resource", "resource": {"uri": "file:///c.txt", "text": "see"}},
            ]}),
            "fail" => json!({
                "isError": true, "content": [{"type": "text", "text": "no such order"}],
                "structuredContent": {"code": 404, "order": "A-7"},
            }),
            other => return Err(ErrorData::invalid_params(format!("no tool {other}"), None)),
        });
        Ok(result.into())
    }
}
