//! Missions in separate processes, one of which ends its processes.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use ptc_agent::Agent;
use ptc_chat::Request;
use ptc_durable::{FolderBlobs, HandedInvocation, Mission, Worker};
use ptc_transcript::{Event, EventKind, FailReason, Observer};
use serde_json::json;

use crate::engine::Engine;
use crate::world::*;

/// Where the process of a mission finds the blobs.
const BLOBS: &str = "PTC_TEST_BLOBS";

/// Ends the process once a second program has run.
struct Ends;

impl Observer for Ends {
    fn on_event(&self, event: &Event) {
        if let EventKind::TurnStop { record: Some(turn), .. } = &event.kind
            && turn.number() == 2
            && turn.error_reason() != Some(FailReason::Poisoned)
        {
            std::process::abort();
        }
    }
}

fn missions(effects: &Effects) -> [Mission; 2] {
    let agent = || Agent::builder("Work").tool(effects.tool("pay")).max_turns(3).build().expect("an agent");
    let program = |request: &Request| match request.turn {
        1 => "(def paid (tool/pay {:id 1}))".to_owned(),
        _ => "(return paid)".to_owned(),
    };
    let mut ends = mission("ends", agent(), program);
    ends.options.observers.push(Arc::new(Ends));
    [mission("fine", agent(), program), ends]
}

fn worker(blobs: &Path) -> Worker {
    let worker = Worker::new("1", Arc::new(FolderBlobs::open(blobs).expect("blobs")));
    missions(&Effects::default())
        .into_iter()
        .fold(worker, |worker, mission| worker.mission(mission).expect("a mission"))
}

/// The process of a mission, which the test below starts.
#[tokio::test]
#[ignore = "not a test: it is started by one"]
async fn the_process_of_a_mission() {
    let blobs = std::env::var_os(BLOBS).expect("a folder");
    let handed = HandedInvocation::receive().await.expect("an invocation");
    assert_eq!(handed.version(), "1");
    worker(Path::new(&blobs)).drive(handed).await.expect("an end in order");
}

#[tokio::test]
async fn a_mission_that_ends_its_processes_ends_no_other_one() {
    let (world, folder) = (World::new(), tempfile::tempdir().expect("a folder"));
    let blobs = folder.path().to_owned();
    let worker = worker(folder.path()).isolate(move || {
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        command.args(["--exact", "isolated::the_process_of_a_mission", "--ignored"]).env(BLOBS, &blobs);
        command
    });
    let engine = Engine::new(world.serve(worker).await);
    let ends = engine.submit("ends", "k", json!({}));
    let fine: Vec<usize> = (0..4).map(|key| engine.submit("fine", &key.to_string(), json!({}))).collect();
    let outcome = engine.outcome(ends).await;
    assert_eq!(outcome.fail.map(|fail| fail.reason), Some(FailReason::Poisoned));
    assert_eq!(engine.look(ends, |mission| mission.drives), 5);
    for number in fine {
        let outcome = engine.outcome(number).await;
        assert_eq!((outcome.fail, inline(&outcome.value)), (None, &json!(2)));
        assert_eq!(engine.look(number, |mission| mission.drives), 1);
    }
}
