//! Lists and answers of servers that are not what they should be: what is wrong is left out, or an error at once.

use super::{call, habit, json, names, refusal, request, spec};
use crate::{Server, ServerSpec};

/// What is left out of a server's list, by tool.
fn left_out(server: &Server) -> Vec<(Option<String>, String)> {
    server.status().left_out.into_iter().map(|one| (one.tool, one.why)).collect()
}

#[tokio::test]
async fn the_second_of_two_tools_with_one_name_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let clash = || habit(&folder, "clash");
    let server = Server::connect(clash()).await.unwrap();
    let why = "`note.append` is called `tool/n-note-append`, too; deny one of them".to_owned();
    assert_eq!(left_out(&server), [(Some("note-append".to_owned()), why)]);
    assert_eq!(names(&server).iter().filter(|name| *name == "n-note-append").count(), 1);
    let server = Server::connect(clash().deny(["note.append"])).await.unwrap();
    assert_eq!(left_out(&server), []);
    assert!(names(&server).contains(&"n-note-append".to_owned()));
}

#[tokio::test]
async fn what_is_wrong_with_a_list_is_left_out_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::connect(habit(&folder, "odd")).await.unwrap();
    assert_eq!(names(&server), ["n-same", "n-raw"]);
    let told = |tool: &str, why: &str| (Some(tool.to_owned()), why.to_owned());
    let unreadable = |why: &str| format!("its description cannot be read: {why}");
    assert_eq!(
        left_out(&server),
        [
            told("bare", &unreadable("missing field `inputSchema`")),
            told("void", &unreadable("invalid type: null, expected a map")),
            (None, unreadable("invalid type: string \"text\", expected struct Tool")),
            (None, "its list of tools names the page \"p2\" twice: what follows was not read".to_owned()),
            told("raw", "it is listed twice, with different descriptions"),
        ]
    );
    let problems = server.status().problems();
    assert_eq!(
        problems[0],
        "MCP server `n`: its tool `bare` is left out: its description cannot be read: missing field `inputSchema`"
    );
}

#[tokio::test]
async fn an_answer_that_cannot_be_read_is_an_error_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::connect(spec(&folder)).await.unwrap();
    let given = async |text: &str| {
        let args = serde_json::json!({"text": text}).to_string();
        call(&server, "n-raw", &args).await
    };
    for (text, why) in [
        ("{\"content\": [], \"structuredContent\": {\"a\": NaN}}", "its answer cannot be read: expected value"),
        ("oh no", "its answer cannot be read: expected value"),
        (
            "{\"structuredContent\": {\"a\": 1, \"a\": 2}}",
            "its structured content cannot be read: an object has a key twice",
        ),
        ("7", "the MCP server `n`: Unexpected response type"),
    ] {
        let failed = given(text).await.unwrap_err();
        assert!(failed.message.contains(why) && failed.may_have_run, "{text}: {failed:?}");
    }
    for (text, read) in [
        (r#"{"content": [{"type": "text", "text": "a\ud83cb"}]}"#, "\"a\u{fffd}b\""),
        (r#"{"content": [{"type": "text", "text": "{\"a\":1,\"a\":2}"}]}"#, r#""{\"a\":1,\"a\":2}""#),
        (r#"{"structuredContent": {"n": 123456789012345678901234567890}}"#, "{:n 123456789012345678901234567890}"),
        (r#"{"content": [{"type": "map", "at": 1}, {"type": "text", "text": "x"}]}"#, r#"[{:type "map" :at 1} "x"]"#),
        (r#"{"content": {"type": "text", "text": "x"}}"#, r#""x""#),
        (r#"{"_meta": {}}"#, "nil"),
    ] {
        let args = serde_json::json!({"text": text}).to_string();
        assert_eq!(call(&server, "n-raw", &args).await.unwrap().to_string(), read, "{text}");
    }
}

/// Endless output of a server, and the error about it.
async fn endless(kind: &'static str, body: &'static str) -> String {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let _asked = stream.read(&mut [0; 1 << 16]).await;
                let head = format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\nconnection: close\r\n\r\n{body}");
                let mut sent = stream.write_all(head.as_bytes()).await;
                while sent.is_ok() {
                    sent = stream.write_all(&[b'x'; 1 << 16]).await;
                }
            });
        }
    });
    refusal(ServerSpec::http("n", url)).await.to_string()
}

