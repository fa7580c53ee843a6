//! Values too large for the record of an engine, and stores that are unavailable.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use ptc_agent::{Agent, FnTool, ToolError};
use ptc_chat::Request;
use ptc_durable::{BlobError, BlobStore, INLINE_BYTES, Mission, MissionState, Stored, load};
use ptc_lisp::BoxFuture;
use ptc_transcript::FailReason;
use serde_json::{Value as Json, json};

use crate::engine::Ended;
use crate::world::*;

/// A mission whose data, call and value are large.
fn large(effects: &Effects) -> Mission {
    let load = |effects: Effects, item: Item| async move {
        effects.note("load", item.id);
        Ok::<_, ToolError>("x".repeat(INLINE_BYTES + 1))
    };
    let agent = Agent::builder("Work").tool(FnTool::with_state("load", "Loads", effects.clone(), load)).max_turns(3);
    let program = |request: &Request| match request.turn {
        1 => "(def loaded (tool/load {:id 1}))".to_owned(),
        2 => "(def whole (str data/text loaded))".to_owned(),
        _ => "(return whole)".to_owned(),
    };
    mission("large", agent.build().expect("an agent"), program)
}

/// A submission whose data is in the blob store.
async fn submission(world: &World) -> Json {
    let data = json!({"text": "y".repeat(INLINE_BYTES)});
    let blob = world.blobs().put(data.to_string().into_bytes()).await.expect("a blob");
    json!({"stored_data": blob})
}

async fn assert_whole(world: &World, value: Stored) {
    assert!(matches!(value, Stored::Stored(_)));
    let value = load(world.blobs().as_ref(), value).await.expect("a blob");
    let text = value.as_str().expect("a text");
    assert_eq!(text.len(), 2 * INLINE_BYTES + 1);
    assert!(text.trim_start_matches('y').trim_end_matches('x').is_empty());
}

#[tokio::test]
async fn what_is_large_is_beside_the_record() {
    let (world, effects) = (World::new(), Effects::default());
    let engine = world.engine([large(&effects)]).await;
    let number = engine.submit("large", "k", submission(&world).await);
    let outcome = engine.outcome(number).await;
    assert_eq!(outcome.fail, None);
    assert_whole(&world, outcome.value).await;
    let largest = engine.look(number, |mission| mission.journal.iter().map(|frame| frame.body.len()).max());
    assert!(largest < Some(INLINE_BYTES), "{largest:?}");
}

/// A store that is unavailable for this many of its calls, after answering this many.
struct Away {
    blobs: Arc<dyn BlobStore>,
    answers: AtomicUsize,
    fails: AtomicUsize,
}

impl Away {
    fn is_away(&self) -> bool {
        let one_less =
            |left: &AtomicUsize| left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        one_less(&self.answers).is_err() && one_less(&self.fails).is_ok()
    }
}

impl BlobStore for Away {
    fn put(&self, bytes: Vec<u8>) -> BoxFuture<'_, Result<ptc_durable::Blob, BlobError>> {
        match self.is_away() {
            true => Box::pin(async { Err(away()) }),
            false => self.blobs.put(bytes),
        }
    }

    fn get<'a>(&'a self, blob: &'a ptc_durable::Blob) -> BoxFuture<'a, Result<Vec<u8>, BlobError>> {
        match self.is_away() {
            true => Box::pin(async { Err(away()) }),
            false => self.blobs.get(blob),
        }
    }
}

fn away() -> BlobError {
    BlobError::Remote { place: "s3://away".to_owned(), problem: "the store is away".to_owned() }
}

/// The mission resumes where it was once the store is back.
async fn goes_on(answers: usize) {
    let (world, effects) = (World::new(), Effects::default());
    let blobs = Away { blobs: world.blobs(), answers: answers.into(), fails: 3.into() };
    let worker = ptc_durable::Worker::new("1", Arc::new(blobs)).mission(large(&effects)).expect("a mission");
    let engine = crate::engine::Engine::new(world.serve(worker).await);
    let number = engine.submit("large", "k", submission(&world).await);
    let outcome = engine.outcome(number).await;
    assert_eq!(outcome.fail, None);
    assert_whole(&world, outcome.value).await;
    assert_eq!(effects.of("load"), [(1, 1)]);
    let errors = engine.look(number, |mission| mission.errors.clone());
    assert_eq!(errors.len(), 3, "{errors:?}");
    assert!(errors.iter().all(|(code, text)| *code == 500 && text.contains("the store is away")), "{errors:?}");
}

#[tokio::test]
async fn a_mission_is_put_off_while_its_data_is_away() {
    goes_on(0).await;
}

#[tokio::test]
async fn a_mission_is_put_off_while_its_record_is_away() {
    goes_on(2).await;
    goes_on(4).await;
}

