use ptc_compression::{Digest, PerTurnSummary};

use super::*;
use crate::MissionFile;

/// The strategy of a configuration, with its options.
fn strategy_of(config: &CompressionConfig) -> Option<Strategy> {
    let record = config.to_record();
    record.strategy.map(|name| Strategy::from_record(&name, &record.options).unwrap())
}

fn check(toml: &str) -> String {
    match MissionFile::from_text("m.toml", &format!("mission = \"x\"\n{toml}")) {
        Ok(mission) => match strategy_of(&mission.agent.compression) {
            None => "off".to_owned(),
            Some(Strategy::SingleUserCoalesced(of)) => {
                format!("single-user-coalesced {} {}", of.limits.println_limit, of.limits.tool_call_limit)
            }
            Some(Strategy::Digest(of)) => {
                format!("digest {} {:?} {}", of.begin_at, of.println_limit, of.tool_call_limit)
            }
            Some(Strategy::RollingWindow(of)) => format!("rolling-window {} {}", of.window, of.limits.println_limit),
            Some(Strategy::PerTurnSummary(of)) => {
                format!("per-turn-summary {} {} {}", of.program_limit, of.turn_limit, of.limits.tool_hint)
            }
            Some(Strategy::AppendOnly(of)) => format!("append-only {} {}", of.append_bytes, of.limits.println_limit),
            Some(Strategy::Aggressive(of)) => format!("aggressive {} {}", of.println_limit, of.doc_chars),
            Some(other) => other.name().to_owned(),
        },
        Err(error) => error.to_string(),
    }
}

/// Proves: API-006, API-007.
#[test]
fn forms() {
    assert_eq!(check(""), "off");
    assert_eq!(check("compression = false"), "off");
    assert_eq!(check("compression = 'none'"), "off");
    assert_eq!(check("compression = { strategy = 'none' }"), "off");
    assert_eq!(check("compression = true"), "single-user-coalesced 15 20");
    assert_eq!(check("compression = 'single-user-coalesced'"), "single-user-coalesced 15 20");
    assert_eq!(check("compression = { println_limit = 3, tool_call_limit = 0 }"), "single-user-coalesced 3 0");
    assert_eq!(
        check("[compression]\nstrategy = 'single-user-coalesced'\nprintln_limit = 4"),
        "single-user-coalesced 4 20"
    );
    assert_eq!(check("compression = { strategy = 'digest', println_limit = 2 }"), "digest 8000 Some(2) 20");
    assert_eq!(check("compression = { strategy = 'digest', begin_at = 0 }"), "digest 0 None 20");
    let refused = check("compression = { layout = 'merged' }");
    assert!(
        refused.starts_with("m.toml:2:17: unknown key `layout` in the options of `single-user-coalesced`"),
        "{refused}"
    );
}

/// Proves: API-007.
#[tokio::test]
async fn agents_of_mission_files_compress_as_they_are_told() {
    let strategy = async |toml: &str| {
        let mission = MissionFile::from_text("m.toml", &format!("mission = \"x\"\n{toml}")).unwrap();
        let agent = mission.build_agent(&mission.limits()).unwrap();
        let llm = ptc_chat::ScriptedLlm::replies(["(def a 1)", "(return a)"]);
        let step = agent.run(&llm, ()).await.unwrap();
        (step.usage.compression.map(|stats| stats.strategy), llm.requests()[1].messages.len())
    };
    assert_eq!(strategy("").await, (None, 3));
    assert_eq!(strategy("compression = true").await, (Some("single-user-coalesced".to_owned()), 1));
    assert_eq!(strategy("compression = 'rolling-window'").await, (Some("rolling-window".to_owned()), 3));
}

#[test]
fn each_strategy_has_its_options() {
    assert_eq!(check("compression = 'rolling-window'"), "rolling-window 3 15");
    assert_eq!(
        check("compression = { strategy = 'rolling-window', window = 0, println_limit = 2 }"),
        "rolling-window 0 2"
    );
    assert_eq!(
        check("compression = { strategy = 'per-turn-summary', program_limit = 9, turn_limit = 4, tool_hint = false }"),
        "per-turn-summary 9 4 false"
    );
    assert_eq!(
        check("compression = { strategy = 'aggressive', println_limit = 1, doc_chars = 40 }"),
        "aggressive 1 40"
    );
    assert_eq!(
        check("compression = { strategy = 'append-only', append_bytes = 900, println_limit = 2 }"),
        "append-only 900 2"
    );
    insta::assert_snapshot!(check("compression = { window = 2 }"), @"m.toml:2:17: unknown key `window` in the options of `single-user-coalesced`; known: strategy, max_tokens, token_counter, println_limit, tool_call_limit, sample_limit, sample_printable_limit, tool_hint, tool_results");
    let refused = check("compression = { strategy = 'aggressive', sample_limit = 2 }");
    assert!(refused.contains("unknown key `sample_limit` in the options of `aggressive`"), "{refused}");
}

