//! `ptc eval --isolate`: programs in a process that can only compute.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value as Json, json};

use super::{command, ptc};

/// What programs that read the clock contain.
const CLOCKS: [&str; 5] = ["(time ", "/now", "currentTimeMillis", "nanoTime", "java.util.Date."];

/// Requests for the programs of the language corpus, except those that read the clock.
fn corpus() -> Vec<String> {
    let files = ptc_tests::lang::files(&ptc_tests::lang::folder()).unwrap();
    let cases = files.iter().flat_map(|path| ptc_tests::lang::read(&std::fs::read_to_string(path).unwrap()).unwrap());
    let sources = cases.flat_map(|case| case.turns.into_iter().map(|turn| turn.source));
    let limits = json!({"fuel": 100_000, "memory": 32 << 20});
    let sources = sources.filter(|source| !CLOCKS.iter().any(|clock| source.contains(clock)));
    sources.enumerate().map(|(id, source)| json!({"id": id, "source": source, "limits": limits}).to_string()).collect()
}

/// The answers of a batch, without the time that each took. Fuel is the same in every process; memory may differ by nodes
/// of a trie.
fn answers(flags: &[&str], requests: &[String]) -> Vec<Json> {
    let mut child = command(Path::new("."), &[&["eval", "--batch", "--limit", "time=10m"], flags].concat())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut input, requests) = (child.stdin.take().unwrap(), requests.join("\n"));
    let writer = std::thread::spawn(move || input.write_all(requests.as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success());
    let answer = |line: &[u8]| {
        let mut answer: Json = serde_json::from_slice(line).unwrap();
        answer["usage"] = answer["usage"]["fuel"].take();
        answer
    };
    output.stdout.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).map(answer).collect()
}

#[test]
fn the_language_corpus_answers_the_same_in_a_worker() {
    let requests = corpus();
    assert!(requests.len() > 1_000);
    let (isolated, plain) = (answers(&["--isolate"], &requests), answers(&[], &requests));
    assert_eq!(isolated.len(), requests.len());
    for ((request, isolated), plain) in requests.iter().zip(&isolated).zip(&plain) {
        assert_eq!(isolated, plain, "{request}");
    }
}

#[test]
fn a_line_that_is_not_a_request_is_told_by_its_number() {
    let requests = ["{\"id\": 1, \"source\": \"1\"}", "", "x", "12 {\"source\": \"2\"}"].map(str::to_owned);
    assert_eq!(answers(&["--isolate"], &requests), answers(&[], &requests));
}

#[test]
fn a_request_with_a_key_that_is_not_known_is_refused_by_its_id() {
    // Without its limits, the program would run under those of the command.
    let requests = [r#"{"id": 7, "source": "1", "limit": {"fuel": 5}}"#.to_owned()];
    let answer = answers(&[], &requests).remove(0);
    assert_eq!((&answer["id"], &answer["error"]["reason"]), (&json!(7), &json!("bad_input")));
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.contains("unknown field `limit`, expected one of `id`, `source`"), "{message}");
}

#[test]
fn a_single_program_shows_what_it_shows_without() {
    let data = tempfile::tempdir().unwrap();
    std::fs::write(data.path().join("rows.json"), "[{\"a\": 1}, {\"a\": 2}]").unwrap();
    for (args, code) in [
        (&["--data", "rows=rows.json", "-e", "(println :seen) (map :a data/rows)"][..], 0),
        (&["--format", "json", "-e", "{:a #{1}}"], 0),
        (&["-e", "(+ 1 nil)"], 1),
        (&["-e", "(fail {:why \"no rows\"})"], 1),
        (&["--data", "gone.json", "-e", "1"], 2),
        (&["--limit", "fuel=1000", "-e", "(loop [] (recur))"], 3),
    ] {
        let isolated = ptc(data.path(), &[&["eval", "--isolate"], args].concat());
        let plain = ptc(data.path(), &[&["eval"], args].concat());
        assert_eq!(isolated, plain, "{args:?}");
        assert_eq!(isolated.status.code(), Some(code), "{args:?}");
    }
}

/// A batch whose requests are answered one at a time.
struct Batch {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Batch {
    fn start(flags: &[&str]) -> Batch {
        Batch::of(command(Path::new("."), &[&["eval", "--isolate", "--batch"], flags].concat()))
    }

    fn of(mut command: Command) -> Batch {
        let mut child =
            command.env("PTC_CANARY_KEY", "canary").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Batch { child, input, output }
    }

    fn send(&mut self, request: &Json) {
        writeln!(self.input, "{request}").unwrap();
    }

