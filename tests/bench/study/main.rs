//! The scripted missions of `tests/study` under every way of showing history, in figures.
//!
//! `cargo run -p ptc-tests --example study-figures` runs each mission once, without compression and without a process, renders its
//! requests in all ways, and prints one JSON object, [`Study`]. `cargo xtask study` makes a page of it.

mod measure;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use ptc_runner::chat::ReplayLlm;
use ptc_runner::compression::{O200k, Strategy, TokenCounter};
use ptc_runner::config::MissionFile;
use ptc_runner::prelude::*;
use ptc_runner::trace::replay::{ClearedOutputs, Prices, SlidingWindow};
use ptc_tests::study::{NONE, Price, Study};

/// What goes wrong here is a defect of the measurement: its text is all that anyone needs.
pub(crate) type Res<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// One list of each shape: writing to the cache costs extra; it is free and reading costs a tenth; the same and a quarter.
const MODELS: [&str; 3] = ["claude-sonnet-4.5", "gpt-5", "gpt-4.1"];

/// The mission that is drawn.
const DRAWN: &str = "incident";

/// As many turns as a request of the sliding window shows, and outputs as the other one leaves.
pub(crate) const WINDOW: usize = 10;
pub(crate) const OUTPUTS: usize = 3;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match study().await.and_then(|study| Ok(serde_json::to_string(&study)?)) {
        Ok(figures) => {
            println!("{figures}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("study-figures: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn study() -> Res<Study> {
    let prices: Vec<Prices> = MODELS.iter().map(|model| model.parse()).collect::<Result<_, _>>()?;
    let price = |p: &Prices| Price { name: p.name.clone(), input: p.input, cached: p.cached, write: p.write, output: p.output };
    let window = format!("{} {WINDOW}", SlidingWindow::NAME);
    let cleared = format!("{} {OUTPUTS}", ClearedOutputs::NAME);
    let ways = [NONE, &window, &cleared].into_iter().chain(Strategy::NAMES.iter().copied()).map(str::to_owned).collect();
    let mut study = Study {
        counter: O200k.name().to_owned(),
        ways,
        default: Strategy::default().name().to_owned(),
        prices: prices.iter().map(price).collect(),
        missions: Vec::new(),
        drawn: DRAWN.to_owned(),
        picture: String::new(),
    };
    for name in names()? {
        let step = run(&name).await.map_err(|error| format!("{name}: {error}"))?;
        let measured = measure::mission(&name, &step, &study.ways, &prices)?;
        if name == DRAWN {
            study.picture = measured.picture;
        }
        study.missions.push(measured.mission);
    }
    Ok(study)
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("study")
}

fn names() -> Res<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder())? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

/// The run of a mission with its recorded answers; one that does not end with its result would measure something else.
async fn run(name: &str) -> Res<Step> {
    let mut mission = MissionFile::load(folder().join(name).join("mission.toml"))?;
    mission.agent.compression = None;
    // So that the step has the system text, too.
    mission.agent.collect_messages = true;
    let agent = mission.build_agent(&mission.limits())?;
    let llm: Arc<dyn Llm> = Arc::new(ReplayLlm::open(mission.replay.as_ref().ok_or("no recorded answers")?)?);
    let options = RunOptions { llm: Some(llm), ..mission.run_options() };
    let step = agent.run_with(Context::from_map(mission.data_map()), options).await?;
    if step.ending != EndingKind::Return {
        return Err(format!("ended with {:?}", step.ending).into());
    }
    Ok(step)
}
