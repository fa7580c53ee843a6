use std::fs;

use ptc_config::ConfigError;

use super::*;
use crate::assertion::Assertion;
use crate::constraint::{Constraint, Kind};
use crate::datasets::DataSet;
use crate::judge::Judge;
use crate::options::{Selection, TurnFilter};

/// A suite of one level with these cases.
fn folder(cases: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("suite.toml"), "title = \"T\"\nseed = 7\nlevels = [\"one\"]\n").unwrap();
    fs::write(folder.path().join("one.toml"), cases).unwrap();
    folder
}

fn loaded(cases: &str) -> Result<Suite, ConfigError> {
    Suite::load(folder(cases).path())
}

/// The error of a suite with these cases, with the folder cut from its paths.
fn check(cases: &str) -> String {
    let folder = folder(cases);
    let error = Suite::load(folder.path()).unwrap_err();
    error.to_string().replace(&format!("{}/", folder.path().display()), "")
}

/// The error of a case with these lines.
fn check_case(lines: &str) -> String {
    check(&format!("[cases.a]\nmission = \"Count.\"\nkind = \"integer\"\n{lines}\n"))
}

#[test]
fn everything_that_a_case_can_say() {
    let suite = loaded(
        r#"
[cases.a]
mission = "Count {{n}}"
description = "About counting"
signature = "(n :int) -> :int"
max_turns = 1
sets = ["orders", "documents"]
kind = "integer"
expect = { eq = 3, gt = 1, gte = 2, lt = 4.5, between = [1, 3], one_of = [3, 4] }
check = { turns = { gt = 0, lt = 3 }, programs_differ = [1, 2], calls = { fetch = 2 }, hides = ["_x"], uses = ["y"], fails = ["timeout"] }
data = { n = 3 }
[cases.compiled]
mission = "Count {{n}}"
signature = "(n :int) -> :int"
max_turns = 1
kind = "integer"
inputs = [{ data = { n = 1 }, expect = { eq = 1 } }, { data = { n = 2 } }]
data = { n = 3 }
[cases.b]
mission = "List"
kind = "list"
expect = { length = 3, gt_length = 2 }
[cases.c]
mission = "Name"
kind = "string"
expect = { starts_with = "DOC" }
[cases.d]
mission = "Map"
kind = "map"
expect = { has_keys = ["a"] }
"#,
    )
    .unwrap();
    let [a, compiled, b, c, d] = suite.cases.as_slice() else { panic!("{:?}", suite.cases) };
    assert_eq!((suite.title.as_str(), suite.seed, a.level.as_str()), ("T", 7, "one"));
    assert_eq!(
        (a.mission.agent.description.as_deref(), a.kind, a.is_multi_turn()),
        (Some("About counting"), Some(Kind::Integer), false)
    );
    assert_eq!(a.sets, [DataSet::Orders, DataSet::Documents]);
    let shown: Vec<String> = a.expect.iter().map(ToString::to_string).collect();
    assert_eq!(shown, ["3", "> 1", ">= 2", "< 4.5", "1..3", "one of 3, 4"]);
    assert_eq!(
        a.check,
        [
            Assertion::Turns(Constraint::Gt(0.into())),
            Assertion::Turns(Constraint::Lt(3.into())),
            Assertion::ProgramsDiffer(1, 2),
            Assertion::Calls { tool: "fetch".to_owned(), times: 2 },
            Assertion::Hides("_x".to_owned()),
            Assertion::Uses("y".to_owned()),
            Assertion::Fails("timeout".to_owned()),
        ]
    );
    let inputs: Vec<_> = compiled.inputs.iter().map(|input| (input.data.len(), input.expect.as_slice())).collect();
    assert_eq!(inputs, [(1, [Constraint::Eq(1.into())].as_slice()), (1, &[])]);
    assert_eq!(b.expect, [Constraint::Length(3), Constraint::GtLength(2)]);
    assert_eq!(c.expect, [Constraint::StartsWith("DOC".to_owned())]);
    assert_eq!(d.expect, [Constraint::HasKeys(vec!["a".to_owned()])]);
    assert_eq!(suite.recording(b, None), suite.folder.join("recordings/b.jsonl"));
}

