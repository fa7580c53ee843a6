use ptc_chat::OutputMode;
use ptc_mission::SystemPromptOptions;

use super::*;
use crate::suite::Suite;

/// Why a case with these lines cannot be asked with native calls.
fn why_not(lines: &str) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("suite.toml"), "levels = [\"one\"]").unwrap();
    let case = format!("[cases.a]\nmission = \"Count {{{{xs}}}}.\"\nkind = \"integer\"\n{lines}\n");
    std::fs::write(folder.path().join("one.toml"), case).unwrap();
    Suite::load(folder.path()).unwrap().cases[0].why_not_by_tools(&Variant::default())
}

#[test]
fn what_only_programs_can_do_is_refused() {
    let check = |lines: &str| why_not(lines).unwrap_or_default();
    insta::assert_snapshot!(check("max_turns = 1\ninputs = [{ data = { n = 1 } }]"), @"it has `inputs`, which a program answers without a model");
    insta::assert_snapshot!(check("plan = [\"Look\"]"), @"it has a plan, whose steps programs tick off");
    insta::assert_snapshot!(check("sets = [\"orders\"]"), @"the set `orders` is data, which only programs read");
    insta::assert_snapshot!(check("data = { xs = 1, ys = 2 }"), @"its data `ys` is not in the mission, and only programs read it there");
    insta::assert_snapshot!(check("check = { turns = { lt = 3 }, uses = [\"a\"] }"), @"`check.uses` is about programs");
    let agent = "[cases.a.agents.sum]\nmission = \"Add\"\ndescription = \"Adds\"\n";
    insta::assert_snapshot!(check(agent), @"its agent `sum` writes programs");
    for asked in
        ["", "data = { xs = 1 }", "sets = [\"documents\"]", "check = { turns = { lt = 3 }, calls = { a = 1 } }"]
    {
        assert_eq!(why_not(asked), None, "{asked}");
    }
    assert_eq!(why_not(&format!("{agent}output = \"text\"")), None);
}

#[test]
fn an_agent_with_native_calls_answers_with_text() {
    let mut agent = AgentSpec::new("Count {{xs}}.");
    agent.signature = Some(Signature::parse("(xs [:int]) -> :int").unwrap());
    (agent.thinking, agent.compression) = (true, true.into());
    let variant = Variant { mode: Some(Mode::NativeTools), ..Variant::default() };
    variant.apply(&mut agent, Some(Kind::Integer));
    assert_eq!(
        (agent.output, agent.thinking, agent.compression.strategy().is_some()),
        (OutputMode::Text, false, false)
    );
    assert_eq!(agent.signature.unwrap().to_string(), "(xs [:int]) -> :string");
    let SystemPromptOptions::Parts(parts) = agent.system_prompt else { panic!("no parts") };
    assert_eq!(parts.suffix.as_deref(), Some("The shape of the result: JSON, a whole number."));
}

#[test]
fn ways_have_names() {
    let variant = Variant { mode: Some(Mode::Programs), language_spec: Some("full".to_owned()), ..Variant::default() };
    assert_eq!(
        (variant.to_string().as_str(), Variant::default().to_string().as_str()),
        ("programs · full", "per case")
    );
}
