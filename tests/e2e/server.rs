//! The server as a child of the test.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A running server; it ends when this is dropped, since it ends when its standard input is closed.
pub struct Server {
    process: Child,
    url: String,
}

impl Server {
    /// Starts it and waits until it answers.
    pub fn start() -> Server {
        let python = std::env::var("PTC_LLM_E2E_PYTHON").unwrap_or_else(|_| "python3".to_owned());
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("e2e/llm_server.py");
        let mut command = Command::new(&python);
        command.arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().unwrap_or_else(|error| panic!("cannot start {python}: {error}"));
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let url = lines.map_while(Result::ok).find_map(|line| line.strip_prefix("READY ").map(str::to_owned));
        let url =
            url.unwrap_or_else(|| panic!("{python} cannot serve the model; docs/contributing.md says what it needs"));
        Server { process, url }
    }

    pub fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        let ended = self.process.wait();
        debug_assert!(ended.is_ok(), "{ended:?}");
    }
}
