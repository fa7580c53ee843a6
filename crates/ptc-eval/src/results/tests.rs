use std::fs;
use std::io::Write;
use std::sync::Arc;

use ptc_chat::{Llm, Reply, ScriptedLlm, Tokens};
use ptc_transcript::read_record;
use serde_json::Value as Json;

use super::*;
use crate::error::EvalError;
use crate::options::Selection;
use crate::report::Report;

const CASES: &str = "[cases.a]\nmission = \"A.\"\nkind = \"integer\"\nmodel_options = { max_output_tokens = 10 }\n[cases.b]\nmission = \"B.\"\nkind = \"integer\"\nmodel_options = { max_output_tokens = 10 }\n";

/// A suite of two cases in a folder that also has the results.
struct World {
    folder: tempfile::TempDir,
    cases: String,
}

impl World {
    fn new() -> World {
        World { folder: tempfile::tempdir().unwrap(), cases: CASES.to_owned() }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("results.jsonl")
    }

    fn lines(&self) -> Vec<String> {
        fs::read_to_string(self.path()).unwrap().lines().map(str::to_owned).collect()
    }

    /// Evaluate with these answers, of which each costs 0.001; returns how many requests there were, too.
    async fn run(
        &self,
        programs: &[&str],
        change: impl Fn(EvalOptions) -> EvalOptions,
    ) -> Result<(Report, usize), String> {
        let tokens = Some(Tokens { input: 900, output: 10, ..Tokens::default() });
        let replies: Vec<Reply> = programs.iter().map(|program| Reply { tokens, ..Reply::text(*program) }).collect();
        let llm = Arc::new(ScriptedLlm::replies(replies));
        fs::write(self.folder.path().join("suite.toml"), "title = \"T\"\nlevels = [\"one\"]\n").unwrap();
        fs::write(self.folder.path().join("one.toml"), &self.cases).unwrap();
        let suite = Suite::load(self.folder.path()).unwrap();
        let shown = |error: String| error.replace(&format!("{}/", self.folder.path().display()), "");
        let results = Results::open(self.path()).map_err(|error| shown(error.to_string()))?;
        let options = change(EvalOptions {
            llm: Some(Arc::clone(&llm) as Arc<dyn Llm>),
            prices: Some("input=0,output=100".parse().unwrap()),
            results: Some(Arc::new(results)),
            ..EvalOptions::default()
        });
        let cases = suite.select(&Selection::default()).unwrap();
        let report = suite.evaluate(&cases, &options).await;
        let report = report.map_err(|error: EvalError| shown(error.to_string()))?;
        Ok((report, llm.requests().len()))
    }
}

fn same(options: EvalOptions) -> EvalOptions {
    options
}

#[tokio::test]
async fn what_was_asked_is_not_asked_again() {
    let world = World::new();
    let (first, asked) = world.run(&["(return 1)", "(return \"x\")", "(return 2)"], same).await.unwrap();
    assert_eq!((first.summary.passed, asked, world.lines().len()), (2, 3, 2));
    let line: Json = serde_json::from_str(&world.lines()[1]).unwrap();
    for (key, value) in [("suite", "T"), ("model", "scripted"), ("case", "b")] {
        assert_eq!(line[key], value);
    }
    assert_eq!((&line["run"], &line["turns"], &line["answer"]), (&1.into(), &2.into(), &2.into()));
    assert!(world.lines()[0].starts_with(HEAD));
    let (second, asked) = world.run(&[], same).await.unwrap();
    let json = |report: &Report| serde_json::to_value(report).unwrap();
    assert_eq!((json(&second), asked), (json(&first), 0), "the same report");
    let (third, asked) =
        world.run(&["(return 1)", "(return 2)"], |options| EvalOptions { runs: 2, ..options }).await.unwrap();
    assert_eq!((third.summary.total, asked, world.lines().len()), (4, 2, 4));
}

