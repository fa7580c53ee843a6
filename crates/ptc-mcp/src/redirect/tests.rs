use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use crate::{Access, Server, ServerSpec};

/// A server that answers each request with this head, and what it received.
async fn serving(head: String) -> (u16, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let heard = Arc::new(Mutex::new(Vec::new()));
    let requests = heard.clone();
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut request = Vec::new();
            let mut part = [0; 4096];
            // The header is all that matters here.
            while !String::from_utf8_lossy(&request).contains("\r\n\r\n") {
                match stream.read(&mut part).await {
                    Ok(read) if read > 0 => request.extend_from_slice(&part[..read]),
                    _ => break,
                }
            }
            requests.lock().unwrap().push(String::from_utf8_lossy(&request).to_lowercase());
            let _gone = stream
                .write_all(format!("HTTP/1.1 {head}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").as_bytes())
                .await;
        }
    });
    (port, heard)
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
