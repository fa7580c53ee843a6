use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;
use ptc_agent::{Agent, LlmRegistry, LlmRetry, RunOptions};
use ptc_chat::{Llm, LlmError, LlmErrorKind, ModelOptions, Reply, Request, llm_async_fn};
use ptc_lisp::{Map, Value};
use tokio::sync::Notify;

use super::*;

/// A folder for results, and what a model was asked there: how often it has answered each turn of each row.
struct World {
    folder: tempfile::TempDir,
    answered: Arc<Mutex<BTreeMap<(String, u32), usize>>>,
}

/// What the model says to a row in a turn.
type Says = Arc<dyn Fn(&str, u32) -> Result<Reply, LlmError> + Send + Sync>;

fn replies(text: &str) -> Result<Reply, LlmError> {
    let tokens = Some(Tokens { input: 90, output: 10, ..Tokens::default() });
    Ok(Reply { tokens, ..Reply::text(text) })
}

/// Two turns for each row.
fn doubling() -> Says {
    Arc::new(|_, turn| replies(if turn == 1 { "(def twice (* 2 data/n))" } else { "(return twice)" }))
}

fn rows(numbers: &[i64]) -> Vec<BatchRow> {
    BatchRow::all(numbers.iter().map(|n| row(*n)), |name| name == "n")
}

fn row(n: i64) -> Map {
    let cells = [(Value::keyword("n"), Value::Int(n)), (Value::keyword("who"), Value::string("me"))];
    Value::map_from(cells).as_map().cloned().unwrap()
}

fn options() -> BatchOptions {
    BatchOptions {
        model: "m".to_owned(),
        version: "1".to_owned(),
        jobs: 2,
        max_usd: None,
        max_tokens: None,
        patience: Duration::from_secs(60),
        retry: Vec::new(),
        cancel: CancellationToken::new(),
        on_row: None,
        on_trouble: None,
    }
}

fn agent() -> Agent {
    Agent::builder("Double {{n}}.")
        .signature("(n :int) -> :int")
        .max_turns(3)
        .model_options(ModelOptions { max_output_tokens: 50, ..ModelOptions::default() })
        .build()
        .unwrap()
}

impl World {
    fn new() -> World {
        World { folder: tempfile::tempdir().unwrap(), answered: Arc::default() }
    }

    fn path(&self) -> std::path::PathBuf {
        self.folder.path().join("results.jsonl")
    }

    fn results(&self, keeps_runs: bool) -> BatchResults {
        let results = BatchResults::open(self.path(), "m", "1").unwrap();
        if keeps_runs { results.keeping_runs().unwrap() } else { results }
    }

    /// The mission with this model, which hangs at request number `kill`, from 1, and tells `killed`.
    fn mission(&self, says: &Says, kill: usize, killed: &Arc<Notify>) -> BatchMission {
        let (answered, says, killed) = (Arc::clone(&self.answered), Arc::clone(says), Arc::clone(killed));
        let count = Arc::new(AtomicUsize::new(0));
        let llm: Arc<dyn Llm> = Arc::new(llm_async_fn("m", move |request: Request| {
            let (answered, says, killed, count) =
                (Arc::clone(&answered), Arc::clone(&says), Arc::clone(&killed), Arc::clone(&count));
            async move {
                if count.fetch_add(1, Ordering::Relaxed) + 1 == kill {
                    killed.notify_one();
                    std::future::pending::<()>().await;
                }
                tokio::task::yield_now().await;
                let row = row_of(&request);
                let said = says(&row, request.turn);
                *answered.lock().unwrap().entry((row, request.turn)).or_default() += usize::from(said.is_ok());
                said
            }
        }));
        BatchMission {
            agent: agent(),
            data: Map::new(),
            run: RunOptions::new(),
            models: Arc::new(move || (Arc::clone(&llm), LlmRegistry::new())),
            prices: Arc::new(|_| "input=1,output=10".parse().ok()),
            rates: Vec::new(),
        }
    }

    async fn run(&self, numbers: &[i64], says: &Says, options: &BatchOptions) -> BatchReport {
        let mission = self.mission(says, 0, &Arc::default());
        run_batch(BatchPlace::Here(Box::new(mission)), rows(numbers), self.results(true), options).await.unwrap()
    }

