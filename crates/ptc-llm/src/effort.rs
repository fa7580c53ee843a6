//! How much a model should think, in the terms of its provider.

#[cfg(test)]
mod tests;

use genai::adapter::AdapterKind;
use genai::chat::ReasoningEffort as Wire;
use ptc_chat::{ModelOptions, ReasoningEffort};

use crate::spec::Target;

/// The minimum budget that Anthropic accepts.
const LEAST: u32 = 1024;

/// The effort by its name, or as a budget of tokens for models that accept only that. A budget is at most half of the
/// tokens of the reply: it is part of them, and the answer needs tokens, too.
pub(crate) fn effort(options: &ModelOptions, target: &Target) -> Option<Wire> {
    let effort = options.reasoning_effort?;
    if !thinks_by_budget(target) {
        return Some(by_name(effort));
    }
    let budget = match effort {
        ReasoningEffort::None if target.adapter == AdapterKind::Gemini => return Some(Wire::Budget(0)),
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

/// Later models of both providers take a name.
fn thinks_by_budget(target: &Target) -> bool {
    let has = |part: &&str| target.model.contains(part);
    match target.adapter {
        AdapterKind::Gemini => has(&"gemini-2.5"),
        AdapterKind::Anthropic => {
            let budget = ["claude-3-7", "claude-haiku-4", "claude-sonnet-4", "claude-opus-4"];
            let name = ["sonnet-4-6", "opus-4-5", "opus-4-6", "opus-4-7", "opus-4-8", "opus-4-9"];
            budget.iter().any(has) && !name.iter().any(has)
        }
        _ => false,
    }
}
