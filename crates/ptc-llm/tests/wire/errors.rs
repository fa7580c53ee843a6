//! Errors of every provider as our errors.

use std::time::Duration;

use insta::assert_snapshot;
use ptc_chat::{Llm, LlmError, LlmErrorKind, Message, Request};
use ptc_llm::{ConnectOptions, connect_with};
use serde_json::{Value, json};

use crate::server::{http, json as whole, serve, stream};

const SERVER: &str = "http://127.0.0.1:1/v1#m";
const CLAUDE: &str = "anthropic:claude-sonnet-4-5";
const GEMINI: &str = "gemini:gemini-2.5-flash";
const ROUTER: &str = "openrouter:openai/gpt-5";

async fn failure(spec: &str, answer: String, streamed: bool) -> LlmError {
    let (url, served) = serve(answer).await;
    let options =
        ConnectOptions { base_url: Some(url.clone()), api_key: Some("k".into()), ..ConnectOptions::default() };
    let llm = connect_with(spec, &options).unwrap();
    let request = Request { messages: vec![Message::user("hi")], ..Request::default() };
    let mut ignore = |_: &str| {};
    let reply = if streamed { llm.reply(&request, Some(&mut ignore)).await } else { llm.reply(&request, None).await };
    served.await.unwrap();
    let error = reply.unwrap_err();
    LlmError { message: error.message.replace(&url, "URL"), ..error }
}

/// The error when the provider answers with this status; the same with and without streaming.
async fn check(spec: &str, status: &str, body: &Value) -> String {
    let answer = || http(status, "application/json", "retry-after: 7\r\n", &body.to_string());
    let error = failure(spec, answer(), false).await;
    assert_eq!(failure(spec, answer(), true).await, error);
    assert_eq!(error.retry_after, Some(Duration::from_secs(7)));
    error.to_string()
}