#[test]
fn mistakes() {
    insta::assert_snapshot!(check("compression = 'zip'"), @"m.toml:2:15: there is no compression strategy `zip`; known: single-user-coalesced, digest, rolling-window, per-turn-summary, aggressive, append-only, none");
    insta::assert_snapshot!(check("compression = 3"), @"m.toml:2:15: compression must be true, false, the name of a strategy or a table (got 3)");
    insta::assert_snapshot!(check("compression = { println_limt = 3 }"), @"m.toml:2:17: unknown key `println_limt` in the options of `single-user-coalesced`; use `println_limit`");
    insta::assert_snapshot!(check("compression = { println_limit = -3 }"), @"m.toml:2:33: println_limit must be an integer, 0 or more (got -3)");
}

/// The number of tokens and the counter.
fn limit(toml: &str) -> Result<Option<(usize, String)>, String> {
    let mission = MissionFile::from_text("m.toml", &format!("mission = \"x\"\n{toml}"));
    let record = mission.map(|mission| mission.agent.compression.to_record()).map_err(|error| error.to_string())?;
    Ok(record.max_tokens.zip(record.token_counter))
}

#[test]
fn a_number_of_tokens_goes_with_any_strategy() {
    let bytes = |max_tokens: usize| Ok(Some((max_tokens, "bytes".to_owned())));
    assert_eq!(limit("compression = true"), Ok(None));
    assert_eq!(limit("compression = { max_tokens = 9000, token_counter = 'bytes' }"), bytes(9_000));
    assert_eq!(limit("compression = { strategy = 'aggressive', max_tokens = 80, token_counter = 'bytes' }"), bytes(80));
    let refused = |toml: &str| limit(toml).unwrap_err();
    insta::assert_snapshot!(refused("compression = { max_tokens = 0, token_counter = 'bytes' }"), @"m.toml:2:30: max_tokens must be an integer above 0, such as 8000 (got 0)");
    assert_eq!(limit("compression = { strategy = 'none', max_tokens = 80, token_counter = 'bytes' }"), bytes(80));
    insta::assert_snapshot!(refused("compression = { token_counter = 'bytes' }"), @"m.toml:2:33: token_counter says how `max_tokens` is counted, which is missing (got 'bytes')");
}

#[test]
#[cfg(feature = "tokens")]
fn tokens_are_counted_in_a_vocabulary_unless_told_otherwise() {
    let o200k = Ok(Some((9_000, "o200k".to_owned())));
    assert_eq!(limit("compression = { max_tokens = 9000 }"), o200k);
    assert_eq!(limit("compression = { max_tokens = 9000, token_counter = 'o200k' }"), o200k);
    insta::assert_snapshot!(limit("compression = { max_tokens = 9, token_counter = 'words' }").unwrap_err(), @"m.toml:2:49: unknown token_counter words (o200k, bytes)");
}

#[test]
#[cfg(not(feature = "tokens"))]
fn without_a_vocabulary_bytes_must_be_asked_for() {
    insta::assert_snapshot!(limit("compression = { max_tokens = 9000 }").unwrap_err(), @"m.toml:2:30: this build counts bytes only: add `token_counter = \"bytes\"` next to max_tokens (got 9000)");
}

#[test]
fn every_listed_name_is_a_strategy() {
    for name in Strategy::NAMES {
        assert_eq!(check(&format!("compression = '{name}'")).split(' ').next(), Some(*name));
    }
}

/// What an agent without and one with `rolling-window`, at most 900 tokens, has after this choice.
fn chosen(text: &str) -> Result<String, String> {
    let own = "compression = { strategy = 'rolling-window', window = 1, max_tokens = 900, token_counter = 'bytes' }";
    let choice = StrategyChoice::parse("--compression", text).map_err(|error| error.to_string())?;
    assert_eq!(choice.as_str(), text);
    let agent = |toml: &str| {
        let mut agent = MissionFile::from_text("m.toml", &format!("mission = 'x'\n{toml}")).unwrap().agent;
        choice.apply(&mut agent);
        let limit = agent.compression.ceiling().map(Ceiling::max_tokens);
        let shown = match strategy_of(&agent.compression) {
            Some(Strategy::RollingWindow(rolling)) => {
                format!("rolling-window {} {}", rolling.window, rolling.limits.println_limit)
            }
            strategy => strategy.map_or("none".to_owned(), |strategy| strategy.name().to_owned()),
        };
        format!("{shown} below {limit:?}")
    };
    Ok(format!("{}; {}", agent(""), agent(own)))
}

#[test]
fn a_choice_changes_the_strategy_and_keeps_what_belongs_to_the_model() {
    assert_eq!(chosen("none").unwrap(), "none below None; none below Some(900)");
    assert_eq!(chosen("aggressive").unwrap(), "aggressive below None; aggressive below Some(900)");
    assert_eq!(
        chosen("rolling-window").unwrap(),
        "rolling-window 3 15 below None; rolling-window 1 15 below Some(900)"
    );
    assert_eq!(
        chosen("rolling-window,println_limit=2").unwrap(),
        "rolling-window 3 2 below None; rolling-window 3 2 below Some(900)",
        "with options it is set anew"
    );
    assert_eq!(
        chosen("aggressive,max_tokens=70,token_counter=bytes").unwrap(),
        "aggressive below Some(70); aggressive below Some(70)"
    );
    assert_eq!(chosen("none,max_tokens=70,token_counter='bytes'").unwrap(), "none below Some(70); none below Some(70)");
}

