//! The corpus of attacks, and what none of them may leave in output; unit tests of the command use it, too.

/// The texts of the corpus.
pub(crate) fn attacks() -> Vec<String> {
    let corpus = include_str!("../../../../../tests/attacks/attacks.jsonl");
    let text =
        |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap()["text"].as_str().unwrap().to_owned();
    corpus.lines().map(text).collect()
}

/// Whether a terminal obeys a character, or shows nothing for it.
pub(crate) fn acts(c: char) -> bool {
    let is_control = c.is_control() && !matches!(c, '\n' | '\t');
    is_control
        || matches!(c, '\u{61C}' | '\u{180E}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}')
        || matches!(c, '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{E0000}'..='\u{E0FFF}')
}
