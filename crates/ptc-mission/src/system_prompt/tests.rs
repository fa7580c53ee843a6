//! Composition and customisation of the system text.

use insta::assert_snapshot;

use super::{
    LanguageChoice, LanguageFunction, PromptFacts, PromptOutput, PromptParts, SystemPrompt, SystemPromptOptions,
    TextFunction,
};
use crate::LanguageSpec;

fn render(options: &SystemPromptOptions, facts: &PromptFacts) -> String {
    let prompt = SystemPrompt::render(options, facts).unwrap();
    assert_eq!(prompt.cut, None);
    prompt.text
}

fn parts(parts: PromptParts) -> SystemPromptOptions {
    SystemPromptOptions::Parts(parts)
}

fn multi_turn() -> PromptFacts {
    PromptFacts { multi_turn: true, ..PromptFacts::default() }
}

/// The language choice leads to exactly this reference before the output format.
fn check_language(choice: LanguageChoice, reference: &str) {
    let options = parts(PromptParts { language_spec: Some(choice), ..PromptParts::default() });
    let text = render(&options, &multi_turn());
    assert_eq!(text.split("\n\n# Output format").next(), Some(reference));
}

/// Proves: BRK-005, ARC-008, AMB-012.
#[test]
fn default_is_reference_and_format() {
    for (facts, key) in [(multi_turn(), "lean"), (PromptFacts::default(), "lean_single_shot")] {
        let text = render(&SystemPromptOptions::Default, &facts);
        let format = text.strip_prefix(&format!("{}\n\n", LanguageSpec::get(key).unwrap())).unwrap();
        assert!(format.starts_with("# Output format\n\nAnswer with exactly one fenced block"));
        assert_eq!(text, render(&SystemPromptOptions::Default, &facts), "the text is stable");
    }
}

#[test]
fn sizes_suit_the_agent_and_other_keys_are_fixed() {
    let options = |key: &str| parts(PromptParts { language_spec: Some(key.into()), ..PromptParts::default() });
    let single = PromptFacts { has_plan: true, ..PromptFacts::default() };
    for size in ["lean", "full", "minimal", "brief"] {
        let [one, several] = [&single, &multi_turn()].map(|facts| render(&options(size), facts));
        assert!(one.contains("## One turn") && !one.contains("## Turns") && one.contains("(step-done"), "{size}");
        assert!(
            several.contains("## Turns") && !several.contains("## One turn") && !several.contains("(step-done"),
            "{size}"
        );
    }
    let fixed = render(&options("multi_turn"), &single);
    assert!(fixed.contains("## Turns") && !fixed.contains("(step-done"));
}

#[test]
fn another_reference_leaves_the_other_parts() {
    let clerk = parts(PromptParts {
        prefix: Some("You are a clerk.".into()),
        language_spec: Some("full".into()),
        ..PromptParts::default()
    });
    let minimal = render(&clerk.with_language_spec("minimal".into()).unwrap(), &multi_turn());
    assert!(minimal.starts_with("You are a clerk.\n\n# PTC-Lisp") && !minimal.contains("## Frequent mistakes"));
    let usual = SystemPromptOptions::Default.with_language_spec("lean".into()).unwrap();
    assert_eq!(render(&usual, &multi_turn()), render(&SystemPromptOptions::Default, &multi_turn()));
    assert!(
        SystemPromptOptions::Function(TextFunction::new(str::to_owned)).with_language_spec("lean".into()).is_none()
    );
}

