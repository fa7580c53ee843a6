//! How large the texts are, in tokens of o200k.

use ptc_agent::Agent;
use ptc_compression::{O200k, TokenCounter};
use ptc_mission::LanguageSpec;

/// Tokens and characters of the system text of an agent without tools.
fn size(spec: &str, turns: u32) -> (usize, usize) {
    let agent = Agent::builder("Count the rooms.").language_spec(spec).max_turns(turns as usize).build().unwrap();
    let text = agent.system_prompt().unwrap().text;
    (O200k.count(&text), text.chars().count())
}

#[test]
fn the_sizes_keep_to_their_bounds() {
    let agent = Agent::builder("Count the rooms.").build().unwrap();
    let usual = agent.system_prompt().unwrap().text;
    assert_eq!(O200k.count(&usual), size("lean", 5).0, "lean is the text of an agent that chooses none");
    for key in ["brief", "brief_single_shot"] {
        let tokens = O200k.count(&LanguageSpec::get(key).unwrap());
        assert!(tokens <= 450, "{key} has {tokens} tokens");
    }
    for turns in [1, 5] {
        let [lean, full, brief, minimal] = ["lean", "full", "brief", "minimal"].map(|spec| size(spec, turns));
        println!(
            "{turns} turns: lean {lean:?}, full {full:?}, brief {brief:?}, minimal {minimal:?} (tokens, characters)"
        );
        assert!(lean.0 <= 1_100, "lean has {} tokens", lean.0);
        assert!(minimal.1 <= 2_000, "minimal has {} characters", minimal.1);
        assert!(minimal.0 < brief.0 && brief.0 < lean.0 && lean.0 < full.0);
    }
}
