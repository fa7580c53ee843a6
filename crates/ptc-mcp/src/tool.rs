//! One tool of a server.

use std::sync::Arc;

use ptc_lisp::signature::{Enums, Signature};
use ptc_lisp::text::shortened_counted;
use ptc_lisp::{BoxFuture, Effect, HiddenFields, OnNotice, Tool, ToolCall, ToolError, ToolResult, ToolSpec};
use rmcp::ServiceError;
use rmcp::model::Tool as WireTool;
use serde_json::{Value as Json, json};

use crate::call::{CallError, MAX_LIMITS, ask};
use crate::caller::caller;
use crate::error::McpError;
use crate::further::{Kind, TASK};
use crate::list::Offered;
use crate::readable::{UNAUTHORIZED, UNREADABLE};
use crate::redirect;
use crate::result::{self, Given, MAX_FAILURE};
use crate::server::Link;
use crate::spec::{Results, ServerSpec};

/// A tool that a server has listed, as programs see it.
pub(crate) fn described(tool: &WireTool, server: &ServerSpec) -> ToolSpec {
    let hints = tool.annotations.clone().unwrap_or_default();
    let input = Json::Object((*tool.input_schema).clone());
    let output = tool.output_schema.as_ref().map(|schema| Json::Object((**schema).clone()));
    let says_result = output.is_some();
    let signature = Signature::from_json_schemas(Some(input), output, Enums::String);
    let signature = if says_result { signature } else { signature.returning(server.reads(&tool.name).ty()) };
    let effect = if hints.read_only_hint == Some(true) { Effect::Read } else { Effect::Write };
    let mut spec = ToolSpec::new(server.name_of(&tool.name)).signature(signature).effect(effect);
    spec.declares_effect = hints.read_only_hint.is_some();
    let about = tool.description.as_deref().or(tool.title.as_deref()).or(hints.title.as_deref());
    spec.description = about.map(str::to_owned);
    spec.idempotent = hints.idempotent_hint == Some(true);
    // The server may have to be restarted in addition to the call.
    spec.timeout = Some(server.timeout.saturating_mul(MAX_LIMITS + 1));
    // The names are the server's, not those of the user's data.
    spec.hidden_fields = HiddenFields::named(server.hidden.iter().cloned());
    spec.approve = server.approve.iter().any(|name| *name == tool.name);
    spec
}

/// A tool of a server, called by programs.
pub(crate) struct McpTool {
    spec: ToolSpec,
    /// The server's name for it.
    name: String,
    kind: Kind,
    link: Arc<Link>,
}

impl McpTool {
    pub fn new(offered: Offered, link: Arc<Link>) -> McpTool {
        let Offered { tool, kind } = offered;
        McpTool { spec: described(&tool, &link.spec), name: tool.name.into_owned(), kind, link }
    }

    async fn ask(&self, arguments: serde_json::Map<String, Json>, on_notice: &OnNotice<'_>) -> ToolResult {
        let mut params = self.kind.params(&self.name, arguments);
        // A server that ended before is restarted; if it ends now, the call is repeated where that does no harm.
        let mut repeats = usize::from(self.spec.is_repeatable());
        let mut was_sent = false;
        loop {
            let absent = |error: McpError| ToolError::new(error.to_string()).may_have_run(was_sent);
            let service = self.link.service().await.map_err(absent)?;
            self.look_for_news(on_notice).await;
            if !self.link.offers(&self.name) {
                return Err(self.gone().may_have_run(was_sent));
            }
            was_sent = true;
            // Without `initialize`, the server decides.
            if self.kind == Kind::Task && service.peer_info().is_some_and(|said| said.protocol_version.has_initialize())
            {
                let most = self.link.spec.timeout.saturating_mul(MAX_LIMITS);
                params.insert(TASK.to_owned(), json!({"ttl": u64::try_from(most.as_millis()).unwrap_or(u64::MAX)}));
            }
            let answer = ask(&self.link, &service, self.kind.method(), params.clone(), on_notice).await;
            match answer.and_then(|answer| Given::new(answer, self.kind)) {
                Ok(given) => {
                    // The messages of a prompt have their roles, whatever their texts are.
                    let results = match self.kind {
                        Kind::Prompt => Results::JsonOrText,
                        _ => self.link.spec.reads(&self.name),
                    };
                    return result::value(given, results, caller().as_deref());
                }
                Err(CallError::Service(error)) if is_lost(&error) && repeats > 0 => repeats -= 1,
                Err(error) => {
                    self.look_for_news(on_notice).await;
                    return Err(self.failure(&error));
                }
            }
        }
    }

