//! The course of a chain of agents.

use ptc_compression::words::grouped;
use ptc_lisp::text::{FormatOptions, format_with};
use ptc_transcript::Step;

use super::paper::{BoxWriter, Ink};

/// One box with a paragraph per step.
pub(super) fn chain(steps: &[Step], mut paper: BoxWriter) -> String {
    paper.begin("Agent Chain");
    for (place, step) in steps.iter().enumerate() {
        if place > 0 {
            paper.block(Ink::Arrow, 2, "v");
        }
        paragraph(step, place + 1, steps.len(), &mut paper);
    }
    paper.end();
    paper.into_text()
}

fn paragraph(step: &Step, number: usize, of: usize, paper: &mut BoxWriter) {
    let status = if step.is_ok() { "ok" } else { "X" };
    paper.label(&format!("{status} Step {number}/{of}"));
    match &step.result {
        Ok(value) => {
            let shown = format_with(value, &FormatOptions::tool_args(), step.memory.shown_names());
            paper.block(Ink::Plain, 2, &format!("Return: {}", shown.text));
        }
        Err(fail) => {
            paper.block(Ink::Plain, 2, &format!("Error: {}", fail.reason));
            paper.block(Ink::Plain, 2, &format!("Message: {}", fail.message));
        }
    }
    let (turns, duration) = (step.usage.turns, grouped(step.usage.duration_ms));
    paper.block(Ink::Prose, 2, &format!("Turns: {turns} | Duration: {duration} ms"));
}