    /// Try row 1 again, with or without prices of the model, and return what all its attempts cost.
    async fn retry_cost(&self, prices: Option<&'static str>) -> Option<f64> {
        let fails: Says = Arc::new(|_, _| replies("(fail :no)"));
        let mut mission = self.mission(&fails, 0, &Arc::default());
        mission.prices = Arc::new(move |_| prices?.parse().ok());
        let retry = BatchOptions { retry: vec![RowState::Failed], ..options() };
        let report = run_batch(BatchPlace::Here(Box::new(mission)), rows(&[1]), self.results(false), &retry).await;
        assert_eq!(report.unwrap().usd, self.found()[0].usd);
        self.found()[0].usd
    }

    fn found(&self) -> Vec<RowResult> {
        BatchResults::read(self.path()).unwrap()
    }

    fn answers(&self) -> Vec<(usize, RowState, Json)> {
        self.found().into_iter().map(|result| (result.row, result.state, result.answer)).collect()
    }

    fn asked(&self) -> usize {
        self.answered.lock().unwrap().values().sum()
    }
}

/// The number in `Double 7.`
fn row_of(request: &Request) -> String {
    let text = request.messages.first().map(|message| message.content().into_owned()).unwrap_or_default();
    let sample = text.split("data/n ").nth(1).and_then(|rest| rest.split("sample: ").nth(1));
    sample.and_then(|rest| rest.split_whitespace().next()).unwrap_or_default().to_owned()
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap()
}

proptest! {
    /// Killed at any requests, any number of times, a batch has the same results in the end; no answer is asked for twice.
    #[test]
    fn a_batch_that_is_killed_asks_nothing_twice(
        numbers in prop::collection::vec(0..6_i64, 1..6),
        kills in prop::collection::vec(1..7_usize, 0..4),
        jobs in 1..4_usize,
        keeps_runs: bool,
    ) {
        let world = World::new();
        let options = BatchOptions { jobs, ..options() };
        runtime().block_on(async {
            for kill in kills {
                let killed = Arc::new(Notify::new());
                let place = BatchPlace::Here(Box::new(world.mission(&doubling(), kill, &killed)));
                let before: Vec<RowResult> = if world.path().exists() { world.found() } else { Vec::new() };
                tokio::select! {
                    report = run_batch(place, rows(&numbers), world.results(keeps_runs), &options) => {
                        report.unwrap();
                    }
                    () = killed.notified() => {}
                }
                let after = world.found();
                assert!(before.iter().all(|known| after.contains(known)), "a result stays");
            }
            let place = BatchPlace::Here(Box::new(world.mission(&doubling(), 0, &Arc::default())));
            let report = run_batch(place, rows(&numbers), world.results(keeps_runs), &options).await.unwrap();
            assert_eq!((report.count(RowState::Ok), report.stop), (numbers.len(), None));
        });
        let expected: Vec<_> =
            numbers.iter().enumerate().map(|(place, n)| (place + 1, RowState::Ok, Json::from(2 * n))).collect();
        prop_assert_eq!(world.answers(), expected);
        if keeps_runs {
            let mut rows_of: HashMap<String, usize> = HashMap::new();
            numbers.iter().for_each(|n| *rows_of.entry(n.to_string()).or_default() += 1);
            for ((row, turn), times) in world.answered.lock().unwrap().iter() {
                prop_assert_eq!(Some(times), rows_of.get(row), "row {} turn {}", row, turn);
            }
            for result in world.found() {
                prop_assert_eq!((result.tokens.total(), result.requests >= 2), (200, true));
            }
        }
    }

    /// No batch uses more than it may, however many runs are in progress, and what was cut off continues.
    #[test]
    fn a_limit_is_never_exceeded(count in 1..12_i64, most in 0..12_000_u64, jobs in 1..8_usize, in_usd: bool) {
        let world = World::new();
        let numbers: Vec<i64> = (0..count).collect();
        // Tokens cost as much as there are of them, in millionths.
        let prices: PricesOf = Arc::new(|_| "input=1,output=1".parse().ok());
        let bounds = |most: u64| match in_usd {
            true => BatchOptions { max_usd: Some(most as f64 / 1e6), jobs, ..options() },
            false => BatchOptions { max_tokens: Some(most), jobs, ..options() },
        };
        let report = runtime().block_on(async {
            let mission = BatchMission { prices: Arc::clone(&prices), ..world.mission(&doubling(), 0, &Arc::default()) };
            let place = BatchPlace::Here(Box::new(mission));
            run_batch(place, rows(&numbers), world.results(true), &bounds(most)).await.unwrap()
        });
        prop_assert!(report.tokens.total() <= most, "{} of {most}", report.tokens.total());
        let is_done = report.count(RowState::Ok) == numbers.len();
        prop_assert_eq!(matches!(report.stop, Some(BatchStop::Budget(_))), !is_done);
        let report = runtime().block_on(async {
            let mission = BatchMission { prices, ..world.mission(&doubling(), 0, &Arc::default()) };
            let place = BatchPlace::Here(Box::new(mission));
            run_batch(place, rows(&numbers), world.results(true), &bounds(1_000_000)).await.unwrap()
        });
        prop_assert_eq!(report.count(RowState::Ok), numbers.len());
        prop_assert_eq!(world.asked(), 2 * numbers.len(), "nothing was asked twice");
    }
}

