//! Map and reduce: a long text is cut into chunks, a worker agent reads each of them, in parallel, and the program of
//! another agent puts their answers together.

use ptc_runner::agent::{ChunkUnit, Chunker, SubagentOptions};
use ptc_runner::chat::{OutputMode, llm_fn};
use ptc_runner::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize, JsonSchema)]
struct Complaint {
    about: String,
    rooms: Vec<u32>,
}

/// A page of the guest book with one line per room.
fn guest_book() -> String {
    let line = |room: u32| match room % 20 {
        0 => format!("Room {room}: too loud\n"),
        7 => format!("Room {room}: too cold\n"),
        _ => format!("Room {room}: lovely\n"),
    };
    (1..=60).map(line).collect()
}

/// Replaces a model that reads: the complaints in a request, as JSON. `connect("ollama:qwen3")?` asks a real one.
fn read(request: &Request) -> String {
    let text = request.messages.first().map(|message| message.content().into_owned()).unwrap_or_default();
    let complaint = |line: &str| {
        let (room, about) = line.strip_prefix("Room ")?.split_once(": too ")?;
        Some(json!({"room": room.parse::<u32>().ok()?, "about": about}))
    };
    json!({"items": text.lines().filter_map(complaint).collect::<Vec<_>>()}).to_string()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let worker = Agent::builder("Which complaints are in this part of the guest book?\n\n{{text}}")
        .signature("(text :string) -> [{room :int, about :string}]")
        .description("Finds the complaints in a part of the guest book")
        .output(OutputMode::Json)
        .max_turns(2)
        .build()?;
    let agent = Agent::builder(
        "What do guests complain about, and in which rooms? Let tool/complaints read all chunks at once.",
    )
    .tool(worker.as_tool(SubagentOptions::named("complaints"))?)
    .returns::<Vec<Complaint>>()
    .build()?;

    let llm = llm_fn("scripted", |request: &Request| {
        let reduce =
            "(def found (apply concat (pmap (fn [chunk] (tool/complaints {:text (:text chunk)})) data/chunks)))
                      (return (for [[about all] (group-by :about found)] {:about about :rooms (map :room all)}))";
        Ok(if request.agent.is_some() { read(request).into() } else { reduce.into() })
    });
    let chunks = Chunker::new(ChunkUnit::Lines, 15, 0)?.chunks(&guest_book());
    let step = blocking::run(&agent, &llm, json!({ "chunks": chunks }))?;

    for complaint in step.value::<Vec<Complaint>>()? {
        println!("too {}: rooms {:?}", complaint.about, complaint.rooms);
    }
    println!("read by {} workers", step.child_steps.len());
    Ok(())
}
