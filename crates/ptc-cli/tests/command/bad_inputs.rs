//! How the command handles bad input: one error that says what was found, where, and what to write instead, the right
//! exit code, and nothing lost.
//!
//! A row says what is there, what is called, and how it ends. What holds for every row is in [`Row::run`]; the messages
//! are in the goldens next to the tables, which `INSTA_UPDATE=always` rewrites. `PTC_BAD_INPUTS=all` adds the rows that
//! take seconds each.

mod data;
mod engines;
mod missions;
pub(crate) mod models;
mod outputs;
mod programs;
mod records;
mod tools;
mod usage;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Far more than any row takes, on any machine: anything longer hangs.
const HANGS: Duration = Duration::from_secs(300);
/// Kilobytes of addresses that a command may use, most of which it only reserves.
const ADDRESSES: u64 = 6 << 20;

/// A call of the command with bad input.
pub(super) struct Row {
    name: &'static str,
    exit: i32,
    folder: tempfile::TempDir,
    args: Vec<String>,
    script: Option<String>,
    stdin: Vec<u8>,
    env: Vec<(&'static str, Option<&'static str>)>,
    changes: Vec<&'static str>,
    slow: bool,
}

/// A row that ends with this exit code.
pub(super) fn row(name: &'static str, exit: i32) -> Row {
    Row {
        name,
        exit,
        folder: tempfile::tempdir().unwrap(),
        args: Vec::new(),
        script: None,
        stdin: Vec::new(),
        env: Vec::new(),
        changes: vec![".ptc"],
        slow: false,
    }
}

impl Row {
    /// What is called.
    pub(super) fn args<S: AsRef<str>>(mut self, args: impl IntoIterator<Item = S>) -> Row {
        self.args.extend(args.into_iter().map(|arg| arg.as_ref().to_owned()));
        self
    }

    /// What a shell does instead, where `$PTC` is the command.
    pub(super) fn sh(mut self, script: &str) -> Row {
        self.script = Some(script.to_owned());
        self
    }

    pub(super) fn file(self, name: &str, content: impl AsRef<[u8]>) -> Row {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }

    pub(super) fn folder(self, name: &str) -> Row {
        fs::create_dir(self.path(name)).unwrap();
        self
    }

    /// An executable file.
    pub(super) fn script(self, name: &str, text: &str) -> Row {
        let row = self.file(name, text);
        fs::set_permissions(row.path(name), fs::Permissions::from_mode(0o755)).unwrap();
        row
    }

    pub(super) fn link(self, name: &str, to: &str) -> Row {
        symlink(to, self.path(name)).unwrap();
        self
    }

    /// A file of this many zeros, which takes no space on the disk.
    pub(super) fn zeros(self, name: &str, bytes: u64) -> Row {
        fs::File::create(self.path(name)).unwrap().set_len(bytes).unwrap();
        self
    }

    pub(super) fn stdin(mut self, bytes: impl AsRef<[u8]>) -> Row {
        self.stdin = bytes.as_ref().to_vec();
        self
    }

    pub(super) fn env(mut self, name: &'static str, value: Option<&'static str>) -> Row {
        self.env.push((name, value));
        self
    }

    /// Files and folders that may be written; all others are as they were.
    pub(super) fn changes(mut self, names: impl IntoIterator<Item = &'static str>) -> Row {
        self.changes.extend(names);
        self
    }

    /// With another exit code.
    pub(super) fn ends(mut self, exit: i32) -> Row {
        self.exit = exit;
        self
    }

    /// Without `--quiet`.
    pub(super) fn loud(mut self) -> Row {
        self.args.retain(|arg| arg != "--quiet");
        self
    }

    /// It takes seconds, and runs with `PTC_BAD_INPUTS=all`.
    pub(super) fn slow(mut self) -> Row {
        self.slow = true;
        self
    }

    /// A mission with recorded answers, and a run of it.
    pub(super) fn mission(self, more: &str, answers: &[&str]) -> Row {
        self.file("m.toml", format!("mission = \"Count.\"\nreplay = \"a.jsonl\"\n{more}")).answers(answers)
    }

