//! Driving: how many calls are open, which time counts, what observers receive.

mod apart;
mod approval;
mod below;
mod cancel;
mod engine;
mod events;
mod faults;
mod kept;
mod time;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use insta::assert_snapshot;
use ptc_chat::ScriptedLlm;
use ptc_lisp::ToolCall;
use ptc_transcript::{Event, JournalWriter, Recorded, Step};
use serde_json::json;

use super::calls::Calls;
use super::report::Reporter;
use super::{Log, drive};
use crate::testing::{Item, scripted};
use crate::{Agent, Context, FnTool, Input, PendingCall, RunOptions, ToolError, recorded_step};

/// Open calls now and at most.
#[derive(Clone, Default)]
struct Desk {
    open: Arc<AtomicUsize>,
    most: Arc<AtomicUsize>,
}

async fn look_up(desk: Desk, item: Item) -> Result<i64, ToolError> {
    let open = desk.open.fetch_add(1, Ordering::SeqCst) + 1;
    desk.most.fetch_max(open, Ordering::SeqCst);
    tokio::time::sleep(Duration::from_millis(250)).await;
    desk.open.fetch_sub(1, Ordering::SeqCst);
    Ok(item.id * 2)
}

/// Run a program under default limits on this thread's paused clock; returns the step and the most calls open at once.
async fn check(program: &str, options: RunOptions) -> (Step, usize) {
    let desk = Desk::default();
    let agent = Agent::builder("Look all ids up").tool(FnTool::with_state("look-up", "Doubles", desk.clone(), look_up));
    let agent = agent.build().expect("an agent");
    let options = options.llm(scripted(&[program]).1);
    let data = Context::new(json!({"ids": (0..50).collect::<Vec<_>>()})).expect("data");
    let step = agent.run_with(data, options).await.expect("a run");
    (step, desk.most.load(Ordering::SeqCst))
}

#[tokio::test(start_paused = true)]
async fn map_has_one_call_open_and_tool_time_is_free() {
    let program = "(return (reduce + (map (fn [id] (tool/look-up {:id id})) data/ids)))";
    let (step, most) = check(program, RunOptions::default()).await;
    assert_eq!(step.value::<i64>().expect("a number"), 2450);
    assert_eq!((most, step.tool_calls.len()), (1, 50));
    assert!(step.usage.duration_ms >= 12_500, "{}", step.usage.duration_ms);
}

#[tokio::test(start_paused = true)]
async fn pmap_has_all_calls_open_at_once() {
    let program = "(return (pmap (fn [id] (println id) (tool/look-up {:id id})) data/ids))";
    let (step, most) = check(program, RunOptions::default()).await;
    assert_eq!(step.value::<Vec<i64>>().expect("numbers"), (0..50).map(|id| id * 2).collect::<Vec<_>>());
    assert_eq!((most, step.usage.duration_ms / 250), (50, 1));
    let asked: Vec<_> = step.tool_calls.iter().map(|call| call.args.to_json().expect("JSON")["id"].clone()).collect();
    assert_eq!(asked, (0..50).map(|id| json!(id)).collect::<Vec<_>>());
    assert_eq!(step.prints, (0..50).map(|id| id.to_string()).collect::<Vec<_>>());
}

#[tokio::test(start_paused = true)]
async fn a_batch_is_made_at_once_within_the_limit() {
    let desk = Desk::default();
    let tool: Arc<dyn ptc_lisp::Tool> = Arc::new(FnTool::with_state("look-up", "Doubles", desk.clone(), look_up));
    let agent = Agent::builder("x").tool(tool).build().expect("an agent");
    let run = agent.start(Context::default(), &RunOptions::default()).expect("a run");
    let log = Log::open(&RunOptions::default());
    let reporter = Reporter::start(&[], log.run_id(), &run, None);
    let llm = ScriptedLlm::replies([""; 0]);
    let pending: Vec<PendingCall> = (0..50).map(call).collect();
    for (parallel, batches) in [(50, 1), (8, 7)] {
        let options = RunOptions::new().max_parallel_calls(parallel);
        let calls = Calls::new(&agent, &llm, &options, &reporter, &log);
        let began = tokio::time::Instant::now();
        let Ok(Input::Results(results)) = calls.make(&pending, None).await else { panic!("nobody cancelled") };
        let values: Vec<_> =
            results.into_iter().map(|result| result.expect("a value").to_json().expect("JSON")).collect();
        assert_eq!(values, (0..50).map(|id| json!(id * 2)).collect::<Vec<_>>());
        assert_eq!((desk.most.swap(0, Ordering::SeqCst), began.elapsed().as_millis() / 250), (parallel, batches));
    }
}

