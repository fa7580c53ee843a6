//! Random sentences of a grammar are programs that pass the static check.

use std::collections::HashMap;

use crate::error::Reason;
use crate::signature::Signature;
use proptest::prelude::*;

use super::{Grammar, GrammarOptions, MAX_GRAMMAR_BYTES, Part, Rule, Sequence};
use crate::split_mix::SplitMix64;
use crate::{Session, SessionOptions, ToolSpec, Value};

/// Writes sentences by choosing at random.
struct Sentences<'g> {
    rules: HashMap<&'g str, &'g Rule>,
    random: SplitMix64,
}

impl<'g> Sentences<'g> {
    fn of(grammar: &'g Grammar, seed: u64) -> Sentences<'g> {
        let rules = grammar.rules.iter().map(|rule| (rule.name.as_str(), rule)).collect();
        Sentences { rules, random: SplitMix64::new(seed) }
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.random.next_u64() % bound as u64) as usize
    }

    fn sentence(&mut self) -> String {
        let mut text = String::new();
        self.rule("root", &mut text);
        text
    }

    fn rule(&mut self, name: &str, text: &mut String) {
        let choices = &self.rules.get(name).unwrap_or_else(|| panic!("no rule {name}")).choices;
        let choice = self.below(choices.len());
        self.sequence(&choices[choice], text);
    }

    fn sequence(&mut self, parts: &Sequence, text: &mut String) {
        for part in parts {
            match part {
                Part::Text(written) => text.push_str(written),
                Part::Rule(name) => self.rule(name, text),
                Part::Optional(parts) if self.below(2) == 0 => self.sequence(parts, text),
                Part::Optional(_) => {}
                Part::Characters(classes) => {
                    for (class, least, most) in *classes {
                        let members = members(class);
                        for _ in 0..least + self.below(most - least + 1) {
                            text.push(members[self.below(members.len())]);
                        }
                    }
                }
            }
        }
    }
}

/// The characters of `a-z_`.
fn members(class: &str) -> Vec<char> {
    let chars: Vec<char> = class.chars().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        if at + 2 < chars.len() && chars[at + 1] == '-' {
            found.extend(chars[at]..=chars[at + 2]);
            at += 3;
        } else {
            found.push(chars[at]);
            at += 1;
        }
    }
    found
}

fn session() -> Session {
    let signature = |text: &str| Some(Signature::parse(text).unwrap());
    let tools = vec![
        ToolSpec { signature: signature("(room :int, nights :int?) -> :float"), ..ToolSpec::new("price") },
        ToolSpec {
            signature: signature("(query :string, tags [:keyword], at {lat :float, lon :float?}) -> [:any]"),
            ..ToolSpec::new("find-stays")
        },
        ToolSpec { signature: signature("() -> :bool"), ..ToolSpec::new("ready") },
        ToolSpec { signature: signature("(at :int | {day :string} | #{:now}) -> :bool"), ..ToolSpec::new("book") },
        ToolSpec::new("log"),
    ];
    let data = Value::from_json(
        serde_json::json!({"stays": [{"room": 1, "nights": 2}], "limit": 3, "odd name": 1, "_token": 2}),
    );
    let Value::Map(data) = data else { unreachable!() };
    let mut session = Session::new(SessionOptions { data, tools, ..SessionOptions::default() });
    let made = session.run("(defn area [w h] (* w h)) (def total 5) (def x 7) (def _kept 8)", &mut |_| unreachable!());
    assert!(made.value().is_some());
    session
}

proptest! {
    #[test]
    fn every_sentence_is_a_program_that_passes_the_check(seed: u64) {
        let session = session();
        let returns = Signature::parse("{count :int, names [:string], most {room :int, nights :int?}}").unwrap();
        let (any, must) = (GrammarOptions::default(), GrammarOptions { returns: Some(returns.result()), tools: false, ends: true });
        for options in [any, GrammarOptions { returns: must.returns, ..any }, must] {
            let grammar = session.grammar(&options).unwrap();
            let mut sentences = Sentences::of(&grammar, seed);
            for _ in 0..10 {
                let program = sentences.sentence();
                let mut problems = session.check(&program).err().unwrap_or_default();
                // A random key is seldom one of the data, which is more than a grammar can say.
                problems.retain(|problem| problem.reason != Reason::UnknownField);
                prop_assert!(problems.is_empty(), "{program}\n{}", crate::problems_text(&problems));
                prop_assert!(program.len() < 4_000, "{program}");
                if options.ends {
                    prop_assert!(program.contains("(return ") || program.contains("(fail "), "{program}");
                    prop_assert!(!program.contains("tool/"), "{program}");
                }
            }
        }
    }
}

#[test]
fn both_notations_are_short_and_name_only_rules_that_exist() {
    let grammar = session().grammar(&GrammarOptions::default()).unwrap();
    for text in [grammar.gbnf(), grammar.lark()] {
        assert!(text.len() <= MAX_GRAMMAR_BYTES, "{}", text.len());
    }
    let text = grammar.gbnf();
    assert!(
        text.contains("\"total\"") && !text.contains("_token") && !text.contains("_kept"),
        "hidden names are hidden"
    );
    let names: Vec<&str> = grammar.rules.iter().map(|rule| rule.name.as_str()).collect();
    let mut once = names.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), names.len(), "rules with one name");
    fn used<'g>(parts: &'g Sequence, found: &mut Vec<&'g str>) {
        for part in parts {
            match part {
                Part::Rule(name) => found.push(name),
                Part::Optional(parts) => used(parts, found),
                Part::Text(_) | Part::Characters(_) => {}
            }
        }
    }
    let mut found = Vec::new();
    grammar.rules.iter().flat_map(|rule| &rule.choices).for_each(|choice| used(choice, &mut found));
    let missing: Vec<_> = found.iter().filter(|name| !names.contains(name)).collect();
    assert_eq!(missing, [&""; 0]);
    let unused: Vec<_> = names.iter().filter(|name| **name != "root" && !found.contains(name)).collect();
    assert_eq!(unused, [&""; 0]);
}

/// As many names as a large session has.
#[test]
fn a_session_with_many_names_has_a_grammar_or_an_error_that_says_why_not() {
    let data =
        |count: usize| (0..count).map(|n| (Value::keyword(&format!("a-data-set-with-number-{n}")), Value::Int(1)));
    let with = |count| {
        let Value::Map(data) = Value::map_from(data(count)) else { unreachable!() };
        let mut session = Session::new(SessionOptions { data, ..SessionOptions::default() });
        let defined: String = (0..500).map(|n| format!("(def definition-number-{n} 1)")).collect();
        session.run(&defined, &mut |_| unreachable!());
        session.grammar(&GrammarOptions::default())
    };
    let text = with(500).unwrap().gbnf();
    assert!(text.contains("definition-number-499\"") && !text.contains("definition-number-399\""));
    assert_eq!(with(500).unwrap().gbnf(), text);
    let error = with(5_000).unwrap_err().to_string();
    assert!(error.ends_with("at most 90000 can be sent; give the session fewer tools or data"), "{error}");
}
