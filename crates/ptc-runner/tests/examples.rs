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
