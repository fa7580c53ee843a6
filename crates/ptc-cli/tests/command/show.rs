//! Recorded runs, inspected with `ptc show`.

use serde_json::{Value as Json, json};

use super::{command, ptc, refused, shown};

/// A mission of two turns, run once: its record is `run.jsonl`, its events `log.jsonl`, its step `plain.json`.
fn recorded() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mission = r#"
        mission = "Which bookings fit into {{limit}} euros?"
        max_turns = 3
        replay = "answers.jsonl"
        compression = true
        [data]
        limit = 250
        [tools.quote-room]
        signature = "(nights :int) -> {total :float}"
        program = "{:total (* 89.5 nights)}"
    "#;
    let answers = [
        json!({"content": "First the price.\n```clojure\n(def q (tool/quote-room {:nights 2}))\n```", "usage": {"input": 1200, "output": 30}}),
        json!({"content": "```clojure\n(return {:kept #{:a}})\n```", "usage": {"input": 1300, "output": 12}}),
    ];
    std::fs::write(folder.path().join("m.toml"), mission).unwrap();
    std::fs::write(folder.path().join("answers.jsonl"), answers.map(|answer| answer.to_string()).join("\n")).unwrap();
    let (step, _) = shown(folder.path(), &["run", "m.toml", "--json", "--record", "run.jsonl"]);
    std::fs::write(folder.path().join("plain.json"), step).unwrap();
    let (events, _) = shown(folder.path(), &["show", "run.jsonl", "--events"]);
    std::fs::write(folder.path().join("log.jsonl"), events).unwrap();
    folder
}

/// The system ends the process that reads a run when it takes too much; a lower limit of the system stands for the bound.
#[cfg(target_os = "linux")]
#[test]
fn a_run_that_takes_too_much_memory_ends_its_reader_only() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m.toml"), "mission = \"m\"\ntimeout = \"1m\"\nreplay = \"a.jsonl\"\n").unwrap();
    let program = "(def big (vec (range 200000))) (return (count big))";
    std::fs::write(folder.path().join("a.jsonl"), json!({ "content": program }).to_string()).unwrap();
    assert_eq!(shown(folder.path(), &["run", "m.toml", "--record", "j", "-q"]).0, "200000\n");
    let within = |kilobytes: u32, args: &str| {
        let script = format!("ulimit -d {kilobytes}; exec \"$0\" {args}");
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &script, env!("CARGO_BIN_EXE_ptc")]).current_dir(folder.path());
        shell.output().unwrap()
    };
    let refused = within(100_000, "show j");
    let remark = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(2), "{remark}");
    let is_told = ["one that takes more than 4 GB is ended by the system", "out of memory"];
    assert!(is_told.iter().any(|told| remark.contains(told)), "{remark}");
    assert_eq!(within(4_000_000, "show j").status.code(), Some(0));
}

#[test]
fn a_record_has_what_models_were_asked_and_said_in_called_agents_too() {
    let folder = tempfile::tempdir().unwrap();
    let mission = r#"
        mission = "Have it counted."
        replay = "a.jsonl"
        [agents.clerk]
        mission = "Count to {{n}}."
        description = "Counts"
        signature = "(n :int) -> :int"
    "#;
    let answers = [
        json!({"content": "(def counted (pmap (fn [n] (tool/clerk {:n n})) [2 3]))"}),
        json!({"agent": "clerk", "content": "(println \"two or three\" data/n)"}),
        json!({"agent": "clerk", "content": "(return data/n)"}),
        json!({"agent": "clerk", "content": "(return data/n)"}),
        json!({"content": "(return (reduce + counted))"}),
    ];
    std::fs::write(folder.path().join("m.toml"), mission).unwrap();
    std::fs::write(folder.path().join("a.jsonl"), answers.map(|answer| answer.to_string()).join("\n")).unwrap();
    let sent = |args: &[&str]| {
        let run = [&["run", "m.toml", "-q", "--no-keep", "--requests", "q.jsonl"], args].concat();
        assert_eq!(shown(folder.path(), &run).0, "5\n");
        std::fs::read_to_string(folder.path().join("q.jsonl")).unwrap()
    };
    let requests = sent(&["--record", "r.jsonl"]);
    assert_eq!(requests.matches("Count to ").count(), 3, "{requests}");
    assert_eq!(shown(folder.path(), &["show", "r.jsonl", "--requests"]).0, requests);
    assert_eq!(sent(&["--llm", "replay:r.jsonl"]), requests, "its record answers another run");
    let step: Json = serde_json::from_str(&shown(folder.path(), &["show", "r.jsonl", "--json"]).0).unwrap();
    let counted: Vec<&Json> = step["child_steps"].as_array().unwrap().iter().map(|step| &step["return"]).collect();
    assert_eq!(counted, [2, 3]);
}

