//! What is shown above the story of a run: the mission, and the model.

use console::measure_text_width;
use ptc_runner::config::{MissionFile, ModelName, RunModels};
use ptc_runner::lisp::Value;
use ptc_runner::lisp::text::{one_line, shortened};
use ptc_runner::mission::MissionExpander;

use crate::output::{Ink, Line, counted};

/// Characters shown of a mission.
const MAX_MISSION: usize = 600;

/// The mission and its model, in lines of this many columns.
pub(super) fn lines(mission: &MissionFile, models: &RunModels, model: &str, width: Option<usize>) -> Vec<Line> {
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
    let first = Line::default()
        .with(Ink::Strong, mission.path.display().to_string())
        .with(Ink::Faint, format!(" · {model} · at most {turns}"));
    let text = shortened(&one_line(&text), MAX_MISSION).into_owned();
    let wrapped = wrapped(&text, width.unwrap_or(usize::MAX));
    std::iter::once(first).chain(wrapped.into_iter().map(|line| Line::default().with(Ink::Plain, line))).collect()
}

/// The words of a text in lines of this many columns, where they fit.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut().filter(|line| measure_text_width(line) + 1 + measure_text_width(word) <= width) {
            Some(line) => {
                line.push(' ');
                line.push_str(word);
            }
            None => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Whether all answers are recorded ones.
pub(super) fn asks_nobody(models: &RunModels) -> bool {
    let below = models.below.iter().map(|(_, model)| model);
    std::iter::once(&models.first).chain(below).all(|model| matches!(model, ModelName::Replay(_)))
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn words_are_kept_whole_where_they_fit() {
        assert_eq!(
            wrapped("Which of 日本 is the longest-of-all words?", 12),
            ["Which of", "日本 is the", "longest-of-all", "words?"]
        );
        assert_eq!(wrapped("one line", usize::MAX), ["one line"]);
        assert_eq!(wrapped("", 10), [""]);
    }
}
