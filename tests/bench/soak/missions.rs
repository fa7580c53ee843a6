//! The missions of a soak, each by its number.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ptc_runner::agent::testkit::{Faults, PANIC, Stop, stopped};
use ptc_runner::agent::{
    Agent, AgentBuilder, Approval, CompiledAgent, Context, Decision, FnTool, LlmRetry, LlmTool, RunError, RunOptions,
    SubagentOptions, ToolError, chat,
};
use ptc_runner::chat::{OutputMode, Reply, Request, Tokens, ToolUse, llm_fn};
use ptc_runner::compression::{
    Aggressive, AppendOnly, ByteBound, Ceiling, CompressionConfig, Digest, PerTurnSummary, RollingWindow,
    SingleUserCoalesced,
};
use ptc_runner::transcript::{JournalFile, JournalWriter, Step};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tokio::task::JoinSet;

use crate::Res;

/// Missions that run at once.
const AT_ONCE: usize = 32;
/// One in this many missions has its journal in a file, and crashes once.
const JOURNALED: usize = 20;

/// Endings and faults by name.
static MET: Mutex<BTreeMap<String, usize>> = Mutex::new(BTreeMap::new());

/// The endings and faults so far, as text.
pub(crate) fn met() -> String {
    let met = MET.lock().unwrap_or_else(PoisonError::into_inner);
    met.iter().map(|(what, count)| format!("{what} {count}")).collect::<Vec<_>>().join(", ")
}

fn count(what: impl Into<String>, more: usize) {
    *MET.lock().unwrap_or_else(PoisonError::into_inner).entry(what.into()).or_default() += more;
}

/// Run the missions of these numbers.
pub(crate) async fn run(numbers: Range<usize>, seed: u64, folder: &Path) -> Res<()> {
    let mut running = JoinSet::new();
    for number in numbers {
        if running.len() >= AT_ONCE
            && let Some(done) = running.join_next().await
        {
            done??;
        }
        running.spawn(mission(number, seed.wrapping_add(number as u64), folder.join(format!("{number}.jsonl"))));
    }
    while let Some(done) = running.join_next().await {
        done??;
    }
    // Tools that continue without being awaited end on their own.
    tokio::time::sleep(Duration::from_secs(3_600)).await;
    Ok(())
}

async fn mission(number: usize, seed: u64, path: std::path::PathBuf) -> Res<()> {
    match run_one(number, seed, &path).await {
        // The token counter, before anything else was done.
        Err(error) if error.to_string().contains(PANIC) => count("panic at the start", 1),
        done => done?,
    }
    Ok(())
}

async fn run_one(number: usize, seed: u64, path: &Path) -> Res<()> {
    let faults = Faults::new(seed).one_in(0);
    let agent = agent(number, &faults)?;
    let compiled = match number % 8 {
        7 => Some(CompiledAgent::from_source(&agent, "(tool/look {:id data/n})")?),
        _ => None,
    };
    let faults = faults.one_in(8).at_most(4);
    let options = options(number, &faults);
    if number.is_multiple_of(JOURNALED) {
        return journaled(number, &agent, options, path).await;
    }
    let context =
        Context::new(json!({"n": number, "_key": format!("secret {number}"), "rows": [1, 2, {"a": number}]}))?;
    let step = match (&compiled, number % 8) {
        (Some(compiled), _) => compiled.execute(context, options).await?,
        (None, 6) => {
            let options = options.journal(Arc::new(JournalWriter::new(Vec::new())));
            let step = told(chat(&agent, &format!("Hello {number}"), Vec::new(), options).await)?;
            count(step, 1);
            return Ok(());
        }
        (None, _) => match agent.run_with(context, options.clone()).await {
            // Its definitions are passed to another mission.
            Ok(step) if number.is_multiple_of(5) => agent.continue_from(&step, Context::default(), options).await?,
            other => other?,
        },
    };
    note(&step, &faults);
    Ok(())
}

/// A run that is dropped at some point and resumes from its file.
async fn journaled(number: usize, agent: &Agent, options: RunOptions, path: &Path) -> Res<()> {
    let context = || Context::new(json!({"n": number}));
    let first = options.clone().journal(Arc::new(JournalFile::create(path)?));
    let (done, _) = stopped(agent.run_with(context()?, first), 1 + number % 37, Stop::Drop).await;
    count(if done.is_some() { "whole" } else { "dropped" }, 1);
    let (journal, recorded) = JournalFile::resume(path)?;
    let step = agent.run_with(context()?, options.journal(Arc::new(journal)).resume(recorded.map(Arc::new))).await?;
    count(format!("resumed {}", step.ending.as_str()), 1);
    std::fs::remove_file(path)?;
    Ok(())
}

fn told(said: Result<(String, Vec<ptc_runner::chat::Message>), RunError>) -> Res<String> {
    match said {
        Ok(_) => Ok("answer".to_owned()),
        Err(RunError::Failed(step)) => Ok(ending(&step)),
        Err(other) => Err(other.into()),
    }
}

fn ending(step: &Step) -> String {
    step.fail().map_or_else(|| step.ending.as_str().to_owned(), |fail| fail.reason.to_string())
}

fn note(step: &Step, faults: &Faults) {
    count(ending(step), 1);
    count("faults", faults.met().values().sum());
}

