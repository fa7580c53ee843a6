//! No piece of a sentence without a row, no word in code marks without a program, no row without a sentence.

use std::collections::BTreeSet;

use ptc_lisp::{look_up, reference};
use ptc_mission::LanguageSpec;

use crate::{Statement, statements};

/// The texts that agents are given; together they have every part.
const TEXTS: [&str; 6] = ["full", "single_shot", "minimal", "brief", "addon_tasks", "addon_plan"];

/// The heading of the generated list, which has its own test.
const FUNCTIONS: &str = "## Functions";

#[test]
fn the_texts_have_every_part() {
    let parts = |key| LanguageSpec::metadata(key).unwrap().parts;
    let tested: BTreeSet<&str> = TEXTS.into_iter().flat_map(parts).collect();
    let known: BTreeSet<&str> = LanguageSpec::list().into_iter().flat_map(parts).collect();
    assert_eq!(tested, known);
}

#[test]
fn every_sentence_has_a_row_whose_programs_use_its_words() {
    let mut problems = Vec::new();
    for sentence in sentences() {
        let rows: Vec<&Statement> = statements().filter(|row| sentence.contains(row.says)).collect();
        if rows.is_empty() {
            problems.push(format!("no row: {sentence}"));
            continue;
        }
        let rest = remainder(&sentence, &rows);
        if !rest.is_empty() {
            problems.push(format!("no row says \"{rest}\": {sentence}"));
        }
        let programs: String = rows.iter().flat_map(|row| row.proofs).map(|proof| proof.programs() + " ").collect();
        let unused: Vec<&str> = words(&sentence).into_iter().filter(|word| !programs.contains(word)).collect();
        if !programs.is_empty() && !unused.is_empty() {
            problems.push(format!("no program uses {}: {sentence}", unused.join(" ")));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_row_is_part_of_a_sentence() {
    let sentences = sentences();
    let unused: Vec<&str> = statements()
        .map(|row| row.says)
        .filter(|says| !sentences.iter().any(|sentence| sentence.contains(says)))
        .collect();
    assert!(unused.is_empty(), "no text says: {}", unused.join("\n"));
}

#[test]
fn the_list_of_functions_is_complete() {
    let text = LanguageSpec::get("full").unwrap();
    let list = text.split_once(FUNCTIONS).unwrap().1.split("\n## ").next().unwrap();
    let lines = list.lines().filter_map(|line| line.strip_prefix("- ")?.split_once(": "));
    let listed: BTreeSet<&str> = lines.flat_map(|(_, names)| names.split(' ')).collect();
    let known: BTreeSet<&str> = reference().iter().map(|entry| entry.name).collect();
    assert_eq!(listed, known);
    assert!(listed.iter().all(|name| look_up(name).is_ok()));
}

/// The part of a sentence that no row covers, without words that join its pieces.
fn remainder(sentence: &str, rows: &[&Statement]) -> String {
    let mut says: Vec<&str> = rows.iter().map(|row| row.says).collect();
    says.sort_by_key(|says| std::cmp::Reverse(says.len()));
    let rest = says.iter().fold(sentence.to_owned(), |rest, says| rest.replace(says, " "));
    let words = rest.split(|c: char| c.is_whitespace() || ",.;:".contains(c));
    words.filter(|word| !word.is_empty() && *word != "and").collect::<Vec<_>>().join(" ")
}

/// Every sentence outside of examples, headings and the list of functions.
fn sentences() -> BTreeSet<String> {
    TEXTS.into_iter().flat_map(|key| prose(&LanguageSpec::get(key).unwrap())).flat_map(|line| split(&line)).collect()
}

fn prose(text: &str) -> Vec<String> {
    let (mut fenced, mut listed) = (false, false);
    let mut lines = Vec::new();
    for line in text.lines() {
        fenced ^= line.starts_with("```");
        if line.starts_with("## ") {
            listed = line == FUNCTIONS;
        }
        let is_prose = !fenced && !listed && !line.is_empty() && !line.starts_with(['#', '`']);
        if is_prose || line.starts_with("`") && !line.starts_with("```") {
            lines.push(line.strip_prefix("- ").unwrap_or(line).replace("**", ""));
        }
    }
    lines
}

/// The sentences of a line: they end with a full stop outside of code marks, followed by a space.
fn split(line: &str) -> Vec<String> {
    let mut sentences = vec![String::new()];
    let mut code = false;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        code ^= c == '`';
        sentences.last_mut().unwrap().push(c);
        if c == '.' && !code && chars.peek() == Some(&' ') {
            sentences.push(String::new());
        }
    }
    sentences.into_iter().map(|sentence| sentence.trim().to_owned()).filter(|sentence| !sentence.is_empty()).collect()
}

/// The contents of code marks: single names, the first word of a form, the namespace of `data/x`.
fn words(sentence: &str) -> Vec<&str> {
    let spans = sentence.split('`').skip(1).step_by(2);
    let words = spans.flat_map(|span| {
        if is_form(span) { head(span).into_iter().collect() } else { span.split(' ').collect::<Vec<_>>() }
    });
    words.map(|word| if word.ends_with("/x") { &word[..word.len() - 1] } else { word }).collect()
}

fn is_form(span: &str) -> bool {
    span.starts_with(['(', '[', '\'', '#', '~', '"'])
}

fn head(form: &str) -> Option<&str> {
    form.strip_prefix('(').and_then(|form| form.split([' ', ')']).next())
}

#[test]
fn sentences_and_words_are_found() {
    let line = "Use `(first q)` and `a.b. c` now. Then `x y`.";
    assert_eq!(split(line), ["Use `(first q)` and `a.b. c` now.", "Then `x y`."]);
    assert_eq!(words(line), ["first", "a.b.", "c", "x", "y"]);
}
