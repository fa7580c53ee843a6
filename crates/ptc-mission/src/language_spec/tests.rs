//! Headers, compositions, topics and examples of the language reference.

use insta::assert_snapshot;

use super::{DETAILS, LanguageSpec, MARKERS, SIZES};

const WORLD: &str = include_str!("../../tests/spec_world.json");

/// Every one of `words` occurs in the text of `key`.
fn check(key: &str, words: &[&str]) {
    let text = LanguageSpec::get(key).unwrap();
    for word in words {
        assert!(text.contains(word), "{key} does not teach {word}");
    }
}

/// Proves: BRK-007.
#[test]
fn lists_all_keys() {
    assert_snapshot!(
        LanguageSpec::list().join(" "),
        @"lean full minimal brief lean_single_shot single_shot minimal_single_shot brief_single_shot multi_turn base addon_single_shot addon_multi_turn addon_tasks addon_plan"
    );
    assert_snapshot!(
        LanguageSpec::get("multi").unwrap_err(),
        @"unknown language_spec 'multi'; available: lean, full, minimal, brief, lean_single_shot, single_shot, minimal_single_shot, brief_single_shot, multi_turn, base, addon_single_shot, addon_multi_turn, addon_tasks, addon_plan"
    );
}

/// Proves: BRK-007.
#[test]
fn compositions_are_their_parts() {
    let get = |key| LanguageSpec::get(key).unwrap();
    assert_eq!(get("multi_turn"), format!("{}\n\n{}", get("base"), get("addon_multi_turn")));
    assert_eq!(get("single_shot"), format!("{}\n\n{}", get("base"), get("addon_single_shot")));
    assert_eq!(get("full"), get("multi_turn"));
    let metadata = LanguageSpec::metadata("lean").unwrap();
    assert_eq!(metadata.parts, ["core", "turns"]);
    assert_eq!(metadata.version.split('.').count(), 2);
}

#[test]
fn a_size_has_a_variant_for_one_turn() {
    for (size, single) in SIZES {
        assert!(LanguageSpec::is_size(size) && !LanguageSpec::is_size(single));
        assert_eq!(LanguageSpec::for_turns(size, true), LanguageSpec::get(size));
        assert_eq!(LanguageSpec::for_turns(size, false), LanguageSpec::get(single));
        assert_eq!(LanguageSpec::for_turns(single, true), LanguageSpec::get(single));
    }
}

#[test]
fn full_says_all_that_lean_says() {
    for (full, lean) in [("full", "lean"), ("single_shot", "lean_single_shot")] {
        let full = LanguageSpec::get(full).unwrap();
        assert!(LanguageSpec::get(lean).unwrap().lines().all(|line| full.contains(line)));
    }
}

/// Proves: BRK-007.
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
fn details_have_one_place_for_the_function_list() {
    let places = MARKERS.map(|marker| DETAILS.file.matches(marker).count());
    assert_eq!(places, [1, 1]);
    assert!(DETAILS.file.find(MARKERS[0]) < DETAILS.file.find(MARKERS[1]));
}

#[test]
fn each_size_teaches_every_topic() {
    let topics = ["data/", "tool/", "println", "(return", "(fail {:reason", "pmap", "hidden", "`_`", "sum-by", "where"];
    for (key, _) in SIZES {
        check(key, &topics);
    }
    check(
        "lean",
        &[
            "~{data/",
            "named arguments in one map",
            "destructuring",
            "transducers",
            "macros",
            "files",
            "checked before anything runs",
        ],
    );
    check("lean", &["One sequential type", "`bit-and`", "java.time", "Patterns have", "what is missing", "docstring"]);
    check(
        "full",
        &["bare name", "pcalls", "apply max", "sort-by", "index-of", "re-pattern", "parse-long", "(quot 7 2)", "->>"],
    );
    check("full", &["avg-by", "min-by", "max-by", "pluck", "extract-int", "combinations", "(budget/remaining)", ";;"]);
}

#[test]
fn a_checked_answer_is_returned_at_once() {
    for key in LanguageSpec::list() {
        let text = LanguageSpec::get(key).unwrap().to_lowercase();
        for forbidden in ["do not print and return", "never seen", "explore first", "return last"] {
            assert!(!text.contains(forbidden), "{key} says {forbidden}");
        }
    }
    for (key, _) in SIZES {
        check(key, &["in the very program that computes the answer"]);
    }
    check("lean", &["otherwise print what you must see", "A program may print and return"]);
}

#[test]
fn addons_teach_what_they_are_for() {
    check("addon_single_shot", &["single turn", "(return value)"]);
    check(
        "addon_multi_turn",
        &["Only prints are shown", "Definitions stay", "cut", "The message counts the turns left"],
    );
    check("addon_tasks", &["(task ", "task-reset"]);
    check("addon_plan", &["step-done"]);
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
    for key in ["single_shot", "full", "addon_tasks", "addon_plan", "minimal"] {
        let text = LanguageSpec::get(key).unwrap();
        let code: usize =
            text.split("```clojure\n").skip(1).map(|part| part.split("```").next().unwrap().lines().count()).sum();
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
    for key in ["single_shot", "full", "addon_tasks", "addon_plan", "minimal"] {
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