#[derive(Deserialize, JsonSchema)]
struct Item {
    id: i64,
}

fn tools(builder: AgentBuilder, faults: &Faults) -> AgentBuilder {
    let look =
        |item: Item| async move { Ok::<_, ToolError>(json!({"id": item.id, "name": format!("item {}", item.id)})) };
    let sign = |item: Item| async move { Ok::<_, ToolError>(item.id) };
    builder
        .tool(faults.tool(FnTool::new("look", "An item", look).cache()))
        .tool(faults.tool(FnTool::new("sign", "Signs", sign).approve()))
}

fn agent(number: usize, faults: &Faults) -> Res<Agent> {
    let clerk = tools(Agent::builder("Look at {{id}}").signature("(id :int) -> :any").max_turns(3), faults);
    let clerk = clerk.name("clerk").description("Looks").compression(compression(number / 7, faults)).build()?;
    let tone = LlmTool::new("tone", "Tone of {{id}}", "(id :int) -> {n :int}").description("Asks").build()?;
    let retry = LlmRetry { max_attempts: 3, ..LlmRetry::default() };
    let agent = tools(Agent::builder(format!("Work on {number}")), faults)
        .tool(clerk.as_tool(SubagentOptions::default())?)
        .tool(tone)
        .llm_retry(retry)
        .mission_timeout(Duration::from_secs(600));
    Ok(match number % 8 {
        6 => agent.output(OutputMode::Text).build()?,
        7 => agent.max_turns(1).build()?,
        kind => {
            let agent = agent.compression(compression(number / 3, faults)).max_turns(6);
            if kind == 3 { agent.signature("() -> {sum :int}").retry_turns(2).build()? } else { agent.build()? }
        }
    })
}

fn compression(kind: usize, faults: &Faults) -> CompressionConfig {
    match kind % 8 {
        0 => CompressionConfig::default(),
        1 => SingleUserCoalesced::default().into(),
        2 => RollingWindow::default().into(),
        3 => PerTurnSummary::default().into(),
        4 => Aggressive::default().into(),
        5 => AppendOnly::default().into(),
        6 => Digest::default().into(),
        _ => CompressionConfig::from(faults.compression(Arc::new(SingleUserCoalesced::default())))
            .with_ceiling(Ceiling::new(90_000, faults.token_counter(ByteBound))),
    }
}

fn options(number: usize, faults: &Faults) -> RunOptions {
    let llm = llm_fn("writer", move |request: &Request| Ok::<_, ptc_runner::chat::LlmError>(reply(number, request)));
    let approver = |waiting: &Approval| waiting.ids().iter().map(|_| Decision::Approve).collect::<Vec<_>>();
    let options = RunOptions::new()
        .llm(faults.llm(Arc::new(llm)))
        .approval(faults.approver(Arc::new(approver)))
        .on_chunk(faults.on_chunk())
        .stream(number.is_multiple_of(2))
        .slice(if number.is_multiple_of(3) { 50 } else { 100_000 })
        .max_parallel_calls(1 + number % 4)
        .seed(number as u64);
    let options = if number.is_multiple_of(4) { options.observers(vec![faults.observer()]) } else { options };
    if !number.is_multiple_of(9) {
        return options;
    }
    options.budget(|usage| match usage.llm_requests {
        Some(requests) if requests > 4 => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    })
}

/// Unique names and texts of this mission.
fn reply(number: usize, request: &Request) -> Reply {
    let turn = request.turn;
    // Programs of patterns are kept on purpose, up to 4 MB of them: here they recur.
    let pattern = number % 40;
    let content = match (request.agent.as_deref(), request.output) {
        (Some("tone"), _) => r#"{"n": 4}"#.to_owned(),
        (_, OutputMode::Text) if turn < 3 => {
            let call = ToolUse::new(format!("c{turn}"), "look", json!({"id": number}));
            return Reply { tool_calls: vec![call], ..Reply::default() };
        }
        (_, OutputMode::Text) => format!("All about {number}."),
        (Some(_), _) if turn == 1 => format!("(def found-{number} (tool/look {{:id data/id}}))"),
        (Some(_), _) => format!("(return {{:item-{number} found-{number}}})"),
        (None, _) => match turn {
            1 => format!(
                "```clojure\n(def x-{number} (mapv (fn [id] (tool/look {{:id id}})) [1 2 {number}]))\n(println \"mission\" {number})\n```"
            ),
            2 => format!(
                "(defn f-{number} [a] (get a :key-{number} 1)) (def y-{number} (pmap (fn [n] (tool/clerk {{:id n}})) [{number} 2 3]))"
            ),
            3 => format!(
                "(def z-{number} [(tool/tone {{:id {number}}}) (tool/sign {{:id {number}}}) (re-seq #\"[a-z]{pattern}\" \"a{number}\")]) (count 5)"
            ),
            4 => format!(
                "(def q-{number} (atom {{}})) (swap! q-{number} assoc :k{number} (range 20)) (sort-by :a (map (fn [i] {{:a i}}) (range 30)))"
            ),
            _ => "(return {:sum (reduce + (range 10))})".to_owned(),
        },
    };
    Reply { tokens: Some(Tokens { input: 100, output: 20, ..Tokens::default() }), ..Reply::text(content) }
}
