use proptest::{option, prop_assert_eq, proptest};

use super::*;
use crate::{ByteBound, Ceiling, CompressionConfig, ViewLimits};

/// Every strategy with its own options.
fn with_options(limits: ViewLimits, one: usize, other: usize) -> Vec<Strategy> {
    let number = |at: usize| [one, other, limits.println_limit][at % 3];
    let set = |strategy: Strategy| match strategy {
        Strategy::SingleUserCoalesced(_) => Strategy::SingleUserCoalesced(limits.into()),
        Strategy::Digest(_) => Strategy::Digest(Digest {
            begin_at: number(0),
            println_limit: one.is_multiple_of(2).then_some(other),
            tool_call_limit: number(1),
            sample_limit: limits.sample_limit,
            sample_printable_limit: number(2),
            tool_hint: limits.tool_hint,
            tool_results: limits.tool_results,
        }),
        Strategy::RollingWindow(_) => Strategy::RollingWindow(RollingWindow { window: number(0), limits }),
        Strategy::PerTurnSummary(_) => {
            Strategy::PerTurnSummary(PerTurnSummary { program_limit: number(0), turn_limit: number(1), limits })
        }
        Strategy::Aggressive(_) => Strategy::Aggressive(Aggressive {
            println_limit: number(0),
            tool_call_limit: number(1),
            print_chars: number(2),
            error_chars: number(1),
            doc_chars: number(0),
        }),
        Strategy::AppendOnly(_) => Strategy::AppendOnly(AppendOnly { append_bytes: number(1), limits }),
    };
    Strategy::all().into_iter().map(set).collect()
}

#[test]
fn every_name_is_that_of_a_strategy() {
    assert_eq!(Strategy::all().iter().map(Strategy::name).collect::<Vec<_>>(), Strategy::NAMES);
    for name in Strategy::NAMES {
        let strategy = Strategy::from_name(name).unwrap();
        assert_eq!((strategy.name(), strategy.to_compression().name()), (*name, *name));
    }
    assert_eq!(Strategy::all().first(), Some(&Strategy::default()), "the default one comes first");
    assert_eq!(Strategy::from_name("zip"), None);
}

proptest! {
    #[test]
    fn a_record_says_all_of_a_strategy(prints in 0..99_usize, items in 0..9_usize, hint: bool, results: bool, one in 0..999_usize, other in 0..999_usize, max_tokens in option::of(1..99_999_usize)) {
        let limits = ViewLimits { println_limit: prints, sample_limit: items, tool_hint: hint, tool_results: results, ..ViewLimits::default() };
        for strategy in with_options(limits, one, other) {
            let config = CompressionConfig::below(Some(strategy.to_compression()), max_tokens.map(|max| Ceiling::new(max, ByteBound)));
            let record = config.to_record();
            prop_assert_eq!(Strategy::from_record(record.strategy.as_deref().unwrap(), &record.options), Ok(strategy));
            let json = serde_json::to_string(&record).unwrap();
            let read = CompressionConfig::from_record(&serde_json::from_str(&json).unwrap()).unwrap();
            prop_assert_eq!(read.to_record(), record);
            prop_assert_eq!(read.ceiling().map(Ceiling::max_tokens), max_tokens);
        }
    }
}

#[test]
fn a_record_has_the_options_of_mission_files() {
    let record =
        CompressionConfig::from(Digest::new().println_limit(3)).with_ceiling(Ceiling::new(900, ByteBound)).to_record();
    insta::assert_snapshot!(serde_json::to_string(&record).unwrap(), @r#"{"strategy":"digest","options":{"begin_at":8000,"println_limit":3,"tool_call_limit":20,"sample_limit":3,"sample_printable_limit":80,"tool_hint":true,"tool_results":false},"max_tokens":900,"token_counter":"bytes"}"#);
    assert_eq!(serde_json::to_string(&CompressionConfig::default().to_record()).unwrap(), r#"{"strategy":null}"#);
    let plain = CompressionConfig::from(Ceiling::new(900, ByteBound)).to_record();
    assert_eq!(CompressionConfig::from_record(&plain).unwrap().ceiling().map(Ceiling::max_tokens), Some(900));
}

#[test]
fn what_this_release_does_not_have_is_named() {
    let read = |json: serde_json::Value| {
        let record = serde_json::from_value(json).unwrap();
        CompressionConfig::from_record(&record).unwrap_err().to_string()
    };
    insta::assert_snapshot!(read(serde_json::json!({"strategy": "outline"})), @"the strategy `outline` is not one of this release (single-user-coalesced, digest, rolling-window, per-turn-summary, aggressive, append-only): it is a custom one or newer");
    insta::assert_snapshot!(read(serde_json::json!({"strategy": "digest", "options": {"end_at": 8}})), @"the option `end_at` of the strategy `digest` is not one of this release");
    insta::assert_snapshot!(read(serde_json::json!({"strategy": "digest", "options": {"println_limit": "many"}})), @r#"the options of the strategy `digest` cannot be read: invalid type: string "many", expected usize"#);
    insta::assert_snapshot!(read(serde_json::json!({"strategy": null, "max_tokens": 9, "token_counter": "words"})), @"requests were counted in `words`, which this build does not know (o200k, bytes, characters / 4)");
}
