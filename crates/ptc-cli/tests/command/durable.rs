//! Missions of a durable engine, as users start, watch and decide them. The test plays the engine.

#[path = "../../../ptc-durable/src/client/tests/engine.rs"]
mod engine;

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::Duration;

use ptc_runner::agent::recorded_step;
use ptc_runner::transcript::Recorded;
use serde_json::{Value as Json, json};

use super::{command, ptc, record_of, refused, shown, typed_step};
use engine::Engine;

/// A folder with a mission and its recorded answers.
fn mission(toml: &str, answers: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let head = "mission = \"Count {{what}}.\"\nreplay = \"a.jsonl\"\nmax_turns = 2\n";
    std::fs::write(folder.path().join("orders.toml"), format!("{head}{toml}\n[data]\nwhat = \"all\"\n")).unwrap();
    let lines = answers.iter().map(|answer| format!("{}\n", json!({"content": answer})));
    std::fs::write(folder.path().join("a.jsonl"), lines.collect::<String>()).unwrap();
    folder
}

/// The command at this engine.
fn at(engine: &Engine, folder: &Path, args: &[&str]) -> Output {
    command(folder, args).env("PTC_ENGINE", engine.url()).output().unwrap()
}

/// Standard output of a command that must succeed.
fn told(engine: &Engine, folder: &Path, args: &[&str]) -> String {
    let output = at(engine, folder, args);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

/// The error of a command that must fail.
fn error(engine: &Engine, folder: &Path, args: &[&str]) -> String {
    let output = at(engine, folder, args);
    assert_eq!(
        (output.status.code(), output.stdout.len()),
        (Some(2), 0),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
    let folder = folder.display().to_string();
    String::from_utf8(output.stderr).unwrap().replace(&engine.url(), "ENGINE").replace(&folder, "DIR")
}

/// What a worker reports of a run of `orders.toml`.
fn outcome(folder: &Path) -> Json {
    outcome_of(&record_of(folder, "orders.toml"))
}

fn outcome_of(record: &str) -> Json {
    let recorded = Recorded::read(record.as_bytes()).unwrap().unwrap();
    let step = recorded_step(recorded).unwrap();
    json!({
        "id": "orders/k1", "version": "1", "ending": step.ending, "value": {"json": null}, "usage": step.usage,
        "record": {"json": record},
    })
}

#[test]
fn what_a_mission_came_to_is_shown_as_a_run_is() {
    let missions: [(&str, &[&str], i32); 5] = [
        ("", &["(return {:kept 3 :at 'here})"], 0),
        ("", &["(def a 1)", "(+ a 1)"], 0),
        ("", &["(fail \"no orders\")"], 1),
        ("", &["(def a 1)", "(nope)"], 3),
        ("", &[], 1),
    ];
    for (toml, answers, exit) in missions {
        let folder = mission(toml, answers);
        let ran =
            |options: &[&str]| ptc(folder.path(), &[&["run", "-q", "orders.toml", "--no-keep"], options].concat());
        let engine = Engine::start();
        assert_eq!(told(&engine, folder.path(), &["mission", "submit", "orders", "--key", "k1"]), "orders/k1\n");
        let record = record_of(folder.path(), "orders.toml");
        engine.end("orders/k1", outcome_of(&record));
        for options in [&[][..], &["--json"], &["--record", "r.jsonl"]] {
            let run = ran(if options == ["--json"] { options } else { &[] });
            let result = at(&engine, folder.path(), &[&["mission", "result", "orders/k1"], options].concat());
            assert_eq!(result.status.code(), Some(exit), "{answers:?} {}", String::from_utf8_lossy(&result.stderr));
            assert_eq!(result.status.code(), run.status.code());
            // Not the same run, so its times differ.
            if options != ["--json"] {
                assert_eq!(String::from_utf8_lossy(&result.stdout), String::from_utf8_lossy(&run.stdout));
            }
            assert_eq!(String::from_utf8_lossy(&result.stderr), String::from_utf8_lossy(&run.stderr), "{options:?}");
        }
        assert_eq!(std::fs::read_to_string(folder.path().join("r.jsonl")).unwrap(), record);
    }
}

#[test]
fn a_mission_that_was_ended_from_outside_has_failed() {
    let (engine, folder) = (Engine::start(), mission("", &[]));
    told(&engine, folder.path(), &["mission", "submit", "orders", "--key", "k1"]);
    let ended = |status: u16, message: &str| {
        engine.end_badly("orders/k1", status, message);
        let output = at(&engine, folder.path(), &["mission", "result", "orders/k1"]);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
        String::from_utf8(output.stderr).unwrap()
    };
    insta::assert_snapshot!(ended(409, "killed"), @"error: orders/k1 ended without a step (HTTP 409): killed");
    // A worker whose program and journal diverged says so in the step.
    let outcome = outcome(folder.path());
    insta::assert_snapshot!(ended(500, &outcome.to_string()), @"error[llm_error]: the LLM call failed: out_of_answers: ./a.jsonl has no answer left for turn 1: 0 answers were used; add a line for this call or use a live model");
}

#[test]
fn a_submission_says_what_the_command_line_says() {
    let (engine, folder) = (Engine::start(), mission("", &[]));
    let args =
        ["mission", "submit", "./orders.toml", "--set", "what=[1, 2]", "--seed", "7", "--tenant", "ines", "--json"];
    let said: Json = serde_json::from_str(&told(&engine, folder.path(), &args)).unwrap();
    let id = said["id"].as_str().unwrap();
    assert_eq!(engine.ids(), [id]);
    assert_eq!(engine.submission(id), json!({"data": {"what": [1, 2]}, "seed": 7, "tenant": "ines"}));
    std::fs::write(folder.path().join("rows.csv"), "id,kg\n7,1.5\n").unwrap();
    told(
        &engine,
        folder.path(),
        &["mission", "submit", "orders", "--key", "k2", "--data", "rows=rows.csv", "--set", "x=a b"],
    );
    assert_eq!(engine.submission("orders/k2"), json!({"data": {"rows": [{"id": 7, "kg": 1.5}], "x": "a b"}}));
}

#[test]
fn a_submission_that_cannot_be_is_refused() {
    let (engine, folder) = (Engine::start(), mission("", &[]));
    let refused = |args: &[&str]| error(&engine, folder.path(), &[&["mission", "submit"], args].concat());
    insta::assert_snapshot!(refused(&["orders.toml", "--set", "waht=1"]), @"error: --set waht=1: the mission has no input `waht`; did you mean `what`?");
    insta::assert_snapshot!(refused(&["orders.toml", "--data", "waht=1"]), @"error: --data waht: the mission has no input `waht`; did you mean `what`?");
    insta::assert_snapshot!(refused(&["orders", "--key", "a b"]), @"error: 'a b' cannot be in the id of a mission: its name and its key are letters, digits, `-` and `_`");
    insta::assert_snapshot!(refused(&["orders", "--set", "n=123456789012345678901234567890"]), @"error: --set n: it has a value that JSON does not know, such as an integer beyond 64 bits; write that as a text");
    insta::assert_snapshot!(refused(&["nope"]), @"error: no worker of the engine at ENGINE serves a mission 'nope'; it has invoices, orders (for a new mission of registered workers: `ptc worker --register URL --force`)");
    assert!(engine.ids().is_empty());
    told(&engine, folder.path(), &["mission", "submit", "orders", "--key", "k1"]);
    insta::assert_snapshot!(refused(&["orders", "--key", "k1"]), @"error: orders/k1 was submitted before, and is not started again; ask for it with `ptc mission status orders/k1`, or submit with another key");
}

#[test]
fn nobody_at_the_address_is_told() {
    let folder = tempfile::tempdir().unwrap();
    // Port 9 on loopback: nothing listens there.
    let args = ["mission", "status", "orders/k1", "--engine", "http://127.0.0.1:9"];
    insta::assert_snapshot!(refused(folder.path(), &args), @"error: cannot connect to the durable engine at http://127.0.0.1:9 (Connection refused (os error 111)): start restate-server, or give its address: that of the ingress by --engine or PTC_ENGINE, and where workers are registered that of the admin");
    insta::assert_snapshot!(refused(folder.path(), &["mission", "cancel", "orders"]), @r#"
error: invalid value 'orders' for '<ID>': 'orders' is not the id of a mission; write MISSION/KEY as `ptc mission submit` prints it, for example orders/3f9c02d1

For more information, try '--help'.
"#);
}

#[test]
fn large_data_goes_to_the_blob_store_and_large_steps_come_from_there() {
    let (engine, folder) = (Engine::start(), mission("", &["(return 3)"]));
    std::fs::write(folder.path().join("large.txt"), "x".repeat(300_000)).unwrap();
    let submit = ["mission", "submit", "orders", "--key", "k1", "--data", "text=large.txt"];
    insta::assert_snapshot!(error(&engine, folder.path(), &submit), @"error: the data has 300011 bytes as JSON; more than 262144 do not travel through the engine: name the blob store of the workers with --blobs DIR or PTC_BLOBS");
    told(&engine, folder.path(), &[&submit[..], &["--blobs", "blobs"]].concat());
    let stored = engine.submission("orders/k1")["stored_data"].clone();
    assert_eq!(engine.submission("orders/k1"), json!({"stored_data": stored}));
    let hash = stored["blob"].as_str().unwrap();
    let file = |hash: &str| folder.path().join("blobs").join(&hash[..2]).join(&hash[2..4]).join(hash);
    let data: Json = serde_json::from_slice(&std::fs::read(file(hash)).unwrap()).unwrap();
    assert_eq!((data["text"].as_str().unwrap().len(), stored["bytes"].as_u64().unwrap()), (300_000, 300_011));

    // A worker would put its record there in the same way; one of an older release its step.
    let step = typed_step(folder.path(), "orders.toml");
    let mut end = outcome(folder.path());
    end.as_object_mut().unwrap().remove("record");
    let put =
        ["mission", "submit", "orders", "--key", "k2", "--blobs", "blobs", "--data", "text=large.txt", "--data", &step];
    told(&engine, folder.path(), &put);
    end["step"] = json!({"stored": engine.submission("orders/k2")["stored_data"]});
    engine.end("orders/k1", end);
    let told_bytes = error(&engine, folder.path(), &["mission", "result", "orders/k1"]);
    assert!(told_bytes.contains("is in the blob store of the workers: name it with --blobs DIR"), "{told_bytes}");
    assert_eq!(told(&engine, folder.path(), &["mission", "result", "orders/k1", "--blobs", "blobs"]), "3\n");
    std::fs::write(file(engine.submission("orders/k2")["stored_data"]["blob"].as_str().unwrap()), "{}").unwrap();
    let damaged = error(&engine, folder.path(), &["mission", "result", "orders/k1", "--blobs", "blobs"]);
    assert!(damaged.contains("is damaged: it has 2 bytes"), "{damaged}");
    #[cfg(not(feature = "s3"))]
    insta::assert_snapshot!(error(&engine, folder.path(), &["mission", "result", "orders/k1", "--blobs", "s3://b/p"]), @"error: s3://b/p: S3-compatible stores are left out of this build; build with the feature `s3` (in a clone, cargo install --locked --path crates/ptc-cli --features s3), or name a folder that all machines share");
}

/// The status of a mission that waits for two decisions.
fn waiting() -> Json {
    json!({
        "id": "orders/k1", "state": "waiting", "version": "1.2", "began_us": 1_764_172_800_000_000_i64,
        "turns": [
            {"turn": 1, "calls": 3, "tokens": 812, "at_us": 1_764_172_801_000_000_i64},
            {"turn": 2, "calls": 0, "reason": "parse_error", "tokens": 1700, "at_us": 1_764_172_802_000_000_i64},
        ],
        "waiting": [
            {"id": "orders/k1/3/1", "tool": "pay", "args": {"amount": 20}, "until_us": 1_764_259_200_000_000_i64},
            {"id": "orders/k1/3/2/1", "path": ["clerk"], "program": "(tool/wipe\n  {})\u{1b}[2J"},
        ],
    })
}

#[test]
fn a_status_shows_turns_and_how_to_decide_what_waits() {
    let (engine, folder) = (Engine::start(), mission("", &[]));
    told(&engine, folder.path(), &["mission", "submit", "orders", "--key", "k1"]);
    insta::assert_snapshot!(told(&engine, folder.path(), &["mission", "status", "orders/k1"]), @"orders/k1 · submitted, no worker has started it");
    engine.set_status("orders/k1", waiting());
    insta::assert_snapshot!(told(&engine, folder.path(), &["mission", "status", "orders/k1"]), @r#"
turn 1 · 3 calls · 812 tokens so far
turn 2 · 1700 tokens so far · parse_error
orders/k1 · waiting for a decision · began 2025-11-26T16:00:00Z · workers 1.2
call orders/k1/3/1 needs approval: pay {"amount":20}
  denied at 2025-11-27T16:00:00Z unless decided
  ptc mission approve orders/k1 3/1
  ptc mission approve orders/k1 3/1 --deny REASON
the program of turn orders/k1/3/2/1 of agent 'clerk' needs approval:
  (tool/wipe
    {})\u001b[2J
  ptc mission approve orders/k1 3/2/1
  ptc mission approve orders/k1 3/2/1 --deny REASON
"#);
    let elsewhere = shown(folder.path(), &["mission", "status", "orders/k1", "--engine", &engine.url()]).0;
    assert!(
        elsewhere.contains(&format!("ptc mission approve orders/k1 3/1 --engine {}\n", engine.url())),
        "{elsewhere}"
    );
    let json: Json =
        serde_json::from_str(&told(&engine, folder.path(), &["mission", "status", "orders/k1", "--json"])).unwrap();
    assert_eq!(json, waiting());
    insta::assert_snapshot!(error(&engine, folder.path(), &["mission", "status", "orders/other"]), @"error: orders/other was not submitted, or it ended longer ago than the engine keeps; the id is what `ptc mission submit` printed");
}

#[test]
fn a_mission_is_followed_to_its_end() {
    let (engine, folder) = (Engine::start(), mission("", &[]));
    told(&engine, folder.path(), &["mission", "submit", "orders", "--key", "k1"]);
    let mut child = command(folder.path(), &["mission", "status", "orders/k1", "--follow"])
        .env("PTC_ENGINE", engine.url())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut seen = vec![lines.next().unwrap()];
    let mut status = waiting();
    engine.set_status("orders/k1", status.clone());
    seen.extend(lines.by_ref().take(3));
    // The engine is away for a moment.
    engine.go_away();
    std::thread::sleep(Duration::from_millis(300));
    engine.come_back();
    status["turns"].as_array_mut().unwrap().push(json!({"turn": 3, "calls": 1, "at_us": 1}));
    (status["state"], status["ending"], status["waiting"]) = (json!("ended"), json!("return"), json!([]));
    engine.set_status("orders/k1", status);
    seen.extend(lines);
    assert!(child.wait().unwrap().success());
    insta::assert_snapshot!(seen.join("\n"), @r#"
orders/k1 · submitted, no worker has started it
turn 1 · 3 calls · 812 tokens so far
turn 2 · 1700 tokens so far · parse_error
orders/k1 · waiting for a decision · began 2025-11-26T16:00:00Z · workers 1.2
call orders/k1/3/1 needs approval: pay {"amount":20}
  denied at 2025-11-27T16:00:00Z unless decided
  ptc mission approve orders/k1 3/1
  ptc mission approve orders/k1 3/1 --deny REASON
the program of turn orders/k1/3/2/1 of agent 'clerk' needs approval:
  (tool/wipe
    {})\u001b[2J
  ptc mission approve orders/k1 3/2/1
  ptc mission approve orders/k1 3/2/1 --deny REASON
turn 3 · 1 call
orders/k1 · ended with return · began 2025-11-26T16:00:00Z · workers 1.2
"#);
}

#[test]
fn decisions_name_the_call_with_or_without_the_mission() {
    let (engine, folder) = (Engine::start(), mission("", &[]));
    told(&engine, folder.path(), &["mission", "submit", "orders", "--key", "k1"]);
    let mut status = waiting();
    let calls = ["1", "2", "3"].map(|call| json!({"id": format!("orders/k1/4/{call}"), "tool": "pay"}));
    status["waiting"] = json!(calls);
    engine.set_status("orders/k1", status);
    let decide = |args: &[&str]| told(&engine, folder.path(), &[&["mission", "approve", "orders/k1"], args].concat());
    assert_eq!(decide(&["4/1"]), "approved orders/k1/4/1\n");
    assert_eq!(decide(&["orders/k1/4/2", "--deny", "too much"]), "denied orders/k1/4/2\n");
    assert_eq!(
        decide(&["4/3", "--edit", r#"{"amount": 5, "big": 123456789012345678901}"#]),
        "approved orders/k1/4/3\n"
    );
    let edit = json!({"edit": {"amount": 5, "big": {"$int": "123456789012345678901"}}});
    let decisions: Vec<Json> = engine.decided("orders/k1").iter().map(|answer| answer["decision"].clone()).collect();
    assert_eq!(decisions, [json!("approve"), json!({"deny": "too much"}), edit]);
    let refused = |args: &[&str]| error(&engine, folder.path(), &[&["mission", "approve", "orders/k1"], args].concat());
    insta::assert_snapshot!(refused(&["4/1"]), @"error: orders/k1/4/1 was already decided (it was decided before); `ptc mission status` shows what waits");
    insta::assert_snapshot!(refused(&["9/1"]), @"error: nothing waits for approval as orders/k1/9/1 in orders/k1 (nothing waits); `ptc mission status orders/k1` shows what waits");
    insta::assert_snapshot!(refused(&["4/1", "--edit", "[1]"]), @r#"error: --edit: arguments are a map such as {"id": 1}, not a vector"#);
}

#[test]
fn cancelling_asks_the_mission_to_end() {
    let (engine, folder) = (Engine::start(), mission("", &[]));
    insta::assert_snapshot!(error(&engine, folder.path(), &["mission", "cancel", "orders/k1"]), @"error: orders/k1 was not submitted, or it ended longer ago than the engine keeps; the id is what `ptc mission submit` printed");
    told(&engine, folder.path(), &["mission", "submit", "orders", "--key", "k1"]);
    insta::assert_snapshot!(error(&engine, folder.path(), &["mission", "cancel", "orders/k1"]), @"error: orders/k1 cannot be cancelled yet: no worker has started this mission; check that `ptc worker` runs for it, and cancel it again");
    engine.set_status("orders/k1", waiting());
    assert_eq!(told(&engine, folder.path(), &["mission", "cancel", "orders/k1"]), "asked orders/k1 to end\n");
    assert!(engine.is_cancelled("orders/k1"));
}

#[test]
fn a_result_need_not_be_waited_for() {
    let (engine, folder) = (Engine::start(), mission("", &["(return 3)"]));
    told(&engine, folder.path(), &["mission", "submit", "orders", "--key", "k1"]);
    let output = at(&engine, folder.path(), &["mission", "result", "orders/k1", "--no-wait"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(4), 0));
    insta::assert_snapshot!(String::from_utf8_lossy(&output.stderr), @"note: orders/k1 still runs; see `ptc mission status orders/k1`");
    engine.end("orders/k1", outcome(folder.path()));
    assert_eq!(
        told(&engine, folder.path(), &["mission", "result", "orders/k1", "--no-wait", "--record", "r.jsonl"]),
        "3\n"
    );
    let events = told(&engine, folder.path(), &["show", "r.jsonl", "--events"]);
    assert!(events.starts_with("{\"event\":\"trace.start\",\"version\":1"), "{events}");
    let gone = error(&engine, folder.path(), &["mission", "result", "orders/k1", "--trace", "t.jsonl"]);
    assert!(gone.contains("`--record FILE`, then `ptc show FILE --events`"), "{gone}");
    std::fs::write(folder.path().join("mine.txt"), "mine").unwrap();
    insta::assert_snapshot!(error(&engine, folder.path(), &["mission", "result", "orders/k1", "--record", "mine.txt"]), @"error: --record mine.txt: there is a file already; name another one, or add --force to replace it");
}

#[test]
fn submitting_and_waiting_is_one_command() {
    let (engine, folder) = (Engine::start(), mission("", &["(return 3)"]));
    let outcome = outcome(folder.path());
    let ends = std::thread::spawn({
        let engine = engine.clone();
        move || {
            while !engine.requests().iter().any(|request| request.ends_with("/attach")) {
                std::thread::sleep(Duration::from_millis(5));
            }
            engine.end("orders/k1", outcome);
        }
    });
    let output = at(&engine, folder.path(), &["mission", "submit", "orders", "--key", "k1", "--wait"]);
    ends.join().unwrap();
    assert_eq!((output.status.code(), &*String::from_utf8_lossy(&output.stdout)), (Some(0), "3\n"));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "note: submitted as orders/k1\n");
}

#[test]
fn a_batch_submits_each_row_once_and_collects_what_came_of_it() {
    let (engine, folder) = (Engine::start(), mission("", &["(return 3)"]));
    let outcome = outcome(folder.path());
    std::fs::write(folder.path().join("rows.csv"), "what,other\nbooks,1\npens,2\nink,3\n").unwrap();
    let ends = std::thread::spawn({
        let engine = engine.clone();
        move || {
            let mut ended = 0;
            while ended < 3 {
                for id in engine.ids() {
                    engine.end(&id, outcome.clone());
                }
                ended = engine.ids().len();
                std::thread::sleep(Duration::from_millis(5));
            }
            engine.ids().iter().for_each(|id| engine.end(id, outcome.clone()));
        }
    });
    let args = ["batch", "orders.toml", "--each", "rows.csv", "--engine", &engine.url(), "--json"];
    let report: Json = serde_json::from_str(&told(&engine, folder.path(), &args)).unwrap();
    ends.join().unwrap();
    assert_eq!((&report["rows"], &report["states"]), (&json!(3), &json!({"ok": 3})));
    let mut asked: Vec<Json> = engine.ids().iter().map(|id| engine.submission(id)["data"].clone()).collect();
    asked.sort_by_key(ToString::to_string);
    assert_eq!(asked, [json!({"what": "books"}), json!({"what": "ink"}), json!({"what": "pens"})]);
    // The command was killed before it wrote its results: the same rows are the same missions.
    std::fs::remove_file(folder.path().join("rows.results.jsonl")).unwrap();
    told(&engine, folder.path(), &args);
    assert_eq!(engine.ids().len(), 3);
}

#[test]
fn an_engine_that_is_away_is_waited_for_and_told() {
    let (engine, folder) = (Engine::start(), mission("", &["(return 3)"]));
    told(&engine, folder.path(), &["mission", "submit", "orders", "--key", "k1"]);
    engine.end("orders/k1", outcome(folder.path()));
    engine.go_away();
    let mut child = command(folder.path(), &["mission", "result", "orders/k1"])
        .env("PTC_ENGINE", engine.url())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut note = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut note).unwrap();
    assert!(note.starts_with("note: cannot connect") && note.ends_with("; asking again for 10 minutes\n"), "{note}");
    engine.come_back();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), &*String::from_utf8_lossy(&output.stdout)), (Some(0), "3\n"));
}

#[cfg(unix)]
#[test]
fn whoever_waits_can_leave() {
    let (engine, folder) = (Engine::start(), mission("", &[]));
    told(&engine, folder.path(), &["mission", "submit", "orders", "--key", "k1"]);
    let mut child =
        command(folder.path(), &["mission", "result", "orders/k1"]).env("PTC_ENGINE", engine.url()).spawn().unwrap();
    while !engine.requests().iter().any(|request| request.ends_with("/attach")) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let kill = std::process::Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status().unwrap();
    assert!(kill.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(!engine.is_cancelled("orders/k1"), "the mission does not notice");
}
