//! Beginnings that several descriptions have.

use std::collections::HashMap;

use super::description::Description;
use crate::words::section::SHARED_BEGINNING;

/// Clauses of a beginning.
const MAX_CLAUSES: usize = 20;

/// Tokens of the line of a beginning besides the beginning, and of a label: at most, in any vocabulary.
const LINE_TOKENS: usize = 12;
const LABEL_TOKENS: usize = 4;

/// Beginnings of descriptions that are said once.
#[derive(Default)]
pub(super) struct Beginnings {
    /// Label and text.
    texts: Vec<(char, String)>,
    /// For some descriptions, by place: label, and bytes of the beginning.
    of: HashMap<usize, (char, usize)>,
}

impl Beginnings {
    /// The label of the beginning of this description, and its bytes.
    pub fn of(&self, at: usize) -> (Option<char>, usize) {
        self.of.get(&at).map_or((None, 0), |(label, bytes)| (Some(*label), *bytes))
    }

    /// `;; Below, [A] stands for: This tool belongs to the file system.`
    pub fn lines(&self) -> Vec<String> {
        self.texts.iter().map(|(label, text)| format!("{SHARED_BEGINNING}{label}] stands for: {text}")).collect()
    }
}

/// The beginnings that are worth a label, those that save most first. Cost: linear in the descriptions.
pub(super) fn shared_beginnings(descriptions: &[Description]) -> Beginnings {
    let mut found = Beginnings::default();
    let mut open: Vec<usize> = (0..descriptions.len()).collect();
    // A label occurs in no description.
    let is_free = |label: &char| !descriptions.iter().any(|known| known.text().contains(&format!("[{label}]")));
    for label in ('A'..='Z').filter(is_free) {
        let Some(text) = most_saving(descriptions, &open) else { break };
        let has_it = |at: &usize| descriptions.get(*at).is_some_and(|known| begins_with(known, text));
        let (having, others): (Vec<usize>, Vec<usize>) = open.into_iter().partition(has_it);
        open = others;
        found.of.extend(having.into_iter().map(|at| (at, (label, text.len()))));
        found.texts.push((label, text.to_owned()));
    }
    found
}

fn begins_with(description: &Description, text: &str) -> bool {
    description.beginnings().take(MAX_CLAUSES).any(|beginning| beginning == text)
}

/// The beginning that saves most tokens, if one does: each word has at least one.
fn most_saving<'d>(descriptions: &'d [Description], open: &[usize]) -> Option<&'d str> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for description in open.iter().filter_map(|at| descriptions.get(*at)) {
        description.beginnings().take(MAX_CLAUSES).for_each(|beginning| *counts.entry(beginning).or_default() += 1);
    }
    let saved = |text: &str, count: usize| {
        let words = text.split(' ').count() * (count - 1);
        words.checked_sub(LINE_TOKENS + LABEL_TOKENS * count).filter(|saved| *saved > 0)
    };
    // The text decides between equals: a map has no order.
    counts.into_iter().filter_map(|(text, count)| Some((saved(text, count)?, text))).max().map(|(_, text)| text)
}
