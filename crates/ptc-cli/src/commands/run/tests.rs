use clap::Parser;

use ptc_runner::lisp::Value;

use super::*;

#[derive(Parser)]
struct Words {
    #[command(flatten)]
    run: RunArgs,
}

/// A mission with recorded answers in its own folder.
struct Mission(tempfile::TempDir);

impl Mission {
    fn new(toml: &str, answers: &[&str]) -> Mission {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("m.toml"), format!("mission = \"x\"\nreplay = \"a.jsonl\"\n{toml}")).unwrap();
        let lines = answers.iter().map(|answer| format!("{}\n", serde_json::json!({"content": answer})));
        std::fs::write(folder.path().join("a.jsonl"), lines.collect::<String>()).unwrap();
        Mission(folder)
    }

    fn args(&self, options: &[&str]) -> RunArgs {
        let file = self.0.path().join("m.toml").display().to_string();
        Words::try_parse_from(["run", &file].iter().chain(options)).unwrap().run
    }

    fn ready(&self, options: &[&str]) -> Result<Ready, Failure> {
        ready(&self.args(options), self.0.path())
    }
}

/// What a run with these options shows: standard output, then `--`, then remarks and the exit code.
fn check(options: &[&str], answers: &[&str], toml: &str, signal: Option<Exit>) -> String {
    let mission = Mission::new(toml, answers);
    let (args, ready) = (mission.args(options), mission.ready(options).unwrap());
    if signal.is_some() {
        ready.options.cancel.cancel();
    }
    let (step, _) = tokio::runtime::Runtime::new().unwrap().block_on(driven(ready)).unwrap();
    let mut out = Vec::new();
    write_out(&args, &step, args.json.then_some("{the step}"), &mut out).unwrap();
    let remarks = remarks(&args, &step, None).join("\n");
    format!("{}--\n{remarks}\nexit {}", String::from_utf8(out).unwrap(), ended::exit(&step, signal) as u8)
}

#[test]
fn a_record_is_not_locked_while_its_requests_are_read() {
    let mission = Mission::new("", &["(return 1)"]);
    let requests = mission.0.path().join("requests.jsonl");
    let ready = mission.ready(&["--requests", &requests.display().to_string()]).unwrap();
    let (_, mut recording) = tokio::runtime::Runtime::new().unwrap().block_on(driven(ready)).unwrap();
    let record = recording.path.clone().unwrap();
    assert!(crate::kept::is_running(&record));
    recording.write_requests().unwrap();
    assert!(!crate::kept::is_running(&record));
    assert_eq!(std::fs::read_to_string(requests).unwrap().lines().count(), 1);
}

#[test]
fn a_run_that_can_go_on_names_all_that_decides_it() {
    let again = |words: &[&str]| {
        Words::parse_from(["run"].iter().chain(words)).run.again(Path::new(".ptc/runs/1.jsonl.gz")).to_string()
    };
    let end = "--record .ptc/runs/1.jsonl.gz --resume";
    assert_eq!(again(&["m.toml", "--raw"]), format!("ptc run m.toml {end}"));
    let all = "--llm http://127.0.0.1:1/v1#q --max-turns 3 --set 'who=Ines O'\\''Hara' --set n=1 --seed 7 --approve none --timeout 1500ms";
    let words = ["my m.toml", "--llm", "http://127.0.0.1:1/v1#q", "--max-turns", "3", "--set", "who=Ines O'Hara"];
    let rest = ["--set", "n=1", "--seed", "7", "--approve", "none", "--timeout", "1.5s"];
    assert_eq!(again(&[&words[..], &rest].concat()), format!("ptc run 'my m.toml' {all} {end}"));
    for (time, told) in [("5", "write 5s for seconds"), ("0s", "above 0"), ("5 weeks", "5 weeks")] {
        let refused = Words::try_parse_from(["run", "m.toml", "--timeout", time]).err().unwrap().to_string();
        assert!(refused.contains(told), "{refused}");
    }
}

