use std::sync::{Arc, Mutex};

use serde_json::{Value as Json, json};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

use crate::tests::{call, json, request};
use crate::{Access, Server, ServerSpec};

/// A server of the older transport, and the heads of what it received.
struct Old {
    url: String,
    heads: Arc<Mutex<Vec<String>>>,
}

/// How it answers what is posted.
const ACCEPTED: &str = "202 Accepted\r\ncontent-length: 8\r\n\r\nAccepted";

impl Old {
    /// `named`: what it names as its endpoint.
    async fn start(named: &'static str, accepted: &'static str) -> Old {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/sse", listener.local_addr().unwrap());
        let heads: Arc<Mutex<Vec<String>>> = Arc::default();
        let (known, events) = (heads.clone(), Arc::new(Mutex::new(None)));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (known, events) = (known.clone(), events.clone());
                tokio::spawn(async move { serve(stream, named, accepted, &known, &events).await });
            }
        });
        Old { url, heads }
    }

    fn spec(&self) -> ServerSpec {
        let headers = vec![("X-Api-Key".to_owned(), "canary-header".to_owned())];
        ServerSpec::new("old", Access::Http { url: self.url.clone(), headers })
    }
}

/// Where the answers go, as long as the stream is open.
type Events = Mutex<Option<mpsc::UnboundedSender<Json>>>;

async fn serve(mut stream: TcpStream, named: &str, accepted: &str, heads: &Mutex<Vec<String>>, events: &Events) {
    let Some((head, body)) = request(&mut stream).await else { return };
    heads.lock().unwrap().push(head.to_lowercase());
    let asked: Json = serde_json::from_str(&body).unwrap_or_default();
    if head.starts_with("GET /sse") {
        let (send, mut answers) = mpsc::unbounded_channel::<Json>();
        *events.lock().unwrap() = Some(send);
        let begin = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n: hello\n\n";
        stream.write_all(format!("{begin}event: endpoint\ndata: {named}\n\n").as_bytes()).await.unwrap();
        while let Some(answer) = answers.recv().await {
            stream.write_all(format!("event: message\ndata: {answer}\n\n").as_bytes()).await.unwrap();
        }
        return;
    }
    if !head.starts_with("POST /messages?session=1 ") {
        let refused = "HTTP/1.1 405 Method Not Allowed\r\nallow: GET\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
        stream.write_all(refused.as_bytes()).await.unwrap();
        return;
    }
    let accepted = accepted.replacen("\r\n", "\r\nconnection: close\r\n", 1);
    stream.write_all(format!("HTTP/1.1 {accepted}").as_bytes()).await.unwrap();
    let result = match asked["method"].as_str().unwrap_or_default() {
        "initialize" => {
            json!({"protocolVersion": "2024-11-05", "capabilities": {"tools": {}}, "serverInfo": {"name": "old", "version": "1"}})
        }
        "tools/list" => {
            let schema = json!({"type": "object"});
            json!({"tools": [{"name": "pay", "inputSchema": schema}, {"name": "end", "inputSchema": schema}]})
        }
        "tools/call" if asked["params"]["name"] == "end" => {
            // The stream ends.
            *events.lock().unwrap() = None;
            return;
        }
        "tools/call" => json!({"content": [{"type": "text", "text": "paid"}]}),
        _ => return,
    };
    let answer = json!({"jsonrpc": "2.0", "id": asked["id"], "result": result});
    let _closed = events.lock().unwrap().as_ref().map(|events| events.send(answer));
}

#[tokio::test]
async fn a_server_that_refuses_the_newer_transport_is_reached_by_the_older_one() {
    for accepted in [
        ACCEPTED,
        "200 OK\r\ncontent-length: 0\r\n\r\n",
        "200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nok",
    ] {
        let old = Old::start("/messages?session=1", accepted).await;
        let server = Server::connect(old.spec()).await.unwrap();
        assert_eq!(json(call(&server, "old-pay", "{}").await), r#""paid""#);
        let heads = old.heads.lock().unwrap().clone();
        assert!(heads.iter().all(|head| head.contains("x-api-key: canary-header")), "{heads:?}");
        assert_eq!(heads.iter().filter(|head| head.starts_with("get ")).count(), 1, "{heads:?}");
    }
}

#[tokio::test]
async fn a_stream_that_ended_is_opened_again_by_the_next_call() {
    let old = Old::start("/messages?session=1", ACCEPTED).await;
    let server = Server::connect(old.spec()).await.unwrap();
    let lost = call(&server, "old-end", "{}").await.unwrap_err();
    assert_eq!(lost.message, "outcome unknown: the MCP server `old` ended during the call");
    assert!(lost.may_have_run);
    assert_eq!(json(call(&server, "old-pay", "{}").await), r#""paid""#);
}

#[tokio::test]
async fn an_endpoint_on_another_server_gets_nothing() {
    let other = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    other.set_nonblocking(true).unwrap();
    let named = format!("http://{}/messages?session=1", other.local_addr().unwrap()).leak();
    let old = Old::start(named, ACCEPTED).await;
    let told = Server::connect(old.spec()).await.map(drop).unwrap_err().to_string();
    let origin = named.trim_end_matches("/messages?session=1");
    assert_eq!(
        told,
        format!(
            "MCP server `old`: its messages are to be sent to {origin}, but the keys of a request are not sent to another server"
        )
    );
    assert!(other.accept().is_err());
}

#[test]
fn an_endpoint_is_an_address_of_the_same_server() {
    let endpoint = |named| super::endpoint("https://me:pw@h.example/a/sse?key=1", named).map(|url| url.to_string());
    assert_eq!(endpoint(" /m?s=1\n").as_deref(), Ok("https://me:pw@h.example/m?s=1"));
    assert_eq!(endpoint("m?s=1").as_deref(), Ok("https://me:pw@h.example/a/m?s=1"));
    assert_eq!(endpoint("?s=1").as_deref(), Ok("https://me:pw@h.example/a/sse?s=1"));
    assert_eq!(endpoint("https://h.example:443/m").as_deref(), Ok("https://h.example/m"));
    for other in ["http://h.example/m", "https://h.example:8443/m", "//g.example/m", "https://g.example/", "file:///m"]
    {
        assert!(endpoint(other).unwrap_err().contains("another server"), "{other}");
    }
}
