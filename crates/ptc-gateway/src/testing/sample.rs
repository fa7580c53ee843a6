//! A server with all that a server may have, behind HTTP, which tests put a gateway in front of.

use std::borrow::Cow;
use std::net::SocketAddr;
use std::path::Path;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams, CompleteResult, ErrorData,
    GetPromptRequestParams, GetPromptResponse, GetPromptResult, InputRequests, InputRequiredResult, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams, ProtocolVersion,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, Reference, ServerCapabilities, ServerConfig,
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

/// The gateway of a folder in front of the server, which is at ADDRESS and ends with the guard.
pub(crate) async fn before_sample(folder: &Path, is_new: bool, more: &str) -> (Gateway, DropGuard) {
    let (file, served) = sample(folder, is_new, more).await;
    let gateway = gateway(folder, &file).await;
    assert_eq!(gateway.problems(), [""; 0]);
    (gateway, served)
}

/// The server, and the file of a gateway before it.
pub(crate) async fn sample(folder: &Path, is_new: bool, more: &str) -> (String, DropGuard) {
    let host = folder.join("host");
    std::fs::create_dir(&host).unwrap();
    let server = McpServer::new(gateway(&host, "").await).unwrap();
    let (ready, address) = tokio::sync::oneshot::channel();
    let stop = CancellationToken::new();
    let (any, stopped) = (SocketAddr::from(([127, 0, 0, 1], 0)), stop.clone());
    tokio::spawn(server.http_through(any, stopped, |address| ready.send(address).unwrap(), move |_| Sample { is_new }));
    let address = address.await.unwrap();
    let file = format!("[mcp.s]\nurl = \"ADDRESS\"\n{more}").replace("ADDRESS", &format!("http://{address}/mcp"));
    (file, stop.drop_guard())
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

/// What a tool asks the client.
fn question(tool: &str) -> Option<Json> {
    let text = json!({"type": "text", "text": "2 + 2?"});
    Some(match tool {
        "ask" => json!({"method": "elicitation/create", "params": {
            "mode": "form", "message": "Which day?",
            "requestedSchema": {"type": "object", "properties": {"day": {"type": "string"}}, "required": ["day"]},
        }}),
        "think" => json!({"method": "sampling/createMessage", "params": {
            "messages": [{"role": "user", "content": text}], "maxTokens": 10,
        }}),
        "folders" => json!({"method": "roots/list"}),
        _ => return None,
    })
}

enum Asked {
    Answer(Json),
    /// A result that asks.
    Later(InputRequiredResult),
    /// Why there is no answer.
    Never(String),
}

impl Sample {
    async fn asked(
        &self,
        params: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
        request: Json,
    ) -> Asked {
        if !self.is_new {
            return match context.peer.send_request(typed(request)).await {
                Ok(answer) => Asked::Answer(json!(answer)),
                Err(error) => Asked::Never(error.to_string()),
            };
        }
        match params.input_responses.as_ref().and_then(|responses| responses.get("q")) {
            Some(answer) if params.request_state.as_deref() == Some("kept") => Asked::Answer(answer.clone()),
            _ => {
                let requests = InputRequests::from([("q".to_owned(), typed(request))]);
                Asked::Later(InputRequiredResult::new(Some(requests), Some("kept".to_owned())))
            }
        }
    }
}

#[expect(deprecated, reason = "servers have logs, also those of the newest revision")]
impl ServerHandler for Sample {
    fn get_info(&self) -> ServerConfig {
        let mut info = ServerConfig::new(
            ServerCapabilities::builder()
                .enable_tools()
                .enable_resources()
                .enable_prompts()
                .enable_completions()
                .enable_logging()
                .build(),
        );
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
        let mut tools: Vec<Json> = ["chart", "files", "fail", "ask", "think", "folders", "log"].map(tool).to_vec();
        tools[0]["outputSchema"] = json!({"type": "object", "properties": {"points": {"type": "integer"}}, "required": ["points"], "additionalProperties": false});
        Ok(ListToolsResult::with_all_items(typed(json!(tools))))
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let resources = json!([
            {"uri": "memo:///today", "name": "today", "description": "What is due today.", "mimeType": "application/json"},
            {"uri": "memo:///logo", "name": "logo"},
        ]);
        Ok(ListResourcesResult::with_all_items(typed(resources)))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let templates = json!([{"uriTemplate": "memo:///days/{day}", "name": "day"}]);
        Ok(ListResourceTemplatesResult::with_all_items(typed(templates)))
    }

    async fn read_resource(
        &self,
        params: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = &params.uri;
        let contents = match &**uri {
            "memo:///today" => json!([{"uri": uri, "mimeType": "application/json", "text": "{\"due\": [1, 2]}"}]),
            "memo:///logo" => json!([{"uri": uri, "mimeType": "image/png", "blob": "iVBORw0KGgo="}]),
            day if day.starts_with("memo:///days/") => {
                json!([{"uri": uri, "text": "first"}, {"uri": uri, "text": "second"}])
            }
            _ => return Err(ErrorData::resource_not_found(format!("no memo {uri}"), None)),
        };
        Ok(ReadResourceResult::new(typed(contents)).into())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let arguments = json!([{"name": "topic", "required": true}, {"name": "tone"}]);
        let prompts = json!([{"name": "draft", "description": "Drafts a memo.", "arguments": arguments}]);
        Ok(ListPromptsResult::with_all_items(typed(prompts)))
    }

    async fn get_prompt(
        &self,
        params: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let topic = params.arguments.and_then(|arguments| arguments.get("topic").cloned()).unwrap_or_default();
        let said = json!({"type": "text", "text": format!("{}: {}", params.name, topic.as_str().unwrap_or("?"))});
        let filled: GetPromptResult = typed(json!({"messages": [{"role": "user", "content": said}]}));
        Ok(filled.into())
    }

    async fn complete(
        &self,
        params: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let of = match &params.r#ref {
            Reference::Prompt(prompt) => prompt.name.clone(),
            Reference::Resource(resource) => resource.uri.clone(),
            _ => String::new(),
        };
        Ok(typed(json!({"completion": {"values": [format!("{of} {}", params.argument.value)]}})))
    }

    async fn call_tool(
        &self,
        params: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if let Some(request) = question(&params.name) {
            return Ok(match self.asked(&params, &context, request).await {
                Asked::Answer(answer) => CallToolResult::structured(answer).into(),
                Asked::Later(result) => result.into(),
                Asked::Never(why) => {
                    typed::<CallToolResult>(json!({"isError": true, "content": [{"type": "text", "text": why}]})).into()
                }
            });
        }
        if params.name == "log" {
            for level in ["debug", "warning"] {
                let line = json!({"level": level, "logger": "pump", "data": format!("at {level}")});
                context.peer.notify_logging_message(typed(line)).await.unwrap();
            }
        }
        let result: CallToolResult = typed(match &*params.name {
            "chart" => chart(),
            "files" => json!({"content": [
                {"type": "resource_link", "uri": "file:///a.txt", "name": "a.txt"},
                {"type": "resource", "resource": {"uri": "file:///b.bin", "mimeType": "application/octet-stream", "blob": "AAEC"}},
                {"type": "resource", "resource": {"uri": "file:///c.txt", "text": "see"}},
            ]}),
            "log" => json!({"content": [{"type": "text", "text": "logged"}]}),
            "fail" => json!({
                "isError": true, "content": [{"type": "text", "text": "no such order"}],
                "structuredContent": {"code": 404, "order": "A-7"},
            }),
            other => return Err(ErrorData::invalid_params(format!("no tool {other}"), None)),
        });
        Ok(result.into())
    }
}
