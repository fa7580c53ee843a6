//! The description of a tool: where its clauses and sentences end, and excerpts of it.

use ptc_lisp::ToolSpec;
use ptc_lisp::text::{one_line, shortened};

use super::LINE;

/// A description in one line.
pub(super) struct Description {
    text: String,
    /// Where its clauses end.
    ends: Vec<(usize, End)>,
}

/// What ends at the end of a clause.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
enum End {
    Clause,
    Sentence,
    /// A paragraph, or what comes before a list or a section.
    Paragraph,
}

/// Words before a dot that ends no sentence.
const ABBREVIATIONS: [&str; 5] = ["e.g.", "i.e.", "etc.", "vs.", "approx."];

impl Description {
    pub fn of(spec: &ToolSpec) -> Description {
        let mut found = Description { text: String::new(), ends: Vec::new() };
        let mut rest = spec.description.as_deref().unwrap_or_default().trim();
        while !rest.is_empty() {
            let (at, end) = end_of_clause(rest).unwrap_or((rest.len(), End::Paragraph));
            let (clause, after) = rest.split_at_checked(at).unwrap_or((rest, ""));
            let gap = if found.text.is_empty() { "" } else { " " };
            found.text.push_str(gap);
            found.text.push_str(&one_line(clause));
            found.ends.push((found.text.len(), end));
            rest = after.trim_start();
        }
        found
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The texts from the beginning to the end of each clause, the shortest first.
    pub fn beginnings(&self) -> impl Iterator<Item = &str> {
        self.ends.iter().filter_map(|(end, _)| self.text.get(..*end))
    }

    /// What follows a beginning of this many bytes.
    pub fn after(&self, beginning: usize) -> Excerpt<'_> {
        Excerpt { description: self, from: beginning }
    }
}

/// Where the first clause ends, if others follow, and what ends there.
fn end_of_clause(text: &str) -> Option<(usize, End)> {
    let spaces = text.char_indices().filter(|(_, c)| c.is_whitespace());
    let parts = spaces.filter_map(|(at, _)| text.split_at_checked(at));
    // Only the first space of many: what follows them is looked for once.
    parts.filter(|(clause, _)| !clause.ends_with(char::is_whitespace)).find_map(|(clause, rest)| {
        let after = rest.trim_start();
        let lines = rest.get(..rest.len() - after.len()).unwrap_or_default().matches('\n').count();
        let is_word = ABBREVIATIONS.iter().any(|word| clause.ends_with(word));
        let end = match after.chars().next() {
            Some(_) if lines > 1 || (lines == 1 && begins_section(after)) => End::Paragraph,
            Some(next) if !next.is_lowercase() && clause.ends_with(['.', '!', '?']) && !is_word => End::Sentence,
            _ => End::Clause,
        };
        (end > End::Clause || clause.ends_with([':', ';', '|'])).then_some((clause.len(), end))
    })
}

/// Whether the first line belongs to a list, or is the heading of a section: `- one`, `Returns:`.
fn begins_section(text: &str) -> bool {
    let line = text.lines().next().unwrap_or_default().trim_end();
    line.ends_with(':') || ["- ", "* ", "• "].iter().any(|mark| line.starts_with(mark))
}

/// The rest of a description from a place on.
#[derive(Clone, Copy)]
pub(super) struct Excerpt<'a> {
    description: &'a Description,
    from: usize,
}

impl Excerpt<'_> {
    fn text(&self) -> &str {
        self.description.text.get(self.from..).unwrap_or_default().trim_start()
    }

    /// As many sentences of the first paragraph as fit into this many characters, but at least one, which is cut where a
    /// line is full. `...` marks what is missing; the flag says whether something is.
    pub fn sentences(self, most: usize) -> (String, bool) {
        let all = self.text();
        let start = self.description.text.len() - all.len();
        let ends: Vec<_> = self.description.ends.iter().filter(|(at, end)| *end > End::Clause && *at > start).collect();
        let paragraph = ends.iter().position(|(_, end)| *end == End::Paragraph).map_or(ends.len(), |at| at + 1);
        let mut sentences = ends.iter().take(paragraph).filter_map(|(at, _)| all.get(..at - start));
        let first = sentences.next().unwrap_or(all);
        let shown = sentences.take_while(|text| text.chars().nth(most).is_none()).last().unwrap_or(first);
        match (shown.len() < all.len(), shortened(shown, LINE)) {
            (true, shown) if !shown.ends_with("...") => (format!("{shown} ..."), true),
            (is_shortened, text) => (text.to_string(), is_shortened || text.len() != shown.len()),
        }
    }

    /// The first words, of at most this many characters with the `...` that marks what is missing.
    pub fn words(self, most: usize) -> String {
        let all = self.text();
        if all.chars().nth(most).is_none() {
            return all.to_owned();
        }
        let fits = |text: &&str| text.chars().count() + 3 <= most;
        let beginnings = all.match_indices(' ').filter_map(|(at, _)| all.get(..at));
        beginnings.take_while(fits).last().map(|words| format!("{words}...")).unwrap_or_default()
    }
}
