//! Typed tools and a typed answer: the model reads the types of Rust, with comments and defaults, and what does not fit.

use std::sync::Arc;

use ptc_runner::agent::Effect;
use ptc_runner::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Urgency {
    Low,
    High,
    OnFire,
}

/// The line of the tool shows types, variants, defaults and limits; `(doc tool/find)` has the comments, too.
#[derive(Deserialize, JsonSchema)]
struct Find {
    /// Words that must all occur
    text: String,
    /// At most this many
    #[serde(default = "twenty")]
    #[schemars(range(min = 1, max = 100))]
    limit: u32,
}

fn twenty() -> u32 {
    20
}

#[derive(Serialize, JsonSchema)]
struct Ticket {
    id: u32,
    urgency: Urgency,
    /// Name, and days that it waits
    waits: (String, f64),
}

async fn find(tickets: Arc<Vec<(u32, &'static str)>>, asked: Find) -> Result<Vec<Ticket>, ToolError> {
    let found = tickets.iter().filter(|(_, text)| asked.text.split_whitespace().all(|word| text.contains(word)));
    let ticket = |(id, _): &(u32, &str)| Ticket { id: *id, urgency: Urgency::Low, waits: ("Ines".to_owned(), 1.5) };
    Ok(found.take(asked.limit as usize).map(ticket).collect())
}

/// What to do with a ticket: a value of one of several kinds.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Action {
    Ignore,
    Raise { ticket: u32, to: Urgency },
    Answer { ticket: u32, text: String },
}

async fn act(action: Action) -> Result<String, ToolError> {
    match action {
        Action::Ignore => Ok("nothing".to_owned()),
        Action::Raise { ticket, to } => Ok(format!("{ticket} is {to:?}")),
        Action::Answer { ticket: 0, .. } => Err(ToolError::new("tickets begin with 1")),
        Action::Answer { ticket, text } => Ok(format!("{ticket}: {text}")),
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Report {
    done: Vec<String>,
    highest: Urgency,
    #[serde(default)]
    remarks: Vec<String>,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tickets = Arc::new(vec![(1, "printer smokes"), (2, "mouse squeaks"), (3, "toaster smokes")]);
    let agent = Agent::builder("Find what smokes and raise it.")
        .tool(FnTool::with_state("find", "Finds tickets", tickets, find).effect(Effect::Read))
        .tool(FnTool::new("act", "Does something with a ticket", act))
        .returns::<Report>()
        .build()?;
    // A scripted model, so that this runs anywhere: it passes nil for what it does not have, and gets two variants wrong.
    let llm = ScriptedLlm::replies([
        "(tool/act {:kind :rise :ticket 1 :to :on-fire})",
        "(def ids (map :id (tool/find {:text \"smokes\" :limit nil})))\n(def done (mapv (fn [id] (tool/act {:kind :raise :ticket id :to :on-fire})) ids))",
        "(return {:done done :highest :burning})",
        "(return {:done done :highest :on-fire :remarks nil})",
    ]);
    let step = agent.run(&llm, json!({})).await?;
    for (request, turn) in llm.requests().iter().zip(step.turns()) {
        let asked = request.messages.first().map(|message| message.content().into_owned()).unwrap_or_default();
        let lines = asked.lines().filter(|line| line.starts_with("tool/") || line.starts_with("The answer must"));
        lines.filter(|_| turn.number() == 1).for_each(|line| println!("{line}"));
        turn.error_message().into_iter().for_each(|told| println!("turn {} was told: {told}", turn.number()));
    }
    let Report { done, highest, remarks } = step.value()?;
    println!("{done:?}, {highest:?}, {} remarks", remarks.len());
    Ok(())
}
