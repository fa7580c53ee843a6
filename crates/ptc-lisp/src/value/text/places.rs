//! The places of characters in a long text that is not ASCII.
//!
//! Bounded: a place for many characters of a text that exists.

/// Characters from one recorded place to the next.
const STRIDE: usize = 128;

/// The byte offsets of every [`STRIDE`]th character of a text, in order, without the first.
#[derive(Default)]
pub(super) struct Places(Vec<u32>);

impl Places {
    /// Record the places of `text`, which starts with the text whose places are already recorded, if any.
    ///
    /// `text` has at most `u32::MAX` bytes. Cost: O(new part).
    pub fn note(&mut self, text: &str) {
        let mut at = self.0.last().map_or(0, |place| *place as usize);
        while let Some(next) = passed(text, at, STRIDE) {
            self.0.push(next as u32);
            at = next;
        }
    }

    /// The byte offset of character `index` of `text`, its length when there is none.
    pub fn offset(&self, text: &str, index: usize) -> usize {
        let base = match (index / STRIDE).checked_sub(1) {
            None => 0,
            Some(place) => match self.0.get(place) {
                Some(base) => *base as usize,
                None => return text.len(),
            },
        };
        passed(text, base, index % STRIDE).unwrap_or(text.len())
    }

    /// How many characters of `text` start before `byte`, which is at the start of a character or the end of the text.
    pub fn index(&self, text: &str, byte: usize) -> usize {
        let before = self.0.partition_point(|place| *place as usize <= byte);
        let base = before.checked_sub(1).and_then(|last| self.0.get(last)).map_or(0, |base| *base as usize);
        before * STRIDE + text.get(base..byte).map_or(0, |passed| passed.chars().count())
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<u32>()
    }
}

/// The byte offset `count` characters after `at`; `None` when there are not as many.
pub(super) fn passed(text: &str, at: usize, count: usize) -> Option<usize> {
    let Some(last) = count.checked_sub(1) else { return Some(at) };
    // Skipping characters is faster than computing the place of each.
    let mut rest = text.get(at..)?.chars();
    rest.nth(last)?;
    Some(text.len() - rest.as_str().len())
}
