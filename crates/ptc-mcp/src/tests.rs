mod starting;
mod unreadable;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ptc_lisp::{Effect, Tool, ToolCall, ToolNotice, ToolResult, Value};

use crate::{McpError, Results, Server, ServerSpec};

/// Time limit for a server in tests that wait for it to expire: a server starts in less, even on a busy machine.
const LIMIT: Duration = Duration::from_secs(5);

/// The example, which is built with the tests.
fn executable() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    let folder = tests.parent().and_then(Path::parent).unwrap();
    folder.join("examples").join(format!("notes_server{}", std::env::consts::EXE_SUFFIX))
}

/// The server with its notes in a separate file.
fn spec(folder: &tempfile::TempDir) -> ServerSpec {
    ServerSpec::command("n", executable(), [folder.path().join("notes.txt").display().to_string()])
}

/// The same with this behaviour.
fn habit(folder: &tempfile::TempDir, habit: &str) -> ServerSpec {
    let file = folder.path().join("notes.txt").display().to_string();
    ServerSpec::command("n", executable(), [file.as_str(), habit])
}

/// Wait until this is in the notes: a server receives a cancellation concurrently with the calls that it answers.
async fn noted(folder: &tempfile::TempDir, text: &str) {
    for _ in 0..6_000 {
        if notes(folder) == text {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(notes(folder), text);
}

fn notes(folder: &tempfile::TempDir) -> String {
    std::fs::read_to_string(folder.path().join("notes.txt")).unwrap_or_default()
}

pub(crate) fn tool(server: &Server, name: &str) -> Arc<dyn Tool> {
    server.into_iter().find(|tool| tool.spec().name == name).unwrap()
}

pub(crate) async fn call(server: &Server, name: &str, args: &str) -> ToolResult {
    watched(&tool(server, name), args).await.0
}

/// The result of a call, and the progress that was reported before.
pub(crate) async fn watched(tool: &Arc<dyn Tool>, args: &str) -> (ToolResult, Vec<ToolNotice>) {
    let args = Value::from_json_str(args).unwrap();
    let call = ToolCall { seq: 1, name: tool.spec().name.as_str().into(), surface: args.clone(), args };
    let told = Mutex::new(Vec::new());
    let result = tool.watched_call(&call, &|notice| told.lock().unwrap().push(notice)).await;
    (result, told.into_inner().unwrap())
}

fn names(server: &Server) -> Vec<String> {
    server.into_iter().map(|tool| tool.spec().name.clone()).collect()
}

pub(crate) fn json(result: ToolResult) -> String {
    result.unwrap().to_json().unwrap().to_string()
}

async fn refusal(spec: ServerSpec) -> McpError {
    Server::connect(spec).await.map(|_| ()).unwrap_err()
}

#[tokio::test]
async fn tools_are_described_by_their_schemas_and_hints() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::connect(spec(&folder)).await.unwrap();
    let add = tool(&server, "n-add");
    let shown = add.spec().signature.as_ref().unwrap().to_string();
    assert_eq!(shown, "(firstNumber :int, second :int?) -> {sum :int}");
    assert_eq!(add.spec().description.as_deref(), Some("Adds\n two numbers."));
    assert_eq!((add.spec().effect, tool(&server, "n-note-append").spec().effect), (Effect::Read, Effect::Write));
}

#[tokio::test]
async fn results_are_structured_parsed_or_references() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::connect(spec(&folder)).await.unwrap();
    assert_eq!(json(call(&server, "n-add", r#"{"firstNumber": 2, "second": 3}"#).await), r#"{"sum":5}"#);
    assert_eq!(json(call(&server, "n-notes", "{}").await), "[]");
    // A text that only looks like a number stays one.
    assert_eq!(json(call(&server, "n-note-append", r#"{"text": "a"}"#).await), r#""1""#);
    assert_eq!(json(call(&server, "n-notes", "{}").await), r#"["a"]"#);
    let picture = json(call(&server, "n-picture", "{}").await);
    assert_eq!(
        picture,
        r#"["a dot",{"type":"image","mime_type":"image/png","bytes":8},{"type":"resource","uri":"file:///dot.png","name":"dot.png","mime_type":null,"description":null}]"#
    );
    let refused = call(&server, "n-refuse", r#"{"text": "you"}"#).await.unwrap_err();
    assert_eq!((refused.message.as_str(), refused.may_have_run), ("refuse is not for you", false));
}

#[tokio::test]
async fn the_kind_of_texts_is_said_or_shown() {
    let folder = tempfile::tempdir().unwrap();
    let notes = async |spec: ServerSpec| {
        let server = Server::connect(spec.allow(["notes", "note.append"])).await.unwrap();
        let told = tool(&server, "n-notes").spec().signature.as_ref().unwrap().result().plain().to_string();
        let appended = call(&server, "n-note-append", r#"{"text": "a"}"#).await;
        (told, call(&server, "n-notes", "{}").await, appended)
    };
    let (told, read, _) = notes(spec(&folder)).await;
    assert_eq!((told.as_str(), json(read).as_str()), ("json or text", r#"["a"]"#));
    let (told, read, appended) = notes(spec(&folder).results(Results::Text)).await;
    assert_eq!(
        (told.as_str(), json(read).as_str(), json(appended).as_str()),
        ("string", r#""[\"a\",\"a\"]""#, r#""2""#)
    );
    let (told, read, appended) = notes(spec(&folder).results(Results::Json).results_of("notes", Results::Text)).await;
    assert_eq!(
        (told.as_str(), json(read).as_str(), json(appended).as_str()),
        ("string", r#""[\"a\",\"a\",\"a\"]""#, "3")
    );
    let unknown = refusal(spec(&folder).results_of("note", Results::Text)).await;
    assert!(unknown.to_string().contains("`note`"), "{unknown}");
}

#[test]
fn results_are_read_as_configured() {
    let given = |result: &str| crate::result::Given::from_json(serde_json::from_str(result).unwrap()).unwrap();
    let read = |result: &str, results| match crate::result::value(given(result), results, None) {
        Ok(value) => value.to_json().unwrap().to_string(),
        Err(error) => format!("{} (may have run: {})", error.message, error.may_have_run),
    };
    let text = r#"{"content": [{"type": "text", "text": "- body: x"}]}"#;
    assert_eq!(read(text, Results::JsonOrText), r#""- body: x""#);
    assert_eq!(
        read(text, Results::Json),
        r#"its result is not JSON, which `results` says it is: invalid number at line 1 column 2; it is the text "- body: x" (may have run: true)"#
    );
    let number = r#"{"content": [{"type": "text", "text": " 12"}]}"#;
    assert_eq!(
        [Results::JsonOrText, Results::Json, Results::Text].map(|results| read(number, results)),
        [r#"" 12""#, "12", r#"" 12""#]
    );
    let both = r#"{"content": [{"type": "text", "text": "[1]"}], "structuredContent": {"result": "[1]"}}"#;
    assert_eq!(
        [Results::JsonOrText, Results::Json, Results::Text].map(|results| read(both, results)),
        [r#"{"result":"[1]"}"#, r#"{"result":"[1]"}"#, r#""[1]""#]
    );
    let many =
        r#"{"content": [{"type": "text", "text": "[1]"}, {"type": "image", "mimeType": "image/png", "data": "AAAA"}]}"#;
    assert_eq!(read(many, Results::Json), r#"[[1],{"type":"image","mime_type":"image/png","bytes":3}]"#);
    assert_eq!(read(many, Results::Text), r#""[1]\n{\"type\":\"image\",\"mime_type\":\"image/png\",\"bytes\":3}""#);
    assert_eq!(
        [Results::JsonOrText, Results::Json].map(|results| read(r#"{"content": []}"#, results)),
        ["null", "null"]
    );
}

#[tokio::test]
async fn a_server_that_ended_is_started_again() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::connect(spec(&folder)).await.unwrap();
    // It only reads, so it is called again.
    assert_eq!(json(call(&server, "n-stumble", r#"{"text": "here"}"#).await), r#""up again""#);
    // The outcome is unknown: it is not made again.
    let lost = call(&server, "n-append_and_die", r#"{"text": "x"}"#).await.unwrap_err();
    assert_eq!(lost.message, "outcome unknown: the MCP server `n` ended during the call");
    assert!(lost.may_have_run);
    assert_eq!(notes(&folder), "here\nx");
    assert_eq!(json(call(&server, "n-notes", "{}").await), r#"["here","x"]"#);
}

#[cfg(unix)]
#[tokio::test]
async fn a_call_that_was_never_sent_has_done_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("server");
    std::fs::copy(executable(), &copy).unwrap();
    let file = folder.path().join("notes.txt").display().to_string();
    let server = ServerSpec::command("n", &copy, [file]).timeout(LIMIT);
    let server = Server::connect(server).await.unwrap();
    assert!(call(&server, "n-append_and_die", r#"{"text": "x"}"#).await.unwrap_err().may_have_run);
    // It never answers again: that a call may have been late is not a reason to think that it was made.
    std::fs::write(&copy, "#!/bin/sh\nexec sleep 30\n").unwrap();
    let absent = call(&server, "n-note-append", r#"{"text": "y"}"#).await.unwrap_err();
    assert_eq!((absent.message.as_str(), absent.may_have_run), ("MCP server `n`: no answer within 5 s", false));
    assert_eq!(server.status().problem.as_deref(), Some("MCP server `n`: no answer within 5 s"));
    assert_eq!(notes(&folder), "x");
}

#[tokio::test]
async fn a_call_takes_no_longer_than_it_may() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::connect(spec(&folder).timeout(LIMIT)).await.unwrap();
    let late = call(&server, "n-sleep", "{}").await.unwrap_err();
    assert_eq!((late.message.as_str(), late.may_have_run), ("no answer within 5 s", true));
}

#[tokio::test]
async fn calls_that_nobody_waits_for_are_cancelled() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::connect(spec(&folder).timeout(LIMIT)).await.unwrap();
    tokio::select! {
        answer = call(&server, "n-hold", "{}") => panic!("{answer:?}"),
        () = noted(&folder, "held") => {}
    }
    assert!(call(&server, "n-add", r#"{"firstNumber": 1}"#).await.is_ok());
    noted(&folder, "cancelled: the answer is no longer awaited").await;
    assert!(call(&server, "n-hold", "{}").await.unwrap_err().may_have_run);
    assert!(call(&server, "n-add", r#"{"firstNumber": 1}"#).await.is_ok());
    noted(&folder, "cancelled: request timeout").await;
}

#[tokio::test]
async fn progress_is_told_while_a_call_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::connect(spec(&folder)).await.unwrap();
    let climb = tool(&server, "n-climb");
    let progress = |done| ToolNotice::Progress { done, total: Some(30.0), message: Some("climbing".into()) };
    // Many at once are few: one a second.
    let (result, told) = watched(&climb, r#"{"steps": 30, "pause": 10}"#).await;
    assert_eq!(json(result), r#""on top""#);
    assert!(told.len() < 10 && told.first() == Some(&progress(1.0)), "{told:?}");
    let (_, told) = watched(&climb, r#"{"steps": 3, "pause": 700}"#).await;
    let done = told.iter().map(|notice| if let ToolNotice::Progress { done, .. } = notice { *done } else { 0.0 });
    let done: Vec<f64> = done.collect();
    assert!(done.len() > 1 && done.is_sorted(), "{done:?}");
    assert_eq!(watched(&tool(&server, "n-notes"), "{}").await.1, []);
}

#[tokio::test]
async fn the_limit_of_a_call_counts_from_the_last_sign_of_life() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::connect(spec(&folder).timeout(LIMIT)).await.unwrap();
    assert_eq!(json(call(&server, "n-climb", r#"{"steps": 4, "pause": 1500}"#).await), r#""on top""#);
    let late = call(&server, "n-climb", r#"{"steps": 1, "pause": 7000}"#).await.unwrap_err();
    assert_eq!((late.message.as_str(), late.may_have_run), ("no answer within 5 s", true));
}

#[tokio::test]
async fn the_progress_of_a_call_has_an_end() {
    let folder = tempfile::tempdir().unwrap();
    let spec = spec(&folder).timeout(Duration::from_millis(500));
    // On a busy machine the start or a step may take longer than that: then once more.
    for _ in 0..10 {
        let Ok(server) = Server::connect(spec.clone()).await else { continue };
        assert_eq!(tool(&server, "n-climb").spec().timeout, Some(Duration::from_millis(5_500)));
        let endless = call(&server, "n-climb", r#"{"steps": 60, "pause": 100}"#).await.unwrap_err();
        assert!(endless.may_have_run);
        if endless.message == "no result within 5 s, despite its progress" {
            return;
        }
        assert_eq!(endless.message, "no answer within 0.5 s");
    }
    panic!("no call was ended despite its progress");
}

#[tokio::test]
async fn a_list_that_changed_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::connect(spec(&folder)).await.unwrap();
    let before = names(&server);
    let picture = tool(&server, "n-picture");
    assert!(call(&server, "n-change", "{}").await.is_ok());
    // The server has reported before it answered; the notification may still be on its way.
    let changed = ToolNotice::ToolsChanged { added: vec!["n-late".into()], gone: vec!["n-picture".into()] };
    let (gone, told) = loop {
        let (result, told) = watched(&picture, "{}").await;
        if !told.is_empty() {
            break (result.unwrap_err(), told);
        }
    };
    assert_eq!(told, [changed]);
    assert_eq!(gone.message, "the MCP server `n` no longer offers `picture`");
    assert!(!gone.may_have_run);
    assert_eq!(json(call(&server, "n-late", "{}").await), r#""here""#);
    assert_eq!(watched(&picture, "{}").await.1, []);
    // Back again, in the background: without a call.
    assert!(call(&server, "n-change", "{}").await.is_ok());
    assert_eq!(names_in_time(&server, |names| *names == before).await, before);
    assert!(
        picture
            .call(&ToolCall {
                seq: 1,
                name: "n-picture".into(),
                args: Value::map_from([]),
                surface: Value::map_from([])
            })
            .await
            .is_ok()
    );
}

/// The names once they are so, or after a minute.
async fn names_in_time(server: &Server, are_so: impl Fn(&Vec<String>) -> bool) -> Vec<String> {
    for _ in 0..3_000 {
        if are_so(&names(server)) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    names(server)
}

#[tokio::test]
async fn a_server_without_initialize_tells_of_its_list_again_and_again() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::connect(habit(&folder, "modern")).await.unwrap();
    let before = names(&server);
    let has_late = |names: &Vec<String>| names.contains(&"n-late".to_owned());
    // Until the subscription is there, only the next call would ask.
    noted(&folder, "subscriptions: 1").await;
    assert!(call(&server, "n-change", "{}").await.is_ok());
    assert!(has_late(&names_in_time(&server, has_late).await));
    // It has ended the subscription, which is made again after a second.
    noted(&folder, "subscriptions: 2").await;
    assert!(call(&server, "n-change", "{}").await.is_ok());
    assert_eq!(names_in_time(&server, |names| *names == before).await, before);
    // One that ends between two notifications misses none.
    assert!(call(&server, "n-change", "{}").await.is_ok());
    assert!(has_late(&names_in_time(&server, has_late).await));
}

#[tokio::test]
async fn a_server_that_was_started_again_is_asked_for_its_list() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::connect(spec(&folder)).await.unwrap();
    assert!(call(&server, "n-change", "{}").await.is_ok());
    server.refresh().await.unwrap();
    // The same list does not count as changed.
    let changes = server.changes();
    server.refresh().await.unwrap();
    assert_eq!(server.changes(), changes);
    assert!(names(&server).contains(&"n-late".to_owned()));
    assert!(call(&server, "n-append_and_die", r#"{"text": "x"}"#).await.unwrap_err().may_have_run);
    let late = tool(&server, "n-late");
    let (gone, told) = watched(&late, "{}").await;
    assert_eq!(gone.unwrap_err().message, "the MCP server `n` no longer offers `late`");
    assert_eq!(told, [ToolNotice::ToolsChanged { added: vec!["n-picture".into()], gone: vec!["n-late".into()] }]);
    assert!(names(&server).contains(&"n-picture".to_owned()));
}

#[tokio::test]
async fn programs_get_the_tools_that_are_allowed_and_not_denied() {
    let folder = tempfile::tempdir().unwrap();
    let some = Server::connect(spec(&folder).allow(["add", "notes"]).deny(["notes"])).await.unwrap();
    assert_eq!(names(&some), ["n-add"]);
    let asked = Server::connect(spec(&folder).approve(["note.append"])).await.unwrap();
    assert!(tool(&asked, "n-note-append").spec().approve && !tool(&asked, "n-add").spec().approve);
    let unknown = refusal(spec(&folder).deny(["addd"])).await;
    assert_eq!(
        unknown.to_string(),
        "MCP server `n` has no tool `addd`; it has: add, note.append, notes, stumble, append_and_die, picture, refuse, sleep, hold, climb, raw, change"
    );
}

#[tokio::test]
async fn a_server_that_answers_everything_is_asked_to_initialize() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::connect(habit(&folder, "lenient")).await.unwrap();
    assert_eq!(json(call(&server, "n-add", r#"{"firstNumber": 2}"#).await), r#"{"sum":2}"#);
}

#[tokio::test]
async fn a_server_that_starts_slowly_is_asked_to_initialize() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::connect(habit(&folder, "late")).await.unwrap();
    assert_eq!(json(call(&server, "n-add", r#"{"firstNumber": 2}"#).await), r#"{"sum":2}"#);
}

#[tokio::test]
async fn what_is_no_server_says_so() {
    let absent = refusal(ServerSpec::command("n", "/nowhere/server", [""; 0])).await;
    assert!(absent.to_string().starts_with("MCP server `n`: cannot start /nowhere/server: "), "{absent}");
    let wordy = refusal(ServerSpec::command("n", "sh", ["-c", "echo no key is set >&2; sleep 0.2; exit 3"])).await;
    assert!(wordy.to_string().ends_with("the command ended (exit status: 3); it said: no key is set"), "{wordy}");
    let brief = refusal(ServerSpec::command("n", "sh", ["-c", "exit 4"])).await;
    assert_eq!(brief.to_string(), "MCP server `n`: the command ended (exit status: 4)");
    let nobody = refusal(ServerSpec::http("n", "http://127.0.0.1:9/mcp").timeout(Duration::from_secs(5))).await;
    let told = nobody.to_string();
    assert!(told.starts_with("MCP server `n`: it cannot be reached: ") && !told.contains("::"), "{told}");
}

#[test]
fn keys_are_in_no_text_about_a_server() {
    let url = "https://me:canary1@mcp.example/v1/mcp?key=canary2#canary3";
    let mut far = ServerSpec::http("far", url);
    if let crate::Access::Http { headers, .. } = &mut far.access {
        headers.push(("Authorization".to_owned(), "Bearer canary4".to_owned()));
    }
    let mut near = ServerSpec::command("near", "serve", ["--quiet"]);
    if let crate::Access::Command(line) = &mut near.access {
        line.env.push(("TOKEN".to_owned(), Some("canary5".to_owned())));
    }
    let shown = format!("{far:?} {near:?}");
    assert!(
        shown.contains("https://[hidden]@mcp.example/v1/mcp?[hidden]") && shown.contains("Authorization"),
        "{shown}"
    );
    assert!(shown.contains("TOKEN") && !shown.contains("canary"), "{shown}");
    let far = ServerSpec::http("far", "https://mcp.example/mcp?key=canary2");
    assert_eq!(
        far.told("error for url (https://mcp.example/mcp?key=canary2)"),
        "error for url (https://mcp.example/mcp?[hidden])"
    );
    // Like servers that do not know this path, or this key.
    let url = "https://me:canary-word@mcp.example/mcp?key=canary-key";
    let headers = vec![("Authorization".to_owned(), "Bearer canary-token".to_owned())];
    let far = ServerSpec::new("far", crate::Access::Http { url: url.to_owned(), headers });
    assert_eq!(
        far.told("cannot POST /mcp?key=canary-key; no canary-key, canary-token or canary-word is known"),
        "cannot POST /mcp?[hidden]; no [hidden], [hidden] or [hidden] is known"
    );
}

/// The head and the body of one HTTP request.
pub(crate) async fn request(stream: &mut tokio::net::TcpStream) -> Option<(String, String)> {
    use tokio::io::AsyncReadExt;
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head
                .lines()
                .find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ").map(str::to_owned));
            if body.len() >= length.map_or(0, |length| length.parse().unwrap()) {
                return Some((head.to_owned(), body.to_owned()));
            }
        }
        match stream.read_buf(&mut bytes).await {
            Ok(0) | Err(_) => return None,
            Ok(_) => {}
        }
    }
}

#[tokio::test]
async fn a_server_that_is_away_is_named_without_its_key() {
    let spec = ServerSpec::http("far", "http://127.0.0.1:9/mcp?key=canary2");
    let told = Server::connect(spec).await.err().unwrap().to_string();
    assert!(told.contains("127.0.0.1:9/mcp?[hidden]") && !told.contains("canary"), "{told}");
    assert!(told.ends_with(" (os error 111)") || !cfg!(target_os = "linux"), "{told}");
}

#[tokio::test]
async fn the_host_calls_what_programs_do_not_get() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::connect(spec(&folder).deny(["notes"])).await.unwrap();
    assert!(!names(&server).contains(&"n-notes".to_owned()));
    assert_eq!(json(call(&server, "n-note-append", r#"{"text": "a"}"#).await), r#""1""#);
    assert_eq!(json(server.call("notes", serde_json::Map::new()).await), r#"["a"]"#);
    let unknown = server.call("nothing", serde_json::Map::new()).await.unwrap_err();
    assert!(!unknown.may_have_run, "{unknown:?}");
    assert!(server.status().since.is_some() && server.status().tools > 0);
    // It is not started again: what it knew is lost.
    server.close().await;
    assert_eq!((server.status().since, server.status().problem), (None, None));
    let ended = server.call("notes", serde_json::Map::new()).await.unwrap_err();
    assert_eq!(ended.message, "the MCP server `n` has ended");
}
