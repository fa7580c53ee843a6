//! How much a model should think, in the terms of its provider.

#[cfg(test)]
mod tests;

use genai::chat::ReasoningEffort as Wire;
use ptc_chat::{ModelOptions, ReasoningEffort};

use crate::adapter::Effort;
use crate::spec::Target;

/// The minimum budget that Anthropic accepts.
const LEAST: u32 = 1024;

/// The effort by its name, or as a budget of tokens for models that accept only that. A budget is at most half of the
/// tokens of the reply: it is part of them, and the answer needs tokens, too.
pub(crate) fn effort(options: &ModelOptions, target: &Target) -> Option<Wire> {
    let effort = options.reasoning_effort?;
    let Effort::Budget { zero, .. } = target.row().effort.of(&target.model) else {
        return Some(by_name(effort));
    };
    let budget = match effort {
        ReasoningEffort::None if zero => return Some(Wire::Budget(0)),
        ReasoningEffort::None => return Some(Wire::Zero),
        ReasoningEffort::Minimal | ReasoningEffort::Low => LEAST,
        ReasoningEffort::High | ReasoningEffort::Max => 24 * LEAST,
        _ => 8 * LEAST,
    };
    Some(Wire::Budget(budget.min(options.max_output_tokens / 2).max(LEAST)))
}

fn by_name(effort: ReasoningEffort) -> Wire {
    match effort {
        ReasoningEffort::None => Wire::Zero,
        ReasoningEffort::Minimal => Wire::Minimal,
        ReasoningEffort::Low => Wire::Low,
        ReasoningEffort::High => Wire::High,
        ReasoningEffort::Max => Wire::Max,
        _ => Wire::Medium,
    }
}
