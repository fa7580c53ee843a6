use super::*;

/// A mission in this folder that names a file of servers.
fn mission(folder: &Path) -> MissionFile {
    let json = r#"{"mcpServers": {
        "bank": {"command": "sh", "args": ["-c", "echo \u001b[2J a"], "cwd": "x", "env": {"KEY": "canary-key", "TOKEN": "${CI_TOKEN}"}},
        "far": {"url": "https://h/mcp?key=canary", "headers": {"X": "${AWS_SECRET}", "Authorization": "canary"}}
    }}"#;
    std::fs::write(folder.join("mcp.json"), json).unwrap();
    let text = "mission = \"x\"\nmcp_servers = \"mcp.json\"\n[mcp.own]\nurl = \"http://h\"\n";
    MissionFile::from_text(folder.join("m.toml"), text).unwrap()
}

/// What is asked, and whether the servers may be used after this answer, now and the next time.
fn answered(answer: &str) -> (String, [bool; 2]) {
    let folder = tempfile::tempdir().unwrap();
    let list = TrustedFiles::listed_in(folder.path().join("trusted"));
    let (mut mission, mut out) = (mission(folder.path()), Vec::new());
    asked(&mut mission, &list, &mut answer.as_bytes(), &mut out).unwrap();
    let text = std::fs::read_to_string(folder.path().join("mcp.json")).unwrap();
    let is_known = list.knows(folder.path().join("mcp.json"), &text);
    let prefix = format!("{}/", folder.path().display());
    (String::from_utf8(out).unwrap().replace(&prefix, ""), [untrusted(&mission.servers).is_empty(), is_known])
}

#[test]
fn only_yes_is_yes() {
    for (answer, expected) in
        [("y\n", true), ("YES\n", true), ("\n", false), ("", false), ("n\n", false), ("yep\n", false)]
    {
        assert_eq!(answered(answer).1, [expected; 2], "{answer:?}");
    }
}

#[test]
fn a_person_sees_what_will_run_and_what_will_be_sent() {
    let lines = [
        "mcp.json comes with this file, and you have not agreed to use it. Its servers:",
        r#"  bank: sh -c "echo \u001b[2J a" (in x, KEY, TOKEN=${CI_TOKEN})"#,
        "  far: https://h/mcp?[hidden] (X=${AWS_SECRET}, Authorization)",
        "Use them, until mcp.json changes? [y/N] ",
    ];
    assert_eq!(answered("y\n").0, lines.join("\n"));
}
