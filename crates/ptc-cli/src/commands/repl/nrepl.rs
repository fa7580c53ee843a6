//! A prompt for editors: the part of nREPL that Calva and CIDER need. All clients share one session of the language, as
//! namespaces are shared there; their sessions are only names.

use std::fs;
use std::io::{BufReader, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use ptc_runner::lisp::{Ending, Outcome, Reason, look_up};

use super::bencode::Bencode;
use super::names::Names;
use super::running;
use super::state::State;
use crate::failure::{Exit, Failure, FileFailure};
use crate::output::{self, Source};

/// Where editors look for the port.
const PORT_FILE: &str = ".nrepl-port";

/// Bytes of a message.
const MAX_MESSAGE: u64 = 16 << 20;

/// How long a client may take to read what it is sent.
const PATIENCE: Duration = Duration::from_secs(10);

/// How often it is noticed that the command is to end.
const LOOK: Duration = Duration::from_millis(100);

/// Answers a message.
type Handler = fn(&Bencode, Reply, &Shared);

/// What clients may ask, and what answers it.
const OPS: [(&str, Handler); 11] = [
    ("clone", clone),
    ("close", |_, reply, _| reply.done(&["session-closed"])),
    ("complete", complete),
    ("completions", complete),
    ("describe", describe),
    ("eldoc", |message, reply, shared| told(&reply, about(message, shared).map(About::eldoc))),
    ("eval", |message, reply, shared| start(message, "code", reply, shared)),
    ("info", |message, reply, shared| told(&reply, about(message, shared).map(About::entries))),
    ("interrupt", interrupt),
    ("load-file", |message, reply, shared| start(message, "file", reply, shared)),
    ("lookup", |message, reply, shared| {
        told(&reply, about(message, shared).map(|about| [("info", about.entries().into())]));
    }),
];

/// What the threads of clients share with the one that runs programs.
struct Shared {
    names: Mutex<Names>,
    is_running: AtomicBool,
    programs: Sender<Program>,
}

/// A program that a client wants to run.
struct Program {
    source: Source,
    reply: Reply,
}

/// Where the answers to a message go.
#[derive(Clone)]
struct Reply {
    stream: Arc<Mutex<TcpStream>>,
    /// What each answer repeats.
    id: Vec<(String, Bencode)>,
}

impl Reply {
    fn send<const N: usize>(&self, entries: [(&str, Bencode); N]) {
        let entries = entries.map(|(key, value)| (key.to_owned(), value)).into_iter().chain(self.id.clone());
        let mut bytes = Vec::new();
        Bencode::Dict(entries.collect()).write(&mut bytes);
        let mut stream = locked(&self.stream);
        if stream.write_all(&bytes).is_err() {
            // It went away, or does not read: nothing waits for it again.
            let _gone = stream.shutdown(Shutdown::Both);
        }
    }

    fn done(&self, more: &[&str]) {
        let words = more.iter().chain(&["done"]).map(|word| Bencode::from(*word));
        self.send([("status", Bencode::List(words.collect()))]);
    }
}

/// Serve editors at this port of the machine, 0 for any, until a signal ends the command.
pub(super) fn run(state: &mut State, port: u16) -> Result<Exit, Failure> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    let listener = listener.map_err(|error| format!("cannot listen at port {port} of this machine: {error}"))?;
    let port = listener.local_addr().map_err(|error| error.to_string())?.port();
    let (programs, next) = mpsc::channel();
    let names = Mutex::new(state.names.clone());
    let shared = Arc::new(Shared { names, is_running: AtomicBool::new(false), programs });
    // A signal that comes before the file is there ends the command without it.
    running::stand_by();
    let _file = PortFile::write(port)?;
    output::print(|out| {
        writeln!(out, "nREPL server started on port {port} on host 127.0.0.1 - nrepl://127.0.0.1:{port}")
    })?;
    let clients = Arc::clone(&shared);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let shared = Arc::clone(&clients);
            thread::spawn(move || serve(stream, &shared));
        }
    });
    loop {
        match next.recv_timeout(LOOK) {
            Ok(program) => evaluate(state, &shared, &program)?,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(Exit::Ok),
        }
        if let Some(exit) = state.ended() {
            return Ok(exit);
        }
    }
}

