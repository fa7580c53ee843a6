use clap::Parser;

use super::*;
use crate::args::{Cli, Command};

/// What a run with these options shows: standard output, then `--`, then remarks and the exit code.
fn check(options: &[&str], finish: impl FnOnce(RunPlan) -> Finished) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mission = folder.path().join("m.toml");
    std::fs::write(&mission, "mission = \"x\"\nreplay = \"a.jsonl\"\nmax_turns = 3\n[data]\nlimit = 1\n").unwrap();
    std::fs::write(folder.path().join("a.jsonl"), "{\"content\":\"(return 1)\"}\n").unwrap();
    let mut words = vec!["ptc".to_owned(), "run".to_owned(), mission.display().to_string()];
    words.extend(options.iter().map(|word| (*word).to_owned()));
    let Command::Run(args) = Cli::try_parse_from(words).unwrap().command else { panic!("not a run") };
    let finished = match plan(&args, folder.path()) {
        Ok(plan) => finish(plan),
        Err(failure) => return failure.to_string(),
    };
    let mut out = Vec::new();
    write_out(&args, &finished, &mut out).unwrap();
    let remarks = remarks(&args, &finished).join("\n");
    format!("{}--\n{remarks}\nexit {}", String::from_utf8(out).unwrap(), exit(finished.ending) as u8)
}

fn finished(ending: RunEnding) -> Finished {
    Finished {
        ending,
        answer: Value::map_from([(Value::keyword("kept"), Value::Int(3))]),
        failure: None,
        step: None,
        program: Some("(return {:kept 3})\n".to_owned()),
        replies: vec!["First".to_owned(), "```clojure\n(return {:kept 3})\n```".to_owned()],
        goes_on: None,
    }
}

fn with_step(finished: Finished) -> Finished {
    Finished { step: Some(serde_json::json!({ "ending": "return", "return": { "kept": 3 } }).to_string()), ..finished }
}

