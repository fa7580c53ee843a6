//! Definitions that are carried from one call of the command to the next.

use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};

use serde_json::{Value as Json, json};

use super::{command, ptc};

fn eval(folder: &Path, program: &str) -> Output {
    ptc(folder, &["eval", "--memory", "m.json", "-e", program])
}

/// The value that each call prints, turn by turn over one memory file.
fn check(programs: &[&str]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let printed = programs.iter().map(|program| {
        let output = eval(folder.path(), program);
        assert!(
            output.stderr.is_empty() && output.status.success(),
            "{program}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
    });
    printed.collect()
}

/// The answer of a batch of one request.
fn batch(request: &Json) -> Json {
    let mut child =
        command(Path::new("."), &["eval", "--batch"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    writeln!(child.stdin.take().unwrap(), "{request}").unwrap();
    serde_json::from_slice(&child.wait_with_output().unwrap().stdout).unwrap()
}

#[test]
fn functions_and_atoms_go_from_call_to_call() {
    let turns = [
        "(def n (atom 0)) (def other n) (def add (let [step 2] (fn add ([] (add 1)) ([times] (swap! n + (* step times))))))",
        "(add)",
        "[(add 5) @other]",
        "(def cheap (comp (partial > 5) :price)) (filter cheap [{:price 3} {:price 7}])",
        "(filter cheap [{:price 4}])",
    ];
    assert_eq!(check(&turns), ["#'add", "2", "[12 12]", "[{:price 3}]", "[{:price 4}]"]);
}

#[test]
fn a_batch_takes_the_memory_of_an_earlier_answer() {
    let first = batch(&json!({"id": 1, "source": "(def k 3) (defn f \"Times k.\" [x] (* k x)) (f 1)"}));
    let stored = &first["memory"]["f"];
    assert_eq!(stored["value"]["source"], "(fn [x] (* k x))");
    assert_eq!((&stored["doc"], &stored["returns"]), (&json!("Times k."), &json!("integer")));
    let second = batch(&json!({"id": 2, "source": "(f 5)", "memory": first["memory"]}));
    assert_eq!((&second["value"]["v"], &second["memory"]), (&json!("15"), &first["memory"]));
}

#[test]
fn what_cannot_be_kept_is_a_warning() {
    let answer = batch(&json!({"source": "(def xs (filter neg? (range))) (def a 1) nil", "limits": {"fuel": 5_000}}));
    assert_eq!(answer["ok"], true);
    assert_eq!(answer["warnings"][0]["code"], "memory-entry");
    assert!(
        answer["warnings"][0]["message"].as_str().unwrap().starts_with("the definition of xs is left out: "),
        "{answer}"
    );
    assert_eq!(answer["memory"].as_object().unwrap().keys().collect::<Vec<_>>(), ["a"]);
}

#[test]
fn a_function_that_waits_for_its_tool_stays_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.json");
    let entry = r##"{"f":{"value":{"t":"fn","v":"#fn[]","source":"(fn [] (tool/rate {}))"},"order":1}}"##;
    std::fs::write(&path, entry).unwrap();
    let output = eval(folder.path(), "(def a 1)");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.success()
            && told.contains("the definition of f is left out")
            && told.contains("tool 'rate' not found"),
        "{told}"
    );
    let kept: Json = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    assert_eq!((&kept["f"]["value"]["source"], &kept["a"]["value"]), (&json!("(fn [] (tool/rate {}))"), &json!(1)));
}

#[test]
fn a_broken_file_stops_the_command_and_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.json");
    for broken in ["{\"a\": ", "[]", "", "\u{0}"] {
        std::fs::write(&path, broken).unwrap();
        let output = eval(folder.path(), "(def a 1)");
        assert_eq!(output.status.code(), Some(2), "{broken}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("m.json: "), "{broken}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), broken);
    }
}

#[test]
fn a_failed_program_leaves_the_file_alone() {
    let folder = tempfile::tempdir().unwrap();
    eval(folder.path(), "(def a (atom 1))");
    let before = std::fs::read(folder.path().join("m.json")).unwrap();
    let failed = eval(folder.path(), "(reset! a 2) (def b 2) (/ 1 0)");
    assert_eq!(failed.status.code(), Some(1));
    assert_eq!(std::fs::read(folder.path().join("m.json")).unwrap(), before);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no draft is left");
}

#[test]
fn a_result_too_large_to_write_down_names_the_memory_limit_that_was_given() {
    // Small in memory, where it shares its parts, and endless when written out.
    let args = ["eval", "--limit", "memory=2MB", "-e", "(nth (iterate (fn [v] [v v]) [1]) 60)"];
    let limit = "needs more than 4 times the memory limit of 2097152 bytes";
    let answer: Json = serde_json::from_slice(&ptc(Path::new("."), &[&args[..], &["--json"]].concat()).stdout).unwrap();
    assert_eq!(answer["error"]["reason"], "memory_exceeded");
    assert!(answer["error"]["message"].as_str().unwrap().contains(limit), "{answer}");
    let told = ptc(Path::new("."), &[&args[..], &["--format", "json"]].concat()).stderr;
    assert!(String::from_utf8_lossy(&told).contains(limit), "{}", String::from_utf8_lossy(&told));
}
