//! The page on errors and exit codes: the codes are read from the source, with the documentation of their variants.

use std::path::PathBuf;

use super::Generated;
use crate::{Failure, Workspace};

const PAGE: &str = "docs/reference/errors.md";
const HEAD: &str = include_str!("errors.md");

const RUNS: &str = "crates/ptc-transcript/src/fail.rs";
const PROGRAMS: &str = "crates/ptc-lisp/src/error.rs";
const WARNINGS: &str = "crates/ptc-lisp/src/error/warning.rs";
const MODELS: &str = "crates/ptc-chat/src/error.rs";

/// Advice for a failed run, `code: text` on each line; a test checks that each code of [`RUNS`] has one.
const ADVICE: &str = include_str!("advice.txt");

/// The codes with their advice.
pub(super) fn advised() -> impl Iterator<Item = (&'static str, &'static str)> {
    ADVICE.lines().filter_map(|line| line.split_once(": "))
}

/// A code and the documentation of its variant.
pub(super) struct Code {
    pub(super) name: String,
    pub(super) doc: String,
}

/// The page, with a table for each list of codes.
pub(super) fn generate(workspace: &Workspace) -> Result<Generated, Failure> {
    let codes = |path: &str, list: &str| -> Result<Vec<Code>, Failure> { Ok(codes(&workspace.read(path)?, list)) };
    let runs = codes(RUNS, "fail_reasons! {")?;
    let advised: Vec<String> = runs.iter().map(|code| format!("{} | {}", code.doc, advice(&code.name))).collect();
    let runs = runs.iter().zip(advised).map(|(code, doc)| Code { name: code.name.clone(), doc }).collect::<Vec<_>>();
    let page = [
        HEAD.to_owned(),
        table("How a run fails", "Code of the run, in brackets after `error`. A run whose program failed in its last turn may also have one of the codes of programs.", "code | means | what to do", &runs),
        table("How a program fails", "The model sees the error and continues with its next turn: definitions of the failed program are undone, the calls it made are not. `ptc eval` ends with them. All but the limits (`recursion_limit_exceeded`, `timeout`, `memory_exceeded`, `fuel_exceeded`, `symbol_limit_exceeded`, `cancelled`) can be caught with `try`. [Functions](functions.md) says what each function wants.", "code | means", &codes(PROGRAMS, "pub enum Reason {")?),
        table("Warnings of programs", "Legal code that is nearly always a mistake: the model reads it with its output, `ptc check` and `ptc eval` show it.", "code | means", &codes(WARNINGS, "pub enum WarningCode {")?),
        table("Kinds of failed calls of models", "In the message of `llm_error`; [models](../guide/models.md#what-comes-back) says which are tried again.", "kind | means", &codes(MODELS, "pub enum LlmErrorKind {")?),
    ]
    .join("");
    Ok(vec![(PathBuf::from(PAGE), page.trim_end().to_owned() + "\n")])
}

fn advice(code: &str) -> &'static str {
    advised().find(|(known, _)| *known == code).map_or("", |(_, advice)| advice)
}

fn table(title: &str, about: &str, head: &str, codes: &[Code]) -> String {
    let line = format!("|{}", "---|".repeat(head.split('|').count()));
    let rows: String = codes.iter().map(|code| format!("| `{}` | {} |\n", code.name, code.doc)).collect();
    format!("## {title}\n\n{about}\n\n| {head} |\n{line}\n{rows}\n")
}

/// The variants that follow `list` in a source file, up to the end of the list: `/// doc`, then `Name`, with
/// `= "code"` or else its name in snake case.
pub(super) fn codes(source: &str, list: &str) -> Vec<Code> {
    let (mut codes, mut doc) = (Vec::new(), String::new());
    let mut lines = source.split_once(list).map_or("", |(_, rest)| rest).lines().map(str::trim);
    let mut depth = 0;
    for line in lines.by_ref() {
        match line.strip_prefix("///") {
            Some(text) if depth == 0 => doc = format!("{doc} {}", text.trim()).trim().to_owned(),
            None if line.starts_with('}') && depth == 0 => break,
            None if line.ends_with('{') => {
                codes.push(Code { name: snake(line.trim_end_matches(" {")), doc: std::mem::take(&mut doc) });
                depth += 1;
            }
            None if line.starts_with('}') => depth -= 1,
            None if depth == 0 && line.starts_with(char::is_uppercase) => {
                let name = line.split('"').nth(1).map_or_else(|| snake(line.trim_end_matches(',')), str::to_owned);
                codes.push(Code { name, doc: std::mem::take(&mut doc).replace('|', "\\|") });
            }
            _ => {}
        }
    }
    codes
}

/// `RateLimit` as `rate_limit`.
fn snake(name: &str) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.extend(letter.to_lowercase());
    }
    text
}