/// The file with the port, for as long as the command runs.
struct PortFile(PathBuf);

impl PortFile {
    fn write(port: u16) -> Result<PortFile, Failure> {
        let file = PathBuf::from(PORT_FILE);
        fs::write(&file, port.to_string()).map_err(|source| FileFailure::Unwritable { path: file.clone(), source })?;
        Ok(PortFile(file))
    }
}

impl Drop for PortFile {
    fn drop(&mut self) {
        // It may be gone.
        let _gone = fs::remove_file(&self.0);
    }
}

/// Run a program, and answer with what it printed, its value, or what is wrong with it.
fn evaluate(state: &mut State, shared: &Shared, program: &Program) -> Result<(), Failure> {
    let Program { source, reply } = program;
    shared.is_running.store(true, Ordering::SeqCst);
    let out = reply.clone();
    let outcome = state.execute(&source.text, &mut |line| out.send([("out", format!("{line}\n").into())]));
    shared.is_running.store(false, Ordering::SeqCst);
    running::stand_by();
    locked(&shared.names).clone_from(&state.names);
    let warnings = output::warning_text(source, &outcome.warnings);
    if !warnings.is_empty() {
        reply.send([("err", warnings.into())]);
    }
    match &outcome.ending {
        Ending::Value(value) | Ending::Return(value) => {
            reply.send([("value", output::clojure(value).into()), ("ns", "user".into())]);
            state.keep()?;
            reply.done(&[]);
        }
        Ending::Fail(value) => refused(reply, &format!("failed: {}\n", output::clojure(value)), "fail"),
        _ => failed(reply, source, &outcome),
    }
    Ok(())
}

fn failed(reply: &Reply, source: &Source, outcome: &Outcome) {
    let problem = outcome.problems().first();
    if problem.is_some_and(|problem| problem.reason == Reason::Cancelled) {
        return reply.done(&["interrupted"]);
    }
    let code = problem.map_or("error", |problem| problem.reason.as_str());
    refused(reply, &output::problem_text(source, outcome.problems()), code);
}

fn refused(reply: &Reply, text: &str, code: &str) {
    reply.send([("err", text.into())]);
    let status = Bencode::List(vec!["eval-error".into()]);
    reply.send([("ex", code.into()), ("root-ex", code.into()), ("status", status)]);
    reply.done(&[]);
}

/// Answer the messages of a client until it goes away, or sends something else.
fn serve(stream: TcpStream, shared: &Shared) {
    let Ok(written) = stream.try_clone() else { return };
    if written.set_write_timeout(Some(PATIENCE)).is_err() {
        return;
    }
    let stream_out = Arc::new(Mutex::new(written));
    let mut input = BufReader::new(stream);
    while let Ok(Some(message)) = Bencode::read(&mut input, MAX_MESSAGE) {
        let known = ["id", "session"].into_iter().filter_map(|key| Some((key.to_owned(), message.get(key)?.clone())));
        answer(&message, Reply { stream: Arc::clone(&stream_out), id: known.collect() }, shared);
    }
}

fn answer(message: &Bencode, reply: Reply, shared: &Shared) {
    let op = message.text("op").unwrap_or_default();
    match OPS.iter().find(|(name, _)| *name == op) {
        Some((_, handle)) => handle(message, reply, shared),
        None => reply.done(&["error", "unknown-op"]),
    }
}

/// Another session: only a name.
fn clone(_: &Bencode, reply: Reply, _: &Shared) {
    reply.send([("new-session", uuid::Uuid::new_v4().to_string().into())]);
    reply.done(&[]);
}

fn describe(_: &Bencode, reply: Reply, _: &Shared) {
    let ops = OPS.map(|(op, _)| (op, Bencode::Dict([].into())));
    let version = |text: &str| Bencode::from([("version-string", text.into())]);
    let versions = [("nrepl", version("1.3.0")), ("ptc", version(env!("CARGO_PKG_VERSION")))];
    reply.send([("ops", ops.into()), ("versions", versions.into()), ("aux", Bencode::Dict([].into()))]);
    reply.done(&[]);
}

