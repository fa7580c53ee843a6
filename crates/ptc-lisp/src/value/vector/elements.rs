//! A vector's elements, one after another.

use crate::value::Value;
use crate::value::trie::Trie;

/// Elements of a vector in order.
#[derive(Clone)]
pub struct Elements<'a> {
    /// Contiguous elements: all of them, or those of one leaf.
    pub(super) chunk: std::slice::Iter<'a, Value>,
    /// The trie that has more, and the index of its next element.
    pub(super) behind: Option<(&'a Trie<Value>, usize)>,
}

impl<'a> Elements<'a> {
    #[cold]
    fn next_chunk(&mut self) -> Option<&'a Value> {
        let (trie, next) = self.behind.as_mut()?;
        let chunk = trie.chunk(*next);
        *next += chunk.len();
        self.chunk = chunk.iter();
        self.chunk.next()
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = &'a Value;

    #[inline]
    fn next(&mut self) -> Option<&'a Value> {
        match self.chunk.next() {
            Some(item) => Some(item),
            None => self.next_chunk(),
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let behind = self.behind.map_or(0, |(trie, next)| trie.len().saturating_sub(next));
        let left = self.chunk.len() + behind;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Elements<'_> {}
