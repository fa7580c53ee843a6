//! Missions that are cancelled, come too late, or are resumed by a worker with a different mission.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use insta::assert_snapshot;
use proptest::prelude::*;
use ptc_agent::{Agent, AgentBuilder, LlmRetry, RunOptions};
use ptc_chat::{LlmError, Reply, Request, llm_fn};
use ptc_durable::{Mission, MissionState, Outcome};
use ptc_transcript::{FailReason, RunUsage};
use serde_json::json;

use crate::engine::{Engine, Tables};
use crate::world::*;

const HOUR: Duration = Duration::from_secs(3_600);

fn failed(outcome: &Outcome) -> String {
    let fail = outcome.fail.as_ref().expect("a failure");
    format!("{}: {}", fail.reason.as_str(), fail.message)
}

/// Tools that the mission called, and the outcomes of the calls.
fn calls(outcome: &Outcome) -> String {
    let step = step_of(outcome);
    let turns = step["turns"].as_array().expect("turns").iter();
    let calls = turns.flat_map(|turn| turn["tool_calls"].as_array().cloned().unwrap_or_default());
    let calls = calls.map(|call| match &call["error"] {
        error if error.is_null() => format!("{}: {}", call["name"], call["result"]),
        error => format!("{}: {error}", call["name"]),
    });
    calls.collect::<Vec<_>>().join("\n")
}

/// Cancel it and return its outcome.
async fn cancelled(engine: &Engine, number: usize) -> Outcome {
    assert_eq!(engine.call("m", "k", "cancel", json!({})).await, Ok(json!({"cancelled": true})));
    let outcome = engine.outcome(number).await;
    assert_eq!(outcome.fail.as_ref().map(|fail| fail.reason.clone()), Some(FailReason::Cancelled));
    let status = engine.status("m", "k").await;
    assert_eq!((status.state, status.waiting, status.ending), (MissionState::Ended, vec![], Some(outcome.ending)));
    assert_eq!(engine.look(number, |mission| mission.errors.clone()), []);
    outcome
}

