use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::*;
use crate::variant::Variant;

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    files.iter().for_each(|(name, text)| fs::write(folder.path().join(name), text).unwrap());
    folder
}

const SHORT: (&str, &str) = ("short.toml", "mission = \"Kind of {{text}}?\"\n");
const LONG: (&str, &str) = ("long.toml", "mission = \"Think. {{text}}\"\nsignature = \"(text :string) -> :string\"\n");

/// A suite of these questions in a CSV file with these lines of `suite.toml`.
fn suite(lines: &str, csv: &str) -> Result<Suite, String> {
    let lines = format!("questions = \"q.csv\"\n{lines}");
    let folder = folder(&[SHORT, LONG, ("q.csv", csv), ("suite.toml", &lines)]);
    let error = |error: ConfigError| error.to_string().replace(&format!("{}/", folder.path().display()), "");
    Suite::load(folder.path()).map_err(error)
}

#[test]
fn rows_are_cases_of_each_mission() {
    let csv = "case,text,expect,expect.contains,note\nfirst,Broken,bug,,x\n,Paid twice,,bill,y\n";
    let suite = suite("missions = [\"short.toml\", \"long.toml\"]\n", csv).unwrap();
    let names: Vec<&str> = suite.cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names, ["first", "q-2"]);
    let expected: Vec<&[Constraint]> = suite.cases.iter().map(|case| case.expect.as_slice()).collect();
    assert_eq!(expected[0], [Constraint::Eq(json!("bug"))]);
    assert_eq!(expected[1], [Constraint::Contains(vec![json!("bill")])]);
    let asked = |name: &str| {
        let variant = Variant { mission: Some(name.to_owned()), ..Variant::default() };
        suite.asked(&suite.cases[0], &variant)
    };
    let (short, long) = (asked("short"), asked("long"));
    assert_eq!(short.mission.data.keys().collect::<Vec<_>>(), ["text"], "what no mission takes stays out");
    assert_eq!((short.mission.agent.mission.as_str(), short.kind), ("Kind of {{text}}?", Some(Kind::String)));
    assert_eq!((long.mission.agent.mission.as_str(), long.kind), ("Think. {{text}}", Some(Kind::String)));
    assert_ne!(short.fingerprint, long.fingerprint);
    assert!(suite.recording(&long, None).ends_with("recordings/long/first.jsonl"));
    assert!(suite.recording(&short, None).ends_with("recordings/short/first.jsonl"));
}

#[test]
fn a_file_of_questions_is_a_suite() {
    let csv = "text,expect\nTwo and two,4\nHalf of one,0.5\n";
    let folder = folder(&[SHORT, ("sums.csv", csv)]);
    let suite = Suite::load_with(folder.path().join("sums.csv"), &[folder.path().join("short.toml")]).unwrap();
    assert_eq!((suite.title.as_str(), suite.levels.as_slice()), ("sums", ["sums".to_owned()].as_slice()));
    assert_eq!(suite.cases[1].expect, [Constraint::Eq(json!(0.5))]);
    assert_eq!(suite.cases[0].kind, Some(Kind::Number), "what the right answers are");
}

#[test]
fn missions_of_one_name_are_told_apart_by_their_folders() {
    let folder = folder(&[("q.jsonl", "{\"text\":\"a\",\"expect\":\"b\"}\n")]);
    let paths: Vec<PathBuf> = ["one", "two"]
        .map(|name| {
            fs::create_dir(folder.path().join(name)).unwrap();
            let path = folder.path().join(name).join("mission.toml");
            fs::write(&path, SHORT.1).unwrap();
            path
        })
        .to_vec();
    let missions: Vec<SuiteMission> = paths.iter().map(|path| SuiteMission::load(path, &paths).unwrap()).collect();
    assert!(missions[0].name.ends_with("one-mission") && missions[1].name.ends_with("two-mission"));
    let alone = SuiteMission::load(&paths[0], &paths[..1]).unwrap();
    assert_eq!(alone.name, "mission");
}

/// The constraints of the first question.
fn expected(lines: &str, csv: &str) -> Vec<Constraint> {
    let defaults = format!("[defaults]\nmission = \"Say {{{{text}}}}\"\n{lines}");
    suite(&defaults, csv).unwrap().cases.remove(0).expect
}

