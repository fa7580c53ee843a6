//! Recently compiled programs of patterns, for all sessions of the process.
//!
//! Compiling takes up to milliseconds, and the same literals recur with every run of a program. The cost of a pattern
//! for a session, in fuel and memory, does not depend on whether it was found here; tables for searching are never
//! shared. A pattern is kept when it occurs for the second time: patterns that a program creates once, in any number,
//! take no memory.
//!
//! Bounded: by the constants below.

use std::collections::{HashMap, VecDeque};
use std::hash::BuildHasher;
use std::sync::{Mutex, PoisonError};

use regex::Regex;

/// The most texts that are remembered as seen once.
const ONCE: usize = 256;
/// The most bytes of all kept programs together.
const BYTES: usize = 4 << 20;

/// A program, with the size within which it was compiled and the time of its last use.
struct CachedRegex {
    program: Regex,
    size: usize,
    used: u64,
}

#[derive(Default)]
struct Recent {
    kept: HashMap<String, CachedRegex>,
    bytes: usize,
    time: u64,
    /// Hashes of texts that were seen once, the oldest first.
    once: VecDeque<u64>,
}

static RECENT: Mutex<Option<Recent>> = Mutex::new(None);

/// The program of a text and its size, if it was compiled recently.
pub(super) fn recent(text: &str) -> Option<(Regex, usize)> {
    let mut recent = RECENT.lock().unwrap_or_else(PoisonError::into_inner);
    let recent = recent.as_mut()?;
    recent.time += 1;
    let kept = recent.kept.get_mut(text)?;
    kept.used = recent.time;
    Some((kept.program.clone(), kept.size))
}

/// Keep a program that was seen before; the least recently used ones are dropped.
pub(super) fn remember(text: &str, program: &Regex, size: usize) {
    let mut recent = RECENT.lock().unwrap_or_else(PoisonError::into_inner);
    recent.get_or_insert_default().remember(text, program, size);
}

impl Recent {
    fn remember(&mut self, text: &str, program: &Regex, size: usize) {
        if !self.came_before(self.kept.hasher().hash_one(text)) {
            return;
        }
        while self.bytes + size > BYTES {
            let Some(oldest) = self.kept.iter().min_by_key(|(_, kept)| kept.used).map(|(text, _)| text.clone()) else {
                return;
            };
            self.bytes -= self.kept.remove(&oldest).map_or(0, |kept| kept.size);
        }
        self.time += 1;
        // This separate copy of the program has no tables yet, and is never used for searching.
        let kept = CachedRegex { program: program.clone(), size, used: self.time };
        self.bytes += size;
        self.bytes -= self.kept.insert(text.to_owned(), kept).map_or(0, |before| before.size);
    }

    fn came_before(&mut self, hash: u64) -> bool {
        if self.once.contains(&hash) {
            return true;
        }
        if self.once.len() == ONCE {
            self.once.pop_front();
        }
        self.once.push_back(hash);
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_kept_when_it_comes_again() {
        let mut recent = Recent::default();
        let program = Regex::new("a+").unwrap();
        recent.remember("a+", &program, 100);
        assert!(recent.kept.is_empty());
        recent.remember("a+", &program, 100);
        recent.remember("a+", &program, 100);
        assert_eq!((recent.kept.len(), recent.bytes), (1, 100));
    }

    #[test]
    fn what_was_not_used_for_long_makes_way() {
        let mut recent = Recent::default();
        let program = Regex::new("a+").unwrap();
        for text in ["a", "b", "c", "d"].iter().flat_map(|text| [text, text]) {
            recent.remember(text, &program, BYTES / 3);
        }
        assert_eq!((recent.kept.len(), recent.bytes), (3, BYTES / 3 * 3));
        assert!(!recent.kept.contains_key("a"));
    }

    #[test]
    fn texts_that_came_once_are_forgotten_in_their_turn() {
        let mut recent = Recent::default();
        assert!(!recent.came_before(0));
        assert!((1..=ONCE as u64).all(|hash| !recent.came_before(hash)));
        assert!(!recent.came_before(0));
        assert!(recent.came_before(ONCE as u64));
    }
}