#[tokio::test]
async fn results_are_read_while_they_are_written() {
    let world = World::new();
    world.run(&["(return 1)", "(return \"x\")", "(return \"y\")", "(return \"z\")"], same).await.unwrap();
    let writing = Results::open(world.path()).unwrap();
    let mut file = fs::OpenOptions::new().append(true).open(world.path()).unwrap();
    file.write_all(b"{\"suite\":\"T\",\"mod").unwrap();
    let before = fs::metadata(world.path()).unwrap().len();
    let found = Results::read(world.path()).unwrap();
    let facts: Vec<_> = found
        .iter()
        .map(|line| (line.suite.as_str(), line.model(), line.case(), line.way(), line.found.passed))
        .collect();
    assert_eq!(facts, [("T", "scripted", "a", None, true), ("T", "scripted", "b", None, false)]);
    assert_eq!(fs::metadata(world.path()).unwrap().len(), before, "nothing is removed from it");
    drop(writing);
    file.write_all(b"\nno result\n").unwrap();
    assert!(Results::read(world.path()).unwrap_err().to_string().contains("line 3: this is not the result of a run"));
    assert!(Results::is_head(&fs::read(world.path()).unwrap()) && !Results::is_head(b"{\"type\":\"header\"}"));
}

#[tokio::test]
async fn another_way_is_asked() {
    let world = World::new();
    world.run(&["(return 1)", "(return 2)"], same).await.unwrap();
    let tools =
        |options| EvalOptions { variant: Variant { mode: Some(Mode::NativeTools), ..Variant::default() }, ..options };
    let (report, asked) = world.run(&["1", "2"], tools).await.unwrap();
    assert_eq!((report.summary.passed, asked, world.lines().len()), (2, 2, 4));
    assert_eq!(world.run(&[], tools).await.unwrap().1, 0);
}

#[tokio::test]
async fn a_torn_line_is_removed_and_its_run_asked_again() {
    let world = World::new();
    world.run(&["(return 1)", "(return 2)"], same).await.unwrap();
    let text = fs::read_to_string(world.path()).unwrap();
    fs::write(world.path(), &text[..text.len() - 40]).unwrap();
    let note = Results::open(world.path()).unwrap().note().unwrap().to_owned();
    assert!(
        note.ends_with("results.jsonl, line 2 was not written to its end and is removed; its run is asked again"),
        "{note}"
    );
    let (report, asked) = world.run(&["(return 2)"], same).await.unwrap();
    assert_eq!((report.summary.passed, asked, world.lines().len()), (2, 1, 2));
}

