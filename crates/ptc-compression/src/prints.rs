//! How much is shown of what programs printed.

use std::borrow::Cow;

use crate::words::grouped;
use ptc_lisp::text::{Fitted, fair_share, fitted};
use ptc_transcript::Turn;

/// Characters of a printed entry that a limit of all entries leaves at least, so that a few words of each are shown.
const LEAST: usize = 200;

/// Characters of what the turn just run printed, where a view has no limit for each entry.
pub(crate) const TURN_CHARS: usize = 8_000;

/// A printed entry as it was recorded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Print<'p> {
    pub text: &'p str,
    /// Characters that the record lacks.
    pub missing: usize,
}

impl<'p> Print<'p> {
    /// What a turn printed, oldest first.
    pub fn of(turn: &'p Turn) -> impl DoubleEndedIterator<Item = Print<'p>> + ExactSizeIterator {
        turn.prints().iter().enumerate().map(|(place, text)| Print { text, missing: turn.print_missing(place) })
    }

    /// The entry in at most this many characters, followed by how many are missing.
    pub fn within(self, characters: usize) -> Cow<'p, str> {
        match fitted(self.text, characters) {
            None => marked(self.text.into(), self.missing),
            Some(Fitted { text, missing }) => marked(text.into(), self.missing + missing),
        }
    }
}

/// `abc... (1,234 more characters not shown: print less)`
fn marked(text: Cow<'_, str>, missing: usize) -> Cow<'_, str> {
    let mark = if text.ends_with("...") { "" } else { " ..." };
    let plural = if missing == 1 { "" } else { "s" };
    match missing {
        0 => text,
        _ => format!("{text}{mark} ({} more character{plural} not shown: print less)", grouped(missing)).into(),
    }
}

/// Limits of a list of printed entries.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PrintBudget {
    pub entries: usize,
    /// The total of all entries.
    pub characters: usize,
}

impl PrintBudget {
    /// The limits for the output of a failed program.
    pub const BEFORE_ERROR: PrintBudget = PrintBudget { entries: 15, characters: 2_000 };

    /// This many characters of any number of entries.
    pub fn of(characters: usize) -> PrintBudget {
        PrintBudget { entries: usize::MAX, characters }
    }

    /// The newest entries, oldest first. If they are too long together, each gets its share: the long ones are shortened
    /// to the same length, and say how many characters are missing. The oldest are left out only where the shares would
    /// be too small to say anything.
    pub fn newest<'p>(self, prints: impl DoubleEndedIterator<Item = Print<'p>>) -> Vec<Cow<'p, str>> {
        let mut left = self.characters;
        let mut shown: Vec<(Print<'p>, usize)> = Vec::new();
        for print in prints.rev().take(self.entries) {
            let length = print.text.chars().count();
            let least = length.min(LEAST);
            if least > left && !shown.is_empty() {
                break;
            }
            left = left.saturating_sub(least);
            shown.push((print, length));
        }
        let share = fair_share(shown.iter().map(|(_, length)| *length), self.characters);
        shown.into_iter().rev().map(|(print, _)| print.within(share)).collect()
    }
}

#[cfg(test)]
mod tests;
