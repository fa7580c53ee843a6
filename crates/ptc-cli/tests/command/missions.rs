//! The command as its users run it: the example mission, and missions that cannot continue.

use std::path::Path;

use ptc_tests::orders::{self, SHIPPED_SEED};

use super::{ptc, shown};

/// The answer of the recorded mission over the orders of a seed.
fn answer(seed: u64) -> serde_json::Value {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in orders::files(seed) {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let output = ptc(folder.path(), &["run", "mission.toml", "--json"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let step: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(step["ending"], "return");
    assert_eq!(step["usage"]["turns"], 5, "four turns of work and one that fails");
    step["return"].clone()
}

#[test]
fn the_orders_mission_answers_what_plain_rust_computes() {
    assert_eq!(answer(SHIPPED_SEED), orders::answer(SHIPPED_SEED));
}

#[test]
fn the_same_recording_answers_for_other_data() {
    let other = answer(7);
    assert_eq!(other, orders::answer(7));
    assert_ne!(other, orders::answer(SHIPPED_SEED));
}

#[test]
fn a_model_that_is_not_there_is_named() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m.toml"), "mission = \"Count.\"\n").unwrap();
    // Port 9 on loopback: nothing listens there.
    let output = ptc(folder.path(), &["run", "-q", "m.toml", "--llm", "http://127.0.0.1:9/v1#none"]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("127.0.0.1:9"), "{text}");
}

#[test]
fn answers_that_run_out_say_how_many_there_were() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m.toml"), "mission = \"Count.\"\nreplay = \"a.jsonl\"\n").unwrap();
    std::fs::write(folder.path().join("a.jsonl"), "{\"content\": \"(def a 1)\"}\n").unwrap();
    let output = ptc(folder.path(), &["run", "m.toml", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let step: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(step["ending"], "error");
    assert!(step["fail"]["message"].as_str().unwrap().contains('1'), "{step}");
    assert_eq!(step["usage"]["turns"], 1, "the turn before is kept");
}

#[test]
fn a_field_that_no_record_has_fails_the_turn_and_is_named_to_the_model() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("trips.csv", "id,cost\n1,5\n2,7\n");
    let mission = "mission = \"Sum.\"\nreplay = \"a.jsonl\"\n[data]\ntrips = { file = \"trips.csv\" }\n";
    write("m.toml", mission);
    let answers = ["(return (sum-by :cots data/trips))", "(return (sum-by :cost data/trips))"];
    write("a.jsonl", &answers.map(|text| serde_json::json!({ "content": text }).to_string() + "\n").concat());
    let output = ptc(folder.path(), &["run", "m.toml", "--requests", "asked.jsonl"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "12\n");
    let told = "unknown_field: no record of data/trips has :cots; did you mean :cost?";
    let story = String::from_utf8_lossy(&output.stderr);
    assert!(story.contains(told) && story.contains("recovered"), "{story}");
    let asked = std::fs::read_to_string(folder.path().join("asked.jsonl")).unwrap();
    let (first, second) = asked.split_once('\n').unwrap();
    assert!(!first.contains("did you mean") && second.contains("has :cots; did you mean :cost?"), "{asked}");
}

/// The output of a run of this mission with these options: exit code and standard error.
fn told(mission: &str, options: &[&str]) -> (i32, String) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m.toml"), format!("replay = \"a.jsonl\"\n{mission}")).unwrap();
    std::fs::write(folder.path().join("a.jsonl"), "{\"content\": \"(return 1)\"}\n").unwrap();
    let output = ptc(folder.path(), &[&["run", "-q", "m.toml"], options].concat());
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap().trim().to_owned())
}

#[test]
fn an_input_that_the_mission_does_not_have_is_refused() {
    let data = "mission = \"Count {{year}}.\"\n[data]\nyear = 2023\n";
    assert_eq!(told(data, &["--set", "year=2024"]), (0, String::new()));
    let (exit, text) = told(data, &["--set", "yaer=2024"]);
    insta::assert_snapshot!(text, @"error: --set yaer=2024: the mission has no input `yaer`; did you mean `year`?");
    assert_eq!(exit, 2);
    insta::assert_snapshot!(told(data, &["--set", "colour=red"]).1, @"error: --set colour=red: the mission has no input `colour`; it has year");
    let declared = "mission = \"Count.\"\nsignature = \"(year :int) -> :any\"\n";
    insta::assert_snapshot!(told(declared, &["--set", "yeer=2024"]).1, @"error: --set yeer=2024: the mission has no input `yeer`; did you mean `year`?");
    assert_eq!(
        told("mission = \"Count.\"\n", &["--set", "anything=1"]),
        (0, String::new()),
        "it names no input, so it takes any"
    );
}

