#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test fails where it stands")]

mod engine;

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::time::Duration;

use ptc_transcript::{Decided, EndingKind};
use serde_json::{Value as Json, json};

use super::{Client, ClientError};
use crate::wire::{Answer, MissionId, MissionState, Outcome, Stored, Submission};
use engine::Engine;

const PATIENCE: Duration = Duration::from_secs(20);

fn id(text: &str) -> MissionId {
    text.parse().unwrap()
}

fn started() -> (Engine, Client) {
    let engine = Engine::start();
    let client = Client::new(&engine.url()).unwrap();
    (engine, client)
}

/// The error without the changing address of the server.
fn told<T>(engine: &Engine, result: Result<T, ClientError>) -> String {
    match result {
        Ok(_) => "it went well".to_owned(),
        Err(error) => format!("{}: {error}", error.code()).replace(&engine.url(), "ENGINE"),
    }
}

fn outcome(id: &str, ending: &str) -> Json {
    json!({
        "id": id, "version": "v1", "ending": ending, "value": {"json": 3}, "step": {"json": {}},
        "usage": serde_json::to_value(ptc_transcript::RunUsage::default()).unwrap(),
    })
}

#[tokio::test]
async fn a_mission_is_submitted_once() {
    let (engine, client) = started();
    let submission = Submission { seed: Some(7), tenant: Some("ines".to_owned()), ..Submission::default() };
    client.submit(&id("orders/k1"), &submission).await.unwrap();
    assert_eq!(engine.submission("orders/k1"), json!({"seed": 7, "tenant": "ines"}));
    insta::assert_snapshot!(told(&engine, client.submit(&id("orders/k1"), &Submission::default()).await), @"already_submitted: orders/k1 was submitted before, and is not started again; ask for it with `ptc mission status orders/k1`, or submit with another key");
    insta::assert_snapshot!(told(&engine, client.submit(&id("nope/k1"), &submission).await), @"no_such_mission: no worker of the engine at ENGINE serves a mission 'nope'; it has invoices, orders (for a new mission of registered workers: `ptc worker --register URL --force`)");
    assert_eq!(engine.ids(), ["orders/k1"]);
}

#[tokio::test]
async fn a_mission_that_nobody_submitted_is_not_known() {
    let (engine, client) = started();
    let (unknown, elsewhere) = (id("orders/k1"), id("nope/k1"));
    insta::assert_snapshot!(told(&engine, client.status(&unknown).await), @"not_submitted: orders/k1 was not submitted, or it ended longer ago than the engine keeps; the id is what `ptc mission submit` printed");
    insta::assert_snapshot!(told(&engine, client.outcome(&elsewhere).await), @"no_such_mission: no worker of the engine at ENGINE serves a mission 'nope'; it has invoices, orders (for a new mission of registered workers: `ptc worker --register URL --force`)");
    let answer = Answer { call: "orders/k1/1/1".to_owned(), decision: Decided::Approve };
    let all = [
        told(&engine, client.outcome(&unknown).await),
        told(&engine, client.wait(&unknown, PATIENCE).await),
        told(&engine, client.cancel(&unknown).await),
        told(&engine, client.approve(&unknown, &answer).await),
    ];
    assert!(all.iter().all(|text| text.starts_with("not_submitted: ")), "{all:?}");
    assert!(engine.ids().is_empty(), "and none was cancelled before its time");
    let all = [
        told(&engine, client.status(&elsewhere).await),
        told(&engine, client.wait(&elsewhere, PATIENCE).await),
        told(&engine, client.cancel(&elsewhere).await),
        told(&engine, client.approve(&elsewhere, &answer).await),
    ];
    assert!(all.iter().all(|text| text.starts_with("no_such_mission: ")), "{all:?}");
}

#[tokio::test]
async fn an_outcome_is_there_when_the_mission_has_ended() {
    let (engine, client) = started();
    let id = id("orders/k1");
    client.submit(&id, &Submission::default()).await.unwrap();
    assert_eq!(client.status(&id).await.unwrap().state, MissionState::Submitted);
    assert_eq!(client.outcome(&id).await.unwrap(), None);
    engine.end("orders/k1", outcome("orders/k1", "return"));
    let found = client.outcome(&id).await.unwrap().unwrap();
    assert_eq!((found.ending, &found.value), (EndingKind::Return, &Stored::Json(json!(3))));
    assert_eq!(client.wait(&id, PATIENCE).await.unwrap(), found);
    insta::assert_snapshot!(told(&engine, client.cancel(&id).await), @"already_ended: orders/k1 has ended; see `ptc mission result orders/k1`");
}