#[test]
fn rows_are_told_apart_by_what_they_hold() {
    let keys = |numbers: &[i64]| rows(numbers).into_iter().map(|row| row.key).collect::<Vec<_>>();
    let [one, two, again] = &keys(&[1, 2, 1])[..] else { panic!() };
    assert_eq!(again, &format!("{one}-2"));
    assert_eq!(keys(&[5, 2, 1]), [keys(&[5]).remove(0), two.clone(), one.clone()]);
    assert_eq!(rows(&[1])[0].inputs.len(), 1, "the other column is no input");
}

#[test]
fn rows_without_an_answer_are_asked_again_when_that_is_said() {
    let world = World::new();
    let says: Says = Arc::new(|row, _| match row {
        "1" => replies("(return 2)"),
        "2" => replies("(fail {:reason :odd :message \"not mine\"})"),
        "3" => replies("(def a 1)"),
        _ => Err(LlmError::from_status(500, "overloaded")),
    });
    let all = [1, 2, 3, 4, 5];
    let report = runtime().block_on(world.run(&all, &says, &options()));
    let states: Vec<_> = report.states.iter().map(|(state, rows)| format!("{state} {rows}")).collect();
    assert_eq!((states.join(", ").as_str(), report.stop), ("ok 1, failed 1, limit 1, unreachable 2", None));
    let reasons: Vec<_> =
        report.failures.iter().map(|group| (group.rows, group.first, group.reason.as_str())).collect();
    assert_eq!(reasons, [(2, 4, "llm_error"), (1, 2, "odd"), (1, 3, "max_turns_exceeded")]);
    let asked = world.asked();
    runtime().block_on(world.run(&all, &doubling(), &options()));
    assert_eq!(world.asked(), asked, "finished rows are finished");
    let retry = BatchOptions { retry: vec![RowState::Unreachable], ..options() };
    let report = runtime().block_on(world.run(&all, &doubling(), &retry));
    assert_eq!((report.count(RowState::Ok), world.asked() - asked), (3, 4));
    let retry = BatchOptions { retry: vec![RowState::Failed, RowState::Limit], ..options() };
    let report = runtime().block_on(world.run(&all, &doubling(), &retry));
    assert_eq!(report.count(RowState::Ok), 5);
    let found = world.found();
    let facts: Vec<_> = found.iter().map(|result| (result.attempt, result.tokens.total(), result.turns)).collect();
    assert_eq!(facts, [(1, 100, 1), (2, 300, 2), (2, 500, 2), (1, 200, 2), (1, 200, 2)], "all attempts are paid");
    let usd: Vec<_> = found.iter().map(|result| format!("{:.5}", result.usd.unwrap())).collect();
    assert_eq!(usd, ["0.00019", "0.00057", "0.00095", "0.00038", "0.00038"]);
    assert_eq!(fs::read_to_string(world.path()).unwrap().lines().count(), 5, "a line for each row");
    let run = found[1].run.as_deref().unwrap();
    assert!(run.starts_with("results.runs/") && run.ends_with(".2.jsonl"), "{run}");
    assert!(world.folder.path().join(run).exists());
}

#[test]
fn an_attempt_without_a_price_is_never_left_out_of_a_cost() {
    let (world, prices) = (World::new(), Some("input=1,output=10"));
    let costs = runtime().block_on(async {
        let mut costs = Vec::new();
        for prices in [prices, None, None, prices] {
            costs.push(world.retry_cost(prices).await.map(|usd| format!("{usd:.5}")));
        }
        costs
    });
    assert_eq!(costs, [Some("0.00019".to_owned()), None, None, Some("0.00076".to_owned())]);
}