#[test]
fn a_log_has_a_line_per_event() {
    let folder = recorded();
    let log = std::fs::read_to_string(folder.path().join("log.jsonl")).unwrap();
    let lines: Vec<Json> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<&str> = lines.iter().map(|line| line["event"].as_str().unwrap()).collect();
    let turn = ["turn.start", "llm.start", "llm.stop"];
    let expected = [
        &["trace.start", "run.start"],
        &turn[..],
        &["tool.start", "tool.stop", "turn.stop"],
        &turn,
        &["turn.stop", "run.stop", "trace.stop"],
    ];
    assert_eq!(names, expected.concat());
    let model = lines.iter().find_map(|line| line["metadata"]["model"].as_str()).unwrap();
    assert!(model.starts_with("replay:"), "{model}");
}

#[test]
fn a_log_as_numbers_tree_and_chrome_trace() {
    let folder = recorded();
    let (text, remarks) = shown(folder.path(), &["show", "run.jsonl", "--timing"]);
    assert_eq!(text, shown(folder.path(), &["show", "log.jsonl"]).0, "a log says the same");
    assert!(text.contains("Turns:     2 (0 failed)\n") && text.contains("Tokens:    2500 in, 42 out"), "{text}");
    let tree: Vec<&str> = text.lines().filter_map(|line| line.split_once("] [ok] ")).map(|(_, label)| label).collect();
    assert_eq!(tree, ["run", "Turn 1", "LLM call", "quote-room", "Turn 2", "LLM call"]);
    assert_eq!(remarks, "");

    shown(folder.path(), &["show", "run.jsonl", "--chrome", "out.json"]);
    let (text, _) = shown(folder.path(), &["show", "run.jsonl", "--timing", "--json"]);
    let analysis: Json = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (&analysis["status"], &analysis["complete"], &analysis["tools"][0]["calls"]),
        (&json!("ok"), &json!(true), &json!(1))
    );
    let chrome: Json = serde_json::from_slice(&std::fs::read(folder.path().join("out.json")).unwrap()).unwrap();
    assert_eq!(chrome["traceEvents"].as_array().unwrap().len(), 7);
}

#[test]
fn a_run_as_a_page() {
    let folder = recorded();
    assert_eq!(shown(folder.path(), &["show", "run.jsonl", "--html", "run.html"]), (String::new(), String::new()));
    let page = std::fs::read_to_string(folder.path().join("run.html")).unwrap();
    let (_, data) = page.split_once("id=\"data\">").unwrap();
    let document: Json = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
    assert_eq!((&document["format"], &document["version"]), (&json!("ptc-view"), &json!(1)));
    assert_eq!(document["run"]["mission"], "Which bookings fit into 250 euros?");
    let call = &document["run"]["turns"][0]["calls"][0];
    assert_eq!((&call["args"], &call["result"]), (&json!("{:nights 2}"), &json!("{:total 179.0}")));
    let refusal = refused(folder.path(), &["show", "log.jsonl", "--html", "log.html"]);
    assert!(refusal.contains("log.jsonl is a log of events, which holds neither values nor definitions"), "{refusal}");
}

#[test]
fn a_kept_run_as_a_page_says_its_model_and_when_it_began() {
    let folder = recorded();
    shown(folder.path(), &["run", "m.toml"]);
    let (out, remarks) = shown(folder.path(), &["show", "--html", "kept.html"]);
    assert_eq!((out, remarks), (String::new(), String::new()));
    let page = std::fs::read_to_string(folder.path().join("kept.html")).unwrap();
    let (_, data) = page.split_once("id=\"data\">").unwrap();
    let document: Json = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
    assert!(document["run"]["model"].as_str().unwrap().starts_with("replay:"), "{document}");
    assert!(document["began_ms"].as_i64().unwrap() > 1_700_000_000_000);
    assert_eq!(document["run"]["turns"][1]["request"]["keep"], 0);
}

