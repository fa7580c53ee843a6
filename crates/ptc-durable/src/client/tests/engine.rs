//! A small server that answers like restate-server 1.7 with a worker of the mission `orders`.
//!
//! Its answers were recorded from a real one: a submission of a key that is taken is accepted, with another word;
//! shared handlers are called for any key; an error has its text in `message` and says whether the mission or the
//! engine made it.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};

use serde_json::{Value as Json, json};

/// How a mission ended: its HTTP status code, and its outcome or a message.
type End = (u16, Json);

#[derive(Default)]
struct Mission {
    submission: Json,
    status: Option<Json>,
    decided: Vec<Json>,
    is_cancelled: bool,
    end: Option<End>,
}

#[derive(Default)]
struct State {
    missions: HashMap<String, Mission>,
    workers: Vec<String>,
    requests: Vec<String>,
    /// Connections that are open; they end with the engine.
    open: Vec<TcpStream>,
    is_away: bool,
}

/// The server, as long as this process lives.
#[derive(Clone)]
pub(crate) struct Engine {
    address: SocketAddr,
    state: Arc<(Mutex<State>, Condvar)>,
}

impl Engine {
    pub(crate) fn start() -> Engine {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let engine = Engine { address: listener.local_addr().unwrap(), state: Arc::default() };
        engine.serve_at(listener);
        engine
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What a mission was submitted with.
    pub(crate) fn submission(&self, id: &str) -> Json {
        self.state.0.lock().unwrap().missions[id].submission.clone()
    }

    /// The ids of all missions.
    pub(crate) fn ids(&self) -> Vec<String> {
        self.state.0.lock().unwrap().missions.keys().cloned().collect()
    }

    /// What the worker says about a mission.
    pub(crate) fn set_status(&self, id: &str, status: Json) {
        self.change(id, |mission| mission.status = Some(status));
    }

    pub(crate) fn decided(&self, id: &str) -> Vec<Json> {
        self.state.0.lock().unwrap().missions[id].decided.clone()
    }

    pub(crate) fn is_cancelled(&self, id: &str) -> bool {
        self.state.0.lock().unwrap().missions[id].is_cancelled
    }

    /// It ends with this outcome.
    pub(crate) fn end(&self, id: &str, outcome: Json) {
        self.change(id, |mission| mission.end = Some((200, outcome)));
    }

    /// It ends with an error from its worker.
    pub(crate) fn end_badly(&self, id: &str, status: u16, message: &str) {
        let error = json!({"code": status, "message": message, "source": "invocation"});
        self.change(id, |mission| mission.end = Some((status, error)));
    }

    /// `POST /orders/k1/run/send` and so on, in order.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.state.0.lock().unwrap().requests.clone()
    }

    /// Close all connections and take no more.
    pub(crate) fn go_away(&self) {
        let mut state = self.state.0.lock().unwrap();
        state.is_away = true;
        state.open.drain(..).for_each(|stream| drop(stream.shutdown(std::net::Shutdown::Both)));
        self.state.1.notify_all();
        drop(state);
        // The thread that accepts connections sees that it is over.
        drop(TcpStream::connect(self.address));
    }

    /// Come back at the same address with everything that was stored.
    pub(crate) fn come_back(&self) {
        self.state.0.lock().unwrap().is_away = false;
        let listener = loop {
            if let Ok(listener) = TcpListener::bind(self.address) {
                break listener;
            }
            std::thread::yield_now();
        };
        self.serve_at(listener);
    }

    fn change(&self, id: &str, change: impl FnOnce(&mut Mission)) {
        change(self.state.0.lock().unwrap().missions.get_mut(id).unwrap());
        self.state.1.notify_all();
    }

