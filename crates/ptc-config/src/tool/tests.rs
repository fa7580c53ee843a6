use std::fs;
use std::sync::Arc;

use ptc_agent::{Context, RunOptions};
use ptc_lisp::text::{FormatOptions, format};
use ptc_lisp::{Tool, ToolCall, ToolResult, Value};

use crate::MissionFile;

/// The answer of the tool `t` of this table to `args` (JSON), as the formatter prints it.
fn call(table: &str, args: &str, files: &[(&str, &str)]) -> String {
    shown(result(table, args, files))
}

fn shown(result: ToolResult) -> String {
    match result {
        Ok(value) => format(&value, &FormatOptions::full()).text,
        Err(failure) => format!("failed: {failure}"),
    }
}

/// The answer of the tool `t` of this table.
fn result(table: &str, args: &str, files: &[(&str, &str)]) -> ToolResult {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let toml = format!("mission = \"x\"\n[tools.t]\n{table}\n");
    let mission = MissionFile::from_text(folder.path().join("m.toml"), &toml).unwrap();
    called(mission.tools[0].tool(&mission.limits()).unwrap().as_ref(), args)
}

fn called(tool: &dyn Tool, args: &str) -> ToolResult {
    let args: Value = Value::map_from(
        serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(args)
            .unwrap()
            .into_iter()
            .map(|(key, value)| (Value::string(key.as_str()), Value::from_json(value))),
    );
    let call = ToolCall { seq: 1, name: "t".into(), args: args.clone(), surface: args };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(tool.call(&call))
}

/// The error of a mission with this tool table.
fn check(table: &str) -> String {
    let toml = format!("mission = \"x\"\n[tools.t]\n{table}\n");
    MissionFile::from_text("m.toml", &toml).map_or_else(|error| error.to_string(), |_| "accepted".to_owned())
}

#[test]
fn parameters_are_described_by_name() {
    let toml = r#"
mission = "x"
[tools.t]
signature = "(city :string, stays [{nights :int (1 to 30)}]?, \"page[size]\" :int = 20) -> :map"
answers = []
description = "Weather"
[tools.t.params]
city = "A zip code, not a name"
"stays.nights" = "How many nights"
"page[size]" = "At once"
"#;
    let mission = MissionFile::from_text("m.toml", toml).unwrap();
    assert_eq!(
        mission.tools[0].spec.details(),
        "Weather\ncity string; A zip code, not a name\nstays array\nstays[].nights integer; minimum 1; maximum 30; How many nights\npage[size] integer; default 20; At once"
    );
    let zip = "answers = []\nparams = { zip = \"A zip code\" }\n";
    assert_eq!(
        check(zip),
        "m.toml:4:12: tool `t` has no parameter `zip`; its signature names no parameters: write `signature = \"(name :string) -> :any\"`"
    );
    assert_eq!(
        check(&format!("{zip}signature = \"(city :string, …) -> :map\"")),
        "m.toml:4:12: tool `t` has no parameter `zip`; its signature is (city :string, …) -> :map"
    );
    assert_eq!(check("answers = []\nparams = \"zip\""), "m.toml:4:10: params must be a table of texts (got \"zip\")");
    assert_eq!(
        check("answers = []\nsignature = \"(zip :string) -> :any\"\nparams = { zip = 1 }"),
        "m.toml:5:18: params must be a table of texts (got 1)"
    );
}

#[test]
fn canned_answers_fit_in_order() {
    let table = r#"answers = [
        { args = { id = 1 }, result = { name = "Ines" } },
        { args = { id = 9, room-no = 2.0 }, error = "gone" },
        { args = { tags = ["a"] }, result = 3 },
    ]"#;
    assert_eq!(call(table, "{\"id\":1,\"more\":true}", &[]), "{:name \"Ines\"}");
    assert_eq!(call(table, "{\"id\":9,\"room_no\":2}", &[]), "failed: gone");
    assert_eq!(call(table, "{\"tags\":[\"a\"]}", &[]), "3");
    assert_eq!(call(table, "{\"id\":4}", &[]), "failed: there is no canned answer for {\"id\":4}");
    assert_eq!(call("answers = [{ result = {} }]", "{\"id\":4}", &[]), "{}");
}