#[tokio::test]
async fn a_mission_that_was_ended_by_its_worker_has_its_outcome_in_the_message() {
    let (engine, client) = started();
    let id = id("orders/k1");
    client.submit(&id, &Submission::default()).await.unwrap();
    for code in [500, 570] {
        engine.end_badly("orders/k1", code, &outcome("orders/k1", "error").to_string());
        assert_eq!(client.wait(&id, PATIENCE).await.unwrap().ending, EndingKind::Error);
        assert_eq!(client.outcome(&id).await.unwrap().unwrap().ending, EndingKind::Error);
    }
    engine
        .set_status("orders/k1", json!({"id": "orders/k1", "state": "waiting", "waiting": [{"id": "orders/k1/1/1"}]}));
    engine.end_badly("orders/k1", 409, "killed");
    let status = client.status(&id).await.unwrap();
    assert_eq!((status.state, status.waiting.len()), (MissionState::Ended, 0), "whatever its worker says");
    insta::assert_snapshot!(told(&engine, client.wait(&id, PATIENCE).await), @"stopped: orders/k1 ended without a step (HTTP 409): killed");
}

#[tokio::test]
async fn an_outcome_may_be_deeper_than_a_reader_goes_by_itself() {
    let (engine, client) = started();
    client.submit(&id("orders/k1"), &Submission::default()).await.unwrap();
    let mut end = outcome("orders/k1", "return");
    end["value"]["json"] = (0..300).fold(json!(1), |inner, _| json!([inner]));
    engine.end("orders/k1", end.clone());
    assert_eq!(
        client.outcome(&id("orders/k1")).await.unwrap().unwrap().value,
        Stored::Json(end["value"]["json"].take())
    );
}

#[tokio::test]
async fn a_decision_reaches_what_waits_once() {
    let (engine, client) = started();
    let id = id("orders/k1");
    client.submit(&id, &Submission::default()).await.unwrap();
    let waiting = json!([{"id": "orders/k1/2/1", "tool": "pay", "args": {"n": 1}}]);
    engine.set_status("orders/k1", json!({"id": "orders/k1", "state": "waiting", "waiting": waiting}));
    let answer = |call: &str, decision: Decided| Answer { call: call.to_owned(), decision };
    let denied = answer("orders/k1/2/1", Decided::Deny("too much".to_owned()));
    client.approve(&id, &denied).await.unwrap();
    assert_eq!(engine.decided("orders/k1"), [json!({"call": "orders/k1/2/1", "decision": {"deny": "too much"}})]);
    insta::assert_snapshot!(told(&engine, client.approve(&id, &denied).await), @"already_decided: orders/k1/2/1 was already decided (it was decided before); `ptc mission status` shows what waits");
    let other = answer("orders/k1/3/1", Decided::Approve);
    insta::assert_snapshot!(told(&engine, client.approve(&id, &other).await), @"nothing_waits: nothing waits for approval as orders/k1/3/1 in orders/k1 (nothing waits); `ptc mission status orders/k1` shows what waits");
    client.cancel(&id).await.unwrap();
    assert!(engine.is_cancelled("orders/k1"));
}

