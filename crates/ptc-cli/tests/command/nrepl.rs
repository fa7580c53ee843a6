//! `ptc repl --nrepl`, as an editor speaks to it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};

use crate::command;

/// A server of a folder, which ends with the test.
struct Server {
    child: Child,
    port: u16,
}

impl Server {
    fn start(folder: &Path, args: &[&str]) -> Server {
        let args: Vec<&str> = ["repl", "--nrepl"].iter().chain(args).copied().collect();
        let mut child = command(folder, &args).stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let port = line.trim().rsplit_once(':').unwrap().1.parse().unwrap();
        assert_eq!(line, format!("nREPL server started on port {port} on host 127.0.0.1 - nrepl://127.0.0.1:{port}\n"));
        Server { child, port }
    }

    fn client(&self) -> Client {
        Client(TcpStream::connect(("127.0.0.1", self.port)).unwrap())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        self.child.wait().unwrap();
    }
}

struct Client(TcpStream);

impl Client {
    /// Send a message of these texts.
    fn send(&mut self, entries: &[(&str, &str)]) {
        let mut entries = entries.to_vec();
        entries.sort_unstable();
        let text = |text: &str| format!("{}:{text}", text.len());
        let entries: String = entries.iter().map(|(key, value)| text(key) + &text(value)).collect();
        self.0.write_all(format!("d{entries}e").as_bytes()).unwrap();
    }

    /// All that comes until a message says `done`.
    fn heard(&mut self) -> String {
        let mut heard = Vec::new();
        let mut byte = [0];
        while !heard.windows(9).any(|end| end == b"4:doneee") && !heard.ends_with(b"4:doneee") {
            assert_eq!(self.0.read(&mut byte).unwrap(), 1, "{}", String::from_utf8_lossy(&heard));
            heard.push(byte[0]);
        }
        String::from_utf8(heard).unwrap()
    }

    fn ask(&mut self, entries: &[(&str, &str)]) -> String {
        self.send(entries);
        self.heard()
    }

    fn eval(&mut self, code: &str) -> String {
        self.ask(&[("op", "eval"), ("code", code), ("id", "1")])
    }
}

#[test]
fn editors_run_programs_and_look_things_up() {
    let folder = tempfile::tempdir().unwrap();
    let mission = "mission = \"x\"\n[data]\nrows = [1, 2, 3]\n[tools.six]\nprogram = \"6\"\neffect = \"read\"\n";
    std::fs::write(folder.path().join("m.toml"), mission).unwrap();
    let server = Server::start(folder.path(), &["m.toml"]);
    let file = folder.path().join(".nrepl-port");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), server.port.to_string());
    let mut editor = server.client();
    // As the documentation of nREPL has it.
    editor.0.write_all(b"d4:code7:(+ 1 2)2:id1:12:op4:evale").unwrap();
    assert_eq!(editor.heard(), "d2:id1:12:ns4:user5:value1:3ed2:id1:16:statusl4:doneee");
    assert!(editor.ask(&[("op", "describe")]).contains("11:completionsde"));
    let session = editor.ask(&[("op", "clone"), ("id", "2")]);
    assert!(session.starts_with("d2:id1:211:new-session36:"), "{session}");

    // Prints come before the value; definitions are those of all sessions.
    let said =
        editor.ask(&[("op", "eval"), ("code", "(defn area [w h] (println w) (* w h)) (area 2 3)"), ("session", "s")]);
    assert!(said.starts_with("d3:out2:2\n7:session1:sed2:ns4:user7:session1:s5:value1:6e"), "{said}");
    let mut other = server.client();
    assert!(other.eval("(* (area 2 2) (tool/six {}) (count data/rows))").contains("5:value2:72e"));
    assert!(
        other
            .ask(&[("op", "load-file"), ("file", "(def n 1)\n(inc n)"), ("file-name", "n.clj")])
            .contains("5:value1:2e")
    );
    // Names of the language, of programs, of data, and keywords.
    assert!(editor.ask(&[("op", "completions"), ("prefix", "are")]).contains("d9:candidate4:area4:type8:functione"));
    assert!(editor.ask(&[("op", "complete"), ("symbol", "data/r")]).contains("9:data/rows"));
    assert!(editor.ask(&[("op", "lookup"), ("sym", "area")]).contains("12:arglists-str5:[w h]"));
    assert!(editor.ask(&[("op", "eldoc"), ("symbol", "filter")]).contains("el4:pred4:colle"));
    assert!(editor.ask(&[("op", "lookup"), ("sym", "nothing")]).contains("7:no-info"));
    assert!(editor.ask(&[("op", "frob")]).contains("10:unknown-op"));

    // What is wrong says where and what instead, and the next program runs.
    let said = editor.eval("(count\n  (fliter odd? [1]))");
    assert!(
        said.contains("--> input:2:4") && said.contains("Did you mean 'filter'") && said.contains("10:eval-error"),
        "{said}"
    );
    assert!(editor.eval("*e").contains("value"), "{said}");
    assert!(editor.eval("(inc 1)").contains("5:value1:2e"));
    // A client that speaks something else is left alone with it.
    let mut page = server.client();
    page.0.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
    assert_eq!(page.0.read_to_end(&mut Vec::new()).unwrap_or(0), 0);
    assert!(editor.ask(&[("op", "interrupt")]).contains("12:session-idle"));
}

#[test]
fn a_program_of_an_editor_is_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &["--limit", "time=1h", "--limit", "fuel=1000000000000"]);
    let (mut editor, mut other) = (server.client(), server.client());
    editor.send(&[("op", "eval"), ("code", "(println :begun) (loop [] (recur))")]);
    let mut begun = [0; 12];
    editor.0.read_exact(&mut begun).unwrap();
    assert_eq!(&begun, b"d3:out7::beg");
    assert!(other.ask(&[("op", "interrupt")]).contains("l4:donee"));
    assert!(editor.heard().contains("11:interrupted4:done"));
    assert!(editor.eval("1").contains("5:value1:1e"));
}

#[cfg(unix)]
#[test]
fn a_signal_ends_the_server_and_takes_its_file_away() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(folder.path(), &[]);
    let pid = server.child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    assert_eq!(server.child.wait().unwrap().code(), Some(143));
    assert!(!folder.path().join(".nrepl-port").exists());
}
