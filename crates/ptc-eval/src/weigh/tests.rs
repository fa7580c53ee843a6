use std::fs;

use serde_json::{Value as Json, json};

use super::*;

const MISSION: &str = "\
mission = \"How many orders of {{customer}}?\"
signature = \"(customer :string) -> :int\"
max_turns = 3
[tools.orders]
signature = \"(customer :string) -> [:string]\"
description = \"Orders of a customer\"
answers = [{ result = [\"a long order of tea and cups\", \"another long order of tea and cups\"] }]
";

/// A folder with rows and a mission whose answers are recorded both ways: programs read so many tokens, native calls so many.
fn folder(rows: &str, programs: u64, native: u64) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("orders.toml", MISSION);
    write("rows.csv", rows);
    fs::create_dir(folder.path().join("recordings")).unwrap();
    let line = |tokens: u64, answer: Json| {
        let mut answer = answer;
        answer["usage"] = json!({ "input": tokens, "output": 10 });
        format!("{answer}\n")
    };
    for row in 1..rows.lines().count() {
        let more = row as u64;
        let program = "(return (count (tool/orders {:customer data/customer})))";
        write(&format!("recordings/rows-{row}.jsonl"), &line(programs + more, json!({ "content": program })));
        let call =
            json!({ "content": "", "tool_calls": [{ "id": "1", "name": "orders", "args": { "customer": "x" } }] });
        let calls = line(native, call) + &line(native + more, json!({ "content": "2" }));
        write(&format!("recordings/rows-{row}.tools.jsonl"), &calls);
    }
    folder
}

async fn weighed(folder: &tempfile::TempDir, of: usize) -> Weighing {
    let suite = Suite::load_with(folder.path().join("rows.csv"), &[folder.path().join("orders.toml")]).unwrap();
    let cases: Vec<&Case> = suite.cases.iter().collect();
    let options = EvalOptions { prices: Some("input=1,output=10".parse().unwrap()), ..EvalOptions::default() };
    suite.weigh(&cases, &options, of).await.unwrap()
}

#[tokio::test]
async fn programs_are_cheaper_where_results_are_long() {
    let folder = folder("customer,expect\nada,2\nlin,2\nbo,2\n", 500, 1000);
    let weighing = weighed(&folder, 30).await;
    assert_eq!((weighing.asked, weighing.of, weighing.tools), (3, 30, 1));
    assert_eq!((weighing.requests.programs, weighing.requests.native), (1.0, 2.0));
    assert!(weighing.results.native > 15.0 && weighing.results.native == weighing.results.programs);
    // 502 and 2 * 1000 + 2 tokens a run, and 10 or 20 of answers: in USD a million, for 30 questions.
    let usd = 30.0 * (502.0 + 100.0 + 2002.0 + 200.0) / 1e6;
    assert!((weighing.usd_of_all.unwrap() - usd).abs() < 1e-9, "{:?} {usd}", weighing.usd_of_all);
    insta::assert_snapshot!(weighing.verdict[0], @"Programs are cheaper: they cost 0.27 (0.27 to 0.27) times as much as native calls, and they passed 3 of 3 runs where native calls passed 3 of 3 (no difference is shown: +0.00 (-0.56 to +0.56), p 1.000); 3 questions.");
    assert!(weighing.verdict[1].contains("1.0 requests instead of 2.0; `--language-spec "), "{}", weighing.verdict[1]);
}

#[tokio::test]
async fn native_calls_are_cheaper_where_beginnings_are_long() {
    let folder = folder("customer,expect\nada,2\nlin,3\nbo,2\n", 3000, 400);
    let weighing = weighed(&folder, 3).await;
    insta::assert_snapshot!(weighing.verdict[0], @"Programs are more expensive: they cost 3.10 (3.09 to 3.10) times as much as native calls, and they passed 2 of 3 runs where native calls passed 2 of 3 (no difference is shown: +0.00 (-0.19 to +0.19), p 1.000); 3 questions.");
    assert!(weighing.verdict[1].contains("`output = \"text\"` in the mission asks it by native calls"));
}

#[tokio::test]
async fn without_right_answers_both_ways_are_compared_with_each_other() {
    let folder = folder("customer\nada\nlin\n", 500, 1000);
    let weighing = weighed(&folder, 2).await;
    assert!(
        weighing.verdict[0].ends_with("both ways answered the same in 2 of 2 questions; 2 questions."),
        "{:?}",
        weighing.verdict
    );
}

#[tokio::test]
async fn missions_whose_tools_ask_models_are_weighed() {
    let folder = folder("customer,expect\nada,2\nlin,2\n", 500, 1000);
    let tone = "[tools.tone]\nsignature = \"(text :string) -> :string\"\ndescription = \"How it sounds\"\nllm = { mission = \"{{text}}\", llm = \"small\" }\n";
    fs::write(folder.path().join("orders.toml"), format!("{MISSION}{tone}")).unwrap();
    let weighing = weighed(&folder, 2).await;
    assert_eq!((weighing.tools, weighing.reports[1].summary.passed), (2, 2));
}

/// Data that only programs read is in the first message of native calls.
#[tokio::test]
async fn native_calls_are_shown_the_data() {
    let folder = folder("customer,expect\nada,2\n", 500, 1000);
    let more = MISSION.replace("max_turns = 3\n", "max_turns = 3\n[data]\nnotes = [\"rush\"]\n_pin = 7\n");
    fs::write(
        folder.path().join("orders.toml"),
        more.replace("(customer :string)", "(customer :string, notes [:string], _pin :int)"),
    )
    .unwrap();
    let suite = Suite::load_with(folder.path().join("rows.csv"), &[folder.path().join("orders.toml")]).unwrap();
    let variant = Variant { mode: Some(Mode::NativeTools), shows_data: true, ..Variant::default() };
    let request = suite.preview(&suite.cases[0], &EvalOptions { variant, ..EvalOptions::default() }).await.unwrap();
    let text = request.messages[0].content().into_owned();
    assert!(text.contains("How many orders of ada?") && text.contains("Data:\n{\"notes\":[\"rush\"]}"), "{text}");
    assert!(!text.contains("_pin"), "{text}");
}
