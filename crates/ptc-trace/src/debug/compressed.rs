//! The view as a model sees it.

use ptc_compression::{Compression, Redactor, RenderInput, SingleUserCoalesced};
use ptc_lisp::Memory;
use ptc_transcript::Step;

use super::paper::{Ink, Paper};
use crate::record::role;

/// One box with the messages that the default strategy makes of all turns.
pub(super) fn write(step: &Step, paper: &mut Paper) {
    let Some(turns) = step.turns.as_deref() else {
        return paper.remark("No turns kept (tracing was off or nothing ran yet)");
    };
    let input = RenderInput {
        tools: &step.tools,
        signature: step.signature.as_ref(),
        field_descriptions: &step.field_descriptions,
        context_descriptions: &step.context_descriptions,
        turns_left: step.max_turns.unwrap_or(0).saturating_sub(turns.len()),
        ..RenderInput::new(&step.mission, &step.data)
    };
    let mut messages = SingleUserCoalesced::default().to_messages(turns, &step.memory, &input).messages;
    // What was hidden from the model stays hidden.
    let mut redactor = Redactor::new(&step.data, &Memory::default());
    turns.iter().for_each(|turn| redactor.observe(turn));
    redactor.redact_messages(&mut messages);
    paper.begin("Compressed View");
    paper.label("[system]");
    paper.block(Ink::Prose, 2, "(static system prompt)");
    for message in &messages {
        paper.label(&format!("[{}]", role(message.role)));
        paper.block(Ink::Plain, 2, &message.content());
    }
    paper.end();
}