#[test]
fn cells_are_right_answers_of_their_kind() {
    assert_eq!(expected("kind = \"string\"\n", "text,expect\na,007\n"), [Constraint::Eq(json!("007"))]);
    assert_eq!(expected("kind = \"list\"\n", "text,expect\na,\"[1, 2]\"\n"), [Constraint::Eq(json!([1, 2]))]);
    assert_eq!(expected("kind = \"boolean\"\n", "text,expect\na,true\nb,false\n"), [Constraint::Eq(json!(true))]);
    let choices = vec![json!("x"), json!("y z"), json!(3)];
    assert_eq!(expected("", "text,expect.one_of\na,x | y z|3\n"), [Constraint::OneOf(choices)]);
    assert_eq!(expected("", "text,expect.set\na,\"[\"\"p|q\"\"]\"\n"), [Constraint::Set(vec![json!("p|q")])]);
    assert_eq!(expected("", "text,expect.matches\na,^b+$\n"), [Constraint::Matches("^b+$".to_owned())]);
}

#[test]
fn defaults_are_below_what_a_row_says() {
    let lines = "kind = \"number\"\nexpect = { within = 0.5, gt = 1 }\n";
    let number = |number: f64| serde_json::Number::from_f64(number).unwrap();
    let within = Constraint::Within(json!(3), number(0.5));
    assert_eq!(expected(lines, "text,expect\na,3\n"), [within, Constraint::Gt(1.into())]);
    let within = Constraint::Within(json!(3), number(0.25));
    let found = expected(lines, "text,expect,expect.within,expect.gt\na,3,0.25,2\n");
    assert_eq!(found, [within, Constraint::Gt(2.into())]);
}

#[test]
fn rows_of_json_have_tables() {
    let line = json!({"text": "a", "expect": {"has_keys": ["n"]}, "check": {"turns": {"lt": 3}}, "then": ["More."]});
    let files = [SHORT, ("q.jsonl", &*format!("{line}\n"))];
    let folder = folder(&files);
    let suite = Suite::load_with(folder.path().join("q.jsonl"), &[folder.path().join("short.toml")]).unwrap();
    let case = &suite.cases[0];
    assert_eq!(case.expect, [Constraint::HasKeys(vec!["n".to_owned()])]);
    assert_eq!((case.check.len(), case.then.as_slice()), (1, ["More.".to_owned()].as_slice()));
    assert_eq!(case.given.keys().collect::<Vec<_>>(), ["text"]);
}

#[test]
fn mistakes_name_the_row() {
    let check = |lines: &str, csv: &str| suite(lines, csv).unwrap_err();
    let missions = "missions = [\"short.toml\"]\n";
    insta::assert_snapshot!(check(missions, "words,expect\na,b\n"), @"suite.toml:1:13: q.csv: row 1: short.toml takes `text`, and the columns are `words`; name them alike");
    let kind = "missions = [\"short.toml\"]\n[defaults]\nkind = \"number\"\n";
    insta::assert_snapshot!(check(kind, "text,expect\na,3\nb,two\n").lines().next().unwrap(), @"suite.toml:1:13: q.csv: row 2: expect: `two` is not a number as JSON");
    insta::assert_snapshot!(check(missions, "text,expect.like\na,3\n").lines().next().unwrap(), @"suite.toml:1:13: q.csv: row 1: unknown key `like` in `expect`; known: eq, set, contains, matches, schema, program, not, gt, gte, lt, between, length, gt_length, starts_with, one_of, has_keys, within");
    insta::assert_snapshot!(check(missions, "text,expect.matches\na,(\n").lines().next().unwrap(), @"suite.toml:1:13: q.csv: row 1: matches: regex parse error:");
    insta::assert_snapshot!(check(missions, "case,text\na,1\na,2\n").lines().next().unwrap(), @"suite.toml:1:13: q.csv: row 2: case `a` is in q.toml, too; give one of them another name");
    insta::assert_snapshot!(check("", "text,expect\na,3\n").lines().next().unwrap(), @"suite.toml:1:13: q.csv: row 1: questions are asked with missions: name one with `--mission FILE`, in `missions` of suite.toml, or as `mission` of its `[defaults]`");
    insta::assert_snapshot!(check("levels = [\"one\"]\n", "text,expect\na,3\n").lines().next().unwrap(), @"cannot read one.toml: No such file or directory (os error 2)");
}

#[test]
fn a_table_may_have_no_right_answers() {
    let missions = "missions = [\"short.toml\"]\n";
    let unjudged = suite(missions, "text\na\n").unwrap();
    assert!(!unjudged.has_right_answers());
    assert_eq!(Path::new(&unjudged.cases[0].level), Path::new("q"));
    assert!(suite(missions, "text,expect.contains\na,b\n").unwrap().has_right_answers());
}
