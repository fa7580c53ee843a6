//! `ptc grammar` and missions with `grammar`.

use super::{ptc, refused};

fn printed(folder: &std::path::Path, args: &[&str]) -> String {
    let output = ptc(folder, args);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn mission(line: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let text = format!(
        "mission = \"Go.\"\nreplay = \"a.jsonl\"\nsignature = \"(limit :int) -> {{count :int}}\"\n{line}\n[data]\nlimit = 3\n"
    );
    std::fs::write(folder.path().join("m.toml"), text).unwrap();
    std::fs::write(folder.path().join("a.jsonl"), "{\"content\": \"(return {:count 1})\"}\n").unwrap();
    folder
}

#[test]
fn a_grammar_knows_data_tools_definitions_and_the_result() {
    let folder = mission("");
    let text = printed(folder.path(), &["grammar", "m.toml", "--tool", "rate=(nights :int, room :string?) -> :float"]);
    assert!(text.starts_with("root ::= p0\n"), "{text}");
    for line in [r#"value ::= "data/limit""#, r#""(tool/rate {" k"#, r#""{" k"#] {
        assert!(text.contains(line), "{line}");
    }
    assert!(text.contains(r#"::= ":count " y"#), "{text}");
    let saved = ptc(folder.path(), &["eval", "--memory", "d.json", "-e", "(defn area [w h] (* w h))"]);
    assert!(saved.status.success());
    let args = ["grammar", "--memory", "d.json", "--notation", "lark", "--ends"];
    let text = printed(folder.path(), &args);
    assert!(text.starts_with("start: root\nroot: p0\n") && text.contains("\"area\""), "{text}");
}

#[test]
fn a_mission_with_recorded_answers_may_be_constrained() {
    let folder = mission("grammar = true");
    assert_eq!(printed(folder.path(), &["run", "m.toml"]), "{:count 1}\n");
    let told = refused(mission("grammar = true\nthinking = true").path(), &["run", "m.toml"]);
    insta::assert_snapshot!(told, @"error: m.toml: grammar excludes thinking: a grammar lets the model write a program and nothing else");
}