#[tokio::test]
async fn a_result_waits_for_a_store_that_is_full() {
    let (world, effects) = (World::new(), Effects::default());
    let agent = large(&effects).agent;
    let mission = mission("m", agent, |_| "(return (count (tool/load {:id 1})))".to_owned());
    let blobs = Away { blobs: world.blobs(), answers: 0.into(), fails: 6.into() };
    let reports = Arc::new(Mutex::new(Vec::new()));
    let report = {
        let reports = Arc::clone(&reports);
        move |trouble: &str| reports.lock().expect("reports").push(trouble.to_owned())
    };
    let worker = ptc_durable::Worker::new("1", Arc::new(blobs)).mission(mission).expect("a mission");
    let engine = crate::engine::Engine::new(world.serve(worker.on_trouble(report)).await);
    let number = engine.submit("m", "k", json!({}));
    while reports.lock().expect("reports").is_empty() {
        tokio::task::yield_now().await;
    }
    let status = engine.status("m", "k").await;
    assert_eq!(status.state, MissionState::Running);
    assert!(status.trouble.is_some_and(|trouble| trouble.contains("the store is away")));
    let outcome = engine.outcome(number).await;
    assert_eq!((outcome.fail, inline(&outcome.value)), (None, &json!(INLINE_BYTES + 1)));
    assert_eq!((effects.of("load"), engine.look(number, |mission| mission.errors.clone())), (vec![(1, 1)], vec![]));
    assert_eq!(engine.status("m", "k").await.trouble, None);
    assert_eq!(reports.lock().expect("reports").last().map(String::as_str), Some("the blob store can be used again"));
}

#[tokio::test]
async fn a_mission_is_put_off_while_its_outcome_cannot_be_kept() {
    goes_on(5).await;
}

/// The outcome when all blobs are lost while it waits.
async fn without_blobs(submission: Json) -> Ended {
    let (world, effects) = (World::new(), Effects::default());
    let load = |item: Item| Ok::<_, ToolError>("x".repeat(INLINE_BYTES + usize::try_from(item.id).unwrap_or(0)));
    let agent = Agent::builder("Work").tool(FnTool::new("load", "Loads", load)).tool(effects.tool("pay").approve());
    let program = |request: &Request| match request.turn {
        1 => "(def loaded (count (tool/load {:id 1})))".to_owned(),
        _ => "(return (tool/pay {:id 1}))".to_owned(),
    };
    let agent = agent.max_turns(3).build().expect("an agent");
    let engine = world.engine([mission("m", agent, program)]).await;
    let number = engine.submit("m", "k", submission);
    engine.until("it waits", |tables| tables.invocations[number].waits_for(1).then_some(())).await;
    world.lose_blobs();
    engine.call("m", "k", "approve", json!({"call": "m/k/2/1", "decision": "approve"})).await.expect("a decision");
    let ended = engine.ended(number).await;
    let status = engine.status("m", "k").await;
    assert_eq!((status.state, status.reason), (MissionState::Ended, Some(FailReason::JournalError)));
    assert_eq!((effects.of("pay"), engine.look(number, |mission| mission.errors.clone())), (vec![], vec![]));
    ended
}

#[tokio::test]
async fn a_mission_whose_blobs_are_lost_ends() {
    let outcome = without_blobs(json!({})).await.expect("an outcome");
    let message = outcome["fail"]["message"].as_str().expect("a text");
    assert!(message.contains("does not have the blob"), "{message}");
    let (code, text) = without_blobs(json!({"data": {"text": "y".repeat(INLINE_BYTES)}})).await.expect_err("no data");
    assert!(code == 570 && text.contains("does not have the blob"), "{code} {text}");
}

#[tokio::test]
async fn data_that_is_not_there_is_refused() {
    let (world, effects) = (World::new(), Effects::default());
    let engine = world.engine([large(&effects)]).await;
    let number = engine.submit("large", "k", json!({"stored_data": {"blob": "0".repeat(64), "bytes": 1}}));
    let (code, text) = engine.ended(number).await.expect_err("no data");
    assert!(code == 400 && text.starts_with("the data of the submission: "), "{code} {text}");
    assert_eq!(engine.status("large", "k").await.state, MissionState::Ended);
}

/// A store with a defect.
struct Broken;

impl BlobStore for Broken {
    fn put(&self, _: Vec<u8>) -> BoxFuture<'_, Result<ptc_durable::Blob, BlobError>> {
        panic!("a store that cannot put")
    }

    fn get<'a>(&'a self, _: &'a ptc_durable::Blob) -> BoxFuture<'a, Result<Vec<u8>, BlobError>> {
        panic!("a store that cannot get")
    }
}

#[tokio::test]
async fn a_mission_whose_worker_has_a_defect_ends() {
    let (world, effects) = (World::new(), Effects::default());
    let worker = ptc_durable::Worker::new("1", Arc::new(Broken)).mission(large(&effects)).expect("a mission");
    let engine = crate::engine::Engine::new(world.serve(worker).await);
    let number = engine.submit("large", "k", submission(&world).await);
    let (code, text) = engine.ended(number).await.expect_err("a defect");
    assert_eq!((code, text.as_str()), (570, "a defect of the worker: it panicked: a store that cannot get"));
}
