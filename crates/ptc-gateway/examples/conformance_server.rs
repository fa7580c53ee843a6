//! The server that `tests/mcp/conformance server` starts: the gateway over HTTP, with the tools that the suite calls by
//! name after its own. It prints its URL and ends when its standard input is closed.
//!
//! - Ours: initialize, discovery, lists, headers, origins, sessions and streams, and each tool in [`program`], which is
//!   `run_program` with that program. So questions, answers, progress and errors are those that any client gets. The suite
//!   fills in its own tools' forms, which decide nothing for ours: the call in question is refused, and the program
//!   says so.
//! - Fixtures, in [`fixture`] and [`listed`]: what a program never returns, such as images, sounds, resources, forms
//!   with defaults, a missing capability, and a schema of JSON Schema 2020-12.

use std::error::Error;
use std::io::Read as _;

use ptc_gateway::{Gateway, GatewayFile, McpServer};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CancelledNotificationParam, ClientCapabilities,
    CompleteRequestParams, CompleteResult, ElicitRequestParams, ErrorData, GetPromptRequestParams, GetPromptResponse,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, ServerConfig, SubscriptionFilter, Tool,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{RoleServer, ServerHandler};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json, json};
use tokio_util::sync::CancellationToken;

/// Tools for the programs: `step` takes a moment, `ask` needs approval.
const TOOLS: &str = r#"
[tools.step]
signature = "(n :int) -> :int"
command = ["sh", "-c", "sleep 0.05; echo 1"]
effect = "read"

[tools.ask]
signature = "(n :int) -> :int"
command = ["echo", "1"]
"#;

/// The key of our question, and the key that the suite expects.
const KEYS: (&str, &str) = ("approval", "user_name");

/// The name under which [`KEYS`] are exchanged.
const ELICITATION: &str = "test_input_required_result_elicitation";

/// The program that a tool of the suite runs.
fn program(tool: &str) -> Option<&'static str> {
    Some(match tool {
        "test_simple_text" => r#""This is a simple text response for testing.""#,
        "test_error_handling" => r#"(throw (ex-info "This tool intentionally returns an error for testing" {}))"#,
        "test_tool_with_progress" => "(mapv (fn [n] (tool/step {:n n})) (range 5))",
        "test_reconnection" | "test_logging_tool" => "(tool/step {:n 1})",
        ELICITATION
        | "test_elicitation"
        | "test_streaming_elicitation"
        | "test_input_required_result_request_state"
        | "test_input_required_result_tampered_state" => "(try (tool/ask {:n 1}) (catch Exception e (ex-message e)))",
        "test_input_required_result_multi_round" => {
            "(mapv (fn [n] (try (tool/ask {:n n}) (catch Exception e (ex-message e)))) [1 2])"
        }
        _ => return None,
    })
}

