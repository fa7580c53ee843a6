//! The client that `tests/mcp/conformance` starts for each scenario: it connects to the given URL and calls the tools
//! there, those of the scenario or each of them once.
//!
//! The suite of the protocol observes what this client sends. Results are printed, also failures: a scenario may want
//! one.

use std::collections::HashMap;
use std::error::Error;
use std::time::Duration;

use ptc_lisp::signature::{Signature, Type};
use ptc_lisp::{Tool, ToolCall, Value};
use ptc_mcp::{Server, ServerSpec};
use serde::Deserialize;
use serde_json::{Value as Json, json};

/// How long the server of a scenario may be silent.
const TIMEOUT: Duration = Duration::from_secs(10);

/// What a scenario gives besides its URL.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Scenario {
    tool_calls: Vec<WantedCall>,
}

/// A call that a scenario wants.
#[derive(Deserialize)]
struct WantedCall {
    name: String,
    #[serde(default)]
    arguments: Json,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let url = std::env::args().next_back().ok_or("the URL of the server is missing")?;
    let scenario =
        std::env::var("MCP_CONFORMANCE_CONTEXT").map_or(Ok(Scenario::default()), |text| serde_json::from_str(&text))?;
    let server = Server::connect(ServerSpec::http("server", url).timeout(TIMEOUT)).await?;
    let tools: HashMap<String, _> = (&server).into_iter().map(|tool| (tool.spec().name.clone(), tool)).collect();
    if scenario.tool_calls.is_empty() {
        let calls = (1..)
            .zip(tools.values())
            .map(|(seq, tool)| call(seq, tool.as_ref(), examples(tool.spec().signature.as_ref())));
        for call in calls {
            call.await;
        }
    } else {
        for (seq, asked) in (1..).zip(scenario.tool_calls) {
            let name = format!("server-{}", asked.name);
            call(seq, tools.get(&name).ok_or(format!("there is no tool {name}"))?.as_ref(), asked.arguments).await;
        }
    }
    server.close().await;
    Ok(())
}

async fn call(seq: u64, tool: &dyn Tool, arguments: Json) {
    let args = Value::from_json(arguments);
    let result =
        tool.call(&ToolCall { seq, name: tool.spec().name.as_str().into(), surface: args.clone(), args }).await;
    match result.map(|value| value.to_json()) {
        Ok(Ok(json)) => println!("{} gave {json}", tool.spec().name),
        Ok(Err(error)) => println!("{} gave no JSON: {}", tool.spec().name, error.message),
        Err(failure) => println!("{} failed: {failure}", tool.spec().name),
    }
}

/// A value for each parameter.
fn examples(signature: Option<&Signature>) -> Json {
    let fields = signature.map(Signature::params).unwrap_or_default();
    fields.iter().map(|field| (field.name.clone(), example(&field.ty))).collect::<serde_json::Map<_, _>>().into()
}

fn example(ty: &Type) -> Json {
    match ty.required() {
        Type::Int | Type::Float => json!(5),
        Type::Bool => json!(true),
        Type::String | Type::Keyword => json!("text"),
        Type::List(_) => json!([]),
        _ => json!({}),
    }
}