#[test]
fn programs_see_their_parameters() {
    let rate = "signature = \"(nights :int, factor :float?) -> :float\"\nprogram = \"(* 89.5 nights (or factor 1))\"";
    assert_eq!(call(rate, "{\"nights\":2}", &[]), "179.0");
    assert_eq!(call(rate, "{\"nights\":2,\"factor\":0.5}", &[]), "89.5");
    assert_eq!(
        call("signature = \"(room-id :int) -> :any\"\nprogram = \"{:k :v :id room-id}\"", "{\"room_id\":7}", &[]),
        "{:k :v :id 7}"
    );
    assert_eq!(
        call("program = \"(* n 2)\"\nsignature = \"(n :int) -> :int\"", "{\"n\":\"x\"}", &[]),
        "failed: *: expected numbers, got string and number; (parse-long s) and (parse-double s) read numbers, (str ...) joins texts (in the program of the tool: line 1, column 1)"
    );
    assert_eq!(call("program = \"(fail \\\"no rooms\\\")\"", "{}", &[]), "failed: no rooms");
    assert_eq!(call("program = \"(return 1)\"", "{}", &[]), "1");
}

#[test]
fn programs_keep_their_limits() {
    let endless = "program = \"(loop [] (recur))\"";
    let text = call(endless, "{}", &[]);
    assert!(text.starts_with("failed: ") && text.contains("stopped after"), "{text}");
}

#[test]
fn functions_stay_in_their_session() {
    let text = call("program = \"(fn [x] x)\"", "{}", &[]);
    assert!(text.starts_with("failed: ") && text.contains("fn"), "{text}");
}

#[cfg(unix)]
mod commands {
    use super::*;

    fn sh(script: &str) -> String {
        call("command = [\"sh\", \"t.sh\"]\ntimeout = \"60s\"", "{\"n\":2}", &[("t.sh", script)])
    }

    #[test]
    fn json_in_and_out() {
        assert_eq!(sh("cat"), "{:n 2}");
        assert_eq!(sh("echo '[1, 2.5]'"), "[1 2.5]");
        assert_eq!(
            sh("echo '{\"a\": 1, \"a\": 2}'"),
            "failed: in what it printed the key `a` appears twice in one object, and only one value can be kept; rename or remove one at line 1 column 12"
        );
        assert_eq!(sh("echo oops"), "failed: it did not print JSON (expected value at line 1 column 1) but: oops");
    }

    #[test]
    fn failures_say_what_happened() {
        assert_eq!(
            sh("echo start >&2; echo 'the printer is on fire' >&2; echo >&2; exit 3"),
            "failed: exit code 3: the printer is on fire"
        );
        assert_eq!(sh("exit 4"), "failed: exit code 4");
        assert_eq!(sh("true"), "failed: it printed nothing; its result must be JSON on standard output");
        assert_eq!(sh("kill -9 $$"), "failed: signal: 9 (SIGKILL)");
    }

    #[test]
    fn a_slow_command_is_ended() {
        let started = std::time::Instant::now();
        let slow = call("command = [\"sleep\", \"20\"]\ntimeout = 100", "{}", &[]);
        assert_eq!(slow, "failed: no answer within 100 ms");
        assert!(started.elapsed().as_secs() < 10);
    }

    #[test]
    fn large_input_and_output_do_not_block() {
        let args = serde_json::json!({ "text": "x".repeat(1 << 20) }).to_string();
        let text = call("command = [\"cat\"]", &args, &[]);
        assert_eq!(text.len(), (1 << 20) + "{:text \"\"}".len());
        assert_eq!(call("command = [\"echo\", \"1\"]", &args, &[]), "1");
    }