#[tokio::test]
async fn whoever_waits_outlives_a_restart_of_the_engine() {
    let (engine, client) = started();
    let id = id("orders/k1");
    client.submit(&id, &Submission::default()).await.unwrap();
    // Boxed as a future that may move to another thread: tasks of a runtime.
    let waits = tokio::spawn({
        let (client, id) = (client.clone(), id.clone());
        async move { client.wait(&id, PATIENCE).await }
    });
    let follows = tokio::spawn({
        let (client, id) = (client.clone(), id.clone());
        async move { client.follow(&id, PATIENCE, |_| ControlFlow::Continue(())).await }
    });
    while !engine.requests().iter().any(|request| request.ends_with("/attach")) {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    engine.go_away();
    tokio::time::sleep(Duration::from_millis(700)).await;
    assert!(!waits.is_finished());
    insta::assert_snapshot!(told(&engine, client.submit(&id, &Submission::default()).await), @"unreachable: cannot connect to the durable engine at ENGINE (Connection refused (os error 111)): start restate-server, or give its address: that of the ingress by --engine or PTC_ENGINE, and where workers are registered that of the admin");
    engine.come_back();
    engine.set_status("orders/k1", json!({"id": "orders/k1", "state": "ended", "ending": "return"}));
    engine.end("orders/k1", outcome("orders/k1", "return"));
    assert_eq!(waits.await.unwrap().unwrap().id, "orders/k1");
    follows.await.unwrap().unwrap();
}

#[tokio::test]
async fn patience_has_its_end() {
    let (engine, client) = started();
    engine.go_away();
    let began = std::time::Instant::now();
    let given_up = client.wait(&id("orders/k1"), Duration::from_secs(1)).await;
    assert_eq!(given_up.map_err(|error| error.code()), Err("unreachable"));
    assert!(began.elapsed() < Duration::from_secs(60));
}

#[tokio::test]
async fn workers_are_registered_at_the_admin_address() {
    let (engine, client) = started();
    let registered = client.register("http://127.0.0.1:9080", false).await.unwrap();
    assert_eq!(
        (registered.deployment.as_str(), &registered.missions[..]),
        ("dp_12o61bGvErNeu7g4Dz5jPFL", &["orders".to_owned()][..])
    );
    assert_eq!(client.register("http://127.0.0.1:9080", false).await.unwrap(), registered);
    insta::assert_snapshot!(told(&engine, client.register("http://10.0.0.1:9080", false).await), @"not_registered: the engine at ENGINE refused to register the workers at http://10.0.0.1:9080 (HTTP 500): [META0003] error when calling 'http://10.0.0.1:9080': Connection refused; give the admin address of the engine (port 9070 by default), and an address of the workers that it reaches from where it runs");
}

#[tokio::test]
async fn answers_of_something_else_are_told() {
    let engine = Engine::start();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ = stream.read(&mut [0; 4096]).await;
            let _ = stream
                .write_all(b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 15\r\n\r\n<html>Hi</html>")
                .await;
        }
    });
    let client = Client::new(&address).unwrap();
    let error = client.status(&id("orders/k1")).await.unwrap_err().to_string().replace(&address, "ENGINE");
    insta::assert_snapshot!(error, @"the answer of ENGINE cannot be read (expected value at line 1 column 1): <html>Hi</html>; give the address of the engine's ingress (port 8080 by default), and workers of the version of this program");
    let elsewhere = Client::new(&format!("{}/admin", engine.url())).unwrap();
    insta::assert_snapshot!(told(&engine, elsewhere.status(&id("orders/k1")).await), @"not_an_engine: ENGINE/admin is not the ingress of a durable engine: it does not know /restate/health; give the address of the ingress, which is port 8080 by default (the admin is 9070)");
    let told = |address: &str| Client::new(address).map(|_| ()).unwrap_err().to_string();
    insta::assert_snapshot!(told("127.0.0.1:8080"), @"'127.0.0.1:8080' is not the address of a durable engine: relative URL without a base; write it like http://127.0.0.1:8080");
    insta::assert_snapshot!(told("unix:/run/x"), @"'unix:/run/x' is not the address of a durable engine: it does not begin with http:// or https://; write it like http://127.0.0.1:8080");
}

#[test]
fn fresh_keys_differ_and_are_ids() {
    let keys: HashSet<String> = (0..1000).map(|_| MissionId::fresh("orders").unwrap().key).collect();
    assert_eq!(keys.len(), 1000);
    assert!(keys.iter().all(|key| key.len() == 16 && key.bytes().all(|byte| byte.is_ascii_hexdigit())));
    let outcome: Result<Outcome, _> = serde_json::from_value(outcome("orders/k1", "return"));
    assert!(outcome.is_ok() && MissionId::fresh("a b").is_err());
}

#[tokio::test]
async fn an_engine_and_its_workers_are_named_without_their_keys() {
    for address in ["http://me:canary@127.0.0.1:9/?key=canary", "https://canary@engine.example"] {
        let http = super::http::Http::new(address).unwrap();
        assert!(!http.place().contains("canary") && http.place().starts_with("http"), "{}", http.place());
    }
    let told = |address: &str| Client::new(address).map(|_| ()).unwrap_err();
    for address in ["me:canary@127.0.0.1:8080", "unix://canary@x/?canary", "http://me:canary/@x"] {
        let error = told(address);
        assert!(!format!("{error} {error:?}").contains("canary"), "{error}");
    }
    let engine = Engine::start();
    let admin = Client::new(&engine.url()).unwrap();
    let error = admin.register("http://me:canary-7f@10.0.0.1:9080", false).await.unwrap_err();
    assert!(!format!("{error} {error:?}").contains("canary"), "{error}");
    for place in ["gs://canary@bucket/x", "s3://canary@bucket/a//b"] {
        let error = crate::blob::open_blobs(place).map(|_| ()).unwrap_err();
        assert!(!format!("{error} {error:?}").contains("canary"), "{error}");
    }
}

#[tokio::test]
async fn an_answer_without_end_is_not_read_to_the_end() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ = stream.read(&mut [0; 4096]).await;
            let mut sent = stream.write_all(b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n").await;
            while sent.is_ok() {
                sent = stream.write_all(&[b'x'; 1 << 16]).await;
            }
        }
    });
    let error = Client::new(&address).unwrap().status(&id("orders/k1")).await.unwrap_err().to_string();
    assert!(error.contains("(it has more than 64 MB): xxx") && error.len() < 1_000, "{error}");
}
