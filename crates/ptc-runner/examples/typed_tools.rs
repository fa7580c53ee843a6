//! An agent with a typed tool: Rust types become the signature that the model reads, and the answer is a Rust value.

use std::collections::HashMap;
use std::sync::Arc;

use ptc_runner::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Comments, variants and defaults reach the model: the line of the tool has the last two, `(doc tool/price)` has all.
#[derive(Deserialize, JsonSchema)]
struct Stay {
    /// Name of the room, such as `attic`
    room: String,
    /// Nights, one at least
    nights: u32,
    /// What is served
    #[serde(default)]
    meals: Meals,
}

#[derive(Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Meals {
    #[default]
    None,
    Breakfast,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Cheapest {
    guest: String,
    total: f64,
}

type Rates = Arc<HashMap<&'static str, f64>>;

async fn price(rates: Rates, stay: Stay) -> Result<f64, ToolError> {
    let rate = rates.get(stay.room.as_str()).ok_or_else(|| ToolError::new(format!("no room {}", stay.room)))?;
    let meals = match stay.meals {
        Meals::None => 0.0,
        Meals::Breakfast => 9.5,
    };
    Ok((rate + meals) * f64::from(stay.nights))
}

async fn cheapest_stay(llm: &dyn Llm) -> Result<Cheapest, Box<dyn std::error::Error>> {
    let rates: Rates = Arc::new(HashMap::from([("attic", 60.0), ("sea-view", 120.0)]));
    let agent = Agent::builder("Which of the bookings is the cheapest?")
        .tool(FnTool::with_state("price", "Price of a stay", rates, price))
        .returns::<Cheapest>()
        .compression(true)
        .build()?;
    let bookings = json!([
        {"guest": "Ines", "room": "sea-view", "nights": 2},
        {"guest": "Oto", "room": "attic", "nights": 3},
    ]);
    let step = agent.run(llm, json!({ "bookings": bookings })).await?;
    Ok(step.value()?)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A scripted model, so that this runs anywhere; `connect("ollama:qwen3")?` asks a real one.
    let llm = ScriptedLlm::replies([
        "(def priced (map (fn [b] (assoc b :total (tool/price {:room (:room b) :nights (:nights b)}))) data/bookings))",
        "(return (select-keys (apply min-key :total priced) [:guest :total]))",
    ]);
    let stay = cheapest_stay(&llm).await?;
    println!("{} pays {:.2}", stay.guest, stay.total);
    Ok(())
}
