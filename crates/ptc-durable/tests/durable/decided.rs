//! People decide while missions wait, without a worker.

use ptc_agent::{Agent, AgentBuilder};
use ptc_chat::Request;
use ptc_durable::MissionState;
use serde_json::{Value as Json, json};

use crate::engine::Engine;
use crate::world::*;

/// An agent whose clerks pay, each after somebody has agreed.
fn boss(effects: &Effects) -> AgentBuilder {
    let clerk = Agent::builder("Pay {{id}}").tool(effects.tool("pay").approve()).tool(effects.tool("reserve"));
    Agent::builder("Pay all").tool(as_tool(clerk, "clerk")).max_turns(4)
}

fn program(request: &Request) -> String {
    let is_clerk = request.messages.iter().any(|message| message.content().contains("Pay 1"));
    let text = match (is_clerk, request.turn) {
        (true, 1) => "(def held (tool/reserve {:id data/id}))",
        (true, _) => "(return (try (tool/pay {:id data/id}) (catch Exception e -1)))",
        (false, 1) => "(def theirs (pmap (fn [id] (tool/clerk {:id id})) [10 11 12]))",
        (false, _) => "(return theirs)",
    };
    text.to_owned()
}

async fn begun(world: &World, effects: &Effects) -> (Engine, usize) {
    let agent = boss(effects).build().expect("an agent");
    let engine = world.engine([mission("boss", agent, program)]).await;
    let number = engine.submit("boss", "k", json!({}));
    (engine, number)
}

#[tokio::test]
async fn calls_of_agents_at_once_are_approved_denied_and_edited_after_a_suspension() {
    let (world, effects) = (World::new(), Effects::default());
    let (engine, number) = begun(&world, &effects).await;
    engine.suspended(number).await;
    let status = engine.status("boss", "k").await;
    assert_eq!(status.state, MissionState::Waiting);
    let shown: Vec<Json> = status.waiting.iter().map(|it| json!([it.id, it.path, it.tool, it.args])).collect();
    insta::assert_snapshot!(Json::from(shown), @r#"[["boss/k/1/1/2/1",["clerk"],"pay",{"id":10}],["boss/k/1/2/2/1",["clerk"],"pay",{"id":11}],["boss/k/1/3/2/1",["clerk"],"pay",{"id":12}]]"#);
    assert_eq!(effects.of("pay"), []);
    let ids: Vec<String> = status.waiting.iter().map(|it| it.id.clone()).collect();
    for (id, decision) in ids.iter().rev().zip([json!("approve"), json!({"deny": "no"}), json!({"edit": {"id": 20}})]) {
        engine.suspended(number).await;
        let answer = engine.call("boss", "k", "approve", json!({"call": id, "decision": decision})).await;
        assert_eq!(answer, Ok(json!({"id": id, "decided": true})));
    }
    let outcome = engine.outcome(number).await;
    assert_eq!((outcome.fail, inline(&outcome.value)), (None, &json!([40, -1, 24])));
    assert_eq!(effects.of("pay"), [(12, 1), (20, 1)]);
    assert_eq!(effects.of("reserve"), [(10, 1), (11, 1), (12, 1)]);
    let status = engine.status("boss", "k").await;
    assert_eq!((status.state, status.waiting, status.turns.len()), (MissionState::Ended, vec![], 2));
}

#[tokio::test]
async fn what_cannot_be_decided_is_told() {
    let (world, effects) = (World::new(), Effects::default());
    let (engine, number) = begun(&world, &effects).await;
    engine.suspended(number).await;
    let answer = async |call: Json| {
        engine.call("boss", "k", "approve", call).await.map_err(|(code, text)| format!("{code} {text}"))
    };
    let others = answer(json!({"call": "boss/k/9/9", "decision": "approve"})).await;
    insta::assert_snapshot!(others.expect_err("nothing of that id"), @"404 'boss/k/9/9' does not wait for a decision; what waits is boss/k/1/1/2/1, boss/k/1/2/2/1, boss/k/1/3/2/1");
    let wrong = answer(json!({"call": "boss/k/9/9", "decision": "yes"})).await;
    insta::assert_snapshot!(wrong.expect_err("no decision"), @r#"400 this is no decision: unknown variant `yes`, expected one of `approve`, `deny`, `edit` at line 1 column 37; write {"call": ID, "decision": "approve"}, or {"deny": "why"} or {"edit": {…}} as the decision"#);
}
