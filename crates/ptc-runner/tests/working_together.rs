//! The example about agents that work together runs and says what it should.

use std::process::Command;

#[test]
fn agents_work_together() {
    // Cargo builds examples before tests, and puts them beside the folder of the test programs.
    let test = std::env::current_exe().expect("this program has a path");
    let profile = test.parent().and_then(|deps| deps.parent()).expect("tests lie in target/PROFILE/deps");
    let example = profile.join("examples").join(format!("working_together{}", std::env::consts::EXE_SUFFIX));
    let output = Command::new(example).output().expect("cargo test builds the examples");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let expected = "chained: Welcome, Oto! 9 nights, how nice.\nmap-reduce: 3 complaints\nrecursive: 10\ncompiled: [10.0, 25.0]\n";
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
    assert!(output.status.success());
}
