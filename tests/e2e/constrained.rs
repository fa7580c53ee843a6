//! Whatever a small model writes, a constrained answer is a program that passes the static check.

use std::sync::{Arc, Mutex};

use ptc_runner::chat::{ModelOptions, Reply, Request, StopReason, llm_async_fn};
use ptc_runner::lisp::{Session, SessionOptions, ToolError, Value};
use ptc_runner::mission::SystemPromptOptions;
use ptc_runner::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::server::Server;

const MISSIONS: [&str; 5] = [
    "How many products cost more than 100?",
    "Return the name of the cheapest product.",
    "Return the sum of the prices, with tax from tool/tax for each price.",
    "Group the products by whether they cost more than 100, and return how many each group has.",
    "Print the names, then return the mean price.",
];

/// Short, because a small model reads slowly.
const SYSTEM: &str = "You write one program in PTC-Lisp, which is Clojure. (return v) ends the mission.";

/// Answers that are asked for: `PTC_LLM_E2E_ANSWERS`, or 20.
fn answers() -> usize {
    std::env::var("PTC_LLM_E2E_ANSWERS").ok().and_then(|text| text.parse().ok()).unwrap_or(20)
}

fn products() -> serde_json::Value {
    json!({"products": [{"name": "lamp", "price": 40}, {"name": "desk", "price": 340}, {"name": "rug", "price": 99}]})
}

#[derive(Deserialize, JsonSchema)]
struct Sale {
    price: f64,
    year: Option<u32>,
}

fn tax() -> FnTool {
    let rate = |sale: &Sale| if sale.year.is_some_and(|year| year < 2020) { 0.16 } else { 0.19 };
    FnTool::new("tax", "Tax on a price", move |sale: Sale| Ok::<_, ToolError>(sale.price * rate(&sale)))
}

#[tokio::test]
async fn every_constrained_answer_passes_the_static_check() {
    if super::is_skipped() {
        return;
    }
    let server = Server::start();
    let llm = connect(&format!("{}/v1#smollm2", server.url())).unwrap();
    let heard: Arc<Mutex<Vec<Reply>>> = Arc::default();
    let listening = Arc::clone(&heard);
    let llm = llm_async_fn("listening", move |request: Request| {
        let (llm, heard) = (Arc::clone(&llm), Arc::clone(&listening));
        async move {
            assert!(request.grammar.is_some());
            let reply = llm.reply(&request, None).await?;
            heard.lock().unwrap().push(reply.clone());
            Ok(reply)
        }
    });
    let (wanted, mut seen, mut returned, mut bytes) = (answers(), 0, 0, 0);
    for seed in 0.. {
        let options = ModelOptions {
            temperature: Some(0.8),
            seed: Some(seed),
            max_output_tokens: 1_000,
            ..ModelOptions::default()
        };
        let agent = Agent::builder(MISSIONS[seed as usize % MISSIONS.len()])
            .system_prompt(SystemPromptOptions::Text(SYSTEM.to_owned()))
            .tool(tax())
            .max_turns(2)
            .retry_turns(0)
            .model_options(options)
            .grammar(true)
            .build()
            .unwrap();
        let step = agent.run(&llm, products()).await.unwrap();
        returned += usize::from(step.ending.as_str() == "return");
        let Value::Map(data) = Value::from_json(products()) else { panic!("an object") };
        let tools = agent.tools();
        let mut session = Session::new(SessionOptions { data, tools, ..SessionOptions::default() });
        for reply in std::mem::take(&mut *heard.lock().unwrap()) {
            let program = &reply.content;
            assert_eq!(reply.stop, StopReason::End, "cut off: {program}");
            let checked = session.check(program);
            assert!(checked.is_ok(), "{program}\n{}", ptc_runner::lisp::problems_text(&checked.unwrap_err()));
            session.run(program, &mut |_| Err(ToolError::new("not here")));
            (seen, bytes) = (seen + 1, bytes + program.len());
            if seen <= 5 {
                println!("{program}\n");
            }
        }
        if seen >= wanted {
            break;
        }
    }
    println!("{seen} answers pass the static check, {} bytes each; {returned} runs returned", bytes / seen);
}
