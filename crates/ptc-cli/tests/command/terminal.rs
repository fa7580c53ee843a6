//! Colours, completions, and the schema for editors.

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

#[test]
fn every_shell_completes_commands_and_options() {
    let folder = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let (script, remarks) = shown(folder.path(), &["completions", shell]);
        assert_eq!(remarks, "");
        for word in ["eval-suite", "no-keep", "language-spec", "color"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
}

/// What bash itself proposes.
#[cfg(target_os = "linux")]
#[test]
fn bash_proposes_the_commands() {
    let folder = tempfile::tempdir().unwrap();
    let (script, _) = shown(folder.path(), &["completions", "bash"]);
    std::fs::write(folder.path().join("ptc.bash"), script).unwrap();
    let ask = "source ./ptc.bash; COMP_WORDS=(ptc re); COMP_CWORD=1; _ptc ptc re ptc; echo \"${COMPREPLY[@]}\"";
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
