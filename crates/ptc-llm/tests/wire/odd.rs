//! Answers that servers send in practice, although no documentation has them.

use std::sync::{Arc, Mutex};

use insta::assert_snapshot;
use ptc_chat::{Llm, LlmError, Message, Reply, Request};
use ptc_llm::{ConnectOptions, connect_with};
use serde_json::{Value, json};

use crate::server::{Provider, http, json as whole, stream};

fn bytes(head: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let head = format!("HTTP/1.1 200 OK\r\n{head}content-length: {length}\r\nconnection: close\r\n\r\n");
    [head.as_bytes(), body].concat()
}

fn typed(kind: &str, body: &str) -> Vec<u8> {
    bytes(&format!("content-type: {kind}\r\n"), body.as_bytes())
}

fn message(message: Value) -> Value {
    json!({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}], "usage": {"prompt_tokens": 9, "completion_tokens": 2}})
}

fn piece(delta: Value) -> (&'static str, Value) {
    ("", json!({"choices": [{"index": 0, "delta": delta}]}))
}

fn end() -> (&'static str, Value) {
    (
        "",
        json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 9, "completion_tokens": 2}}),
    )
}

const DONE: (&str, &str) = ("", "[DONE]");

fn done() -> (&'static str, Value) {
    (DONE.0, json!(DONE.1))
}

fn good() -> Value {
    message(json!({"content": "(return 1)"}))
}

async fn ask(provider: &Provider, streamed: bool) -> (Result<Reply, LlmError>, String) {
    let llm = connect_with(&format!("{}#m", provider.url), &ConnectOptions::default()).unwrap();
    ask_llm(&*llm, streamed).await
}

async fn ask_llm(llm: &dyn Llm, streamed: bool) -> (Result<Reply, LlmError>, String) {
    let request = Request { messages: vec![Message::user("hi")], ..Request::default() };
    let heard = Arc::new(Mutex::new(String::new()));
    let mut listen = |text: &str| heard.lock().unwrap().push_str(text);
    let reply = if streamed { llm.reply(&request, Some(&mut listen)).await } else { llm.reply(&request, None).await };
    let heard = heard.lock().unwrap().clone();
    (reply, heard)
}

/// The reply to one call; in a stream all of it was heard.
async fn reply(answer: Vec<u8>, streamed: bool) -> Reply {
    let provider = Provider::new(move |_| answer.clone()).await;
    let (reply, heard) = ask(&provider, streamed).await;
    let reply = reply.unwrap();
    assert_eq!(heard.trim(), if streamed { reply.content.trim() } else { "" });
    reply
}

#[tokio::test]
async fn json_is_read_whatever_its_type_is_called() {
    let expected = reply(whole(&good()).into(), false).await;
    assert_eq!(expected.content, "(return 1)");
    let text = good().to_string();
    for kind in ["text/plain; charset=utf-8", "Application/JSON", "text/json", "application/octet-stream", "text/html"]
    {
        assert_eq!(reply(typed(kind, &text), false).await, expected, "{kind}");
    }
    assert_eq!(reply(bytes("", text.as_bytes()), false).await, expected, "no type");
    for text in [format!("\u{feff}{text}"), format!("\n\n {text}"), format!("{:#}", good())] {
        assert_eq!(reply(typed("application/json", &text), false).await, expected, "{text}");
    }
}

/// It is asked for once more without a stream, and never again with one.
#[tokio::test]
async fn a_server_that_cannot_stream_is_asked_so() {
    for kind in ["application/json", "text/event-stream", "text/plain"] {
        let answer = typed(kind, &format!("{:#}", good()));
        let provider = Provider::new(move |_| answer.clone()).await;
        let llm = connect_with(&format!("{}#m", provider.url), &ConnectOptions::default()).unwrap();
        for expected in [&[true, false][..], &[true, false, false]] {
            let (reply, heard) = ask_llm(&*llm, true).await;
            assert_eq!((reply.unwrap().content.as_str(), heard.as_str()), ("(return 1)", "(return 1)"), "{kind}");
            assert_eq!(provider.streams(), expected, "{kind}");
        }
    }
    let refused = typed("application/json", "{\"error\": {\"message\": \"streams are not for you\", \"code\": 403}}");
    let provider = Provider::new(move |_| refused.clone()).await;
    assert_snapshot!(ask(&provider, true).await.0.unwrap_err(), @"client_error (HTTP 403): streams are not for you");
}