#[test]
fn a_model_that_is_down_stops_the_batch_which_then_continues() {
    let world = World::new();
    let down: Says = Arc::new(|_, _| Err(LlmError::new(LlmErrorKind::Unreachable, "refused")));
    let retry = LlmRetry::default().for_time(Duration::from_secs(60));
    let report = runtime().block_on(async {
        let mission = world.mission(&down, 0, &Arc::default());
        let agent = mission.agent.adjusted(|agent| agent.llm_retry(retry)).unwrap();
        let place = BatchPlace::Here(Box::new(BatchMission { agent, ..mission }));
        run_batch(place, rows(&[1, 2, 3, 4]), world.results(true), &options()).await.unwrap()
    });
    assert!(matches!(&report.stop, Some(BatchStop::Unreachable(why)) if why.contains("refused")), "{:?}", report.stop);
    assert_eq!((report.unasked, report.count(RowState::Unreachable)), (2, 0), "it is the fault of no row");
    let report = runtime().block_on(world.run(&[1, 2, 3, 4], &doubling(), &options()));
    assert_eq!((report.count(RowState::Ok), report.stop), (4, None));
}

#[test]
fn a_key_that_is_refused_stops_the_batch_at_once() {
    let world = World::new();
    let refused: Says = Arc::new(|_, _| Err(LlmError::from_status(401, "no such key")));
    let options = BatchOptions { jobs: 1, ..options() };
    let report = runtime().block_on(world.run(&[1, 2, 3], &refused, &options));
    insta::assert_snapshot!(report.stop.unwrap(), @"the model cannot be asked: client_error (HTTP 401): no such key");
    assert_eq!((report.unasked, report.requests), (2, 1));
}

#[test]
fn a_batch_that_is_cancelled_continues_where_it_was() {
    let world = World::new();
    let options = options();
    let cancel = options.cancel.clone();
    let says: Says = Arc::new(move |row, turn| {
        if (row, turn) == ("2", 2) {
            cancel.cancel();
        }
        doubling()(row, turn)
    });
    let report = runtime().block_on(world.run(&[1, 2, 3, 4, 5], &says, &options));
    assert_eq!(report.stop, Some(BatchStop::Cancelled));
    let report = runtime().block_on(world.run(&[1, 2, 3, 4, 5], &doubling(), &self::options()));
    assert_eq!((report.count(RowState::Ok), world.asked()), (5, 10));
}

#[test]
fn requests_keep_the_pace() {
    let world = World::new();
    let began = Arc::new(Mutex::new(Vec::new()));
    let times = Arc::clone(&began);
    let says: Says = Arc::new(move |row, turn| {
        times.lock().unwrap().push(tokio::time::Instant::now());
        doubling()(row, turn)
    });
    runtime().block_on(async {
        let mission = world.mission(&says, 0, &Arc::default());
        let place = BatchPlace::Here(Box::new(BatchMission {
            rates: vec![("m".to_owned(), "60".parse().unwrap())],
            ..mission
        }));
        let options = BatchOptions { jobs: 10, ..options() };
        run_batch(place, rows(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), world.results(true), &options).await.unwrap();
    });
    let began = began.lock().unwrap();
    // A tenth of a minute at once, then one each second.
    let seconds: Vec<u64> = began.iter().map(|at| (*at - began[0]).as_millis().div_ceil(1_000) as u64).collect();
    let expected: Vec<u64> = [0; 6].into_iter().chain(1..=14).collect();
    assert_eq!(seconds, expected);
}