#[test]
fn a_log_that_was_cut_off_can_be_read() {
    let folder = recorded();
    let log = std::fs::read(folder.path().join("log.jsonl")).unwrap();
    std::fs::write(folder.path().join("cut.jsonl"), &log[..log.len() / 2]).unwrap();
    let (text, remarks) = shown(folder.path(), &["show", "cut.jsonl"]);
    assert!(text.contains(": open, ") && text.contains("the log has no end"), "{text}");
    assert_eq!(remarks, "note: a line of the log is not whole: its writer was stopped, or the disk was full\n");
}

#[test]
fn a_step_turn_by_turn_and_as_the_model_sees_it() {
    let folder = recorded();
    let (text, remarks) = shown(folder.path(), &["show", "run.jsonl"]);
    let first = "| Program:\n|   (def q (tool/quote-room {:nights 2}))\n| Tools:\n|   -> quote-room({:nights 2})\n|     <- {:total 179.0}\n";
    assert!(text.contains(first) && text.contains("|   {:kept #{:a}}\n"), "{text}");
    assert_eq!(remarks, "");
    let (text, _) = shown(folder.path(), &["show", "run.jsonl", "--raw", "--usage"]);
    assert!(text.contains("| Raw Response:\n|   First the price.\n|   [program shown below]\n"), "{text}");
    assert!(
        text.contains("|   Input tokens:  2,500\n") && text.contains("|   Strategy:     single-user-coalesced\n"),
        "{text}"
    );
    let (text, _) = shown(folder.path(), &["show", "run.jsonl", "--view", "compressed"]);
    assert!(text.contains("|   ;; === data/ ===\n|   data/limit") && text.contains("|   FINAL TURN"), "{text}");
}

#[test]
fn a_step_with_plain_values_is_shown_with_a_note() {
    let folder = recorded();
    let (text, remarks) = shown(folder.path(), &["show", "plain.json", "--view", "turns"]);
    assert!(text.contains("|     <- {:total 179.0}\n") && text.contains("|   {:kept [\"a\"]}\n"), "{text}");
    assert!(
        remarks.starts_with("note: this step has plain values") && remarks.contains("the record of its run has them"),
        "{remarks}"
    );
}

#[test]
fn what_cannot_be_shown_says_what_can() {
    let folder = recorded();
    let text = refused(folder.path(), &["show", "log.jsonl", "--usage"]);
    assert!(text.contains("log.jsonl is a log of events, which holds neither values nor definitions"), "{text}");
    let text = refused(folder.path(), &["show", "plain.json", "--timing"]);
    assert!(text.contains("plain.json: a step says neither what was sent nor when what happened"), "{text}");
    std::fs::write(folder.path().join("answers.jsonl"), "{\"content\": \"(return 1)\"}\n").unwrap();
    let text = refused(folder.path(), &["show", "answers.jsonl"]);
    assert!(text.contains("answers.jsonl holds recorded answers of a model, not a run: `ptc run MISSION"), "{text}");
    let text = refused(folder.path(), &["show", "m.toml"]);
    assert!(text.contains("m.toml is neither the record of a run") && text.contains("nor a step"), "{text}");
    assert!(refused(folder.path(), &["show", "nowhere"]).contains("`nowhere` is neither a file nor a kept run"));
    assert!(refused(folder.path(), &["run", "m.toml", "--typed"]).contains("--record FILE"));
    std::fs::write(folder.path().join("flat"), "").unwrap();
    assert!(
        refused(folder.path(), &["run", "m.toml", "--requests", "flat/q.jsonl"]).contains("cannot write flat/q.jsonl")
    );
}