#[test]
fn answers() {
    let answers = ["First\n```clojure\n(def a 3)\n```", "```clojure\n{:kept 3}\n```"];
    let returned = ["```clojure\n(return {:kept 3})\n```"];
    insta::assert_snapshot!(check(&[], &returned, "", None), @r#"
    {:kept 3}
    --

    exit 0
    "#);
    insta::assert_snapshot!(check(&["--json"], &returned, "", None), @r#"
    {the step}
    --

    exit 0
    "#);
    insta::assert_snapshot!(check(&["--show-program", "--raw"], &answers, "max_turns = 2", None), @r#"
    ;; reply 1
    First
    ```clojure
    (def a 3)
    ```

    ;; reply 2
    ```clojure
    {:kept 3}
    ```

    {:kept 3}

    {:kept 3}
    --
    note: the answer is the last value; the model did not call (return …)
    exit 0
    "#);
}

#[test]
fn failures() {
    let limited = "max_turns = 2\nfallback = false";
    insta::assert_snapshot!(check(&[], &["(def a 1)", "(+ a 1)"], limited, None), @r#"
    --
    error[max_turns_exceeded]: limit of 2 turns reached: turns 1-2 ran without calling return
    exit 3
    "#);
    insta::assert_snapshot!(check(&["--json"], &["(def a 1)", "(fail :no)"], limited, None), @r#"
    {the step}
    --

    exit 1
    "#);
    assert!(check(&[], &["1"], "", Some(Exit::Terminated)).ends_with("exit 143"));
}

/// What `--compression` and similar options make of a mission.
fn changed(options: &[&str]) -> MissionFile {
    let mission = Mission::new("[data]\nlimit = 1\n", &[]);
    let args = mission.args(options);
    let mut file = MissionFile::load(&args.asked.mission).unwrap();
    overrides::apply(&mut file, &args.asked).unwrap();
    file
}

#[test]
fn the_command_line_changes_the_mission() {
    let mission = changed(&[
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
        "--limit",
        "fuel=77",
        "--limit",
        "depth=8",
    ]);
    assert_eq!(mission.agent.max_turns, 7);
    assert_eq!(mission.agent.compression.to_record().strategy.as_deref(), Some("single-user-coalesced"));
    assert_eq!(output::clojure(&Value::Map(mission.data_map())), "{:limit [1 2]}");
    let limits = mission.limits();
    assert_eq!((limits.time, limits.fuel, limits.depth), (Duration::from_secs(9), 77, 8));
    assert_eq!(mission.agent.max_heap, None, "what was not given keeps its default");
    assert_eq!(mission.agent.llm_retry.as_ref().map(|retry| retry.max_attempts), Some(3));
    let ready = Mission::new("", &["1"]).ready(&["--max-turns", "7"]).unwrap();
    assert!(ready.options.llm.is_some_and(|llm| llm.name().starts_with("replay:")));
    assert_eq!(ready.agent.spec().max_turns, 7);
}

#[test]
fn a_strategy_can_be_given_with_options() {
    let with = |given: &str| {
        let record = changed(&["--compression", given]).agent.compression.to_record();
        format!("{:?} {:?} {:?}", record.strategy, record.options.get("window"), record.max_tokens)
    };
    assert_eq!(with("rolling-window,window=2"), r#"Some("rolling-window") Some(Number(2)) None"#);
    assert_eq!(with("aggressive,max_tokens=9000"), r#"Some("aggressive") None Some(9000)"#);
    assert_eq!(with("none"), "None None None");
    assert_eq!(with("none,max_tokens=9000"), "None None Some(9000)");
}

/// The output of a run of a mission with a tool that needs approval, without a terminal.
fn approvals(options: &[&str]) -> String {
    let tools = "[tools.pay]\nprogram = \"1\"\napprove = true\n[tools.look]\nprogram = \"2\"\n";
    match Mission::new(tools, &["(return 1)"]).ready(options) {
        Ok(ready) if ready.options.approval.is_some() => "somebody decides".to_owned(),
        Ok(_) => "nobody is asked".to_owned(),
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

/// Why a run with these options cannot start.
fn refused(options: &[&str]) -> String {
    let ready = Mission::new("[data]\nlimit = 1\n", &["(return 1)"]).ready(options);
    ready.err().map(|failure| failure.to_string()).unwrap_or_default()
}

#[test]
fn mistakes() {
    insta::assert_snapshot!(refused(&["--compression", "zip"]), @"--compression:1:1: there is no compression strategy `zip`; known: single-user-coalesced, digest, rolling-window, per-turn-summary, aggressive, append-only, none");
    insta::assert_snapshot!(refused(&["--compression", "rolling-window,windw=2"]), @"--compression:1:16: unknown key `windw` in the options of `rolling-window`; use `window`");
    insta::assert_snapshot!(refused(&["--limit", "speed=3"]), @"--limit speed=3: write `fuel=N`, `memory=64MB`, `time=5s` or `depth=N`");
    insta::assert_snapshot!(refused(&["--set", "limit"]), @"--set limit: write KEY=VALUE, for example limit=250");
    insta::assert_snapshot!(refused(&["--set", " fail=1"]), @"--set  fail=1: data key 'fail' is reserved: programs read the last error there; give the entry another name");
    insta::assert_snapshot!(refused(&["--llm", "qwen"]), @"`qwen` does not name a model: it names no provider; write `URL#MODEL` such as `http://127.0.0.1:8080/v1#qwen3`, or `provider:MODEL` such as `ollama:qwen3`");
    assert!(refused(&["--llm", "replay:nowhere.jsonl"]).starts_with("cannot read the replay file nowhere.jsonl: "));
}
