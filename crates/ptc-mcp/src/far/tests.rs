use std::path::PathBuf;

use crate::tests::{call, json, request};
use crate::{Server, ServerSpec, Source, Token};

/// A server over HTTP that accepts only the token in this file, and says so in one of two ways.
async fn guarded(token: PathBuf, refusal: &'static str) -> String {
    use tokio::io::AsyncWriteExt;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let token = token.clone();
            tokio::spawn(async move {
                while let Some((head, body)) = request(&mut stream).await {
                    let asked: serde_json::Value = serde_json::from_str(&body).unwrap_or_default();
                    let wanted = format!("authorization: bearer {}", std::fs::read_to_string(&token).unwrap());
                    let result = match asked["method"].as_str() {
                        Some("initialize") => {
                            r#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"w","version":"1"}}"#
                        }
                        Some("tools/list") => r#"{"tools":[{"name":"pay","inputSchema":{"type":"object"}}]}"#,
                        Some("tools/call") => r#"{"content":[{"type":"text","text":"paid"}]}"#,
                        _ => "",
                    };
                    let answer = match asked.get("id") {
                        _ if !head.to_ascii_lowercase().lines().any(|line| line == wanted) => {
                            format!("HTTP/1.1 401 Unauthorized\r\n{refusal}content-length: 0\r\n\r\n")
                        }
                        None => "HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n".to_owned(),
                        Some(_) if result.is_empty() => {
                            "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n".to_owned()
                        }
                        Some(id) => {
                            let body = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{result}}}");
                            let length = body.len();
                            format!(
                                "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
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
    url
}

#[tokio::test]
async fn a_token_that_expires_is_read_again() {
    for refusal in ["", "www-authenticate: Bearer error=\"invalid_token\"\r\n"] {
        let folder = tempfile::tempdir().unwrap();
        let accept = |token: &str| std::fs::write(folder.path().join("accepted"), token).unwrap();
        let renew = |token: &str| std::fs::write(folder.path().join("token"), token).unwrap();
        accept("first-token");
        renew("first-token");
        let url = guarded(folder.path().join("accepted"), refusal).await;
        let source = Source::new(folder.path().join("g.toml"), folder.path());
        let spec = ServerSpec::http("w", url).source(source).token(Token::File("token".into()));
        let server = Server::connect(spec).await.unwrap();
        assert_eq!(json(call(&server, "w-pay", "{}").await), "\"paid\"");
        // Refused while there is no other token, and made once there is one, on the same connection.
        accept("second-token");
        let refused = call(&server, "w-pay", "{}").await.unwrap_err();
        assert!(refused.message.contains("refuses the token: HTTP 401 Unauthorized"), "{}", refused.message);
        assert!(!refused.may_have_run);
        renew("second-token");
        assert_eq!(json(call(&server, "w-pay", "{}").await), "\"paid\"");
        assert_eq!(json(call(&server, "w-pay", "{}").await), "\"paid\"");
    }
}