#[test]
fn a_record_of_a_killed_command_ends_with_the_last_thing_that_happened() {
    let folder = recorded();
    let mission = "mission = \"Wait.\"\nreplay = \"wait.jsonl\"\n[tools.wait]\nprogram = \"(loop [] (recur))\"\nsignature = \"() -> :int\"\n";
    std::fs::write(folder.path().join("wait.toml"), mission).unwrap();
    std::fs::write(folder.path().join("wait.jsonl"), "{\"content\": \"(tool/wait {})\"}\n").unwrap();
    let args = ["run", "wait.toml", "--record", "killed.jsonl"];
    let mut running = command(folder.path(), &args).spawn().unwrap();
    let log = folder.path().join("killed.jsonl");
    let called = || std::fs::read_to_string(&log).is_ok_and(|text| text.contains("call.start"));
    while !called() {
        assert_eq!(running.try_wait().unwrap(), None, "the command ended before its tool was called");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    running.kill().unwrap();
    running.wait().unwrap();
    let (text, _) = shown(folder.path(), &["show", "killed.jsonl", "--timing"]);
    assert!(text.contains(": open, ") && text.contains("└─ [...] [open] wait\n"), "{text}");
}

#[test]
fn an_answer_is_shown_within_the_limits_of_its_agent() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.jsonl"), "{\"content\": \"(return [(vec (range 100)) (vec (range 9))])\"}\n")
        .unwrap();
    let result = |options: &str| {
        std::fs::write(folder.path().join("m.toml"), format!("mission = \"Count.\"\nreplay = \"a.jsonl\"\n{options}"))
            .unwrap();
        let output = ptc(folder.path(), &["run", "m.toml", "--record", "run.jsonl"]);
        assert!(
            String::from_utf8_lossy(&output.stdout).ends_with("97 98 99] [0 1 2 3 4 5 6 7 8]]\n"),
            "the answer itself is whole"
        );
        let output = ptc(folder.path(), &["show", "run.jsonl"]);
        std::fs::remove_file(folder.path().join("run.jsonl")).unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.lines().skip_while(|line| *line != "| Result:").nth(1).unwrap_or_default().to_owned()
    };
    insta::assert_snapshot!(result(""), @"|   [[0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 ...] (100 item");
    insta::assert_snapshot!(result("format_options = { result_limit = 2 }\n"), @"|   [[0 1 ...] (100 items, showing first 2) [0 1 ...] (9 items, showing first 2)]");
    insta::assert_snapshot!(result("format_options = { result_max_chars = 20 }\n"), @"|   [[0 1 2 3 4 5 6 7 8 ... (177 more characters)");
}

#[test]
fn what_is_before_a_damage_is_shown_and_the_damage_is_named() {
    let folder = recorded();
    shown(folder.path(), &["run", "m.toml", "-q", "--no-keep", "--record", "run.jsonl.gz"]);
    for (file, line) in [("run.jsonl", "8"), ("run.jsonl.gz", "")] {
        let path = folder.path().join(file);
        let mut bytes = std::fs::read(&path).unwrap();
        let at = match line {
            "" => bytes.len() - 200,
            _ => String::from_utf8_lossy(&bytes).rfind("1300").unwrap(),
        };
        bytes[at] ^= 1;
        std::fs::write(&path, bytes).unwrap();
        let (turns, told) = shown(folder.path(), &["show", file]);
        assert!(turns.contains("(def q (tool/quote-room {:nights 2}))") && turns.contains("| "), "{turns}");
        assert!(told.contains(&format!("{file}: the record is damaged from line {line}")), "{told}");
        assert!(told.ends_with(": only what is before it can be shown\n") && !told.contains("resumed"), "{told}");
        let step: Json = serde_json::from_str(&shown(folder.path(), &["show", file, "--json"]).0).unwrap();
        assert!(step["fail"]["message"].as_str().unwrap().starts_with("the record is damaged"), "{step}");
        let (requests, _) = shown(folder.path(), &["show", file, "--requests"]);
        assert!(requests.lines().count() >= 1, "{requests}");
        shown(folder.path(), &["show", file, "--html", "page.html", "--force"]);
        let page = std::fs::read_to_string(folder.path().join("page.html")).unwrap();
        assert!(page.contains("the record is damaged from line"), "{file}");
        let told = refused(folder.path(), &["run", "m.toml", "--record", file, "--resume"]);
        assert!(told.contains(file), "{told}");
    }
}

#[test]
fn records_in_a_folder_are_runs_by_their_names() {
    let folder = recorded();
    let runs = folder.path().join("night.runs");
    std::fs::create_dir(&runs).unwrap();
    for name in ["a1.jsonl", "b2.jsonl"] {
        std::fs::copy(folder.path().join("run.jsonl"), runs.join(name)).unwrap();
    }
    std::fs::write(runs.join("notes.jsonl"), "{\"a\": 1}\n").unwrap();
    let turns = shown(&runs, &["show"]).0;
    assert!(turns.contains("quote-room") && turns.contains("\nModel: replay:"), "{turns}");
    assert_eq!(shown(&runs, &["show", "a1"]).0, turns);
    let list = shown(&runs, &["runs"]).0;
    assert!(list.contains("a1  ok") && list.contains("b2  ok") && list.lines().count() == 4, "{list}");
    let diff = shown(&runs, &["runs", "diff", "a1", "b2"]).0;
    assert!(diff.contains("model: replay:") && diff.ends_with("cost: no paid model was asked\n"), "{diff}");
    let told = refused(&runs, &["show", "c3"]);
    assert!(told.contains("`c3` is neither a file nor a kept run"), "{told}");
}
