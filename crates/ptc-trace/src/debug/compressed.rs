//! The view as a model sees it.

use ptc_chat::OutputMode;
use ptc_compression::{CompressionConfig, Strategy};
use ptc_transcript::Step;

use super::paper::{BoxWriter, Ink};
use crate::replay::{RenditionError, recorded_uses, request_behind};

/// One box with the messages that the strategy of the run builds from all turns, if the model wrote programs:
/// strategies show nothing else.
pub(super) fn write(step: &Step, paper: &mut BoxWriter) {
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
    if step.turns.is_none() {
        return paper.remark("No turns kept (tracing was off or nothing ran yet)");
    }
    let shown = shown_as(step).and_then(|(config, remark)| Ok((request_behind(step, &config)?.messages, remark)));
    let (messages, remark) = match shown {
        Ok(shown) => shown,
        Err(problem) => return paper.remark(&format!("No compressed view: {problem}")),
    };
    paper.begin("Compressed View");
    if let Some(remark) = remark {
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

/// How the last request of the run showed its history. Runs without compression, and runs that do not record it, get
/// the view of the default strategy, with a remark.
fn shown_as(step: &Step) -> Result<(CompressionConfig, Option<String>), RenditionError> {
    let default = Strategy::default();
    let of_default = |why: &str| {
        let remark = Some(format!("(as `{}` would show it: {why})", default.name()));
        (default.clone().into(), remark)
    };
    if step.compression.is_empty() {
        return Ok(of_default("the step does not say how the run was shown"));
    }
    let last = recorded_uses(step, &[])?.pop().map(|(_, config)| (config.strategy(), config));
    let Some((Some(strategy), config)) = last else { return Ok(of_default("the run sent the dialogue as it is")) };
    let remark = (strategy.name() != default.name()).then(|| format!("(as `{}` shows it)", strategy.name()));
    Ok((config, remark))
}
