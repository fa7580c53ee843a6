mod attached;
mod described;
mod forwarded;
mod passed;

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rmcp::model::{
    CallToolRequest, ClientCapabilities, ClientConfig, ClientRequest, ElicitRequestParams, ElicitResult,
    ElicitationAction, ElicitationCapability, ErrorCode, Implementation, NumberOrString, ProgressNotificationParam,
    ProgressToken, RequestMetaObject,
};
use rmcp::service::{NotificationContext, PeerRequestOptions, RequestContext, RunningService};
use rmcp::{ClientHandler, ClientLifecycleMode, ClientServiceExt, RoleClient, ServiceError};
use serde_json::{Value as Json, json};

use super::*;
use crate::Phase;
use crate::testing::{code, gateway, paid};

/// A program's progress and total.
type Told = (f64, Option<f64>);

/// A client whose user always answers the same.
#[derive(Clone)]
struct Client {
    /// `None`: it cannot ask its user.
    says: Option<Json>,
    asked: Arc<Mutex<Vec<String>>>,
    progress: Arc<Mutex<Vec<Told>>>,
}

impl Client {
    fn saying(says: Option<Json>) -> Client {
        Client { says, asked: Arc::default(), progress: Arc::default() }
    }
}

impl ClientHandler for Client {
    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::default();
        capabilities.elicitation = self.says.as_ref().map(|_| ElicitationCapability::default());
        ClientConfig::new(capabilities, Implementation::new("tester", "1"))
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        if let ElicitRequestParams::FormElicitationParams { message, .. } = request {
            self.asked.lock().unwrap().push(message);
        }
        Ok(match &self.says {
            Some(content) => ElicitResult::new(ElicitationAction::Accept).with_content(content.clone()),
            None => ElicitResult::new(ElicitationAction::Decline),
        })
    }

    async fn on_progress(&self, told: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        self.progress.lock().unwrap().push((told.progress, told.total));
    }
}

const OLD: ClientLifecycleMode = ClientLifecycleMode::Initialize;

fn new() -> ClientLifecycleMode {
    ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] }
}

async fn connected(folder: &Path, client: Client, mode: ClientLifecycleMode) -> RunningService<RoleClient, Client> {
    connected_to(gateway(folder, "").await, client, mode).await
}

/// A client of this gateway.
async fn connected_to<H: ClientHandler>(
    gateway: Gateway,
    client: H,
    mode: ClientLifecycleMode,
) -> RunningService<RoleClient, H> {
    let server = McpServer::new(gateway).unwrap();
    let (here, there) = tokio::io::duplex(1 << 16);
    tokio::spawn(async move { server.serve(there).await.unwrap().waiting().await });
    client.serve_with_lifecycle(here, mode).await.unwrap()
}

fn params(tool: &'static str, arguments: Json) -> CallToolRequestParams {
    CallToolRequestParams::new(tool).with_arguments(arguments.as_object().cloned().unwrap())
}

async fn call(client: &RunningService<RoleClient, Client>, tool: &'static str, arguments: Json) -> Json {
    client.call_tool(params(tool, arguments)).await.unwrap().structured_content.unwrap()
}

