//! The example of the README runs and says what it should.

use std::process::Command;

#[test]
fn the_example_prints_the_cheapest_stay() {
    // Cargo builds examples before tests, and puts them beside the folder of the test programs.
    let test = std::env::current_exe().expect("this program has a path");
    let profile = test.parent().and_then(|deps| deps.parent()).expect("tests lie in target/PROFILE/deps");
    let example = profile.join("examples").join(format!("typed_tools{}", std::env::consts::EXE_SUFFIX));
    let output = Command::new(example).output().expect("cargo test builds the examples");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "Oto pays 180.00\n");
    assert!(output.status.success());
}
