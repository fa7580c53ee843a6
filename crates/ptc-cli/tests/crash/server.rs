//! A model behind HTTP that writes step after step of the mission, slowly.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use serde_json::{Value as Json, json};

/// Steps of the mission; the last one returns.
pub(crate) const STEPS: usize = 10;

/// The name under which step `step` keeps its result.
fn program(step: usize) -> String {
    match step {
        STEPS => {
            let names: Vec<String> = (1..STEPS).map(|step| format!("r{step}")).collect();
            format!("(return [{}])", names.join(" "))
        }
        4 => format!("(def r{step} (tool/keep {{:n {step}0}}))"),
        5 => format!("(def r{step} (tool/pay {{:n {step}0}}))"),
        6 => format!("(def r{step} (pmap (fn [i] (tool/reserve {{:n (+ {step}0 i)}})) (range 3)))"),
        7 => format!("(def r{step} (pmap (fn [i] (tool/charge {{:n (+ {step}0 i)}})) (range 3)))"),
        _ if step.is_multiple_of(2) => format!("(def r{step} (tool/reserve {{:n {step}0}}))"),
        _ => format!("(def r{step} (tool/charge {{:n {step}0}}))"),
    }
}

/// The missions of agents that are called, and what they do in two turns.
const BELOW: [(&str, [&str; 2]); 2] = [
    ("Keep 40.", ["(def kept (tool/reserve {:n data/n}))", "(return kept)"]),
    ("Pay 50.", ["(def bill data/n)", "(return (tool/charge {:n bill}))"]),
];

/// What a model says next: the same whenever the request is the same.
fn next(messages: &[Json]) -> String {
    let text =
        |message: &Json| message["content"].as_str().map_or_else(|| message["content"].to_string(), str::to_owned);
    let own = messages.iter().filter(|message| message["role"] == "assistant").map(text);
    let last = own
        .filter_map(|said| said.lines().find_map(|line| line.strip_prefix(";; step ")?.parse().ok()))
        .next_back()
        .unwrap_or(0usize);
    let told = messages.last().map(text).unwrap_or_default();
    let asked = messages.iter().find(|message| message["role"] == "user").map(text).unwrap_or_default();
    if let Some((_, [first, then])) = BELOW.iter().find(|(mission, _)| asked.contains(mission)) {
        let program = if last == 0 { first } else { then };
        return format!("```clojure\n;; step {}\n{program}\n```", last + 1);
    }
    let (step, program) = match told.contains("outcome unknown after a crash") {
        true => (last, format!("(def r{last} :unknown)")),
        false => (last + 1, program(last + 1)),
    };
    format!("```clojure\n;; step {step}\n{program}\n```")
}

/// Start it; it serves as long as this process lives. Returns its address, as `--llm` takes it.
pub(crate) fn start() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1#steps", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // The server continues without a client that was killed.
            std::thread::spawn(move || serve(stream));
        }
    });
    address
}

fn serve(stream: TcpStream) -> Option<()> {
    let mut reader = BufReader::new(stream);
    loop {
        let body = request(&mut reader)?;
        std::thread::sleep(Duration::from_millis(15));
        let message = json!({"role": "assistant", "content": next(body["messages"].as_array()?)});
        let answer = json!({
            "id": "1", "object": "chat.completion", "created": 1, "model": "steps",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        })
        .to_string();
        let head =
            format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n", answer.len());
        reader.get_mut().write_all(format!("{head}{answer}").as_bytes()).ok()?;
    }
}

/// The body of the next request of a connection.
fn request(reader: &mut BufReader<TcpStream>) -> Option<Json> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if line.trim().is_empty() {
            break;
        }
        let (name, value) = line.split_once(':').unwrap_or_default();
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}
