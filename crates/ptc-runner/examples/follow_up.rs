//! Follow-up questions: a second run that uses what the first one defined, also from a file, and a conversation.

use std::sync::Arc;

use ptc_runner::agent::chat;
use ptc_runner::prelude::*;
use ptc_runner::transcript::{StepJson, ValueForm};
use serde_json::json;

type Failure = Box<dyn std::error::Error>;

/// A scripted model, so that this runs anywhere; `connect("ollama:qwen3")?` asks a real one.
fn scripted(answers: &[&str]) -> (RunOptions, Arc<ScriptedLlm>) {
    let llm = Arc::new(ScriptedLlm::replies(answers.iter().copied()));
    (RunOptions::new().llm(llm.clone()), llm)
}

fn stays() -> serde_json::Value {
    json!({"stays": [{"guest": "Ines", "nights": 2}, {"guest": "Oto", "nights": 9}]})
}

/// The first question: its program leaves a function.
async fn first() -> Result<Step, Failure> {
    let (options, _) =
        scripted(&["(defn price \"Euros\" [stay] (* 90 (:nights stay)))\n(return (price (first data/stays)))"]);
    let step = Agent::builder("What does Ines pay?").returns::<u32>().build()?.run_with(stays(), options).await?;
    println!("Ines pays {}", step.value::<u32>()?);
    Ok(step)
}

/// The second question: the model sees what is defined.
async fn second(step: &Step) -> Result<(), Failure> {
    let (options, llm) = scripted(&["(return (apply + (map price data/stays)))"]);
    let agent = Agent::builder("And all together?").returns::<u32>().build()?;
    let next = agent.continue_from(step, stays(), options).await?;
    let requests = llm.requests();
    let messages = requests.first().map(|request| request.messages.as_slice()).unwrap_or_default();
    let asked = messages.first().map(|message| message.content().into_owned()).unwrap_or_default();
    let shown = asked.lines().find(|line| line.starts_with("(price")).unwrap_or_default();
    println!("the model is shown: {shown}");
    println!("all pay {}", next.value::<u32>()?);
    Ok(())
}

/// A step that was written to a file, as `ptc mission result --json --typed` does.
fn through_a_file(step: &Step) -> Result<Step, Failure> {
    let text = StepJson::new(step, ValueForm::Typed).to_json().to_string();
    Ok(StepJson::parse(&text)?.to_step()?)
}

/// Text for text: the history is passed from call to call.
async fn conversation() -> Result<(), Failure> {
    let (options, _) = scripted(&["From 7 to 10.", "Yes, also on Sundays."]);
    let desk = Agent::builder("You help guests of a small hotel.").build()?;
    let mut history = Vec::new();
    for question in ["When is breakfast?", "Every day?"] {
        let (answer, said) = chat(&desk, question, history, options.clone()).await?;
        println!("{question} {answer}");
        history = said;
    }
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let step = first().await?;
    second(&step).await?;
    second(&through_a_file(&step)?).await?;
    conversation().await
}
