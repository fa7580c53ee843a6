//! Providers that answer calls with prepared answers.

use std::sync::{Arc, Mutex};

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// What the provider received: the head in lower case, and the body.
pub struct Sent {
    pub head: String,
    pub body: Value,
}

/// Answers the first call; returns the address that ends in `/v1`, and what arrives there.
pub async fn serve(answer: String) -> (String, JoinHandle<Sent>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let served = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let sent = receive(&mut stream).await;
        stream.write_all(answer.as_bytes()).await.unwrap();
        stream.shutdown().await.unwrap();
        sent
    });
    (url, served)
}

/// A provider that answers every call.
pub struct Provider {
    /// The address that ends in `/v1`.
    pub url: String,
    sent: Arc<Mutex<Vec<Sent>>>,
    served: JoinHandle<()>,
}

impl Provider {
    /// One that answers each call as this says; a stream was asked for or not.
    pub async fn new(answer: impl Fn(bool) -> Vec<u8> + Send + 'static) -> Provider {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let sent = Arc::new(Mutex::new(Vec::new()));
        let received = Arc::clone(&sent);
        let served = tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let call = receive(&mut stream).await;
                let answer = answer(call.body["stream"] == true);
                received.lock().unwrap().push(call);
                stream.write_all(&answer).await.unwrap();
                stream.shutdown().await.unwrap();
            }
        });
        Provider { url, sent, served }
    }

    /// Whether each call so far asked for a stream.
    pub fn streams(&self) -> Vec<bool> {
        self.sent.lock().unwrap().iter().map(|call| call.body["stream"] == true).collect()
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        self.served.abort();
    }
}

async fn receive(stream: &mut TcpStream) -> Sent {
    let mut bytes = Vec::new();
    loop {
        let mut chunk = [0; 4096];
        let read = stream.read(&mut chunk).await.unwrap();
        assert!(read > 0, "the client hung up early");
        bytes.extend_from_slice(&chunk[..read]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        if let Ok(body) = serde_json::from_str(body) {
            return Sent { head: head.to_ascii_lowercase(), body };
        }
    }
}

/// A whole answer; `extra` is further header lines, each with its line end.
pub fn http(status: &str, kind: &str, extra: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n{extra}\r\n{body}"
    )
}

/// A good answer in JSON.
pub fn json(body: &Value) -> String {
    http("200 OK", "application/json", "", &body.to_string())
}

/// A good answer as a stream of events, each the name of the event, or nothing, and its data.
pub fn stream(events: &[(&str, Value)]) -> String {
    let event = |(name, data): &(&str, Value)| {
        let name = if name.is_empty() { String::new() } else { format!("event: {name}\n") };
        let data = data.as_str().map_or_else(|| data.to_string(), str::to_owned);
        format!("{name}data: {data}\n\n")
    };
    http("200 OK", "text/event-stream", "", &events.iter().map(event).collect::<String>())
}
