//! Limits are objects of the engine, which serve tenants in turn.

use proptest::prelude::*;
use ptc_agent::Agent;
use ptc_chat::Request;
use ptc_durable::{Limits, MissionState};
use ptc_transcript::FailReason;
use serde_json::{Value as Json, json};

use crate::engine::{Engine, Tables};
use crate::frames::{CompleteAwakeable, callback_of, ty};
use crate::world::*;

const DEBT: i64 = 1_000_000_000_000;

async fn limited(world: &World) -> Engine {
    let agent = Agent::builder("Work").build().expect("an agent");
    let mut limits = Limits::default();
    limits.add("model=1000,2_000_000_000").expect("a limit");
    let worker = world.worker([mission("m", agent, |_| "(return 1)".to_owned())]).limits(limits);
    Engine::new(world.serve(worker).await)
}

/// Submit this many missions of a tenant, and wait until all of them wait.
async fn submitted(engine: &Engine, tenant: &str, count: usize) -> Vec<usize> {
    let submit = |index: usize| engine.submit("m", &format!("{tenant}-{index}"), json!({"tenant": tenant}));
    let numbers: Vec<usize> = (0..count).map(submit).collect();
    for number in &numbers {
        engine.suspended(*number).await;
    }
    let asked = |tables: &mut Tables| {
        let asked = tables.invocations.iter().filter(|call| call.handler == "ask");
        let missions = tables.invocations.iter().filter(|call| call.handler == "run").count();
        (asked.filter(|call| call.ended.is_some()).count() == missions).then_some(())
    };
    engine.until("all of them in line", asked).await;
    numbers
}

/// The tenants of those that the last call let pass, in order.
fn served(tables: &Tables) -> Vec<String> {
    let tick = tables.invocations.last().expect("a tick");
    let told = tick.commands::<CompleteAwakeable>(ty::COMPLETE_AWAKEABLE).into_iter();
    let keys = told.map(|told| tables.invocations[callback_of(&told.id).0 as usize].key.clone());
    keys.map(|key| key.trim_end_matches(|c| c != '-').to_owned()).collect()
}

/// The service of limits of a worker with the mission `m`.
const LIMITS: &str = "ptc_limits_07a8a8995df9602e";

async fn limit(engine: &Engine, handler: &str, input: Json) {
    engine.call(LIMITS, "model", handler, input).await.expect("nothing");
}

/// This many tokens were used in addition to those that were asked for.
async fn owe(engine: &Engine, tokens: i64) {
    limit(engine, "spent", json!({"tokens": tokens, "rate": {"requests": 1000, "tokens": 2_000_000_000}})).await;
}

#[tokio::test]
async fn tenants_are_served_in_turn_however_much_one_wants() {
    let world = World::new();
    let engine = limited(&world).await;
    owe(&engine, DEBT).await;
    let mut missions = submitted(&engine, "flood", 8).await;
    missions.extend(submitted(&engine, "small", 3).await);
    assert!(missions.iter().all(|number| engine.look(*number, |mission| mission.ended.is_none())));
    owe(&engine, -DEBT).await;
    limit(&engine, "tick", json!(null)).await;
    let served = served(&engine.tables());
    insta::assert_snapshot!(served.concat(), @"flood-small-flood-small-flood-small-flood-flood-flood-flood-flood-");
    for number in missions {
        assert_eq!(inline(&engine.outcome(number).await.value), &json!(1));
    }
}

proptest! {
    #![proptest_config(cases(5))]
    #[test]
    fn everybody_passes_a_limit_once_whatever_is_lost(version in 6_u16..8, seed in any::<u64>(), waits in any::<bool>()) {
        run(async {
            let world = World::new();
            let engine = limited(&world).await;
            if waits {
                owe(&engine, DEBT).await;
            }
            engine.speak(version);
            engine.chaos(seed, 60, 8);
            let missions = match waits {
                true => [submitted(&engine, "a", 4).await, submitted(&engine, "b", 3).await].concat(),
                false => (0..7).map(|index| engine.submit("m", &index.to_string(), json!({}))).collect(),
            };
            if waits {
                owe(&engine, -DEBT).await;
                limit(&engine, "tick", json!(null)).await;
            }
            for number in missions {
                let outcome = engine.outcome(number).await;
                prop_assert_eq!(inline(&outcome.value), &json!(1));
                prop_assert_eq!(engine.look(number, |mission| mission.errors.clone()), []);
            }
            let tables = engine.tables();
            let told = tables.invocations.iter().flat_map(|it| it.commands::<CompleteAwakeable>(ty::COMPLETE_AWAKEABLE));
            prop_assert_eq!(told.count(), 7);
            Ok(())
        })?;
    }
}

#[tokio::test]
async fn a_mission_is_cancelled_while_it_waits_for_a_limit() {
    let world = World::new();
    let engine = limited(&world).await;
    owe(&engine, DEBT).await;
    let missions = submitted(&engine, "a", 2).await;
    assert_eq!(engine.status("m", "a-0").await.state, MissionState::Running);
    engine.call("m", "a-0", "cancel", json!({})).await.expect("it waits");
    let outcome = engine.outcome(missions[0]).await;
    assert_eq!(outcome.fail.map(|fail| fail.reason), Some(FailReason::Cancelled));
    // Its request passes, and the mission does not receive it.
    owe(&engine, -DEBT).await;
    limit(&engine, "tick", json!(null)).await;
    assert_eq!(inline(&engine.outcome(missions[1]).await.value), &json!(1));
}

#[tokio::test]
async fn a_mission_keeps_the_limits_that_it_began_with() {
    let program = |_: &Request| "(return (tool/pay {:id 1}))".to_owned();
    let mut limits = Limits::default();
    limits.add("model=1000").expect("a limit");
    for (version, limited_first) in [(6, true), (6, false), (7, true), (7, false)] {
        let (world, effects) = (World::new(), Effects::default());
        let agent = || Agent::builder("Work").tool(effects.tool("pay").approve()).build().expect("an agent");
        let with = world.worker([mission("m", agent(), program)]).limits(limits.clone());
        let without = world.worker([mission("m", agent(), program)]);
        let (first, second) = if limited_first { (with, without) } else { (without, with) };
        let engine = Engine::new(world.serve(first).await);
        engine.speak(version);
        let number = engine.submit("m", "k", json!({}));
        engine.until("it waits for a decision", |tables| tables.invocations[number].waits_for(1).then_some(())).await;
        engine.use_worker(world.serve(second).await);
        let answer = json!({"call": "m/k/1/1", "decision": "approve"});
        engine.call("m", "k", "approve", answer).await.expect("a decision");
        assert_eq!(inline(&engine.outcome(number).await.value), &json!(2));
        assert_eq!(engine.look(number, |mission| mission.errors.clone()), []);
        assert_eq!(effects.of("pay"), [(1, 1)]);
    }
}
