//! Headers, compositions, topics and examples of the language reference.

use insta::assert_snapshot;

use super::{CATALOGUE, LanguageSpec, MARKERS};

const WORLD: &str = include_str!("../../tests/spec_world.json");

/// Every one of `words` occurs in the text of `key`.
fn check(key: &str, words: &[&str]) {
    let text = LanguageSpec::get(key).unwrap();
    for word in words {
        assert!(text.contains(word), "{key} does not teach {word}");
    }
}

#[test]
fn lists_all_keys() {
    assert_snapshot!(
        LanguageSpec::list().join(" "),
        @"base addon_single_shot addon_multi_turn addon_tasks single_shot multi_turn minimal"
    );
    assert_snapshot!(
        LanguageSpec::get("multi").unwrap_err(),
        @"unknown language_spec 'multi'; available: base, addon_single_shot, addon_multi_turn, addon_tasks, single_shot, multi_turn, minimal"
    );
}

#[test]
fn compositions_are_their_parts() {
    let get = |key| LanguageSpec::get(key).unwrap();
    assert_eq!(get("multi_turn"), format!("{}\n\n{}", get("base"), get("addon_multi_turn")));
    assert_eq!(get("single_shot"), format!("{}\n\n{}", get("base"), get("addon_single_shot")));
    let metadata = LanguageSpec::metadata("multi_turn").unwrap();
    assert_eq!(metadata.parts, ["base", "addon_multi_turn"]);
    let versions = ["base", "addon_multi_turn"].map(|key| LanguageSpec::version(key).unwrap());
    assert_eq!(metadata.version, versions.join("."));
}

#[test]
fn headers_are_complete_and_not_delivered() {
    for key in LanguageSpec::list() {
        let metadata = LanguageSpec::metadata(key).unwrap();
        assert!(metadata.version.split('.').all(|part| part.parse::<u32>().is_ok()), "version of {key}");
        assert_eq!(metadata.date.len(), 10, "date of {key}");
        assert!(!metadata.change.is_empty(), "change note of {key}");
        let text = LanguageSpec::get(key).unwrap();
        assert!(text.starts_with('#') && !text.contains("version: ") && !text.contains("\n\n\n"), "text of {key}");
        assert!(MARKERS.iter().all(|marker| !text.contains(marker)), "markers of {key}");
    }
}

#[test]
fn base_has_one_place_for_the_function_list() {
    let file = CATALOGUE[0].1[0].file;
    let places = MARKERS.map(|marker| file.matches(marker).count());
    assert_eq!(places, [1, 1]);
    assert!(file.find(MARKERS[0]) < file.find(MARKERS[1]));
}

#[test]
fn the_usual_text_has_the_size_of_a_page_or_two() {
    let length = LanguageSpec::get("multi_turn").unwrap().chars().count();
    assert!((8_000..=14_000).contains(&length), "{length} characters");
    assert!(LanguageSpec::get("minimal").unwrap().chars().count() < 1_500);
}

#[test]
fn base_teaches_every_topic() {
    check("base", &["one program per answer", "last expression", "data/", "tool/", "~{data/", "bare name"]);
    check("base", &["named, in one map", "pmap", "pcalls", "destructuring", "transducers", "macros", "files"]);
    check("base", &["apply max", "sort-by", "index-of", "re-pattern", "parse-long", "(quot 7 2)", "->>"]);
    check("base", &["sum-by", "avg-by", "min-by", "max-by", "pluck", "where", "extract-int", "combinations"]);
    check("base", &["hidden", "`_`", "(return", "(fail {:reason"]);
}

#[test]
fn addons_teach_how_to_work() {
    check("addon_single_shot", &["single turn", "last expression"]);
    check("addon_multi_turn", &["Explore first", "println", "persist", "cut", "pmap", ";;", "final turn", "(budget/remaining)"]);
    check("addon_multi_turn", &["Do not print and return in the same turn", "The sections of the message are the record"]);
    check("addon_tasks", &["(task ", "step-done", "task-reset"]);
    check("minimal", &["println", "(return", "(fail", "pmap", "tool/", "data/"]);
}

#[test]
fn no_text_depends_on_the_run() {
    for key in LanguageSpec::list() {
        let text = LanguageSpec::get(key).unwrap();
        for foreign in [";; ===", "Turns left", "FINAL TURN", "# Expected Output"] {
            assert!(!text.contains(foreign), "{key} contains {foreign}");
        }
    }
}

#[test]
fn every_code_line_is_an_example_with_a_value() {
    for key in ["single_shot", "multi_turn", "addon_tasks", "minimal"] {
        let text = LanguageSpec::get(key).unwrap();
        let code: usize = text.split("```clojure\n").skip(1).map(|part| part.split("```").next().unwrap().lines().count()).sum();
        let examples = LanguageSpec::examples(key).unwrap();
        assert_eq!(examples.len(), code, "{key}: a code line without value");
        assert!(!examples.is_empty(), "{key} has no examples");
        for example in examples {
            for form in [&example.program, &example.value] {
                assert_eq!(unclosed(form), Some(vec![]), "delimiters of {form}");
            }
        }
    }
}

#[test]
fn examples_use_only_their_little_world() {
    let world: serde_json::Value = serde_json::from_str(WORLD).unwrap();
    for key in ["single_shot", "multi_turn", "addon_tasks", "minimal"] {
        for example in LanguageSpec::examples(key).unwrap() {
            for (prefix, place) in [("data/", "data"), ("tool/", "tools")] {
                for after in example.program.split(prefix).skip(1) {
                    let name: String = after.chars().take_while(|c| c.is_alphanumeric() || *c == '-').collect();
                    assert!(world[place].get(&name).is_some(), "{prefix}{name} in {}", example.program);
                }
            }
        }
    }
}

/// The delimiters that `form` leaves open; `None` when one closes wrongly or a string does not end.
fn unclosed(form: &str) -> Option<Vec<char>> {
    let mut open = Vec::new();
    let mut chars = form.chars();
    while let Some(c) = chars.next() {
        let opener = match c {
            '"' => {
                skip_string(&mut chars)?;
                continue;
            }
            '(' | '[' | '{' => {
                open.push(c);
                continue;
            }
            ')' => '(',
            ']' => '[',
            '}' => '{',
            _ => continue,
        };
        if open.pop() != Some(opener) {
            return None;
        }
    }
    Some(open)
}

fn skip_string(chars: &mut std::str::Chars<'_>) -> Option<()> {
    loop {
        match chars.next()? {
            '"' => return Some(()),
            '\\' => drop(chars.next()?),
            _ => {}
        }
    }
}
