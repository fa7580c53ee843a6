//! The scenarios of the loop, each with a scripted model.

mod cache;
mod checked;
mod constrained;
mod continued;
mod counting;
mod endings;
mod foreign;
mod history;
mod laws;
mod modes;
mod options;
mod past;
mod programs;
mod requirements;

use std::sync::Arc;

use ptc_chat::{LlmError, Reply, Request, ScriptedLlm};
use ptc_transcript::{Step, StepJson, Turn, ValueForm};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use crate::testing::ended;
use crate::{Agent, AgentBuilder, Context, FnTool, RunOptions, ToolError};

#[derive(Deserialize, JsonSchema)]
struct Stay {
    room: i64,
    nights: i64,
}

#[derive(Serialize, JsonSchema)]
struct Quote {
    total: f64,
}

#[derive(Deserialize, JsonSchema)]
struct Nothing {}

/// The agent of most scenarios: five turns and two tools.
fn agent() -> AgentBuilder {
    let quote = |stay: Stay| async move {
        let known =
            (1..=99).contains(&stay.room).then_some(stay.nights).ok_or_else(|| ToolError::new("no such room"))?;
        Ok::<_, ToolError>(Quote { total: known as f64 * 89.5 })
    };
    let fail = |_: Nothing| Err::<(), _>(ToolError::new("the desk is closed"));
    Agent::builder("Which bookings fit into the limit?")
        .tool(FnTool::new("quote-room", "Price of a stay", quote))
        .tool(FnTool::new("fail-now", "Always fails", fail))
}

fn bookings() -> Json {
    json!({
        "bookings": [{"guest": "Ines", "nights": 3}, {"guest": "Oto", "nights": 1}, {"guest": "Rui", "nights": 9}, {"guest": "Ada", "nights": 2}],
        "limit": 250,
    })
}

/// The outcome of a scripted run.
struct Seen {
    step: Step,
    requests: Vec<Request>,
}

/// Run an agent over the bookings with these programs, each in a fence.
fn check(agent: AgentBuilder, programs: &[&str]) -> Seen {
    let answers = programs.iter().map(|program| format!("```clojure\n{program}\n```"));
    check_raw(agent, answers.map(|answer| Ok(Reply::from(answer))).collect(), bookings(), RunOptions::default())
}

fn check_raw(agent: AgentBuilder, answers: Vec<Result<Reply, LlmError>>, data: Json, options: RunOptions) -> Seen {
    let llm = Arc::new(ScriptedLlm::new(answers));
    let options = options.llm(llm.clone());
    let agent = agent.build().expect("a valid agent");
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().expect("a runtime");
    let step = runtime.block_on(agent.run_with(Context::new(data).expect("data"), options)).expect("a run");
    Seen { step, requests: llm.requests() }
}

impl Seen {
    fn json(&self) -> Json {
        StepJson::new(&self.step, ValueForm::Plain).to_json()
    }

    fn end(&self) -> String {
        ended(&self.step)
    }

    fn turn(&self, number: usize) -> &Turn {
        &self.step.turns()[number - 1]
    }

    /// `ok` or the reason, per turn.
    fn outcomes(&self) -> String {
        let outcome = |turn: &Turn| {
            let other = if turn.is_success() { "ok" } else { "fail" };
            turn.error_reason().map_or_else(|| other.to_owned(), String::from)
        };
        self.step.turns().iter().map(outcome).collect::<Vec<_>>().join(" ")
    }

    fn kinds(&self) -> String {
        self.step.turns().iter().map(|turn| turn.kind().as_str()).collect::<Vec<_>>().join(" ")
    }

    /// The last message of request `number`, from 1.
    fn last(&self, number: usize) -> String {
        self.requests[number - 1].messages.last().expect("a message").content().into_owned()
    }

    fn last_line(&self, number: usize) -> String {
        self.last(number).lines().last().unwrap_or_default().to_owned()
    }

    fn memory_names(&self, turn: usize) -> Vec<String> {
        self.turn(turn).memory().entries().iter().map(|entry| entry.name.clone()).collect()
    }
}
