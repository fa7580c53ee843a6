//! Workers, their missions, and what happens in the world when tools are called.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use proptest::prelude::*;
use ptc_agent::{
    Agent, AgentBuilder, Callable, CancellationToken, FnTool, LlmRetry, RunOptions, SubagentOptions, ToolError,
};
use ptc_chat::{LlmError, Reply, Request, llm_fn};
use ptc_durable::{BlobStore, FolderBlobs, Mission, Outcome, Status, Stored, Worker};
use ptc_transcript::{StepJson, ValueForm};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value as Json, json};
use tokio::net::TcpListener;
use tokio::sync::Notify;

use crate::engine::Engine;

/// What most tools take.
#[derive(Deserialize, JsonSchema)]
pub struct Item {
    pub id: i64,
}

/// What tools did: how often, by name and id.
#[derive(Clone, Default)]
pub struct Effects(Arc<Mutex<BTreeMap<(&'static str, i64), usize>>>);

impl Effects {
    pub fn note(&self, tool: &'static str, id: i64) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner).entry((tool, id)).or_default() += 1;
    }

    pub fn of(&self, tool: &str) -> Vec<(i64, usize)> {
        let effects = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        effects.iter().filter(|((name, _), _)| *name == tool).map(|((_, id), count)| (*id, *count)).collect()
    }

    /// A tool that notes its call, takes a while, and answers twice its id.
    pub fn tool(&self, name: &'static str) -> FnTool {
        FnTool::with_state(name, "Notes its call", self.clone(), move |effects: Effects, item: Item| async move {
            effects.note(name, item.id);
            for _ in 0..item.id % 5 {
                tokio::task::yield_now().await;
            }
            Ok::<_, ToolError>(item.id * 2)
        })
    }

    /// A tool that says whether `pay` was called with this id.
    pub fn is_paid(&self) -> FnTool {
        FnTool::with_state("is-paid", "Looks", self.clone(), |effects: Effects, item: Item| async move {
            Ok::<_, ToolError>(effects.of("pay").iter().any(|(id, _)| *id == item.id))
        })
        .idempotent()
    }
}

/// A tool that hangs in the middle of its call.
#[derive(Clone, Default)]
pub struct Gate {
    reached: Arc<Notify>,
}

impl Gate {
    pub fn tool(&self, name: &str) -> FnTool {
        FnTool::with_state(name, "Takes its time", self.clone(), |gate: Gate, item: Item| async move {
            gate.reached.notify_one();
            std::future::pending::<Result<i64, ToolError>>().await.map(|answer| answer + item.id)
        })
    }

    /// Wait until it was called.
    pub async fn reached(&self) {
        self.reached.notified().await;
    }
}

/// Pays until the payment is certain.
pub const SAFELY: &str = "(defn safely [id] (loop [] (let [paid (try (tool/pay {:id id}) (catch Exception e nil))] \
    (cond paid paid (tool/is-paid {:id id}) (* 2 id) :else (recur)))))";

/// Three attempts, with negligible pauses.
pub fn patient() -> LlmRetry {
    let mut retry = LlmRetry { max_attempts: 3, ..LlmRetry::default() };
    retry.base_delay = Duration::from_millis(1);
    retry
}

/// An agent that another one calls under this name.
pub fn as_tool(builder: AgentBuilder, name: &str) -> Callable {
    let agent = builder.name(name).description("Works").signature("(id :int) -> :int").build().expect("an agent");
    agent.as_tool(SubagentOptions::default()).expect("a tool")
}

/// A mission whose model answers each request with this program.
pub fn mission(name: &str, agent: Agent, program: impl Fn(&Request) -> String + Send + Sync + 'static) -> Mission {
    let answer = move |request: &Request| Ok::<_, LlmError>(Reply::text(program(request).as_str()));
    let options = RunOptions::new().llm(Arc::new(llm_fn("model", answer)));
    Mission { name: name.to_owned(), agent, data: Default::default(), options }
}

/// A folder for blobs that is removed when this is dropped.
pub struct World {
    folder: tempfile::TempDir,
    stop: CancellationToken,
}

impl World {
    pub fn new() -> World {
        World { folder: tempfile::tempdir().expect("a folder"), stop: CancellationToken::new() }
    }

    pub fn blobs(&self) -> Arc<dyn BlobStore> {
        Arc::new(FolderBlobs::open(self.folder.path()).expect("blobs"))
    }

    /// Remove all of them.
    pub fn lose_blobs(&self) {
        for entry in std::fs::read_dir(self.folder.path()).expect("a folder") {
            std::fs::remove_dir_all(entry.expect("an entry").path()).expect("removed");
        }
    }

    /// A worker of version 1 that releases waiting invocations at once.
    pub fn worker(&self, missions: impl IntoIterator<Item = Mission>) -> Worker {
        self.worker_of("1", missions)
    }

    pub fn worker_of(&self, version: &str, missions: impl IntoIterator<Item = Mission>) -> Worker {
        let worker = Worker::new(version, self.blobs()).suspend_after(Duration::from_millis(1));
        missions.into_iter().fold(worker, |worker, mission| worker.mission(mission).expect("a mission"))
    }

    /// Serve it; returns its address.
    pub async fn serve(&self, worker: Worker) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        tokio::spawn(worker.serve(listener, self.stop.clone()));
        address
    }

    /// An engine with a worker of these missions.
    pub async fn engine(&self, missions: impl IntoIterator<Item = Mission>) -> Engine {
        Engine::new(self.serve(self.worker(missions)).await)
    }
}

impl Drop for World {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

impl Engine {
    /// The outcome of a mission that does not fail.
    pub async fn outcome(&self, number: usize) -> Outcome {
        serde_json::from_value(self.ended(number).await.expect("an outcome")).expect("an outcome")
    }

    pub async fn status(&self, mission: &str, key: &str) -> Status {
        let status = self.call(mission, key, "status", json!({})).await.expect("a status");
        serde_json::from_value(status).expect("a status")
    }
}

/// This many cases of a property. Seeds do not shrink.
pub fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, max_shrink_iters: 2, ..ProptestConfig::default() }
}

/// One case.
pub fn run(work: impl Future<Output = Result<(), TestCaseError>>) -> Result<(), TestCaseError> {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime").block_on(work)
}

/// The step of an outcome, from its record, as plain JSON.
pub fn step_of(outcome: &Outcome) -> Json {
    let record = inline(outcome.record.as_ref().expect("a record")).as_str().expect("a text");
    StepJson::new(&outcome.step_of(record).expect("a step"), ValueForm::Plain).to_json()
}

/// Data that is not in a blob store.
pub fn inline(stored: &Stored) -> &Json {
    match stored {
        Stored::Json(json) => json,
        other => panic!("{other:?}"),
    }
}
