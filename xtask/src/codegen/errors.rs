//! The page on errors and exit codes: the codes are read from the source, with the documentation of their variants.

use std::path::PathBuf;

use super::Generated;
use crate::markdown::{filled, row};
use crate::{Failure, Workspace};

const PAGE: &str = "docs/reference/errors.md";
const TEXT: &str = include_str!("errors.md");

const RUNS: &str = "crates/ptc-transcript/src/fail.rs";
const PROGRAMS: &str = "crates/ptc-lisp/src/error.rs";
const WARNINGS: &str = "crates/ptc-lisp/src/error/warning.rs";
const MODELS: &str = "crates/ptc-chat/src/error/kind.rs";

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

/// The page, with the rows of each list of codes.
pub(super) fn generate(workspace: &Workspace) -> Result<Generated, Failure> {
    let codes = |path: &str, list: &str| Ok(codes(&workspace.read(path)?, list));
    let mut runs = codes(RUNS, "fail_reasons! {")?;
    for code in &mut runs {
        let advice = advised().find(|(known, _)| *known == code.name).map_or("", |(_, advice)| advice);
        code.doc += &format!(" | {advice}");
    }
    let figures = [
        ("runs", rows(&runs)),
        ("programs", rows(&codes(PROGRAMS, "pub enum Reason {")?)),
        ("warnings", rows(&codes(WARNINGS, "pub enum WarningCode {")?)),
        ("models", rows(&codes(MODELS, "pub enum LlmErrorKind {")?)),
    ];
    Ok(vec![(PathBuf::from(PAGE), filled(TEXT, figures))])
}

fn rows(codes: &[Code]) -> String {
    let rows: String = codes.iter().map(|code| row([&format!("`{}`", code.name), &code.doc])).collect();
    rows.trim_end().to_owned()
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
