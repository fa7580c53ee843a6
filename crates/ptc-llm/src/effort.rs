//! How much a model should think, in the terms of its provider.

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

#[cfg(test)]
mod tests {
    use genai::adapter::AdapterKind;
    use genai::chat::ReasoningEffort as Wire;
    use ptc_chat::{ModelOptions, ReasoningEffort};

    use super::effort;
    use crate::spec::{Place, Target};

    fn check(adapter: AdapterKind, model: &str, wanted: ReasoningEffort, max_output_tokens: u32) -> String {
        let target = Target { adapter, model: model.into(), place: Place::Provider { key: None, base: None } };
        let options = ModelOptions { reasoning_effort: Some(wanted), max_output_tokens, ..ModelOptions::default() };
        match effort(&options, &target) {
            Some(Wire::Budget(tokens)) => format!("{tokens} tokens"),
            Some(named) => named.to_string(),
            None => "nothing".to_owned(),
        }
    }

    #[test]
    fn a_budget_leaves_room_for_the_answer() {
        use ReasoningEffort::{High, Low, Medium, None};
        let claude = |wanted, most| check(AdapterKind::Anthropic, "claude-sonnet-4-5-20250929", wanted, most);
        assert_eq!(
            [claude(Low, 4096), claude(Medium, 4096), claude(High, 64_000)],
            ["1024 tokens", "2048 tokens", "24576 tokens"]
        );
        assert_eq!(claude(High, 1500), "1024 tokens");
        assert_eq!(claude(None, 4096), "zero");
        assert_eq!(check(AdapterKind::Gemini, "gemini-2.5-flash", None, 4096), "0 tokens");
        assert_eq!(check(AdapterKind::Gemini, "gemini-2.5-flash", High, 4096), "2048 tokens");
    }

    #[test]
    fn other_models_are_told_the_name() {
        let high = |adapter, model| check(adapter, model, ReasoningEffort::High, 4096);
        for model in ["claude-opus-4-5", "claude-opus-4-6", "claude-sonnet-4-6", "claude-sonnet-5"] {
            assert_eq!(high(AdapterKind::Anthropic, model), "high", "{model}");
        }
        assert_eq!(high(AdapterKind::Gemini, "gemini-3-pro-preview"), "high");
        assert_eq!(high(AdapterKind::OpenAI, "gpt-5"), "high");
        let target = Target {
            adapter: AdapterKind::OpenAI,
            model: "m".into(),
            place: Place::Provider { key: None, base: None },
        };
        assert!(effort(&ModelOptions::default(), &target).is_none());
    }
}
