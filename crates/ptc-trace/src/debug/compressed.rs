//! The view as a model sees it.

use std::sync::Arc;

use ptc_chat::OutputMode;
use ptc_compression::{Compression, Redactor, Strategy};
use ptc_transcript::{Step, Turn};

use super::paper::{Ink, Paper};
use crate::replay::{ReplayError, recorded_uses, render_input};

/// One box with the messages that the strategy of the run makes of all turns, when the model wrote programs: strategies
/// show nothing else.
pub(super) fn write(step: &Step, paper: &mut Paper) {
    let answers = match step.output {
        OutputMode::Json => Some("JSON"),
        OutputMode::Text => Some("text"),
        _ => None,
    };
    if let Some(answers) = answers {
        return paper.remark(&format!(
            "No compressed view: the model of this run wrote no programs but {answers}, and was shown the dialogue as it is; the view turn by turn, raw, has the answers"
        ));
    }
    let Some(turns) = step.turns.as_deref() else {
        return paper.remark("No turns kept (tracing was off or nothing ran yet)");
    };
    let shown = match shown_as(step) {
        Ok(shown) => shown,
        Err(problem) => return paper.remark(&format!("No compressed view: {problem}")),
    };
    // Progress is the one of the last request: what the last turn added to it is not known.
    let progress = turns.last().map(Turn::progress).unwrap_or_default();
    let input = render_input(step, turns.len(), progress);
    let mut messages = shown.strategy.to_messages(turns, &step.memory, &input).messages;
    // What was hidden from the model stays hidden.
    let mut redactor = Redactor::new(&step.data, &step.memory_at_start);
    turns.iter().for_each(|turn| redactor.observe(turn));
    redactor.redact_messages(&mut messages);
    paper.begin("Compressed View");
    if let Some(remark) = shown.remark {
        paper.block(Ink::Prose, 0, &remark);
    }
    paper.label("[system]");
    paper.block(Ink::Prose, 2, "(static system prompt)");
    for message in &messages {
        paper.label(&format!("[{}]", message.role.as_str()));
        paper.block(Ink::Plain, 2, &message.content());
    }
    paper.end();
}

/// A way of showing history, and what must be known of it.
struct Shown {
    strategy: Arc<dyn Compression>,
    remark: Option<String>,
}

/// How the last request of the run showed its history. Of a run without compression, and of one that does not say it,
/// there is the view of the default strategy.
fn shown_as(step: &Step) -> Result<Shown, String> {
    let of_default = |why: &str| {
        let default = Strategy::default();
        Shown {
            strategy: default.to_compression(),
            remark: Some(format!("(as `{}` would show it: {why})", default.name())),
        }
    };
    if step.compression.is_empty() {
        return Ok(of_default("the step does not say how the run was shown"));
    }
    let uses = recorded_uses(step).map_err(|problem| problem.to_string())?;
    let last = uses.last().map(|(_, config)| (config.strategy(), config.ceiling().is_some()));
    match last {
        Some((Some(_), true)) if step.system.is_none() => Err(ReplayError::NoSystemText.to_string()),
        Some((Some(strategy), _)) => {
            let remark =
                (strategy.name() != Strategy::default().name()).then(|| format!("(as `{}` shows it)", strategy.name()));
            Ok(Shown { strategy, remark })
        }
        _ => Ok(of_default("the run sent the dialogue as it is")),
    }
}
