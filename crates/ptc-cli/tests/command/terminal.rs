//! Colours, completions, and the schema for editors.

use std::path::Path;

use crate::{command, ptc, shown};

/// Standard error of a program that fails.
fn error(args: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let output = command(folder.path(), args).args(["eval", "-e", "(nope)"]).env_remove("NO_COLOR").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn colours_are_for_terminals_unless_they_are_asked_for() {
    assert!(!error(&[]).contains('\u{1b}'));
    assert!(!error(&["--color", "auto"]).contains('\u{1b}'));
    assert!(!error(&["--color", "never"]).contains('\u{1b}'));
    assert!(error(&["--color", "always"]).contains("\u{1b}["), "{}", error(&["--color", "always"]));
    let folder = tempfile::tempdir().unwrap();
    let told = ptc(folder.path(), &["eval", "-e", "1", "--color", "sometimes"]);
    assert!(String::from_utf8(told.stderr).unwrap().contains("[possible values: auto, always, never]"));
}

#[test]
fn a_shown_run_has_the_colours_that_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m.toml"), "mission = 'x'\nreplay = 'a.jsonl'\nmax_turns = 2\n").unwrap();
    std::fs::write(folder.path().join("a.jsonl"), "{\"content\":\"(return 1)\"}\n").unwrap();
    shown(folder.path(), &["run", "m.toml"]);
    let trace = |when: &str| shown(folder.path(), &["show", "--color", when]).0;
    let plain = trace("auto");
    let styled = trace("always");
    assert!(!plain.contains('\u{1b}') && plain == trace("never"));
    let (first, parts) = styled.split_once('\u{1b}').unwrap();
    let bare = parts.split('\u{1b}').map(|part| part.split_once('m').unwrap().1);
    assert_eq!([first].into_iter().chain(bare).collect::<String>(), plain);
}

/// What a shell gets for the last of these words; options only where it begins with a dash.
fn proposed(folder: &Path, words: &[&str]) -> Vec<String> {
    let mut command = command(folder, &["--", "ptc"]);
    command.args(words).env("PTC_COMPLETE", "bash").env("_CLAP_COMPLETE_INDEX", words.len().to_string());
    let output = command.env("_CLAP_IFS", "\n").output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""), "{words:?}");
    let is_asked =
        |proposed: &&str| proposed.starts_with('-') == words.last().is_some_and(|word| word.starts_with('-'));
    String::from_utf8(output.stdout).unwrap().lines().filter(is_asked).map(str::to_owned).collect()
}

#[test]
fn shells_propose_commands_options_and_what_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let propose = |words: &[&str]| proposed(folder.path(), words);
    assert_eq!(propose(&["re"]), ["repl", "replay"]);
    assert_eq!(propose(&["run", "--no-k"]), ["--no-keep"]);
    assert_eq!(propose(&["doc", "group-"]), ["group-by"]);
    assert_eq!(propose(&["show", ""]), [""; 0], "there are no runs yet");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("a.toml", "mission = 'x'\nreplay = 'answers.jsonl'\n");
    write("answers.jsonl", "{\"content\": \"(return 1)\"}\n");
    write("notes.txt", "");
    write("gateway.toml", "[mcp.files]\ncommand = ['files-server']\n[mcp.mail]\nurl = 'http://127.0.0.1:9/mcp'\n");
    shown(folder.path(), &["run", "a.toml"]);
    let run = std::fs::read_dir(folder.path().join(".ptc/runs")).unwrap().next().unwrap().unwrap().file_name();
    let run = run.to_str().unwrap().strip_suffix(".jsonl.gz").unwrap();
    assert_eq!(propose(&["show", &run[..6]]), [run]);
    assert_eq!(propose(&["runs", "rm", "la"]), ["last"]);
    assert_eq!(propose(&["replay", "an"]), ["answers.jsonl"]);
    assert_eq!(propose(&["run", ""]), ["a.toml", "gateway.toml"]);
    assert_eq!(propose(&["mcp", "test", ""]), ["files", "mail"]);
}

/// What bash itself proposes, with the script for it; the others get theirs.
#[cfg(target_os = "linux")]
#[test]
fn a_shell_asks_the_command() {
    let folder = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let (script, remarks) = shown(folder.path(), &["completions", shell]);
        assert_eq!((remarks.as_str(), script.contains("PTC_COMPLETE")), ("", true), "{shell}");
        std::fs::write(folder.path().join(shell), script).unwrap();
    }
    let ask = "source ./bash; COMP_WORDS=(ptc re); COMP_CWORD=1; COMP_TYPE=9; _clap_complete_ptc ptc re ptc; echo \"${COMPREPLY[@]}\"";
    let output = std::process::Command::new("bash").args(["-c", ask]).current_dir(folder.path()).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "repl replay");
}

#[test]
fn the_schema_of_mission_files_is_printed_whole() {
    let folder = tempfile::tempdir().unwrap();
    let (text, remarks) = shown(folder.path(), &["schema"]);
    let schema: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(remarks, "");
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    assert_eq!(schema["$defs"]["tool"]["properties"]["cache"]["type"], "boolean");
}
