//! `ptc compare` as its users run it.

use std::fs;
use std::path::Path;

use serde_json::{Value as Json, json};

use super::ptc;

const MISSION: &str = "mission = \"How many orders of {{customer}}?\"\nsignature = \"(customer :string) -> :int\"\nmax_turns = 3\n\
                       [tools.orders]\nsignature = \"(customer :string) -> [:string]\"\ndescription = \"Orders of a customer\"\n\
                       answers = [{ result = [\"tea\", \"cups\"] }]\n";

/// A mission, eight rows, and the answers of a model: each row by a program, then by native calls.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("orders.toml", MISSION);
    let rows: String = (1..=8).map(|row| format!("c{row},2\n")).collect();
    write("rows.csv", &format!("customer,expect\n{rows}"));
    let line = |answer: Json, input: usize| {
        let mut answer = answer;
        answer["usage"] = json!({ "input": input, "output": 10 });
        format!("{answer}\n")
    };
    let both = |row: usize| {
        let program = json!({ "content": "(return (count (tool/orders {:customer data/customer})))" });
        let call =
            json!({ "content": "", "tool_calls": [{ "id": "1", "name": "orders", "args": { "customer": "x" } }] });
        line(program, 500 + row) + &line(call, 600) + &line(json!({ "content": "2" }), 700 + row)
    };
    write("answers.jsonl", &(1..=8).map(both).collect::<String>());
    folder
}

fn told(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let output = ptc(folder, &[&["compare", "orders.toml"], args].concat());
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

const ROWS: [&str; 5] = ["--each", "rows.csv", "--llm", "replay:answers.jsonl", "--prices=input=1,output=10"];

#[test]
fn a_few_rows_say_what_all_would_cost_and_are_not_asked_again() {
    let folder = folder();
    let (exit, out, err) = told(folder.path(), &ROWS);
    assert_eq!((exit, err.as_str()), (0, ""));
    let (verdict, tables) = out.split_once("\n\n").unwrap();
    insta::assert_snapshot!(verdict, @r"
    Programs are cheaper: they cost 0.40 (0.40 to 0.40) times as much as native calls, and they passed 5 of 5 runs where native calls passed 5 of 5 (no difference is shown: +0.00 (-0.43 to +0.43), p 1.000); 5 questions.
    The reasons: a first request has about 1,091 tokens, and 96 with native calls and the definitions of 1 tool; results of tools have about 3 tokens a run, which native calls read again in each later request, and a run takes 1.0 requests instead of 2.0; `--language-spec minimal` would save programs about 717 tokens of each request.
    5 rows of 8 asked; all of them both ways would cost about USD 0.0168: --all asks the others.
    ");
    assert!(tables.starts_with("| way | ") && tables.contains("| native-tools | 5 | 0 | 5 |"), "{tables}");
    let lines = || fs::read_to_string(folder.path().join("orders.compare.jsonl")).unwrap().lines().count();
    assert_eq!(lines(), 10);
    // The answers of the three other rows.
    let answers = fs::read_to_string(folder.path().join("answers.jsonl")).unwrap();
    fs::write(
        folder.path().join("answers.jsonl"),
        answers.lines().take(9).fold(String::new(), |all, line| all + line + "\n"),
    )
    .unwrap();
    let (exit, out, _) = told(folder.path(), &[&ROWS[..], &["--all", "--keep-runs", "--report", "page.html"]].concat());
    assert_eq!((exit, lines()), (0, 16), "{out}");
    assert!(out.contains("passed 8 of 8 runs where native calls passed 8 of 8") && !out.contains("--all"), "{out}");
    let kept = fs::read_dir(folder.path().join("orders.compare.runs")).unwrap().count();
    assert_eq!(kept, 6, "three rows, both ways");
    let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert!(
        page.contains("<p>Programs are cheaper: ")
            && page.contains("<td>native-tools</td>")
            && page.contains("<li>native-tools passed 8 of 8"),
        "{page}"
    );
}

#[test]
fn a_mission_without_rows_is_one_question() {
    let folder = folder();
    let mission = format!("{MISSION}[data]\ncustomer = \"c1\"\n");
    fs::write(folder.path().join("orders.toml"), mission).unwrap();
    let (exit, out, err) = told(folder.path(), &["--llm", "replay:answers.jsonl", "--json"]);
    assert_eq!((exit, err.as_str()), (0, ""), "{out}");
    let found: Json = serde_json::from_str(&out).unwrap();
    assert_eq!((&found["asked"], &found["of"], &found["tools"]), (&json!(1), &json!(1), &json!(1)));
    let verdict = found["verdict"][0].as_str().unwrap();
    insta::assert_snapshot!(verdict, @"Programs are not shown to be cheaper or more expensive: they use 0.39 times as many tokens as native calls, and without right answers to judge by, both ways answered the same in 1 of 1 questions; 1 question.");
    let beginnings = &found["beginnings"];
    assert!(beginnings["programs"].as_u64() > beginnings["native"].as_u64(), "{beginnings}");
    assert!(beginnings["shortest"][1].as_u64() < beginnings["programs"].as_u64(), "{beginnings}");
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let folder = folder();
    let check = |args: &[&str]| {
        let (exit, out, err) = told(folder.path(), args);
        assert_eq!((exit, out.as_str()), (2, ""));
        err.trim().to_owned()
    };
    insta::assert_snapshot!(check(&["--llm", "replay:answers.jsonl", "--report", "orders.toml"]), @"error: --report orders.toml: this command reads the mission from this file; name another one");
    fs::write(folder.path().join("rows.csv"), "name,expect\nx,2\n").unwrap();
    insta::assert_snapshot!(check(&ROWS), @r#"
    error: rows.csv: row 1: orders.toml takes `customer`, and the columns are `name`; name them alike
     --> command line:2:13
      |
    2 | questions = "rows.csv"
      |             ^
    "#);
    fs::write(folder.path().join("rows.csv"), "customer,expect\nx,2\n").unwrap();
    insta::assert_snapshot!(check(&["--each", "rows.csv", "--llm", "replay:answers.jsonl", "--max-usd", "1"]), @"error: a limit in USD needs prices, and there are no list prices of replay:answers.jsonl: name them with `--prices`");
}