#[test]
fn a_placeholder_that_nothing_fills_does_not_go_to_the_model_in_silence() {
    let (exit, text) = told("mission = \"Count {{yaer}}.\"\n[data]\nyear = 2023\n", &[]);
    insta::assert_snapshot!(text, @"error: m.toml: nothing fills {{yaer}} in the mission; did you mean {{year}}?");
    assert_eq!(exit, 2);
    let (exit, text) = told("mission = \"Count {{nope}}.\"\n[data]\nyear = 2023\n", &[]);
    insta::assert_snapshot!(text, @"warning: m.toml: nothing fills {{nope}} in the mission; give it a value under [data] or with --set nope=…; it stays as typed");
    assert_eq!(exit, 0);
    assert_eq!(told("mission = \"Count {{nope}}.\"\n", &["--set", "nope=1"]), (0, String::new()));
    let optional = "mission = \"Count {{year}}.\"\nsignature = \"(year :int?) -> :any\"\n";
    assert_eq!(told(optional, &[]), (0, String::new()), "a declared input may be left out when it is optional");
}

#[test]
fn data_files_that_look_odd_are_told_about() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    write("m.toml", b"mission = \"Sum.\"\nreplay = \"a.jsonl\"\n[data]\nrows = { file = \"rows.csv\" }\n");
    write("a.jsonl", b"{\"content\": \"(return (mapv :b data/rows))\"}\n");
    write("rows.csv", b"a;b\n1;2\n");
    let output = ptc(folder.path(), &["run", "-q", "m.toml"]);
    let told = "note: ./rows.csv: read as CSV, cells separated by `;`\n";
    assert_eq!(
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)),
        ("[2]\n".into(), told.into())
    );
    let output = ptc(folder.path(), &["eval", "-e", "data/rows", "--data", "rows=rows.csv"]);
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("note: rows.csv: read as CSV, cells separated by `;`"));
    write("rows.csv", b"a,b\n1,J\xfcrgen\n");
    let output = ptc(folder.path(), &["run", "-q", "m.toml"]);
    let told = "note: ./rows.csv: it is not UTF-8 and is read as windows-1252: `Jürgen`; `encoding = \"…\"` says another one\n";
    assert!(String::from_utf8_lossy(&output.stderr).ends_with(told));
    write("rows.csv", b"a,b\n\xc3\xa9,2\n1,J\xfcrgen\n");
    let output = ptc(folder.path(), &["run", "-q", "m.toml"]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(
        text.contains(
            "data/rows: ./rows.csv:3:4: this is not UTF-8 text (byte 0xFC at offset 12); save the file as UTF-8, or say how it is written, as in `encoding = \"windows-1252\"`"
        ),
        "{text}"
    );
    assert_eq!(output.status.code(), Some(2));
}

/// A mission with a command that needs approval, and what a model would answer.
fn payments(folder: &Path) {
    let tool = "[tools.pay]\nsignature = \"(euros :int) -> :any\"\nprogram = \"{:paid euros}\"\napprove = true\n";
    std::fs::write(folder.join("m.toml"), format!("mission = \"Pay.\"\nreplay = \"a.jsonl\"\n{tool}")).unwrap();
    let programs = ["(def paid (tool/pay {:euros 5}))", "(return (or (:message data/fail) 5))"];
    let lines = programs.map(|program| format!("{}\n", serde_json::json!({ "content": program })));
    std::fs::write(folder.join("a.jsonl"), lines.concat()).unwrap();
}