/// The result of a tool without a program.
async fn fixture(tool: &str, context: &RequestContext<RoleServer>) -> Result<Option<CallToolResult>, ErrorData> {
    let image = json!({
        "type": "image", "mimeType": "image/png",
        "data": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
    });
    let resource = |uri: &str, mime: &str, text: &str| {
        let resource = json!({"uri": uri, "mimeType": mime, "text": text});
        json!({"type": "resource", "resource": resource})
    };
    let content = match tool {
        "test_image_content" => json!([image]),
        "test_audio_content" => json!([{
            "type": "audio", "mimeType": "audio/wav", "data": "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=",
        }]),
        "test_embedded_resource" => {
            json!([resource("test://embedded-resource", "text/plain", "This is an embedded resource content.")])
        }
        "test_multiple_content_types" => json!([
            {"type": "text", "text": "Multiple content types test:"},
            image,
            resource("test://mixed-content-resource", "application/json", r#"{"test":"data","value":123}"#),
        ]),
        "test_elicitation_sep1034_defaults" => asked(context, defaults()).await?,
        "test_elicitation_sep1330_enums" => asked(context, choices()).await?,
        // The gateway requires no capability, but its HTTP code has to serve this error as 400.
        "test_missing_capability" => {
            let required: ClientCapabilities = typed(json!({"sampling": {}}))?;
            return Err(ErrorData::missing_required_client_capability(required));
        }
        _ => return Ok(None),
    };
    Ok(Some(CallToolResult::success(typed(content)?)))
}

/// What the user of the client answers to a form.
async fn asked(context: &RequestContext<RoleServer>, properties: Json) -> Result<Json, ErrorData> {
    let form: ElicitRequestParams = typed(json!({
        "mode": "form", "message": "Please fill in", "requestedSchema": {"type": "object", "properties": properties},
    }))?;
    let said = context.peer.create_elicitation(form).await;
    let said = said.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
    Ok(json!([{"type": "text", "text": format!("Elicitation completed: {said:?}")}]))
}

fn defaults() -> Json {
    json!({
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        "verified": {"type": "boolean", "default": true},
    })
}

fn choices() -> Json {
    let titled = json!([{"const": "value1", "title": "First"}, {"const": "value2", "title": "Second"}]);
    json!({
        "untitledSingle": {"type": "string", "enum": ["option1", "option2"]},
        "titledSingle": {"type": "string", "oneOf": titled},
        "legacyEnum": {"type": "string", "enum": ["opt1", "opt2"], "enumNames": ["Option One", "Option Two"]},
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": ["option1", "option2"]}},
        "titledMulti": {"type": "array", "items": {"anyOf": titled}},
    })
}

/// The tools that are listed next to ours: those that the suite expects in the list.
fn listed() -> Result<Vec<Tool>, ErrorData> {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {"address": {
            "$anchor": "addressDef", "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }},
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"},
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": false,
    });
    let tool =
        |name: &str, schema: Json| typed(json!({"name": name, "description": "For the suite", "inputSchema": schema}));
    let nothing = json!({"type": "object"});
    [
        ("json_schema_2020_12_tool", schema),
        ("test_missing_capability", nothing.clone()),
        ("test_streaming_elicitation", nothing.clone()),
        ("test_logging_tool", nothing),
    ]
    .into_iter()
    .map(|(name, schema)| tool(name, schema))
    .collect()
}

/// JSON as one of the types of the protocol.
fn typed<T: DeserializeOwned>(json: Json) -> Result<T, ErrorData> {
    serde_json::from_value(json).map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

/// The gateway, configured for the suite.
struct Conformance(McpServer);

impl Conformance {
    /// Run a program with `run_program`, or continue it.
    async fn run(
        &self,
        program: &str,
        mut params: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let is_renamed = params.name == ELICITATION;
        params.name = "run_program".into();
        params.arguments = Some(Map::from_iter([("program".to_owned(), json!(program))]));
        let (ours, theirs) = KEYS;
        if is_renamed && let Some(responses) = &mut params.input_responses {
            responses.remove(theirs).and_then(|response| responses.insert(ours.to_owned(), response));
        }
        let mut response = self.0.call_tool(params, context).await?;
        if is_renamed
            && let CallToolResponse::InputRequired(asked) = &mut response
            && let Some(requests) = &mut asked.input_requests
        {
            requests.remove(ours).and_then(|request| requests.insert(theirs.to_owned(), request));
        }
        Ok(response)
    }
}

#[expect(deprecated, reason = "servers have logs, also those of the newest revision")]
impl ServerHandler for Conformance {
    fn get_info(&self) -> ServerConfig {
        self.0.get_info()
    }

    async fn list_tools(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let mut list = self.0.list_tools(page, context).await?;
        list.tools.extend(listed()?);
        Ok(list)
    }

    async fn call_tool(
        &self,
        params: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if let Some(program) = program(&params.name) {
            return self.run(program, params, context).await;
        }
        match fixture(&params.name, &context).await? {
            Some(result) => Ok(result.into()),
            None => self.0.call_tool(params, context).await,
        }
    }

    async fn list_resources(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        self.0.list_resources(page, context).await
    }

    async fn list_resource_templates(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        self.0.list_resource_templates(page, context).await
    }

    async fn read_resource(
        &self,
        params: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        self.0.read_resource(params, context).await
    }

    async fn list_prompts(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        self.0.list_prompts(page, context).await
    }

    async fn get_prompt(
        &self,
        params: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        self.0.get_prompt(params, context).await
    }

    async fn complete(
        &self,
        params: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        self.0.complete(params, context).await
    }

    async fn set_level(
        &self,
        params: rmcp::model::SetLevelRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.0.set_level(params, context).await
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        self.0.accepted_subscription_filter(requested)
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        self.0.listen(context).await
    }

    async fn on_cancelled(&self, told: CancelledNotificationParam, context: NotificationContext<RoleServer>) {
        self.0.on_cancelled(told, context).await;
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let file = GatewayFile::from_text(folder.path().join("gateway.toml"), TOOLS)?;
    let server = McpServer::new(Gateway::start(file).await?)?;
    let stop = CancellationToken::new();
    let input_ends = stop.clone();
    std::thread::spawn(move || {
        let _all = std::io::stdin().read_to_end(&mut Vec::new());
        input_ends.cancel();
    });
    let ready = |address| println!("http://{address}/mcp");
    server.http_through(([127, 0, 0, 1], 0).into(), stop, ready, Conformance).await?;
    Ok(())
}
