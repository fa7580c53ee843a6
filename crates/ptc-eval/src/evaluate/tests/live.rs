//! Cases with servers, judges and several texts, as programs and with native calls.

use std::time::Duration;

use ptc_chat::{Request, ToolUse};

use super::*;
use crate::variant::Mode;

/// A server that counts what is put into it. Its judge wants two things and the answer `done`; it writes down what it
/// was asked, and the server that it was ended in order.
const SERVER: &str = r#"
answer() { printf '{"jsonrpc":"2.0","id":%s,%s}\n' "$id" "$1"; }
verdict() { answer "\"result\":{\"content\":[],\"structuredContent\":$1}"; }
state=""
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
    *'"initialize"'*) answer '"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"r","version":"1"}}' ;;
    *'"tools/list"'*) answer '"result":{"tools":[{"name":"put","description":"Puts a text.","inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}},{"name":"judge","inputSchema":{"type":"object"}},{"name":"odd","inputSchema":{"type":"object"}}]}' ;;
    *'"tools/call"'*'"put"'*) state="$state+"; answer '"result":{"content":[{"type":"text","text":"put"}]}' ;;
    *'"tools/call"'*'"judge"'*)
      printf '%s\n' "$line" | sed 's/.*"answer":\("[^"]*"\).*/\1/' >> judged.txt
      case "$state $line" in
        '++ '*'"done"'*) verdict '{"passed":true,"problems":[]}' ;;
        *) verdict "{\"passed\":false,\"problems\":[\"the state is $state\"]}" ;;
      esac ;;
    *'"tools/call"'*'"odd"'*) verdict '{"score":1}' ;;
    *'"id"'*) answer '"error":{"code":-32601,"message":"no such method"}' ;;
  esac
done
echo ended >> ended.txt
"#;

const CASE: &str = "[cases.put]\nmission = \"Put {{one}}.\"\nthen = [\"And {{two}}.\"]\njudge = \"env.judge\"\n\
                    [cases.put.mcp.env]\ncommand = [\"sh\", \"server.sh\"]\n";

fn live(case: &str) -> (tempfile::TempDir, Suite) {
    let (folder, _) = suite("", &[]);
    fs::write(folder.path().join("server.sh"), SERVER).unwrap();
    fs::write(folder.path().join("one.toml"), case).unwrap();
    let suite = Suite::load(folder.path()).unwrap();
    (folder, suite)
}

