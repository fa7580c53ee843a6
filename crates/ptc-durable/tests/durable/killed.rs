//! Missions whose connections are lost at any point: the outcome is the same, and nothing happens twice.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::FutureExt;
use proptest::prelude::*;
use ptc_agent::{Agent, AgentBuilder, Context, FnTool, RunOptions, ToolError};
use ptc_chat::{LlmError, Reply, Request, llm_fn};
use ptc_durable::{Blob, BlobError, BlobStore, INLINE_BYTES, Mission, Worker};
use ptc_lisp::{BoxFuture, SplitMix64};
use ptc_transcript::{FailReason, StepJson, ValueForm};
use serde_json::{Value as Json, json};
use tokio::sync::OnceCell;

use crate::engine::{Engine, Tables};
use crate::world::*;

/// An agent that pays directly and has clerks do it, all of them at once.
fn boss(effects: &Effects) -> AgentBuilder {
    let tools = |builder: AgentBuilder| {
        builder.tool(effects.tool("pay")).tool(effects.tool("reserve").idempotent()).tool(effects.is_paid())
    };
    let clerk = as_tool(tools(Agent::builder("Pay {{id}}")).llm_retry(patient()), "clerk");
    tools(Agent::builder("Pay all").tool(clerk)).llm_retry(patient()).max_turns(6)
}

fn program(request: &Request) -> String {
    let is_clerk = request.messages.iter().any(|message| message.content().contains("Pay 1"));
    let text = match (is_clerk, request.turn) {
        (true, 1) => "(def paid (first (pmap safely [data/id (+ 100 data/id)])))",
        (true, _) => "(return (+ paid (tool/reserve {:id data/id})))",
        (false, 1) => "(def own (safely 7))",
        (false, 2) => "(def held (pmap (fn [id] (tool/reserve {:id id})) (range 1 5)))",
        (false, 3) => "(def theirs (pmap (fn [id] (if (< id 10) (safely id) (tool/clerk {:id id}))) [10 8 11 12 9]))",
        (false, _) => "(return [own held theirs (rand-int 1000)])",
    };
    format!("{SAFELY} {text}")
}

fn options() -> RunOptions {
    let answer = |request: &Request| match request.attempt {
        1 if request.turn == 2 => Err(LlmError::from_status(429, "slow down")),
        _ => Ok(Reply::text(program(request).as_str())),
    };
    RunOptions::new().llm(Arc::new(llm_fn("model", answer)))
}

/// The programs of all turns.
fn programs(step: &Json) -> Vec<Json> {
    step["turns"].as_array().expect("turns").iter().map(|turn| turn["program"].clone()).collect()
}

/// Value and programs of the mission in one process that is not killed.
async fn undisturbed() -> (Json, Vec<Json>) {
    static KNOWN: OnceCell<(Json, Vec<Json>)> = OnceCell::const_new();
    KNOWN.get_or_init(undisturbed_once).await.clone()
}

async fn undisturbed_once() -> (Json, Vec<Json>) {
    let agent = boss(&Effects::default()).build().expect("an agent");
    let step = agent.run_with(Context::default(), options().run_id("boss/k").seed(7)).await.expect("a run");
    let shown = StepJson::new(&step, ValueForm::Plain).to_json();
    (shown["return"].clone(), programs(&shown))
}

async fn disturbed(version: u16, seed: u64, times: usize, one_in: u64) -> Result<(), TestCaseError> {
    let (world, effects) = (World::new(), Effects::default());
    let agent = boss(&effects).build().expect("an agent");
    let mission = Mission { name: "boss".to_owned(), agent, data: Default::default(), options: options() };
    let engine = world.engine([mission.clone()]).await;
    // A worker that lives is not counted as lost, however often it is left.
    let mut workers = Vec::new();
    for _ in 0..3 {
        workers.push(world.serve(world.worker([mission.clone()])).await);
    }
    engine.use_workers(workers);
    engine.speak(version);
    engine.chaos(seed, times, one_in);
    let number = engine.submit("boss", "k", json!({"seed": 7}));
    let outcome = engine.outcome(number).await;
    let (value, turns) = undisturbed().await;
    prop_assert_eq!(&outcome.fail, &None);
    prop_assert_eq!(inline(&outcome.value), &value);
    prop_assert_eq!(programs(&step_of(&outcome)), turns);
    prop_assert_eq!(engine.look(number, |mission| mission.errors.clone()), []);
    let once: Vec<(i64, usize)> = [7, 8, 9, 10, 11, 12, 110, 111, 112].map(|id| (id, 1)).into();
    prop_assert_eq!(effects.of("pay"), once);
    let reserved: Vec<i64> = effects.of("reserve").iter().map(|(id, _)| *id).collect();
    prop_assert_eq!(reserved, [1, 2, 3, 4, 10, 11, 12]);
    if times == 0 {
        prop_assert!(effects.of("reserve").iter().all(|(_, count)| *count == 1));
    }
    Ok(())
}

