//! A program that is written once: a model solves one case, and its program then runs on any number of others, without
//! a model, with the same tools, checks and limits.

use std::sync::Arc;

use ptc_runner::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Serialize, JsonSchema)]
struct Order {
    net: f64,
    country: &'static str,
}

#[derive(Deserialize, JsonSchema)]
struct Place {
    country: String,
}

fn vat_rate(place: Place) -> Result<f64, ToolError> {
    match place.country.as_str() {
        "Germany" => Ok(0.19),
        "Denmark" => Ok(0.25),
        other => Err(ToolError::new(format!("no rate for {other}"))),
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let agent = Agent::builder("What does this order cost with VAT, rounded to cents?")
        .signature("(order {net :float, country :string}) -> :float")
        .tool(FnTool::new("vat-rate", "VAT of a country, 0.2 for 20 %", vat_rate))
        .max_turns(1)
        .build()?;

    // A scripted model, so that this runs anywhere; `connect("ollama:qwen3")?` asks a real one.
    let program = "(def rate (tool/vat-rate {:country (:country data/order)}))
(return (/ (Math/round (* 100 (:net data/order) (+ 1 rate))) 100.0))";
    let llm = Arc::new(ScriptedLlm::replies([program]));
    let sample = json!({"order": Order { net: 10.0, country: "Germany" }});
    let compiled = agent.compile(sample, RunOptions::new().llm(llm.clone())).await?;
    println!("{}", compiled.source());

    let orders = [
        Order { net: 100.0, country: "Germany" },
        Order { net: 19.99, country: "Denmark" },
        Order { net: 5.0, country: "Atlantis" },
    ];
    for order in orders {
        let step = compiled.execute(json!({ "order": order }), RunOptions::default()).await?;
        match step.value::<f64>() {
            Ok(gross) => println!("{} in {}: {gross:.2}", order.net, order.country),
            Err(failure) => println!("{} in {}: {failure}", order.net, order.country),
        }
    }
    println!("asked the model {} time", llm.requests().len());
    Ok(())
}
