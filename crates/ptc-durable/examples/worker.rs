//! A worker whose mission is an agent built in Rust, with a tool that finds the id of its call.
//!
//! With a Restate server on this machine (`npx restate-server --bind-ip 127.0.0.1`):
//!
//! ```sh
//! cargo run -p ptc-durable --example worker
//! curl http://127.0.0.1:9070/deployments -H 'content-type: application/json' -d '{"uri": "http://127.0.0.1:9080"}'
//! ptc mission submit orders --set 'orders=[{"id": 1, "euros": 5}]' --wait
//! ```

use std::error::Error;
use std::sync::Arc;

use ptc_agent::{Agent, CancellationToken, FnTool, RunOptions, ToolContext, ToolError};
use ptc_chat::{LlmError, Reply, Request, llm_fn};
use ptc_durable::{FolderBlobs, Limits, Mission, Worker};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::net::TcpListener;

#[derive(Deserialize, JsonSchema)]
struct Payment {
    id: u32,
    euros: u32,
}

/// The bank executes each key at most once.
async fn pay(payment: Payment, call: ToolContext) -> Result<String, ToolError> {
    println!("pays {} € for order {} under the key {}", payment.euros, payment.id, call.call_id());
    Ok(format!("paid order {}", payment.id))
}

/// Stands for a model, so that the example runs without one.
fn model(_: &Request) -> Result<Reply, LlmError> {
    Ok(Reply::text("(return (pmap tool/pay data/orders))"))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let agent = Agent::builder("Pay all orders.").tool(FnTool::new("pay", "Pays", pay).idempotent()).build()?;
    let options = RunOptions::new().llm(Arc::new(llm_fn("example", model)));
    let mission = Mission { name: "orders".to_owned(), agent, data: Default::default(), options };
    let mut limits = Limits::default();
    limits.add("example=600")?;
    let worker = Worker::new("1", Arc::new(FolderBlobs::open("target/blobs")?)).limits(limits).mission(mission)?;
    let listener = TcpListener::bind("127.0.0.1:9080").await?;
    println!("serving {:?} at {}", worker.names().collect::<Vec<_>>(), listener.local_addr()?);
    worker.serve(listener, CancellationToken::new()).await?;
    Ok(())
}
