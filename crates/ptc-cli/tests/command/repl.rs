//! `ptc repl` without a terminal; its behaviour on one is checked by hand and in `tests/screens`.

use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use crate::command;

/// Exit code, standard output and standard error of a session with this input.
fn session(folder: &Path, args: &[&str], input: &str) -> (Option<i32>, String, String) {
    let args: Vec<&str> = ["repl"].iter().chain(args).copied().collect();
    let mut command = command(folder, &args);
    let streams = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = streams.spawn().unwrap();
    // A session that ends early stops reading it.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

const MISSION: &str = r#"
mission = "Look around."
signature = "(year :int) -> :int"
[data]
orders = [{id = 1, total = 12.5}, {id = 2, total = 7.0}]
[tools.double]
signature = "(n :int) -> :int"
program = "(* 2 n)"
effect = "read"
[tools.pay]
description = "Pays"
signature = "(euros :int) -> :int"
program = "euros"
approve = true
"#;

#[test]
fn inputs_are_lines_until_their_forms_are_closed() {
    let folder = tempfile::tempdir().unwrap();
    let input = "(defn area [w h]\n  (* w h)) ; (\n\n\"a\n(\" (println :p)\n[(area 2 3) *1]\n(area 1\n";
    let (code, values, errors) = session(folder.path(), &[], input);
    insta::assert_snapshot!(values, @"
    #'area
    :p
    nil
    [6 nil]
    ");
    assert_eq!(code, Some(1));
    assert!(
        errors.contains("'(' opened at line 1, column 1 was never closed") && errors.contains("--> input 4:1:1"),
        "{errors}"
    );
}

#[test]
fn what_fails_is_undone_and_the_session_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let input = "(def n 1)\n(do (def n 2) (/ 1 0))\n[n (:reason data/fail)]\n(fail \"no\")\n:nope\n";
    let (code, values, errors) = session(folder.path(), &[], input);
    insta::assert_snapshot!(values, @"
    #'n
    [1 :arithmetic_error]
    ");
    insta::assert_snapshot!(errors, @r#"
    error[arithmetic_error]: Divide by zero
     --> input 2:1:15
      |
    1 | (do (def n 2) (/ 1 0))
      |               ^
    failed: "no"
    error: there is no command :nope; :help lists them. A keyword as a value is (identity :nope)
    "#);
    assert_eq!(code, Some(1));
    let (code, values, _) = session(folder.path(), &["--limit", "fuel=1000"], "(loop [] (recur))\n1\n");
    assert_eq!((code, values.as_str()), (Some(3), "1\n"));
    assert_eq!(session(folder.path(), &[], "\n; nothing\n").0, Some(0));
}

#[test]
fn the_last_error_stays_at_hand() {
    let folder = tempfile::tempdir().unwrap();
    let input = "*e\n(/ 1 0)\n(ex-message *e)\n[(:reason (ex-data *e)) *1 data/fail]\n";
    let (_, values, _) = session(folder.path(), &[], input);
    insta::assert_snapshot!(values, @r#"
    nil
    "Divide by zero"
    [:arithmetic_error "Divide by zero" nil]
    "#);
}

#[test]
fn a_field_that_no_record_has_is_named_before_anything_runs() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m.toml"), MISSION).unwrap();
    let input = "(println (sum-by :totla data/orders))\n(def all data/orders)\n(map (fn [o] (inc (:totla o))) all)\n(sum-by :total all)\n";
    let (code, values, errors) = session(folder.path(), &["m.toml", "--approve", "none"], input);
    assert_eq!((code, values.as_str()), (Some(1), "#'all\n19.5\n"));
    insta::assert_snapshot!(errors, @r"
    error[unknown_field]: no record of data/orders has :totla; did you mean :total?
     --> input 1:1:18
      |
    1 | (println (sum-by :totla data/orders))
      |                  ^^^^^^
    warning[duplicate-data-def]: all repeats data/orders and is not used: data/orders can be written everywhere, also in later turns
     --> input 2:1:1
      |
    1 | (def all data/orders)
      | ^
    error[unknown_field]: no record of all has :totla; did you mean :total?
     --> input 3:1:20
      |
    1 | (map (fn [o] (inc (:totla o))) all)
      |                    ^^^^^^
    ");
}

#[test]
fn words_of_other_prompts_leave_and_names_need_no_namespace() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m.toml"), MISSION).unwrap();
    let (code, values, errors) = session(folder.path(), &[], "(def exit 1)\nexit\n(quit)\n2\n");
    assert_eq!((code, values.as_str(), errors.as_str()), (Some(0), "#'exit\n1\n", ""));
    let mission = ["m.toml", "--approve", "none"];
    let (code, values, errors) = session(folder.path(), &mission, ":doc pay\n:doc orders\n:doc double\n");
    assert!(values.contains("tool/pay (euros") && values.contains("data/orders"), "{values}");
    // Names of the language belong to the language.
    assert!(values.contains("(double x)"), "{values}");
    assert_eq!((code, errors.contains("nothing is called")), (Some(0), false), "{errors}");
}

#[test]
fn a_mission_brings_its_data_and_tools() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m.toml"), MISSION).unwrap();
    let refused = session(folder.path(), &["m.toml"], "1\n");
    assert_eq!(refused.0, Some(2));
    assert!(refused.2.contains("tool 'pay' needs approval"), "{}", refused.2);
    let input =
        "(map tool/double (map :id data/orders))\n(tool/pay {:euros 5})\n:tools\n:data\n:doc tool/pay\n:data order\n";
    let (code, values, errors) = session(folder.path(), &["m.toml", "--approve", "none"], input);
    insta::assert_snapshot!(values, @"
    [2 4]
    tool/double (n :int) -> :int  (reads)
    tool/pay (euros :int) -> :int  (writes, asks first)
      Pays
    data/orders  list[2]  [{:id 1 :total 12.5} {:id 2 :total 7.0}]
    tool/pay (euros :int) -> :int  (writes, asks first)
      Pays
    ");
    assert_eq!(code, Some(1));
    assert!(
        errors.contains("it was not allowed: nothing is approved") && errors.contains("did you mean orders?"),
        "{errors}"
    );
    let (code, values, _) = session(folder.path(), &["m.toml", "--approve", "all"], "(tool/pay {:euros 5})\n");
    assert_eq!((code, values.as_str()), (Some(0), "5\n"));
}

#[test]
fn definitions_and_programs_are_saved_and_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let memory = ["--memory", "kept.json"];
    let (code, _, errors) = session(
        folder.path(),
        &memory,
        "(defn twice [x] (* 2 x))\n(def n 21)\n:save p.clj\n:save p.clj\n:save kept.json\n",
    );
    assert!(
        errors.contains("wrote 2 inputs to p.clj") && errors.contains("kept.json: there is a file already"),
        "{errors}"
    );
    assert_eq!(code, Some(1));
    assert_eq!(session(folder.path(), &memory, "(twice n)\n").1, "42\n");
    assert_eq!(
        session(folder.path(), &[], ":load p.clj\n(twice n)\n:reset\n:memory\n").1,
        "#'n\n42\nnothing is defined yet\n"
    );
    assert_eq!(session(folder.path(), &[], ":load kept.json\n(twice n)\n").1, "42\n");
    let (code, _, errors) = session(
        folder.path(),
        &[],
        ":load nowhere.clj\n:load\n:limits speed=3\n:time maybe\n:quit now\n:quit\n(nope)\n",
    );
    insta::assert_snapshot!(errors, @"
    error: cannot read nowhere.clj: No such file or directory (os error 2)
    error: write :load FILE: a .clj file for a program, a .json file for definitions
    error: :limits speed=3: write `fuel=N`, `memory=64MB`, `time=5s` or `depth=N`
    error: write :time on or :time off; it is off
    error: :quit takes no argument
    ");
    assert_eq!(code, Some(1));
}

#[test]
fn warnings_are_told_where_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let (code, values, errors) = session(folder.path(), &[], "(def xs [1 2])\n(contains? xs\n  1) 1.5M\n");
    insta::assert_snapshot!(errors, @"
    warning[dropped-result]: the result of (contains? ...) is dropped here: values never change in place; bind it with let or def, or make it the last form
     --> input 2:1:1
      |
    1 | (contains? xs
      | ^
    warning[decimal-as-float]: a decimal literal such as 1.5M is a float here; write it without M
     --> input 2:2:6
      |
    2 |   1) 1.5M
      |      ^^^^
    warning[contains-on-vector]: contains? looks for an element of a vector, not for an index; compare with (count v) for an index
     --> input 2:1:1
      |
    1 | (contains? xs
      | ^
    ");
    assert_eq!((code, values.as_str()), (Some(0), "#'xs\n1.5\n"));
}

/// Ctrl-C while a tool of a piped session sleeps ends the session, and the tool with everything it started.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_ends_a_piped_session_and_its_tools() {
    use std::time::{Duration, Instant};

    let folder = tempfile::tempdir().unwrap();
    let seconds = format!("300.{}9", std::process::id());
    let tool = format!("[tools.wait]\ncommand = [\"sh\", \"-c\", \"touch started; sleep {seconds}; echo 5\"]\n");
    std::fs::write(folder.path().join("m.toml"), format!("mission = \"Wait.\"\n{tool}")).unwrap();
    let mut command = command(folder.path(), &["repl", "m.toml"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"1\n(tool/wait {})\n2\n").unwrap();
    let began = Instant::now();
    while !folder.path().join("started").exists() {
        assert!(began.elapsed() < Duration::from_secs(30), "the tool was never called");
        std::thread::sleep(Duration::from_millis(5));
    }
    let kill =
        |name: &str, what: &str| std::process::Command::new("sh").args(["-c", &format!("{name} {what}")]).status();
    assert!(kill("kill -INT", &child.id().to_string()).unwrap().success());
    let output = child.wait_with_output().unwrap();
    drop(input);
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stdout).as_ref()), (Some(130), "1\n"));
    let is_sleeper = |entry: std::io::Result<std::fs::DirEntry>| {
        std::fs::read_to_string(entry.unwrap().path().join("cmdline"))
            .is_ok_and(|found| found == format!("sleep\0{seconds}\0"))
    };
    assert!(!std::fs::read_dir("/proc").unwrap().any(is_sleeper), "the sleep goes on");
}
