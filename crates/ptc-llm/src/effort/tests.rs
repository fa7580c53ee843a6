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
    let target =
        Target { adapter: AdapterKind::OpenAI, model: "m".into(), place: Place::Provider { key: None, base: None } };
    assert!(effort(&ModelOptions::default(), &target).is_none());
}
