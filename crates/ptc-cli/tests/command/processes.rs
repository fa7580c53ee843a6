//! What happens to the processes of tools when the command is asked to end.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use super::{command_that_hangs_up, ptc};

/// The processes that sleep for this long.
fn sleepers(seconds: &str) -> Vec<String> {
    let command = format!("sleep\0{seconds}\0");
    let is_one = |pid: &String| fs::read_to_string(format!("/proc/{pid}/cmdline")).is_ok_and(|found| found == command);
    fs::read_dir("/proc")
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(is_one)
        .collect()
}

/// A mission whose tool starts a `sleep` with a unique duration.
fn sleeping(folder: &Path, test: u32) -> String {
    let seconds = format!("300.{}{test}", std::process::id());
    let tool = format!("[tools.wait]\ncommand = [\"sh\", \"-c\", \"sleep {seconds}; echo 5\"]\n");
    fs::write(folder.join("m.toml"), format!("mission = \"Wait.\"\nreplay = \"a.jsonl\"\n{tool}")).unwrap();
    let lines =
        ["(def r (tool/wait {:n 1}))", "(return 7)"].map(|program| format!("{}\n", json!({ "content": program })));
    fs::write(folder.join("a.jsonl"), lines.concat()).unwrap();
    seconds
}

fn signal(name: &str, pid: &str) {
    assert!(Command::new("sh").args(["-c", &format!("kill -{name} {pid}")]).status().unwrap().success());
}

/// The run, asked to end when its tool sleeps, and how many processes of the tool are left.
fn ended(folder: &Path, seconds: &str, name: &str) -> (Output, usize) {
    let began = Instant::now();
    let args = ["run", "m.toml", "--record", "j", "--json"];
    let child = command_that_hangs_up(folder, &args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while sleepers(seconds).is_empty() {
        assert!(began.elapsed() < Duration::from_secs(30), "the tool was never called");
        std::thread::sleep(Duration::from_millis(5));
    }
    signal(name, &child.id().to_string());
    let output = child.wait_with_output().unwrap();
    let left = sleepers(seconds);
    left.iter().for_each(|pid| signal("KILL", pid));
    (output, left.len())
}

#[test]
fn signals_end_the_tools_and_leave_a_run_that_can_go_on() {
    for (test, name, code) in [(1, "TERM", 143), (2, "INT", 130), (3, "HUP", 129)] {
        let folder = tempfile::tempdir().unwrap();
        let seconds = sleeping(folder.path(), test);
        let (output, left) = ended(folder.path(), &seconds, name);
        assert_eq!(
            (output.status.code(), left),
            (Some(code), 0),
            "{name}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        let step: Json = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(
            (&step["fail"]["reason"], &step["turns"][0]["tool_calls"][0]["name"]),
            (&json!("cancelled"), &json!("wait"))
        );

        let resumed = ptc(folder.path(), &["run", "m.toml", "--record", "j", "--resume"]);
        assert_eq!(String::from_utf8_lossy(&resumed.stdout), "7\n", "{}", String::from_utf8_lossy(&resumed.stderr));
    }
}

#[test]
fn a_hang_up_that_the_shell_ignores_is_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let tool = "[tools.wait]\ncommand = [\"sh\", \"-c\", \"touch started; sleep 1; echo 5\"]\n";
    fs::write(folder.path().join("m.toml"), format!("mission = \"Wait.\"\nreplay = \"a.jsonl\"\n{tool}")).unwrap();
    fs::write(folder.path().join("a.jsonl"), format!("{}\n", json!({"content": "(return (tool/wait {:n 1}))"})))
        .unwrap();
    let script = format!("trap '' HUP; exec {} run m.toml", env!("CARGO_BIN_EXE_ptc"));
    let child =
        Command::new("sh").args(["-c", &script]).current_dir(folder.path()).stdout(Stdio::piped()).spawn().unwrap();
    let began = Instant::now();
    while !folder.path().join("started").exists() {
        assert!(began.elapsed() < Duration::from_secs(30), "the tool was never called");
        std::thread::sleep(Duration::from_millis(5));
    }
    signal("HUP", &child.id().to_string());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stdout).as_ref()), (Some(0), "5\n"));
}