fn interrupt(_: &Bencode, reply: Reply, shared: &Shared) {
    match shared.is_running.load(Ordering::SeqCst) && running::interrupt() {
        true => reply.done(&[]),
        false => reply.done(&["session-idle"]),
    }
}

fn complete(message: &Bencode, reply: Reply, shared: &Shared) {
    let prefix = word(message, &["prefix", "symbol"]);
    reply.send([("completions", completions(&locked(&shared.names), prefix))]);
    reply.done(&[]);
}

/// Begin a program of a client: the text under this key.
fn start(message: &Bencode, key: &str, reply: Reply, shared: &Shared) {
    let Some(text) = message.text(key) else { return reply.done(&["error", "no-code"]) };
    let name =
        ["file-path", "file-name", "file"].iter().filter(|name| **name != key).find_map(|name| message.text(name));
    let source = Source { name: name.unwrap_or("input").to_owned(), text: text.to_owned() };
    // Without a receiver the command is about to end.
    let _ending = shared.programs.send(Program { source, reply });
}

/// The first text under one of these keys.
fn word<'m>(message: &'m Bencode, keys: &[&str]) -> &'m str {
    keys.iter().find_map(|key| message.text(key)).unwrap_or_default()
}

fn completions(names: &Names, prefix: &str) -> Bencode {
    let is_keyword = prefix.starts_with(':');
    let found = if is_keyword { names.keywords_beginning(prefix) } else { names.beginning(prefix) };
    let kind = if is_keyword { "keyword" } else { "function" };
    Bencode::List(found.into_iter().map(|name| [("candidate", name.into()), ("type", kind.into())].into()).collect())
}

/// What is known of a name.
struct About {
    name: String,
    /// Lists of parameters, as `[x & more]`.
    params: Vec<String>,
    doc: String,
}

/// What is known of the name that a message asks about.
fn about(message: &Bencode, shared: &Shared) -> Option<About> {
    let name = word(message, &["sym", "symbol"]);
    if let Ok(entry) = look_up(name) {
        let params = entry.params.iter().map(ToString::to_string).collect();
        return Some(About { name: entry.name.to_owned(), params, doc: entry.doc });
    }
    let names = locked(&shared.names);
    let named = names.get(name)?;
    // `(area w h)` and so on: the lists without the name.
    let calls = named.usage.split("  ").filter_map(|call| call.strip_prefix('(')?.strip_suffix(')'));
    let params = calls.map(|call| format!("[{}]", call.strip_prefix(name).unwrap_or_default().trim())).collect();
    Some(About { name: name.to_owned(), params, doc: named.usage.clone() })
}

impl About {
    fn entries(self) -> [(&'static str, Bencode); 4] {
        let params = self.params.join("\n");
        [("name", self.name.into()), ("ns", "user".into()), ("arglists-str", params.into()), ("doc", self.doc.into())]
    }

    fn eldoc(self) -> [(&'static str, Bencode); 5] {
        let words = |list: &String| {
            let words = list.trim_matches(['[', ']']).split_whitespace().map(Bencode::from);
            Bencode::List(words.collect())
        };
        let lists = self.params.iter().map(words).collect();
        let kind = if self.params.is_empty() { "variable" } else { "function" };
        [
            ("name", self.name.into()),
            ("ns", "user".into()),
            ("type", kind.into()),
            ("docstring", self.doc.into()),
            ("eldoc", Bencode::List(lists)),
        ]
    }
}

fn told<const N: usize>(reply: &Reply, about: Option<[(&str, Bencode); N]>) {
    let Some(about) = about else { return reply.done(&["no-info"]) };
    reply.send(about);
    reply.done(&[]);
}

fn locked<T>(held: &Mutex<T>) -> MutexGuard<'_, T> {
    held.lock().unwrap_or_else(PoisonError::into_inner)
}