    /// Ask for the list when it may have changed, and report the changes.
    async fn look_for_news(&self, on_notice: &OnNotice<'_>) {
        // A call does not fail because the list is missing: the server itself knows which tools it has.
        let _refused = self.link.list_again().await;
        if let Some(news) = self.link.news() {
            on_notice(news);
        }
    }

    fn gone(&self) -> ToolError {
        let server = &self.link.spec.name;
        ToolError::new(format!("the MCP server `{server}` no longer offers `{}`", self.name))
    }

    fn failure(&self, error: &CallError) -> ToolError {
        match error {
            CallError::Service(ServiceError::McpError(_)) if !self.link.offers(&self.name) => {
                self.gone().may_have_run(false)
            }
            error => failure(&self.link, error),
        }
    }
}

/// Why a call of a tool of this server has no result.
pub(crate) fn failure(link: &Link, error: &CallError) -> ToolError {
    let server = &link.spec.name;
    let error = match error {
        CallError::Service(error) => error,
        CallError::Asks(what) => {
            return ToolError::new(format!("the MCP server `{server}` asks for {what}")).may_have_run(false);
        }
        CallError::Unfinished(why) => {
            let why = link.spec.told(&shortened_counted(why, MAX_FAILURE));
            return ToolError::new(format!("the MCP server `{server}` {why}")).may_have_run(true);
        }
    };
    if let ServiceError::TransportSend(lost) = error
        && let Some(refused) = redirect::refusal(&*lost.error)
    {
        return ToolError::new(format!("the MCP server `{server}`: {refused}")).may_have_run(true);
    }
    match error {
        ServiceError::McpError(unread) if unread.code == UNREADABLE || unread.code == UNAUTHORIZED => {
            let message = format!("the MCP server `{server}`: {}", link.spec.told(&unread.message));
            ToolError::new(message).may_have_run(unread.code == UNREADABLE)
        }
        // The server has checked the call and refused it.
        ServiceError::McpError(refused) => {
            let more = refused.data.as_ref().filter(|data| !data.is_null()).map(|data| format!(": {data}"));
            let message = format!("{}{}", refused.message, more.unwrap_or_default());
            ToolError::new(link.spec.told(&shortened_counted(&message, MAX_FAILURE)))
        }
        ServiceError::Timeout { timeout } if *timeout == link.spec.timeout => {
            ToolError::new(format!("no answer within {} s", timeout.as_secs_f64())).may_have_run(true)
        }
        ServiceError::Timeout { .. } => {
            let limit = link.spec.timeout.saturating_mul(MAX_LIMITS).as_secs_f64();
            ToolError::new(format!("no result within {limit} s, despite its progress")).may_have_run(true)
        }
        lost if is_lost(lost) => {
            ToolError::new(format!("outcome unknown: the MCP server `{server}` ended during the call"))
                .may_have_run(true)
        }
        other => {
            let problem = link.spec.told(&other.to_string());
            ToolError::new(format!("the MCP server `{server}`: {problem}")).may_have_run(true)
        }
    }
}

/// Whether the server went away before it answered.
fn is_lost(error: &ServiceError) -> bool {
    matches!(error, ServiceError::TransportClosed | ServiceError::TransportSend(_) | ServiceError::Cancelled { .. })
}

impl Tool for McpTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn call<'a>(&'a self, call: &'a ToolCall) -> BoxFuture<'a, ToolResult> {
        self.watched_call(call, &|_| ())
    }

    fn watched_call<'a>(&'a self, call: &'a ToolCall, on_notice: &'a OnNotice<'a>) -> BoxFuture<'a, ToolResult> {
        Box::pin(async move {
            let arguments = match call.args.to_json() {
                Ok(Json::Object(arguments)) => arguments,
                Ok(other) => return Err(ToolError::new(format!("the arguments must be a map, got {other}"))),
                Err(error) => return Err(ToolError::new(error.message)),
            };
            self.ask(arguments, on_notice).await
        })
    }
}