/// Proves: MIG-001.
#[test]
fn agents_are_built_with_the_keys_of_mission_files() {
    insta::assert_snapshot!(check("[cases.a]\nprompt = \"Count.\"\nkind = \"integer\"\n"), @"one.toml:1:1: case `a` needs a mission, its question");
    insta::assert_snapshot!(check_case("prompt = \"x\""), @"one.toml:4:1: unknown key `prompt`; use `mission`");
    insta::assert_snapshot!(check_case("max_turns = 0"), @"one.toml:4:13: max_turns must be an integer above 0 (got 0)");
}

#[test]
fn names_of_cases() {
    insta::assert_snapshot!(check("[cases.\"a b\"]\nmission = \"x\"\nkind = \"map\"\n"), @"one.toml:1:8: a case cannot be named 'a b'; use letters, digits, `-` and `_`");
    let folder = folder("[cases.a]\nmission = \"x\"\nkind = \"map\"\n");
    fs::write(folder.path().join("suite.toml"), "levels = [\"one\", \"two\"]\n").unwrap();
    fs::copy(folder.path().join("one.toml"), folder.path().join("two.toml")).unwrap();
    let error = Suite::load(folder.path()).unwrap_err().to_string();
    assert!(error.ends_with("two.toml:1:8: case `a` is in one.toml, too; give one of them another name"), "{error}");
}

#[test]
fn what_a_case_cannot_say() {
    insta::assert_snapshot!(check("[cases.a]\nmission = \"x\"\n"), @"one.toml:1:1: case `a` needs a kind: integer, number, string, list, map or boolean; or a judge");
    insta::assert_snapshot!(check("[cases.a]\nmission = \"x\"\nkind = \"number?\"\n"), @"one.toml:3:8: unknown kind number? (integer, number, string, list, map, boolean)");
    insta::assert_snapshot!(check("cases = 3\n"), @"one.toml:1:9: cases must be tables: write `[cases.NAME]` (got 3)");
    insta::assert_snapshot!(check("case = 3\n"), @"one.toml:1:1: unknown key `case`; use `cases`");
    insta::assert_snapshot!(check_case("sets = [\"sales\"]"), @"one.toml:4:9: unknown set sales (products, orders, employees, expenses, documents)");
    insta::assert_snapshot!(check_case("inputs = []"), @"one.toml:4:10: further inputs are for a compiled agent, which has one turn; add `max_turns = 1`");
    insta::assert_snapshot!(check_case("max_turns = 1\ninputs = [{ data = { n = 1 } }]\ncheck = { turns = { eq = 1 } }"), @"one.toml:6:9: a compiled agent is judged by its answers; leave out `check`");
    insta::assert_snapshot!(check_case("llm = \"ollama:qwen3\""), @"one.toml:4:7: case `a` cannot have `llm`; all agents of an evaluation ask the same model: name it with `--llm`");
    insta::assert_snapshot!(check_case("replay = \"a.jsonl\""), @"one.toml:4:10: case `a` cannot have `replay`; the recorded answers of a case are in `recordings/NAME.jsonl`");
    insta::assert_snapshot!(check_case("max_turns = 1\ninputs = [{ expect = { eq = 1 } }]"), @"one.toml:5:11: inputs must list tables such as { data = { n = 3 }, expect = { eq = 9 } } (got a table)");
}

