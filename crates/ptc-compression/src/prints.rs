//! How much is shown of what programs printed.

use std::borrow::Cow;

use ptc_lisp::shortened_counted;

/// Limits of a list of printed entries, which are spent from the newest backwards.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PrintBudget {
    pub entries: usize,
    /// The total of all entries.
    pub characters: usize,
}

impl PrintBudget {
    /// The limits for the output of a failed program.
    pub const BEFORE_ERROR: PrintBudget = PrintBudget { entries: 15, characters: 2_000 };

    /// The newest entries that fit, oldest first. If the newest entry alone does not fit, it is cut at its end and says
    /// how many characters are missing.
    pub fn newest<'p>(self, prints: impl DoubleEndedIterator<Item = &'p str>) -> Vec<Cow<'p, str>> {
        let mut left = self.characters;
        let mut shown: Vec<Cow<'p, str>> = Vec::new();
        for print in prints.rev().take(self.entries) {
            let length = print.chars().count();
            if length > left {
                if shown.is_empty() {
                    shown.push(shortened_counted(print, left));
                }
                break;
            }
            left -= length;
            shown.push(print.into());
        }
        shown.reverse();
        shown
    }
}

#[cfg(test)]
mod tests;