#[tokio::test(start_paused = true)]
async fn calls_at_once_have_their_own_times_and_journals_tell_them() {
    let journal = Arc::new(JournalWriter::new(Vec::new()));
    let options = RunOptions::new().max_parallel_calls(2).journal(Arc::<JournalWriter<Vec<u8>>>::clone(&journal));
    let program = "(return (pmap (fn [id] (tool/look-up {:id id})) [1 2 3]))";
    let (step, _) = check(program, options).await;
    let times = |step: &Step| -> Vec<(i64, u128)> {
        let calls = step.turns()[0].tool_calls();
        let first = calls[0].started_micros;
        // The time of a test has steps of a millisecond.
        calls.iter().map(|call| ((call.started_micros - first) / 10_000, call.duration.as_millis() / 10)).collect()
    };
    assert_eq!(times(&step), [(0, 25), (0, 25), (25, 25)]);
    let lines = Arc::into_inner(journal).expect("nobody else writes").into_writer();
    let recorded = Recorded::read(&lines).expect("a journal").expect("a header");
    let (again, _) = check(program, RunOptions::new().resume(Arc::new(recorded.clone()))).await;
    for step in [recorded_step(recorded).expect("a step"), again] {
        assert_eq!(times(&step), [(0, 25), (0, 25), (25, 25)]);
    }
}

#[tokio::test(start_paused = true)]
async fn the_time_of_a_resumed_run_goes_on_after_the_latest_record() {
    let journal = Arc::new(JournalWriter::new(Vec::new()));
    let options = RunOptions::new().run_id("r").journal(Arc::<JournalWriter<Vec<u8>>>::clone(&journal));
    let program = "(return (pmap (fn [id] (tool/look-up {:id id})) [1 2]))";
    check(program, options).await;
    let lines = String::from_utf8(Arc::into_inner(journal).expect("nobody else writes").into_writer()).expect("text");
    // Only the second call has ended, after 250 ms.
    let left: String = lines
        .split_inclusive('\n')
        .filter(|line| !["turn", "end"].iter().any(|kind| line.starts_with(&format!("{{\"type\":\"{kind}\""))))
        .filter(|line| !line.starts_with(r#"{"type":"call.end","id":"r/1/1""#))
        .collect();
    let recorded = Recorded::read(&crate::testing::forged(left.as_bytes(), str::to_owned)).expect("a journal");
    let (step, _) = check(program, RunOptions::new().resume(recorded.map(Arc::new))).await;
    // The first call is not made again: the program fails, and makes both calls in the second turn.
    assert_eq!((step.turns().len(), step.usage.duration_ms / 250), (2, 2));
}

fn call(id: i64) -> PendingCall {
    let args = ptc_lisp::Value::from_json(json!({"id": id}));
    PendingCall {
        id: format!("1/{id}"),
        path: [].into(),
        call: ToolCall { seq: id.unsigned_abs(), name: "look-up".into(), surface: args.clone(), args },
    }
}

#[test]
fn a_run_that_waits_is_small() {
    let agent = Agent::builder("Wait").build().expect("an agent");
    let llm = ScriptedLlm::replies([""; 0]);
    let run = agent.start(Context::default(), &RunOptions::default()).expect("a run");
    let held = size_of_val(&run) + size_of::<RunOptions>();
    let options = RunOptions::default();
    let driving = drive(Box::new(run), &llm, &options, Log::open(&options), None);
    let around = size_of_val(&agent.run_with(Context::default(), RunOptions::default()));
    // A future that holds the run itself takes its size twice, and so does each future around it.
    assert!(held + size_of_val(&driving) + around < 10_400, "{held} {} {around}", size_of_val(&driving));
}

#[tokio::test(start_paused = true)]
async fn every_slice_gives_the_same_answer() {
    let program = "(return (reduce + (map (fn [id] (+ 1 (tool/look-up {:id id}))) (take 5 data/ids))))";
    for slice in [Some(1), Some(7), None] {
        let (step, _) = check(program, RunOptions::new().slice(slice)).await;
        assert_eq!(step.value::<i64>().expect("a number"), 25, "{slice:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn observers_hear_everything_in_order_and_may_panic() {
    let heard: Arc<Mutex<Vec<String>>> = Arc::default();
    let ears = Arc::clone(&heard);
    let observer = move |event: &Event| {
        let parent = event.parent.map_or(0, |parent| parent.0);
        ears.lock().expect("a list").push(format!("{} {} in {parent}", event.kind.name(), event.span.0));
        panic!("deaf");
    };
    let options = RunOptions::new().observers(vec![Arc::new(observer)]);
    let (step, _) = check("(return (tool/look-up {:id 4}))", options).await;
    assert_eq!(step.value::<i64>().expect("a number"), 8);
    assert_snapshot!(heard.lock().expect("a list").join("\n"), @r"
    run.start 1 in 0
    turn.start 2 in 1
    llm.start 3 in 2
    llm.stop 3 in 2
    tool.start 4 in 2
    tool.stop 4 in 2
    turn.stop 2 in 1
    run.stop 1 in 0
    ");
}
