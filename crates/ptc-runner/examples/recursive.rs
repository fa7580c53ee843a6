//! An agent that calls itself: input too long to be read at once goes in halves to the same agent, until the parts are
//! short.

use ptc_runner::chat::llm_fn;
use ptc_runner::prelude::*;
use serde_json::json;

/// How many runs there were, the first included.
fn runs(step: &Step) -> usize {
    1 + step.child_steps.iter().map(runs).sum::<usize>()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let agent =
        Agent::builder("How many of data/lines tell of a lost key? Read up to 50 lines yourself, hand halves of more to tool/count-lost.")
            .signature("(lines [:string]) -> :int")
            .self_tool("count-lost")
            // 400 lines are halved three times. The bounds hold whatever the model writes.
            .max_depth(4)
            .turn_budget(40)
            .shared_turn_budget(true)
            .build()?;

    // A scripted model, so that this runs anywhere; `connect("ollama:qwen3")?` asks a real one.
    let program = r#"
        (def n (count data/lines))
        (return (if (> n 50)
                  (reduce + (pmap (fn [half] (tool/count-lost {:lines half})) (partition-all (quot (inc n) 2) data/lines)))
                  (count (filter (fn [line] (str/includes? line "lost the key")) data/lines))))"#;
    let llm = llm_fn("scripted", move |_: &Request| Ok(program.into()));

    let line = |day: u32| {
        if day.is_multiple_of(75) {
            format!("day {day}: lost the key again")
        } else {
            format!("day {day}: nothing new")
        }
    };
    let lines: Vec<String> = (1..=400).map(line).collect();
    let step = blocking::run(&agent, &llm, json!({ "lines": lines }))?;
    println!("{} lost keys in {} lines, counted by {} runs", step.value::<u32>()?, lines.len(), runs(&step));
    Ok(())
}