#[test]
fn answers() {
    insta::assert_snapshot!(check(&[], |_| finished(RunEnding::Answer)), @r#"
    {:kept 3}
    --

    exit 0
    "#);
    insta::assert_snapshot!(check(&["--json"], |_| with_step(finished(RunEnding::Answer))), @r#"
    {"ending":"return","return":{"kept":3}}
    --

    exit 0
    "#);
    insta::assert_snapshot!(check(&["--show-program", "--raw"], |_| finished(RunEnding::Fallback)), @r#"
    ;; reply 1
    First

    ;; reply 2
    ```clojure
    (return {:kept 3})
    ```

    (return {:kept 3})

    {:kept 3}
    --
    note: the answer is the last value; the model did not call (return …)
    exit 0
    "#);
}

#[test]
fn failures() {
    let failed = |ending| Finished {
        failure: Some(("max_turns_exceeded".to_owned(), "limit of 3 turns reached".to_owned())),
        ..finished(ending)
    };
    insta::assert_snapshot!(check(&[], |_| failed(RunEnding::Limit)), @r#"
    --
    error[max_turns_exceeded]: limit of 3 turns reached
    exit 3
    "#);
    insta::assert_snapshot!(check(&["--json"], |_| with_step(failed(RunEnding::Failed))), @r#"
    {"ending":"return","return":{"kept":3}}
    --

    exit 1
    "#);
    assert!(check(&[], |_| failed(RunEnding::Interrupted(Exit::Terminated))).ends_with("exit 143"));
}

#[test]
fn the_command_line_changes_the_mission() {
    let options = [
        "--max-turns",
        "7",
        "--compression",
        "single-user-coalesced",
        "--set",
        "limit=[1]",
        "--set",
        "limit=[1, 2]",
        "--limit",
        "time=9s",
    ];
    check(&options, |plan| {
        assert_eq!(plan.mission.agent.max_turns, 7);
        assert_eq!(plan.mission.agent.compression.to_record().strategy.as_deref(), Some("single-user-coalesced"));
        let data = crate::commands::eval::clojure(&Value::Map(plan.mission.data_map()));
        assert_eq!(data, "{:limit [1 2]}");
        assert_eq!(plan.limits.time, std::time::Duration::from_secs(9));
        assert_eq!(plan.mission.agent.llm_retry.as_ref().map(|retry| retry.max_attempts), Some(3));
        assert!(plan.llm.name().starts_with("replay:"));
        finished(RunEnding::Answer)
    });
}

#[test]
fn a_strategy_can_be_given_with_options() {
    let with = |given: &str| {
        let mut shown = String::new();
        check(&["--compression", given], |plan| {
            let record = plan.mission.agent.compression.to_record();
            shown = format!("{:?} {:?} {:?}", record.strategy, record.options.get("window"), record.max_tokens);
            finished(RunEnding::Answer)
        });
        shown
    };
    assert_eq!(with("rolling-window,window=2"), r#"Some("rolling-window") Some(Number(2)) None"#);
    assert_eq!(with("aggressive,max_tokens=9000"), r#"Some("aggressive") None Some(9000)"#);
    assert_eq!(with("none"), "None None None");
    assert_eq!(with("none,max_tokens=9000"), "None None Some(9000)");
}

/// What a run of a mission with a tool that needs approval says, without a terminal.
fn approvals(options: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mission = folder.path().join("m.toml");
    let tools = "[tools.pay]\nprogram = \"1\"\napprove = true\n[tools.look]\nprogram = \"2\"\n";
    std::fs::write(&mission, format!("mission = \"x\"\nreplay = \"a.jsonl\"\n{tools}")).unwrap();
    std::fs::write(folder.path().join("a.jsonl"), "{\"content\":\"(return 1)\"}\n").unwrap();
    let mut words = vec!["ptc".to_owned(), "run".to_owned(), mission.display().to_string()];
    words.extend(options.iter().map(|word| (*word).to_owned()));
    let Command::Run(args) = Cli::try_parse_from(words).unwrap().command else { panic!("not a run") };
    let mission = MissionFile::load(&args.mission).unwrap();
    match approve::chosen(&args, &mission) {
        Ok(Some(_)) => "somebody decides".to_owned(),
        Ok(None) => "nobody is asked".to_owned(),
        Err(failure) => failure.to_string(),
    }
}

#[test]
fn without_a_terminal_approval_needs_an_option() {
    assert_eq!(approvals(&["--approve", "all"]), "somebody decides");
    assert_eq!(approvals(&["--approve", "none", "--approve-programs"]), "somebody decides");
    if !std::io::IsTerminal::is_terminal(&std::io::stdin()) {
        insta::assert_snapshot!(approvals(&[]), @"tool 'pay' needs approval, and there is no terminal to ask on; say --approve all or --approve none");
        insta::assert_snapshot!(approvals(&["--approve-programs"]), @"programs need approval, and there is no terminal to ask on; say --approve all or --approve none");
    }
}

#[test]
fn mistakes() {
    insta::assert_snapshot!(check(&["--compression", "zip"], |_| unreachable!()), @"--compression:1:1: there is no compression strategy `zip`; known: single-user-coalesced, digest, rolling-window, per-turn-summary, aggressive, append-only, none");
    insta::assert_snapshot!(check(&["--compression", "rolling-window,windw=2"], |_| unreachable!()), @"--compression:1:16: unknown key `windw` in the options of `rolling-window`; use `window`");
    insta::assert_snapshot!(check(&["--limit", "fuel=3"], |_| unreachable!()), @"--limit fuel=3: a mission bounds time and memory of its programs; write `time=5s` or `memory=64MB`");
    insta::assert_snapshot!(check(&["--set", "limit"], |_| unreachable!()), @"--set limit: write KEY=VALUE, for example limit=250");
    insta::assert_snapshot!(check(&["--set", " fail=1"], |_| unreachable!()), @"--set  fail=1: data key 'fail' is reserved: programs read the last error there; give the entry another name");
    insta::assert_snapshot!(check(&["--llm", "qwen"], |_| unreachable!()), @"`qwen` does not name a model: it names no provider; write `URL#MODEL` such as `http://127.0.0.1:8080/v1#qwen3`, or `provider:MODEL` such as `ollama:qwen3`");
    assert!(
        check(&["--llm", "replay:nowhere.jsonl"], |_| unreachable!())
            .starts_with("cannot read the replay file nowhere.jsonl: ")
    );
}

#[test]
fn the_message_of_a_failure_adds_no_line() {
    assert_eq!(report::one_text("error[x]: a\nnote: b\r\u{1b}[2J"), "error[x]: a\n  note: b\\r\\u001b[2J");
}
