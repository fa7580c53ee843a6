//! The client that `tests/mcp/conformance` starts for each scenario: it connects to the given URL and calls the tools
//! there, those of the scenario or each of them once. Where the server wants a login, it agrees in place of a person.
//!
//! The suite of the protocol observes what this client sends. Results are printed, also failures: a scenario may want
//! one.

use std::collections::HashMap;
use std::error::Error;
use std::time::Duration;

use ptc_lisp::signature::{Signature, Type};
use ptc_lisp::{Tool, ToolCall, Value};
use ptc_mcp::{Grant, Login, Logins, Server, ServerSpec};
use reqwest::header::LOCATION;
use reqwest::redirect::Policy;
use serde::Deserialize;
use serde_json::{Value as Json, json};

/// How long the server of a scenario may be silent.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The document that describes this client, in the scenarios of the suite.
const CLIENT: &str = "https://conformance-test.local/client-metadata.json";

/// How often a login may ask for more.
const MOST_LOGINS: usize = 3;

/// What a scenario gives besides its URL.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Scenario {
    tool_calls: Vec<WantedCall>,
    #[serde(rename = "client_id")]
    client_id: Option<String>,
    #[serde(rename = "client_secret")]
    client_secret: Option<String>,
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
    let folder = tempfile::tempdir()?;
    let mut spec = ServerSpec::http("server", url).timeout(TIMEOUT).logins(Logins::in_folder(folder.path()));
    spec.oauth.client_id = Some(scenario.client_id.clone().unwrap_or_else(|| CLIENT.to_owned()));
    spec.oauth.client_secret = scenario.client_secret.clone();
    // The suite names the scenario: a client that was registered before may also log in.
    if std::env::var("MCP_CONFORMANCE_SCENARIO").is_ok_and(|name| name.starts_with("auth/client-credentials")) {
        spec.oauth.grant = Grant::ClientCredentials;
    }
    let mut told = String::new();
    for logins in 0..=MOST_LOGINS {
        match used(&spec, &scenario).await {
            Ok(()) => return Ok(()),
            Err(error) => told = error.to_string(),
        }
        if !told.contains("ptc mcp login") || logins == MOST_LOGINS {
            break;
        }
        log_in(&spec, &told).await?;
    }
    Err(told.into())
}

/// Log in as the message says, in place of a person.
async fn log_in(spec: &ServerSpec, told: &str) -> Result<(), Box<dyn Error>> {
    let scopes = told.split("--scope ").skip(1).filter_map(|rest| rest.split([' ', '`']).next());
    let scopes: Vec<String> = scopes.map(str::to_owned).collect();
    let login = Login::begin(spec, &scopes, 0).await?;
    let browser = reqwest::Client::builder().redirect(Policy::none()).build()?;
    let answer = browser.get(login.address()).send().await?;
    let redirected = answer.headers().get(LOCATION).ok_or("the browser was not sent back")?.to_str()?;
    Ok(login.complete(redirected).await?)
}

/// Connect and call the tools. Errors when a login is needed before.
async fn used(spec: &ServerSpec, scenario: &Scenario) -> Result<(), Box<dyn Error>> {
    let server = Server::connect(spec.clone()).await?;
    let tools: HashMap<String, _> = (&server).into_iter().map(|tool| (tool.spec().name.clone(), tool)).collect();
    if scenario.tool_calls.is_empty() {
        let calls = (1..)
            .zip(tools.values())
            .map(|(seq, tool)| call(seq, tool.as_ref(), examples(tool.spec().signature.as_ref())));
        for call in calls {
            call.await?;
        }
    } else {
        for (seq, asked) in (1..).zip(&scenario.tool_calls) {
            let name = format!("server-{}", asked.name);
            let tool = tools.get(&name).ok_or(format!("there is no tool {name}"))?;
            call(seq, tool.as_ref(), asked.arguments.clone()).await?;
        }
    }
    server.close().await;
    Ok(())
}

async fn call(seq: u64, tool: &dyn Tool, arguments: Json) -> Result<(), Box<dyn Error>> {
    let args = Value::from_json(arguments);
    let result =
        tool.call(&ToolCall { seq, name: tool.spec().name.as_str().into(), surface: args.clone(), args }).await;
    match result.map(|value| value.to_json()) {
        Ok(Ok(json)) => println!("{} gave {json}", tool.spec().name),
        Ok(Err(error)) => println!("{} gave no JSON: {}", tool.spec().name, error.message),
        Err(failure) if failure.message.contains("ptc mcp login") => return Err(failure.message.into()),
        Err(failure) => println!("{} failed: {failure}", tool.spec().name),
    }
    Ok(())
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