/// Proves: ARC-008, AMB-012.
#[test]
fn nothing_stands_behind_the_format() {
    let text = render(&SystemPromptOptions::Default, &multi_turn());
    assert_snapshot!(text.split_once("# Output format").unwrap().1, @r"
    Answer with exactly one fenced block tagged `clojure` and nothing else: no text before or after it. Put reasoning in `;;` comments inside the block.

    ```clojure
    ;; what I know, what this step does
    (return {:answer 42})
    ```
    ");
}

#[test]
fn thinking_changes_only_the_format() {
    let plain = render(&SystemPromptOptions::Default, &multi_turn());
    let thinking = render(&SystemPromptOptions::Default, &PromptFacts { thinking: true, ..multi_turn() });
    let reference = |text: &str| text.split("# Output format").next().map(str::to_owned);
    assert_eq!(reference(&plain), reference(&thinking));
    assert!(thinking.contains("You may think in plain text first") && !plain.contains("think in plain text"));
}

#[test]
fn tasks_and_steps_are_taught_only_where_they_are_used() {
    let taught = |keeps_tasks, has_plan| {
        let text = render(&SystemPromptOptions::Default, &PromptFacts { keeps_tasks, has_plan, ..multi_turn() });
        (text.contains("(task "), text.contains("(step-done"))
    };
    for used in [(false, false), (true, false), (false, true), (true, true)] {
        assert_eq!(taught(used.0, used.1), used);
    }
}

/// Proves: ARC-008.
#[test]
fn parts_are_added_or_replaced() {
    let options = parts(PromptParts {
        prefix: Some("You are a clerk.".into()),
        suffix: Some("Be brief.".into()),
        language_spec: Some("Speak Lisp.".into()),
        output_format: Some("Code only.".into()),
    });
    assert_snapshot!(render(&options, &multi_turn()), @r"
    You are a clerk.

    Speak Lisp.

    Code only.

    Be brief.
    ");
    let empty =
        parts(PromptParts { prefix: Some(String::new()), suffix: Some(String::new()), ..PromptParts::default() });
    assert_eq!(render(&empty, &multi_turn()), render(&SystemPromptOptions::Default, &multi_turn()));
}

#[test]
fn language_by_key_text_or_function() {
    check_language("minimal".into(), &LanguageSpec::get("minimal").unwrap());
    check_language("My own reference.".into(), "My own reference.");
    let function = LanguageFunction::new(|facts| format!("multi: {}", facts.multi_turn));
    check_language(LanguageChoice::Function(function), "multi: true");
}

#[test]
fn unknown_language_key_lists_the_keys() {
    let options = parts(PromptParts { language_spec: Some("maximal".into()), ..PromptParts::default() });
    let error = SystemPrompt::render(&options, &multi_turn()).unwrap_err();
    assert!(error.to_string().starts_with("unknown language_spec 'maximal'; available: lean, full, minimal, "));
}

#[test]
fn text_replaces_and_function_transforms() {
    assert_eq!(render(&SystemPromptOptions::Text("Mine.".into()), &multi_turn()), "Mine.");
    let shout = SystemPromptOptions::Function(TextFunction::new(|text| format!("{text}\n\nEND")));
    assert_eq!(render(&shout, &multi_turn()), render(&SystemPromptOptions::Default, &multi_turn()) + "\n\nEND");
}

#[test]
fn json_and_text_mode_have_their_own_core() {
    let options = parts(PromptParts {
        prefix: Some("Role.".into()),
        language_spec: Some("no such key".into()),
        output_format: Some("ignored".into()),
        ..PromptParts::default()
    });
    let json = render(&options, &PromptFacts { output: PromptOutput::Json, ..PromptFacts::default() });
    assert_snapshot!(json, @r"
    Role.

    Answer only with JSON of the expected shape: one JSON value, no text around it, no comments, every required field present.
    ");
    let text = render(&options, &PromptFacts { output: PromptOutput::Text, ..PromptFacts::default() });
    assert!(text.starts_with("Role.\n\nDo what the user asks") && !text.contains("PTC-Lisp"));
}

#[test]
fn long_texts_are_cut_with_a_note() {
    let facts = PromptFacts { prompt_limit: Some(4), ..PromptFacts::default() };
    let prompt = SystemPrompt::render(&SystemPromptOptions::Text("äöüßend".into()), &facts).unwrap();
    assert_snapshot!(prompt.text, @r"
    äöüß

    [system text cut here: 3 of 7 characters are left out]
    ");
    assert_snapshot!(prompt.cut.unwrap(), @"the system text is cut at 4 of 7 characters (prompt_limit): the model does not see the last 3");
    let fits = SystemPrompt::render(&SystemPromptOptions::Text("äöüß".into()), &facts).unwrap();
    assert_eq!((fits.text.as_str(), fits.cut), ("äöüß", None));
}

#[test]
fn only_functions_may_give_another_text_for_the_next_run() {
    let spec = |choice| parts(PromptParts { language_spec: Some(choice), ..PromptParts::default() });
    let fixed = [SystemPromptOptions::Default, SystemPromptOptions::Text("All.".into()), spec("minimal".into())];
    assert!(fixed.iter().all(SystemPromptOptions::is_fixed));
    let function = LanguageFunction::new(|_| "Once.".to_owned());
    let open =
        [SystemPromptOptions::Function(TextFunction::new(str::to_owned)), spec(LanguageChoice::Function(function))];
    assert!(!open.iter().any(SystemPromptOptions::is_fixed));
}