#[test]
fn a_row_that_the_mission_does_not_take_fails_alone() {
    let world = World::new();
    let odd = Value::map_from([(Value::keyword("n"), Value::string("x"))]).as_map().cloned().unwrap();
    let rows = BatchRow::all([row(1), odd, row(3)], |name| name == "n");
    let mission = world.mission(&doubling(), 0, &Arc::default());
    let place = BatchPlace::Here(Box::new(mission));
    let report = runtime().block_on(run_batch(place, rows, world.results(true), &options())).unwrap();
    assert_eq!((report.count(RowState::Ok), report.count(RowState::Failed)), (2, 1));
    insta::assert_snapshot!(world.found()[1].message.as_deref().unwrap(), @r#"the context does not fit the signature: [n]: cannot coerce string "x" to integer"#);
}

#[test]
fn results_of_something_else_are_refused() {
    let world = World::new();
    runtime().block_on(world.run(&[1], &doubling(), &options()));
    let refused = |model, version| {
        let error = BatchResults::open(world.path(), model, version).unwrap_err().to_string();
        error.replace(&format!("{}/", world.folder.path().display()), "")
    };
    insta::assert_snapshot!(refused("other", "1"), @"results.jsonl, line 1: this is an answer of m, and other is asked now; name another file with `--out other.jsonl`");
    insta::assert_snapshot!(refused("m", "2"), @"results.jsonl, line 1: this is a result of another mission, or of other options; name another file with `--out other.jsonl`");
    fs::write(world.path(), "{\"suite\":\"T\"}\n").unwrap();
    insta::assert_snapshot!(refused("m", "1"), @"results.jsonl, line 1: this is not the result of a run (missing field `row` at line 1 column 13); name another file");
}

#[test]
fn a_table_has_the_columns_of_all_rows() {
    let world = World::new();
    let says: Says = Arc::new(|row, _| match row {
        "1" => replies("(fail :no)"),
        _ => replies("(return 4)"),
    });
    runtime().block_on(world.run(&[1, 2], &says, &options()));
    let mut found = world.found();
    found[1].answer = serde_json::json!({"kind": "bug", "n": 4});
    for result in &mut found {
        result.run = None;
    }
    insta::assert_snapshot!(table(&found).to_string(), @r#"[{:n 1 :who "me" :answer.kind nil :answer.n nil :run_row 1 :run_state "failed" :run_reason "failed" :run_message ":no" :run_model "m" :run_turns 1 :run_tokens_in 90 :run_tokens_out 10 :run_usd 0.00019 :run_record nil} {:n 2 :who "me" :answer.kind "bug" :answer.n 4 :run_row 2 :run_state "ok" :run_reason nil :run_message nil :run_model "m" :run_turns 1 :run_tokens_in 90 :run_tokens_out 10 :run_usd 0.00019 :run_record nil}]"#);
}

#[test]
fn results_follow_their_rows() {
    let world = World::new();
    runtime().block_on(world.run(&[1, 2, 3], &doubling(), &options()));
    let report = runtime().block_on(world.run(&[3, 1, 4], &doubling(), &options()));
    assert_eq!((report.rows, report.count(RowState::Ok), report.tokens.total()), (3, 3, 600));
    let answers: Vec<_> = world.answers().into_iter().map(|(row, _, answer)| (row, answer)).collect();
    let expected = [(1, 6), (2, 2), (2, 4), (3, 8)].map(|(row, n)| (row, Json::from(n)));
    assert_eq!(answers, expected, "the second row of the first file is still there");
    assert_eq!(world.asked(), 8);
}

#[test]
fn a_batch_without_a_row_to_ask_is_stopped_by_no_limit() {
    let world = World::new();
    runtime().block_on(world.run(&[1, 2], &doubling(), &options()));
    let report =
        runtime().block_on(world.run(&[1, 2], &doubling(), &BatchOptions { max_tokens: Some(1), ..options() }));
    assert_eq!((report.count(RowState::Ok), report.stop), (2, None));
}

#[test]
fn what_is_continued_is_paid_once() {
    let world = World::new();
    let down: Says =
        Arc::new(|_, turn| if turn == 1 { doubling()("1", 1) } else { Err(LlmError::from_status(500, "")) });
    runtime().block_on(world.run(&[1, 2], &down, &options()));
    // Each row has used 100 tokens, and needs one more request, which may use about 1,700.
    let retry = BatchOptions { retry: vec![RowState::Unreachable], max_tokens: Some(4_000), ..options() };
    let report = runtime().block_on(world.run(&[1, 2], &doubling(), &retry));
    assert_eq!((report.count(RowState::Ok), report.tokens.total(), report.stop), (2, 400, None));
}

#[test]
fn rates_are_for_models_and_providers() {
    let of = |model: &str, names: &[&'static str]| names.iter().map(|name| is_rate_of(name, model)).collect::<Vec<_>>();
    assert_eq!(of("openai:gpt-5", &["openai", "openai:gpt-5", "gpt-5", "anthropic"]), [true, true, false, false]);
    assert_eq!(of("http://127.0.0.1:1/v1#qwen", &["qwen", "http", "http://127.0.0.1:1/v1#qwen"]), [true, false, true]);
}
