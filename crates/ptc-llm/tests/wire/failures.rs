//! Failures as servers give them: which kind each is, whether it is tried again, and what is said.

use insta::assert_snapshot;
use ptc_chat::{Llm, LlmError, Message, Reply, Request};
use ptc_llm::{ConnectOptions, connect_with};
use serde_json::json;
use tokio::io::AsyncWriteExt;

use crate::server::{Provider, http, json as whole, serve, stream};

async fn ask(url: &str, streamed: bool) -> Result<Reply, LlmError> {
    let options = ConnectOptions { api_key: Some("k".into()), ..ConnectOptions::default() };
    let llm = connect_with(&format!("{url}#m"), &options).unwrap();
    let request = Request { messages: vec![Message::user("hi")], ..Request::default() };
    let mut ignore = |_: &str| {};
    if streamed { llm.reply(&request, Some(&mut ignore)).await } else { llm.reply(&request, None).await }
}

/// What is said about this answer, and whether it is asked again.
async fn line(name: &str, answer: &str, streamed: bool) -> String {
    let answer = answer.as_bytes().to_vec();
    let provider = Provider::new(move |_| answer.clone()).await;
    let url = &provider.url;
    let told = match ask(url, streamed).await {
        Ok(reply) => format!("the answer {:?}", reply.content),
        Err(error) => {
            let again = if error.is_retryable_by_default() { ", again" } else { "" };
            format!("{}{again}", error.to_string().replace(url, "URL"))
        }
    };
    format!("{name}: {told}\n")
}

fn status(status: &str, body: &str) -> String {
    http(status, "application/json", "", body)
}

const PAGE: &str = "<!DOCTYPE html>\n<html><head><title>Just a\n moment</title></head><body>…</body></html>";

