//! A worker's manifest, and its answers to other requests.

use std::net::SocketAddr;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::Request;
use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use insta::assert_snapshot;
use ptc_agent::Agent;
use serde_json::Value as Json;
use tokio::net::TcpStream;

use crate::world::*;

/// Status and text of an answer.
async fn ask(worker: SocketAddr, method: &str, path: &str, header: (&str, &str)) -> (u16, String) {
    let stream = TcpStream::connect(worker).await.expect("a connection");
    let (mut sender, connection) = http2::handshake(TokioExecutor::new(), TokioIo::new(stream)).await.expect("HTTP/2");
    tokio::spawn(connection);
    let request = Request::builder().method(method).uri(format!("http://{worker}{path}")).header(header.0, header.1);
    let request = request.body(Full::<Bytes>::default()).expect("a request");
    let response = sender.send_request(request).await.expect("an answer");
    let status = response.status().as_u16();
    let body = response.into_body().collect().await.expect("a body").to_bytes();
    (status, String::from_utf8(body.into()).expect("a text"))
}

async fn worker(world: &World) -> SocketAddr {
    let agent = Agent::builder("Work").build().expect("an agent");
    world.serve(world.worker([mission("orders", agent, |_| "(return 1)".to_owned())])).await
}

#[tokio::test]
async fn a_worker_describes_itself_to_an_engine() {
    let world = World::new();
    let accept = ("accept", "application/vnd.restate.endpointmanifest.v4+json");
    let (status, manifest) = ask(worker(&world).await, "GET", "/discover", accept).await;
    assert_eq!(status, 200);
    let manifest: Json = serde_json::from_str(&manifest).expect("JSON");
    let services = manifest["services"].as_array().expect("services").iter().map(|service| {
        let handlers = service["handlers"].as_array().expect("handlers").iter();
        let handlers: Vec<String> = handlers.map(|it| format!("{} {}", it["ty"], it["name"])).collect();
        format!("{} {}: {}", service["ty"], service["name"], handlers.join(", "))
    });
    assert_snapshot!(services.collect::<Vec<_>>().join("\n").replace('"', ""), @"
    WORKFLOW orders: WORKFLOW run, SHARED status, SHARED approve, SHARED cancel
    VIRTUAL_OBJECT ptc_limits_8fcd9daa174faca4: EXCLUSIVE ask, EXCLUSIVE tick, EXCLUSIVE spent
    ");
    let service = &manifest["services"][0];
    let mut facts = service.as_object().expect("a service").clone();
    facts.retain(|name, _| !["name", "ty", "handlers"].contains(&name.as_str()));
    assert_snapshot!(Json::Object(facts).to_string(), @r#"{"inactivityTimeout":600000,"abortTimeout":21600000,"retryPolicyInitialInterval":100,"retryPolicyMaxInterval":10000,"retryPolicyExponentiationFactor":2.0,"retryPolicyMaxAttempts":1000000,"retryPolicyOnMaxAttempts":"PAUSE","metadata":{"ptc-version":"1"}}"#);
    assert_snapshot!(service["handlers"][0], @r#"{"name":"run","ty":"WORKFLOW","input":{"required":false,"contentType":"application/json"},"output":{"contentType":"application/json"},"workflowCompletionRetention":604800000}"#);
    assert_snapshot!(service["handlers"][1], @r#"{"name":"status","ty":"SHARED","input":{"required":false,"contentType":"application/json"},"output":{"contentType":"application/json"}}"#);
    assert_snapshot!(format!("{} {} {}", manifest["protocolMode"], manifest["minProtocolVersion"], manifest["maxProtocolVersion"]), @r#""BIDI_STREAM" 6 7"#);
}

#[tokio::test]
async fn what_a_worker_does_not_have_is_told_with_what_it_has() {
    let world = World::new();
    let worker = worker(&world).await;
    let v6 = ("content-type", "application/vnd.restate.invocation.v6");
    let answers = [
        ask(worker, "GET", "/health", ("accept", "*/*")).await,
        ask(worker, "GET", "/discover", ("accept", "application/vnd.restate.endpointmanifest.v1+json")).await,
        ask(worker, "GET", "/", ("accept", "*/*")).await,
        ask(worker, "POST", "/invoke/others/run", v6).await,
        ask(worker, "POST", "/invoke/orders/stop", v6).await,
        ask(worker, "POST", "/invoke/ptc_limits_8fcd9daa174faca4/run", v6).await,
        ask(worker, "POST", "/invoke/orders/run", ("content-type", "application/json")).await,
        ask(worker, "POST", "/invoke/orders/run", ("content-type", "application/vnd.restate.invocation.v1")).await,
    ];
    let answers = answers.map(|(status, text)| format!("{status}: {text}").trim_end().to_owned());
    assert_snapshot!(answers.join("\n"), @"
    200:
    415: this worker describes itself as application/vnd.restate.endpointmanifest.v4+json only: use Restate 1.5 or newer
    404: nothing is at /: this address is for an engine
    404: no handler others/run here; this worker has orders
    404: no handler orders/stop here; this worker has orders
    404: no handler ptc_limits_8fcd9daa174faca4/run here; this worker has orders
    415: (415) unrecognized content-type 'application/json', this is not a restate protocol content type. Make sure you're invoking the service though restate-server, rather than directly.
    415: (415) Unsupported protocol version V1, not within [V5 to V8]. You might need to rediscover the service, check https://docs.restate.dev/references/errors/#RT0015
    ");
}
