//! A custom way to show history: the definitions, and of the newest turns only how they ended.
//!
//! `tests/custom_strategy.rs` checks it against the rules of all strategies.

use std::sync::Arc;

use ptc_runner::chat::{Part, Role};
use ptc_runner::compression::words::{SampleLimits, user_section};
use ptc_runner::compression::{RenderInput, Rendered, closing_parts};
use ptc_runner::lisp::Memory;
use ptc_runner::mission::join_sections;
use ptc_runner::prelude::*;
use ptc_runner::transcript::Turn;
use serde_json::json;

/// One line for each of the newest turns.
pub struct Outline;

/// Without a limit requests would grow with the number of turns.
const TURNS: usize = 20;

impl Compression for Outline {
    fn name(&self) -> &str {
        "outline"
    }

    fn to_messages(&self, turns: &[Turn], memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        let samples = SampleLimits::default();
        let lines = turns.iter().skip(turns.len().saturating_sub(TURNS)).map(|turn| {
            let end = turn.error_reason().map_or("ok".to_owned(), |reason| format!("failed with {reason}"));
            format!(";; Turn {}: {end}", turn.number())
        });
        let outline = lines.collect::<Vec<_>>().join("\n");
        let history = [user_section(memory, Some(samples)), (!outline.is_empty()).then_some(outline)];
        let changing = join_sections(history.into_iter().chain(closing_parts(turns, input)));
        // The stable part first: it is the same in every request, so that providers can cache it.
        let parts = input.opening(samples, true).into_iter().chain([Part::changing(format!("\n\n{changing}"))]);
        vec![Message::new(Role::User, parts.collect::<Vec<_>>())].into()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let agent = Agent::builder("How many nights are booked?").compression(Outline).build()?;
    let programs = ["(def nights (map :nights data/stays))", "(sum-up nights)", "(return (apply + nights))"];
    let llm = Arc::new(ScriptedLlm::replies(programs));
    let step = blocking::run(&agent, &llm, json!({"stays": [{"nights": 2}, {"nights": 3}]}))?;
    if let Some(message) = llm.requests().last().and_then(|request| request.messages.last()) {
        println!("{}", message.content());
    }
    println!("-> {}", step.value::<u32>()?);
    Ok(())
}
