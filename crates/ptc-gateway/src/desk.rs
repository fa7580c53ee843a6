//! What servers ask and log during calls of a program, on its way to the client of the program.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use indexmap::IndexMap;
use ptc_lisp::BoxFuture;
use ptc_mcp::Caller;
use serde_json::{Value as Json, json};
use tokio::sync::{Notify, mpsc, oneshot};

use crate::ask::lock;
use crate::attachments::Attachments;
use crate::report::put;

/// Lines of logs that wait for a client; further ones are lost.
const MAX_LINES: usize = 100;

/// Requests of servers that one program may have open.
const MAX_OPEN: usize = 20;

/// The key of a request of a server begins so, where clients answer by keys.
const KEY: &str = "server-";

/// A request of a server, which waits for the answer of a client.
#[derive(Debug, Clone)]
pub(crate) struct Forwarded {
    /// Its key in its program.
    pub key: String,
    /// The request of the protocol.
    pub request: Json,
}

/// The desk of a program: servers leave requests there, and the clients that follow the program answer them.
pub(crate) struct Desk {
    program: String,
    client: String,
    attachments: Arc<Attachments>,
    open: Mutex<Open>,
    /// A request came or went.
    changed: Notify,
    /// Connections of clients that read logs.
    lines: Mutex<HashMap<usize, mpsc::Sender<Json>>>,
}

#[derive(Default)]
struct Open {
    number: u64,
    requests: IndexMap<String, (Json, oneshot::Sender<Result<Json, String>>)>,
}

impl Desk {
    /// The desk of this program of a client.
    pub fn new(program: String, client: &str, attachments: Arc<Attachments>) -> Desk {
        Desk {
            program,
            client: client.to_owned(),
            attachments,
            open: Mutex::default(),
            changed: Notify::new(),
            lines: Mutex::default(),
        }
    }

    /// The requests that wait for an answer, except these.
    pub fn waiting(&self, known: &[String]) -> Vec<Forwarded> {
        let open = lock(&self.open);
        let waiting = open.requests.iter().filter(|(key, _)| !known.contains(key));
        waiting.map(|(key, (request, _))| Forwarded { key: key.clone(), request: request.clone() }).collect()
    }

    /// The same, once there are some.
    pub async fn next(&self, known: &[String]) -> Vec<Forwarded> {
        loop {
            let changed = self.changed.notified();
            let mut changed = std::pin::pin!(changed);
            changed.as_mut().enable();
            let waiting = self.waiting(known);
            if !waiting.is_empty() {
                return waiting;
            }
            changed.await;
        }
    }

    /// Give the answer to a request, or the reason that it gets none. A request that has been taken away stays so.
    pub fn answer(&self, key: &str, answer: Result<Json, String>) {
        let open = lock(&self.open).requests.shift_remove(key);
        if let Some((_, sender)) = open {
            // Nobody waits any more.
            let _late = sender.send(answer);
        }
    }

    /// Wait until a request has been answered or taken away.
    pub async fn gone(&self, key: &str) {
        loop {
            let changed = self.changed.notified();
            let mut changed = std::pin::pin!(changed);
            changed.as_mut().enable();
            if !lock(&self.open).requests.contains_key(key) {
                return;
            }
            changed.await;
        }
    }

    /// What servers log from now on, for a connection: it ends with the desk, or when the connection reads again.
    pub fn lines(&self, connection: usize) -> mpsc::Receiver<Json> {
        let (sender, receiver) = mpsc::channel(MAX_LINES);
        lock(&self.lines).insert(connection, sender);
        receiver
    }
}

/// A request on the desk. It is taken away when its server stops waiting for the answer.
struct Laid<'d> {
    desk: &'d Desk,
    key: String,
}

impl Drop for Laid<'_> {
    fn drop(&mut self) {
        lock(&self.desk.open).requests.shift_remove(&self.key);
        self.desk.changed.notify_waiters();
    }
}

impl Caller for Desk {
    fn name(&self) -> &str {
        &self.program
    }

    fn reader(&self) -> &str {
        &self.client
    }

    fn keep(&self, block: Json) -> String {
        self.attachments.keep(block)
    }

    fn answer<'a>(&'a self, server: &'a str, mut request: Json) -> BoxFuture<'a, Result<Json, String>> {
        Box::pin(async move {
            // A user must know who asks.
            let message = request.pointer("/params/message").and_then(Json::as_str);
            if let Some(message) = message.map(|text| format!("The MCP server {server} asks: {text}"))
                && let Some(params) = request.get_mut("params")
            {
                put(params, "message", json!(message));
            }
            let (sender, receiver) = oneshot::channel();
            let laid = {
                let mut open = lock(&self.open);
                if open.requests.len() >= MAX_OPEN {
                    return Err(format!("a program answers at most {MAX_OPEN} requests of servers at once"));
                }
                open.number += 1;
                let key = format!("{KEY}{}", open.number);
                open.requests.insert(key.clone(), (request, sender));
                Laid { desk: self, key }
            };
            self.changed.notify_waiters();
            let answer = receiver.await;
            drop(laid);
            answer.unwrap_or_else(|_| Err("the program has ended".to_owned()))
        })
    }

    fn logged(&self, server: &str, mut message: Json) {
        let logger = message.get("logger").and_then(Json::as_str).map(|logger| format!("{server}/{logger}"));
        put(&mut message, "logger", json!(logger.as_deref().unwrap_or(server)));
        // A client that reads too slowly, or no longer, loses only this.
        lock(&self.lines).values().for_each(|reader| drop(reader.try_send(message.clone())));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(n: usize) -> Json {
        json!({"method": "roots/list", "params": {"n": n}})
    }

    #[tokio::test]
    async fn requests_wait_until_they_are_answered_or_given_up() {
        let desk = Arc::new(Desk::new("p/1".to_owned(), "c", Arc::default()));
        let asks = |n| {
            let desk = desk.clone();
            tokio::spawn(async move { Caller::answer(&*desk, "s", request(n)).await })
        };
        let first = asks(1);
        let [known] = &desk.next(&[]).await[..] else { panic!("one waits") };
        let second = asks(2);
        let [other] = &desk.next(std::slice::from_ref(&known.key)).await[..] else { panic!("one is new") };
        assert_eq!((&known.request, &other.request), (&request(1), &request(2)));
        desk.answer(&known.key, Ok(json!("yes")));
        assert_eq!(first.await.unwrap(), Ok(json!("yes")));
        second.abort();
        assert!(second.await.unwrap_err().is_cancelled());
        assert!(desk.waiting(&[]).is_empty());
    }

    #[tokio::test]
    async fn only_so_many_requests_wait() {
        let desk = Desk::new("p/1".to_owned(), "c", Arc::default());
        let ask = |n| Caller::answer(&desk, "s", request(n));
        let mut open: Vec<_> = (0..MAX_OPEN).map(ask).collect();
        for asked in &mut open {
            assert!(futures::poll!(asked.as_mut()).is_pending());
        }
        assert!(ask(MAX_OPEN).await.unwrap_err().contains("at most 20"));
    }
}
