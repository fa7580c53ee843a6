use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use crate::{Access, Server, ServerSpec};

/// A server that answers each request with this head, and what it received.
async fn serving(head: String) -> (u16, Arc<Mutex<Vec<String>>>) {
    answering(move |_| format!("{head}\r\ncontent-length: 0\r\n\r\n")).await
}

/// A server that answers each request so, and what it received in lower case.
async fn answering(answer: impl Fn(&str) -> String + Send + 'static) -> (u16, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let heard = Arc::new(Mutex::new(Vec::new()));
    let requests = heard.clone();
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut request = String::new();
            let mut part = [0; 4096];
            while !is_whole(&request) {
                match stream.read(&mut part).await {
                    Ok(read) if read > 0 => request.push_str(&String::from_utf8_lossy(&part[..read]).to_lowercase()),
                    _ => break,
                }
            }
            let said = answer(&request).replacen("\r\n", "\r\nconnection: close\r\n", 1);
            requests.lock().unwrap().push(request);
            let _gone = stream.write_all(format!("HTTP/1.1 {said}").as_bytes()).await;
        }
    });
    (port, heard)
}

fn is_whole(request: &str) -> bool {
    let Some((head, body)) = request.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    body.len() >= length.map_or(0, |length| length.parse().unwrap())
}

/// Why no connection results, with keys in a header and in the address.
async fn refusal(port: u16) -> String {
    let mut spec = ServerSpec::http("far", format!("http://127.0.0.1:{port}/mcp?key=canary-query"));
    if let Access::Http { headers, .. } = &mut spec.access {
        headers.push(("X-Api-Key".to_owned(), "canary-header".to_owned()));
    }
    Server::connect(spec.timeout(Duration::from_secs(20))).await.map(drop).unwrap_err().to_string()
}

#[tokio::test]
async fn no_redirect_takes_keys_to_another_server() {
    let (other, heard) = serving("404 Not Found".to_owned()).await;
    for status in
        ["301 Moved Permanently", "302 Found", "303 See Other", "307 Temporary Redirect", "308 Permanent Redirect"]
    {
        for host in ["localhost", "127.0.0.1"] {
            let (port, _) = serving(format!("{status}\r\nlocation: http://{host}:{other}/x?key=canary-query")).await;
            let error = refusal(port).await;
            let hosts = format!("127.0.0.1:{port} redirects to {host}:{other}, but the keys");
            assert!(error.contains(&hosts) && !error.contains("canary"), "{status}: {error}");
        }
    }
    assert!(heard.lock().unwrap().is_empty(), "{heard:?}");
}

#[tokio::test]
async fn a_redirect_within_a_server_keeps_its_keys_and_says_nothing_of_where_it_came_from() {
    let (port, heard) = serving("307 Temporary Redirect\r\nlocation: /other".to_owned()).await;
    let error = refusal(port).await;
    assert!(error.contains(&format!("127.0.0.1:{port} redirects too often")), "{error}");
    let heard = heard.lock().unwrap().clone();
    assert!(heard.iter().any(|request| request.starts_with("post /other") && request.contains("canary-header")));
    assert!(!heard.iter().any(|request| request.contains("referer")), "{heard:?}");
    let (port, _) = serving("302 Found\r\nlocation: /other".to_owned()).await;
    let error = refusal(port).await;
    assert!(error.contains("redirects with HTTP 302, after which the request is not repeated as it was"), "{error}");
}

#[tokio::test]
async fn a_call_that_is_redirected_says_where_to() {
    let (other, heard) = serving("404 Not Found".to_owned()).await;
    let (port, _) = answering(move |request| {
        let json = |result: &str| {
            let id = request.split_once("\"id\":").map_or("0", |(_, rest)| rest.split([',', '}']).next().unwrap());
            let body = format!(r#"{{"jsonrpc":"2.0","id":{id},{result}}}"#);
            format!("200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}", body.len())
        };
        match request {
            request if request.contains("\"initialize\"") => json(r#""result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"g","version":"1"}}"#),
            request if request.contains("\"tools/list\"") => json(r#""result":{"tools":[{"name":"pay","inputSchema":{"type":"object"}}]}"#),
            request if request.contains("\"tools/call\"") => format!("307 Temporary Redirect\r\nlocation: http://localhost:{other}/x\r\ncontent-length: 0\r\n\r\n"),
            request if request.contains("\"id\"") => json(r#""error":{"code":-32601,"message":"no such method"}"#),
            request if request.starts_with("get ") => "405 Method Not Allowed\r\ncontent-length: 0\r\n\r\n".to_owned(),
            _ => "202 Accepted\r\ncontent-length: 0\r\n\r\n".to_owned(),
        }
    }).await;
    let server = Server::connect(
        ServerSpec::http("far", format!("http://127.0.0.1:{port}/mcp")).timeout(Duration::from_secs(20)),
    )
    .await
    .unwrap();
    let error = server.call("pay", serde_json::Map::new()).await.unwrap_err();
    let hosts = format!("the MCP server `far`: 127.0.0.1:{port} redirects to localhost:{other}, but the keys");
    assert!(error.message.starts_with(&hosts) && error.may_have_run, "{}", error.message);
    assert!(heard.lock().unwrap().is_empty());
}
