//! A custom provider: anything that answers requests is a model, and may stream its answer.

use ptc_runner::chat::{ChunkSink, LlmErrorKind, Tokens};
use ptc_runner::prelude::*;

/// Answers by rules instead of a network: it looks for a number that the mission asks about.
struct Rules {
    name: String,
}

impl Rules {
    fn program(request: &Request) -> Result<String, LlmError> {
        let mission = request.messages.first().map(|message| message.content().into_owned()).unwrap_or_default();
        let verb = ["sum", "count"].into_iter().find(|verb| mission.contains(verb));
        match verb {
            Some("sum") => Ok("(return (apply + data/prices))".to_owned()),
            Some(_) => Ok("(return (count data/prices))".to_owned()),
            // The kind says whether another attempt is worth it.
            None => Err(LlmError::new(LlmErrorKind::ConfigError, "these rules know sums and counts only")),
        }
    }
}

impl Llm for Rules {
    fn reply<'a>(
        &'a self,
        request: &'a Request,
        chunks: Option<&'a mut dyn ChunkSink>,
    ) -> BoxFuture<'a, Result<Reply, LlmError>> {
        Box::pin(async move {
            let program = Rules::program(request)?;
            if let Some(chunks) = chunks {
                program.split_inclusive(' ').for_each(|word| chunks.chunk(word));
            }
            let tokens = Tokens { input: 100, output: 8, ..Tokens::default() };
            Ok(Reply { tokens: Some(tokens), ..program.as_str().into() })
        })
    }

    fn name(&self) -> &str {
        &self.name
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let llm = Rules { name: "rules:1".to_owned() };
    for mission in ["What is the sum of all prices?", "Give the count of prices.", "Which price is odd?"] {
        let agent = Agent::builder(mission).signature(":int").build()?;
        let step = agent.run(&llm, serde_json::json!({"prices": [90, 120, 60]})).await?;
        match step.value::<u32>() {
            Ok(answer) => println!("{mission} {answer} ({} tokens)", step.usage.total_tokens.unwrap_or_default()),
            Err(failure) => println!("{mission} {failure}"),
        }
    }
    Ok(())
}
