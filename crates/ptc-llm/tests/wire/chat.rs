use std::time::Duration;

use insta::assert_snapshot;
use ptc_chat::{
    Llm, LlmError, LlmErrorKind, Message, ModelOptions, Part, ReasoningEffort, Reply, Request, Role, StopReason, Tokens,
};
use ptc_llm::{ConnectOptions, connect_with};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::server::{Sent, http, serve};

fn completion(message: Value, finish: &str) -> String {
    let body = json!({
        "id": "c1", "object": "chat.completion", "model": "served-name",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {"prompt_tokens": 120, "completion_tokens": 8, "total_tokens": 128,
                  "prompt_tokens_details": {"cached_tokens": 100}}
    });
    http("200 OK", "application/json", "", &body.to_string())
}

fn asking(text: &str) -> Request {
    Request { system: "You write programs.".into(), messages: vec![Message::user(text)], ..Request::default() }
}

async fn ask(url: &str, model: &str, request: &Request) -> Result<Reply, LlmError> {
    connect_with(&format!("{url}#{model}"), &ConnectOptions::default()).unwrap().reply(request, None).await
}

/// The error for a provider that answers like this.
async fn failure(answer: String) -> LlmError {
    let (url, served) = serve(answer).await;
    let error = ask(&url, "m", &asking("hi")).await.unwrap_err();
    served.await.unwrap();
    LlmError { message: error.message.replace(&url, "URL"), ..error }
}

