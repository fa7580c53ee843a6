use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use super::{Row, row, server, table};

const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
const EVENTS: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
const CHUNK: &str = r#"data: {"choices":[{"index":0,"delta":{"content":"(return 7)"}}]}"#;

/// A run with a server that does this with each request after reading it.
fn asked(name: &'static str, serve: impl Fn(&mut TcpStream) + Send + Sync + 'static) -> Row {
    raw(name, "http", move |stream| {
        request(stream);
        serve(stream);
    })
}

/// The same before anything is read.
fn raw(name: &'static str, scheme: &str, serve: impl Fn(&mut TcpStream) + Send + Sync + 'static) -> Row {
    let port = server(move |mut stream| serve(&mut stream));
    row(name, 1).file("m.toml", "mission = \"Count.\"\nllm_retry = { max_attempts = 1 }\n").args([
        "run",
        "m.toml",
        "--quiet",
        "--llm",
        &format!("{scheme}://127.0.0.1:{port}/v1#m"),
    ])
}

/// A run with a server that answers like this.
fn answered(name: &'static str, status: &'static str, kind: &'static str, body: impl Into<Vec<u8>>) -> Row {
    let body = body.into();
    asked(name, move |stream| {
        let head = format!(
            "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
            body.len()
        );
        write(stream, &[head.as_bytes(), &body].concat());
    })
}

fn json(name: &'static str, body: &str) -> Row {
    answered(name, "200 OK", "application/json", body)
}

/// Read a request up to the end of its body.
pub(crate) fn request(stream: &mut TcpStream) -> String {
    let (mut text, mut piece) = (Vec::new(), [0; 4096]);
    loop {
        let read = stream.read(&mut piece).unwrap_or(0);
        text.extend_from_slice(&piece[..read]);
        let shown = String::from_utf8_lossy(&text);
        let whole = shown.split_once("\r\n\r\n").is_some_and(|(head, body)| {
            let length =
                head.to_lowercase().lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
            body.len() >= length.unwrap_or(0)
        });
        if read == 0 || whole {
            return shown.into_owned();
        }
    }
}

/// The client may be gone.
fn write(stream: &mut TcpStream, bytes: &[u8]) {
    let _ = stream.write_all(bytes);
}

fn silent() {
    std::thread::sleep(Duration::from_secs(600));
}

#[expect(clippy::too_many_lines, reason = "a table")]
fn rows() -> Vec<Row> {
    let error = |text: &str| format!(r#"{{"error":{{"message":"{text}"}}}}"#);
    let json_kind = "application/json";
    let late = ["--timeout", "300ms"];
    vec![
        row("it takes no connection", 1)
            .file(
                "m.toml",
                "mission = \"Count.\"\nllm = \"http://127.0.0.1:1/v1#m\"\nllm_retry = { max_attempts = 1 }\n",
            )
            .args(["run", "m.toml", "--quiet"]),
        raw("it is silent", "http", |_| silent()).args(late),
        asked("it is silent when it was asked", |_| silent()).args(late),
        asked("it sends a head only", |stream| {
            write(stream, &[HEAD, b"content-length: 100\r\n\r\n"].concat());
            silent();
        })
        .args(late),
        asked("it sends half of a head", |stream| {
            write(stream, b"HTTP/1.1 200 OK\r\ncontent-ty");
            silent();
        })
        .args(late),
        asked("it sends blanks one by one", |stream| {
            write(stream, &[HEAD, b"\r\n"].concat());
            while stream.write_all(b" ").is_ok() {
                std::thread::sleep(Duration::from_millis(20));
            }
        })
        .file("m.toml", "mission = \"Count.\"\nmission_timeout = \"400ms\"\n")
        .ends(3),
        asked("it sends blanks without an end", |stream| {
            write(stream, &[HEAD, b"\r\n"].concat());
            while stream.write_all(&[b' '; 4096]).is_ok() {}
        })
        .file("m.toml", "mission = \"Count.\"\nmission_timeout = \"400ms\"\n")
        .ends(3),
        asked("it hangs up", |_| {}),
        asked("it hangs up within its answer", |stream| {
            write(stream, &[HEAD, b"content-length: 1000\r\n\r\n{\"choices\":"].concat());
        }),
        asked("its head never ends", |stream| {
            write(stream, HEAD);
            while stream.write_all(b"x-a: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\r\n").is_ok() {}
        }),
        asked("it speaks another protocol", |stream| write(stream, b"\x00\xff\x1b[31mgarbage\r\n\r\n")),
        raw("it speaks no TLS", "https", |stream| {
            write(stream, b"HTTP/1.1 400 Bad Request\r\n\r\n");
            request(stream);
        }),
        answered("a page of a proxy", "502 Bad Gateway", "text/html", "<html>\x1b[31m<h1>502</h1></html>"),
        answered("a page in place of an answer", "200 OK", "text/html", "<html><h1>Log in</h1></html>"),
        answered("a wrong key", "401 Unauthorized", json_kind, error("bad key")),
        answered("an address that is not there", "404 Not Found", "text/plain", "404 page not found"),
        answered("too many requests", "429 Too Many Requests", json_kind, error("slow down")),
        answered("it fails without a word", "500 Internal Server Error", json_kind, ""),
        answered("it fails with 10 MB of words", "500 Internal Server Error", "text/plain", "x".repeat(10_000_000)),
        asked("it asks to wait for a year", |stream| {
            write(
                stream,
                b"HTTP/1.1 429 No\r\nretry-after: 31536000\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
            );
        })
        .file("m.toml", "mission = \"Count.\"\n"),
        asked("it sends elsewhere", |stream| {
            write(
                stream,
                b"HTTP/1.1 307 Go\r\nlocation: http://192.0.2.1/v1\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
            );
        }),
        asked("it sends in circles", |stream| {
            write(
                stream,
                b"HTTP/1.1 307 Go\r\nlocation: /v1/chat/completions\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
            );
        }),
        json("an empty answer", ""),
        json("half of an answer", r#"{"choices":[{"message":{"cont"#),
        json("no answer in it", r#"{"a":1}"#),
        json("null", "null"),
        json("no choices", r#"{"choices":[]}"#),
        json("a number as content", r#"{"choices":[{"message":{"content":5}}]}"#),
        json("an error with a good status", r#"{"error":{"message":"no \u001b[31m credits","code":402}}"#),
        json("brackets", &"[".repeat(1_000_000)),
        asked("a stream of broken JSON", |stream| {
            write(stream, &[EVENTS, format!("{CHUNK}\n\ndata: {{\"choices\":[\n\n").as_bytes()].concat());
        })
        .args(["--stream"])
        .loud(),
        asked("a stream that breaks off", |stream| write(stream, &[EVENTS, CHUNK.as_bytes(), b"\n\n"].concat()))
            .args(["--stream"])
            .loud(),
        answered("a page in place of a stream", "200 OK", "text/html", "<html></html>").args(["--stream"]).loud(),
    ]
}

#[test]
fn bad_models() {
    insta::assert_snapshot!("models", table(rows()));
}
