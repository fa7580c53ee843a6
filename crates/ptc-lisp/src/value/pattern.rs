//! Compiled regular expressions, and the memory they hold.

mod long;
mod recent;
#[cfg(test)]
mod tests;
mod threads;

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use regex::{Error, Regex, RegexBuilder};

use self::long::Long;
use self::recent::{recent, remember};
use crate::error::Fallible;
use crate::limits::meter::Meter;
use crate::value::made_once;

pub(crate) use long::SearchResult;

/// The most bytes of a compiled program.
const LARGEST: usize = 1 << 20;

/// The time of an attempt at the largest size on a slow machine: the compiler does not look at the clock.
const LAST_ATTEMPT: Duration = Duration::from_millis(10);

/// The first size that is tried.
const SMALLEST: usize = 8 << 10;

/// A compiled regular expression.
///
/// The engine does not report its memory. But it refuses programs above a size, so the size is found by doubling:
/// compiling costs at most twice as much. Searching builds tables in addition to the program, in proportion to it.
pub struct Pattern {
    regex: Regex,
    /// The compiled program is not larger than this.
    size: usize,
    /// The engine for long texts.
    long: OnceLock<Long>,
    /// The same pattern for a whole text, once it was needed.
    whole: OnceLock<Arc<Pattern>>,
}

impl Pattern {
    /// The least bytes that compiling takes for a moment: the tables of Unicode classes.
    pub(crate) const BRIEFLY: usize = 384 << 10;

    /// The most bytes of a compiled program.
    pub(crate) const LARGEST: usize = LARGEST;

    /// Compile `text`.
    ///
    /// Errors when it is not a regular expression, or is larger than 1 MB when compiled.
    pub fn new(text: &str) -> Result<Pattern, Error> {
        // The host has no deadline.
        Pattern::within(text, &mut Meter::host()).unwrap_or(Err(Error::CompiledTooBig(LARGEST)))
    }

    /// Like [`Pattern::new`], with a look at the clock before each larger size.
    ///
    /// Errors when the deadline has passed, or is too near to start with the largest size.
    pub(crate) fn within(text: &str, meter: &mut Meter) -> Fallible<Result<Pattern, Error>> {
        if let Some((regex, size)) = recent(text) {
            return Ok(Ok(Pattern::of(regex, size)));
        }
        let mut size = SMALLEST;
        loop {
            match Pattern::of_size(text, size) {
                Err(Error::CompiledTooBig(_)) if size < LARGEST => size *= 2,
                Ok(pattern) => {
                    remember(text, &pattern.regex, pattern.size);
                    return Ok(Ok(pattern));
                }
                Err(error) => return Ok(Err(error)),
            }
            meter.look_ahead(if size == LARGEST { LAST_ATTEMPT } else { Duration::ZERO })?;
        }
    }

    fn of_size(text: &str, size: usize) -> Result<Pattern, Error> {
        let regex = RegexBuilder::new(text).size_limit(size).dfa_size_limit(size).build()?;
        Ok(Pattern::of(regex, size))
    }

    fn of(regex: Regex, size: usize) -> Pattern {
        Pattern { regex, size, long: OnceLock::new(), whole: OnceLock::new() }
    }

    /// The pattern that matches only a whole text, if it is already known.
    pub(crate) fn whole(&self) -> Option<&Arc<Pattern>> {
        self.whole.get()
    }

    /// Keep the pattern that matches only a whole text; its memory counts with this one from now on.
    pub(crate) fn keep_whole(&self, whole: Arc<Pattern>) {
        // One that another thread has kept is equivalent.
        let _ = self.whole.set(whole);
    }

    /// The compiled program is not larger than this.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// Bytes held after a search: measured, never more than seven times the program, and the text.
    pub(crate) fn bytes(&self) -> usize {
        let long = self.long.get().map_or(0, |long| long.bytes(self.size));
        8 * self.size + self.regex.as_str().len() + long + self.whole.get().map_or(0, |whole| whole.bytes())
    }

    /// Bytes of text that are searched in one go; in longer texts, [`Pattern::find_long`] looks at the clock.
    pub(crate) fn stretch(&self) -> usize {
        long::stretch_of(self.size)
    }

    /// The first match at or after `from` in a long text, with groups when asked for.
    ///
    /// Errors when the deadline has passed or there is no memory for the engine.
    pub(crate) fn find_long(&self, text: &str, from: usize, groups: bool, meter: &mut Meter) -> Fallible<SearchResult> {
        let long = made_once(&self.long, || Long::new(self.regex.as_str(), self.size, meter))?;
        long.find(&self.regex, self.size, text, from, groups, meter)
    }
}

impl Deref for Pattern {
    type Target = Regex;

    fn deref(&self) -> &Regex {
        &self.regex
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.regex.fmt(f)
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.regex.fmt(f)
    }
}
