//! The view as a model sees it.

use ptc_chat::OutputMode;
use ptc_compression::{Compression, Redactor, SingleUserCoalesced};
use ptc_transcript::{Step, Turn};

use super::paper::{Ink, Paper};
use crate::replay::render_input;

/// One box with the messages that the default strategy makes of all turns, when the model wrote programs: strategies show nothing else.
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
    // Progress is the one of the last request: what the last turn added to it is not known.
    let progress = turns.last().map(Turn::progress).unwrap_or_default();
    let input = render_input(step, turns.len(), progress);
    let mut messages = SingleUserCoalesced::default().to_messages(turns, &step.memory, &input).messages;
    // What was hidden from the model stays hidden.
    let mut redactor = Redactor::new(&step.data, &step.memory_at_start);
    turns.iter().for_each(|turn| redactor.observe(turn));
    redactor.redact_messages(&mut messages);
    paper.begin("Compressed View");
    paper.label("[system]");
    paper.block(Ink::Prose, 2, "(static system prompt)");
    for message in &messages {
        paper.label(&format!("[{}]", message.role.as_str()));
        paper.block(Ink::Plain, 2, &message.content());
    }
    paper.end();
}
