use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::*;
use crate::testing::gateway;

/// A gateway with room for `max_sessions` clients; it stops when the token is dropped.
async fn served(folder: &std::path::Path, max_sessions: usize) -> (SocketAddr, tokio_util::sync::DropGuard) {
    let gateway = gateway(folder, &format!("max_sessions = {max_sessions}")).await;
    serving(McpServer::new(gateway).unwrap()).await
}

/// The address of this server, which stops when the token is dropped.
async fn serving(server: McpServer) -> (SocketAddr, tokio_util::sync::DropGuard) {
    let (ready, address) = tokio::sync::oneshot::channel();
    let stop = CancellationToken::new();
    tokio::spawn(server.http(([127, 0, 0, 1], 0).into(), stop.clone(), |address| ready.send(address).unwrap()));
    (address.await.unwrap(), stop.drop_guard())
}

/// The head and the body of the answer to this request.
async fn sent(address: SocketAddr, request: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut said = String::new();
    stream.read_to_string(&mut said).await.unwrap();
    said
}

/// An `initialize` with these lines in its header.
fn initialize(path: &str, header: &str) -> String {
    let params =
        json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}).to_string();
    format!(
        "POST {path} HTTP/1.1\r\n{header}connection: close\r\ncontent-length: {}\r\naccept: application/json, text/event-stream\r\ncontent-type: application/json\r\n\r\n{body}",
        body.len()
    )
}

fn status(said: &str) -> &str {
    said.split(' ').nth(1).unwrap_or(said)
}

#[tokio::test]
async fn a_session_that_is_deleted_has_ended() {
    let folder = tempfile::tempdir().unwrap();
    let (address, _stop) = served(folder.path(), 10).await;
    let begun = sent(address, &initialize("/mcp", "host: localhost\r\n")).await;
    let id = begun.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).unwrap();
    let delete =
        format!("DELETE /mcp HTTP/1.1\r\nhost: localhost\r\nmcp-session-id: {id}\r\nconnection: close\r\n\r\n");
    assert_eq!(status(&sent(address, &delete).await), "200");
}

#[tokio::test]
async fn only_its_path_and_its_own_pages_reach_the_gateway() {
    let folder = tempfile::tempdir().unwrap();
    let (address, _stop) = served(folder.path(), 10).await;
    let port = address.port();
    let check = async |path: &str, header: &str| {
        let host = if header.starts_with("host:") { "" } else { "host: localhost\r\n" };
        status(&sent(address, &initialize(path, &format!("{host}{header}"))).await).to_owned()
    };
    assert_eq!(check("/mcp", "").await, "200");
    for path in ["/", "/x", "/mcp/", "/mcp/../mcp", "//mcp"] {
        assert_eq!(check(path, "").await, "404", "{path}");
    }
    assert_eq!(check("/health", "").await, "200");
    assert_eq!(check("/mcp", "host: evil.example\r\n").await, "403");
    for host in ["localhost", "127.0.0.1", "[::1]"] {
        assert_eq!(check("/mcp", &format!("origin: http://{host}:{port}\r\n")).await, "200", "{host}");
        for origin in [
            format!("http://{host}:{}", port ^ 1),
            format!("http://{host}"),
            format!("https://{host}:{port}"),
            format!("http://{host}.evil.example:{port}"),
        ] {
            assert_eq!(check("/mcp", &format!("origin: {origin}\r\n")).await, "403", "{origin}");
        }
    }
    assert_eq!(check("/mcp", "origin: null\r\n").await, "403");
}

/// The answer to a GET with these lines in its header.
async fn got(address: SocketAddr, path: &str, header: &str) -> String {
    sent(address, &format!("GET {path} HTTP/1.1\r\n{header}connection: close\r\n\r\n")).await
}

