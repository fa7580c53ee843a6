#[cfg(unix)]
mod live;

use std::fs;
use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;

use ptc_chat::{Llm, LlmError, LlmErrorKind, Reply, ScriptedLlm, Tokens};
use ptc_config::Strategy;
use serde_json::json;

use super::*;
use crate::options::Selection;
use crate::report::Detail;

/// A suite with these cases and recordings of them.
fn suite(cases: &str, recordings: &[(&str, &[&str])]) -> (tempfile::TempDir, Suite) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("suite.toml"), "role = \"You count.\"\nlevels = [\"one\"]\n").unwrap();
    fs::write(folder.path().join("one.toml"), cases).unwrap();
    fs::create_dir(folder.path().join("recordings")).unwrap();
    for (name, programs) in recordings {
        let lines: Vec<String> =
            programs.iter().map(|program| format!("{}\n", json!({ "content": program }))).collect();
        fs::write(folder.path().join(format!("recordings/{name}.jsonl")), lines.concat()).unwrap();
    }
    let suite = Suite::load(folder.path()).unwrap();
    (folder, suite)
}

async fn evaluated(suite: &Suite, options: EvalOptions) -> Result<Report, EvalError> {
    let cases = suite.select(&Selection::default()).unwrap();
    suite.evaluate(&cases, &options).await
}

/// A model with these answers, which read 100 tokens and write 10.
fn model(programs: &[&str]) -> Option<Arc<dyn Llm>> {
    let tokens = Some(Tokens { input: 100, output: 10, ..Tokens::default() });
    let replies: Vec<Reply> = programs.iter().map(|program| Reply { tokens, ..Reply::text(*program) }).collect();
    Some(Arc::new(ScriptedLlm::replies(replies)))
}

const COUNT: &str = "[cases.count]\nmission = \"Count {{xs}}.\"\nsignature = \"(xs [:int]) -> :int\"\nkind = \"integer\"\n\
                     expect = { between = [1, 100] }\ndata = { xs = [1, 2] }\n";

#[tokio::test]
async fn recorded_answers_are_judged() {
    let (_folder, suite) = suite(COUNT, &[("count", &["(def n (count data/xs))", "(return n)"])]);
    let report = evaluated(&suite, EvalOptions::default()).await.unwrap();
    assert!(report.passed());
    let run = report.cases.first().unwrap().runs.first().unwrap();
    assert_eq!((run.answer.clone(), run.attempts, run.retries), (json!(2), 2, 0));
    assert_eq!(run.programs.iter().map(|program| program.result.as_str()).collect::<Vec<_>>(), ["#'n", "2"]);
    assert!(run.steps[0].turns().iter().all(|turn| turn.is_success()));
}

#[tokio::test]
async fn what_is_wrong_is_said() {
    let problems = async |program: &str| {
        let (_folder, suite) = suite(COUNT, &[("count", &[program])]);
        let report = evaluated(&suite, EvalOptions::default()).await.unwrap();
        assert!(!report.passed());
        report.cases.first().unwrap().runs.first().unwrap().problems.join("\n")
    };
    insta::assert_snapshot!(problems("(return 101)").await, @"wanted 1..100, got 101");
    insta::assert_snapshot!(problems("(fail \"no idea\")").await, @r#"no answer, the run ended with fail: failed: "no idea""#);
    let out = problems("(def a 1)").await;
    assert!(
        out.starts_with("no answer, the run ended with error: llm_error: ")
            && out.contains("has no answer left for turn 2"),
        "{out}"
    );
}

#[tokio::test]
async fn an_answer_of_another_kind_shows_its_value() {
    let cases = "[cases.a]\nmission = \"Count.\"\nsignature = \":any\"\nkind = \"integer\"\nexpect = { eq = 1 }\n";
    let (_folder, suite) = suite(cases, &[("a", &["(return \"one\")"])]);
    let report = evaluated(&suite, EvalOptions::default()).await.unwrap();
    assert_eq!(report.cases.first().unwrap().runs.first().unwrap().problems, ["wanted an integer, got \"one\""]);
}

#[tokio::test]
async fn each_run_asks_the_model_anew() {
    let (_folder, suite) = suite(COUNT, &[]);
    let told = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&told);
    let options = EvalOptions {
        llm: model(&["(return 2)", "(return 0)", "(return \"x\")", "(return 3)"]),
        runs: 3,
        prices: Some("input=3,output=15".parse().unwrap()),
        on_run: Some(Arc::new(move |case: &Case, _: &Variant, run: &RunReport| {
            heard.lock().unwrap().push((case.name.clone(), run.run, run.passed))
        })),
        ..EvalOptions::default()
    };
    let report = evaluated(&suite, options).await.unwrap();
    assert_eq!(
        (report.summary.passed, report.summary.failed, report.summary.total, report.summary.attempts),
        (2, 1, 3, 4)
    );
    assert_eq!((report.summary.input_tokens, report.summary.output_tokens), (400, 40));
    assert!((report.summary.cost.unwrap() - 0.0018).abs() < 1e-12, "{:?}", report.summary.cost);
    assert_eq!(report.model, "scripted");
    let name = "count".to_owned();
    assert_eq!(*told.lock().unwrap(), [(name.clone(), 1, true), (name.clone(), 2, false), (name, 3, true)]);
    let page = report.to_markdown(Detail::Short);
    assert!(page.contains("### count, run 2\n\n> Count {{xs}}.\n\n* wanted 1..100, got 0\n"), "{page}");
}

