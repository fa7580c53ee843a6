//! Many texts searched for at once.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Bound;

/// The replacement of a hidden string.
const HIDDEN: &str = "[hidden]";
/// What the formatter writes where it cut a string.
const CUT: &str = "...";
/// A cut string is recognised when at least this many characters of it are left.
const MIN_LEFT: usize = 8;

/// A set of texts of at least two bytes; the longest one that starts at a place is replaced.
#[derive(Debug, Clone, Default)]
pub(super) struct Patterns {
    texts: BTreeSet<Box<str>>,
    /// One bit per pair of bytes that a text starts with, so that most places are passed over at once.
    starts: Vec<u64>,
}

impl Patterns {
    pub(super) fn insert(&mut self, text: &str) {
        let Some((word, bit)) = start_bit(text) else {
            return;
        };
        if self.texts.contains(text) {
            return;
        }
        self.starts.resize(1 << 10, 0);
        if let Some(bits) = self.starts.get_mut(word) {
            *bits |= bit;
        }
        self.texts.insert(text.into());
    }

    pub(super) fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Cost: linear in `text`, and logarithmic in the number of patterns where a place looks like a start.
    pub(super) fn replace<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut replaced = String::new();
        let mut copied = 0;
        let mut at = 0;
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            if let Some(length) = self.match_at(rest) {
                replaced.push_str(text.get(copied..at).unwrap_or_default());
                replaced.push_str(HIDDEN);
                at += length;
                copied = at;
            } else {
                at += rest.chars().next().map_or(1, char::len_utf8);
            }
        }
        if copied == 0 {
            return Cow::Borrowed(text);
        }
        replaced.push_str(text.get(copied..).unwrap_or_default());
        Cow::Owned(replaced)
    }

    /// Bytes at the beginning of `rest` that are to be replaced.
    fn match_at(&self, rest: &str) -> Option<usize> {
        let (word, bit) = start_bit(rest)?;
        if self.starts.get(word)? & bit == 0 {
            return None;
        }
        self.whole(rest).or_else(|| self.cut(rest))
    }

    /// The longest pattern that `rest` starts with: each such pattern sorts at or before `rest`, and is a prefix of
    /// what any pattern between it and `rest` has in common with `rest`.
    fn whole(&self, rest: &str) -> Option<usize> {
        let mut known = rest;
        loop {
            let before = self.before(known)?;
            let shared = shared_bytes(before, known);
            if shared == before.len() {
                return Some(shared);
            }
            known = known.get(..shared).filter(|shared| !shared.is_empty())?;
        }
    }

    /// The beginning of a pattern that is followed by the mark of a cut.
    fn cut(&self, rest: &str) -> Option<usize> {
        let neighbours = [self.before(rest), self.after(rest)];
        let shared = neighbours.into_iter().flatten().map(|pattern| shared_bytes(pattern, rest)).max()?;
        let (left, behind) = rest.split_at_checked(shared)?;
        (behind.starts_with(CUT) && left.chars().count() >= MIN_LEFT).then_some(shared)
    }

    fn before(&self, text: &str) -> Option<&str> {
        let range = (Bound::Unbounded, Bound::Included(text));
        self.texts.range::<str, _>(range).next_back().map(|pattern| &**pattern)
    }

    fn after(&self, text: &str) -> Option<&str> {
        let range = (Bound::Excluded(text), Bound::Unbounded);
        self.texts.range::<str, _>(range).next().map(|pattern| &**pattern)
    }
}

/// The bit of the first two bytes; nothing for shorter texts.
fn start_bit(text: &str) -> Option<(usize, u64)> {
    let [first, second, ..] = text.as_bytes() else {
        return None;
    };
    Some((usize::from(*first) << 2 | usize::from(*second) >> 6, 1 << (second & 63)))
}

/// Bytes of the characters that both texts start with.
fn shared_bytes(a: &str, b: &str) -> usize {
    a.chars().zip(b.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum()
}
