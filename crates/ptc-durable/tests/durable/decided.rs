//! People decide while missions wait, without a worker.

use proptest::prelude::*;
use ptc_agent::{Agent, AgentBuilder, ApprovalScope, FnTool, ToolError};
use ptc_chat::Request;
use ptc_durable::MissionState;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::engine::Engine;
use crate::world::*;

/// An agent whose clerks pay, each after an approval.
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

/// The payment that a decision about this one allows.
fn allowed(id: i64, decision: &Json) -> Option<i64> {
    match decision {
        Json::String(_) => Some(id),
        edited => edited["edit"]["id"].as_i64(),
    }
}

proptest! {
    #![proptest_config(cases(8))]
    #[test]
    fn decisions_are_heard_once_whatever_is_lost(
        version in 6_u16..8, seed in any::<u64>(), one_in in 3_u64..30,
        kinds in prop::array::uniform3(0_usize..3), order in Just([0_usize, 1, 2]).prop_shuffle(),
    ) {
        run(async {
            let (world, effects) = (World::new(), Effects::default());
            let (engine, number) = begun(&world, &effects).await;
            engine.speak(version);
            engine.chaos(seed, 12, one_in);
            let decide = |(id, kind): (i64, usize)| match kind {
                0 => json!("approve"),
                1 => json!({"deny": "no"}),
                _ => json!({"edit": {"id": id + 10}}),
            };
            let decisions: Vec<Json> = (10..).zip(kinds).map(decide).collect();
            for place in order {
                let id = format!("boss/k/1/{}/2/1", place + 1);
                let answer = json!({"call": id, "decision": decisions[place]});
                // It does not wait yet.
                while engine.call("boss", "k", "approve", answer.clone()).await.is_err() {}
            }
            let outcome = engine.outcome(number).await;
            prop_assert_eq!(outcome.fail, None);
            prop_assert_eq!(engine.look(number, |mission| mission.errors.clone()), []);
            let paid: Vec<Option<i64>> = (10..).zip(&decisions).map(|(id, decision)| allowed(id, decision)).collect();
            prop_assert!(effects.of("pay").iter().all(|(id, count)| *count == 1 && paid.contains(&Some(*id))));
            for (answer, paid) in inline(&outcome.value).as_array().expect("answers").iter().zip(paid) {
                // A call that was in flight when its worker was lost has not worked.
                prop_assert!(*answer == json!(-1) || paid.is_some_and(|id| *answer == json!(id * 2)), "{}", answer);
            }
            Ok(())
        })?;
    }
}

#[tokio::test]
async fn the_first_of_two_decisions_counts() {
    let (world, effects) = (World::new(), Effects::default());
    let (engine, number) = begun(&world, &effects).await;
    engine.suspended(number).await;
    let id = engine.status("boss", "k").await.waiting[0].id.clone();
    let decide = |decision: Json| engine.call("boss", "k", "approve", json!({"call": id, "decision": decision}));
    let (yes, no) = tokio::join!(decide(json!("approve")), decide(json!({"deny": "no"})));
    let refused = [yes, no].into_iter().filter_map(Result::err).collect::<Vec<_>>();
    assert_eq!(refused, [(409, format!("'{id}' was decided before"))]);
}

#[tokio::test]
async fn what_was_decided_stays_decided_once_the_call_has_run() {
    let (world, effects) = (World::new(), Effects::default());
    let agent = Agent::builder("Work").tool(effects.tool("pay").approve()).max_turns(1).build().expect("an agent");
    let engine = world.engine([mission("m", agent, |_| "(return (tool/pay {:id 1}))".to_owned())]).await;
    let number = engine.submit("m", "k", json!({}));
    engine.suspended(number).await;
    let decide = |decision: Json| engine.call("m", "k", "approve", json!({"call": "m/k/1/1", "decision": decision}));
    decide(json!("approve")).await.expect("a decision");
    engine.outcome(number).await;
    assert_eq!(decide(json!({"deny": "no"})).await, Err((409, "'m/k/1/1' was decided before".to_owned())));
}

