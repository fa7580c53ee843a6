//! The page for people who know Clojure: its tables are cases of the language corpus, which tests run.

use std::fs;
use std::path::{Path, PathBuf};

use ptc_tests::lang::{self, Case, Ending, Turn};

use super::Generated;
use crate::markdown::{filled, row};
use crate::{Failure, Workspace};

const PAGE: &str = "docs/guide/clojure.md";
const TEXT: &str = include_str!("clojure.md");

/// A case as a row of a table; nothing when it is not written as one.
type Row = fn(&Case) -> Option<String>;

/// Folders of cases, each with the head and the rows of its tables.
const TABLES: [(&str, &str, Row); 2] = [
    ("differs", "| program | Clojure | here |\n|---|---|---|\n", differing),
    ("absent", "| Clojure | the error says | write |\n|---|---|---|\n", missing),
];

/// The page with its tables, one for each file of cases.
pub(super) fn generate(_: &Workspace) -> Result<Generated, Failure> {
    let mut tables = Vec::new();
    for (name, head, row) in TABLES {
        let mut text = String::new();
        for path in lang::files(&lang::clojure_folder().join(name)).map_err(Failure::file(Path::new(name)))? {
            text += &table(&path, head, row)?;
        }
        tables.push((name, text.trim_end().to_owned()));
    }
    Ok(vec![(PathBuf::from(PAGE), filled(TEXT, tables))])
}

/// A heading and a sentence, from the first line of the file (`;; Heading: sentence`), then a row for each case.
fn table(path: &Path, head: &str, row: Row) -> Result<String, Failure> {
    let text = fs::read_to_string(path).map_err(Failure::file(path))?;
    let cases = lang::read(&text).map_err(|malformed| Failure::measured(path.display(), malformed))?;
    let first = text.lines().next().unwrap_or_default().trim_start_matches(";; ");
    let (heading, sentence) = first.split_once(": ").unwrap_or((first, ""));
    let mut table = format!("### {}\n\n", heading.trim_end_matches('.'));
    let mut letters = sentence.chars();
    if let Some(letter) = letters.next() {
        table += &format!("{}{}\n\n", letter.to_uppercase(), letters.as_str());
    }
    table += head;
    for case in &cases {
        let wanted = || Failure::measured(format!("{}:{}", path.display(), case.line), "is not a row of the page");
        table += &row(case).ok_or_else(wanted)?;
    }
    Ok(table + "\n")
}

/// The program, what Clojure answers, and what it answers here.
fn differing(case: &Case) -> Option<String> {
    let [turn] = case.turns.as_slice() else { return None };
    let clojure = match turn.clojure.as_deref()?.split_once(' ') {
        None if turn.clojure.as_deref() == Some("throws") => "throws".to_owned(),
        Some(("prints", text)) => format!("prints {}", code(text)),
        _ => code(turn.clojure.as_deref()?),
    };
    let here =
        if turn.prints.is_empty() { code(value(turn)?) } else { format!("prints {}", code(&turn.prints.join("\n"))) };
    let here = if turn.warnings.is_empty() { here } else { here + ", and warns" };
    Some(row([program(turn), clojure, here]))
}

/// The program, what the error says, and a program that runs.
fn missing(case: &Case) -> Option<String> {
    let [turn, other] = case.turns.as_slice() else { return None };
    // A problem is written `reason line:column text`.
    let says = turn.problems.first()?.splitn(3, ' ').nth(2)?;
    // Of a name that is not there the advice matters: `undefined symbol 'x'. Hint: advice`.
    let says = match says.strip_prefix("undefined symbol '").and_then(|says| says.split_once("'. ")) {
        Some((_, advice)) => advice.split_once(": ").map_or(advice, |(_, advice)| advice),
        None => says,
    };
    Some(row([program(turn), code(says), program(other)]))
}

fn value(turn: &Turn) -> Option<&str> {
    match turn.ending.as_ref()? {
        Ending::Value(text) => Some(text),
        Ending::Return(_) | Ending::Fail(_) => None,
    }
}

/// The program in one line.
fn program(turn: &Turn) -> String {
    code(&turn.source.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// A span of code for a cell of a table.
fn code(text: &str) -> String {
    let text = text.replace('|', "\\|");
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}