#[tokio::test]
async fn request_and_reply_on_the_wire() {
    let (url, served) = serve(completion(json!({"role": "assistant", "content": "(return 42)"}), "stop")).await;
    let request = Request {
        messages: vec![
            Message::new(Role::User, vec![Part::stable("Mission. "), Part::changing("Turn 2")]),
            Message::assistant("(def x 1)"),
            Message::user("x = 1"),
        ],
        cache: true,
        options: ModelOptions {
            temperature: Some(0.2),
            max_output_tokens: 512,
            stop: vec!["END".into()],
            seed: Some(7),
            reasoning_effort: Some(ReasoningEffort::Low),
            extra: json!({"top_k": 20}).as_object().unwrap().clone(),
        },
        ..asking("")
    };
    let reply = ask(&url, "qwen3", &request).await.unwrap();
    let Sent { head, body } = served.await.unwrap();
    assert!(head.starts_with("post /v1/chat/completions http/1.1"), "{head}");
    assert!(!head.contains("authorization"), "{head}");
    assert_snapshot!(serde_json::to_string_pretty(&body).unwrap(), @r#"
    {
      "model": "qwen3",
      "stream": false,
      "reasoning_effort": "low",
      "messages": [
        {
          "role": "system",
          "content": "You write programs."
        },
        {
          "role": "user",
          "content": "Mission. Turn 2"
        },
        {
          "role": "assistant",
          "content": "(def x 1)"
        },
        {
          "role": "user",
          "content": "x = 1"
        }
      ],
      "temperature": 0.2,
      "stop": [
        "END"
      ],
      "max_tokens": 512,
      "seed": 7,
      "top_k": 20
    }
    "#);
    let tokens = Tokens { input: 120, output: 8, cached: 100, cache_write: 0 };
    assert_eq!(reply, Reply { tokens: Some(tokens), ..Reply::text("(return 42)") });
}

/// llama.cpp and vLLM read different fields; others refuse or ignore unknown fields, so they get none.
#[tokio::test]
async fn a_grammar_goes_to_servers_that_take_one() {
    let (url, served) = serve(completion(json!({"content": "(return 1)"}), "stop")).await;
    let request = Request { grammar: Some("root ::= \"(return 1)\"".into()), ..asking("hi") };
    ask(&url, "qwen3", &request).await.unwrap();
    let body = served.await.unwrap().body;
    assert_eq!(body["grammar"], "root ::= \"(return 1)\"");
    assert_eq!(body["structured_outputs"], json!({"grammar": "root ::= \"(return 1)\""}));
    let options = ConnectOptions { api_key: Some("secret-1".into()), ..ConnectOptions::default() };
    let error = connect_with("openai:gpt-5", &options).unwrap().reply(&request, None).await.unwrap_err();
    // Ollama would leave the fields unread, and its answer free.
    let ollama = connect_with("ollama:qwen3", &ConnectOptions { base_url: Some(url), ..ConnectOptions::default() });
    let unread = ollama.unwrap().reply(&request, None).await.unwrap_err();
    assert!(unread.message.contains("no grammar is sent to"), "{unread}");
    assert_snapshot!(error, @"client_error: no grammar is sent to OpenAI; leave `grammar` out, or name a server that takes one by its address, as in http://127.0.0.1:8080/v1#qwen3");
}

#[tokio::test]
async fn the_key_travels_as_bearer_and_stays_out_of_debug_output() {
    let (url, served) = serve(completion(json!({"content": "ok"}), "stop")).await;
    let options = ConnectOptions { api_key: Some("secret-1".into()), ..ConnectOptions::default() };
    connect_with(&format!("{url}#m"), &options).unwrap().reply(&asking("hi"), None).await.unwrap();
    assert!(served.await.unwrap().head.contains("authorization: bearer secret-1"));
    assert!(!format!("{options:?}").contains("secret-1"));
}

#[tokio::test]
async fn max_tokens_are_always_sent_and_names_stay_whole() {
    let (url, served) = serve(completion(json!({"content": "ok"}), "length")).await;
    let reply = ask(&url, "qwen3-max", &asking("hi")).await.unwrap();
    let body = served.await.unwrap().body;
    assert_eq!(
        (&body["model"], &body["max_tokens"], &body["reasoning_effort"]),
        (&json!("qwen3-max"), &json!(4096), &Value::Null)
    );
    assert_eq!(reply.stop, StopReason::Length);
}

#[tokio::test]
async fn json_mode_sends_the_schema() {
    let (url, served) = serve(completion(json!({"content": "{\"total\":1}"}), "stop")).await;
    let schema = json!({"type": "object", "properties": {"total": {"type": "integer"}}, "required": ["total"], "additionalProperties": false});
    ask(&url, "m", &Request { schema: Some(schema.clone().into()), ..asking("hi") }).await.unwrap();
    let body = served.await.unwrap().body;
    assert_eq!(body["response_format"]["type"], "json_schema");
    assert_eq!(body["response_format"]["json_schema"]["schema"], schema);
}

#[tokio::test]
async fn thinking_is_kept_apart() {
    let (url, served) = serve(completion(json!({"content": "<think>hm</think>(return 1)"}), "stop")).await;
    let reply = ask(&url, "m", &asking("hi")).await.unwrap();
    served.await.unwrap();
    assert_eq!((reply.content.trim(), reply.reasoning.as_deref()), ("(return 1)", Some("hm")));
}

#[tokio::test]
async fn a_refusal_is_an_error() {
    let error = failure(completion(json!({"content": "No."}), "content_filter")).await;
    assert_snapshot!(error, @"refused: the model refused to answer: No.");
}

#[tokio::test]
async fn errors_are_classified_by_status() {
    let body = r#"{"error":{"message":"slow down","type":"rate"}}"#;
    let limited = failure(http("429 Too Many Requests", "application/json", "retry-after: 1.5\r\n", body)).await;
    assert_eq!(limited.retry_after, Some(Duration::from_millis(1500)));
    assert!(limited.is_retryable_by_default());
    assert_snapshot!(limited, @"rate_limit (HTTP 429): slow down");
    let broken = failure(http("500 Internal Server Error", "text/plain", "", "oops")).await;
    assert!(broken.is_retryable_by_default());
    assert_snapshot!(broken, @"server_error (HTTP 500): oops");
    let wrong = failure(http("404 Not Found", "application/json", "", r#"{"error":"model `m` not found"}"#)).await;
    assert!(!wrong.is_retryable_by_default());
    assert_snapshot!(wrong, @"client_error (HTTP 404): model `m` not found");
    assert_snapshot!(failure(http("503 Service Unavailable", "text/plain", "", "")).await, @"server_error (HTTP 503): URL gave no reason");
}

#[tokio::test]
async fn answers_that_are_no_chat_are_errors() {
    assert_snapshot!(failure(http("200 OK", "text/html", "", "<html>")).await, @"unknown: the answer of URL cannot be read: it is a web page; is this the address of a chat API?");
    assert_snapshot!(failure(http("200 OK", "application/json", "", "{")).await, @"server_error: the answer of URL is broken: it ends in the middle");
    assert_eq!(
        failure("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nab".into()).await.kind(),
        LlmErrorKind::ServerError
    );
}

#[tokio::test]
async fn nobody_listens() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    drop(listener);
    let error = ask(&url, "m", &asking("hi")).await.unwrap_err();
    assert_eq!(error.kind(), LlmErrorKind::Unreachable);
    assert_snapshot!(error.message.replace(&url, "URL"), @"URL refuses connections: start the server, or check the address");
}

#[tokio::test]
async fn silence_is_a_timeout() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let options = ConnectOptions { silence_timeout: Some(Duration::from_millis(400)), ..ConnectOptions::default() };
    let llm = connect_with(&format!("{url}#m"), &options).unwrap();
    let error = llm.reply(&asking("hi"), None).await.unwrap_err();
    assert_eq!(error.kind(), LlmErrorKind::Timeout);
    assert_snapshot!(error.message.replace(&url, "URL"), @"URL took the request, but did not answer in time");
}

#[tokio::test]
async fn streams_are_heard_chunk_by_chunk() {
    let piece = |text: &str| json!({"choices": [{"index": 0, "delta": {"content": text}}]}).to_string();
    let last = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}).to_string();
    let usage = json!({"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 2}}).to_string();
    let events = [piece("(return"), piece(" 1)"), last, usage, "[DONE]".to_owned()];
    let body: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
    let (url, served) = serve(http("200 OK", "text/event-stream", "", &body)).await;
    let mut heard = Vec::new();
    let mut listen = |text: &str| heard.push(text.to_owned());
    let llm = connect_with(&format!("{url}#m"), &ConnectOptions::default()).unwrap();
    let reply = llm.reply(&asking("hi"), Some(&mut listen)).await.unwrap();
    assert_eq!(served.await.unwrap().body["stream"], true);
    assert_eq!(heard, ["(return", " 1)"]);
    let tokens = Tokens { input: 9, output: 2, ..Tokens::default() };
    assert_eq!(reply, Reply { tokens: Some(tokens), ..Reply::text("(return 1)") });
}

#[tokio::test]
async fn a_refused_stream_is_classified_too() {
    let (url, served) = serve(http("429 Too Many Requests", "application/json", "retry-after: 2\r\n", "{}")).await;
    let llm = connect_with(&format!("{url}#m"), &ConnectOptions::default()).unwrap();
    let error = llm.reply(&asking("hi"), Some(&mut |_: &str| {})).await.unwrap_err();
    served.await.unwrap();
    assert_eq!((error.kind(), error.retry_after), (LlmErrorKind::RateLimit, Some(Duration::from_secs(2))));
}