    /// A process may die at any time after the start of a command: here, nothing runs after it.
    #[test]
    fn a_command_has_its_whole_input_when_it_starts() {
        let folder = tempfile::tempdir().unwrap();
        for length in [0, 1, 4_095, 4_096, 4_097, 70_000, 3 << 20] {
            let script = "cat > new && mv new whole";
            let line = ptc_mcp::CommandLine {
                executable: "sh".into(),
                args: vec!["-c".to_owned(), script.to_owned()],
                folder: Some(folder.path().to_owned()),
                env: Vec::new(),
            };
            let input = "x".repeat(length);
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            let started = runtime.block_on(async { super::super::command::start(&line, &input) });
            let whole = folder.path().join("whole");
            while !whole.exists() {
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
            assert!(fs::read_to_string(&whole).unwrap() == input, "{length}");
            fs::remove_file(whole).unwrap();
            drop(started);
        }
    }

    #[test]
    fn a_command_is_told_which_call_it_answers() {
        let file = "mission = \"x\"\n[tools.t]\ncommand = [\"sh\", \"-c\", \"printf '\\\"%s\\\"' $PTC_CALL_ID\"]\n";
        let mission = MissionFile::from_text("m.toml", file).unwrap();
        let agent = mission.build_agent(&mission.limits()).unwrap();
        let llm = ptc_chat::ScriptedLlm::replies(["(tool/t) (return [(tool/t) (tool/t)])"]);
        let options = RunOptions::new().llm(Arc::new(llm)).run_id("payday");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let step = runtime.block_on(agent.run_with(Context::default(), options)).unwrap();
        assert_eq!(step.value::<Vec<String>>().unwrap(), ["payday/1/2", "payday/1/3"]);
        assert_eq!(sh("printf '[\"%s\"]' \"${PTC_CALL_ID-none}\""), "[\"none\"]", "outside of runs there is none");
    }

    #[test]
    fn variables_are_named_one_by_one() {
        let show = "printf '[\"%s\", \"%s\", \"%s\"]' \"$CARGO_PKG_NAME\" \"$GREETING\" \"${PATH:+path}\"";
        let files = [("t.sh", show)];
        let command = "command = [\"sh\", \"t.sh\"]\n";
        assert_eq!(call(command, "{}", &files), r#"["" "" "path"]"#);
        assert_eq!(call(&format!("{command}env = [\"CARGO_PKG_NAME\"]"), "{}", &files), r#"["ptc-config" "" "path"]"#);
        assert_eq!(call(&format!("{command}env = {{ GREETING = \"hi\" }}"), "{}", &files), r#"["" "hi" "path"]"#);
    }
}

/// Commands that start others; leftover processes are looked for in `/proc`.
#[cfg(target_os = "linux")]
mod groups {
    use std::time::{Duration, Instant};

    use super::*;

    /// A unique number of seconds to sleep.
    fn seconds(test: u32) -> String {
        format!("300.{}{test}", std::process::id())
    }

    /// The processes that sleep for this long.
    fn sleepers(seconds: &str) -> Vec<String> {
        let command = format!("sleep\0{seconds}\0");
        let is_one =
            |pid: &String| fs::read_to_string(format!("/proc/{pid}/cmdline")).is_ok_and(|found| found == command);
        fs::read_dir("/proc")
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(is_one)
            .collect()
    }

    /// Those that are still there after everything was ended; they are ended, too.
    fn left(seconds: &str) -> usize {
        let left = sleepers(seconds);
        for pid in &left {
            std::process::Command::new("kill").args(["-9", pid]).status().unwrap();
        }
        left.len()
    }

    #[test]
    fn a_timeout_ends_all_that_a_command_has_started() {
        let seconds = seconds(1);
        let told = call(&format!("command = [\"sh\", \"-c\", \"sleep {seconds}; echo 5\"]\ntimeout = 300"), "{}", &[]);
        assert_eq!((told.as_str(), left(&seconds)), ("failed: no answer within 300 ms", 0));
    }

    #[test]
    fn commands_that_do_not_listen_are_ended_as_well() {
        let seconds = seconds(2);
        let script = format!("trap '' TERM; sleep {seconds} & sleep {seconds}; sleep {seconds}; echo 5");
        let told = call(&format!("command = [\"sh\", \"-c\", \"{script}\"]\ntimeout = 300"), "{}", &[]);
        assert_eq!((told.as_str(), left(&seconds)), ("failed: no answer within 300 ms", 0));
    }

    #[test]
    fn a_command_may_clean_up_before_it_ends() {
        let folder = tempfile::tempdir().unwrap();
        let script = "trap 'sleep 0.1; touch tidy; exit 0' TERM; touch ready; sleep 300 & wait; echo 5";
        fs::write(folder.path().join("t.sh"), script).unwrap();
        // A slow shell has no trap yet: it gets more time.
        for timeout in ["300ms", "5s", "60s"] {
            let toml = format!("mission = \"x\"\n[tools.t]\ncommand = [\"sh\", \"t.sh\"]\ntimeout = \"{timeout}\"\n");
            let mission = MissionFile::from_text(folder.path().join("m.toml"), &toml).unwrap();
            let tool = mission.tools[0].tool(&mission.limits()).unwrap();
            let call = ToolCall { seq: 1, name: "t".into(), args: Value::Nil, surface: Value::Nil };
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            assert!(runtime.block_on(tool.call(&call)).is_err());
            drop(runtime);
            if folder.path().join("ready").exists() {
                break;
            }
        }
        assert!(folder.path().join("tidy").exists());
    }

    #[test]
    fn a_call_that_nobody_waits_for_is_ended() {
        let seconds = seconds(3);
        let toml = format!("mission = \"x\"\n[tools.t]\ncommand = [\"sh\", \"-c\", \"sleep {seconds}; echo 5\"]\n");
        let mission = MissionFile::from_text("m.toml", &toml).unwrap();
        let tool = mission.tools[0].tool(&mission.limits()).unwrap();
        let call = ToolCall { seq: 1, name: "t".into(), args: Value::Nil, surface: Value::Nil };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let began = Instant::now();
        runtime.block_on(async {
            let mut waiting = tool.call(&call);
            while sleepers(&seconds).is_empty() {
                assert!(began.elapsed() < Duration::from_secs(20), "it was never started");
                let _ = tokio::time::timeout(Duration::from_millis(20), &mut waiting).await;
            }
        });
        drop(runtime);
        assert_eq!(left(&seconds), 0);
    }

    #[test]
    fn commands_that_were_stopped_or_answered_badly_may_have_been_done() {
        let perhaps = |script: &str| {
            let timeout = if script == "sleep 5" { "200ms" } else { "60s" };
            let table = format!("command = [\"sh\", \"-c\", \"{script}\"]\ntimeout = \"{timeout}\"");
            let failure = result(&table, "{}", &[]).unwrap_err();
            format!("{} {failure}", failure.may_have_run)
        };
        let scripts =
            ["sleep 5", "kill -9 $$", "echo 'not JSON'", "true", "exit 137", "echo '503 busy' >&2; exit 1", "exit 1"];
        insta::assert_snapshot!(scripts.map(perhaps).join("\n"), @"
        true no answer within 200 ms
        true signal: 9 (SIGKILL)
        true it did not print JSON (expected ident at line 1 column 2) but: not JSON
        true it printed nothing; its result must be JSON on standard output
        true exit code 137
        true exit code 1: 503 busy
        false exit code 1
        ");
    }

    #[test]
    fn output_that_is_not_utf8_is_refused() {
        let latin = r#"command = ["sh", "-c", "printf '\"M\\374ller\"'"]"#;
        insta::assert_snapshot!(call(latin, "{}", &[]), @"failed: what it printed: this is not UTF-8 text (byte 0xFC at offset 2); write UTF-8");
    }

    #[test]
    fn too_much_output_names_the_most_that_is_read() {
        let folder = "command = [\"sh\", \"-c\", \"head -c 70000000 /dev/zero\"]";
        insta::assert_snapshot!(call(folder, "{}", &[]), @"failed: it printed more than 64 MB, the limit of a result; let it give a part, or write a file and give its name");
        let chatty = "command = [\"sh\", \"-c\", \"head -c 70000000 /dev/zero >&2; echo >&2; echo 'the last line' >&2; exit 3\"]";
        assert_eq!(call(chatty, "{}", &[]), "failed: exit code 3: the last line");
    }
}

#[test]
fn tables_that_cannot_be_used() {
    insta::assert_snapshot!(check(""), @"m.toml:2:8: tool `t` needs exactly one of `command`, `program`, `answers`, `self` and `llm`, it has none");
    insta::assert_snapshot!(check("program = \"1\"\ncommand = [\"sh\"]"), @"m.toml:2:8: tool `t` needs exactly one of `command`, `program`, `answers`, `self` and `llm`, it has command and program");
    insta::assert_snapshot!(check("comand = [\"sh\"]"), @"m.toml:3:1: unknown key `comand` in tool `t`; use `command`");
    insta::assert_snapshot!(check("command = [\"no-such-command-here\"]"), @"m.toml:3:11: tool `t`: there is no command `no-such-command-here`; install it, or name an executable file, relative to .");
    insta::assert_snapshot!(check("command = [\"./missing.sh\"]"), @"m.toml:3:11: tool `t`: there is no command `./missing.sh`; install it, or name an executable file, relative to .");
    insta::assert_snapshot!(check("command = \"sh\""), @r#"m.toml:3:11: command must list the command and its arguments as texts (got "sh")"#);
    insta::assert_snapshot!(check("command = []"), @"m.toml:3:11: command must list the command and its arguments as texts (got a list)");
    insta::assert_snapshot!(check("program = \"(+ 1\""), @"m.toml:3:12: tool `t`: Unexpected end of input: '(' opened at line 1, column 1 was never closed");
    insta::assert_snapshot!(check("program = \"(+ 1 nope)\""), @"m.toml:3:17: tool `t`: undefined symbol 'nope'");
    insta::assert_snapshot!(check("self = false"), @"m.toml:3:8: self must be true (got false)");
    insta::assert_snapshot!(check("self = true\nsignature = \"() -> :int\""), @"m.toml:4:13: tool `t` is the agent itself: leave out its signature");
    insta::assert_snapshot!(check("answers = [{ result = 1, error = \"x\" }]"), @r#"m.toml:3:12: an answer is a table such as { args = { id = 1 }, result = … } or { error = "…" }, with exactly one of `result` and `error`"#);
    insta::assert_snapshot!(check("answers = [{ error = 5 }]"), @"m.toml:3:22: error must be text (got 5)");
    insta::assert_snapshot!(check("answers = [{ error = 1979-05-27 }]"), @"m.toml:3:22: error must be text (got 1979-05-27)");
    insta::assert_snapshot!(check("answers = [{ args = [1], result = 2 }]"), @"m.toml:3:21: args must be a map (got a list)");
    insta::assert_snapshot!(check("answers = [{ arg = 1 }]"), @"m.toml:3:14: unknown key `arg` in an answer; use `args`");
    insta::assert_snapshot!(check("program = \"1\"\nenv = [\"A\"]"), @"m.toml:4:7: env belongs to a command; tool `t` has `program`");
    insta::assert_snapshot!(check("program = \"1\"\nsignature = \"(a :number)\""), @"m.toml:4:13: invalid signature: signature, line 1, column 4: expected a type, found `:number)`; write `:float` instead of `:number`; types are :string, :int, :float, :bool, :keyword, :map, :any, lists like [:int], maps like {name :string} and {:string -> :int}, sets of values like #{:low :high} and alternatives like :int | :string");
    insta::assert_snapshot!(check("program = \"1\"\ntimeout = 0"), @"m.toml:4:11: timeout must be an integer above 0 (got 0)");
}

#[test]
fn flags_reach_the_tool() {
    let toml = "mission = \"x\"\n[tools.t]\nprogram = \"1\"\napprove = true\ncache = true\nidempotent = true\ntimeout = \"3s\"\n";
    let mission = MissionFile::from_text("m.toml", toml).unwrap();
    let spec = mission.tools[0].tool(&mission.limits()).unwrap().spec().clone();
    assert_eq!(
        (spec.approve, spec.cache, spec.idempotent, spec.timeout),
        (true, true, true, Some(std::time::Duration::from_secs(3)))
    );
    insta::assert_snapshot!(check("program = \"1\"\napprove = 1"), @"m.toml:4:11: approve must be a boolean (got 1)");
}

#[test]
fn fields_of_results_are_hidden_as_the_table_says() {
    let hides = |keys: &str| {
        let toml = format!("mission = \"x\"\n[tools.t]\nprogram = \"1\"\n{keys}\n");
        let mission = MissionFile::from_text("m.toml", &toml).unwrap();
        ["_id", "_score", "_token"].map(|name| mission.tools[0].spec.hidden_fields.hides(name))
    };
    assert_eq!(hides(""), [true, true, true]);
    assert_eq!(hides("hidden = []"), [false, false, true]);
    assert_eq!(hides("hidden = [\"_score\"]"), [false, true, true]);
    insta::assert_snapshot!(check("program = \"1\"\nhidden = [\"_a\", \"b\"]"), @"m.toml:4:10: hidden has `b`: only fields whose names begin with `_` can be hidden; a tool that must not show others has to leave them out");
}

#[test]
fn a_tool_writes_unless_it_says_that_it_reads() {
    let effect = |table: &str| {
        let mission = MissionFile::from_text("m.toml", &format!("mission = \"x\"\n[tools.t]\n{table}\n")).unwrap();
        mission.tools[0].callable(&mission.limits()).unwrap().spec().effect.as_str()
    };
    assert_eq!(effect("program = \"1\""), "write");
    assert_eq!(effect("program = \"1\"\neffect = \"read\""), "read");
    assert_eq!(effect("answers = []\neffect = \"write\""), "write");
    let question = "signature = \"(text :string) -> :string\"\nllm = { mission = \"{{text}}?\" }";
    assert_eq!(effect(question), "read");
    assert_eq!(effect(&format!("{question}\neffect = \"write\"")), "write");
    insta::assert_snapshot!(check("program = \"1\"\neffect = \"none\""), @"m.toml:4:10: unknown effect none (read, write)");
    insta::assert_snapshot!(check("program = \"1\"\neffect = true"), @"m.toml:4:10: unknown effect true (read, write)");
}

#[test]
fn names_that_no_tool_can_have() {
    let of = |name: &str| {
        let toml = format!("mission = \"x\"\n[tools.{name}]\nprogram = \"1\"\n");
        MissionFile::from_text("m.toml", &toml).map_or_else(|error| error.to_string(), |_| "accepted".to_owned())
    };
    insta::assert_snapshot!(of("\"a b\""), @"m.toml:2:8: invalid tool name 'a b': use letters, digits, `_`, `-`, `?` and `!`, starting with a letter or `_`");
    insta::assert_snapshot!(of("return"), @"m.toml:2:8: 'return' is reserved and cannot name a tool");
    assert_eq!(of("\"fits-in?\""), "accepted");
}

const CALLS: &str = r#"{"name":"t","args":{"id":1},"result":{"left":5}}
{"name":"other","args":{"id":1},"result":"not mine"}
{"name":"t","args":{"id":2},"error":"503"}

{"name":"t","args":{"id":1},"result":{"left":3}}
{"name":"t","args":{"id":1,"day-no":7},"result":null}
{"name":"t","result":[]}
"#;

/// What the tool `t` with the recorded [`CALLS`] returns for these arguments, one call after another.
fn replayed(calls: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("calls.jsonl"), CALLS).unwrap();
    let toml = "mission = \"x\"\n[tools.t]\nanswers = { file = \"calls.jsonl\" }\n";
    let mission = MissionFile::from_text(folder.path().join("m.toml"), toml).unwrap();
    let tool = mission.tools[0].tool(&mission.limits()).unwrap();
    calls.iter().map(|args| shown(called(tool.as_ref(), args))).collect::<Vec<_>>().join("; ")
}

#[test]
fn recorded_calls_are_given_in_order_among_equal_ones() {
    assert_eq!(
        replayed(&[r#"{"id":1}"#, r#"{"id":2}"#, r#"{"id":1}"#, r#"{"id":1}"#]),
        "{:left 5}; failed: 503; {:left 3}; {:left 3}"
    );
    assert_eq!(replayed(&[r#"{"id":2}"#, r#"{"id":2}"#, r#"{"id":1.0}"#]), "failed: 503; failed: 503; {:left 5}");
    assert_eq!(replayed(&["{}", r#"{"day_no":7,"id":1}"#]), "[]; nil", "no argument more and no argument less");
    assert_eq!(replayed(&[r#"{"id":3}"#]), r#"failed: no call of t with {"id":3} was recorded"#);
}

#[test]
fn a_file_of_calls_that_cannot_be_used() {
    let check_table = check;
    let check = |lines: &str| {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("calls.jsonl"), lines).unwrap();
        let toml = "mission = \"x\"\n[tools.t]\nanswers = { file = \"calls.jsonl\" }\n";
        let error = MissionFile::from_text(folder.path().join("m.toml"), toml).unwrap_err().to_string();
        error.replace(&format!("{}/", folder.path().display()), "")
    };
    insta::assert_snapshot!(check("\n[1]"), @r#"m.toml:3:20: calls.jsonl line 2: a recorded call is an object such as {"name": "rate", "args": {"code": "EUR"}, "result": 1.1}, with a text under "error" instead of "result" when it failed"#);
    insta::assert_snapshot!(check("{\"name\":\"t\" 1}"), @"m.toml:3:20: calls.jsonl line 1: this is not JSON at column 13: expected `,` or `}`");
    insta::assert_snapshot!(check(r#"{"name":"t","arg":{}}"#), @r#"m.toml:3:20: calls.jsonl line 1: unknown key `arg`; a recorded call is an object such as {"name": "rate", "args": {"code": "EUR"}, "result": 1.1}, with a text under "error" instead of "result" when it failed"#);
    insta::assert_snapshot!(check(r#"{"name":"t","args":{}}"#), @r#"m.toml:3:20: calls.jsonl line 1: a recorded call is an object such as {"name": "rate", "args": {"code": "EUR"}, "result": 1.1}, with a text under "error" instead of "result" when it failed"#);
    insta::assert_snapshot!(check(r#"{"args":{},"result":1}"#), @r#"m.toml:3:20: calls.jsonl line 1: a recorded call is an object such as {"name": "rate", "args": {"code": "EUR"}, "result": 1.1}, with a text under "error" instead of "result" when it failed"#);
    insta::assert_snapshot!(check_table("answers = { fil = \"calls.jsonl\" }"), @"m.toml:3:13: unknown key `fil` in `answers`; use `file`");
    insta::assert_snapshot!(check_table("answers = {}"), @r#"m.toml:3:11: answers must be a list or `{ file = "calls.jsonl" }` (got a table)"#);
    insta::assert_snapshot!(check_table("answers = 3"), @r#"m.toml:3:11: answers must be a list or `{ file = "calls.jsonl" }` (got 3)"#);
}

proptest::proptest! {
    /// In whatever order calls come, equal ones get their recorded results in the recorded order.
    #[test]
    fn each_recorded_call_is_given_once(ids in proptest::collection::vec(0_u8..3, 1..12), order in proptest::prelude::any::<proptest::sample::Index>()) {
        let lines: String = ids.iter().enumerate().map(|(at, id)| format!("{{\"name\":\"t\",\"args\":{{\"id\":{id}}},\"result\":{at}}}\n")).collect();
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("calls.jsonl"), lines).unwrap();
        let toml = "mission = \"x\"\n[tools.t]\nanswers = { file = \"calls.jsonl\" }\n";
        let mission = MissionFile::from_text(folder.path().join("m.toml"), toml).unwrap();
        let tool = mission.tools[0].tool(&mission.limits()).unwrap();
        let mut asked: Vec<u8> = ids.clone();
        asked.rotate_left(order.index(ids.len()));
        let given: Vec<(u8, String)> = asked.iter().map(|id| (*id, shown(called(tool.as_ref(), &format!("{{\"id\":{id}}}"))))).collect();
        for id in 0..3 {
            let given: Vec<&str> = given.iter().filter(|(asked, _)| *asked == id).map(|(_, result)| result.as_str()).collect();
            let recorded: Vec<String> = ids.iter().enumerate().filter(|(_, known)| **known == id).map(|(at, _)| at.to_string()).collect();
            proptest::prop_assert_eq!(given, recorded);
        }
    }
}

#[test]
fn a_byte_order_mark_before_recorded_calls_is_no_matter() {
    let calls = [("calls.jsonl", "\u{feff}{\"name\": \"t\", \"args\": {}, \"result\": 5}\n")];
    assert_eq!(call("answers = { file = \"calls.jsonl\" }", "{}", &calls), "5");
}