    pub(super) fn answers(self, programs: &[&str]) -> Row {
        let lines: String =
            programs.iter().map(|program| format!("{}\n", serde_json::json!({ "content": program }))).collect();
        self.file("a.jsonl", lines)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Run it, check what every row must keep, and return what people read.
    fn run(self) -> String {
        let before = contents(self.folder.path());
        let (code, stdout, stderr) = self.ended();
        let (name, told) = (self.name, String::from_utf8(stderr).unwrap());
        let at = format!("{name}:\n{told}");
        assert_eq!(code, Some(self.exit), "{at}");
        for bad in ["panicked", "RUST_BACKTRACE", "memory allocation", "stack overflow"] {
            assert!(!told.contains(bad), "{at}");
        }
        assert!(!told.contains(|c: char| c.is_control() && !matches!(c, '\n' | '\t')), "{at:?}");
        if self.exit == 2 {
            let errors = told.lines().filter(|line| line.starts_with("error")).count();
            assert!(errors == 1 || self.script.is_some(), "one error: {at}");
            assert!(stdout.is_empty() || self.script.is_some(), "{at}");
        }
        let after = contents(self.folder.path());
        for (path, content) in &before {
            let may_change = self.changes.iter().any(|name| path.starts_with(name));
            assert!(may_change || after.get(path) == Some(content), "{path:?} was changed: {at}");
        }
        for path in after.keys().filter(|path| !before.contains_key(*path)) {
            assert!(self.changes.iter().any(|name| path.starts_with(name)), "{path:?} was made: {at}");
        }
        format!("== {name}: exit {}\n{}", self.exit, plain(&told, self.folder.path()))
    }

    fn ended(&self) -> (Option<i32>, Vec<u8>, Vec<u8>) {
        let ptc = env!("CARGO_BIN_EXE_ptc");
        let script = self.script.as_deref().unwrap_or("exec \"$PTC\" \"$@\"");
        let mut command = Command::new("bash");
        command.args(["-c", &format!("ulimit -v {ADDRESSES}; {script}"), "bash"]).args(&self.args);
        command.current_dir(self.folder.path()).env("PTC", ptc).env("NO_COLOR", "1").env("LC_ALL", "C.UTF-8");
        for name in ["PTC_LLM", "PTC_ENGINE", "PTC_BLOBS", "OPENAI_API_KEY", "OLLAMA_HOST", "RUST_BACKTRACE"] {
            command.env_remove(name);
        }
        for (name, value) in &self.env {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (mut stdin, input) = (child.stdin.take().unwrap(), self.stdin.clone());
        // It may end before it has read everything.
        let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
        let id = child.id();
        let (done, is_done) = std::sync::mpsc::channel::<()>();
        let (name, began) = (self.name, Instant::now());
        let guard = std::thread::spawn(move || {
            if is_done.recv_timeout(HANGS) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
                eprintln!("{name} hangs since {:?}", began.elapsed());
                drop(Command::new("kill").args(["-KILL", &id.to_string()]).status());
            }
        });
        let output = child.wait_with_output().unwrap();
        drop(done);
        writer.join().unwrap();
        guard.join().unwrap();
        (output.status.code(), output.stdout, output.stderr)
    }
}

/// What is in a folder, by the name from there: bytes of files, of large ones the length, targets of links.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(inner) = open.pop() {
        for entry in fs::read_dir(&inner).unwrap() {
            let path = entry.unwrap().path();
            let about = path.symlink_metadata().unwrap();
            let content = if about.is_dir() {
                open.push(path.clone());
                Vec::new()
            } else if about.is_symlink() {
                fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes()
            } else if about.is_file() && about.len() < 1 << 24 {
                fs::read(&path).unwrap()
            } else {
                about.len().to_string().into_bytes()
            };
            found.insert(path.strip_prefix(folder).unwrap().to_owned(), content);
        }
    }
    found
}

/// The message without the parts that differ from run to run: times, ports, ids, folders.
fn plain(told: &str, folder: &Path) -> String {
    let real = fs::canonicalize(folder).unwrap();
    let told = told.replace(&real.display().to_string(), "FOLDER").replace(&folder.display().to_string(), "FOLDER");
    let rules = [
        (r"127\.0\.0\.1:\d{4,5}", "127.0.0.1:PORT"),
        (r"\d{8}T\d{6}\.\d+Z", "STAMP"),
        (r"\b\d+(\.\d+)? (ms|s)\b", "TIME"),
        (r"\b[0-9a-f]{16}\b", "HASH"),
        (r"\b[0-9a-f]+-[0-9a-f]+-\d+/", "RUN/"),
    ];
    let told = rules
        .iter()
        .fold(told, |told, (rule, with)| regex::Regex::new(rule).unwrap().replace_all(&told, *with).into_owned());
    // Long lines differ in where they are cut.
    told.lines().map(|line| format!("{}\n", line.chars().take(400).collect::<String>())).collect()
}

/// Run the rows of a table; what they say is the golden of the table.
pub(super) fn table(rows: impl IntoIterator<Item = Row>) -> String {
    let all = std::env::var("PTC_BAD_INPUTS").is_ok_and(|what| what == "all");
    let mut text = String::new();
    for row in rows {
        match (row.slow, all) {
            (true, false) => {}
            // Slow rows have no golden, so it is the same with and without them.
            (true, true) => eprintln!("{}", row.run()),
            (false, _) => text.push_str(&format!("{}\n", row.run())),
        }
    }
    text
}

/// The port of a server that handles each connection with this.
pub(super) fn server(serve: impl Fn(TcpStream) + Send + Sync + 'static) -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let serve = std::sync::Arc::new(serve);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let serve = std::sync::Arc::clone(&serve);
            std::thread::spawn(move || serve(stream));
        }
    });
    port
}