#[test]
fn one_line_says_what_a_table_says() {
    let check =
        |text: &str| StrategyChoice::parse("--compression", text).map(|choice| strategy_of(&choice.to_config()));
    for name in Strategy::NAMES {
        assert_eq!(check(name).unwrap(), Strategy::from_name(name));
        let choice: StrategyChoice = Strategy::from_name(name).unwrap().into();
        assert_eq!(choice.as_str(), *name);
    }
    let summary = Strategy::PerTurnSummary(PerTurnSummary { program_limit: 9, ..PerTurnSummary::default() });
    assert_eq!(check("per-turn-summary, program_limit = 9").unwrap(), Some(summary));
    let digest = Some(Strategy::Digest(Digest::new().tool_results(true)));
    assert_eq!(check("digest, tool_results = true, tool_hint=true").unwrap(), digest);
}

#[test]
fn mistakes_in_one_line_name_the_option_and_the_column() {
    let check = |text: &str| StrategyChoice::parse("--against", text).unwrap_err().to_string();
    insta::assert_snapshot!(check("zip"), @"--against:1:1: there is no compression strategy `zip`; known: single-user-coalesced, digest, rolling-window, per-turn-summary, aggressive, append-only, none");
    insta::assert_snapshot!(check(""), @"--against:1:1: there is no compression strategy ``; known: single-user-coalesced, digest, rolling-window, per-turn-summary, aggressive, append-only, none");
    insta::assert_snapshot!(check("rolling-window, windw=2"), @"--against:1:17: unknown key `windw` in the options of `rolling-window`; use `window`");
    insta::assert_snapshot!(check("none,window=2"), @"--against:1:6: unknown key `window` in the options of `none`; known: strategy, max_tokens, token_counter");
    insta::assert_snapshot!(check("rolling-window,window"), @"--against:1:16: the option `window` must be NAME=VALUE, such as window=2");
    insta::assert_snapshot!(check("rolling-window,window="), @"--against:1:16: the option `window=` must be NAME=VALUE, such as window=2");
    insta::assert_snapshot!(check("aggressive,doc_chars=1,"), @"--against:1:24: the option `` must be NAME=VALUE, such as window=2");
    insta::assert_snapshot!(check("rolling-window,window=1,window=2"), @"--against:1:25: `window` is given twice");
    insta::assert_snapshot!(check("rolling-window,window=99999999999"), @"--against:1:23: window must be an integer, 0 or more, at most 4294967295 (got 99999999999)");
    insta::assert_snapshot!(check("rolling-window,window=99999999999999999999999"), @"--against:1:23: window must be an integer, 0 or more, at most 4294967295 (got 99999999999999999999999)");
    insta::assert_snapshot!(check("rolling-window,window=-1"), @"--against:1:23: window must be an integer, 0 or more (got -1)");
    insta::assert_snapshot!(check("rolling-window, max_tokens = 8k"), @"--against:1:30: max_tokens must be an integer above 0, such as 8000 (got 8k)");
    insta::assert_snapshot!(check("rolling-window,tool_hint=yes"), @"--against:1:26: tool_hint must be a boolean (got yes)");
    insta::assert_snapshot!(check("aggressive } x = { y=1"), @"--against:1:1: there is no compression strategy `aggressive } x = { y=1`; known: single-user-coalesced, digest, rolling-window, per-turn-summary, aggressive, append-only, none");
}

proptest::proptest! {
    #[test]
    fn a_record_in_one_line_is_read_back(which in 0..Strategy::NAMES.len() + 1, options in proptest::collection::vec((0..9_usize, 0..300_u32), 0..4), limit in proptest::option::of(1..90_000_u32), bytes: bool) {
        let name = Strategy::NAMES.get(which).copied().unwrap_or("none");
        let mut text = name.to_owned();
        let known = Strategy::from_name(name).map(|strategy| strategy.to_compression().options()).unwrap_or_default();
        for (place, value) in options {
            let Some((key, usual)) = known.iter().nth(place) else { continue };
            let value = if usual.is_boolean() { (value % 2 == 0).to_string() } else { value.to_string() };
            if !text.contains(key) {
                text += &format!(",{key}={value}");
            }
        }
        if let Some(limit) = limit {
            let counter = if bytes { "bytes" } else { Ceiling::counters().next().unwrap() };
            text += &format!(",max_tokens={limit},token_counter={counter}");
        }
        let record = StrategyChoice::parse("--compression", &text).unwrap().to_config().to_record();
        let written = ptc_compression::one_line(&record);
        let read = StrategyChoice::parse("--compression", &written).unwrap().to_config().to_record();
        proptest::prop_assert_eq!(read, record);
        proptest::prop_assert!(written.len() <= text.len(), "{} {}", written, text);
    }
}
