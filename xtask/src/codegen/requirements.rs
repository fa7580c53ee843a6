//! The page of requirements: sentences from a list, with the tests that prove them, which say so themselves.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::Generated;
use crate::markdown::row;
use crate::sources::{Found, Item, Sources};
use crate::{Failure, Problem, Workspace};

const PAGE: &str = "docs/reference/requirements.md";
const LIST: &str = "xtask/src/codegen/requirements.md";
const SENTENCES: &str = include_str!("requirements.md");

/// The page, with a table for each section of the list.
pub(super) fn generate(workspace: &Workspace) -> Result<Generated, Failure> {
    Ok(vec![(PathBuf::from(PAGE), page(SENTENCES, &Sources::of(workspace)?))])
}

pub(super) fn page(list: &str, sources: &Sources) -> String {
    let mut page = String::new();
    let mut in_table = false;
    for line in list.lines() {
        let Some((id, sentence)) = requirement(line) else {
            page += &format!("{line}\n");
            in_table = false;
            continue;
        };
        if !std::mem::replace(&mut in_table, true) {
            page += "| ID | requirement | proved by |\n|---|---|---|\n";
        }
        page += &row([id, sentence, &tests(id, sources)]);
    }
    page
}

/// The tests that prove a requirement: `crate: names; other crate: names`.
fn tests(id: &str, sources: &Sources) -> String {
    let mut tests: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for item in proofs(id, sources) {
        let (binary, path) = item.name.split_once("::").unwrap_or((&item.name, ""));
        tests.entry(binary).or_default().push(format!("`{}`", path.rsplit("::").next().unwrap_or(path)));
    }
    tests.iter().map(|(binary, names)| format!("{binary}: {}", names.join(", "))).collect::<Vec<_>>().join("; ")
}

fn proofs<'s>(id: &'s str, sources: &'s Sources) -> impl Iterator<Item = &'s Item> {
    sources.proofs().filter(move |item| item.marks.proves.iter().any(|proved| proved == id))
}

/// The ID and the sentence of a line that begins with two or three capitals, a dash and three figures.
fn requirement(line: &str) -> Option<(&str, &str)> {
    let (id, sentence) = line.split_once(' ')?;
    let (group, number) = id.split_once('-')?;
    let is_id = (2..=3).contains(&group.len())
        && group.bytes().all(|byte| byte.is_ascii_uppercase())
        && number.len() == 3
        && number.bytes().all(|byte| byte.is_ascii_digit());
    is_id.then_some((id, sentence))
}

/// Requirements without a test, tests of unknown requirements, and tests that prove nothing.
pub(super) fn problems(workspace: &Workspace) -> Result<Vec<Problem>, Failure> {
    Ok(judge(SENTENCES, &Sources::of(workspace)?))
}

pub(super) fn judge(list: &str, sources: &Sources) -> Vec<Problem> {
    let known: Vec<(usize, &str)> =
        list.lines().enumerate().filter_map(|(at, line)| Some((at + 1, requirement(line)?.0))).collect();
    let mut problems = Vec::new();
    for (line, id) in &known {
        if known.iter().filter(|(_, other)| other == id).count() > 1 {
            problems.push(Problem::at(LIST, *line, format!("lists {id} twice. Keep one.")));
        }
        if proofs(id, sources).next().is_none() {
            let text = format!("{id} has no test. Write `/// Proves: {id}.` in the documentation of one.");
            problems.push(Problem::at(LIST, *line, text));
        }
    }
    for item in sources.proofs() {
        let mut told = |text: String| problems.push(Problem::at(&item.path, item.line, text));
        for id in item.marks.proves.iter().filter(|id| known.iter().all(|(_, known)| known != id)) {
            told(format!("proves {id}, which is not a requirement of {LIST}. Correct the ID."));
        }
        if item.marks.is_ignored {
            told("is a proof and ignored. Let it run.".to_owned());
        }
        if sources.test(&item.name) != Found::Asserts {
            told("is a proof and asserts nothing, so it cannot fail. Add an assertion.".to_owned());
        }
    }
    problems
}
