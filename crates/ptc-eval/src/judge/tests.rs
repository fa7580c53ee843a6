use std::fs;
use std::sync::Arc;

use ptc_chat::ScriptedLlm;
use ptc_lisp::Value;
use serde_json::json;

use super::*;
use crate::options::EvalOptions;
use crate::suite::Suite;

#[test]
fn a_judge_is_a_server_and_a_tool() {
    let judge = Judge::parse("env.suite.judge").unwrap();
    assert_eq!(judge, Judge::Server { server: "env".to_owned(), tool: "suite.judge".to_owned() });
    assert_eq!(Judge::parse("same"), Some(Judge::Tool("same".to_owned())));
    assert_eq!(judge.to_string(), "the judge `env.suite.judge`");
    for text in [".judge", "env.", ""] {
        assert_eq!(Judge::parse(text), None, "{text}");
    }
}

#[test]
fn verdicts_are_read_or_refused() {
    let verdict = |passed, problems: &[&str]| {
        Some(Verdict { passed, problems: problems.iter().map(|problem| (*problem).to_owned()).collect() })
    };
    assert_eq!(Verdict::read(&json!({"passed": true, "problems": []})), verdict(true, &[]));
    assert_eq!(Verdict::read(&json!({"passed": false, "problems": ["a", "b"]})), verdict(false, &["a", "b"]));
    let silent = verdict(false, &["the judge refuses the answer and says no more"]);
    assert_eq!(Verdict::read(&json!({"passed": false})), silent);
    for said in [
        json!(true),
        json!({"passed": "yes"}),
        json!({"passed": false, "problems": "a"}),
        json!({"passed": false, "problems": [1]}),
    ] {
        assert_eq!(Verdict::read(&said), None, "{said}");
    }
}

