//! The command as its users run it.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails where it stands")]

#[cfg(target_os = "linux")]
mod addresses;
mod attacks;
#[cfg(target_os = "linux")]
mod bad_inputs;
mod batch;
mod book;
mod canaries;
mod check_and_doc;
mod check_mission;
mod compare;
mod config;
#[cfg(unix)]
mod disk;
mod durable;
mod eval_live;
mod eval_suite;
mod first_mission;
mod fmt;
mod gateway;
mod grammar;
mod hostile;
mod init;
#[cfg(target_os = "linux")]
mod isolated;
mod kept;
mod language_spec;
mod logins;
mod man;
mod mcp;
mod memory;
mod missions;
mod nrepl;
mod outputs;
mod preview;
#[cfg(target_os = "linux")]
mod prices;
#[cfg(target_os = "linux")]
mod processes;
mod readme;
mod repl;
mod replay;
mod servers;
mod show;
#[cfg(target_os = "linux")]
mod story;
mod terminal;
mod view;
mod worker;

use std::path::Path;
use std::process::{Command, Output};

/// The command in this folder, whatever the environment says about models, engines, settings and colours.
fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = program(folder, env!("CARGO_BIN_EXE_ptc"));
    command.args(args);
    command
}

/// The command, which a hang-up ends even where the tests run below a `nohup`: what is ignored is inherited.
fn command_that_hangs_up(folder: &Path, args: &[&str]) -> Command {
    let mut command = program(folder, "env");
    command.args(["--default-signal=HUP", env!("CARGO_BIN_EXE_ptc")]).args(args);
    command
}

/// A program in this folder, with nothing of the user's settings.
fn program(folder: &Path, name: &str) -> Command {
    let mut command = Command::new(name);
    command.current_dir(folder).env("NO_COLOR", "1");
    for name in ["PTC_LLM", "PTC_ENGINE", "PTC_BLOBS", "PTC_CONFIG"] {
        command.env_remove(name);
    }
    for name in ["XDG_CONFIG_HOME", "APPDATA"] {
        command.env(name, folder.join(SETTINGS));
    }
    command
}

/// The folder of settings below the folder of a test, which most tests do not have.
const SETTINGS: &str = "settings";

fn ptc(folder: &Path, args: &[&str]) -> Output {
    command(folder, args).output().unwrap()
}

/// Standard output of a command that must succeed, and its remarks.
fn shown(folder: &Path, args: &[&str]) -> (String, String) {
    let output = ptc(folder, args);
    let remarks = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{remarks}");
    (String::from_utf8(output.stdout).unwrap(), remarks)
}

/// The record of a run of this mission.
fn record_of(folder: &Path, mission: &str) -> String {
    ptc(folder, &["run", mission, "--record", "typed.jsonl", "--force"]);
    let record = std::fs::read_to_string(folder.join("typed.jsonl")).unwrap();
    std::fs::remove_file(folder.join("typed.jsonl")).unwrap();
    record
}

/// The whole step of a run of this mission, with typed values: as workers of older releases kept it.
fn typed_step(folder: &Path, mission: &str) -> String {
    use ptc_runner::transcript::{Recorded, StepJson, ValueForm};

    let recorded = Recorded::read(record_of(folder, mission).as_bytes()).unwrap().unwrap();
    StepJson::new(&ptc_runner::agent::recorded_step(recorded).unwrap(), ValueForm::Typed).to_json().to_string()
}

/// The error of a command that must fail.
fn refused(folder: &Path, args: &[&str]) -> String {
    let output = ptc(folder, args);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    String::from_utf8(output.stderr).unwrap()
}

/// Standard output of a command that is interrupted once its tool, `touch started; exec sleep 60`, was called.
#[cfg(unix)]
fn interrupted(folder: &Path, args: &[&str]) -> serde_json::Value {
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    let began = Instant::now();
    let child = command(folder, args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !folder.join("started").exists() {
        assert!(began.elapsed() < Duration::from_secs(30), "the tool was never called");
        std::thread::sleep(Duration::from_millis(5));
    }
    let kill = Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status().unwrap();
    assert!(kill.success());
    let output = child.wait_with_output().unwrap();
    assert!(began.elapsed() < Duration::from_secs(40), "it waited for the tool");
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}