#[tokio::test]
async fn what_never_ends_is_not_read_to_the_end() {
    for (kind, body, told) in [
        ("application/json", "{\"a\": \"", "exceeded the maximum size of 16777216 bytes"),
        // It ends like a stream that breaks.
        ("text/event-stream", "data: ", "connection closed"),
    ] {
        let error = endless(kind, body).await;
        assert!(error.contains(told) && error.len() < 1_000, "{kind}: {error}");
    }
}

/// The body of one HTTP request.
async fn requested(stream: &mut tokio::net::TcpStream) -> Option<String> {
    request(stream).await.map(|(_, body)| body)
}

/// A server over HTTP whose answers have this content type, with one tool whose result is this text.
async fn web(kind: &'static str, result: String) -> Server {
    use tokio::io::AsyncWriteExt;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let result = result.clone();
            tokio::spawn(async move {
                while let Some(body) = requested(&mut stream).await {
                    let asked: serde_json::Value = serde_json::from_str(&body).unwrap_or_default();
                    let result = match asked["method"].as_str() {
                        Some("initialize") => {
                            r#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"w","version":"1"}}"#
                        }
                        Some("tools/list") => r#"{"tools":[{"name":"give","inputSchema":{"type":"object"}}]}"#,
                        Some("tools/call") => &result,
                        _ => "",
                    };
                    let answer = match (asked.get("id"), result) {
                        (None, _) => "HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n".to_owned(),
                        (Some(_), "") => "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n".to_owned(),
                        (Some(id), result) => {
                            let message = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{result}}}");
                            let body =
                                if kind == "text/event-stream" { format!("data: {message}\n\n") } else { message };
                            format!(
                                "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n{body}",
                                body.len()
                            )
                        }
                    };
                    if stream.write_all(answer.as_bytes()).await.is_err() {
                        return;
                    }
                }
            });
        }
    });
    Server::connect(ServerSpec::http("w", url)).await.unwrap()
}

#[tokio::test]
async fn an_answer_over_http_that_cannot_be_read_is_an_error_at_once() {
    let nan = r#"{"structuredContent":{"a":NaN}}"#;
    let long = format!(r#"{{"content":[{{"type":"text","text":"{}"}}]}}"#, "x".repeat(17 << 20));
    for (result, why) in [(nan, "expected value"), (long.as_str(), "it has more than 16 MB")] {
        for kind in ["application/json", "text/event-stream"] {
            let server = web(kind, result.to_owned()).await;
            let failed = call(&server, "w-give", "{}").await.unwrap_err();
            let told = "the MCP server `w`: its answer cannot be read: ";
            assert!(failed.message.starts_with(told) && failed.message.contains(why), "{kind}: {}", failed.message);
            assert!(failed.may_have_run && failed.message.len() < 1_000);
        }
    }
    let half = web("text/event-stream", r#"{"content":[{"type":"text","text":"a\udf89"}]}"#.to_owned()).await;
    assert_eq!(json(call(&half, "w-give", "{}").await), "\"a\u{fffd}\"");
}

#[tokio::test]
async fn a_line_that_is_too_long_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let write = |bytes| std::fs::write(folder.path().join("notes.txt"), "x".repeat(bytes)).unwrap();
    let server = Server::connect(spec(&folder)).await.unwrap();
    write(15 << 20);
    assert!(json(call(&server, "n-notes", "{}").await).len() > 15 << 20);
    write(16 << 20);
    let server = Server::connect(spec(&folder)).await.unwrap();
    let lost = call(&server, "n-notes", "{}").await.unwrap_err();
    let told = "the MCP server `n`: its answer cannot be read: it has more than 16 MB";
    assert_eq!((lost.message.as_str(), lost.may_have_run), (told, true));
    // The connection continues.
    assert_eq!(json(call(&server, "n-add", r#"{"firstNumber": 2}"#).await), r#"{"sum":2}"#);
}
