//! Agents one after another: the answer of each is the data of the next, and what a field means travels with it.

use std::sync::Arc;

use ptc_runner::agent::{run_or_error, then_or_error};
use ptc_runner::prelude::*;
use serde_json::{Value as Json, json};

/// Who stays longest, what that costs, and what we write to them.
async fn letter(stays: Json, options: RunOptions) -> Result<String, Box<dyn std::error::Error>> {
    let pick = Agent::builder("Which guest stays longest? Fail when there is none.")
        .signature("{guest :string, nights :int}")
        .field_descriptions([("nights", "of the longest stay")])
        .build()?;
    let price = Agent::builder("What does the stay of {{guest}} cost at 60 euros a night?")
        .signature("(guest :string, nights :int) -> {guest :string, total :float}")
        .build()?;
    let greet =
        Agent::builder("Thank {{guest}} in one line").signature("(guest :string, total :float) -> :string").build()?;

    let longest = run_or_error(&pick, json!({ "stays": stays }), options.clone()).await?;
    let priced = then_or_error(longest, &price, options.clone()).await?;
    Ok(then_or_error(priced, &greet, options).await?.value()?)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A scripted model, so that this runs anywhere; `connect("ollama:qwen3")?` asks a real one.
    let pick = "(if (empty? data/stays)
                  (fail {:reason :no-stays :message \"nobody is booked\"})
                  (return (select-keys (apply max-key :nights data/stays) [:guest :nights])))";
    let price = "(return {:guest data/guest :total (* 60.0 data/nights)})";
    let greet = r#"(return (str "Dear " data/guest ", thank you for " data/total " euros!"))"#;
    let llm = Arc::new(ScriptedLlm::replies([pick, price, greet, pick]));
    let options = RunOptions::new().llm(llm.clone());

    let stays = json!([{"guest": "Ines", "nights": 2}, {"guest": "Oto", "nights": 9}]);
    println!("{}", letter(stays, options.clone()).await?);
    if let Some(message) = llm.requests().get(1).and_then(|request| request.messages.first()) {
        println!("{}", message.content().lines().find(|line| line.starts_with("data/nights")).unwrap_or_default());
    }
    // Without an answer the chain ends where it is: later agents are not asked.
    if let Err(error) = letter(json!([]), options).await {
        println!("{error}, {} requests", llm.requests().len());
    }
    Ok(())
}
