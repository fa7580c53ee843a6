//! The missions of `tests/study` under every way of showing history, in figures.
//!
//! `cargo run -p ptc-tests --example study-figures` runs each mission once, without compression and in this process,
//! renders its requests in all ways, and prints one JSON object, [`Study`]. `cargo xtask study` makes a page of it.
//! With `ratios` after `--` only the ways that are compared with aims are measured, and their ratios printed.

mod measure;
mod ratios;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use ptc_runner::agent::{Approval, Decision};
use ptc_runner::chat::ReplayLlm;
use ptc_runner::compression::{O200k, Strategy, TokenCounter};
use ptc_runner::config::MissionFile;
use ptc_runner::mission::LanguageChoice;
use ptc_runner::prelude::*;
use ptc_runner::trace::replay::{ClearedOutputs, Prices, SlidingWindow};
use ptc_runner::transcript::EndingKind;
use ptc_tests::study::{DIGEST, NONE, NONE_FULL, Price, Study};

use measure::MeasuredMission;

/// Errors here are defects of the measurement: their text is enough.
pub(crate) type Res<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// One list of each shape: writing to the cache costs extra; it is free and reading costs a tenth; the same and a
/// quarter.
const MODELS: [&str; 3] = ["claude-sonnet-4.5", "gpt-5", "gpt-4.1"];

/// The mission that is drawn.
const DRAWN: &str = "incident";

/// The folder of the missions whose answers a model wrote.
const LIVE: &str = "live";

/// The name of the longest system text.
const FULL: &str = "full";

/// The number of turns that a request of the sliding window shows, and of outputs that the other baseline leaves.
pub(crate) const WINDOW: usize = 10;
pub(crate) const OUTPUTS: usize = 3;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let text = match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] => study(all_ways()).await.and_then(|study| Ok(serde_json::to_string(&study)?)),
        ["ratios"] => {
            study([NONE, NONE_FULL, DIGEST].map(str::to_owned).to_vec()).await.map(|study| ratios::of(&study))
        }
        _ => Err("usage: study-figures [ratios]".into()),
    };
    match text {
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

/// The baselines, then every strategy.
fn all_ways() -> Vec<String> {
    let window = format!("{} {WINDOW}", SlidingWindow::NAME);
    let cleared = format!("{} {OUTPUTS}", ClearedOutputs::NAME);
    [NONE, NONE_FULL, &window, &cleared].into_iter().chain(Strategy::NAMES.iter().copied()).map(str::to_owned).collect()
}

async fn study(ways: Vec<String>) -> Res<Study> {
    let prices: Vec<Prices> = MODELS.iter().map(|model| model.parse()).collect::<Result<_, _>>()?;
    let price =
        |p: &Prices| Price { name: p.name.clone(), input: p.input, cached: p.cached, write: p.write, output: p.output };
    let scripted = measured(&folder(), &ways, &prices).await?;
    let live = measured(&folder().join(LIVE), &ways, &prices).await?;
    let picture =
        scripted.iter().find(|measured| measured.mission.name == DRAWN).map(|measured| measured.picture.clone());
    Ok(Study {
        counter: O200k.name().to_owned(),
        ways,
        default: Strategy::default().name().to_owned(),
        prices: prices.iter().map(price).collect(),
        missions: scripted.into_iter().map(|measured| measured.mission).collect(),
        live: live.into_iter().map(|measured| measured.mission).collect(),
        drawn: DRAWN.to_owned(),
        picture: picture.ok_or_else(|| format!("there is no mission `{DRAWN}` to draw"))?,
    })
}

/// The missions in a folder, in the order of their names.
async fn measured(folder: &Path, ways: &[String], prices: &[Prices]) -> Res<Vec<MeasuredMission>> {
    let mut measured = Vec::new();
    for name in names(folder)? {
        let run = run(&folder.join(&name)).await.map_err(|error| format!("{name}: {error}"))?;
        measured.push(measure::mission(&name, &run, ways, prices)?);
    }
    Ok(measured)
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("study")
}

/// The folders that have a mission.
fn names(folder: &Path) -> Res<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.path().join("mission.toml").is_file() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

/// What is measured of one run.
pub(crate) struct Run {
    /// With the default system text.
    pub(crate) step: Step,
    /// The longest system text that the agent could have.
    pub(crate) full: String,
}

/// The run of a mission with its recorded answers; one that does not end with its result would measure something else.
async fn run(folder: &Path) -> Res<Run> {
    let mut mission = MissionFile::load(folder.join("mission.toml"))?;
    mission.agent.compression = false.into();
    // So that the step also has the system text.
    mission.run.collect_messages = true;
    let agent = mission.build_agent(&mission.limits())?;
    let llm: Arc<dyn Llm> = Arc::new(ReplayLlm::open(mission.replay.as_ref().ok_or("no recorded answers")?)?);
    let all: fn(&Approval) -> Vec<Decision> = |waiting| waiting.ids().iter().map(|_| Decision::Approve).collect();
    let options = mission.run_options().llm(llm).approval(Arc::new(all));
    let step = agent.run_with(Context::from_map(mission.data_map()), options).await?;
    if step.ending != EndingKind::Return {
        return Err(format!("ended with {:?}: {:?}", step.ending, step.fail()).into());
    }
    let choice = LanguageChoice::from(FULL);
    mission.agent.system_prompt =
        mission.agent.system_prompt.with_language_spec(choice).ok_or("the mission has a system text of its own")?;
    let agent = mission.build_agent(&mission.limits())?;
    let full = agent.system_prompt()?.text;
    Ok(Run { step, full })
}
