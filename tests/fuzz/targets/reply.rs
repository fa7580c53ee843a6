//! Answers of models: the program in them, the JSON in them.

use ptc_runner::agent::{ExtractError, extract_json, extract_program};

/// What stands for bytes that are not UTF-8.
const LOST: char = '\u{fffd}';

pub(crate) fn run(bytes: &[u8]) {
    let answer = String::from_utf8_lossy(bytes);
    program(&answer);
    json(&answer);
}

/// An answer has one program or an error, whatever its line ends.
fn program(answer: &str) {
    let found = extract_program(answer);
    let lines = answer.replace("\r\n", "\n").replace('\r', "\n");
    assert_eq!(extract_program(&lines.replace('\n', "\r\n")), found, "from {answer:?}");
    match found {
        Ok(program) => found_again(&program, &lines),
        Err(ExtractError::Multiple(count)) => assert!(count > 1, "{count} programs in {answer:?}"),
        Err(ExtractError::Undecoded(word)) => assert!(word.contains(LOST), "{word:?} in {answer:?}"),
        Err(_) => {
            assert!(!lines.trim_start().starts_with('(') || has_marks(&lines), "no program in {answer:?}");
        }
    }
}

/// A program is extracted as it is, and found again in a block; two equal blocks are one program.
fn found_again(program: &str, answer: &str) {
    assert_eq!(program.trim(), program, "from {answer:?}");
    // The marks of a quotation are taken off its lines.
    assert!(!answer.is_ascii() || answer.contains('>') || answer.contains(program), "{program:?} from {answer:?}");
    if program.contains("```") || program.contains("~~~") || has_marks(program) {
        return;
    }
    let block = format!("So:\n```clojure\n{program}\n```\n");
    assert_eq!(extract_program(&block).as_deref(), Ok(program), "from {answer:?}");
    // A string that is never closed takes what follows into it.
    if !program.contains(['"', '\\', '<']) && program.is_ascii() {
        assert_eq!(extract_program(&block.repeat(2)), Ok(program.to_owned()), "from {answer:?}");
    }
}

/// Whether a text may have marks of thoughts or of elements.
fn has_marks(text: &str) -> bool {
    text.contains(['<', '◁']) || text.to_ascii_lowercase().contains("think]")
}

/// JSON is found again alone, and in a block whatever its strings hold.
fn json(answer: &str) {
    let Ok(found) = extract_json(answer) else { return };
    let text = found.to_string().replace(LOST, "\\ufffd");
    assert_eq!(extract_json(&text), Ok(found.clone()), "from {answer:?}");
    if found.is_object() || found.is_array() {
        assert_eq!(extract_json(&format!("So:\n```json\n{text}\n```\n")), Ok(found), "from {answer:?}");
    }
}
