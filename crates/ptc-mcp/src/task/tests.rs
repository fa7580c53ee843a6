use std::sync::{Arc, Mutex};
use std::time::Duration;

use ptc_lisp::{BoxFuture, ToolNotice};
use serde_json::{Value as Json, json};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

use crate::tests::{call, json, request, tool, watched};
use crate::{Caller, Server, ServerSpec, call_for};

/// The two revisions with tasks.
const WITH_INITIALIZE: &str = "2025-11-25";
const WITHOUT: &str = "2026-07-28";

/// What a server does when it is asked.
enum Reply {
    Result(Json),
    Error(Json),
    /// It asks this, and gives the result when that is answered.
    Asks(Json, Json),
    HangsUp,
}

/// Whether a server answers with events, or as `application/json`.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Events,
    Json,
}

use Reply::{Asks, Error, HangsUp, Result};

/// A server over HTTP whose tool `study` runs as a task.
struct Studies {
    url: String,
    /// The methods that it was asked, with their parameters; an answer is the method `""`.
    heard: Arc<Mutex<Vec<(String, Json)>>>,
}

impl Studies {
    /// `play` has the method, how often it was asked, and its parameters.
    async fn start(revision: &'static str, play: impl Fn(&str, usize) -> Reply + Send + Sync + 'static) -> Studies {
        Studies::answering(revision, Kind::Events, play).await
    }

