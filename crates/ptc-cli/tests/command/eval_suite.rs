//! `ptc eval-suite` as its users run it.

use std::fs;
use std::path::Path;

use serde_json::{Value as Json, json};

use super::ptc;

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/examples/evaluation");

/// The exit code and both outputs, of which the first must be text.
fn told(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let output = ptc(folder, args);
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

fn example(args: &[&str]) -> (i32, String, String) {
    told(Path::new(EXAMPLE), &[&["eval-suite", "."], args].concat())
}

/// A suite of one case that expects 3 and gets these programs.
fn suite(programs: &[&str], further: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let case = "[cases.count]\nmission = \"Count.\"\nkind = \"integer\"\nexpect = { eq = 3 }\n";
    fs::write(folder.path().join("suite.toml"), "levels = [\"one\"]\n").unwrap();
    fs::write(folder.path().join("one.toml"), format!("{case}{further}")).unwrap();
    fs::create_dir(folder.path().join("recordings")).unwrap();
    fs::write(folder.path().join("recordings/count.jsonl"), answers(programs)).unwrap();
    folder
}

fn answers(programs: &[&str]) -> String {
    programs.iter().map(|program| format!("{}\n", json!({ "content": program }))).collect()
}

#[test]
fn the_example_passes_offline() {
    let (exit, out, err) = example(&["--json"]);
    assert_eq!((exit, err.as_str()), (0, ""));
    let report: Json = serde_json::from_str(&out).unwrap();
    assert_eq!((&report["model"], &report["summary"]["failed"]), (&json!("recorded answers"), &json!(0)));
    assert_eq!(report["summary"]["total"], json!(report["cases"].as_array().unwrap().len()));
}

#[test]
fn cases_are_chosen_and_run_again() {
    let (exit, out, _) =
        example(&["--level", "basic", "--level", "robustness", "--filter", "single_turn", "--runs", "2", "--json"]);
    assert_eq!(exit, 0);
    let report: Json = serde_json::from_str(&out).unwrap();
    let names: Vec<&str> =
        report["cases"].as_array().unwrap().iter().map(|case| case["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["count-products", "delivered-orders", "order-revenue", "average-salary", "compiled-fee"]);
    assert_eq!(report["summary"]["total"], json!(10));
}

#[test]
fn a_wrong_answer_is_shown_with_its_programs() {
    let folder = suite(&["(def n 4)", "(return n)"], "");
    let (exit, out, _) = told(folder.path(), &["eval-suite", ".", "--report", "report.md"]);
    assert_eq!(exit, 1);
    for part in ["| one | count | **failed** | 2 | 0 | `4` |", "* wanted 3, got 4", "```clojure\n(return n)\n```"] {
        assert!(out.contains(part), "{part} in {out}");
    }
    let written = fs::read_to_string(folder.path().join("report.md")).unwrap();
    assert!(written.contains("## All programs") && written.contains("(def n 4)"), "{written}");
    assert_eq!(told(folder.path(), &["eval-suite", ".", "--report", "report.json"]).0, 1);
    let written: Json = serde_json::from_slice(&fs::read(folder.path().join("report.json")).unwrap()).unwrap();
    assert_eq!(written["cases"][0]["runs"][0]["problems"], json!(["wanted 3, got 4"]));
}

#[test]
fn a_model_is_named_and_recorded() {
    let folder = suite(&["(return 4)"], "");
    fs::write(folder.path().join("better.jsonl"), answers(&["(def n 2)", "(return (inc n))"])).unwrap();
    let (exit, out, err) = told(
        folder.path(),
        &["eval-suite", ".", "--llm", "replay:better.jsonl", "--record", "--prices", "input=3,output=15"],
    );
    assert_eq!((exit, err.as_str()), (0, ""));
    assert!(out.contains("replay:better.jsonl · ptc ") && out.contains("| cost |"), "{out}");
    assert_eq!(told(folder.path(), &["eval-suite", "."]).0, 0, "the recording answers now");
}

#[test]
fn wrong_usage_says_what_to_do() {
    let folder = suite(&["(return 3)"], "");
    let check = |args: &[&str]| {
        let (exit, out, err) = told(folder.path(), &[&["eval-suite", "."], args].concat());
        assert_eq!((exit, out.as_str()), (2, ""));
        err.trim().to_owned()
    };
    insta::assert_snapshot!(check(&["--case", "sum"]), @"error: there is no case `sum` in this suite; it has count");
    insta::assert_snapshot!(check(&["--record"]), @"error: there is nothing to record without a model; name one, or run on the existing recordings");
    insta::assert_snapshot!(check(&["--prices", "input=3"]), @"error: --prices: `input=3`: input and output must be there; write USD per million tokens: input=3,cached=0.3,write=3.75,output=15");
    insta::assert_snapshot!(check(&["--max-usd", "1"]), @"error: a limit in USD needs prices, and there are no list prices of recorded answers: name them with `--prices`");
    insta::assert_snapshot!(check(&["--jobs", "2", "--llm", "replay:recordings/count.jsonl"]), @"error: --jobs: runs that share one file of recorded answers must come one after another; leave it out");
    insta::assert_snapshot!(check(&["--as", "native-tools", "--language-spec", "full"]), @"error: --language-spec is for programs; leave it out, or add --as programs");
    insta::assert_snapshot!(check(&["--compression", "zip"]), @r"
    error: there is no compression strategy `zip`; known: single-user-coalesced, digest, rolling-window, per-turn-summary, aggressive, append-only, none
     --> --compression:1:1
      |
    1 | zip
      | ^^^
    ");
    fs::remove_file(folder.path().join("recordings/count.jsonl")).unwrap();
    insta::assert_snapshot!(check(&[]), @"error: case `count` has no recorded answers, ./recordings/count.jsonl: name a model with `--llm SPEC`; with `--record` its answers are kept there");
    fs::write(folder.path().join("one.toml"), "[cases.count]\nmission = \"Count.\"\nkind = \"whole\"\n").unwrap();
    insta::assert_snapshot!(check(&[]), @r#"
    error: unknown kind whole (integer, number, string, list, map, boolean)
     --> ./one.toml:3:8
      |
    3 | kind = "whole"
      |        ^
    "#);
}

#[cfg(unix)]
#[test]
fn an_interrupted_evaluation_reports_what_was_done() {
    let tool = "[cases.wait]\nmission = \"Wait.\"\nkind = \"integer\"\n[cases.wait.tools.wait]\ncommand = [\"sh\", \"-c\", \"touch started; exec sleep 60\"]\n";
    let folder = suite(&["(return 3)"], tool);
    fs::write(folder.path().join("recordings/wait.jsonl"), answers(&["(tool/wait {:n 1})"])).unwrap();
    let report = super::interrupted(folder.path(), &["eval-suite", ".", "--json"]);
    assert_eq!((&report["cases"][0]["passed"], &report["cases"][1]), (&json!(true), &Json::Null));
    assert_eq!(report["unasked"], json!([{ "case": "wait", "run": 1, "why": "cancelled" }]));
}

/// System text and message of the first request of a case.
fn preview(case: &str) -> (String, String) {
    let (exit, out, _) = example(&["--preview", "--case", case]);
    let system = out.strip_prefix(&format!("=== {case}, system\n\n")).unwrap();
    let (system, user) = system.split_once(&format!("\n\n=== {case}, user\n\n")).unwrap();
    assert_eq!(exit, 0);
    (system.to_owned(), user.to_owned())
}

/// Proves: MIG-004, MIG-005.
#[test]
fn the_first_request_has_role_tools_and_data_where_they_belong() {
    let (system, tools) = preview("two-topics");
    let (same, data) = preview("growth-month");
    assert_eq!(system, same, "the system text knows neither tools nor data");
    let role = "You are a careful data analyst.";
    assert!(system.starts_with(role) && !tools.contains(role) && !data.contains(role), "{system}");
    for (name, user) in [("tool/search", &tools), ("tool/fetch", &tools), ("data/orders", &data)] {
        assert!(user.contains(name) && !system.contains(name), "{name} in {user}");
    }
}

#[test]
fn models_are_told_the_fields_unless_they_explore() {
    let told = |args: &[&str]| example(&[&["--preview", "--case", "order-revenue"], args].concat()).1;
    let fields = "status (pending, shipped, delivered, cancelled, refunded)";
    assert!(told(&[]).contains(fields));
    assert!(!told(&["--explore"]).contains(fields));
}

/// Proves: MIG-003.
#[test]
fn language_texts_are_chosen_by_the_keys_that_doc_knows() {
    for key in ptc_runner::mission::LanguageSpec::list() {
        let (exit, text, _) = told(Path::new(EXAMPLE), &["doc", "--language-spec", key]);
        assert_eq!(
            (exit, text.trim_end()),
            (0, ptc_runner::mission::LanguageSpec::get(key).unwrap().as_str()),
            "{key}"
        );
        let (exit, preview, _) = example(&["--preview", "--case", "two-topics", "--language-spec", key]);
        assert!(exit == 0 && preview.contains(text.trim_end()), "{key}");
    }
    let (exit, _, err) = example(&["--language-spec", "klingon"]);
    assert_eq!(exit, 2);
    assert!(
        err.contains("unknown language_spec 'klingon'; available: ") && err.contains("lean, full, minimal"),
        "{err}"
    );
}

#[test]
fn ways_of_asking_are_compared() {
    let folder = suite(&["(def n 2)", "(return (inc n))"], "");
    let ways = [
        "--compression",
        "none",
        "--compression",
        "rolling-window,window=1",
        "--language-spec",
        "auto",
        "--language-spec",
        "minimal",
    ];
    let (exit, out, _) = told(folder.path(), &[&["eval-suite", "."], ways.as_slice()].concat());
    assert_eq!(exit, 0);
    let rows: Vec<&str> = out.lines().take(6).filter_map(|line| line.split(" | 1 |").next()).collect();
    insta::assert_snapshot!(rows[2..].join("\n"), @"
    | none
    | none · minimal
    | rolling-window,window=1
    | rolling-window,window=1 · minimal
    ");
    assert_eq!(out.matches("# Evaluation").count(), 4, "{out}");
    let (_, out, _) = told(folder.path(), &[&["eval-suite", ".", "--json"], ways.as_slice()].concat());
    let reports: Vec<Json> = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (&reports[3]["compression"], &reports[3]["language_spec"]),
        (&json!("rolling-window,window=1"), &json!("minimal"))
    );
    let (exit, _, err) = told(folder.path(), &[&["eval-suite", ".", "--record"], ways.as_slice()].concat());
    assert_eq!(exit, 2);
    assert!(
        err.contains("name at most one --mission, one --llm, one --as, one --compression and one --language-spec"),
        "{err}"
    );
}

/// A table of questions with two missions, and two recorded models: of 12 questions, the second mission is right about all,
/// the first one about half with one model and about three quarters with the other one.
fn questions() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let rows: String = (1..=12).map(|n| format!("{n},{}\n", n * n)).collect();
    write("squares.csv", &format!("n,expect\n{rows}"));
    write("short.toml", "mission = \"The square of {{n}}?\"\n");
    write("long.toml", "mission = \"Multiply {{n}} by {{n}}.\"\n");
    for (name, every) in [("small", 2), ("large", 4)] {
        let answer = |n: i64, is_right: bool| {
            let answer = if is_right { n * n } else { 0 };
            json!({ "content": format!("(return {answer})"), "usage": { "input": 100, "output": 10 } })
        };
        let both = |n: i64| format!("{}\n{}\n", answer(n, n % every != 0), answer(n, true));
        write(&format!("{name}.jsonl"), &(1..=12).map(both).collect::<String>());
    }
    folder
}

const MATRIX: [&str; 11] = [
    "eval-suite",
    "squares.csv",
    "--mission",
    "short.toml",
    "--mission",
    "long.toml",
    "--llm",
    "replay:small.jsonl",
    "--llm",
    "replay:large.jsonl",
    "--prices=input=1,output=10",
];

#[test]
fn questions_of_a_table_are_asked_with_several_missions_of_several_models() {
    let folder = questions();
    let (exit, out, err) = told(folder.path(), &[&MATRIX[..], &["--report", "report.html"]].concat());
    assert_eq!((exit, err.as_str()), (1, ""));
    let rows: Vec<&str> = out.lines().take(6).filter_map(|line| line.split(" | 0 | ").next()).collect();
    insta::assert_snapshot!(rows[2..].join("\n"), @r"
    | short · replay:small.jsonl | 6 | 6 | 12 | 12
    | short · replay:large.jsonl | 9 | 3 | 12 | 12
    | long · replay:small.jsonl | 12
    | long · replay:large.jsonl | 12
    ");
    let verdicts: Vec<&str> = out.lines().filter(|line| line.starts_with("* ")).take(3).collect();
    insta::assert_snapshot!(verdicts.join("\n"), @r"
    * short · replay:large.jsonl passed 9 of 12 runs, short · replay:small.jsonl 6 of 12: no difference is shown: +0.25 (+0.00 to +0.45), p 0.250, 1.000 corrected for all pairs; a run costs 1.00 (1.00 to 1.00) times as much.
    * long · replay:small.jsonl passed 12 of 12 runs, short · replay:small.jsonl 6 of 12: no difference is shown: +0.50 (+0.15 to +0.75), p 0.031, 0.188 corrected for all pairs; a run costs 1.00 (1.00 to 1.00) times as much.
    * long · replay:large.jsonl passed 12 of 12 runs, short · replay:small.jsonl 6 of 12: no difference is shown: +0.50 (+0.15 to +0.75), p 0.031, 0.188 corrected for all pairs; a run costs 1.00 (1.00 to 1.00) times as much.
    ");
    let pooled = out.split("Each mission over all ways that have it:").nth(1).unwrap().trim_start().lines();
    insta::assert_snapshot!(pooled.take(5).collect::<Vec<_>>().join("\n"), @r"
    * long passed 24 of 24 runs, short 15 of 24: better: +0.38 (+0.06 to +0.62), p 0.031; a run costs 1.00 (1.00 to 1.00) times as much.

    Each model over all ways that have it:

    * replay:large.jsonl passed 21 of 24 runs, replay:small.jsonl 18 of 24: no difference is shown: +0.12 (-0.03 to +0.29), p 0.250; a run costs 1.00 (1.00 to 1.00) times as much.
    ");
    let pairs = out.split("| way | against | ").nth(1).unwrap().lines().skip(2).take_while(|line| !line.is_empty());
    insta::assert_snapshot!(pairs.collect::<Vec<_>>().join("\n"), @r"
    | short · replay:large.jsonl | short · replay:small.jsonl | +0.25 (+0.00 to +0.45) | 3 : 0 | 0.250 | 1.000 |
    | long · replay:small.jsonl | short · replay:small.jsonl | +0.50 (+0.15 to +0.75) | 6 : 0 | 0.031 | 0.188 |
    | long · replay:small.jsonl | short · replay:large.jsonl | +0.25 (-0.04 to +0.53) | 3 : 0 | 0.250 | 1.000 |
    | long · replay:large.jsonl | short · replay:small.jsonl | +0.50 (+0.15 to +0.75) | 6 : 0 | 0.031 | 0.188 |
    | long · replay:large.jsonl | short · replay:large.jsonl | +0.25 (-0.04 to +0.53) | 3 : 0 | 0.250 | 1.000 |
    | long · replay:large.jsonl | long · replay:small.jsonl | +0.00 (-0.24 to +0.24) | 0 : 0 | 1.000 | 1.000 |
    ");
    let page = fs::read_to_string(folder.path().join("report.html")).unwrap();
    for part in
        ["<h2>Pairs of ways</h2>", "<td>long · replay:large.jsonl</td>", "replay:small.jsonl, replay:large.jsonl"]
    {
        assert!(page.contains(part), "{part} in {page}");
    }
    let (_, out, _) = told(folder.path(), &[&MATRIX[..], &["--json"]].concat());
    let reports: Vec<Json> = serde_json::from_str(&out).unwrap();
    assert_eq!((&reports[3]["mission"], &reports[3]["model"]), (&json!("long"), &json!("replay:large.jsonl")));
    assert_eq!(reports[3]["differences"][0]["better"], json!(6));
}

#[test]
fn results_of_a_matrix_are_not_asked_again() {
    let folder = questions();
    let matrix = [&MATRIX[..], &["--results", "results.jsonl", "--case", "squares-01"]].concat();
    let (exit, out, err) = told(folder.path(), &matrix);
    assert_eq!((exit, err.as_str()), (0, ""));
    // The recorded models have no further answers.
    for name in ["small", "large"] {
        fs::write(folder.path().join(format!("{name}.jsonl")), "").unwrap();
    }
    assert_eq!(told(folder.path(), &matrix).1, out);
    // Nor are those of one mission, or of missions in another order.
    let with = |missions: &[&str]| {
        let named = missions.iter().flat_map(|mission| ["--mission", mission]);
        let words: Vec<&str> = matrix[..2].iter().copied().chain(named).chain(matrix[6..].iter().copied()).collect();
        told(folder.path(), &words)
    };
    for missions in [&["long.toml"][..], &["long.toml", "short.toml"]] {
        let (exit, _, err) = with(missions);
        assert_eq!((exit, err.as_str()), (0, ""), "{missions:?}");
    }
    fs::write(folder.path().join("long.toml"), "mission = \"{{n}} times {{n}}?\"\n").unwrap();
    let (exit, _, err) = told(folder.path(), &matrix);
    assert_eq!(exit, 2);
    insta::assert_snapshot!(err, @"error: results.jsonl, line 3: the case `squares-01` has changed since; name another file, or remove its lines");
}

#[test]
fn a_failure_shows_the_question_with_its_row() {
    let folder = questions();
    fs::write(folder.path().join("long.toml"), "mission = \"Square the number.\"\nsignature = \"(n :int) -> :int\"\n")
        .unwrap();
    fs::write(folder.path().join("wrong.jsonl"), "{\"content\": \"(return 0)\"}\n".repeat(2)).unwrap();
    let words =
        ["--case", "squares-07", "--mission", "short.toml", "--mission", "long.toml", "--llm", "replay:wrong.jsonl"];
    let (exit, out, _) = told(folder.path(), &[&["eval-suite", "squares.csv"][..], &words].concat());
    assert_eq!(exit, 1);
    assert!(out.contains("> The square of 7?") && out.contains("> Square the number.\n>\n> n: 7"), "{out}");
}

#[test]
fn a_table_without_right_answers_is_an_error() {
    let folder = questions();
    fs::write(folder.path().join("squares.csv"), "n,expected\n1,1\n").unwrap();
    let words = ["eval-suite", "squares.csv", "--mission", "short.toml", "--llm", "replay:small.jsonl"];
    let (exit, out, err) = told(folder.path(), &words);
    assert_eq!((exit, out.as_str()), (2, ""));
    insta::assert_snapshot!(err, @"error: squares.csv: no column has right answers, so nothing could fail: call it `expect`, or `expect.contains` and so on; `ptc batch` asks without them");
}

#[test]
fn missions_are_for_tables_of_questions() {
    let folder = suite(&["(return 3)"], "");
    fs::write(folder.path().join("short.toml"), "mission = \"Count.\"\n").unwrap();
    let (exit, _, err) = told(folder.path(), &["eval-suite", ".", "--mission", "short.toml"]);
    assert_eq!(exit, 2);
    insta::assert_snapshot!(err, @"error: --mission: the cases of this suite have their own missions; a table of questions is asked with others");
    let folder = questions();
    let (exit, _, err) = told(folder.path(), &["eval-suite", "squares.csv", "--llm", "replay:small.jsonl"]);
    assert_eq!(exit, 2);
    insta::assert_snapshot!(err, @r#"
    error: squares.csv: row 1: questions are asked with missions: name one with `--mission FILE`, in `missions` of suite.toml, or as `mission` of its `[defaults]`
     --> command line:2:13
      |
    2 | questions = "squares.csv"
      |             ^
    "#);
}

#[test]
fn judges_are_checked_against_labels() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let judge = "[judging.tools.same]\nsignature = '(answer :string, expected :string) -> {passed :bool}'\n\
                 llm = { mission = 'Same? {{answer}} {{expected}}', llm = 'replay:judge.jsonl' }\n";
    write("suite.toml", judge);
    write("labels.csv", "answer,expected,label\n7,seven,pass\n8,seven,fail\n");
    let said = |passed: bool| format!("{}\n", json!({ "content": json!({ "passed": passed }).to_string() }));
    write("judge.jsonl", &[true, true, true, false].map(said).concat());
    let (exit, out, err) = told(folder.path(), &["eval-suite", ".", "--check-judges", "labels.csv"]);
    assert_eq!((exit, err.as_str()), (0, ""));
    insta::assert_snapshot!(out.lines().nth(2).unwrap(), @"| same | 2 | 0.50 (0.09 to 0.91) | 0.00 | 1 | 0 | 1 of 2 | 1 : 0 |");
    let (exit, out, _) = told(folder.path(), &["eval-suite", ".", "--check-judges", "labels.csv", "--json"]);
    let checks: Json = serde_json::from_str(&out).unwrap();
    assert_eq!((exit, &checks[0]["swapped"]["only_as_given"]), (0, &json!(1)));
    write("labels.csv", "answer,expected,label\n7,seven,perhaps\n");
    let (exit, _, err) = told(folder.path(), &["eval-suite", ".", "--check-judges", "labels.csv"]);
    assert_eq!(exit, 2);
    insta::assert_snapshot!(err, @r#"error: labels.csv: row 1: `label` must be pass or fail, got "perhaps""#);
}

/// Proves: MIG-006.
#[test]
fn runs_are_shown_as_traces_with_raw_answers_and_usage() {
    let folder = suite(&["Thinking aloud.\n```clojure\n(return 3)\n```"], "thinking = true\n");
    let shown = |args: &[&str]| told(folder.path(), &[&["eval-suite", "."], args].concat()).1;
    let (plain, raw, usage) =
        (shown(&["--view", "turns"]), shown(&["--view", "turns", "--raw"]), shown(&["--view", "turns", "--usage"]));
    assert!(plain.starts_with("=== count, run 1\n\n+- Turn 1 -") && plain.contains("(return 3)"), "{plain}");
    assert!(!plain.contains("Thinking aloud.") && raw.contains("Thinking aloud."), "{raw}");
    assert!(usage.len() > plain.len() && usage.contains("Usage"), "{usage}");
    assert!(shown(&["--view", "compressed"]).contains("Count."), "the next request");
    assert!(!shown(&[]).contains("+- Turn"));
}