/// Proves: MIG-003, MIG-004.
#[tokio::test]
async fn options_change_all_agents() {
    let (_folder, suite) = suite(&format!("{COUNT}max_turns = 2\n"), &[]);
    let llm = Arc::new(ScriptedLlm::replies(["(def a 1)", "(return \"x\")", "(return \"y\")", "(return 2)"]));
    let options = EvalOptions {
        llm: Some(Arc::clone(&llm) as Arc<dyn Llm>),
        retry_turns: Some(2),
        variant: Variant {
            compression: Some(Strategy::default().into()),
            language_spec: Some("minimal".to_owned()),
            ..Variant::default()
        },
        ..EvalOptions::default()
    };
    let report = evaluated(&suite, options).await.unwrap();
    assert!(report.passed(), "{}", report.to_markdown(Detail::Short));
    assert_eq!((report.summary.attempts, report.summary.retries), (4, 2));
    assert_eq!(
        (report.compression.as_deref(), report.language_spec.as_deref()),
        (Some("single-user-coalesced"), Some("minimal"))
    );
    let requests = llm.requests();
    assert!(requests.iter().all(|request| request.messages.len() == 1), "compressed");
    let system = &requests.first().unwrap().system;
    assert!(system.starts_with("You count.\n") && system.contains(&LanguageSpec::get("minimal").unwrap()), "{system}");
}

#[tokio::test(start_paused = true)]
async fn a_busy_model_is_asked_again_and_its_recording_can_be_replayed() {
    let (_folder, suite) = suite(COUNT, &[]);
    let busy = || Err(LlmError::new(LlmErrorKind::RateLimit, "busy"));
    let llm = Arc::new(ScriptedLlm::new([busy(), busy(), Ok(Reply::text("(return 2)"))]));
    let options = EvalOptions { llm: Some(llm), record: true, ..EvalOptions::default() };
    assert!(evaluated(&suite, options).await.unwrap().passed());
    assert!(evaluated(&suite, EvalOptions::default()).await.unwrap().passed());
    let llm = Arc::new(ScriptedLlm::new([busy(), busy(), busy(), Ok(Reply::text("(return 2)"))]));
    assert!(!evaluated(&suite, EvalOptions { llm: Some(llm), ..EvalOptions::default() }).await.unwrap().passed());
}

#[tokio::test]
async fn a_model_is_recorded_when_the_case_passes() {
    let (folder, suite) = suite(COUNT, &[("count", &["(return 7)"])]);
    let record = |programs: &[&str]| EvalOptions { llm: model(programs), record: true, ..EvalOptions::default() };
    let path = folder.path().join("recordings/count.jsonl");
    let before = fs::read_to_string(&path).unwrap();

    assert!(!evaluated(&suite, record(&["(return 101)"])).await.unwrap().passed());
    assert_eq!(fs::read_to_string(&path).unwrap(), before, "a failed run changes no recording");
    assert!(evaluated(&suite, record(&["(def n 1)", "(return (inc n))"])).await.unwrap().passed());
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 2);
    assert_eq!(fs::read_dir(folder.path().join("recordings")).unwrap().count(), 1, "nothing unfinished is left");
    let replayed = evaluated(&suite, EvalOptions::default()).await.unwrap();
    assert_eq!(replayed.cases.first().unwrap().runs.first().unwrap().answer, json!(2));
    assert_eq!(replayed.summary.input_tokens, 200, "a recording has the tokens, too");
}