#[tokio::test]
async fn those_who_watch_see_servers_and_counts() {
    let folder = tempfile::tempdir().unwrap();
    let more = "[mcp.gone]\ncommand = [\"sh\", \"-c\", \"echo canary >&2; exit 1\"]\n";
    let gateway = gateway(folder.path(), more).await;
    crate::testing::report(&gateway, "(tool/look {:n 1})", None).await;
    let (address, _stop) = serving(McpServer::new(gateway).unwrap()).await;
    let here = format!("host: localhost:{}\r\n", address.port());
    let health = got(address, "/health", &here).await;
    let body: serde_json::Value = serde_json::from_str(health.split_once("\r\n\r\n").unwrap().1).unwrap();
    let gone = json!({"name": "gone", "state": "failed", "tools": 0, "since": null});
    assert_eq!(body, json!({"status": "degraded", "servers": [gone], "programs": 0}));
    let metrics = got(address, "/metrics", &here).await;
    assert!(metrics.contains("content-type: application/openmetrics-text; version=1.0.0"), "{metrics}");
    for line in [
        "ptc_programs_total{outcome=\"ok\"} 1\n",
        "ptc_calls_total{server=\"\",outcome=\"ok\"} 1\n",
        "ptc_server_up{server=\"gone\"} 0\n",
    ] {
        assert!(metrics.contains(line), "{metrics}");
    }
    assert!(!(health + &metrics).contains("canary"));
    // Like a page that has given this machine another name.
    let page = "host: evil.example\r\n";
    assert_eq!(status(&got(address, "/metrics", page).await), "403");
    assert!(got(address, "/health", page).await.ends_with("\r\n\r\nok"));
    assert_eq!(status(&got(address, "/metrics", &format!("{here}origin: http://evil.example\r\n")).await), "403");
}

#[tokio::test]
async fn clients_beyond_the_bound_are_refused_and_take_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (address, _stop) = served(folder.path(), 20).await;
    let request = initialize("/mcp", "host: localhost\r\n");
    for _ in 0..20 {
        assert_eq!(status(&sent(address, &request).await), "200");
    }
    // That each takes one place is checked with the sessions alone.
    for _ in 20..100 {
        let said = sent(address, &request).await;
        assert!(status(&said) == "503" && said.contains("all 20 sessions are in use (`max_sessions`"), "{said}");
    }
}

#[tokio::test(start_paused = true)]
async fn connections_that_send_nothing_are_closed() {
    let folder = tempfile::tempdir().unwrap();
    let (address, _stop) = served(folder.path(), 10).await;
    let head = "POST /mcp HTTP/1.1\r\nhost: localhost\r\n";
    // Nothing, a part of a header, and a header without its body: the clock of the test moves when all tasks wait.
    for (sent_so_far, expected) in [
        (String::new(), ""),
        (head.to_owned(), ""),
        (format!("{head}content-type: application/json\r\ncontent-length: 9\r\n\r\n{{"), "HTTP/1.1 408"),
    ] {
        let said = tokio::time::timeout(2 * ARRIVES, sent(address, &sent_so_far)).await.expect("it is closed");
        assert!(
            said.starts_with(expected) && (expected.is_empty() == said.is_empty() || said.contains("408")),
            "{said}"
        );
    }
}

