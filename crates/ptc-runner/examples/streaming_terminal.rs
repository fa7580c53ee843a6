//! A terminal that shows programs while a model writes them, the calls that they make, and the answer.

use std::io::Write;
use std::sync::Arc;

use ptc_runner::lisp::text::display_text;
use ptc_runner::prelude::*;

/// Prints what happens, as it happens.
fn show(event: &Event) {
    match &event.kind {
        EventKind::RunStart { agent, .. } => println!("run {}: up to {} turns", event.run, agent.max_turns),
        EventKind::LlmStart { turn, model, .. } => println!("\nturn {turn}, {model} writes"),
        EventKind::LlmChunk { text, .. } => {
            print!("{text}");
            // A piece does not end its line: show it before the next one arrives.
            let _ = std::io::stdout().flush();
        }
        EventKind::LlmStop { response, .. } => {
            println!("{}", response.as_ref().err().map(ToString::to_string).unwrap_or_default())
        }
        EventKind::ToolStart { tool_name, args } => print!("  {tool_name} {}", display_text(args)),
        EventKind::ToolStop { result, .. } => println!(" -> {}", display_text(result)),
        EventKind::ToolException { reason, .. } => println!(" failed: {reason}"),
        EventKind::TurnStop { record: Some(turn), .. } => {
            turn.prints().iter().for_each(|line| println!("  {line}"));
            turn.error_message().iter().for_each(|error| println!("  {error}"));
        }
        EventKind::RunStop { step, .. } => match step.value::<u32>() {
            Ok(total) => println!("\n{total}"),
            Err(failure) => println!("\nno answer: {failure}"),
        },
        _ => {}
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rate = FnTool::new("rate", "Euros for a night", || Ok::<_, ToolError>(90));
    let agent = Agent::builder("What do 3 nights cost?").tool(rate).returns::<u32>().build()?;
    // Each answer of a scripted model is one piece; `connect("ollama:qwen3")?` writes word by word.
    let llm = ScriptedLlm::replies(["(def night (tool/rate))\n(println \"a night:\" night)", "(return (* 3 night))"]);
    let options = RunOptions::new().llm(Arc::new(llm)).run_id("r1").stream(true).observers(vec![Arc::new(show)]);
    agent.run_with((), options).await?;
    Ok(())
}
