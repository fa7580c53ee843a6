//! Submissions that a mission cannot start with.

use insta::assert_snapshot;
use ptc_agent::Agent;
use serde_json::{Value as Json, json};

use crate::world::*;

async fn refused(submission: Json) -> String {
    let world = World::new();
    let agent = Agent::builder("Add {{a}} and 1").signature("(a :int) -> :int").build().expect("an agent");
    let engine = world.engine([mission("add", agent, |_| "(return (inc data/a))".to_owned())]).await;
    let number = engine.submit("add", "k", submission);
    match engine.ended(number).await {
        Ok(outcome) => outcome["value"]["json"].to_string(),
        Err((code, text)) => format!("{code} {text}"),
    }
}

#[tokio::test]
async fn a_submission_that_does_not_fit_is_refused_with_what_is_wrong() {
    assert_snapshot!(refused(json!({"data": {"a": 1}})).await, @"2");
    assert_snapshot!(refused(json!({"data": {"a": "one"}})).await, @r#"400 the context does not fit the signature: [a]: cannot coerce string "one" to integer"#);
    assert_snapshot!(refused(json!({})).await, @"400 the context does not fit the signature: [a]: required input is missing");
    assert_snapshot!(refused(json!({"date": {"a": 1}})).await, @r#"400 not a submission: unknown field `date`, expected one of `data`, `stored_data`, `seed`, `tenant` at line 1 column 7; write {"data": {…}, "seed": 7, "tenant": "…"}, all of it optional"#);
    assert_snapshot!(refused(json!([1])).await, @r#"400 not a submission: invalid type: integer `1`, expected a map at line 1 column 2; write {"data": {…}, "seed": 7, "tenant": "…"}, all of it optional"#);
}

#[tokio::test]
async fn what_is_refused_stays_refused_whatever_is_lost() {
    for seed in 0..6 {
        let world = World::new();
        let agent = Agent::builder("Add {{a}}").signature("(a :int) -> :int").build().expect("an agent");
        let engine = world.engine([mission("add", agent, |_| "(return 1)".to_owned())]).await;
        engine.speak(6 + (seed % 2) as u16);
        engine.chaos(seed, 5, 2);
        let number = engine.submit("add", "k", json!({"data": {"a": "one"}}));
        let refused = engine.ended(number).await.expect_err("it does not fit");
        assert_eq!((refused.0, engine.look(number, |mission| mission.errors.clone())), (400, vec![]), "seed {seed}");
    }
}
