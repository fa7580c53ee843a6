use super::*;

/// Proposed commands are pasted: bash must read each word as what it was.
#[cfg(target_os = "linux")]
#[test]
fn a_shell_reads_a_word_as_it_was() {
    let attacks = crate::output::tests::attacks();
    let plain = ["m.toml", "", "#1", "it's", "a b", "~/x", "$HOME", "*", "a\\nb", "--set=x", "http://127.0.0.1:1/v1#q"];
    for text in attacks.iter().map(String::as_str).chain(plain) {
        let text = text.replace('\0', "");
        let word = shell(&text);
        assert!(escaped(&word) == word, "{word:?}");
        let script = format!("printf %s {word}");
        let output =
            std::process::Command::new("bash").env("LC_ALL", "C.UTF-8").args(["-c", &script]).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), text, "{word}");
    }
}

#[test]
fn durations_are_short() {
    let all = [0.31, 8.0, 80.7, 999.0, 1_250.0, 59_990.0, 125_000.0]
        .map(|ms| duration(Duration::from_secs_f64(ms / 1_000.0)));
    assert_eq!(all, ["0.3 ms", "8.0 ms", "80 ms", "999 ms", "1.2 s", "59.9 s", "2 min 5 s"]);
}
