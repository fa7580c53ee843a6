//! The operators: each is one mistake that a model makes when it types a program.

mod mistakes;

use std::ops::Range;

use super::forms::{Form, Sites};
use ptc_tests::random::Random;

/// A kind of mistake.
pub(super) struct Operator {
    pub name: &'static str,
    /// Every place where it may strike in a program, in order; the details are random.
    changes: fn(&Sites<'_>, &mut Random) -> Vec<Change>,
}

/// All of them, in the order of the report.
pub(super) const OPERATORS: &[Operator] = &[
    Operator { name: MISSPELLING, changes: mistakes::misspelled },
    Operator { name: "dropped-delimiter", changes: mistakes::dropped },
    Operator { name: "extra-delimiter", changes: mistakes::doubled },
    Operator { name: "wrong-delimiter", changes: mistakes::of_another_kind },
    Operator { name: "unclosed-string", changes: mistakes::unclosed_text },
    Operator { name: "swapped-arguments", changes: mistakes::swapped },
    Operator { name: "wrong-arity", changes: mistakes::wrong_count },
    Operator { name: "keyword-string", changes: mistakes::keyword_or_string },
    Operator { name: "unknown-tool", changes: mistakes::unknown_tool },
    Operator { name: "missing-tool-argument", changes: mistakes::missing_argument },
    Operator { name: "recur-not-tail", changes: mistakes::recur_not_tail },
    Operator { name: "wrong-destructuring", changes: mistakes::wrong_pattern },
    Operator { name: "missing-quote", changes: mistakes::missing_quote },
];

/// The operator whose hints must name what was intended.
pub(super) const MISSPELLING: &str = "misspelling";

/// One mistake at one place. Edits never add or remove a line, so lines of the mutant are those of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Change {
    /// Replacements, in ascending order.
    edits: Vec<(Range<usize>, String)>,
    /// Where a message should point: offsets of the original, one of whose lines it must name.
    places: Vec<usize>,
    /// The name that a hint should give.
    meant: Option<String>,
}

impl Change {
    /// Replacements, in ascending order; a message should name the line of the first.
    fn of<const N: usize>(edits: [(Range<usize>, &str); N]) -> Change {
        let places = edits.first().map(|(span, _)| span.start).into_iter().collect();
        let edits = edits.into_iter().map(|(span, text)| (span, text.to_owned())).collect();
        Change { edits, places, meant: None }
    }

    /// `text` instead of what is at `span`.
    fn at(span: Range<usize>, text: impl AsRef<str>) -> Change {
        Change::of([(span, text.as_ref())])
    }

    /// Two forms in each other's place.
    fn swap(one: &Form<'_>, other: &Form<'_>) -> Change {
        Change::of([(one.span.clone(), other.text), (other.span.clone(), one.text)])
    }

    /// Another place where a message may point: the call whose arguments are changed.
    fn or_at(mut self, place: usize) -> Change {
        self.places.push(place);
        self
    }

    /// With the name that a hint should give.
    fn meaning(mut self, name: &str) -> Change {
        self.meant = Some(name.to_owned());
        self
    }
}

/// A program with a mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mutant {
    pub source: String,
    /// The lines, from 1, of which a message must name one.
    pub lines: Vec<usize>,
    /// The name that a hint should give.
    pub meant: Option<String>,
}

impl Operator {
    /// At most `cap` different mutants of a program.
    pub fn mutants(&self, sites: &Sites<'_>, cap: usize, random: &mut Random) -> Vec<Mutant> {
        let mut changes = (self.changes)(sites, random);
        let mut mutants: Vec<Mutant> = Vec::new();
        while mutants.len() < cap && !changes.is_empty() {
            let place = usize::try_from(random.below(changes.len() as u64)).unwrap_or(0);
            let mutant = changes.swap_remove(place).apply(sites.source);
            let is_new = mutant.source != sites.source && mutants.iter().all(|other| other.source != mutant.source);
            if is_new {
                mutants.push(mutant);
            }
        }
        mutants
    }
}

impl Change {
    fn apply(&self, source: &str) -> Mutant {
        let mut text = String::new();
        let mut done = 0;
        for (span, replacement) in &self.edits {
            text.push_str(source.get(done..span.start).unwrap_or_default());
            text.push_str(replacement);
            done = span.end;
        }
        text.push_str(source.get(done..).unwrap_or_default());
        let line = |offset: &usize| source.get(..*offset).unwrap_or(source).matches('\n').count() + 1;
        Mutant { source: text, lines: self.places.iter().map(line).collect(), meant: self.meant.clone() }
    }
}
