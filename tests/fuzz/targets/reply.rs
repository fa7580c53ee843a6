//! Answers of models: the program in them, the JSON in them.

use ptc_runner::agent::{extract_json, extract_program};

/// An answer has one program or an error; a program alone in a block is found as it is.
pub(crate) fn run(bytes: &[u8]) {
    let answer = String::from_utf8_lossy(bytes);
    let _ = extract_json(&answer);
    if let Ok(program) = extract_program(&answer)
        && !program.contains("```")
        && !program.contains("~~~")
    {
        let fenced = format!("So:\n```clojure\n{program}\n```\n");
        assert_eq!(extract_program(&fenced).as_deref(), Ok(program.trim_end()), "from {answer:?}");
    }
}