#[test]
fn answers_are_texts() {
    assert_eq!(answer_text(&json!("two")), "two");
    assert_eq!(answer_text(&json!({"a": [1, null]})), r#"{"a":[1,null]}"#);
}

/// Judges by a program that ignores case, by one that prefers long answers, and by a model.
const JUDGING: &str = "[judging.tools.same]
signature = '(answer :string, expected :string) -> :any'
program = '{:passed (= (lower-case answer) (lower-case expected)) :problems [(str answer \" is not \" expected)]}'
[judging.tools.long]
signature = '(answer :string, expected :string) -> :any'
program = '{:passed (>= (count answer) (count expected))}'
[judging.tools.model]
signature = '(question :string, answer :string) -> {passed :bool, problems [:string]}'
llm = { mission = 'Is {{answer}} right? {{question}}', llm = 'judge' }
";

/// A suite of questions, the second of which has a recorded answer in other letters.
fn suite(lines: &str, answers: &[&str]) -> (tempfile::TempDir, Result<Suite, String>) {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("suite.toml", &format!("questions = 'q.csv'\n{lines}\n{JUDGING}"));
    write("q.csv", "n,expect\n1,One\n2,Two\n3,Three\n");
    fs::create_dir(folder.path().join("recordings")).unwrap();
    for (place, answer) in answers.iter().enumerate() {
        let line = json!({ "content": format!("(return {answer:?})") });
        write(&format!("recordings/q-{}.jsonl", place + 1), &format!("{line}\n"));
    }
    let error =
        |error: ptc_config::ConfigError| error.to_string().replace(&format!("{}/", folder.path().display()), "");
    let suite = Suite::load(folder.path()).map_err(error);
    (folder, suite)
}

fn defaults(judge: &str) -> String {
    format!("[defaults]\nmission = 'Name {{{{n}}}}.'\nkind = 'string'\njudge = '{judge}'")
}

async fn problems(judge: &str, answers: &[&str], judges: LlmRegistry) -> Vec<String> {
    let (_folder, suite) = suite(&defaults(judge), answers);
    let suite = suite.unwrap();
    let cases: Vec<_> = suite.cases.iter().collect();
    let report = suite.evaluate(&cases, &EvalOptions { judges, ..EvalOptions::default() }).await.unwrap();
    report.cases.iter().map(|case| case.runs[0].problems.join("; ")).collect()
}

fn models(answers: &[&str]) -> LlmRegistry {
    let llm: Arc<dyn ptc_chat::Llm> = Arc::new(ScriptedLlm::replies(answers.iter().copied()));
    LlmRegistry::from_iter([("judge".to_owned(), llm)])
}

#[tokio::test]
async fn a_judge_that_is_told_the_right_answer_decides_about_others() {
    let found = problems("same", &["One", "TWO", "four"], LlmRegistry::default()).await;
    assert_eq!(found, ["", "", "four is not Three"]);
}

#[tokio::test]
async fn a_model_judges_only_what_nothing_else_refuses() {
    let said = [r#"{"passed": true, "problems": []}"#, r#"{"passed": false, "problems": ["rude"]}"#];
    let found = problems("model", &["One", "TWO", "Three"], models(&said)).await;
    assert_eq!(found, ["", r#"wanted "Two", got "TWO""#, "rude"]);
    let found = problems("model", &["One", "Two", "Three"], models(&said)).await;
    assert!(found[2].starts_with("the judge `model` cannot be asked: "), "{found:?}");
}

#[test]
fn judges_that_cannot_be_used() {
    let check = |lines: &str| suite(lines, &[]).1.unwrap_err();
    insta::assert_snapshot!(check(&defaults("nobody")), @"suite.toml:1:13: q.csv: row 1: judge must be a tool of a server of the case, `SERVER.TOOL`, or of `[judging]` of the suite; tools of `[judging]`: same, long, model (got 'nobody')");
    let own = |tool: &str| {
        let lines = format!("[defaults]\nmission = 'x'\n[judging.tools.own]\n{tool}\n");
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("suite.toml"), lines).unwrap();
        Suite::load(folder.path()).unwrap_err().to_string().replace(&format!("{}/", folder.path().display()), "")
    };
    insta::assert_snapshot!(own("signature = '(word :string) -> :any'\nprogram = '1'"), @"suite.toml:3:2: a judge hears question, answer, expected; `own` asks for `word`");
    insta::assert_snapshot!(own("signature = '(question :string) -> :any'\nprogram = '1'"), @"suite.toml:3:2: the judge `own` must take the answer: write `(answer :string)` in its signature");
    insta::assert_snapshot!(own("signature = '(answer :string) -> :any'\nllm = { mission = 'x {{answer}}' }"), @"suite.toml:3:2: the judge `own` asks a model, and must not ask the one that it judges: add its `llm`");
}

#[tokio::test]
async fn judges_are_compared_with_labels_and_asked_in_both_orders() {
    let (_folder, suite) = suite(&defaults("same"), &[]);
    let row = |answer: &str, expected: &str, label: &str| {
        let cells = [("answer", answer), ("expected", expected), ("label", label)];
        let row = Value::map_from(cells.map(|(name, cell)| (Value::keyword(name), Value::string(cell))));
        row.as_map().cloned().unwrap()
    };
    let rows = [row("a", "A", "pass"), row("abc", "a", "fail"), row("a", "abc", "fail"), row("ab", "xy", "fail")];
    let said = r#"{"passed": true, "problems": []}"#;
    let cancel = CancellationToken::new();
    let suite = suite.unwrap();
    let checks = suite.check_judges(&rows, &models(&[said; 3]), 1, &cancel).await.unwrap();
    let [same, long, model] = checks.as_slice() else { panic!("three judges") };
    assert_eq!((same.judged, same.agreement.unwrap().value, same.kappa), (4, 1.0, Some(1.0)));
    let Swapped { judged, only_as_given, only_swapped } = long.swapped.unwrap();
    assert_eq!((judged, only_as_given, only_swapped), (4, 1, 1), "it says yes to the longer one");
    assert_eq!((long.agreement.unwrap().value, long.passed_wrongly, long.refused_wrongly), (0.5, 2, 0));
    assert_eq!((model.judged, model.swapped, model.unheard.len()), (3, None, 1));
    insta::assert_snapshot!(judges_table(&checks[..2]), @r"
    | judge | answers | agrees with labels | kappa | passed wrongly | refused wrongly | swapped: changed its mind | passed only as given : only swapped |
    |---|---:|---:|---:|---:|---:|---:|---:|
    | same | 4 | 1.00 (0.51 to 1.00) | 1.00 | 0 | 0 | 0 of 4 | 0 : 0 |
    | long | 4 | 0.50 (0.15 to 0.85) | 0.20 | 2 | 0 | 2 of 4 | 1 : 1 |
    ");
    let unlabelled = suite.check_judges(&[row("a", "b", "maybe")], &models(&[]), 1, &cancel).await;
    insta::assert_snapshot!(unlabelled.unwrap_err(), @r#"row 1: `label` must be pass or fail, got "maybe""#);
}
