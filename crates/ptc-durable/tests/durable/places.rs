//! Workers with few slots, and missions with neighbours.

use ptc_agent::Agent;
use ptc_chat::Request;
use ptc_durable::{Mission, MissionState};
use serde_json::json;

use crate::engine::Engine;
use crate::world::*;

/// A mission that waits for a decision, and one that hangs.
fn missions(effects: &Effects, gate: &Gate) -> [Mission; 2] {
    let waits = Agent::builder("Work").tool(effects.tool("pay").approve()).build().expect("an agent");
    let stands = Agent::builder("Work").tool(gate.tool("slow")).build().expect("an agent");
    let pays = |_: &Request| "(return (tool/pay {:id 1}))".to_owned();
    [mission("waits", waits, pays), mission("stands", stands, |_| "(return (tool/slow {:id 1}))".to_owned())]
}

#[tokio::test]
async fn a_mission_that_waits_leaves_its_place_and_one_that_works_keeps_it() {
    let (world, effects, gate) = (World::new(), Effects::default(), Gate::default());
    let worker = world.worker(missions(&effects, &gate)).at_once(1);
    let engine = Engine::new(world.serve(worker).await);
    let first = engine.submit("waits", "a", json!({}));
    engine.suspended(first).await;
    let works = engine.submit("stands", "b", json!({}));
    gate.reached().await;
    let second = engine.submit("waits", "c", json!({}));
    let id = engine.status("waits", "a").await.waiting[0].id.clone();
    engine.call("waits", "a", "approve", json!({"call": id, "decision": "approve"})).await.expect("a decision");
    // Status requests are answered when there is no free slot, and nothing else is.
    assert_eq!(engine.status("waits", "c").await.state, MissionState::Submitted);
    assert_eq!(effects.of("pay"), []);
    engine.call("stands", "b", "cancel", json!({})).await.expect("it stands");
    engine.outcome(works).await;
    assert_eq!(inline(&engine.outcome(first).await.value), &json!(2));
    engine.suspended(second).await;
    assert_eq!(effects.of("pay"), [(1, 1)]);
}