#[test]
fn decisions_can_be_seen_afterwards() {
    let folder = tempfile::tempdir().unwrap();
    payments(folder.path());
    let output = ptc(folder.path(), &["run", "-q", "m.toml", "--approve", "none"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = ptc(folder.path(), &["show", "--timing"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("[ok] Approval of pay: deny"), "{text}");
}

#[test]
fn a_tool_asks_a_model_and_recorded_answers_stand_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let question = "llm = { mission = \"How does this sound? {{text}}\", llm = \"openai:no-such-model\" }";
    let tool = format!("[tools.tone]\nsignature = \"(text :string) -> {{tone :keyword}}\"\n{question}\n");
    std::fs::write(folder.path().join("m.toml"), format!("mission = \"Go.\"\nreplay = \"a.jsonl\"\n{tool}")).unwrap();
    let program = "(return (:tone (tool/tone {:text \"Again!\"})))";
    let lines = [
        serde_json::json!({ "content": program }),
        serde_json::json!({"agent": "tone", "content": "{\"tone\": \"angry\"}"}),
    ];
    std::fs::write(folder.path().join("a.jsonl"), lines.map(|line| format!("{line}\n")).concat()).unwrap();
    let output = ptc(folder.path(), &["run", "-q", "m.toml"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), ":angry\n", "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn calls_that_need_approval_wait_for_an_answer() {
    let folder = tempfile::tempdir().unwrap();
    payments(folder.path());
    let check = |args: &[&str]| {
        let output = ptc(folder.path(), &[&["run", "-q", "m.toml"], args].concat());
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
        format!("{} {} {}", output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
    };
    insta::assert_snapshot!(check(&["--approve", "all"]), @"0 5");
    insta::assert_snapshot!(check(&["--approve", "none"]), @r#"0 "tool 'pay' failed: it was not allowed: nothing is approved in this run at line 1, column 11""#);
    insta::assert_snapshot!(check(&[]), @"2  error: tool 'pay' needs approval, and there is no terminal to ask on; say --approve all or --approve none");
    insta::assert_snapshot!(check(&["--approve-programs", "--approve", "none", "--max-turns", "2"]), @r#"3  error[max_turns_exceeded]: limit of 2 turns reached: turns 1-2 failed with program_denied "the program was not allowed to run: nothing is approved in this run""#);
}

/// The same two levels down: the agent `boss` calls `clerk`, whose tool needs approval.
fn payments_below(folder: &Path) {
    let text = "mission = \"Pay.\"\nreplay = \"a.jsonl\"\n\
        [agents.boss]\nmission = \"Decide\"\ndescription = \"Decides\"\nsignature = \"() -> :any\"\n\
        [agents.boss.agents.clerk]\nmission = \"Pay\"\ndescription = \"Pays\"\nsignature = \"() -> :any\"\n\
        [agents.boss.agents.clerk.tools.pay]\nsignature = \"(euros :int) -> :any\"\nprogram = \"{:paid euros}\"\napprove = true\n";
    std::fs::write(folder.join("m.toml"), text).unwrap();
    let said = [
        ("boss", "(return (tool/clerk))"),
        ("clerk", "(def paid (tool/pay {:euros 5}))"),
        ("clerk", "(return (or (:message data/fail) 5))"),
    ];
    let lines = said.map(|(agent, program)| format!("{}\n", serde_json::json!({ "agent": agent, "content": program })));
    let first = format!("{}\n", serde_json::json!({ "content": "(return (tool/boss))" }));
    std::fs::write(folder.join("a.jsonl"), first + &lines.concat()).unwrap();
}

#[test]
fn calls_of_agents_below_are_asked_about_too() {
    let folder = tempfile::tempdir().unwrap();
    payments_below(folder.path());
    let check = |args: &[&str]| {
        let output = ptc(folder.path(), &[&["run", "-q", "m.toml"], args].concat());
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
        format!("{} {} {}", output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
    };
    insta::assert_snapshot!(check(&["--approve", "all"]), @"0 5");
    insta::assert_snapshot!(check(&["--approve", "none"]), @r#"0 "tool 'pay' failed: it was not allowed: nothing is approved in this run at line 1, column 11""#);
    insta::assert_snapshot!(check(&[]), @"2  error: tool 'pay' of agent 'boss/clerk' needs approval, and there is no terminal to ask on; say --approve all or --approve none");
}

#[test]
fn names_that_confuse_are_mentioned() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m.toml"), "mission = \"x\"\nreplay = \"a.jsonl\"\n[data]\ncount = 1\n").unwrap();
    std::fs::write(folder.path().join("a.jsonl"), "{\"content\": \"(return data/count)\"}\n").unwrap();
    let output = ptc(folder.path(), &["run", "-q", "m.toml"]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        text.trim(),
        "warning: data key 'count' has a name of the language: only `data/count` is the data; give it another name"
    );
    assert!(output.status.success());
}

#[test]
fn a_mission_without_turns_left_says_why() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("m.toml"),
        "mission = \"x\"\nreplay = \"a.jsonl\"\nmax_turns = 3\nfallback = false\n",
    )
    .unwrap();
    let lines = ["(def total 1)", "(inc totl)", "(inc totl)"]
        .map(|program| format!("{}\n", serde_json::json!({ "content": program })));
    std::fs::write(folder.path().join("a.jsonl"), lines.concat()).unwrap();
    let output = ptc(folder.path(), &["run", "-q", "m.toml"]);
    insta::assert_snapshot!(String::from_utf8_lossy(&output.stderr).trim(), @r#"error[max_turns_exceeded]: limit of 3 turns reached: turn 1 ran without calling return; turns 2-3 failed with undefined_symbol "undefined symbol 'totl'. Did you mean 'total'? at line 1, column 6""#);
    let output = ptc(folder.path(), &["run", "m.toml", "--json"]);
    let step: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    insta::assert_snapshot!(step["fail"]["message"].as_str().unwrap(), @r#"limit of 3 turns reached: turn 1 ran without calling return; turns 2-3 failed with undefined_symbol "undefined symbol 'totl'. Did you mean 'total'? at line 1, column 6""#);
}

#[test]
fn a_system_text_that_is_cut_is_mentioned() {
    let folder = tempfile::tempdir().unwrap();
    let text = "mission = \"x\"\nreplay = \"a.jsonl\"\nsystem_prompt = \"You decide what is paid.\"\nprompt_limit = { max_chars = 10 }\n";
    std::fs::write(folder.path().join("m.toml"), text).unwrap();
    std::fs::write(folder.path().join("a.jsonl"), "{\"content\": \"(return 1)\"}\n").unwrap();
    let output = ptc(folder.path(), &["run", "-q", "m.toml", "--requests", "r.jsonl"]);
    insta::assert_snapshot!(String::from_utf8_lossy(&output.stderr).trim(), @"warning: the system text is cut at 10 of 24 characters (prompt_limit): the model does not see the last 14; raise prompt_limit, or leave it out");
    let request = std::fs::read_to_string(folder.path().join("r.jsonl")).unwrap();
    let request: serde_json::Value = serde_json::from_str(request.lines().next().unwrap()).unwrap();
    insta::assert_snapshot!(request["system"].as_str().unwrap(), @r"
    You decide

    [system text cut here: 14 of 24 characters are left out]
    ");
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_shows_what_was_done() {
    let folder = tempfile::tempdir().unwrap();
    let tool = "[tools.wait]\ncommand = [\"sh\", \"-c\", \"touch started; exec sleep 60\"]\n";
    std::fs::write(folder.path().join("m.toml"), format!("mission = \"Wait.\"\nreplay = \"a.jsonl\"\n{tool}")).unwrap();
    let lines =
        ["(def a 1)", "(tool/wait {:n 1})"].map(|program| format!("{}\n", serde_json::json!({ "content": program })));
    std::fs::write(folder.path().join("a.jsonl"), lines.concat()).unwrap();
    let step = super::interrupted(folder.path(), &["run", "m.toml", "--json"]);
    assert_eq!((step["ending"].as_str(), step["fail"]["reason"].as_str()), (Some("error"), Some("cancelled")));
    assert_eq!(step["usage"]["turns"], 2);
    assert_eq!(step["turns"][1]["tool_calls"][0]["error"], "the run was cancelled before it answered");
}

#[test]
fn a_journal_is_neither_overwritten_nor_mixed_up() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("m.toml", "mission = \"Count.\"\nreplay = \"a.jsonl\"\n");
    write("other.toml", "mission = \"Sum.\"\nreplay = \"b.jsonl\"\n");
    write("a.jsonl", "{\"content\": \"(def a 1)\"}\n");
    write("b.jsonl", "{\"content\": \"(return (inc a))\"}\n");
    let run = |args: &[&str]| {
        let output = ptc(folder.path(), &[&["run"], args].concat());
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stdout).into_owned(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    assert_eq!(run(&["m.toml", "--record", "j"]).0, Some(1), "out of answers");
    let before = std::fs::read(folder.path().join("j")).unwrap();

    let (exit, _, told) = run(&["m.toml", "--record", "j"]);
    assert_eq!(exit, Some(2));
    assert!(
        told.contains(
            "--record: j holds a run already: add --resume to continue it, --force to replace it, or name another file"
        ),
        "{told}"
    );
    let (exit, _, told) = run(&["other.toml", "--record", "j", "--resume"]);
    assert_eq!(exit, Some(2));
    assert!(told.contains("the journal belongs to another mission: its mission text differs"), "{told}");
    let (exit, _, told) = run(&["m.toml", "--record", "j", "--resume", "--set", "n=1"]);
    assert_eq!(exit, Some(2));
    assert!(told.contains("the journal belongs to other input data"), "{told}");
    let (exit, _, told) = run(&["m.toml", "--resume"]);
    assert_eq!(exit, Some(2));
    assert!(told.contains("--record"), "{told}");
    assert_eq!(std::fs::read(folder.path().join("j")).unwrap(), before, "nothing was written");

    // Another compression may be chosen; with thinking a request would ask something else.
    write("two.jsonl", "{\"content\": \"(def a 1)\"}\n{\"content\": \"(def b 1)\"}\n");
    assert_eq!(run(&["m.toml", "--llm", "replay:two.jsonl", "--record", "k"]).0, Some(1), "out of answers");
    let thinking = format!("thinking = true\n{}", std::fs::read_to_string(folder.path().join("m.toml")).unwrap());
    write("thinking.toml", &thinking);
    let (exit, _, told) = run(&["thinking.toml", "--record", "k", "--resume"]);
    assert_eq!(exit, Some(2));
    assert!(
        told.contains("thinking is true, in the journal false; ") && told.contains("; undo that and resume"),
        "{told}"
    );

    let (exit, answer, told) = run(&["m.toml", "--llm", "replay:b.jsonl", "--record", "j", "--resume"]);
    assert_eq!((exit, answer.as_str()), (Some(0), "2\n"), "{told}");
    assert!(told.contains("note: resuming after 1 answer and 0 calls"), "{told}");
    assert!(
        told.contains("note: b.jsonl does not start with the answers of the record: it is used from its first line on"),
        "{told}"
    );
}

/// The step of a mission whose answers run out, then continue: turns, requests of the second run and its output.
fn resumed(mission: &str, before: &[&str], after: &[&str]) -> (serde_json::Value, usize, String) {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let lines = |programs: &[&str]| {
        programs.iter().map(|program| format!("{}\n", serde_json::json!({ "content": program }))).collect::<String>()
    };
    write("m.toml", &format!("replay = \"a.jsonl\"\n{mission}"));
    write("a.jsonl", &lines(before));
    let run = |args: &[&str]| ptc(folder.path(), &[&["run", "m.toml", "--record", "j", "--json"], args].concat());
    assert_eq!(run(&[]).status.code(), Some(1), "out of answers");
    let sent = || shown(folder.path(), &["show", "j", "--requests"]).0;
    let before_the_end = sent();
    write("a.jsonl", &(lines(before) + &lines(after)));
    let output = run(&["--resume", "--requests", "r.jsonl"]);
    let all = std::fs::read_to_string(folder.path().join("r.jsonl")).unwrap();
    assert_eq!(all, sent(), "those of the whole run");
    let requests = all.strip_prefix(&before_the_end).unwrap().lines().count();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    (serde_json::from_slice(&output.stdout).unwrap(), requests, told)
}

#[test]
fn recorded_answers_go_on_behind_those_of_the_journal() {
    let (step, requests, told) = resumed("mission = \"Count.\"\n", &["(def a 1)", "(def b 2)"], &["(return (+ a b))"]);
    assert_eq!((&step["return"], &step["usage"]["turns"], requests), (&3.into(), &3.into(), 1), "{told}");
    assert!(
        told.contains("note: the first 2 answers of ./a.jsonl are in the record: the run continues after them"),
        "{told}"
    );

    let agent = "[agents.pricer]\nmission = \"Price {{room}}\"\nsignature = \"(room :int) -> :int\"\ndescription = \"Prices\"\n";
    let before = ["(def p (tool/pricer {:room 4}))", "(def base 80)", "(return (+ base data/room))"];
    let (step, requests, told) = resumed(&format!("mission = \"Sum.\"\n{agent}"), &before, &["(return p)"]);
    assert_eq!((&step["return"], &step["usage"]["turns"], requests), (&84.into(), &2.into(), 1), "{told}");
    assert!(told.contains("note: the first 3 answers of ./a.jsonl are in the record"), "{told}");
}

/// A mission whose model thinks aloud and answers in two programs.
fn counting() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m.toml"), "mission = \"Count.\"\nreplay = \"a.jsonl\"\nthinking = true\n")
        .unwrap();
    let replies = ["First a look.\n```clojure\n(def n 2)\n```", "Now the answer.\n```clojure\n(return (inc n))\n```"];
    let lines = replies.map(|reply| format!("{}\n", serde_json::json!({ "content": reply })));
    std::fs::write(folder.path().join("a.jsonl"), lines.concat()).unwrap();
    folder
}

/// Proves: MIG-002.
#[test]
fn the_last_program_of_a_run_is_shown() {
    let folder = counting();
    let output = ptc(folder.path(), &["run", "-q", "m.toml", "--show-program"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "(return (inc n))\n\n3\n");
}

/// Proves: MIG-006.
#[test]
fn the_raw_answers_of_a_run_are_shown() {
    let folder = counting();
    let output = ptc(folder.path(), &["run", "-q", "m.toml", "--raw"]);
    insta::assert_snapshot!(String::from_utf8_lossy(&output.stdout), @"
    ;; reply 1
    First a look.
    ```clojure
    (def n 2)
    ```

    ;; reply 2
    Now the answer.
    ```clojure
    (return (inc n))
    ```

    3
    ");
}