#[tokio::test]
async fn openai() {
    let error =
        |message: &str, kind: &str| json!({"error": {"message": message, "type": kind, "param": null, "code": null}});
    assert_snapshot!(check("openai:gpt-5", "401 Unauthorized", &error("Incorrect API key provided: k.", "invalid_request_error")).await, @"client_error (HTTP 401): Incorrect API key provided: k.");
    assert_snapshot!(check("openai:gpt-5", "429 Too Many Requests", &error("Rate limit reached.", "requests")).await, @"rate_limit (HTTP 429): Rate limit reached.");
    assert_snapshot!(check("openai:gpt-5", "429 Too Many Requests", &error("You have no credit left.", "insufficient_quota")).await, @"no_credit (HTTP 429): You have no credit left.");
    assert_snapshot!(check("openai:gpt-5", "503 Service Unavailable", &error("The engine is overloaded.", "server_error")).await, @"server_error (HTTP 503): The engine is overloaded.");
    assert_snapshot!(check(SERVER, "400 Bad Request", &error("the request exceeds the context size", "exceed_context_size_error")).await, @"client_error (HTTP 400): the request exceeds the context size");
    assert_snapshot!(check("ollama:m", "404 Not Found", &error("model \"m\" not found, try pulling it first", "api_error")).await, @r#"client_error (HTTP 404): model "m" not found, try pulling it first"#);
}

#[tokio::test]
async fn anthropic() {
    let error = |kind: &str, message: &str| json!({"type": "error", "error": {"type": kind, "message": message}, "request_id": "r"});
    assert_snapshot!(check(CLAUDE, "529 Overloaded", &error("overloaded_error", "Overloaded")).await, @"server_error (HTTP 529): Overloaded");
    assert_snapshot!(check(CLAUDE, "429 Too Many Requests", &error("rate_limit_error", "Too many tokens.")).await, @"rate_limit (HTTP 429): Too many tokens.");
    assert_snapshot!(check(CLAUDE, "400 Bad Request", &error("invalid_request_error", "max_tokens: too large")).await, @"client_error (HTTP 400): max_tokens: too large");
}

#[tokio::test]
async fn gemini() {
    let error = json!({"error": {"code": 400, "message": "API key not valid.", "status": "INVALID_ARGUMENT"}});
    assert_snapshot!(check(GEMINI, "400 Bad Request", &error).await, @"client_error (HTTP 400): API key not valid.");
    let retry = json!({"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "36s"});
    let error = json!({"error": {"code": 429, "message": "Quota exceeded.", "status": "RESOURCE_EXHAUSTED", "details": [retry]}});
    let limited =
        failure(GEMINI, http("429 Too Many Requests", "application/json", "", &error.to_string()), false).await;
    assert_eq!(limited.retry_after, Some(Duration::from_secs(36)));
    assert_snapshot!(limited, @"rate_limit (HTTP 429): Quota exceeded.");
    let listed = json!([error]);
    let limited =
        failure(GEMINI, http("429 Too Many Requests", "application/json", "", &listed.to_string()), true).await;
    assert_eq!(limited.retry_after, Some(Duration::from_secs(36)));
    assert_snapshot!(limited, @"rate_limit (HTTP 429): Quota exceeded.");
}

#[tokio::test]
async fn openrouter_reports_errors_with_a_good_status() {
    let error = json!({"code": 502, "message": "Provider returned error", "metadata": {"provider_name": "X"}});
    assert_snapshot!(failure(ROUTER, whole(&json!({"error": error})), false).await, @"server_error (HTTP 502): Provider returned error");
    let ended = json!({"choices": [{"message": {"content": ""}, "finish_reason": "error", "error": error}]});
    assert_snapshot!(failure(ROUTER, whole(&ended), false).await, @"server_error (HTTP 502): Provider returned error");
    let started = json!({"choices": [{"index": 0, "delta": {"content": "(f"}}]});
    assert_snapshot!(failure(ROUTER, stream(&[("", started), ("", json!({"error": error}))]), true).await, @"server_error (HTTP 502): Provider returned error");
}

#[tokio::test]
async fn a_wrong_address_is_told() {
    assert_snapshot!(check(SERVER, "404 Not Found", &json!("404 page not found")).await, @"client_error (HTTP 404): 404 page not found; the request went to URL/chat/completions: is this a chat API? Most addresses end in /v1");
    let moved = |status: &str, to: &str| http(status, "text/plain", &format!("location: {to}\r\n"), "");
    let elsewhere = || moved("307 Temporary Redirect", "http://192.0.2.1/v1");
    assert_snapshot!(failure(SERVER, elsewhere(), false).await, @"client_error (HTTP 307): URL redirects to http://192.0.2.1/v1, but the request has the key and is not sent on: use that address instead");
    assert_snapshot!(failure(SERVER, elsewhere(), true).await, @"client_error (HTTP 307): URL redirects to http://192.0.2.1/v1, but the request has the key and is not sent on: use that address instead");
    // It would be requested again without the question.
    assert_snapshot!(failure(SERVER, moved("302 Found", "/v2"), false).await, @"client_error (HTTP 302): URL redirects to /v2, but the request has the key and is not sent on: use that address instead");
}

#[tokio::test]
async fn a_reply_without_an_answer_is_an_error() {
    for body in [json!({"a": 1}), json!({"choices": [{"message": {"content": 5}}]})] {
        let error = failure(SERVER, whole(&body), false).await;
        assert_eq!(error.kind, LlmErrorKind::Unknown);
        assert!(error.message.starts_with("the answer of URL cannot be read"), "{error}");
    }
}

#[tokio::test]
async fn a_long_wait_is_told() {
    let later = http("429 Too Many Requests", "application/json", "retry-after: 3600\r\n", "{}");
    assert_snapshot!(failure(SERVER, later, false).await, @"rate_limit (HTTP 429): {} (it asks to wait 60 minutes)");
}

#[tokio::test]
async fn a_key_that_no_header_can_have_is_refused() {
    let options = ConnectOptions { api_key: Some("a\nb".into()), ..ConnectOptions::default() };
    let refused = |spec| connect_with(spec, &options).err().unwrap().to_string();
    assert_snapshot!(refused("openai:gpt-5"), @"the API key holds a line break or another character that no request can carry; set OPENAI_API_KEY without it");
    assert_snapshot!(refused(SERVER), @"the API key holds a line break or another character that no request can carry; set PTC_LLM_KEY without it");
}

#[tokio::test]
async fn an_error_may_be_nothing_but_a_text() {
    let error = json!({"error": "the model is still loading"});
    assert_snapshot!(failure(SERVER, whole(&error), false).await, @"server_error: the model is still loading");
    assert_snapshot!(failure(SERVER, stream(&[("", error)]), true).await, @"server_error: the model is still loading");
}

#[tokio::test]
async fn errors_in_the_middle_of_a_stream_keep_their_kind() {
    let error = |kind: &str| json!({"type": "error", "error": {"type": kind, "message": "Overloaded"}});
    let overloaded = failure(CLAUDE, stream(&[("error", error("overloaded_error"))]), true).await;
    assert!(overloaded.is_retryable_by_default());
    assert_snapshot!(overloaded, @"server_error: Overloaded");
    let kinds = ["rate_limit_error", "timeout_error", "invalid_request_error"].map(error);
    let expected = [LlmErrorKind::RateLimit, LlmErrorKind::Timeout, LlmErrorKind::ClientError];
    for (error, kind) in kinds.into_iter().zip(expected) {
        assert_eq!(failure(CLAUDE, stream(&[("error", error)]), true).await.kind(), kind);
    }
    let error = json!({"error": {"code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE"}});
    assert_snapshot!(failure(GEMINI, stream(&[("", error)]), true).await, @"server_error (HTTP 503): The model is overloaded.");
}

#[tokio::test]
async fn a_stream_without_an_end_broke_off() {
    let started = json!({"choices": [{"index": 0, "delta": {"content": "(f"}}]});
    assert_snapshot!(failure(SERVER, stream(&[("", started)]), true).await, @"server_error: the answer of URL is broken: it broke off before its end");
    assert_snapshot!(failure(CLAUDE, stream(&[("ping", json!({"type": "ping"}))]), true).await, @"server_error: the answer of URL is broken: it broke off before its end");
}

/// The error of a server that sends for as long as the client listens, at most 80 MB.
async fn endless(spec: &str, streamed: bool, event: String) -> LlmError {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let _asked = stream.read(&mut [0; 1 << 16]).await;
        let mut sent = stream.write_all(event.as_bytes()).await;
        let (_, again) = event.split_once("\r\n\r\n").unwrap();
        let times = if streamed { (80 << 20) / again.len() } else { 0 };
        for _ in 0..times {
            sent = sent.and(stream.write_all(again.as_bytes()).await);
        }
    });
    let options =
        ConnectOptions { base_url: Some(url.clone()), api_key: Some("k".into()), ..ConnectOptions::default() };
    let llm = connect_with(spec, &options).unwrap();
    let request = Request { messages: vec![Message::user("hi")], ..Request::default() };
    let mut ignore = |_: &str| {};
    let reply = if streamed { llm.reply(&request, Some(&mut ignore)).await } else { llm.reply(&request, None).await };
    let error = reply.unwrap_err();
    LlmError { message: error.message.replace(&url, "URL"), ..error }
}

const LIMIT: &str =
    "unknown: the answer of URL cannot be read: it has more than 16 MB of text; is this the address of a chat API?";

#[tokio::test]
async fn an_answer_has_a_limit() {
    let long = "x".repeat(1 << 14);
    let call = |index: u64| json!([{"index": index, "function": {"name": "f", "arguments": long}}]);
    let events = [
        json!({"choices": [{"delta": {"content": long}}]}),
        json!({"choices": [{"delta": {"reasoning_content": long}}]}),
        json!({"choices": [{"delta": {"tool_calls": call(0)}}]}),
        // The adapter emits no event for these.
        json!({"choices": [{"delta": {"tool_calls": call(u64::from(u32::MAX) + 1)}}]}),
        json!({"choices": [{"delta": {"refusal": long}}]}),
    ];
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    for event in events {
        let error = endless(SERVER, true, format!("{head}data: {event}\n\n")).await;
        assert_eq!(error.to_string(), LIMIT);
    }
    // The adapter keeps these itself, and emits no event.
    let kept = json!({"type": "redacted_thinking", "data": long});
    let event = json!({"type": "content_block_start", "index": 0, "content_block": kept});
    let error = endless(CLAUDE, true, format!("{head}event: content_block_start\ndata: {event}\n\n")).await;
    assert_eq!(error.to_string(), LIMIT);
    let body = json!({"choices": [{"message": {"content": "x".repeat(17 << 20)}}]});
    let error = endless(SERVER, false, whole(&body)).await;
    assert_eq!(error.to_string(), LIMIT);
}

/// In every text about a model: its name, errors of connecting and of calls, debug texts.
#[tokio::test]
async fn no_text_about_a_model_has_a_key_of_its_address() {
    let quoted =
        json!({"error": {"message": "cannot POST /v1?key=canary-query: canary-word and canary-key are wrong"}});
    for (status, streamed) in [("401 Unauthorized", false), ("401 Unauthorized", true), ("307 Moved", false)] {
        let to = "location: http://canary-word@h/v1?key=canary-query\r\n";
        let (url, served) = serve(http(status, "application/json", to, &quoted.to_string())).await;
        // It is sent, and quoted, as `canary-word`.
        let secret = url.replace("http://", "http://me:canary%2Dword@") + "?key=canary-query";
        let options = ConnectOptions { api_key: Some("canary-key".into()), ..ConnectOptions::default() };
        let llm = connect_with(&format!("{secret}#m"), &options).unwrap();
        assert_eq!(llm.name(), url.replace("http://", "http://[hidden]@") + "?[hidden]#m");
        let request = Request { messages: vec![Message::user("hi")], ..Request::default() };
        let mut ignore = |_: &str| {};
        let reply =
            if streamed { llm.reply(&request, Some(&mut ignore)).await } else { llm.reply(&request, None).await };
        let error = reply.unwrap_err();
        assert!(!format!("{error} {error:?}").contains("canary") && error.to_string().contains("[hidden]"), "{error}");
        // The request has all of it.
        let sent = served.await.unwrap();
        assert!(sent.head.starts_with("post /v1/chat/completions?key=canary-query"), "{}", sent.head);
    }
    let at = |base: &str| ConnectOptions { base_url: Some(base.to_owned()), ..ConnectOptions::default() };
    for (spec, base) in [
        ("http://me:canary@h/v1", None),
        ("http://me:canary@h/v1?key=canary#", None),
        ("http://me:canary/x@h/v1#m", None),
        ("http://h:99999/v1?canary#m", None),
        ("me:canary@h/v1", None),
        ("canary@h/v1#m", None),
        ("http://h/v1#m", Some("http://me:canary@:99999/?canary")),
    ] {
        let options = base.map(at).unwrap_or_default();
        let error = connect_with(spec, &options).map(|_| ()).unwrap_err();
        let told = format!("{error} {error:?} {options:?}");
        assert!(!told.contains("canary"), "{told}");
    }
}