#[tokio::test]
async fn with_tokens_only_their_clients_are_served_under_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let gateway = gateway(folder.path(), "").await;
    let (ready, address) = tokio::sync::oneshot::channel();
    let stop = CancellationToken::new();
    let tokens = Tokens::from_text("t", "ci: aaaaaaaaaaaaaaaa\nann: bbbbbbbbbbbbbbbb\n").unwrap();
    let server = McpServer::new(gateway).unwrap().tokens(tokens);
    // Bound where other machines could reach it, too.
    tokio::spawn(server.http(([0, 0, 0, 0], 0).into(), stop.clone(), |address| ready.send(address).unwrap()));
    let _stop = stop.drop_guard();
    let address = SocketAddr::from(([127, 0, 0, 1], address.await.unwrap().port()));
    let bearer = |token: &str| format!("host: gateway.example\r\nauthorization: Bearer {token}\r\n");
    for header in ["host: localhost\r\n".to_owned(), bearer("aaaaaaaaaaaaaaab"), bearer("ci"), bearer("")] {
        let said = sent(address, &initialize("/mcp", &header)).await;
        assert!(status(&said) == "401" && said.contains("www-authenticate: Bearer realm="), "{header}: {said}");
        assert!(!said.contains("mcp-session-id"), "{said}");
    }
    // The name of its token counts, whatever a client calls itself.
    for (token, name) in [("aaaaaaaaaaaaaaaa", "ci"), ("bbbbbbbbbbbbbbbb", "ann")] {
        let said = sent(address, &initialize("/mcp", &bearer(token))).await;
        assert_eq!(status(&said), "200", "{said}");
        let session = said.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).unwrap().to_owned();
        let run = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "run_program", "arguments": {"program": format!("\"{name}\"")}}});
        for body in [json!({"jsonrpc": "2.0", "method": "notifications/initialized"}), run] {
            let body = body.to_string();
            let header = bearer(token);
            let request = format!(
                "POST /mcp HTTP/1.1\r\n{header}mcp-session-id: {session}\r\nmcp-protocol-version: 2025-06-18\r\nconnection: close\r\ncontent-length: {}\r\naccept: application/json, text/event-stream\r\ncontent-type: application/json\r\n\r\n{body}",
                body.len()
            );
            let said = sent(address, &request).await;
            assert!(status(&said).starts_with("20"), "{said}");
        }
        let log = crate::testing::audit(folder.path());
        let clients: Vec<&str> = log.iter().filter_map(|line| line["client"].as_str()).collect();
        assert_eq!(clients.last(), Some(&name), "{log:?}");
    }
    assert_eq!(status(&got(address, "/metrics", &bearer("aaaaaaaaaaaaaaaa")).await), "200");
    assert!(got(address, "/health", &bearer("aaaaaaaaaaaaaaaa")).await.contains("\"status\":\"ok\""));
    assert_eq!(status(&got(address, "/metrics", &bearer("aaaaaaaaaaaaaaab")).await), "401");
    assert!(got(address, "/health", "host: x\r\n").await.ends_with("\r\n\r\nok"));
    let origin = format!("{}origin: http://evil.example\r\n", bearer("aaaaaaaaaaaaaaaa"));
    assert_eq!(status(&sent(address, &initialize("/mcp", &origin)).await), "403");
}

#[tokio::test]
async fn no_address_of_other_machines_is_served_without_tokens() {
    let folder = tempfile::tempdir().unwrap();
    let gateway = gateway(folder.path(), "").await;
    for address in [([0, 0, 0, 0], 0).into(), SocketAddr::from(([192, 0, 2, 1], 0))] {
        let server = McpServer::new(gateway.clone()).unwrap();
        let refused = server.http(address, CancellationToken::new(), |_| ()).await.unwrap_err().to_string();
        assert!(refused.contains(&address.to_string()) && refused.contains("--token-file"), "{refused}");
    }
}

#[tokio::test]
async fn clients_have_their_own_tools_and_number_of_requests() {
    let folder = tempfile::tempdir().unwrap();
    let rules = "client_requests = 3\n[policy.ci]\ndecide = \"deny\"\nclient = \"ci\"\ntool = \"pay\"\n";
    let gateway = gateway(folder.path(), rules).await;
    let tokens = Tokens::from_text("tokens", "ci: 0123456789abcdef0\nann: 0123456789abcdef1\n").unwrap();
    let (address, _stop) = serving(McpServer::new(gateway).unwrap().tokens(tokens)).await;
    let list = async |token: &str, name: &str| {
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": {"name": name, "version": "1"},
        });
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": meta}}).to_string();
        let head = format!(
            "POST /mcp HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\nmcp-protocol-version: 2026-07-28\r\n\
             mcp-method: tools/list\r\nconnection: close\r\ncontent-length: {}\r\n\
             accept: application/json, text/event-stream\r\ncontent-type: application/json\r\n\r\n",
            body.len()
        );
        sent(address, &(head + &body)).await
    };
    // A token says who it is, not what the client calls itself.
    let of_ci = list("0123456789abcdef0", "ann").await;
    assert!(of_ci.contains("tool/look(") && !of_ci.contains("tool/pay("), "{of_ci}");
    let of_ann = list("0123456789abcdef1", "ci").await;
    assert!(of_ann.contains("tool/look(") && of_ann.contains("tool/pay("), "{of_ann}");
    for _ in 0..2 {
        assert_eq!(status(&list("0123456789abcdef0", "ci").await), "200");
    }
    let refused = list("0123456789abcdef0", "ci").await;
    assert!(
        status(&refused) == "429" && refused.contains("\r\nretry-after: ") && refused.contains("client_requests"),
        "{refused}"
    );
    assert_eq!(status(&list("0123456789abcdef1", "ann").await), "200");
}
