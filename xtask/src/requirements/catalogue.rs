//! The requirements, and which of them are process notes.

use std::collections::BTreeSet;

/// Groups with the number of their last requirement; they count from 1 without gaps.
const GROUPS: &[(&str, u32)] = &[
    ("PRE", 3),
    ("BRK", 9),
    ("MIG", 6),
    ("API", 7),
    ("ARC", 12),
    ("NS", 12),
    ("FMT", 18),
    ("TYP", 12),
    ("TRN", 11),
    ("SAM", 3),
    ("DEF", 9),
    ("TC", 7),
    ("MSG", 7),
    ("CMP", 3),
    ("ERR", 5),
    ("SS", 2),
    ("DBG", 10),
    ("CLN", 12),
    ("AMB", 12),
    ("CHG", 37),
];

/// Entries of the change log that report how something was decided, and no behaviour.
const NOTES: (&str, &[u32]) = ("CHG", &[13, 14, 24, 25, 30, 32, 33, 35, 36, 37]);

/// The requirements by ID.
#[derive(Debug)]
pub(super) struct Catalogue {
    ids: BTreeSet<String>,
    notes: BTreeSet<String>,
}

impl Catalogue {
    /// Those of the agent library.
    pub(super) fn shipped() -> Catalogue {
        Catalogue::of(GROUPS, NOTES)
    }

    pub(super) fn of(groups: &[(&str, u32)], notes: (&str, &[u32])) -> Catalogue {
        Catalogue {
            ids: groups.iter().flat_map(|(group, last)| (1..=*last).map(|number| id(group, number))).collect(),
            notes: notes.1.iter().map(|number| id(notes.0, *number)).collect(),
        }
    }

    /// All IDs, sorted.
    pub(super) fn ids(&self) -> impl Iterator<Item = &String> {
        self.ids.iter()
    }

    pub(super) fn has(&self, id: &str) -> bool {
        self.ids.contains(id)
    }

    /// Whether it states no behaviour.
    pub(super) fn is_note(&self, id: &str) -> bool {
        self.notes.contains(id)
    }
}

fn id(group: &str, number: u32) -> String {
    format!("{group}-{number:03}")
}