#[test]
fn servers_judges_and_further_texts() {
    let case = "[cases.a]\nmission = \"x\"\nthen = [\"y\", \"z\"]\njudge = \"env.score.it\"\n[cases.a.mcp.env]\nurl = \"http://127.0.0.1:1/\"\n";
    let suite = loaded(case).unwrap();
    let a = &suite.cases[0];
    assert_eq!((a.kind, a.then.as_slice()), (None, &["y".to_owned(), "z".to_owned()][..]));
    assert_eq!(a.judge, Judge::parse("env.score.it"));
    assert_eq!(a.mission.servers[0].deny, ["score.it"], "programs do not get it");
    assert_ne!(a.fingerprint, loaded(&case.replace("\"z\"", "\"Z\"")).unwrap().cases[0].fingerprint);
    insta::assert_snapshot!(check_case("judge = \"judge\""), @r#"one.toml:4:9: judge must be a tool of a server of the case, `SERVER.TOOL`, or of `[judging]` of the suite; tools of `[judging]`: none (got "judge")"#);
    insta::assert_snapshot!(check_case("judge = \"env.judge\""), @r#"one.toml:4:9: judge must be a tool of a server of the case, `SERVER.TOOL`, or of `[judging]` of the suite; its servers: none (got "env.judge")"#);
    insta::assert_snapshot!(check_case("then = \"more\""), @r#"one.toml:4:8: then must list what the user says after each answer (got "more")"#);
    insta::assert_snapshot!(check_case("max_turns = 1\nthen = [\"more\"]\ninputs = [{ data = { n = 1 } }]"), @"one.toml:5:8: a compiled agent answers without a model; leave out `then`");
}

#[test]
fn constraints_that_mean_nothing() {
    insta::assert_snapshot!(check_case("expect = 5"), @"one.toml:4:10: expect must be a table such as { eq = 500 } (got 5)");
    insta::assert_snapshot!(check_case("expect = { equals = 5 }"), @"one.toml:4:12: unknown key `equals` in `expect`; known: eq, set, contains, matches, schema, program, not, gt, gte, lt, between, length, gt_length, starts_with, one_of, has_keys, within");
    insta::assert_snapshot!(check_case("expect = { gt = \"5\" }"), @r#"one.toml:4:17: gt must be a number (got "5")"#);
    insta::assert_snapshot!(check_case("expect = { between = [5, 1] }"), @"one.toml:4:22: between must be a list of two numbers, the lower one first (got a list)");
    insta::assert_snapshot!(check_case("expect = { length = -1 }"), @"one.toml:4:21: length must be a length, 0 or more (got -1)");
    insta::assert_snapshot!(check_case("check = { turn = 1 }"), @"one.toml:4:11: unknown key `turn` in `check`; use `turns`");
    insta::assert_snapshot!(check_case("check = { calls = { fetch = 0 } }"), @"one.toml:4:29: a number of calls must be an integer above 0 (got 0)");
    insta::assert_snapshot!(check_case("check = { programs_differ = [1, 1] }"), @"one.toml:4:29: programs_differ must be a list of two turns, from 1 (got a list)");
}

#[test]
fn the_suite_itself() {
    let error = Suite::load("nowhere").unwrap_err().to_string();
    assert!(error.starts_with("cannot read nowhere/suite.toml: "), "{error}");
    let folder = tempfile::tempdir().unwrap();
    let check = |text: &str| {
        fs::write(folder.path().join("suite.toml"), text).unwrap();
        Suite::load(folder.path()).unwrap_err().to_string().replace(&format!("{}/", folder.path().display()), "")
    };
    insta::assert_snapshot!(check("level = [\"a\"]"), @"suite.toml:1:1: unknown key `level`; use `levels`");
    insta::assert_snapshot!(check("levels = \"a\""), @r#"suite.toml:1:10: levels must list the names of files, without `.toml` (got "a")"#);
    insta::assert_snapshot!(check("levels = [\"a\"]"), @"cannot read a.toml: No such file or directory (os error 2)");
}

#[test]
fn cases_are_chosen_by_level_name_and_turns() {
    let suite = loaded(
        "[cases.a]\nmission = \"x\"\nkind = \"map\"\n[cases.b]\nmission = \"x\"\nkind = \"map\"\nmax_turns = 1\n",
    )
    .unwrap();
    let names = |selection: Selection| {
        suite.select(&selection).unwrap().iter().map(|case| case.name.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(names(Selection::default()), ["a", "b"]);
    assert_eq!(names(Selection { levels: vec!["one".to_owned()], ..Selection::default() }), ["a", "b"]);
    assert_eq!(names(Selection { cases: vec!["b".to_owned()], ..Selection::default() }), ["b"]);
    assert_eq!(names(Selection { turns: TurnFilter::MultiTurn, ..Selection::default() }), ["a"]);
    assert_eq!(names(Selection { turns: TurnFilter::SingleTurn, ..Selection::default() }), ["b"]);
    let error = |selection: Selection| suite.select(&selection).unwrap_err().to_string();
    insta::assert_snapshot!(error(Selection { levels: vec!["two".to_owned()], ..Selection::default() }), @"there is no level `two` in this suite; it has one");
    insta::assert_snapshot!(error(Selection { cases: vec!["c".to_owned()], ..Selection::default() }), @"there is no case `c` in this suite; it has a, b");
    let none = Selection { cases: vec!["b".to_owned()], turns: TurnFilter::MultiTurn, ..Selection::default() };
    insta::assert_snapshot!(error(none), @"no case of the suite has the chosen levels, names and turns");
}