    async fn answering(
        revision: &'static str,
        kind: Kind,
        play: impl Fn(&str, usize) -> Reply + Send + Sync + 'static,
    ) -> Studies {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        let heard: Arc<Mutex<Vec<(String, Json)>>> = Arc::default();
        let (known, play, answered) = (heard.clone(), Arc::new(play), Arc::new(Notify::new()));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (known, play, answered) = (known.clone(), play.clone(), answered.clone());
                tokio::spawn(async move { serve(stream, (revision, kind), &known, &*play, &answered).await });
            }
        });
        Studies { url, heard }
    }

    fn spec(&self) -> ServerSpec {
        ServerSpec::http("s", self.url.as_str())
    }

    /// The parameters of all requests with this method.
    fn heard(&self, method: &str) -> Vec<Json> {
        let heard = self.heard.lock().unwrap();
        heard.iter().filter(|(known, _)| known == method).map(|(_, params)| params.clone()).collect()
    }

    /// Wait until it was asked this.
    async fn hears(&self, method: &str) -> Json {
        for _ in 0..6_000 {
            if let Some(params) = self.heard(method).pop() {
                return params;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("{method} was not asked");
    }
}

async fn serve(
    mut stream: TcpStream,
    (revision, kind): (&str, Kind),
    heard: &Mutex<Vec<(String, Json)>>,
    play: &(dyn Fn(&str, usize) -> Reply + Sync),
    answered: &Notify,
) {
    let Some((head, body)) = request(&mut stream).await else { return };
    let asked: Json = serde_json::from_str(&body).unwrap_or_default();
    let method = asked["method"].as_str().unwrap_or_default();
    let times = {
        let mut heard = heard.lock().unwrap();
        heard.push((method.to_owned(), asked["params"].clone()));
        heard.iter().filter(|(known, _)| known == method).count()
    };
    let about = |key: &str, revision: Json| json!({key: revision, "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}});
    let reply = match method {
        _ if head.starts_with("GET") => HangsUp,
        "" => {
            answered.notify_one();
            HangsUp
        }
        "server/discover" if revision == WITHOUT => Result(about("supportedVersions", json!([revision]))),
        "initialize" if revision != WITHOUT => Result(about("protocolVersion", json!(revision))),
        "server/discover" | "initialize" => Error(json!({"code": -32601, "message": "no such method"})),
        "tools/list" => Result(json!({"tools": [
            {"name": "study", "inputSchema": {"type": "object"}, "execution": {"taskSupport": "required"}},
            {"name": "look", "inputSchema": {"type": "object"}, "execution": {"taskSupport": "optional"}},
        ]})),
        "tools/call" if revision != WITHOUT && asked["params"]["task"].is_null() => {
            Result(json!({"isError": true, "content": [{"type": "text", "text": "no task"}]}))
        }
        method => play(method, times),
    };
    let answer = |key: &str, mut value: Json| {
        if let (Some(fields), true) = (value.as_object_mut(), revision == WITHOUT && key == "result") {
            let rest = json!({"resultType": "complete", "ttlMs": 0, "cacheScope": "private"});
            rest.as_object().unwrap().iter().for_each(|(key, value)| {
                fields.entry(key).or_insert(value.clone());
            });
        }
        let answer = json!({"jsonrpc": "2.0", "id": asked["id"], key: value});
        if kind == Kind::Json { answer.to_string() } else { format!("data: {answer}\n\n") }
    };
    let kind = if kind == Kind::Json { "application/json" } else { "text/event-stream" };
    let head = format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\nconnection: close\r\n\r\n");
    let answer = match reply {
        _ if asked["id"].is_null() || method.is_empty() => {
            "HTTP/1.1 202 Accepted\r\nconnection: close\r\n\r\n".to_owned()
        }
        Result(result) => head + &answer("result", result),
        Error(error) => head + &answer("error", error),
        Asks(question, result) => {
            stream.write_all(format!("{head}data: {question}\n\n").as_bytes()).await.unwrap();
            answered.notified().await;
            answer("result", result)
        }
        HangsUp => return,
    };
    let _gone = stream.write_all(answer.as_bytes()).await;
}

/// A task in this state, as the revision with `initialize` has it.
fn task(status: &str, said: &str) -> Json {
    json!({"taskId": "t1", "status": status, "statusMessage": said, "createdAt": "2026-01-01T00:00:00Z",
        "lastUpdatedAt": "2026-01-01T00:00:00Z", "ttl": null, "pollInterval": 30})
}

/// The same as the other one has it, with more.
fn modern(status: &str, said: &str, more: Json) -> Json {
    let mut task = json!({"taskId": "t1", "status": status, "statusMessage": said, "createdAt": "2026-01-01T00:00:00Z",
        "lastUpdatedAt": "2026-01-01T00:00:00Z", "ttlMs": null, "pollIntervalMs": 30});
    task.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    task
}

fn text(text: &str) -> Json {
    json!({"content": [{"type": "text", "text": text}]})
}

fn question() -> Json {
    json!({"method": "elicitation/create", "params": {
        "mode": "form", "message": "which?", "requestedSchema": {"type": "object", "properties": {"it": {"type": "string"}}},
    }})
}

/// One who answers every question.
struct Ann;

impl Caller for Ann {
    fn name(&self) -> &str {
        "ann"
    }

    fn reader(&self) -> &str {
        "ann"
    }

    fn keep(&self, _: Json) -> String {
        String::new()
    }

    fn answer<'a>(&'a self, _: &'a str, request: Json) -> BoxFuture<'a, std::result::Result<Json, String>> {
        assert_eq!(request["params"]["message"], "which?");
        Box::pin(async { Ok(json!({"action": "accept", "content": {"it": "snake"}})) })
    }

    fn logged(&self, _: &str, _: Json) {}
}

#[tokio::test]
async fn a_tool_that_only_runs_as_a_task_is_called_as_one() {
    for kind in [Kind::Events, Kind::Json] {
        let studies = Studies::answering(WITH_INITIALIZE, kind, |method, times| match (method, times) {
            ("tools/call", _) => Result(json!({"task": task("working", "gathering")})),
            ("tasks/get", 1) => Result(task("working", "gathering")),
            ("tasks/get", 2) => Result(task("working", "writing")),
            ("tasks/get", _) => Result(task("completed", "done")),
            _ => Result(text("a study")),
        });
        let studies = studies.await;
        let server = Server::connect(studies.spec()).await.unwrap();
        let (result, told) = watched(&tool(&server, "s-study"), "{}").await;
        assert_eq!(json(result), r#""a study""#);
        assert!(
            matches!(&told[0], ToolNotice::Progress { message: Some(said), .. } if said == "gathering"),
            "{told:?}"
        );
        assert_eq!(studies.heard("tools/call")[0]["task"], json!({"ttl": 600_000}));
        assert_eq!(studies.heard("tasks/get").len(), 3);
        assert_eq!(studies.heard("tasks/result")[0]["taskId"], "t1");
        assert_eq!(studies.heard("tasks/cancel"), [json!(null); 0]);
        // One that may, is not.
        assert!(call(&server, "s-look", "{}").await.is_err_and(|refused| refused.message == "no task"));
    }
}

#[tokio::test]
async fn a_task_that_failed_or_was_cancelled_is_an_error_with_its_words() {
    for (revision, state, result, told, may_have_run) in [
        (
            WITH_INITIALIZE,
            task("failed", "no paper"),
            Error(json!({"code": -32603, "message": "burnt"})),
            "no paper: burnt",
            false,
        ),
        (
            WITH_INITIALIZE,
            task("failed", ""),
            Result(json!({"isError": true, "content": [{"type": "text", "text": "burnt"}]})),
            "burnt",
            false,
        ),
        (
            WITH_INITIALIZE,
            task("cancelled", "no time"),
            HangsUp,
            "the MCP server `s` has cancelled the task: no time",
            true,
        ),
        (
            WITHOUT,
            modern("failed", "no paper", json!({"error": {"code": -32603, "message": "burnt"}})),
            HangsUp,
            "burnt",
            false,
        ),
        (
            WITHOUT,
            modern("cancelled", "no time", json!({})),
            HangsUp,
            "the MCP server `s` has cancelled the task: no time",
            true,
        ),
    ] {
        let result = Mutex::new(Some(result));
        let studies = Studies::start(revision, move |method, _| match method {
            "tools/call" if revision == WITHOUT => Result(modern("working", "", json!({"resultType": "task"}))),
            "tools/call" => Result(json!({"task": task("working", "")})),
            "tasks/get" => Result(state.clone()),
            "tasks/result" => result.lock().unwrap().take().unwrap(),
            _ => HangsUp,
        });
        let studies = studies.await;
        let server = Server::connect(studies.spec()).await.unwrap();
        let error = call(&server, "s-study", "{}").await.unwrap_err();
        assert_eq!((error.message.as_str(), error.may_have_run), (told, may_have_run));
        assert_eq!(studies.heard("tasks/cancel"), [json!(null); 0]);
    }
}

#[tokio::test]
async fn what_a_task_asks_goes_to_those_who_wait_for_its_result() {
    for forwards in [true, false] {
        let studies = Studies::start(WITH_INITIALIZE, |method, _| match method {
            "tools/call" => Result(json!({"task": task("working", "")})),
            "tasks/get" => Result(task("input_required", "which?")),
            _ => {
                let mut question = question();
                question
                    .as_object_mut()
                    .unwrap()
                    .extend([("jsonrpc".into(), json!("2.0")), ("id".into(), json!("q1"))]);
                Asks(question, text("a study of snakes"))
            }
        });
        let studies = studies.await;
        let spec = if forwards { studies.spec().forwards() } else { studies.spec() };
        let server = Server::connect(spec).await.unwrap();
        assert_eq!(json(call_for(Arc::new(Ann), call(&server, "s-study", "{}")).await), r#""a study of snakes""#);
        assert_eq!(studies.heard("tasks/result").len(), 1);
        assert_eq!(studies.heard("").len(), 1);
    }
}

#[tokio::test]
async fn a_call_that_is_answered_with_a_task_is_followed() {
    let studies = Studies::start(WITHOUT, |method, times| match (method, times) {
        ("tools/call", _) => Result(modern("working", "gathering", json!({"resultType": "task"}))),
        // It is still the same question.
        ("tasks/get", 1 | 2) => Result(modern("input_required", "which?", json!({"inputRequests": {"k": question()}}))),
        ("tasks/get", _) => Result(modern("completed", "", json!({"result": text("a study of snakes")}))),
        _ => Result(json!({})),
    });
    let studies = studies.await;
    let server = Server::connect(studies.spec().forwards()).await.unwrap();
    for name in ["s-study", "s-look"] {
        studies.heard.lock().unwrap().clear();
        assert_eq!(json(call_for(Arc::new(Ann), call(&server, name, "{}")).await), r#""a study of snakes""#);
        let call = &studies.heard("tools/call")[0];
        assert_eq!(call["task"], json!(null));
        let client = &call["_meta"]["io.modelcontextprotocol/clientCapabilities"];
        assert_eq!(client["extensions"]["io.modelcontextprotocol/tasks"], json!({}));
        let updates = studies.heard("tasks/update");
        assert_eq!(updates.len(), 1);
        assert_eq!(updates[0]["inputResponses"]["k"]["content"], json!({"it": "snake"}));
    }
}

#[tokio::test]
async fn a_task_that_asks_for_what_nobody_has_is_cancelled() {
    let studies = Studies::start(WITHOUT, |method, _| match method {
        "tools/call" => Result(modern("working", "", json!({"resultType": "task"}))),
        "tasks/get" => {
            let request = json!({"method": "roots/list"});
            Result(modern("input_required", "", json!({"inputRequests": {"k": request}})))
        }
        _ => Result(json!({})),
    });
    let studies = studies.await;
    let server = Server::connect(studies.spec()).await.unwrap();
    let error = call(&server, "s-study", "{}").await.unwrap_err();
    assert_eq!(error.message, "the MCP server `s` asks for folders of the user, which is not available here");
    assert!(error.may_have_run);
    assert_eq!(studies.hears("tasks/cancel").await["taskId"], "t1");
}

#[tokio::test]
async fn a_task_that_nobody_waits_for_is_cancelled() {
    for revision in [WITH_INITIALIZE, WITHOUT] {
        let studies = Studies::start(revision, move |method, _| match (method, revision) {
            ("tools/call", WITHOUT) => Result(modern("working", "", json!({"resultType": "task"}))),
            ("tools/call", _) => Result(json!({"task": task("working", "")})),
            ("tasks/get", WITHOUT) => Result(modern("working", "", json!({}))),
            ("tasks/get", _) => Result(task("working", "")),
            _ => Result(json!({})),
        });
        let studies = studies.await;
        let server = Server::connect(studies.spec()).await.unwrap();
        tokio::select! {
            answer = call(&server, "s-study", "{}") => panic!("{answer:?}"),
            _ = studies.hears("tasks/get") => {}
        }
        assert_eq!(studies.hears("tasks/cancel").await["taskId"], "t1");
    }
}

#[tokio::test]
async fn answers_about_a_task_are_signs_of_life_up_to_an_end() {
    let endless = |method: &str, _| match method {
        "tools/call" => Result(json!({"task": task("working", "")})),
        _ => Result(task("working", "")),
    };
    // On a busy machine the start or an answer may take longer than that: then once more.
    for _ in 0..10 {
        let studies = Studies::start(WITH_INITIALIZE, endless).await;
        let Ok(server) = Server::connect(studies.spec().timeout(Duration::from_millis(400))).await else { continue };
        let late = call(&server, "s-study", "{}").await.unwrap_err();
        assert!(late.may_have_run);
        assert_eq!(studies.hears("tasks/cancel").await["taskId"], "t1");
        if late.message == "no result within 4 s, despite its progress" {
            return;
        }
        assert_eq!(late.message, "no answer within 0.4 s");
    }
    panic!("no task was ended despite its answers");
}

#[tokio::test]
async fn a_task_that_its_server_forgets_counts_as_perhaps_done() {
    for state in [None, Some(task("completed", ""))] {
        let studies = Studies::start(WITH_INITIALIZE, move |method, _| match (method, &state) {
            ("tools/call", _) => Result(json!({"task": task("working", "")})),
            ("tasks/get", Some(state)) => Result(state.clone()),
            _ => Error(json!({"code": -32602, "message": "no such task"})),
        });
        let server = Server::connect(studies.await.spec()).await.unwrap();
        let lost = call(&server, "s-study", "{}").await.unwrap_err();
        assert_eq!(lost.message, "the MCP server `s` says nothing more about the task: no such task");
        assert!(lost.may_have_run);
    }
}

#[tokio::test]
async fn the_outcome_of_a_task_is_unknown_when_its_server_is_gone() {
    let studies = Studies::start(WITH_INITIALIZE, |method, _| match method {
        "tools/call" => Result(json!({"task": task("working", "")})),
        _ => HangsUp,
    });
    let server = Server::connect(studies.await.spec()).await.unwrap();
    let lost = call(&server, "s-study", "{}").await.unwrap_err();
    assert_eq!(lost.message, "outcome unknown: the MCP server `s` ended during the call");
    assert!(lost.may_have_run);
}