    fn hear(&mut self) -> Json {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    /// The process that runs programs, as the system shows it.
    fn worker(&self) -> std::path::PathBuf {
        let children = format!("/proc/{0}/task/{0}/children", self.child.id());
        let children = std::fs::read_to_string(children).unwrap();
        Path::new("/proc").join(children.trim())
    }

    /// Kill the process that runs programs while it runs the request with this id.
    fn kill_within(&mut self, id: &str) {
        self.send(&json!({"id": id, "source": "(loop [] (recur))"}));
        let worker = self.worker();
        let pid = worker.file_name().unwrap().to_str().unwrap();
        assert!(Command::new("kill").args(["-KILL", pid]).status().unwrap().success());
    }
}

#[test]
fn a_worker_is_sealed_and_knows_nothing_of_its_environment() {
    let mut batch = Batch::start(&[]);
    batch.send(&json!({"id": 1, "source": "(re-find #\"b\" \"abc\")"}));
    assert_eq!(batch.hear()["text"], "\"b\"");
    let status = std::fs::read_to_string(batch.worker().join("status")).unwrap();
    assert!(status.contains("\nSeccomp:\t2\n"), "{status}");
    let environment = std::fs::read_to_string(batch.worker().join("environ")).unwrap();
    let names: Vec<&str> = environment.split_terminator('\0').map(|pair| pair.split_once('=').unwrap().0).collect();
    assert!(names.contains(&"PTC_ISOLATED_WORKER"), "{names:?}");
    assert!(names.iter().all(|name| ["PTC_ISOLATED_WORKER", "NO_COLOR", "TERM"].contains(name)), "{names:?}");
}

/// Limits under which a program runs until its worker is killed.
const ENDLESS: [&str; 4] = ["--limit", "fuel=1000000000000000", "--limit", "time=10m"];

#[test]
fn a_worker_that_dies_costs_one_request() {
    let mut batch = Batch::start(&ENDLESS);
    batch.send(&json!({"id": "first", "source": "(+ 1 2)"}));
    assert_eq!(batch.hear()["text"], "3");
    let before = batch.worker();
    batch.kill_within("second");
    let died = batch.hear();
    assert_eq!((&died["id"], &died["ok"]), (&json!("second"), &json!(false)));
    assert_eq!(died["error"]["reason"], "internal_error");
    let message = died["error"]["message"].as_str().unwrap();
    assert!(message.starts_with("the process that ran the program ended (signal: 9 (SIGKILL)"), "{message}");
    batch.send(&json!({"id": "third", "source": "(+ 2 2)"}));
    assert_eq!(batch.hear()["text"], "4");
    assert_ne!(batch.worker(), before);
}

#[test]
fn a_request_is_answered_when_no_other_worker_starts() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let program = folder.path().join("ptc");
    std::fs::hard_link(env!("CARGO_BIN_EXE_ptc"), &program).unwrap();
    let mut command = Command::new(&program);
    command.args([&["eval", "--isolate", "--batch"][..], &ENDLESS].concat()).stderr(Stdio::piped());
    let mut batch = Batch::of(command);
    batch.send(&json!({"id": "first", "source": "1"}));
    assert_eq!(batch.hear()["text"], "1");
    std::fs::remove_file(program).unwrap();
    batch.kill_within("second");
    let died = batch.hear();
    assert_eq!((&died["id"], &died["error"]["reason"]), (&json!("second"), &json!("internal_error")));
    batch.send(&json!({"id": "third", "source": "3"}));
    let ended = batch.child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(2), "{}", String::from_utf8_lossy(&ended.stderr));
}

#[test]
fn a_request_may_lower_the_limits_of_the_command_and_raise_none() {
    let limits =
        [("fuel", "fuel", 5_000), ("memory", "memory", 1 << 20), ("time_ms", "time", 600_000), ("depth", "depth", 90)];
    let flags = limits.map(|(_, flag, most)| ["--limit".to_owned(), format!("{flag}={most}")]).concat();
    let mut batch = Batch::start(&flags.iter().map(String::as_str).collect::<Vec<_>>());
    for (name, flag, most) in limits {
        for (given, text) in [(most, json!("1")), (most - 1, json!("1")), (most + 1, Json::Null)] {
            batch.send(&json!({"id": given, "source": "1", "limits": {name: given}}));
            let answer = batch.hear();
            assert_eq!((&answer["id"], &answer["text"]), (&json!(given), &text), "{answer}");
            if given > most {
                assert_eq!(answer["error"]["reason"], "bad_input");
                let message = answer["error"]["message"].as_str().unwrap();
                assert!(message.contains(&format!("{name} is {given}, above the {most} ")), "{message}");
                assert!(message.contains(&format!("`--limit {flag}={given}`")), "{message}");
            }
        }
    }
}