    fn serve_at(&self, listener: TcpListener) {
        let engine = self.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let mut state = engine.state.0.lock().unwrap();
                if state.is_away {
                    return;
                }
                state.open.extend(stream.try_clone());
                drop(state);
                let engine = engine.clone();
                // The server continues without a client that is gone.
                std::thread::spawn(move || engine.serve(stream));
            }
        });
    }

    fn serve(&self, stream: TcpStream) -> Option<()> {
        let mut reader = BufReader::new(stream);
        let (line, body) = request(&mut reader)?;
        let mut words = line.split(' ');
        let (method, path) = (words.next()?.to_owned(), words.next()?.to_owned());
        self.state.0.lock().unwrap().requests.push(format!("{method} {path}"));
        let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
        let (status, body) = match (method.as_str(), parts.as_slice()) {
            ("GET", ["restate", "workflow", mission, key, "attach"]) => self.attached(&format!("{mission}/{key}"))?,
            _ => self.answer(&method, &parts, body),
        };
        let source = body["source"].as_str().map(|source| format!("x-restate-error-source: {source}\r\n"));
        let (source, body) = (source.unwrap_or_default(), body.to_string());
        let head = format!(
            "HTTP/1.1 {status} some\r\ncontent-type: application/json\r\n{source}connection: close\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        reader.get_mut().write_all(format!("{head}{body}").as_bytes()).ok()
    }

    /// The end of a mission, once there is one; nothing when the engine disappears before.
    fn attached(&self, id: &str) -> Option<End> {
        let mut state = self.state.0.lock().unwrap();
        loop {
            if state.is_away {
                return None;
            }
            match state.missions.get(id) {
                None => return Some((404, json!({"code": 404, "message": "not found", "source": "invocation"}))),
                Some(Mission { end: Some(end), .. }) => return Some(end.clone()),
                Some(_) => state = self.state.1.wait(state).unwrap(),
            }
        }
    }

    fn answer(&self, method: &str, parts: &[&str], body: Json) -> End {
        let mut state = self.state.0.lock().unwrap();
        match (method, parts) {
            // The admin's answer to all of this.
            (_, ["admin", ..]) => (404, Json::Null),
            ("GET", ["restate", "health"]) => (200, json!({"services": ["invoices", "orders", "ptc_limits"]})),
            ("GET", ["restate", "workflow", mission, key, "output"]) => {
                match state.missions.get(&format!("{mission}/{key}")) {
                    None => (404, json!({"code": 404, "message": "invocation not found", "source": "ingress"})),
                    Some(Mission { end: Some(end), .. }) => end.clone(),
                    Some(_) => {
                        let message = "the invocation exists but has not completed yet";
                        (470, json!({"code": 470, "message": message, "source": "ingress"}))
                    }
                }
            }
            ("POST", ["orders", key, "run", "send"]) => {
                let (id, mut word) = (format!("orders/{key}"), "PreviouslyAccepted");
                state.missions.entry(id).or_insert_with(|| {
                    word = "Accepted";
                    Mission { submission: body, ..Mission::default() }
                });
                (202, json!({"invocationId": "inv_1foAirY4KKzi4t7ctqpBdfSUw5OKp8RGmf", "status": word}))
            }
            ("POST", ["orders", key, "status"]) => {
                let id = format!("orders/{key}");
                let begins = json!({"id": id, "state": "submitted", "turns": [], "waiting": []});
                (200, state.missions.get(&id).and_then(|mission| mission.status.clone()).unwrap_or(begins))
            }
            ("POST", ["orders", key, "approve"]) => {
                let error = |code: u16, message: &str| {
                    (code, json!({"code": code, "message": message, "source": "invocation"}))
                };
                let Some(mission) = state.missions.get_mut(&format!("orders/{key}")) else {
                    return error(404, "nothing waits");
                };
                let waits = mission.status.iter().flat_map(|status| status["waiting"].as_array().into_iter().flatten());
                if !waits.clone().any(|waiting| waiting["id"] == body["call"]) {
                    return error(404, "nothing waits");
                }
                if mission.decided.iter().any(|answer| answer["call"] == body["call"]) {
                    return error(409, "it was decided before");
                }
                mission.decided.push(body.clone());
                (200, json!({"id": body["call"], "decided": true}))
            }
            ("POST", ["orders", key, "cancel"]) => match state.missions.get_mut(&format!("orders/{key}")) {
                Some(mission) if mission.status.is_some() => {
                    mission.is_cancelled = true;
                    (200, json!({"cancelled": true}))
                }
                _ => {
                    let message = "no worker has started this mission";
                    (404, json!({"code": 404, "message": message, "source": "invocation"}))
                }
            },
            ("POST", ["deployments"]) => {
                let worker = body["uri"].as_str().unwrap().to_owned();
                if !worker.starts_with("http://127.0.0.1:") {
                    let message = format!("[META0003] error when calling '{worker}': Connection refused");
                    return (500, json!({"message": message, "restate_code": "META0003"}));
                }
                let is_known = state.workers.contains(&worker);
                state.workers.push(worker);
                let services = json!([{"name": "orders", "ty": "Workflow", "handlers": []}]);
                (if is_known { 200 } else { 201 }, json!({"id": "dp_12o61bGvErNeu7g4Dz5jPFL", "services": services}))
            }
            ("POST", [mission, _, "run", "send"] | [mission, _, _]) => {
                let message =
                    format!("service '{mission}' not found, make sure to register the service before calling it.");
                (404, json!({"code": 404, "message": message, "source": "ingress"}))
            }
            _ => (400, json!({"code": 400, "message": format!("bad path: /{}", parts.join("/")), "source": "ingress"})),
        }
    }
}

/// The first line and the body of a request.
fn request(reader: &mut BufReader<TcpStream>) -> Option<(String, Json)> {
    let (mut first, mut length) = (String::new(), 0);
    reader.read_line(&mut first).ok()?;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        match line.trim().to_lowercase().split_once(": ") {
            Some(("content-length", value)) => length = value.parse().ok()?,
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((first, serde_json::from_slice(&body).unwrap_or_default()))
}