/// Cancelled once its journal is so long.
async fn cancelled(version: u16, seed: u64, entries: usize) -> Result<(), TestCaseError> {
    let (world, effects) = (World::new(), Effects::default());
    let agent = boss(&effects).build().expect("an agent");
    let mission = Mission { name: "boss".to_owned(), agent, data: Default::default(), options: options() };
    let engine = world.engine([mission]).await;
    engine.speak(version);
    engine.chaos(seed, 10, 20);
    let number = engine.submit("boss", "k", json!({"seed": 7}));
    let reached = |tables: &mut Tables| {
        let mission = &tables.invocations[number];
        (mission.journal.len() >= entries || mission.ended.is_some()).then_some(())
    };
    engine.until("a long journal", reached).await;
    engine.call("boss", "k", "cancel", json!({})).await.expect("it has begun");
    let fail = engine.outcome(number).await.fail.map(|fail| fail.reason);
    prop_assert!(matches!(fail, None | Some(FailReason::Cancelled)), "{:?}", fail);
    prop_assert_eq!(engine.look(number, |mission| mission.errors.clone()), []);
    prop_assert!(effects.of("pay").iter().all(|(_, count)| *count == 1));
    Ok(())
}

/// Clerks with answers of all sizes, from a slow store.
async fn slowly_read(version: u16, seed: u64, times: usize) -> Result<(), TestCaseError> {
    let (world, effects) = (World::new(), Effects::default());
    let load = |item: Item| {
        let size = if item.id % 2 == 0 { INLINE_BYTES } else { 1 };
        Ok::<_, ToolError>("x".repeat(size))
    };
    let clerk = Agent::builder("Load {{id}}").tool(FnTool::new("load", "Loads", load)).tool(effects.tool("pay"));
    let clerk = clerk.tool(effects.is_paid()).max_turns(4);
    let agent = Agent::builder("Work").tool(as_tool(clerk, "clerk")).max_turns(2).build().expect("an agent");
    let program = |request: &Request| {
        let is_clerk = request.messages.iter().any(|message| message.content().contains("Load 1"));
        match (is_clerk, request.turn) {
            (true, 1) => "(def size (count (try (tool/load {:id data/id}) (catch Exception e \"\"))))".to_owned(),
            (true, 2) => format!("{SAFELY} (def paid (safely data/id))"),
            (true, _) => "(return paid)".to_owned(),
            (false, _) => "(return (pmap (fn [id] (tool/clerk {:id id})) [10 11 12 13]))".to_owned(),
        }
    };
    let store = Arc::new(Slow { blobs: world.blobs(), random: Mutex::new(SplitMix64::new(seed)) });
    let worker = Worker::new("1", store).mission(mission("m", agent, program)).expect("a mission");
    let engine = Engine::new(world.serve(worker.suspend_after(Duration::from_millis(1))).await);
    engine.speak(version);
    engine.chaos(seed, times, 12);
    let number = engine.submit("m", "k", json!({}));
    let outcome = engine.outcome(number).await;
    prop_assert_eq!((outcome.fail, inline(&outcome.value)), (None, &json!([20, 22, 24, 26])));
    prop_assert_eq!(engine.look(number, |mission| mission.errors.clone()), []);
    prop_assert_eq!(effects.of("pay"), [(10, 1), (11, 1), (12, 1), (13, 1)]);
    Ok(())
}

/// A store that answers a little later, after varying times.
struct Slow {
    blobs: Arc<dyn BlobStore>,
    random: Mutex<SplitMix64>,
}

impl Slow {
    fn pause(&self) -> tokio::time::Sleep {
        let millis = self.random.lock().expect("a number").next_u64() % 4;
        tokio::time::sleep(Duration::from_millis(millis))
    }
}

impl BlobStore for Slow {
    fn put(&self, bytes: Vec<u8>) -> BoxFuture<'_, Result<Blob, BlobError>> {
        Box::pin(self.pause().then(|()| self.blobs.put(bytes)))
    }

    fn get<'a>(&'a self, blob: &'a Blob) -> BoxFuture<'a, Result<Vec<u8>, BlobError>> {
        Box::pin(self.pause().then(|()| self.blobs.get(blob)))
    }
}

proptest! {
    #![proptest_config(cases(6))]
    #[test]
    fn the_same_comes_of_a_mission_that_is_killed_anywhere(
        version in 6_u16..8, seed in any::<u64>(), times in 0_usize..40, one_in in 2_u64..40,
    ) {
        run(disturbed(version, seed, times, one_in))?;
    }

    #[test]
    fn a_family_is_cancelled_anywhere(version in 6_u16..8, seed in any::<u64>(), entries in 4_usize..110) {
        run(cancelled(version, seed, entries))?;
    }

    #[test]
    fn how_long_a_store_takes_decides_nothing(version in 6_u16..8, seed in any::<u64>(), times in 0_usize..20) {
        run(slowly_read(version, seed, times))?;
    }
}