#[tokio::test]
async fn what_cannot_start_is_an_error() {
    let (folder, suite) = suite(COUNT, &[]);
    let error = async |options: EvalOptions| {
        let error = evaluated(&suite, options).await.unwrap_err().to_string();
        error.replace(&folder.path().display().to_string(), "DIR")
    };
    insta::assert_snapshot!(error(EvalOptions::default()).await, @"case `count` has no recorded answers, DIR/recordings/count.jsonl: name a model with `--llm SPEC`; with `--record` its answers are kept there");
    insta::assert_snapshot!(error(EvalOptions { record: true, ..EvalOptions::default() }).await, @"there is nothing to record without a model; name one, or run on the existing recordings");
    insta::assert_snapshot!(error(EvalOptions { record: true, runs: 2, llm: model(&[]), ..EvalOptions::default() }).await, @"a recording is of one run of a case; record with one run, then repeat it as often as you like");
    insta::assert_snapshot!(error(EvalOptions { variant: Variant { language_spec: Some("klingon".to_owned()), ..Variant::default() }, ..EvalOptions::default() }).await, @"unknown language_spec 'klingon'; available: lean, full, minimal, brief, lean_single_shot, single_shot, minimal_single_shot, brief_single_shot, multi_turn, base, addon_single_shot, addon_multi_turn, addon_tasks, addon_plan");
    fs::write(folder.path().join("recordings/count.jsonl"), "nonsense\n").unwrap();
    let bad = error(EvalOptions::default()).await;
    assert!(bad.starts_with("DIR/recordings/count.jsonl, line 1: it is not a JSON answer"), "{bad}");
}

#[tokio::test]
async fn an_agent_that_cannot_start_names_its_case() {
    let (_folder, suite) =
        suite("[cases.a]\nmission = \"x\"\nsignature = \"(n :int) -> :int\"\nkind = \"integer\"\n", &[("a", &["1"])]);
    let error = evaluated(&suite, EvalOptions::default()).await.unwrap_err();
    insta::assert_snapshot!(error, @"case `a`: the context does not fit the signature: [n]: required input is missing");
}

#[tokio::test]
async fn a_cancelled_evaluation_reports_what_was_done() {
    let cases = format!("{COUNT}{}", COUNT.replace("cases.count", "cases.again"));
    let (_folder, suite) = suite(&cases, &[("count", &["(return 2)"]), ("again", &["(return 2)"])]);
    let options = EvalOptions::default();
    let cancel = options.cancel.clone();
    let options =
        EvalOptions { on_run: Some(Arc::new(move |_: &Case, _: &Variant, _: &RunReport| cancel.cancel())), ..options };
    let report = evaluated(&suite, options).await.unwrap();
    assert_eq!((report.cases.len(), report.summary.passed), (1, 1));
}

const DOUBLE: &str = "[cases.double]\nmission = \"Double {{n}}\"\nsignature = \"(n :int) -> :int\"\nmax_turns = 1\nkind = \"integer\"\n\
                      expect = { eq = 6 }\ndata = { n = 3 }\n\
                      inputs = [{ data = { n = 0 }, expect = { eq = 0 } }, { data = { n = 5 }, expect = { eq = 10 } }]\n";

async fn compiled_problems(program: &str) -> Vec<String> {
    let (_folder, suite) = suite(DOUBLE, &[("double", &[program])]);
    let report = evaluated(&suite, EvalOptions::default()).await.unwrap();
    report.cases.into_iter().next().unwrap().runs.into_iter().next().unwrap().problems
}

#[tokio::test]
async fn a_compiled_program_answers_for_every_input() {
    assert_eq!(compiled_problems("(* 2 data/n)").await, [""; 0]);
    assert_eq!(compiled_problems("(+ 3 data/n)").await, ["input 1: wanted 0, got 3", "input 2: wanted 10, got 8"]);
    let failed = compiled_problems("(fail \"no\")").await;
    assert_eq!(failed, ["cannot compile: failed: \"no\""]);
}

#[tokio::test]
async fn a_compiled_program_that_asks_a_model_is_found_out() {
    let agent = "[cases.double.agents.twice]\nmission = \"Double {{n}}\"\nsignature = \"(n :int) -> :int\"\ndescription = \"Doubles\"\n";
    let programs = ["(return (tool/twice {:n data/n}))", "(return (* 2 data/n))"];
    let (_folder, suite) = suite(&format!("{DOUBLE}{agent}"), &[("double", &programs)]);
    let report = evaluated(&suite, EvalOptions::default()).await.unwrap();
    let problems = report.cases.first().unwrap().runs.first().unwrap().problems.clone();
    assert_eq!(
        problems.last().map(String::as_str),
        Some("the compiled program asked a model, 3 times"),
        "{problems:?}"
    );
}
