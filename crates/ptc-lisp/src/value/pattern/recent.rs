//! Programs of patterns that were compiled lately, for all sessions of the process.
//!
//! Compiling takes up to milliseconds, and the same literals come again with every run of a program. What a pattern costs a session, in
//! fuel and memory, does not depend on whether it was found here; tables for searching are never shared.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use regex::Regex;

/// Programs kept, and the bytes that they may have together.
const KEPT: usize = 256;
const BYTES: usize = 32 << 20;

/// Programs by their text, with the size within which each was compiled and the time of its last use.
#[derive(Default)]
struct Recent {
    programs: HashMap<String, (Regex, usize, u64)>,
    bytes: usize,
    time: u64,
}

static RECENT: Mutex<Option<Recent>> = Mutex::new(None);

/// The program of a text and its size, when it was compiled lately.
pub(super) fn recent(text: &str) -> Option<(Regex, usize)> {
    let mut recent = RECENT.lock().unwrap_or_else(PoisonError::into_inner);
    let recent = recent.as_mut()?;
    recent.time += 1;
    let (regex, size, used) = recent.programs.get_mut(text)?;
    *used = recent.time;
    Some((regex.clone(), *size))
}

/// Keep a program; those that were not used for the longest time make way.
pub(super) fn remember(text: &str, regex: &Regex, size: usize) {
    let mut recent = RECENT.lock().unwrap_or_else(PoisonError::into_inner);
    let recent = recent.get_or_insert_default();
    while recent.programs.len() >= KEPT || recent.bytes + size > BYTES {
        let Some(oldest) = recent.programs.iter().min_by_key(|(_, (_, _, used))| *used).map(|(text, _)| text.clone()) else { return };
        if let Some((_, size, _)) = recent.programs.remove(&oldest) {
            recent.bytes -= size;
        }
    }
    recent.time += 1;
    // Its own copy of the program has no tables yet, and nobody searches with it.
    if recent.programs.insert(text.to_owned(), (regex.clone(), size, recent.time)).is_none() {
        recent.bytes += size;
    }
}