#[tokio::test]
async fn users_are_asked_by_both_revisions() {
    for mode in [OLD, new()] {
        let folder = tempfile::tempdir().unwrap();
        let client = Client::saying(Some(json!({"decision": "approve"})));
        let asked = client.asked.clone();
        let client = connected(folder.path(), client, mode).await;
        let said = call(
            &client,
            "run_program",
            json!({"program": "[(tool/pay {:n 1}) (tool/look {:n 2}) (tool/pay {:n 3})]"}),
        )
        .await;
        assert_eq!(said["value"], json!([1, {"n": 2, "twice": 4}, 1]), "{said}");
        assert_eq!(paid(folder.path()), [r#"{"n":1}"#, r#"{"n":3}"#], "nothing runs twice");
        assert_eq!(asked.lock().unwrap().len(), 2);
    }
}

#[tokio::test]
async fn a_user_can_say_no() {
    for mode in [OLD, new()] {
        let folder = tempfile::tempdir().unwrap();
        let client = Client::saying(Some(json!({"decision": "deny", "reason": "too expensive"})));
        let client = connected(folder.path(), client, mode).await;
        let said = call(&client, "run_program", json!({"program": "(tool/pay {:n 1})"})).await;
        assert_eq!(
            said["error"]["message"],
            "tool 'pay' failed: it was not allowed: too expensive at line 1, column 1"
        );
        assert!(paid(folder.path()).is_empty());
    }
}

#[tokio::test]
async fn where_nobody_can_be_asked_a_command_decides() {
    for mode in [OLD, new()] {
        let folder = tempfile::tempdir().unwrap();
        let client = connected(folder.path(), Client::saying(None), mode).await;
        let said = call(&client, "run_program", json!({"program": "(tool/pay {:n 1})"})).await;
        assert_eq!(said["status"], "waiting");
        let session = said["session"].as_str().unwrap();
        let answer = crate::Answer { choice: crate::Choice::Approve, by: "the command line".to_owned() };
        let state = folder.path().join(".ptc/mcp");
        let id = crate::waiting_in(&state).unwrap()[0].id();
        let (whole, code) = (said.to_string(), code(folder.path(), &id));
        for secret in [&id, &code, "ptc mcp", &state.display().to_string()] {
            assert!(!whole.contains(secret), "{whole}");
        }
        crate::decide(&state, &id, answer, Some(&code)).unwrap();
        // The program ends before the client comes back.
        tokio::time::sleep(Duration::from_secs(1)).await;
        let said = loop {
            let said = call(&client, "run_program", json!({"session": session})).await;
            if said["status"] != "waiting" {
                break said;
            }
        };
        assert_eq!(said["value"], json!(1));
    }
}

#[tokio::test]
async fn an_answer_that_was_not_sealed_here_decides_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let client = connected(folder.path(), Client::saying(Some(json!({"decision": "deny"}))), new()).await;
    let asked = client.call_tool_once(params("run_program", json!({"program": "(tool/pay {:n 1})"}))).await.unwrap();
    let CallToolResponse::InputRequired(asked) = asked else { panic!("{asked:?}") };
    let state = asked.request_state.unwrap();
    let answered = |state: String, key: &str| {
        let yes = json!({"action": "accept", "content": {"decision": "approve"}});
        let mut params = params("run_program", json!({"program": "(tool/pay {:n 1})"}));
        params.request_state = Some(state);
        params.input_responses = Some([(key.to_owned(), yes), ("unknown".to_owned(), json!(1))].into());
        params
    };
    let answer = |state: String| answered(state, "approval");
    let forged = client.call_tool_once(answer(state.replace('.', ".x"))).await.unwrap_err();
    assert!(forged.to_string().contains("this answer cannot be used"), "{forged}");
    // Without an answer to the question it is asked again.
    let other = client.call_tool_once(answered(state.clone(), "permission")).await.unwrap();
    assert!(matches!(other, CallToolResponse::InputRequired(_)), "{other:?}");
    assert!(paid(folder.path()).is_empty());
    let done = client.call_tool_once(answer(state.clone())).await.unwrap();
    assert!(
        matches!(done, CallToolResponse::Complete(ref result) if result.structured_content.as_ref().unwrap()["value"] == 1)
    );
    // The same answer again is for a question that is no longer asked.
    let _again = client.call_tool_once(answer(state)).await;
    assert_eq!(paid(folder.path()).len(), 1);
}

#[tokio::test]
async fn cancelling_stops_the_program_and_its_calls() {
    let folder = tempfile::tempdir().unwrap();
    let client = connected(folder.path(), Client::saying(None), OLD).await;
    let session = call(&client, "run_program", json!({"program": "1"})).await["session"].as_str().unwrap().to_owned();
    let request = CallToolRequest::new(params("run_program", json!({"program": "(tool/wait {})", "session": session})));
    let handle = client
        .send_cancellable_request(ClientRequest::CallToolRequest(request), PeerRequestOptions::no_options())
        .await
        .unwrap();
    tokio::time::sleep(Duration::from_millis(300)).await;
    handle.cancel(Some("enough".to_owned())).await.unwrap();
    // The wait would take half a minute.
    let said = loop {
        let said = call(&client, "run_program", json!({"program": "2", "session": session})).await;
        if said["error"]["reason"] != "busy" {
            break said;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    assert_eq!(said["value"], json!(2));
}

#[tokio::test]
async fn progress_grows_with_each_call_that_ends() {
    let folder = tempfile::tempdir().unwrap();
    let client = Client::saying(None);
    let progress = client.progress.clone();
    let client = connected(folder.path(), client, OLD).await;
    let mut run = params("run_program", json!({"program": "(mapv #(tool/look {:n %}) (range 20))"}));
    run.meta = Some(RequestMetaObject::with_progress_token(ProgressToken(NumberOrString::Number(7))));
    client.call_tool(run).await.unwrap();
    let told = progress.lock().unwrap().clone();
    assert!(told.is_sorted_by(|a, b| a.0 < b.0), "{told:?}");
    assert!(told.iter().skip(1).all(|(_, total)| *total == Some(20.0)), "{told:?}");
}

#[tokio::test]
async fn tools_are_found_described_and_told() {
    let folder = tempfile::tempdir().unwrap();
    let client = connected(folder.path(), Client::saying(None), OLD).await;
    let tools = client.list_all_tools().await.unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| &*tool.name).collect();
    assert_eq!(names, ["run_program", "check_program", "search_tools", "describe_tools", "list_functions"]);
    let about = tools[0].description.as_deref().unwrap();
    assert!(
        about.ends_with("tool/pay(n int, _card string?) -> int  ; asks for approval\ntool/wait() -> any"),
        "{about}"
    );
    let checked = call(&client, "check_program", json!({"program": "(doseq [n [1 2]] (tool/pay {:n n}))"})).await;
    assert_eq!(
        checked["can_call"],
        json!([{"tool": "pay", "at_most": "2", "limit": 2, "policy": "ask", "read_only": false, "destructive": true}])
    );
    let found = call(&client, "search_tools", json!({"query": "payments"})).await;
    assert_eq!(found["tools"], json!(["tool/pay(n int, _card string?) -> int  ; asks for approval"]));
    let described = call(&client, "describe_tools", json!({"names": ["tool/look", "wipe", "loook"]})).await;
    let errors: Vec<Option<&str>> =
        described["tools"].as_array().unwrap().iter().map(|tool| tool["error"].as_str()).collect();
    assert_eq!(errors, [None, Some("policy `no-wiping` denies it"), Some("there is no such tool; did you mean look?")]);
    let functions = call(&client, "list_functions", json!({})).await;
    assert!(functions["families"].to_string().contains("group-by"));
    let unknown = client.call_tool(params("pay", json!({"n": 1}))).await.unwrap_err();
    let ServiceError::McpError(unknown) = unknown else { panic!("{unknown}") };
    assert_eq!(unknown.code, ErrorCode::INVALID_PARAMS);
    let misspelt = client.call_tool(params("run_program", json!({"programm": "1"}))).await.unwrap_err();
    assert!(misspelt.to_string().contains("unknown field `programm`"), "{misspelt}");
}

#[tokio::test]
async fn clients_share_a_gateway_by_http() {
    let folder = tempfile::tempdir().unwrap();
    let server = McpServer::new(gateway(folder.path(), "").await).unwrap();
    let (ready, address) = tokio::sync::oneshot::channel();
    let stop = CancellationToken::new();
    let served =
        tokio::spawn(server.http(([127, 0, 0, 1], 0).into(), stop.clone(), |address| ready.send(address).unwrap()));
    let address = address.await.unwrap();
    // Like a page in a browser that has found the address.
    for (header, status) in [("host: evil.example", "403"), ("host: localhost\r\norigin: http://evil.example", "403")] {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
        let request = format!(
            "POST /mcp HTTP/1.1\r\n{header}\r\nconnection: close\r\ncontent-length: 2\r\naccept: application/json, text/event-stream\r\ncontent-type: application/json\r\n\r\n{{}}"
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut said = String::new();
        stream.read_to_string(&mut said).await.unwrap();
        assert!(said.starts_with(&format!("HTTP/1.1 {status}")), "{said}");
    }
    // As a client should: ours.
    let spec = ptc_mcp::ServerSpec::http("gateway", format!("http://{address}/mcp"));
    let client = ptc_mcp::Server::connect(spec).await.unwrap();
    let run = client.tools().into_iter().find(|tool| tool.spec().name == "gateway-run_program").unwrap();
    let args = ptc_lisp::Value::from_json_str(r#"{"program": "(tool/look {:n 1})"}"#).unwrap();
    let call = ptc_lisp::ToolCall { seq: 1, name: "gateway-run_program".into(), surface: args.clone(), args };
    let said = run.call(&call).await.unwrap().to_json().unwrap();
    assert_eq!(said["value"], json!({"n": 1, "twice": 2}));
    client.close().await;
    stop.cancel();
    served.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_connection_that_is_lost_stops_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join(".ptc/mcp");
    let gateway = gateway(folder.path(), "").await;
    let server = McpServer::new(gateway.clone()).unwrap();
    let (here, there) = tokio::io::duplex(1 << 16);
    let serving = tokio::spawn(async move { server.serve(there).await.unwrap().waiting().await });
    let asked = Client::saying(Some(json!({"decision": "approve"})));
    let client = Hanging(asked).serve_with_lifecycle(here, OLD).await.unwrap();
    let session =
        client.call_tool(params("run_program", json!({"program": "1"}))).await.unwrap().structured_content.unwrap();
    let session = session["session"].as_str().unwrap().to_owned();
    let run = params("run_program", json!({"program": "(tool/pay {:n 1})", "session": session}));
    let peer = client.peer().clone();
    let _lost = tokio::spawn(async move { peer.call_tool(run).await });
    while crate::waiting_in(&state).unwrap().is_empty() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // Its user has the question open, and the client is closed.
    drop(client);
    let _ended = serving.await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    let waiting = crate::waiting_in(&state).unwrap();
    assert_eq!(waiting.len(), 1, "nobody has decided");
    let answer = crate::Answer { choice: crate::Choice::Approve, by: "the command line".to_owned() };
    let id = waiting[0].id();
    crate::decide(&state, &id, answer, Some(&code(folder.path(), &id))).unwrap();
    let mut running = gateway.run(&Request::go_on(session)).unwrap();
    running.passes(&waiting[0].fingerprint).await;
    let Phase::Ended(ended) = running.pause().await else { panic!("it asks again") };
    assert_eq!(ended.report["value"], json!(1));
}

/// A client whose user sees the question and does not answer.
struct Hanging(Client);

impl ClientHandler for Hanging {
    fn get_info(&self) -> ClientConfig {
        self.0.get_info()
    }

    async fn create_elicitation(
        &self,
        _: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        std::future::pending().await
    }
}

#[tokio::test]
async fn an_answer_is_read_when_its_client_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let client = connected(folder.path(), Client::saying(Some(json!({"decision": "approve"}))), OLD).await;
    let session = call(&client, "run_program", json!({"program": "1"})).await["session"].clone();
    let pay = json!({"program": "(tool/pay {:n 1})", "session": session});
    call(&client, "run_program", pay.clone()).await;
    // The connection is lost, and it is unknown whether the answer arrived: it is sent again.
    client.cancel().await.unwrap();
    let client = connected(folder.path(), Client::saying(Some(json!({"decision": "approve"}))), OLD).await;
    assert_eq!(call(&client, "run_program", pay.clone()).await["value"], json!(1));
    assert_eq!(paid(folder.path()).len(), 1);
    // Now this client has it: the same request again is meant to run.
    assert_eq!(call(&client, "run_program", pay).await["value"], json!(1));
    assert_eq!(paid(folder.path()).len(), 2);
}
