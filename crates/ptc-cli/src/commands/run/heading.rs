//! What stands above the story of a run: what is to be done, and who is asked.

use ptc_runner::config::{MissionFile, ModelName, RunModels};
use ptc_runner::lisp::{Value, one_line, shortened};
use ptc_runner::mission::MissionExpander;

use crate::output::{Ink, Line, counted};

/// Characters shown of a mission.
const MAX_MISSION: usize = 600;

/// The mission and its model.
pub(super) fn lines(mission: &MissionFile, models: &RunModels, model: &str) -> [Line; 2] {
    let model = match &models.first {
        ModelName::Replay(file) => {
            let file = file.strip_prefix(".").unwrap_or(file);
            format!("answers recorded in {}, no model is asked", file.display())
        }
        _ => format!("model {model}"),
    };
    let turns = counted(mission.agent.max_turns, "turn");
    let data = Value::Map(mission.data_map());
    let text = MissionExpander::expand_mission(&mission.agent.mission, &data, mission.agent.mission_values);
    [
        Line::default()
            .with(Ink::Strong, mission.path.display().to_string())
            .with(Ink::Faint, format!(" · {model} · at most {turns}")),
        Line::default().with(Ink::Plain, shortened(&one_line(&text), MAX_MISSION)),
    ]
}

/// Whether all answers are recorded ones.
pub(super) fn asks_nobody(models: &RunModels) -> bool {
    let below = models.below.iter().map(|(_, model)| model);
    std::iter::once(&models.first).chain(below).all(|model| matches!(model, ModelName::Replay(_)))
}
