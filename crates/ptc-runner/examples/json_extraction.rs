//! Facts out of a letter: the model answers with JSON of a Rust type, and corrects what does not fit.

use ptc_runner::chat::OutputMode;
use ptc_runner::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

#[derive(Debug, Deserialize, JsonSchema)]
struct Stay {
    guest: String,
    nights: u32,
    breakfast: Option<bool>,
}

const LETTER: &str = "Dear hotel, Ines stays for three nights, without breakfast. Oto comes for one.";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let agent = Agent::builder("Which stays does this letter ask for?\n\n{{letter}}")
        .signature("(letter :string) -> [:map]")
        .returns::<Vec<Stay>>()
        .field_descriptions([("nights", "how long the guest stays")])
        .output(OutputMode::Json)
        .max_turns(3)
        .build()?;

    // What a model might say: the first answer has a number in words.
    let llm = ScriptedLlm::replies([
        r#"Here it is: {"items": [{"guest": "Ines", "nights": "three", "breakfast": false}]}"#,
        r#"{"items": [{"guest": "Ines", "nights": 3, "breakfast": false}, {"guest": "Oto", "nights": 1}]}"#,
    ]);
    let step = blocking::run(&agent, &llm, json!({ "letter": LETTER }))?;

    if let Some(problem) = step.turns().iter().find_map(|turn| turn.error_message()) {
        println!("corrected: {problem}");
    }
    for stay in step.value::<Vec<Stay>>()? {
        let breakfast = stay.breakfast.map_or("not said", |wanted| if wanted { "yes" } else { "no" });
        println!("{}: {} nights, breakfast {breakfast}", stay.guest, stay.nights);
    }
    Ok(())
}
