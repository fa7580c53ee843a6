//! Load on one process: many agents at once, many tool calls in one program, long histories.
//!
//! `cargo run --release -p ptc-tests --example load` runs every part in its own process, so that none of them sees the
//! memory of another, and prints one JSON object:
//!
//! * `burst`: all agents start at once. CPU time of the process, agents per second of it, peak of its resident memory.
//! * `steady`: the agents start one by one at an even rate. How much longer than five answers of the model a mission
//!   takes.
//! * `idle`: all agents wait for the model. Growth of the resident memory per agent, its task included.
//! * `suspend`: a program makes 1,000 calls in `map` and in `pmap`. Time per call, less that of the same program
//!   without tools.
//! * `render`: one request after 100 turns with 1,000 calls, 1,000 prints and 50 definitions.
//!
//! A mission is 5 turns with 3 tool calls each. The model answers after 50 ms from a script and the tool at once, so
//! the measurement covers the loop, the interpreter and the runtime, but no network. `load PART [AGENTS [PER_SECOND]]`
//! runs one part.

mod agents;
mod process;
mod render;
mod suspend;

use std::process::{Command, ExitCode};

use serde_json::{Map, Value};

/// Errors here are defects of the measurement: their text is enough.
pub(crate) type Res<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

const PARTS: [&str; 5] = ["burst", "steady", "idle", "suspend", "render"];
const AGENTS: usize = 10_000;
const PER_SECOND: usize = 2_500;

/// The allocator of the command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let measured = match args.first() {
        Some(part) => part_of(part, args.get(1..).unwrap_or_default()),
        None => every_part(),
    };
    match measured {
        Ok(figures) => {
            println!("{figures}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("load: {error}");
            ExitCode::FAILURE
        }
    }
}

fn every_part() -> Res<Value> {
    let mut figures = Map::new();
    for part in PARTS {
        let output = Command::new(std::env::current_exe()?).arg(part).output()?;
        if !output.status.success() {
            return Err(format!("{part}: {}", String::from_utf8_lossy(&output.stderr)).into());
        }
        figures.insert(part.to_owned(), serde_json::from_slice(&output.stdout)?);
    }
    Ok(Value::Object(figures))
}

fn part_of(part: &str, args: &[String]) -> Res<Value> {
    let number = |at: usize, default: usize| args.get(at).map_or(Ok(default), |text| text.parse::<usize>());
    let (agents, per_second) = (number(0, AGENTS)?, number(1, PER_SECOND)?);
    match part {
        "burst" => agents::burst(agents),
        "steady" => agents::steady(agents, per_second),
        "idle" => agents::idle(agents),
        "suspend" => suspend::measure(),
        "render" => render::measure(),
        other => Err(format!("there is no part '{other}': name one of {}", PARTS.join(", ")).into()),
    }
}

#[cfg(test)]
mod tests {
    //! The same missions, few of them, on a clock that only runs while all tasks wait: their counts are exact.

    use std::collections::HashMap;
    use std::sync::Arc;
    use std::sync::atomic::Ordering;

    use tokio::task::JoinSet;
    use tokio::time::Instant;

    use crate::agents::{self, CALLS, LATENCY, Late, TOTAL, TURNS};

    const AGENTS: usize = 200;

    #[tokio::test(start_paused = true)]
    async fn many_agents_each_take_their_five_turns_and_nobody_waits_for_another() {
        let (agent, calls) = agents::agent().expect("an agent");
        let llm = Arc::new(Late::new(LATENCY));
        let mut missions = JoinSet::new();
        let began = Instant::now();
        for number in 0..AGENTS {
            missions.spawn(agents::mission(agent.clone(), Arc::clone(&llm), number));
        }
        let mut endings: HashMap<String, usize> = HashMap::new();
        while let Some(step) = missions.join_next().await {
            let step = step.expect("a mission that does not panic").expect("a mission that starts");
            assert_eq!(step.value::<i64>().expect("a number"), TOTAL);
            assert_eq!((step.usage.turns, step.usage.llm_requests), (TURNS, Some(TURNS as u64)));
            *endings.entry(step.ending.as_str().to_owned()).or_default() += 1;
        }
        assert_eq!(endings, HashMap::from([("return".to_owned(), AGENTS)]));
        assert_eq!(llm.requests.load(Ordering::Relaxed), AGENTS * TURNS);
        assert_eq!(calls.load(Ordering::Relaxed), AGENTS * TURNS * CALLS);
        assert_eq!(began.elapsed(), LATENCY * TURNS as u32);
    }
}