#[tokio::test]
async fn a_mission_is_cancelled_while_it_calls() {
    let (world, gate) = (World::new(), Gate::default());
    let agent = Agent::builder("Work").tool(gate.tool("slow")).build().expect("an agent");
    let engine = world.engine([mission("m", agent, |_| "(return (tool/slow {:id 1}))".to_owned())]).await;
    let number = engine.submit("m", "k", json!({}));
    gate.reached().await;
    assert_eq!(engine.status("m", "k").await.state, MissionState::Running);
    assert_snapshot!(calls(&cancelled(&engine, number).await), @r#""slow": "the run was cancelled before it answered""#);
}

#[tokio::test]
async fn a_mission_is_cancelled_while_it_waits_without_a_worker() {
    let (world, effects) = (World::new(), Effects::default());
    let agent = Agent::builder("Work").tool(effects.tool("pay").approve()).build().expect("an agent");
    let engine = world.engine([mission("m", agent, |_| "(return (tool/pay {:id 1}))".to_owned())]).await;
    let number = engine.submit("m", "k", json!({}));
    engine.suspended(number).await;
    assert_eq!(engine.status("m", "k").await.state, MissionState::Waiting);
    assert_snapshot!(calls(&cancelled(&engine, number).await), @r#""pay": "the run was cancelled before it answered""#);
    assert_eq!(effects.of("pay"), []);
}

#[tokio::test]
async fn a_mission_is_cancelled_while_it_pauses() {
    let world = World::new();
    let mut retry = LlmRetry { max_attempts: 2, ..LlmRetry::default() };
    retry.base_delay = HOUR;
    let agent = Agent::builder("Work").llm_retry(retry).build().expect("an agent");
    let answer = |_: &Request| Err::<Reply, _>(LlmError::from_status(429, "slow down"));
    let options = RunOptions::new().llm(Arc::new(llm_fn("model", answer)));
    let mission = Mission { name: "m".to_owned(), agent, data: Default::default(), options };
    let engine = world.engine([mission]).await;
    let number = engine.submit("m", "k", json!({}));
    engine.suspended(number).await;
    cancelled(&engine, number).await;
}

#[tokio::test]
async fn a_mission_is_cancelled_before_a_worker_has_begun_it() {
    let world = World::new();
    let agent = Agent::builder("Work").build().expect("an agent");
    let engine = world.engine([mission("m", agent, |_| "(return 1)".to_owned())]).await;
    assert_eq!(engine.status("m", "k").await.state, MissionState::Submitted);
    assert_eq!(engine.call("m", "k", "cancel", json!({})).await, Ok(json!({"cancelled": true})));
    let number = engine.submit("m", "k", json!({}));
    let outcome = engine.outcome(number).await;
    assert_eq!(outcome.fail.map(|fail| fail.reason), Some(FailReason::Cancelled));
    assert_eq!(outcome.usage.turns, 0);
}

#[tokio::test]
async fn what_nobody_decides_until_the_deadline_is_denied() {
    let (world, effects) = (World::new(), Effects::default());
    let agent = Agent::builder("Work").tool(effects.tool("pay").approve()).mission_timeout(HOUR);
    let agent = agent.build().expect("an agent");
    let engine = world.engine([mission("m", agent, |_| "(return (tool/pay {:id 1}))".to_owned())]).await;
    let number = engine.submit("m", "k", json!({}));
    engine.suspended(number).await;
    let status = engine.status("m", "k").await;
    let until = status.waiting[0].until_us.expect("a deadline");
    assert_eq!(until - status.began_us.expect("a time"), 3_600_000_000);
    engine.pass_time(number);
    let outcome = engine.outcome(number).await;
    assert_snapshot!(failed(&outcome), @"mission_timeout: the mission deadline has passed");
    assert_snapshot!(calls(&outcome), @r#""pay": "it was not allowed: the mission deadline has passed""#);
    assert_eq!(effects.of("pay"), []);
}

#[tokio::test]
async fn the_deadline_of_a_mission_holds_for_the_agents_that_it_calls() {
    let (world, effects) = (World::new(), Effects::default());
    let clerk = Agent::builder("Pay {{id}}").tool(effects.tool("pay").approve()).max_turns(1);
    let boss = Agent::builder("Work").tool(as_tool(clerk, "clerk")).mission_timeout(HOUR).max_turns(2);
    let program = |request: &Request| match request.messages[0].content().contains("Pay 1") {
        true => "(return (tool/pay {:id data/id}))".to_owned(),
        false => "(return (pmap (fn [id] (tool/clerk {:id id})) [10 11]))".to_owned(),
    };
    let engine = world.engine([mission("m", boss.build().expect("an agent"), program)]).await;
    let number = engine.submit("m", "k", json!({}));
    engine.suspended(number).await;
    let status = engine.status("m", "k").await;
    let until: Vec<i64> = status.waiting.iter().filter_map(|it| it.until_us).collect();
    let began = status.began_us.expect("a time");
    assert_eq!(until.len(), 2);
    assert!(until.iter().all(|until| *until > began && *until <= began + 3_600_000_000), "{until:?} {began}");
    engine.pass_time(number);
    let outcome = engine.outcome(number).await;
    assert_snapshot!(failed(&outcome), @"mission_timeout: the mission deadline has passed");
    assert_eq!(effects.of("pay"), []);
}

/// An agent with a turn that reserves and one that pays.
fn payer(effects: &Effects, text: &str) -> AgentBuilder {
    Agent::builder(text).tool(effects.tool("reserve")).tool(effects.tool("pay").approve())
}

fn pays(request: &Request) -> String {
    let text = match request.turn {
        1 => "(def held (tool/reserve {:id 3}))",
        2 => "(def paid (tool/pay {:id 1}))",
        _ => "(return [held paid])",
    };
    text.to_owned()
}

/// What is reported about the payer when its mission has changed before it pays.
const DONE: &str = "\"reserve\": 6\n\"pay\": \"the run diverged from its record before it answered\"";

/// Suspended by one worker, decided, and driven by one with another text.
async fn changed(version: u16, seed: u64, times: usize) -> (Outcome, Engine, usize, Effects) {
    let (world, effects) = (World::new(), Effects::default());
    let agent = |text: &str| payer(&effects, text).build().expect("an agent");
    let engine = world.engine([mission("m", agent("Work"), pays)]).await;
    engine.speak(version);
    let number = engine.submit("m", "k", json!({}));
    engine.suspended(number).await;
    let worker = world.worker_of("2", [mission("m", agent("Work more"), pays)]);
    engine.use_worker(world.serve(worker).await);
    engine.chaos(seed, times, 4);
    let call = json!({"call": "m/k/2/1", "decision": "approve"});
    engine.call("m", "k", "approve", call).await.expect("a decision");
    let outcome = engine.outcome(number).await;
    let status = engine.status("m", "k").await;
    // What was started and given up is a turn, too.
    assert_eq!((status.state, status.waiting, status.turns.len()), (MissionState::Ended, vec![], 2));
    (outcome, engine, number, effects)
}

#[tokio::test]
async fn a_mission_whose_agent_has_changed_ends_with_what_it_had_done() {
    let (outcome, engine, number, effects) = changed(6, 0, 0).await;
    assert_snapshot!(failed(&outcome), @"journal_error: the journal belongs to another mission: its mission text differs (fingerprints 97055c75dd89977c and af7169fdd3800fe1); resume with the mission as it was, or start a new journal (it started with workers of version 1, this one has 2)");
    // The outcome of what was allowed and is not on record is unknown.
    assert_eq!(calls(&outcome), DONE);
    assert_eq!((effects.of("reserve"), effects.of("pay")), (vec![(3, 1)], vec![]));
    assert_eq!(engine.look(number, |mission| (mission.errors.clone(), mission.drives)), (vec![], 2));
}

proptest! {
    #![proptest_config(cases(10))]
    #[test]
    fn a_mission_is_cancelled_anywhere(version in 6_u16..8, seed in any::<u64>(), entries in 3_usize..40, one_in in 3_u64..40) {
        run(async {
            let (world, effects) = (World::new(), Effects::default());
            let agent = payer(&effects, "Work").build().expect("an agent");
            let engine = world.engine([mission("m", agent, pays)]).await;
            engine.speak(version);
    engine.chaos(seed, 10, one_in);
            let number = engine.submit("m", "k", json!({}));
            let reached = |tables: &mut Tables| {
                let mission = &tables.invocations[number];
                (mission.journal.len() >= entries || mission.suspended).then_some(())
            };
            engine.until("a long journal", reached).await;
            let _ = engine.call("m", "k", "cancel", json!({})).await;
            engine.until("its end or its wait", |tables| {
                let mission = &tables.invocations[number];
                (mission.ended.is_some() || mission.suspended).then_some(())
            }).await;
            engine.call("m", "k", "cancel", json!({})).await.expect("it has begun");
            let outcome = engine.outcome(number).await;
            prop_assert_eq!(outcome.fail.map(|fail| fail.reason), Some(FailReason::Cancelled));
            prop_assert_eq!(engine.look(number, |mission| mission.errors.clone()), []);
            prop_assert!(effects.of("reserve").iter().all(|(_, count)| *count == 1));
            prop_assert_eq!(effects.of("pay"), []);
            Ok(())
        })?;
    }

    #[test]
    fn a_mission_whose_agent_has_changed_ends_whatever_is_lost(
        version in 6_u16..8, seed in any::<u64>(), times in 0_usize..9,
    ) {
        run(async {
            let (outcome, engine, number, effects) = changed(version, seed, times).await;
            prop_assert_eq!(outcome.fail.as_ref().map(|fail| fail.reason.clone()), Some(FailReason::JournalError));
            prop_assert_eq!(calls(&outcome), DONE);
            prop_assert_eq!(engine.look(number, |mission| mission.errors.clone()), []);
            prop_assert_eq!(effects.of("pay"), []);
            Ok(())
        })?;
    }
}

/// Suspended by one worker, decided, and driven by another one.
async fn taken_over(version: u16, first: Mission, second: Mission) -> (World, Engine, usize) {
    let world = World::new();
    let engine = world.engine([first]).await;
    engine.speak(version);
    let number = engine.submit("m", "k", json!({"data": {"id": 7}}));
    engine.until("it waits", |tables| tables.invocations[number].waits_for(1).then_some(())).await;
    engine.use_worker(world.serve(world.worker([second])).await);
    let answer = json!({"call": "m/k/2/1", "decision": "approve"});
    engine.call("m", "k", "approve", answer).await.expect("a decision");
    (world, engine, number)
}

#[tokio::test]
async fn a_mission_that_ends_before_its_record_does_says_so() {
    for version in [6, 7] {
        let effects = Effects::default();
        let mission = |most: u64| {
            let mut mission = mission("m", payer(&effects, "Work").build().expect("an agent"), pays);
            mission.options = mission.options.budget(move |usage: &RunUsage| match usage.llm_requests {
                Some(requests) if requests > most => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            });
            mission
        };
        let (_world, engine, number) = taken_over(version, mission(9), mission(0)).await;
        let outcome = engine.outcome(number).await;
        assert_eq!(outcome.fail.as_ref().map(|fail| fail.reason.clone()), Some(FailReason::JournalError));
        assert!(failed(&outcome).contains("ran and recorded the following: 'run'"), "{}", failed(&outcome));
        let status = engine.status("m", "k").await;
        assert_eq!((status.state, status.reason), (MissionState::Ended, Some(FailReason::JournalError)));
        assert_eq!(engine.look(number, |mission| mission.errors.clone()), []);
        assert_eq!(effects.of("pay"), []);
    }
}

#[tokio::test]
async fn a_mission_whose_data_does_not_fit_the_next_worker_ends() {
    let effects = Effects::default();
    let mission = |signature: &str| {
        let agent = payer(&effects, "Work").signature(signature).build().expect("an agent");
        mission("m", agent, pays)
    };
    let (_world, engine, number) = taken_over(6, mission("(id :int) -> :any"), mission("(name :string) -> :any")).await;
    let (code, text) = engine.ended(number).await.expect_err("it cannot go on");
    assert_eq!(code, 570);
    assert!(text.starts_with("the context does not fit the signature: "), "{text}");
    assert_eq!(engine.status("m", "k").await.state, MissionState::Ended);
    assert_eq!(effects.of("pay"), []);
}