#[tokio::test]
async fn an_edit_that_does_not_fit_decides_nothing() {
    let (world, effects) = (World::new(), Effects::default());
    let (engine, number) = begun(&world, &effects).await;
    engine.suspended(number).await;
    let ids: Vec<String> = engine.status("boss", "k").await.waiting.iter().map(|it| it.id.clone()).collect();
    let edit = async |edited: Json| {
        let answer = json!({"call": ids[0], "decision": {"edit": edited}});
        let (code, text) = engine.call("boss", "k", "approve", answer).await.expect_err("it does not fit");
        format!("{code} {text}")
    };
    let told = [edit(json!({"id": "ten"})).await, edit(json!({"bogus": 1})).await, edit(json!("ten")).await];
    insta::assert_snapshot!(told.join("\n"), @r#"
    400 'boss/k/1/1/2/1' cannot be edited so: tool/pay [id]: cannot coerce string "ten" to integer; it takes (id :int), e.g. (tool/pay {:id ...}); nothing was decided, decide it again
    400 'boss/k/1/1/2/1' cannot be edited so: tool/pay missing required field "id"; it takes (id :int), e.g. (tool/pay {:id ...}); nothing was decided, decide it again
    400 'boss/k/1/1/2/1' cannot be edited so: arguments must be a map of names, got a string; nothing was decided, decide it again
    "#);
    for (id, decision) in ids.iter().zip([json!({"edit": {"id": 20}}), json!("approve"), json!("approve")]) {
        let answer = engine.call("boss", "k", "approve", json!({"call": id, "decision": decision})).await;
        assert_eq!(answer, Ok(json!({"id": id, "decided": true})));
    }
    assert_eq!(inline(&engine.outcome(number).await.value), &json!([40, 22, 24]));
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
    insta::assert_snapshot!(wrong.expect_err("no decision"), @r#"400 not a decision: unknown variant `yes`, expected one of `approve`, `deny`, `edit` at line 1 column 37; write {"call": ID, "decision": "approve"}, or {"deny": "why"} or {"edit": {…}} as the decision"#);
}

#[tokio::test]
async fn programs_are_decided_about_while_no_worker_has_them() {
    let (world, effects) = (World::new(), Effects::default());
    let agent = Agent::builder("Work").tool(effects.tool("pay")).max_turns(3).build().expect("an agent");
    let mut mission = mission("m", agent, |request| match request.turn {
        1 => "(tool/pay {:id 1})".to_owned(),
        _ => "(return (tool/pay {:id 2}))".to_owned(),
    });
    mission.options = mission.options.approval_scope(ApprovalScope::Programs);
    let engine = world.engine([mission]).await;
    let number = engine.submit("m", "k", json!({}));
    let decisions = [json!({"deny": "not this one"}), json!({"edit": "(return (tool/pay {:id 3}))"})];
    for (asked, decision) in (1..).zip(decisions) {
        engine.until("a program that waits", |tables| tables.invocations[number].waits_for(asked).then_some(())).await;
        let status = engine.status("m", "k").await;
        let waiting = &status.waiting[0];
        assert!(waiting.program.as_deref().is_some_and(|program| program.contains("tool/pay")));
        let answer = json!({"call": waiting.id, "decision": decision});
        engine.call("m", "k", "approve", answer).await.expect("a decision");
    }
    let outcome = engine.outcome(number).await;
    assert_eq!((outcome.fail, inline(&outcome.value)), (None, &json!(6)));
    assert_eq!(effects.of("pay"), [(3, 1)]);
}

#[derive(Deserialize, JsonSchema)]
struct Note {
    text: String,
}

#[tokio::test]
async fn large_arguments_of_agents_at_once_are_shown_by_their_place() {
    let world = World::new();
    let note = FnTool::new("note", "Notes", |note: Note| Ok::<_, ToolError>(note.text.len())).approve().idempotent();
    let clerk = as_tool(Agent::builder("Write {{id}}").tool(note), "clerk");
    let agent = Agent::builder("Write all").tool(clerk).build().expect("an agent");
    let program = |request: &Request| {
        let is_clerk = request.messages.iter().any(|message| message.content().contains("Write 1"));
        let clerk = "(return (tool/note {:text (apply str (repeat (+ 20000 data/id) \"x\"))}))";
        if is_clerk { clerk } else { "(return (pmap (fn [id] (tool/clerk {:id id})) (range 100 130)))" }.to_owned()
    };
    let engine = world.engine([mission("notes", agent, program)]).await;
    engine.chaos(7, 12, 40);
    let number = engine.submit("notes", "k", json!({}));
    engine.suspended(number).await;
    let waiting = engine.status("notes", "k").await.waiting;
    let places = waiting.iter().filter_map(|waiting| waiting.stored_args.as_ref().map(|blob| blob.bytes));
    assert_eq!(places.collect::<Vec<_>>(), (20_111..20_141).collect::<Vec<_>>());
    for waiting in waiting {
        let answer = json!({"call": waiting.id, "decision": "approve"});
        engine.call("notes", "k", "approve", answer).await.expect("a decision");
    }
    let outcome = engine.outcome(number).await;
    assert_eq!(inline(&outcome.value), &json!((20_100..20_130).collect::<Vec<_>>()));
    assert_eq!(engine.look(number, |mission| mission.errors.clone()), []);
}
