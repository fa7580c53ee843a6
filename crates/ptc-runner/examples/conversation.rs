//! A conversation with an agent that writes programs, with what each message cost: definitions stay from message to message, and
//! an agent that is called as a tool is counted, too.

use std::sync::Arc;

use ptc_runner::agent::Conversation;
use ptc_runner::agent::{Effect, SubagentOptions};
use ptc_runner::chat::{ChunkSink, Tokens};
use ptc_runner::compression::Digest;
use ptc_runner::prelude::*;
use ptc_runner::trace::replay::{PriceList, Prices};
use serde_json::json;

/// Recorded answers have no token counts: this model counts four bytes as one.
struct Counted(ScriptedLlm);

impl Llm for Counted {
    fn reply<'a>(
        &'a self,
        request: &'a Request,
        chunks: Option<&'a mut dyn ChunkSink>,
    ) -> BoxFuture<'a, Result<Reply, LlmError>> {
        Box::pin(async move {
            let reply = self.0.reply(request, chunks).await?;
            let read = request.system.len() + request.messages.iter().map(|it| it.content().len()).sum::<usize>();
            let tokens = Tokens { input: read as u64 / 4, output: reply.content.len() as u64 / 4, ..Tokens::default() };
            Ok(Reply { tokens: Some(tokens), ..reply })
        })
    }

    fn name(&self) -> &str {
        "openai:gpt-5-mini"
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tone = Agent::builder("How does this sound? {{text}}")
        .description("Tone of a text")
        .signature("(text :string) -> #{:angry :calm}")
        .max_turns(2)
        .build()?;
    let desk = Agent::builder("You help the desk of a small hotel with its notes.")
        .tool(tone.as_tool(SubagentOptions { effect: Some(Effect::Read), ..SubagentOptions::named("tone") })?)
        .compression(Digest::default())
        .build()?;
    let llm = Arc::new(Counted(ScriptedLlm::replies([
        "(def toned (mapv (fn [note] (assoc note :tone (tool/tone {:text (:text note)}))) data/notes))\n(return (map :text (filter #(= :angry (:tone %)) toned)))",
        "(return :angry)",
        "(return :calm)",
        "(return (:guest (first (filter #(= :angry (:tone %)) toned))))",
        "(return (str (:guest (first toned)) \", we are sorry.\"))",
    ])));
    let notes = json!({"notes": [{"guest": "Ines", "text": "Again no towels!"}, {"guest": "Oto", "text": "Thanks."}]});
    let options = RunOptions::new().llm(llm.clone());
    let prices = PriceList::builtin().of_run(llm.name()).ok_or("a model without a price")?;

    // Each message is a run that continues the one before; what was said is appended, so that the text before it stays cached.
    let mut said = Conversation::start("Which notes are angry?");
    let mut step = desk.run_with(notes.clone(), options.clone().follow_up(said.text())).await?;
    let mut cost = report(&step, prices)?;
    for text in ["Who wrote the first of them?", "Write her one sentence."] {
        println!("> {text}");
        let more = options.clone().follow_up(said.say(&step, text));
        step = desk.continue_from(&step, notes.clone(), more).await?;
        cost += report(&step, prices)?;
    }
    println!("less than a cent together: {}", cost < 0.01);
    let last = llm.0.requests().pop().and_then(|request| Some(request.messages.last()?.content().into_owned()));
    let shown = last.unwrap_or_default();
    shown
        .lines()
        .filter(|line| line.starts_with("You returned") || line.starts_with("The user"))
        .for_each(|line| println!("{line}"));
    Ok(())
}

/// The answer, and what it cost in USD.
fn report(step: &Step, prices: &Prices) -> Result<f64, Box<dyn std::error::Error>> {
    let (tokens, called) = (step.total_tokens(), step.child_steps.len());
    println!("{}", step.value::<serde_json::Value>()?);
    println!(
        "  {} turns, {called} called agents, counted {}",
        step.turns().len(),
        tokens.input > 0 && tokens.output > 0
    );
    Ok(prices.cost(&tokens))
}
