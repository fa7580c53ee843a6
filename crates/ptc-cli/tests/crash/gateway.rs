//! Gateways that are killed inside a program, any number of times: the same handle continues.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use ptc_runner::lisp::SplitMix64;
use serde_json::{Value as Json, json};

use super::{CHARGE, RESERVE, effects};

/// Calls of the program.
const CALLS: usize = 20;

const GATEWAY: &str = r#"
[tools.charge]
signature = "(n :int) -> {paid :int}"
command = ["sh", "charge.sh"]

[tools.reserve]
signature = "(n :int) -> {reserved :int}"
command = ["sh", "reserve.sh"]
idempotent = true

[policy.all]
decide = "allow"
"#;

/// Twenty calls, some of them concurrent; one whose outcome is unknown is reported and not made again.
const PROGRAM: &str = "(defn charge [n] (try (tool/charge {:n n}) (catch Exception e {:lost n}))) \
    [(mapv charge (range 1 9)) (pmap charge (range 11 15)) (mapv (fn [n] (tool/reserve {:n n})) (range 21 29))]";

/// A client over the standard streams of a gateway.
struct Client {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    last_id: u64,
}

impl Client {
    fn start(folder: &Path) -> Client {
        let mut child = Command::new(env!("CARGO_BIN_EXE_ptc"))
            .current_dir(folder)
            .args(["mcp", "gateway.toml"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let mut client = Client { child, input, output, last_id: 0 };
        let hello =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
        client.send("initialize", hello);
        client.answer().unwrap();
        writeln!(client.input, "{}", json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).unwrap();
        client
    }

    fn send(&mut self, method: &str, params: Json) {
        self.last_id += 1;
        let request = json!({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params});
        writeln!(self.input, "{request}").unwrap();
    }

    fn run(&mut self, arguments: Json) {
        self.send("tools/call", json!({"name": "run_program", "arguments": arguments}));
    }

    /// The answer to the last request; `None` when the gateway is gone.
    fn answer(&mut self) -> Option<Json> {
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line).ok()? == 0 {
                return None;
            }
            let message: Json = serde_json::from_str(&line).ok()?;
            if message["id"] == self.last_id {
                return Some(message["result"]["structuredContent"].clone());
            }
        }
    }

    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// Calls of the program on record.
fn begun(folder: &Path, session: &str) -> (usize, BTreeSet<String>) {
    let path = folder.join(".ptc/mcp/sessions").join(session).join("0002.journal");
    let text = String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned();
    let lines = text.lines().filter_map(|line| serde_json::from_str::<Json>(line).ok());
    let (mut count, mut open) = (0, BTreeSet::new());
    for record in lines {
        let id = record["id"].as_str().unwrap_or_default().to_owned();
        match record["type"].as_str() {
            Some("call.start") => {
                count += 1;
                open.insert(id);
            }
            Some("call.end") => drop(open.remove(&id)),
            _ => {}
        }
    }
    (count, open)
}

/// Run the program, killed this many times. Returns the kills that met an open call.
fn trial(kills: usize, chance: &mut SplitMix64) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (name, text) in [("gateway.toml", GATEWAY), ("charge.sh", CHARGE), ("reserve.sh", RESERVE)] {
        std::fs::write(folder.join(name), text).unwrap();
    }
    let mut client = Client::start(folder);
    client.run(json!({"program": "1"}));
    let session = client.answer().unwrap()["session"].as_str().unwrap().to_owned();
    client.run(json!({"program": PROGRAM, "session": session}));
    let mut met = 0;
    for _ in 0..kills {
        let (done, _) = begun(folder, &session);
        // A gateway that has not begun the program knows only the one before it.
        let until = (done + usize::try_from(chance.next_u64() % 6).unwrap()).max(1);
        while begun(folder, &session).0 < until.min(CALLS) {
            std::thread::sleep(Duration::from_millis(2));
        }
        std::thread::sleep(Duration::from_millis(chance.next_u64() % 45));
        client.kill();
        met += usize::from(!begun(folder, &session).1.is_empty());
        client = Client::start(folder);
        client.run(json!({"session": session}));
    }
    let said = client.answer().unwrap();
    // Killed or not, the answer of the program is there: the last kill may have come after its end.
    let value = said["value"].clone();
    client.kill();
    // Commands that outlive their gateway may still be running.
    std::thread::sleep(Duration::from_millis(100));
    let happened = effects(folder);
    assert!(happened.values().all(|count| *count == 1), "an effect happened twice: {happened:?}");
    assert!(value.is_array(), "{said}: {happened:?}");
    let lists: Vec<&Vec<Json>> = value.as_array().unwrap().iter().filter_map(Json::as_array).collect();
    let (first, parallel, reserved) = (lists[0], lists[1], lists[2]);
    assert_eq!(reserved.len(), 8);
    for result in first.iter().chain(parallel) {
        let known = result["paid"].as_u64().map(|n| happened.contains_key(&format!("charge {n}")));
        assert!(known.unwrap_or(result["lost"].is_u64()), "{result}: {happened:?}");
    }
    let lost = first.iter().chain(parallel).filter(|result| result["lost"].is_u64());
    assert!(kills > 0 || lost.count() == 0);
    met
}

#[test]
fn killed_gateways_go_on_and_nothing_happens_twice() {
    let wanted = std::env::var("PTC_KILLS").map_or(super::KILLS / 2, |text| text.parse().unwrap());
    let mut chance = SplitMix64::new(2026);
    trial(0, &mut chance);
    let (mut kills, mut met) = (0, 0);
    while kills < wanted {
        let times = usize::try_from(1 + chance.next_u64() % 4).unwrap().min(wanted - kills);
        met += trial(times, &mut chance);
        kills += times;
    }
    println!("{kills} kills of gateways, {met} of them inside a call");
    assert!(met * 10 >= wanted * 3, "{met} of {wanted} kills met a call");
}
