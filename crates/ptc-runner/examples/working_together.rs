//! Agents that work together: one after another, one for each part of the data, one that calls itself, and one whose
//! program is written once.

use std::sync::Arc;

use ptc_runner::agent::{AsTool, then};
use ptc_runner::chat::ScriptedLlm;
use ptc_runner::prelude::*;
use serde_json::json;

type Failure = Box<dyn std::error::Error>;

/// A scripted model, so that this runs anywhere; `connect("ollama:qwen3")?` asks a real one.
fn scripted(programs: &[&str]) -> RunOptions {
    RunOptions { llm: Some(Arc::new(ScriptedLlm::replies(programs.iter().copied()))), ..RunOptions::default() }
}

/// The answer of the first agent is the data of the second.
async fn chained(options: RunOptions) -> Result<String, Failure> {
    let pick = Agent::builder("Which guest stays longest?")
        .signature("{guest :string, nights :int}")
        .field_descriptions([("nights", "longest stay")])
        .build()?;
    let greet = Agent::builder("Greet {{guest}} in one line").signature("(guest :string, nights :int) -> :string").build()?;
    let stays = Context::new(json!({"stays": [{"guest": "Ines", "nights": 2}, {"guest": "Oto", "nights": 9}]}))?;
    let longest = pick.run_with(stays, options.clone()).await?;
    Ok(then(longest, &greet, options).await?.value()?)
}

/// A worker agent reads each part; the program of the first agent puts their answers together.
async fn map_reduce(options: RunOptions) -> Result<u32, Failure> {
    let worker = Agent::builder("How many complaints are in {{text}}?")
        .signature("(text :string) -> :int")
        .description("Counts the complaints in one text")
        .max_turns(2)
        .build()?;
    let agent = Agent::builder("How many complaints are there in all texts?")
        .tool(worker.as_tool(AsTool::named("complaints"))?)
        .returns::<u32>()
        .build()?;
    let texts = Context::new(json!({"texts": ["too loud, too cold", "lovely", "too small"]}))?;
    let step = agent.run_with(texts, options).await?;
    assert_eq!(step.child_steps.len(), 3);
    Ok(step.value()?)
}

/// The agent hands halves of its input to itself until they are small enough; `max_depth` ends it in any case.
async fn recursive(options: RunOptions) -> Result<u32, Failure> {
    let agent = Agent::builder("Sum up {{numbers}}")
        .signature("(numbers [:int]) -> :int")
        .self_tool("sum")
        .max_depth(4)
        .shared_turn_budget(true)
        .build()?;
    let step = agent.run_with(Context::new(json!({"numbers": [1, 2, 3, 4]}))?, options).await?;
    Ok(step.value()?)
}

/// A model writes the program once; afterwards it runs without one.
async fn compiled(options: RunOptions) -> Result<Vec<f64>, Failure> {
    let agent = Agent::builder("Add 25 % VAT to {{net}}").signature("(net :float) -> :float").max_turns(1).build()?;
    let vat = agent.compile(Context::new(json!({"net": 100.0}))?, options).await?;
    let mut gross = Vec::new();
    for net in [8.0, 20.0] {
        let step = vat.execute(Context::new(json!({ "net": net }))?, RunOptions::default()).await?;
        gross.push(step.value()?);
    }
    Ok(gross)
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let pick = "(return (select-keys (apply max-key :nights data/stays) [:guest :nights]))";
    let greet = r#"(return (str "Welcome, " data/guest "! " data/nights " nights, how nice."))"#;
    println!("chained: {}", chained(scripted(&[pick, greet])).await?);

    let count = r#"(return (count (re-seq #"too" data/text)))"#;
    let spread = "(return (reduce + (map (fn [text] (tool/complaints {:text text})) data/texts)))";
    println!("map-reduce: {} complaints", map_reduce(scripted(&[spread, count, count, count])).await?);

    let split = "(def half (quot (count data/numbers) 2))
                 (return (if (< half 1)
                           (first data/numbers)
                           (+ (tool/sum {:numbers (take half data/numbers)}) (tool/sum {:numbers (drop half data/numbers)}))))";
    println!("recursive: {}", recursive(scripted(&[split; 7])).await?);

    println!("compiled: {:?}", compiled(scripted(&["(* 1.25 data/net)"])).await?);
    Ok(())
}
