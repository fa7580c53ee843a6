//! The parcels and the scales of all proofs, the same as in the examples of the texts.

use ptc_agent::{Agent, AgentBuilder, Context, FnTool, RunOptions};
use ptc_chat::{Request, ScriptedLlm};
use ptc_compression::{CompressionConfig, Strategy};
use ptc_lisp::signature::Signature;
use ptc_lisp::text::{FormatOptions, format};
use ptc_lisp::{Ending, Import, Session, SessionOptions, ToolCall, ToolError, ToolResult, ToolSpec, Value};
use ptc_transcript::Step;
use serde_json::{Value as Json, json};
use std::sync::Arc;

pub(crate) fn data() -> Json {
    json!({
        "parcels": [
            {"id": 1, "to": "Oslo", "kg": 2.5, "state": "sent"},
            {"id": 2, "to": "Rome", "kg": 1.0, "state": "waiting"},
            {"id": 3, "to": "Oslo", "kg": 4.0, "state": "sent"}
        ],
        "weigh-limit": 30,
        "order": {"items": [1, 2]},
        "vals": 5,
        "_key": "top secret",
    })
}

const WEIGH: &str = "(id :int) -> {id :int, kg :float}";

fn weigh(id: i64) -> Result<Value, ToolError> {
    if id < 0 {
        return Err(ToolError::new("no such parcel"));
    }
    Ok(Value::map_from([(Value::keyword("id"), Value::Int(id)), (Value::keyword("kg"), Value::Float(2.5))]))
}

fn id_of(args: &Value) -> i64 {
    match args.as_map().and_then(|args| args.get_named("id")) {
        Some(Value::Int(id)) => *id,
        _ => -1,
    }
}

/// A session over the world.
pub(crate) fn session() -> Session {
    let tools = ["weigh", "scale"].map(|name| ToolSpec::new(name).signature(Signature::parse(WEIGH).unwrap()));
    let mut data = data();
    data["scale"] = json!(1);
    let data = Import::uncounted().value(data);
    Session::new(SessionOptions {
        data: data.as_map().unwrap().clone(),
        tools: tools.to_vec(),
        ..SessionOptions::default()
    })
}

/// The result of a program, or its error.
pub(crate) fn outcome(program: &str) -> Result<String, String> {
    let mut call = |call: &ToolCall| -> ToolResult { weigh(id_of(&call.args)) };
    let outcome = session().run(program, &mut call);
    match &outcome.ending {
        Ending::Value(value) | Ending::Return(value) => Ok(format(value, &FormatOptions::full()).text),
        Ending::Fail(value) => Ok(format!("failed {}", format(value, &FormatOptions::full()).text)),
        other => Err(format!("{other:?}")),
    }
}

/// An agent that counts parcels and may weigh them.
pub(crate) fn agent() -> AgentBuilder {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Id {
        id: i64,
    }
    Agent::builder("How many of {{parcels}}?").tool(FnTool::new("weigh", "Weighs a parcel", |asked: Id| {
        if asked.id < 0 { Err(ToolError::new("no such parcel")) } else { Ok(json!({"id": asked.id, "kg": 2.5})) }
    }))
}

/// The requests and the outcome of a run.
pub(crate) struct Seen {
    pub(crate) step: Step,
    pub(crate) requests: Vec<Request>,
}

impl Seen {
    /// Everything that request `number` says to the model, from 1.
    pub(crate) fn request(&self, number: usize) -> String {
        let texts = self.requests[number - 1].messages.iter().map(|message| message.content().into_owned());
        texts.collect::<Vec<_>>().join("\n")
    }
}

/// Every way of showing history, the plain dialogue first.
pub(crate) fn histories() -> Vec<(&'static str, CompressionConfig)> {
    let with = Strategy::all().into_iter().map(|strategy| (strategy.name(), CompressionConfig::from(strategy)));
    [("none", CompressionConfig::from(false))].into_iter().chain(with).collect()
}

/// Run these programs as the answers of a model.
pub(crate) fn run(agent: AgentBuilder, programs: &[&str]) -> Seen {
    run_with(agent, programs, RunOptions::default())
}

/// The same for a run that keeps finished tasks.
pub(crate) fn run_with_tasks(agent: AgentBuilder, programs: &[&str]) -> Seen {
    run_with(agent, programs, RunOptions::new().tasks(Vec::new()))
}

fn run_with(agent: AgentBuilder, programs: &[&str], options: RunOptions) -> Seen {
    let llm = Arc::new(ScriptedLlm::replies(programs.iter().map(|program| format!("```clojure\n{program}\n```"))));
    let options = options.llm(llm.clone());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let step = runtime.block_on(agent.build().unwrap().run_with(Context::new(data()).unwrap(), options)).unwrap();
    Seen { step, requests: llm.requests() }
}