#[tokio::test]
async fn statuses_with_the_words_of_providers() {
    let quota = json!({"error": {"message": "You exceeded your current quota.", "type": "insufficient_quota", "code": "insufficient_quota"}}).to_string();
    let credit = json!({"error": {"message": "Your credit balance is too low to access the API.", "type": "invalid_request_error"}}).to_string();
    let balance =
        json!({"error": {"message": "Insufficient Balance", "type": "unknown_error", "code": "invalid_request_error"}})
            .to_string();
    let speed =
        json!({"error": {"message": "Rate limit reached. Please try again in 20s.", "type": "requests"}}).to_string();
    let long = json!({"error": {"message": "Too long", "code": "context_length_exceeded"}}).to_string();
    let answers = [
        ("408", status("408 Request Timeout", "{\"error\": {\"message\": \"request timeout\"}}")),
        ("409", status("409 Conflict", "{\"message\": \"conflict\"}")),
        ("425", status("425 Too Early", "")),
        ("429 speed", status("429 Too Many Requests", &speed)),
        ("429 credit", status("429 Too Many Requests", &quota)),
        ("400 credit", status("400 Bad Request", &credit)),
        ("402", status("402 Payment Required", &balance)),
        ("400 length", status("400 Bad Request", &long)),
        ("500 empty", status("500 Internal Server Error", "")),
        ("501", status("501 Not Implemented", "")),
        ("502 page", http("502 Bad Gateway", "text/html", "", PAGE)),
        (
            "503 page without a title",
            http("503 Service Unavailable", "text/html", "", "<html><body>down</body></html>"),
        ),
        ("504 text", http("504 Gateway Timeout", "text/plain", "", "upstream timed out")),
        ("529", status("529 Overloaded", "{\"error\": \"overloaded\"}")),
    ];
    let mut told = String::new();
    for (name, answer) in &answers {
        let one = line(name, answer, false).await;
        assert_eq!(line(name, answer, true).await, one);
        told.push_str(&one);
    }
    assert_snapshot!(told, @r#"
    408: timeout (HTTP 408): request timeout, again
    409: server_error (HTTP 409): conflict, again
    425: server_error (HTTP 425): URL gave no reason, again
    429 speed: rate_limit (HTTP 429): Rate limit reached. Please try again in 20s., again
    429 credit: no_credit (HTTP 429): You exceeded your current quota.
    400 credit: no_credit (HTTP 400): Your credit balance is too low to access the API.
    402: no_credit (HTTP 402): Insufficient Balance
    400 length: client_error (HTTP 400): Too long
    500 empty: server_error (HTTP 500): URL gave no reason, again
    501: client_error (HTTP 501): URL gave no reason
    502 page: server_error (HTTP 502): URL answers with a web page "Just a moment", again
    503 page without a title: server_error (HTTP 503): URL answers with a web page, again
    504 text: server_error (HTTP 504): upstream timed out, again
    529: server_error (HTTP 529): overloaded, again
    "#);
}

#[tokio::test]
async fn bodies_with_a_good_status() {
    let good = json!({"choices": [{"message": {"content": "(f)"}}]}).to_string();
    let answers = [
        ("empty", status("200 OK", "")),
        ("blank", status("200 OK", " \n")),
        ("no content type", "HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_owned()),
        ("null choices", whole(&json!({"id": "x", "choices": null}))),
        ("empty choices", whole(&json!({"id": "x", "choices": []}))),
        ("no choices", whole(&json!({"a": 1}))),
        ("cut", status("200 OK", &good[..good.len() / 2])),
        (
            "shorter than said",
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{".to_owned(),
        ),
        ("page", http("200 OK", "text/html", "", PAGE)),
        ("not JSON", status("200 OK", "nope")),
        ("out of credit", whole(&json!({"error": {"message": "Insufficient credits", "code": 402}}))),
    ];
    let mut told = String::new();
    for (name, answer) in &answers {
        told.push_str(&line(name, answer, false).await);
    }
    assert_snapshot!(told, @r#"
    empty: server_error: the answer of URL is broken: it is empty, again
    blank: server_error: the answer of URL is broken: it is empty, again
    no content type: server_error: the answer of URL is broken: it is empty, again
    null choices: server_error: the answer of URL is broken: its `choices` are empty, again
    empty choices: server_error: the answer of URL is broken: its `choices` are empty, again
    no choices: unknown: the answer of URL cannot be read: it has no `choices` with a `message`; is this the address of a chat API?
    cut: server_error: the answer of URL is broken: it ends in the middle, again
    shorter than said: server_error: the connection to URL broke: end of file before message length reached, again
    page: unknown: the answer of URL cannot be read: it is a web page "Just a moment"; is this the address of a chat API?
    not JSON: unknown: the answer of URL cannot be read: expected ident at line 1 column 2; is this the address of a chat API?
    out of credit: no_credit (HTTP 402): Insufficient credits
    "#);
}

#[tokio::test]
async fn broken_streams() {
    let piece = |text: &str| json!({"choices": [{"index": 0, "delta": {"content": text}}]});
    let answers = [
        ("no end", stream(&[("", piece("(f"))])),
        ("no events", stream(&[])),
        ("cut", stream(&[("", piece("(f")), ("", json!("{\"choices\": [{\"ind"))])),
        ("not an event", stream(&[("", piece("(f")), ("", json!("Internal error"))])),
        ("a page as an event", stream(&[("", json!(PAGE.replace('\n', " ")))])),
        ("null choices", stream(&[("", json!({"choices": null}))])),
        ("an error", stream(&[("", json!({"error": {"message": "busy", "code": 503}}))])),
        ("its code as text", stream(&[("", json!({"error": {"message": "busy", "code": "429"}}))])),
        ("an error under its name", stream(&[("error", json!({"message": "upstream died"}))])),
        ("a page", http("200 OK", "text/html", "", PAGE)),
    ];
    let mut told = String::new();
    for (name, answer) in &answers {
        told.push_str(&line(name, answer, true).await);
    }
    assert_snapshot!(told, @r#"
    no end: server_error: the answer of URL is broken: it broke off before its end, again
    no events: server_error: the answer of URL is broken: it is empty, again
    cut: server_error: the answer of URL is broken: an event of it ends in the middle: `{"choices": [{"ind`, again
    not an event: server_error: the answer of URL is broken: an event of it is not JSON: `Internal error`, again
    a page as an event: server_error: the answer of URL is broken: an event of it is a web page "Just a moment", again
    null choices: server_error: the answer of URL is broken: it broke off before its end, again
    an error: server_error (HTTP 503): busy, again
    its code as text: rate_limit (HTTP 429): busy, again
    an error under its name: server_error: upstream died, again
    a page: unknown: the answer of URL cannot be read: it is a web page "Just a moment"; is this the address of a chat API?
    "#);
}

#[tokio::test]
async fn a_call_without_an_answer_names_the_stage_and_the_address_once() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let closed = format!("http://{}/v1", listener.local_addr().unwrap());
    drop(listener);
    let mut told = String::new();
    for streamed in [false, true] {
        let error = ask(&closed, streamed).await.unwrap_err();
        told = format!("{}, {}", error.to_string().replace(&closed, "URL"), error.is_retryable_by_default());
        assert_eq!(error.to_string().matches(&closed).count(), 1);
    }
    assert_snapshot!(told, @"unreachable: URL refuses connections: start the server, or check the address, true");
    // Reserved for names that never exist.
    let error = ask("http://chat.invalid/v1", false).await.unwrap_err();
    assert!(error.to_string().starts_with("unreachable: the host of http://chat.invalid/v1 is not found ("), "{error}");
    // The server speaks no TLS.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let plain = format!("https://{}/v1", listener.local_addr().unwrap());
    let served = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await.unwrap();
    });
    let error = ask(&plain, false).await.unwrap_err();
    served.await.unwrap();
    assert!(error.to_string().starts_with("config_error: no TLS connection to https://127.0.0.1:"), "{error}");
    assert!(!error.is_retryable_by_default());
}

#[tokio::test]
async fn the_whole_address_may_be_written() {
    let (url, served) = serve(whole(&json!({"choices": [{"message": {"content": "(f)"}}]}))).await;
    let reply = ask(&format!("{url}/chat/completions"), false).await.unwrap();
    assert_eq!(reply.content, "(f)");
    assert!(served.await.unwrap().head.starts_with("post /v1/chat/completions http"));
    let missing = status("404 Not Found", "{\"error\": {\"message\": \"no such path\"}}");
    let (url, served) = serve(missing).await;
    let error = ask(&format!("{}/api", url.trim_end_matches("/v1")), false).await.unwrap_err();
    served.await.unwrap();
    let told = error.to_string().replace(url.trim_end_matches("/v1"), "HOST");
    assert_snapshot!(told, @"client_error (HTTP 404): no such path; the request went to HOST/api/chat/completions: is this a chat API? Most addresses end in /v1");
}
