//! The examples run and say what they should.

#![allow(clippy::expect_used, reason = "a test fails where it stands")]

use std::process::Command;

/// Run an example: it must succeed, without a word to standard error, and print this.
fn check(name: &str, wanted: &str) {
    // Cargo builds examples before tests, and puts them beside the folder of the test programs.
    let test = std::env::current_exe().expect("this program has a path");
    let profile = test.parent().and_then(|deps| deps.parent()).expect("tests lie in target/PROFILE/deps");
    let example = profile.join("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let output = Command::new(example).output().expect("cargo test builds the examples");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(String::from_utf8_lossy(&output.stdout), wanted);
    assert!(output.status.success());
}

#[test]
fn typed_tools_finds_the_cheapest_stay() {
    check("typed_tools", "Oto pays 180.00\n");
}

#[test]
fn approval_pays_what_the_clerk_allows() {
    let lines = [
        "payday/1/1: 40 euros to Ines",
        "payday/1/2: 100 euros to Oto (edited)",
        "tool 'pay' failed: it was not allowed: Mallory is not a customer",
    ];
    check("approval", &format!("{}\n", lines.join("\n")));
}

#[test]
fn json_extraction_corrects_a_number_in_words() {
    let lines = ["corrected: [0.nights]: expected int, got string", "Ines: 3 nights, breakfast no", "Oto: 1 nights, breakfast not said"];
    check("json_extraction", &format!("{}\n", lines.join("\n")));
}

#[test]
fn follow_up_uses_what_the_first_run_defined() {
    let shown = r#"the model is shown: (price [stay])                ; "Euros" -> integer"#;
    let talk = ["When is breakfast? From 7 to 10.", "Every day? Yes, also on Sundays."];
    let lines = ["Ines pays 180", shown, "all pay 990", shown, "all pay 990", talk[0], talk[1]];
    check("follow_up", &format!("{}\n", lines.join("\n")));
}

#[test]
fn custom_strategy_shows_an_outline() {
    let lines = [
        "How many nights are booked?",
        "",
        ";; === data/ ===",
        "data/stays                    ; list[2], sample: [{:nights 2} {:nights 3}]",
        "",
        ";; === user/ (your prelude) ===",
        "nights                        ; = list[2], sample: [2 3]",
        "",
        ";; Turn 1: ok",
        ";; Turn 2: failed with undefined_symbol",
        "",
        "---",
        "Your previous attempt:",
        "```clojure",
        "(sum-up nights)",
        "```",
        "",
        "Error: undefined symbol 'sum-up' at line 1, column 2",
        "---",
        "",
        "Turns left: 3",
        "-> 5",
    ];
    check("custom_strategy", &format!("{}\n", lines.join("\n")));
}
