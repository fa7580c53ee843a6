//! Missions of 5 turns with 3 tool calls each, and many of them at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use ptc_runner::agent::{Agent, Context, FnTool, RunOptions, ToolError};
use ptc_runner::chat::{BoxFuture, ChunkSink, Llm, LlmError, Reply, Request};
use ptc_runner::transcript::Step;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinSet;

use crate::{Res, process};

/// Turns of a mission.
pub(crate) const TURNS: usize = 5;
/// Tool calls of a turn.
pub(crate) const CALLS: usize = 3;
/// How long the model takes to answer.
pub(crate) const LATENCY: Duration = Duration::from_millis(50);
/// The answer of every mission: each order has as many cents as its number, 1 to 15.
pub(crate) const TOTAL: i64 = 120;

/// A model that answers turn by turn from a script, as late as a fast one would.
pub(crate) struct Late {
    replies: Vec<String>,
    latency: Duration,
    pub requests: AtomicUsize,
}

impl Late {
    pub(crate) fn new(latency: Duration) -> Late {
        Late { replies: (1..=TURNS).map(reply).collect(), latency, requests: AtomicUsize::new(0) }
    }
}

impl Llm for Late {
    fn reply<'a>(
        &'a self,
        request: &'a Request,
        _: Option<&'a mut dyn ChunkSink>,
    ) -> BoxFuture<'a, Result<Reply, LlmError>> {
        Box::pin(async move {
            self.requests.fetch_add(1, Ordering::Relaxed);
            tokio::time::sleep(self.latency).await;
            let turn = usize::try_from(request.turn).unwrap_or(usize::MAX);
            Ok(Reply::text(self.replies.get(turn - 1).cloned().unwrap_or_default()))
        })
    }

    fn name(&self) -> &str {
        "late"
    }
}

/// The answer of the model in a turn: look three orders up, keep them, say so; in the last turn return the sum of all.
fn reply(turn: usize) -> String {
    let first = (turn - 1) * CALLS + 1;
    let ids: Vec<String> = (first..first + CALLS).map(|id| id.to_string()).collect();
    let found = format!("(def orders-{turn} (mapv (fn [id] (tool/find-order {{:id id}})) [{}]))", ids.join(" "));
    let then = if turn < TURNS {
        format!("(println \"turn {turn}:\" (reduce + (map :cents orders-{turn})) \"cents\")")
    } else {
        let all: Vec<String> = (1..=TURNS).map(|turn| format!("orders-{turn}")).collect();
        format!("(return (reduce + (map :cents (concat {}))))", all.join(" "))
    };
    format!("```clojure\n{found}\n{then}\n```")
}

#[derive(Deserialize, JsonSchema)]
struct Wanted {
    id: i64,
}

#[derive(serde::Serialize, JsonSchema)]
struct Order {
    id: i64,
    customer: String,
    cents: i64,
}

async fn find_order(calls: Arc<AtomicUsize>, wanted: Wanted) -> Result<Order, ToolError> {
    calls.fetch_add(1, Ordering::Relaxed);
    Ok(Order { id: wanted.id, customer: format!("customer {}", wanted.id % 7), cents: wanted.id })
}

/// The agent of every mission, and how often its tool was called.
pub(crate) fn agent() -> Res<(Agent, Arc<AtomicUsize>)> {
    let calls = Arc::new(AtomicUsize::new(0));
    let tool = FnTool::with_state("find-order", "An order by its number", Arc::clone(&calls), find_order);
    let agent = Agent::builder("What do the orders 1 to 15 cost together, in cents?")
        .tool(tool)
        .max_turns(TURNS)
        .returns::<i64>();
    Ok((agent.build()?, calls))
}

/// One mission with its own small input.
pub(crate) async fn mission(agent: Agent, llm: Arc<Late>, number: usize) -> Res<Step> {
    let context = Context::new(json!({"mission": number}))?;
    Ok(agent.run_with(context, RunOptions::new().llm(llm)).await?)
}

fn answered(step: &Step) -> Res<()> {
    match step.value::<i64>() {
        Ok(TOTAL) => Ok(()),
        other => Err(format!("a mission ended with {other:?} instead of {TOTAL}").into()),
    }
}

