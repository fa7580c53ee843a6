//! The forty scenarios of the loop: each is one scripted mission, found by its number.
//!
//! They share the bookings of a small hotel, a limit of 250 and a tool that prices a stay. Where a decision (`A-n`,
//! `L-n`) changed what a scenario first asked for, its test names it.
//!
//! Tests without a number are what programs that embed the libraries rely on: `typed` about tools and answers that are
//! types of Rust, `own_strategy` about a custom history, `embedding` about several agents.
//!
//! Other tests, next to what they are about, show what no single mission does: the laws of strategies
//! (`ptc-compression`, `laws.rs`), every way to print a trace (`ptc-trace`, `debug/tests.rs`), events and a log after a
//! panic (`trace.rs` here), agents that run without a model (`ptc-agent`, `compiled/tests.rs`), a strategy of a user
//! (the example `custom_strategy`).

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test fails where it stands")]

#[path = "scenarios/answers.rs"]
mod answers;
#[path = "scenarios/bounds.rs"]
mod bounds;
#[path = "scenarios/compressed.rs"]
mod compressed;
#[path = "scenarios/dialogue.rs"]
mod dialogue;
#[path = "scenarios/embedding.rs"]
mod embedding;
#[path = "scenarios/modes.rs"]
mod modes;
#[path = "scenarios/names.rs"]
mod names;
#[path = "scenarios/own_strategy.rs"]
mod own_strategy;
#[path = "scenarios/programs.rs"]
mod programs;
#[path = "scenarios/records.rs"]
mod records;
#[path = "scenarios/typed.rs"]
mod typed;

use std::sync::Arc;

use ptc_runner::agent::AgentBuilder;
use ptc_runner::chat::{Reply, Request, ScriptedLlm};
use ptc_runner::prelude::*;
use ptc_runner::transcript::{Turn, ValueForm, json_of};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

const FINAL: &str = "FINAL TURN - you must call (return result) or (fail reason) now.";

#[derive(Deserialize, JsonSchema)]
struct Stay {
    #[allow(dead_code, reason = "every room costs the same")]
    room: i64,
    nights: i64,
}

#[derive(Serialize, JsonSchema)]
struct Quote {
    total: f64,
}

#[derive(Deserialize, JsonSchema)]
struct Nothing {}

fn quote_room() -> FnTool {
    #[allow(clippy::cast_precision_loss, reason = "a few nights")]
    FnTool::new("quote-room", "Price of a stay", |stay: Stay| {
        Ok::<_, ToolError>(Quote { total: stay.nights as f64 * 89.5 })
    })
}

fn fail_now() -> FnTool {
    FnTool::new("fail-now", "Always fails", |_: Nothing| Err::<(), _>(ToolError::new("the desk is closed")))
}

/// The agent of most scenarios: five turns and one tool.
fn agent() -> AgentBuilder {
    Agent::builder("Which bookings fit into the limit?").tool(quote_room())
}

fn data() -> Json {
    json!({
        "bookings": [{"guest": "Ines", "nights": 3}, {"guest": "Oto", "nights": 1}, {"guest": "Rui", "nights": 9}, {"guest": "Ana", "nights": 2}],
        "limit": 250,
    })
}

/// A scripted run and what the model was sent.
struct Played {
    step: Step,
    requests: Vec<Request>,
}

/// Run an agent over the bookings; each answer of the model is one of these programs in a fence.
fn play(agent: AgentBuilder, programs: &[&str]) -> Played {
    play_on(agent, data(), programs.iter().map(|program| fenced(program)))
}

/// The same over other data, with whole answers.
fn play_on<R: Into<Reply>>(agent: AgentBuilder, data: Json, answers: impl IntoIterator<Item = R>) -> Played {
    let llm = Arc::new(ScriptedLlm::replies(answers));
    let options = RunOptions::new().llm(llm.clone());
    let step = run(agent, Context::new(data).unwrap(), options);
    Played { step, requests: llm.requests() }
}

/// Run an agent under a clock that jumps over every wait.
fn run(agent: AgentBuilder, context: Context, options: RunOptions) -> Step {
    let agent = agent.build().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    runtime.block_on(agent.run_with(context, options)).unwrap()
}

fn fenced(program: &str) -> String {
    format!("```clojure\n{program}\n```")
}

impl Played {
    /// How the run ended: the ending with the answer as JSON, or with the reason and the message of the failure.
    fn end(&self) -> String {
        end(&self.step)
    }

    /// Turn `number`, from 1.
    fn turn(&self, number: usize) -> &Turn {
        &self.step.turns()[number - 1]
    }

    /// `ok` or the reason, turn by turn.
    fn outcomes(&self) -> String {
        let outcome = |turn: &Turn| turn.error_reason().map_or_else(|| "ok".to_owned(), String::from);
        self.step.turns().iter().map(outcome).collect::<Vec<_>>().join(" ")
    }

    /// From which budget each turn was paid.
    fn kinds(&self) -> String {
        self.step.turns().iter().map(|turn| turn.kind().as_str()).collect::<Vec<_>>().join(" ")
    }

    /// The last message of request `number`, from 1.
    fn message(&self, number: usize) -> String {
        self.requests[number - 1].messages.last().unwrap().content().into_owned()
    }

    /// The line in that message that starts like this.
    fn line(&self, number: usize, start: &str) -> String {
        self.message(number).lines().find(|line| line.starts_with(start)).unwrap_or_default().to_owned()
    }

    fn last_line(&self, number: usize) -> String {
        self.message(number).lines().last().unwrap_or_default().to_owned()
    }

    /// The definitions after turn `number`.
    fn defined(&self, number: usize) -> Vec<String> {
        self.turn(number).memory().entries().iter().map(|entry| entry.name.clone()).collect()
    }

    /// Everything that was sent.
    fn sent(&self) -> String {
        serde_json::to_string(&self.requests).unwrap()
    }
}

fn end(step: &Step) -> String {
    let ending = step.ending.as_str();
    match &step.result {
        Ok(value) => format!("{ending} {}", json_of(value, ValueForm::Plain)),
        Err(fail) => format!("{ending} {fail}"),
    }
}
