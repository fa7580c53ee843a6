use std::fs;

use super::*;
use crate::mission_schema;
use crate::schema::tests::{VALUES, missions};

/// What is reported for a mission file with these files next to it: problems, then warnings, one line each.
fn check(toml: &str, files: &[(&str, &str)]) -> String {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let found = Registry::new().check_text(folder.path().join("m.toml"), toml);
    let problems = found.problems.iter().map(ToString::to_string);
    let warnings = found.warnings.iter().map(|warning| {
        let place = warning.place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
        format!("{place}warning[{}]: {}", warning.code, warning.message)
    });
    let lines: Vec<String> = problems.chain(warnings).collect();
    lines
        .join("\n")
        .replace(&format!("{}/", folder.path().display()), "")
        .replace(&folder.path().display().to_string(), "FOLDER")
}

#[test]
fn nothing_is_wrong() {
    let toml = "mission = 'Sum {{year}}'\nsignature = '(year :int, rows [{a :float}]) -> :float'\n[data]\nyear = 2024\nrows = { file = 'r.csv' }\n";
    assert_eq!(check(toml, &[("r.csv", "a,b\n1,2\n2.5,3\n")]), "");
}

#[test]
fn all_mistakes_are_told_at_once() {
    let toml = r#"
mission = "Sum {{yaer}}, {{what}}"
max_turn = 3
timeout = true
compression = "digset"
replay = "answers.jsonl"
[data]
year = 2024
rows = { file = "nowhere.csv" }
more = { file = "broken.json" }
[tools.a]
signature = "(x :int -> :int"
program = "(+ x 1)"
[tools.b]
comand = ["sh"]
[tools.c]
command = ["no-such-command-at-all"]
timeout = "soon"
[agents.d]
mission = "Count"
[agents.d.tools.e]
program = '''
(let [a 1]
  (+ a b))
(inc c)
'''
[mcp.f]
url = 3
"#;
    let files = [("broken.json", "[1,\n 2"), ("answers.jsonl", "\"(return 1)\"\n")];
    insta::assert_snapshot!(check(toml, &files), @r#"
    m.toml:2:16: nothing fills {{yaer}}; did you mean {{year}}?
    m.toml:3:1: unknown key `max_turn`; use `max_turns`
    m.toml:4:11: timeout must be an integer above 0 (got true)
    m.toml:5:15: there is no compression strategy `digset`; known: single-user-coalesced, digest, rolling-window, per-turn-summary, aggressive, append-only, none
    m.toml:6:10: answers.jsonl, line 1: expected a JSON object, found a text; write {"content":"…"} or {"error":{"status":429,"message":"…"}}
    m.toml:9:17: data/rows: cannot read nowhere.csv: No such file or directory (os error 2)
    m.toml:10:17: data/more: broken.json:2:2: this is not JSON: EOF while parsing a list
    m.toml:12:13: invalid signature: signature, line 1, column 9: expected `,` or `)`, found `-> :int`
    m.toml:14:8: tool `b` needs exactly one of `command`, `program`, `answers`, `self` and `llm`, it has none
    m.toml:15:1: unknown key `comand` in tool `b`; use `command`
    m.toml:17:11: tool `c`: there is no command `no-such-command-at-all`; install it, or name an executable file, relative to FOLDER
    m.toml:18:11: timeout: `soon` is not a duration; write `"5s"`, `"200ms"`, `"2m"` or a number of milliseconds
    m.toml:19:9: agent `d` needs a description to serve as a tool
    m.toml:24:8: tool `e`: undefined symbol 'b'
    m.toml:25:6: tool `e`: undefined symbol 'c'
    m.toml:28:7: url must be text (got 3)
    m.toml:2:26: warning[placeholder]: nothing fills {{what}}: it stays as typed; give it a value under [data]
    "#);
}

#[test]
fn toml_that_cannot_be_read() {
    insta::assert_snapshot!(check("mission = 'x\nmax_turns = 3\ndata = { a = }\n", &[]), @r"
    m.toml:1:13: invalid literal string, expected `'`
    m.toml:3:14: invalid literal string, expected `'`
    ");
    insta::assert_snapshot!(check("", &[]), @r#"m.toml: mission is required; write `mission = "…"` at the top of the file"#);
}

#[test]
fn data_and_signature() {
    let toml = "mission = 'Sum'\nsignature = '(year :int, rows [{a :int}], more :string?) -> :float'\n[data]\nrows = { file = 'r.csv' }\n";
    insta::assert_snapshot!(check(toml, &[("r.csv", "a,b\n1,2\nx,3\n")]), @r#"
    m.toml:4:1: the context does not fit the signature: [rows.1.a]: cannot coerce string "x" to integer
    m.toml:2:1: warning[input]: there is no value for `year`, which the signature requires: add it under [data], or give it with --set year=…
    "#);
    insta::assert_snapshot!(check("mission = 'Sum {{a}} and {{ b }}'\nsignature = '(b :int) -> :any'\n[data]\nb = 3\n", &[]), @"m.toml:1:16: the signature has no parameter for {{a}}; its parameters are b");
}

#[test]
fn placeholders_are_looked_at_beside_other_mistakes() {
    let toml = "mission = 'Sum {{yaer}}'\nmax_turns = 0\nsignature = '(year :int) -> :int'\n[data]\nyear = 3\n";
    insta::assert_snapshot!(check(toml, &[]), @r"
    m.toml:1:16: the signature has no parameter for {{yaer}}; did you mean {{year}}?
    m.toml:2:13: max_turns must be an integer above 0 (got 0)
    ");
}

#[test]
fn programs_have_places_in_the_file() {
    insta::assert_snapshot!(check("mission = 'x'\n[tools.a]\nsignature = '(n :int) -> :int'\nprogram = \"\"\"\n(let [m (inc n)]\n  \\\n  (+ m \\\"\\u00fc\\\" k))\"\"\"\n", &[]), @"m.toml:7:19: tool `a`: undefined symbol 'k'");
    insta::assert_snapshot!(check("mission = 'x'\n[tools.a]\nprogram = '(+ 1 2))'\n", &[]), @"m.toml:3:19: warning[surplus-delimiter]: tool `a`: 1 closing delimiter too many: the program ends before it");
}

#[test]
fn canned_answers_and_signatures() {
    let answers = "answers = [{ args = { id = 1 }, result = { tone = 'sad' } }, { args = { di = 1 }, result = { tone = 'sad' } }, { result = { tone = 3 } }, { error = 'gone' }]";
    let toml = format!("mission = 'x'\n[tools.a]\nsignature = '(id :int) -> {{tone :keyword}}'\n{answers}\n");
    insta::assert_snapshot!(check(&toml, &[]), @r"
    m.toml:4:62: warning[answer]: tool `a`: no call has the argument `di`, so this answer is never given; parameters: id
    m.toml:4:112: warning[answer]: tool `a`: this result does not fit {tone :keyword}: [tone]: expected keyword, got int
    ");
}

#[test]
fn rules_of_agents_have_places() {
    insta::assert_snapshot!(check("mission = 'x'\noutput = 'json'\n", &[]), @"m.toml:2:1: json output needs a signature");
    let agent =
        "[agents.b]\nmission = 'Say {{what}} of {{it}}'\ndescription = 'd'\nsignature = '(it :string) -> :string'\n";
    insta::assert_snapshot!(check(&format!("mission = 'x'\n{agent}"), &[]), @"m.toml:3:16: the signature has no parameter for {{what}}; its parameters are it");
    insta::assert_snapshot!(check(&format!("mission = 'x'\n[tools.b]\nprogram = '1'\n{agent}").replace("{{what}} of ", ""), &[]), @"m.toml:2:8: two tools are named 'b': rename one of them");
    insta::assert_snapshot!(check("mission = 'x'\n[data]\ncount = 3\nb = 1\n[tools.b]\nprogram = '1'\n[tools.map]\nprogram = '1'\n", &[]), @r"
    m.toml:3:1: warning[name]: data key 'count' has a name of the language: only `data/count` is the data; give it another name
    m.toml:4:1: warning[name]: 'b' is both a tool and a data key: `b` alone is an error in programs; rename one of them
    m.toml:7:8: warning[name]: tool 'map' has the name of a function: `map` alone is the tool in programs; give it another name
    ");
}

#[test]
fn models_are_named_with_their_places() {
    let agent = "[agents.b]\nmission = 'y'\ndescription = 'd'\nllm = 'ollama:b'\n";
    let question = "[agents.b.tools.q]\nsignature = '(t :string) -> :string'\nllm = { mission = 'Q {{t}}', llm = 'replay:no.jsonl' }\n";
    let toml = format!("mission = 'x'\nllm = 'openai:a'\n{agent}{question}");
    let found = Registry::new().check_text("m.toml", &toml);
    let names: Vec<String> = found.models.iter().map(|(place, model)| format!("{place} {model:?}")).collect();
    insta::assert_snapshot!(names.join("\n"), @r#"
    m.toml:2:7 Named("openai:a")
    m.toml:6:7 Named("ollama:b")
    m.toml:9:36 Replay("./no.jsonl")
    "#);
    assert_eq!(found.problems.len(), 1, "{:?}", found.problems);
}

#[test]
fn nothing_is_wrong_with_the_missions_of_the_project() {
    for path in missions() {
        let found = MissionFile::check(&path).unwrap();
        assert!(found.problems.is_empty(), "{}: {:?}", path.display(), found.problems);
    }
}

/// A file has problems when it cannot be loaded or its agent cannot be built; the one that loading reports is among
/// them.
#[test]
fn what_is_checked_is_what_a_run_needs() {
    let schema = mission_schema();
    let keys = schema["properties"].as_object().unwrap().keys().filter(|key| *key != "mission" && *key != "replay");
    for (key, value) in keys.flat_map(|key| VALUES.map(|value| (key, value))) {
        let toml = format!("mission = 'x'\n{key} = {value}\n");
        let problems: Vec<String> =
            Registry::new().check_text("m.toml", &toml).problems.iter().map(ToString::to_string).collect();
        let servers = key.starts_with("mcp");
        match MissionFile::from_text("m.toml", &toml) {
            Err(error) => assert!(problems.contains(&error.to_string()), "{toml}: {error}: {problems:?}"),
            Ok(mission) => {
                let built = mission.build_agent(&mission.limits());
                assert_eq!(problems.is_empty(), built.is_ok() || servers, "{toml}: {built:?}: {problems:?}");
            }
        }
    }
}
