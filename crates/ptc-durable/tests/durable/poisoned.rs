//! Missions whose programs end their workers.

use ptc_agent::Agent;
use ptc_chat::Request;
use ptc_durable::{Mission, MissionState, Outcome};
use ptc_transcript::FailReason;
use serde_json::json;

use crate::engine::{Engine, Tables};
use crate::frames::{Run, ty};
use crate::world::*;

/// A mission that pays, and whose second program never ends: the tests kill its workers meanwhile.
fn poison(effects: &Effects) -> Mission {
    let agent = Agent::builder("Work").tool(effects.tool("pay")).max_turns(3).build().expect("an agent");
    let mut mission = mission("m", agent, |request: &Request| match request.turn {
        1 => "(def paid (tool/pay {:id 1}))".to_owned(),
        _ => "(loop [] (recur))".to_owned(),
    });
    // Many, so that the test sees what is on record long before the fuel is used up.
    mission.options = mission.options.slice(100);
    mission
}

/// How many steps whose name ends so are on record, with their results.
fn done(tables: &Tables, number: usize, end: &str) -> usize {
    let mission = &tables.invocations[number];
    let steps = mission.commands::<Run>(ty::RUN);
    let ended = |step: &&Run| step.name.contains(end) && mission.completes(step.completion);
    steps.iter().filter(ended).count()
}

async fn until_done(engine: &Engine, number: usize, end: &str, times: usize) {
    engine.until(end, |tables| (done(tables, number, end) == times).then_some(())).await;
}

/// Killed in its second program, this many times.
async fn killed(world: &World, effects: &Effects, times: usize) -> (Engine, usize) {
    let engine = world.engine([poison(effects)]).await;
    let number = engine.submit("m", "k", json!({}));
    until_done(&engine, number, "/2/ask/", 1).await;
    for start in 1..=times {
        engine.lose(number, world.serve(world.worker([poison(effects)])).await);
        if start < times {
            until_done(&engine, number, "/start/", start).await;
        }
    }
    (engine, number)
}

fn failed(outcome: &Outcome) -> (FailReason, usize) {
    let turns = step_of(outcome)["turns"].as_array().expect("turns").len();
    (outcome.fail.as_ref().expect("a failure").reason.clone(), turns)
}

#[tokio::test]
async fn a_mission_that_ends_its_workers_is_given_up_with_everything_it_had_done() {
    let (world, effects) = (World::new(), Effects::default());
    let (engine, number) = killed(&world, &effects, 4).await;
    let outcome = engine.outcome(number).await;
    assert_eq!(failed(&outcome), (FailReason::Poisoned, 2));
    insta::assert_snapshot!(outcome.fail.as_ref().expect("a failure").message, @"turn 2 was continued 3 times after its worker had ended, and each time the worker ended before the program did: the program may need more memory than workers have, or end them by a defect; read it in the step, then submit the mission again under another key");
    let turns = &step_of(&outcome)["turns"];
    assert_eq!(turns[0]["tool_calls"][0]["result"], json!(2));
    assert_eq!(turns[1]["program"], json!("(loop [] (recur))"));
    assert_eq!(effects.of("pay"), [(1, 1)]);
    let status = engine.status("m", "k").await;
    assert_eq!((status.state, status.reason, status.turns.len()), (MissionState::Ended, Some(FailReason::Poisoned), 2));
    assert_eq!(engine.look(number, |mission| mission.errors.clone()), []);
}

#[tokio::test]
async fn a_mission_that_ends_its_workers_is_cancelled_without_running_its_program() {
    let (world, effects) = (World::new(), Effects::default());
    let (engine, number) = killed(&world, &effects, 2).await;
    until_done(&engine, number, "/start/", 2).await;
    engine.call("m", "k", "cancel", json!({})).await.expect("it is asked to end");
    engine.lose(number, world.serve(world.worker([poison(&effects)])).await);
    let outcome = engine.outcome(number).await;
    assert_eq!(failed(&outcome).0, FailReason::Cancelled);
    assert_eq!(effects.of("pay"), [(1, 1)]);
}

#[tokio::test]
async fn a_connection_that_is_lost_is_not_a_worker_that_ended() {
    let (world, effects) = (World::new(), Effects::default());
    let worker = world.serve(world.worker([poison(&effects)])).await;
    let engine = Engine::new(worker);
    let number = engine.submit("m", "k", json!({}));
    until_done(&engine, number, "/2/ask/", 1).await;
    for drives in 2..8 {
        engine.lose(number, worker);
        engine.until("the next drive", |tables| (tables.invocations[number].drives == drives).then_some(())).await;
        until_done(&engine, number, "/start/", 1).await;
    }
    assert_eq!(engine.look(number, |mission| mission.ended.clone()), None);
}