#[tokio::test]
async fn a_stream_that_nobody_asked_for_is_read() {
    let events = [piece(json!({"content": "(return"})), piece(json!({"content": " 1)"})), end(), done()];
    let streamed = stream(&events);
    let expected = reply(streamed.clone().into(), false).await;
    assert_eq!((expected.content.as_str(), expected.tokens.map(|tokens| tokens.input)), ("(return 1)", Some(9)));
    assert_eq!(reply(streamed.replace("text/event-stream", "application/json").into(), false).await, expected);
    assert_eq!(reply(stream(&events[..3]).into(), false).await, expected, "without its last event");
    let lines: String = events[..3].iter().map(|(_, event)| format!("{event}\n")).collect();
    assert_eq!(reply(typed("application/x-ndjson", &lines), false).await, expected);
    let cut = stream(&events[..2]);
    let provider = Provider::new(move |_| cut.clone().into()).await;
    let error = ask(&provider, false).await.0.unwrap_err().to_string().replace(&provider.url, "URL");
    assert_snapshot!(error, @"server_error: the answer of URL is broken: it broke off before its end");
}

#[tokio::test]
async fn what_keeps_a_stream_alive_is_no_answer() {
    let (first, second) = (piece(json!({"content": "(return"})), piece(json!({"content": " 1)"})));
    let events = |odd: (&'static str, Value)| stream(&[odd.clone(), first.clone(), odd, second.clone(), end(), done()]);
    let expected = reply(stream(&[first.clone(), second.clone(), end(), done()]).into(), true).await;
    assert_eq!(expected.content, "(return 1)");
    for odd in [("", ": PROCESSING"), ("", ""), ("ping", "ping"), ("ping", "{}"), ("keepalive", "")] {
        assert_eq!(reply(events((odd.0, json!(odd.1))).into(), true).await, expected, "{odd:?}");
    }
    let with_comments = events(("", json!(""))).replace("data: \n\n", ": OPENROUTER PROCESSING\n\n");
    let length = with_comments.split_once("\r\n\r\n").unwrap().1.len();
    let head = format!("content-length: {length}");
    let old = with_comments.lines().find(|line| line.starts_with("content-length")).unwrap().to_owned();
    assert_eq!(reply(with_comments.replace(&old, &head).into(), true).await, expected);
    // Some servers say in each event that there is no error.
    let calm = |(name, mut event): (&'static str, Value)| {
        event["error"] = Value::Null;
        (name, event)
    };
    let events = [calm(first.clone()), calm(second.clone()), calm(end()), done()];
    assert_eq!(reply(stream(&events).into(), true).await, expected);
    // And some separate events by one line end, or leave the last one out.
    let lines: String = [&first, &second, &end(), &done()]
        .iter()
        .map(|(_, event)| format!("data: {}\n", event.as_str().map_or_else(|| event.to_string(), str::to_owned)))
        .collect();
    assert_eq!(reply(typed("text/event-stream", &lines), true).await, expected);
    assert_eq!(reply(stream(&[first, second, end()]).into(), true).await, expected);
}

#[tokio::test]
async fn bytes_that_are_not_utf8_are_replaced_or_decoded() {
    let latin = |text: &str| text.chars().map(|c| u8::try_from(c).unwrap()).collect::<Vec<u8>>();
    let text = message(json!({"content": "\"café\""})).to_string();
    let answer = bytes("content-type: application/json\r\n", &latin(&text));
    assert_eq!(reply(answer, false).await.content, "\"caf\u{fffd}\"");

    // In a stream nothing after such a byte can be read: the answer is asked for in one piece.
    let (json, event) =
        (bytes("content-type: application/json\r\n", &latin(&text)), piece(json!({"content": "café"})).1);
    for text in
        [format!("data: {event}\n\n"), format!("data: {}\n\ndata: {event}\n\n", piece(json!({"content": "("})).1)]
    {
        let (streamed, json) = (bytes("content-type: text/event-stream\r\n", &latin(&text)), json.clone());
        let provider = Provider::new(move |stream| if stream { streamed.clone() } else { json.clone() }).await;
        let llm = connect_with(&format!("{}#m", provider.url), &ConnectOptions::default()).unwrap();
        let first = ask_llm(&*llm, true).await.0;
        if let Err(error) = &first {
            assert!(error.is_retryable_by_default() && error.message.ends_with("its bytes are not UTF-8"), "{error}");
        }
        assert_eq!(ask_llm(&*llm, true).await.0.unwrap().content, "\"caf\u{fffd}\"");
        assert_eq!(provider.streams()[..2], [true, false], "{text}");
    }

    let refused = latin("{\"error\": {\"message\": \"accès refusé\"}}");
    for (charset, told) in [("; charset=iso-8859-1", "accès refusé"), ("", "acc\u{fffd}s refus\u{fffd}")] {
        let head =
            format!("HTTP/1.1 403 Forbidden\r\ncontent-type: application/json{charset}\r\nconnection: close\r\n\r\n");
        for streamed in [false, true] {
            let answer = [head.as_bytes(), &refused].concat();
            let provider = Provider::new(move |_| answer.clone()).await;
            let error = ask(&provider, streamed).await.0.unwrap_err();
            assert_eq!(error.to_string(), format!("client_error (HTTP 403): {told}"));
        }
    }
}

#[tokio::test]
async fn answers_are_found_where_servers_put_them() {
    let thoughts = json!([{"type": "reasoning.text", "text": "hm"}, {"type": "reasoning.summary", "summary": "so"}]);
    let thought = message(json!({"content": "", "reasoning_details": thoughts}));
    assert_eq!(reply(whole(&thought).into(), false).await.reasoning.as_deref(), Some("hm\nso"));
    let parts = json!([{"type": "thinking", "thinking": [{"text": "hm"}]}, {"type": "text", "text": "(return 1)"}]);
    let (in_parts, completed) = (message(json!({"content": parts})), json!({"choices": [{"text": "(return 1)"}]}));
    for body in [&in_parts, &completed] {
        assert_eq!(reply(whole(body).into(), false).await.content, "(return 1)");
        assert_eq!(reply(stream(&[("", body.clone()), done()]).into(), true).await.content, "(return 1)");
    }
    assert_eq!(reply(stream(&[("", good()), done()]).into(), true).await.content, "(return 1)");
}

#[tokio::test]
async fn answers_without_an_answer() {
    let failed = json!({"choices": [{"message": {"content": "(re"}, "finish_reason": "error"}]});
    let empty = json!({"choices": [{"message": null, "delta": null, "finish_reason": "stop"}]});
    let bodies = [
        ("null", Value::Null),
        ("nothing", json!({})),
        ("no choices", json!({"choices": null})),
        ("no message", empty),
    ];
    let mut told = String::new();
    for (name, body) in bodies.into_iter().chain([("failed", failed), ("another", json!({"status": "queued"}))]) {
        let [whole, streamed] = [whole(&body), stream(&[("", body.clone()), done()])].map(Vec::from);
        let mut errors = Vec::new();
        for (answer, is_stream) in [(whole, false), (streamed, true)] {
            let provider = Provider::new(move |_| answer.clone()).await;
            let error = ask(&provider, is_stream).await.0.unwrap_err();
            let again = if error.is_retryable_by_default() { ", again" } else { "" };
            errors.push(format!("{name}: {}{again}\n", error.to_string().replace(&provider.url, "URL")));
        }
        assert_eq!(errors[0], errors[1]);
        told.push_str(&errors[0]);
    }
    assert_snapshot!(told, @"
    null: server_error: the answer of URL is broken: it holds nothing, again
    nothing: server_error: the answer of URL is broken: it holds nothing, again
    no choices: server_error: the answer of URL is broken: its `choices` are empty, again
    no message: server_error: the answer of URL is broken: its `message` is empty, again
    failed: server_error: the answer of URL is broken: its model stopped with an error, again
    another: unknown: the answer of URL cannot be read: it has no `choices` with a `message`; is this the address of a chat API?
    ");
}

#[tokio::test]
async fn the_words_of_an_error_are_found_wherever_they_are() {
    let bodies = [
        json!({"errors": [{"message": "bad field"}]}),
        json!({"errors": ["bad field"]}),
        json!({"msg": "bad field"}),
        json!({"detail": [{"loc": ["body"], "msg": "bad field"}]}),
        json!({"error": {"reason": "bad field"}}),
        json!({"type": "about:blank", "title": "bad field"}),
        json!([{"error": "bad field"}]),
    ];
    for body in bodies {
        let provider =
            Provider::new(move |_| http("400 Bad Request", "application/problem+json", "", &body.to_string()).into())
                .await;
        assert_eq!(ask(&provider, false).await.0.unwrap_err().to_string(), "client_error (HTTP 400): bad field");
    }
}