fn runtime() -> Res<Runtime> {
    Ok(Builder::new_multi_thread().enable_all().build()?)
}

/// All missions start at once; each frees its record when it has ended.
pub(crate) fn burst(agents: usize) -> Res<Value> {
    let runtime = runtime()?;
    let (agent, calls) = agent()?;
    let llm = Arc::new(Late::new(LATENCY));
    let (began, cpu) = (Instant::now(), process::cpu_time()?);
    runtime.block_on(async {
        let mut missions = JoinSet::new();
        for number in 0..agents {
            missions.spawn(mission(agent.clone(), Arc::clone(&llm), number));
        }
        while let Some(step) = missions.join_next().await {
            answered(&step??)?;
        }
        Res::Ok(())
    })?;
    let cpu = process::cpu_time()?.saturating_sub(cpu).as_secs_f64();
    let wall = began.elapsed().as_secs_f64();
    Ok(json!({
        "agents": agents,
        "requests": llm.requests.load(Ordering::Relaxed),
        "tool_calls": calls.load(Ordering::Relaxed),
        "cpu_seconds": cpu,
        "wall_seconds": wall,
        "agents_per_second": agents as f64 / wall,
        "peak_rss_bytes": process::peak_bytes()?,
    }))
}

/// The missions start evenly; what each takes beyond the answers of the model is added latency.
pub(crate) fn steady(agents: usize, per_second: usize) -> Res<Value> {
    let runtime = runtime()?;
    let (agent, _) = agent()?;
    let llm = Arc::new(Late::new(LATENCY));
    let least = LATENCY * u32::try_from(TURNS)?;
    let cpu = process::cpu_time()?;
    let mut added = runtime.block_on(async {
        let began = tokio::time::Instant::now();
        let mut missions = JoinSet::new();
        for number in 0..agents {
            let due = began + Duration::from_secs_f64(number as f64 / per_second.max(1) as f64);
            tokio::time::sleep_until(due).await;
            let (agent, llm) = (agent.clone(), Arc::clone(&llm));
            missions.spawn(async move {
                // From when it should have started: a late start is latency too.
                answered(&mission(agent, llm, number).await?)?;
                Res::Ok(due.elapsed().saturating_sub(least))
            });
        }
        let mut added = Vec::with_capacity(agents);
        while let Some(time) = missions.join_next().await {
            added.push(time??);
        }
        Res::Ok(added)
    })?;
    let cpu = process::cpu_time()?.saturating_sub(cpu).as_secs_f64();
    added.sort_unstable();
    let percentile =
        |share: usize| added.get((added.len() * share / 100).min(added.len().saturating_sub(1))).map(millis);
    Ok(json!({
        "agents": agents,
        "per_second": per_second,
        "cpu_seconds": cpu,
        "added_ms_p50": percentile(50),
        "added_ms_p99": percentile(99),
        "added_ms_max": added.last().map(millis),
        "peak_rss_bytes": process::peak_bytes()?,
    }))
}

fn millis(time: &Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

/// All agents wait for an answer that does not come.
pub(crate) fn idle(agents: usize) -> Res<Value> {
    let runtime = runtime()?;
    let (agent, _) = agent()?;
    let llm = Arc::new(Late::new(Duration::from_secs(3_600)));
    runtime.block_on(async {
        let mut missions = JoinSet::new();
        // What is created once per process belongs to no agent.
        missions.spawn(mission(agent.clone(), Arc::new(Late::new(Duration::ZERO)), 0));
        while let Some(step) = missions.join_next().await {
            answered(&step??)?;
        }
        let before = process::resident_bytes()?;
        for number in 0..agents {
            missions.spawn(mission(agent.clone(), Arc::clone(&llm), number));
        }
        while llm.requests.load(Ordering::Relaxed) < agents {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let grown = process::resident_bytes()?.saturating_sub(before);
        missions.abort_all();
        Ok(json!({"agents": agents, "bytes_per_agent": grown / agents.max(1) as u64}))
    })
}