#[tokio::test]
async fn results_of_something_else_are_refused() {
    let mut world = World::new();
    world.run(&["(return 1)", "(return 2)"], same).await.unwrap();
    let text = fs::read_to_string(world.path()).unwrap();
    let error = async |world: &World| world.run(&[], same).await.map(|_| ()).unwrap_err();
    fs::write(world.path(), text.replace("\"suite\":\"T\"", "\"suite\":\"U\"")).unwrap();
    insta::assert_snapshot!(error(&world).await, @"results.jsonl, line 1: this is a result of the suite `U`, and `T` is evaluated now; name another file");
    fs::write(world.path(), text.replace("\"model\":\"scripted\"", "\"model\":\"m\"")).unwrap();
    insta::assert_snapshot!(error(&world).await, @"results.jsonl, line 1: this is a result of the model `m`, and `scripted` is evaluated now; name another file");
    fs::write(world.path(), "{\"suite\":3}\n").unwrap();
    insta::assert_snapshot!(error(&world).await, @"results.jsonl, line 1: this is not the result of a run (invalid type: integer `3`, expected a string at line 1 column 10); name another file");
    fs::write(world.path(), "Something of value").unwrap();
    insta::assert_snapshot!(error(&world).await, @r#"results.jsonl, line 1: this is not the result of a run (a result begins with {"suite":); name another file"#);
    assert_eq!(fs::read_to_string(world.path()).unwrap(), "Something of value");
    fs::write(world.path(), &text).unwrap();
    world.cases = CASES.replace("B.", "Another one.");
    insta::assert_snapshot!(error(&world).await, @"results.jsonl, line 2: the case `b` has changed since; name another file, or remove its lines");
    let _open = Results::open(world.path()).unwrap();
    insta::assert_snapshot!(error(&world).await, @"results.jsonl: another process writes to this file; wait for it, or name another file");
}

#[tokio::test]
async fn what_was_spent_before_counts() {
    let world = World::new();
    let limited = |options| EvalOptions { max_usd: Some(0.0025), ..options };
    // The second run needs two requests, and is cut after the first one.
    let (report, asked) = world.run(&["(return 1)", "(return \"x\")", "(return 2)"], limited).await.unwrap();
    assert_eq!((report.summary.total, report.unasked.len(), asked), (1, 1, 2));
    let cut: Json = serde_json::from_str(&world.lines()[1]).unwrap();
    assert_eq!((&cut["unasked"], &cut["requests"]), (&"the limit in USD is reached".into(), &1.into()));
    assert!((report.unasked[0].cost.unwrap() - 0.001).abs() < 1e-9);
    assert_eq!(world.run(&[], limited).await.unwrap().1, 0, "nothing is left");
    let (report, asked) =
        world.run(&["(return 2)"], |options| EvalOptions { max_usd: Some(0.01), ..options }).await.unwrap();
    assert_eq!((report.summary.passed, asked), (2, 1));
}

/// The same with records of the runs.
fn keeping(options: EvalOptions) -> EvalOptions {
    let results = options.results.and_then(Arc::into_inner).map(|results| Arc::new(results.keeping_runs()));
    EvalOptions { results, ..options }
}

#[tokio::test]
async fn answers_in_records_that_are_kept_become_the_recording() {
    let world = World { cases: CASES.replacen("[cases.b]", "then = [\"Once more.\"]\n[cases.b]", 1), ..World::new() };
    let recording = |options| EvalOptions { record: true, ..keeping(options) };
    world.run(&["(return 1)", "(return 2)", "(return 3)"], recording).await.unwrap();
    let said = |case: &str| -> Vec<String> {
        let text = fs::read_to_string(world.folder.path().join(format!("recordings/{case}.jsonl"))).unwrap();
        let lines = text.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
        lines.map(|line| line["content"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!((said("a"), said("b")), (vec!["(return 1)".into(), "(return 2)".into()], vec!["(return 3)".to_owned()]));
}

#[tokio::test]
async fn a_record_is_kept_for_each_text_of_the_user() {
    let world = World { cases: CASES.replacen("[cases.b]", "then = [\"Once more.\"]\n[cases.b]", 1), ..World::new() };
    world.run(&["(return 1)", "(return 2)", "(return 3)"], keeping).await.unwrap();
    let answers = |line: &ResultLine| -> Vec<String> {
        let records = line.records(world.folder.path());
        let recorded =
            records.map(|path| ptc_transcript::Recorded::read(&read_record(&path).unwrap()).unwrap().unwrap());
        recorded.map(|recorded| recorded.replies()[0].answer.as_reply().unwrap().content.clone()).collect()
    };
    let lines = Results::read(world.path()).unwrap();
    assert_eq!(answers(&lines[0]), ["(return 1)", "(return 2)"]);
    assert_eq!(answers(&lines[1]), ["(return 3)"]);
    assert!(lines[0].found.records[1].starts_with("results.runs/a-"), "{:?}", lines[0].found.records);
    assert!(lines[0].found.records[1].ends_with("-1.2.jsonl.gz"), "{:?}", lines[0].found.records);
    // What was kept is neither asked nor kept again; without its line it is, and replaces the record.
    let (_, requests) = world.run(&[], keeping).await.unwrap();
    assert_eq!(requests, 0);
    let first = world.lines().remove(0);
    fs::write(world.path(), first + "\n").unwrap();
    world.run(&["(return 4)"], keeping).await.unwrap();
    assert_eq!(answers(&Results::read(world.path()).unwrap()[1]), ["(return 4)"]);
}

#[tokio::test]
async fn only_records_below_the_folder_are_named() {
    let world = World::new();
    world.run(&["(return 1)", "(return 2)"], |options| options).await.unwrap();
    let lines = world.lines();
    assert!(!lines[0].contains("records"), "{}", lines[0]);
    let names = r#"["../a","/etc/passwd","a/../../b","..\\a","./a","results.runs/a.gz"]"#;
    let line = lines[0].replace("\"programs\":", &format!("\"records\":{names},\"programs\":"));
    fs::write(world.path(), line + "\n").unwrap();
    let line = Results::read(world.path()).unwrap().remove(0);
    let found: Vec<PathBuf> = line.records(Path::new("out")).collect();
    assert_eq!(found, [Path::new("out/results.runs/a.gz")]);
}