fn lines(folder: &tempfile::TempDir, name: &str) -> Vec<String> {
    let text = fs::read_to_string(folder.path().join(name)).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

/// The only run, and what the model was asked.
async fn run(suite: &Suite, replies: Vec<Reply>, variant: Variant) -> (RunReport, Vec<Request>) {
    let llm = Arc::new(ScriptedLlm::replies(replies));
    let options = EvalOptions { llm: Some(Arc::clone(&llm) as Arc<dyn Llm>), variant, ..EvalOptions::default() };
    let report = evaluated(suite, options).await.unwrap();
    assert_eq!(report.unasked, []);
    (report.cases[0].runs[0].clone(), llm.requests())
}

fn programs(programs: &[&str]) -> Vec<Reply> {
    programs.iter().map(|program| Reply::text(*program)).collect()
}

fn tools() -> Variant {
    Variant { mode: Some(Mode::NativeTools), ..Variant::default() }
}

fn call(tool: &str, text: &str) -> Reply {
    Reply { tool_calls: vec![ToolUse::new("c", tool, json!({ "text": text }))], ..Reply::default() }
}

const BOTH: [&str; 3] =
    ["(def n 7) (tool/env-put {:text \"a\"})", "(return {:n n})", "(tool/env-put {:text (str n)}) (return \"done\")"];

#[tokio::test]
async fn programs_answer_text_after_text_and_are_judged_on_the_connection() {
    let (folder, suite) = live(CASE);
    let (run, requests) = run(&suite, programs(&BOTH), Variant::default()).await;
    assert_eq!((run.problems.as_slice(), run.answers.as_slice()), (&[][..], &[json!({"n": 7}), json!("done")][..]));
    assert_eq!((run.turns, run.requests, run.steps.len()), (3, 3, 2));
    assert_eq!(run.programs.iter().map(|program| program.turn).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(lines(&folder, "judged.txt"), ["\"{\\\"", "\"done\""], "each answer is judged");
    assert_eq!(lines(&folder, "ended.txt"), ["ended"], "one server for the run, ended in order");
    let opening = |request: &Request| request.messages[0].content().into_owned();
    let [first, .., last] = requests.as_slice() else { panic!("{requests:?}") };
    assert_eq!(first.messages[0].parts[0], last.messages[0].parts[0], "caches find it again");
    assert!(opening(first).starts_with("Put {{one}}.") && opening(first).contains("tool/env-put"));
    assert!(!opening(first).contains("judge"), "{}", opening(first));
    let said = opening(last).strip_prefix(&opening(first)).unwrap().to_owned();
    insta::assert_snapshot!(said.trim(), @"
    The mission above is done, and the user has said more since. What earlier programs defined is still there. Do now what the user said last.

    You returned: {:n 7}

    The user: And {{two}}.

    ;; === user/ (your prelude) ===
    n                             ; = integer, sample: 7
    ");
}

#[tokio::test]
async fn the_last_verdict_counts_with_what_the_case_expects() {
    let (_folder, suite) =
        live(&CASE.replace("judge =", "kind = \"string\"\nexpect = { starts_with = \"do\" }\njudge ="));
    let (run, _) = run(&suite, programs(&["(return \"one\")", "(return \"no\")"]), Variant::default()).await;
    assert_eq!(run.problems, ["wanted a text that starts with \"do\", got \"no\"", "the state is "]);
}

#[tokio::test]
async fn native_calls_have_their_dialogue() {
    let (folder, suite) = live(CASE);
    let replies = vec![call("env_put", "a"), Reply::text("It is there."), call("env_put", "b"), Reply::text("done")];
    let (run, requests) = run(&suite, replies, tools()).await;
    assert_eq!((run.problems.as_slice(), run.turns), (&[][..], 4));
    assert_eq!(run.answers, [json!("It is there."), json!("done")]);
    assert_eq!(lines(&folder, "judged.txt"), ["\"It is there.\"", "\"done\""]);
    let said: Vec<_> = requests[3].messages.iter().map(|message| message.content().into_owned()).collect();
    assert_eq!(said, ["Put {{one}}.", "", "\"put\"", "It is there.", "And {{two}}.", "", "\"put\""]);
    assert_eq!(requests[0].tools.iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>(), ["env_put", "env_odd"]);
}

#[tokio::test]
async fn an_answer_in_text_is_read_as_json_where_the_case_wants_it() {
    let (_folder, suite) = live("[cases.a]\nmission = \"Count.\"\nkind = \"integer\"\nexpect = { eq = 3 }\n");
    let (good, requests) = run(&suite, vec![Reply::text("```json\n3\n```")], tools()).await;
    assert_eq!((good.problems.as_slice(), &good.answer), (&[][..], &json!(3)));
    assert!(requests[0].system.ends_with("The shape of the result: JSON, a whole number."), "{}", requests[0].system);
    let (bad, _) = run(&suite, vec![Reply::text("There are three.")], tools()).await;
    assert_eq!(bad.problems, ["wanted an integer as JSON, got the text \"There are three.\""]);
}

#[tokio::test]
async fn a_text_without_an_answer_ends_the_run() {
    let (folder, suite) = live(CASE);
    let (run, requests) = run(&suite, programs(&["(fail \"no idea\")"]), Variant::default()).await;
    assert_eq!(run.problems, ["text 1 of the user: no answer, the run ended with fail: failed: \"no idea\""]);
    assert_eq!((requests.len(), lines(&folder, "judged.txt").len()), (1, 0));
}

#[tokio::test]
async fn servers_and_judges_that_do_not_work_are_problems_of_the_run() {
    let problems = async |case: &str| {
        let (_folder, suite) = live(case);
        run(&suite, programs(&["(return 1)", "(return 2)"]), Variant::default()).await.0.problems.join("\n")
    };
    let odd = problems(&CASE.replace("env.judge", "env.odd")).await;
    insta::assert_snapshot!(odd, @r#"text 1 of the user: the judge `env.odd` must answer {"passed":false,"problems":["why"]}, got {"score":1}"#);
    let absent = problems(&CASE.replace("env.judge", "env.jury")).await;
    assert!(absent.ends_with("MCP server `env` has no tool `jury`; it has: put, judge, odd"), "{absent}");
    let broken = problems(&CASE.replace("\"server.sh\"", "\"-c\", \"echo no key >&2\"")).await;
    assert!(broken.contains("MCP server `env`: ") && broken.ends_with("it said: no key"), "{broken}");
}

#[tokio::test]
async fn cases_for_programs_alone_are_refused_before_anything_is_asked() {
    let (_folder, suite) = live(&format!("{COUNT}[cases.plan]\nmission = \"x\"\nkind = \"map\"\nplan = [\"Look\"]\n"));
    let llm = Arc::new(ScriptedLlm::replies(["3"]));
    let options =
        EvalOptions { llm: Some(Arc::clone(&llm) as Arc<dyn Llm>), variant: tools(), ..EvalOptions::default() };
    let error = evaluated(&suite, options).await.unwrap_err();
    insta::assert_snapshot!(error, @"
    these cases cannot be asked with native calls of tools; choose others, or ask them as programs
      plan: it has a plan, whose steps programs tick off
    ");
    assert!(llm.requests().is_empty());
}

#[tokio::test]
async fn both_ways_are_compared_run_by_run() {
    let (_folder, suite) = live(
        "[cases.a]\nmission = \"Count.\"\nkind = \"integer\"\n[cases.b]\nmission = \"Count.\"\nkind = \"integer\"\n",
    );
    let options = EvalOptions { llm: model(&["(return 1)", "1", "(return 2)", "two"]), ..EvalOptions::default() };
    let cases = suite.select(&Selection::default()).unwrap();
    let variants = [Variant { mode: Some(Mode::Programs), ..Variant::default() }, tools()];
    let reports = suite.compare(&cases, &options, &variants).await.unwrap();
    let passed: Vec<_> = reports.iter().map(|report| (report.summary.passed, report.summary.total)).collect();
    assert_eq!(passed, [(2, 2), (1, 2)]);
}

#[tokio::test]
async fn nothing_is_asked_beyond_the_limit() {
    let limited = "model_options = { max_output_tokens = 10 }";
    let three = |name: &str| format!("[cases.{name}]\nmission = \"Count.\"\nkind = \"integer\"\n{limited}\n");
    let (_folder, suite) = live(&["a", "b", "c"].map(three).concat());
    // A reply costs 0.0001, and may cost 0.0001.
    let options = |max_usd, programs: &[&str]| EvalOptions {
        llm: model(programs),
        prices: Some("input=0,output=10".parse().unwrap()),
        max_usd: Some(max_usd),
        ..EvalOptions::default()
    };
    let report = evaluated(&suite, options(0.00015, &["(return 1)"; 3])).await.unwrap();
    let unasked: Vec<_> = report.unasked.iter().map(|unasked| (unasked.case.as_str(), unasked.why.clone())).collect();
    assert_eq!((report.summary.passed, unasked), (1, vec![("b", SkipReason::NoMoney), ("c", SkipReason::NoMoney)]));
    assert!(!report.passed());
    let page = report.to_markdown(Detail::Short);
    assert!(
        page.contains("## Not asked\n\nThese runs are in no figure.\n\n* the limit in USD is reached: b; c\n"),
        "{page}"
    );
    let error = evaluated(&suite, EvalOptions { prices: None, ..options(1.0, &[]) }).await.unwrap_err();
    insta::assert_snapshot!(error, @"a limit in USD needs prices, and there are no list prices of scripted: name them with `--prices`");
}

#[tokio::test]
async fn cached_tokens_cost_less() {
    let (_folder, suite) = live("[cases.a]\nmission = \"Count.\"\nkind = \"integer\"\n");
    let tokens = Some(Tokens { input: 1_000, cached: 900, output: 10, ..Tokens::default() });
    let llm = ScriptedLlm::replies([Reply { tokens, ..Reply::text("(return 1)") }]);
    let prices = Some("input=10,cached=1,output=100".parse().unwrap());
    let report =
        evaluated(&suite, EvalOptions { llm: Some(Arc::new(llm)), prices, ..EvalOptions::default() }).await.unwrap();
    let run = &report.cases[0].runs[0];
    assert_eq!((run.cached_tokens, run.requests), (900, 1));
    assert!((run.cost.unwrap() - 0.0029).abs() < 1e-12 && report.summary.cost == run.cost, "{run:?}");
}

#[tokio::test]
async fn a_provider_that_fails_says_nothing_about_the_model() {
    let why = async |error: LlmError| {
        let (_folder, suite) =
            live(&format!("{COUNT}{}llm_retry = {{ max_attempts = 1 }}\n", COUNT.replace("count]", "again]")));
        let llm = ScriptedLlm::new([Err(error), Ok(Reply::text("(return 3)")), Ok(Reply::text("(return 3)"))]);
        let report =
            evaluated(&suite, EvalOptions { llm: Some(Arc::new(llm)), ..EvalOptions::default() }).await.unwrap();
        let unasked: Vec<String> =
            report.unasked.iter().map(|unasked| format!("{}: {}", unasked.case, unasked.why)).collect();
        (unasked.join("\n"), report.summary.passed, report.summary.failed)
    };
    let (told, passed, failed) = why(LlmError::from_status(401, "no such key")).await;
    assert_eq!((passed, failed), (0, 0));
    insta::assert_snapshot!(told, @"
    count: the model cannot be asked: client_error (HTTP 401): no such key
    again: the model cannot be asked
    ");
    let (told, passed, failed) = why(LlmError::from_status(400, "the context is too long")).await;
    assert_eq!((told.as_str(), passed, failed), ("", 1, 1));
}

#[tokio::test]
async fn patience_outlasts_a_provider_that_fails() {
    let retry = "llm_retry = { max_attempts = 2, base_delay = 1 }\n";
    let asked = async |patience| {
        let (_folder, suite) = live(&format!("{COUNT}{retry}"));
        let away = || Err(LlmError::from_status(503, "away"));
        let llm = ScriptedLlm::new([away(), away(), away(), away(), Ok(Reply::text("(return 3)"))]);
        let options = EvalOptions { llm: Some(Arc::new(llm)), patience, ..EvalOptions::default() };
        let report = evaluated(&suite, options).await.unwrap();
        (report.summary.passed, report.unasked.len())
    };
    assert_eq!(asked(None).await, (0, 1));
    assert_eq!(asked(Some(Duration::from_secs(600))).await, (1, 0));
}

#[tokio::test]
async fn several_runs_are_in_progress_at_once_and_reported_in_order() {
    let case = |name: &str| format!("[cases.{name}]\nmission = \"{name}\"\nkind = \"string\"\n");
    let (_folder, suite) = live(&["a", "b", "c", "d"].map(case).concat());
    let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let llm = Slow { now, most: Arc::clone(&most) };
    let options = EvalOptions { llm: Some(Arc::new(llm)), jobs: 3, runs: 2, ..EvalOptions::default() };
    let report = evaluated(&suite, options).await.unwrap();
    assert!(report.passed());
    assert_eq!(most.load(Ordering::Relaxed), 3);
    let order: Vec<_> =
        report.cases.iter().flat_map(|case| case.runs.iter().map(|run| (case.name.as_str(), run.run))).collect();
    assert_eq!(order, [("a", 1), ("a", 2), ("b", 1), ("b", 2), ("c", 1), ("c", 2), ("d", 1), ("d", 2)]);
}

/// Takes longer for the first cases than for the later ones, and counts who waits.
struct Slow {
    now: Arc<AtomicUsize>,
    most: Arc<AtomicUsize>,
}

impl Llm for Slow {
    fn reply<'a>(
        &'a self,
        request: &'a Request,
        _: Option<&'a mut dyn ptc_chat::ChunkSink>,
    ) -> ptc_chat::BoxFuture<'a, Result<Reply, LlmError>> {
        Box::pin(async move {
            let now = self.now.fetch_add(1, Ordering::Relaxed) + 1;
            self.most.fetch_max(now, Ordering::Relaxed);
            let is_first = request.messages[0].content().starts_with('a');
            tokio::time::sleep(Duration::from_millis(if is_first { 60 } else { 20 })).await;
            self.now.fetch_sub(1, Ordering::Relaxed);
            Ok(Reply::text("(return \"x\")"))
        })
    }

    fn name(&self) -> &str {
        "slow"
    }
}
