//! A few random proved requirements: break each, and see whether its tests notice.

use super::page::{Proof, Row};
use crate::random::Random;

/// How many to draw, and the seed that decides which.
#[derive(Debug, Clone, Copy)]
pub(super) struct Draw {
    pub(super) count: u64,
    pub(super) seed: u64,
}

impl Draw {
    /// Print the drawn requirements with their tests.
    pub(super) fn print(self, rows: &[&Row]) {
        for row in self.rows(rows) {
            println!("{} {}", row.id, row.sentence);
            if let Proof::Tests(names) = &row.proof {
                names.iter().for_each(|name| println!("  {name}"));
            }
        }
    }

    /// This many different proved rows, or all when there are fewer, in the order of the page.
    pub(super) fn rows<'a>(self, rows: &[&'a Row]) -> Vec<&'a Row> {
        let mut random = Random::new(self.seed);
        let mut left: Vec<&Row> = rows.iter().copied().filter(|row| matches!(row.proof, Proof::Tests(_))).collect();
        let mut drawn = Vec::new();
        while (drawn.len() as u64) < self.count && !left.is_empty() {
            let place = random.below(left.len() as u64);
            drawn.push(left.swap_remove(usize::try_from(place).unwrap_or(0)));
        }
        drawn.sort_by_key(|row| row.line);
        drawn
    }
}
