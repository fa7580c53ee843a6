//! Vectors: the one sequential kind.

use std::fmt;
use std::sync::Arc;

use super::Value;
use super::release::{Batch, release};

/// An immutable vector; updated in place when nobody else holds it, copied otherwise.
///
/// `get` and `len` are O(1), `clone` one atomic increment. Adding at the end and at the front and dropping from the
/// front are amortised O(1) in place, so that `rest`, `cons` and `conj` make cheap loops.
#[derive(Clone, Default)]
pub struct Vector(Arc<Node>);

#[derive(Default)]
struct Node {
    /// Free places (nil) first, then the elements.
    items: Vec<Value>,
    /// How many places at the front are free.
    start: usize,
    /// Made by the host: free of charge for the memory limit.
    external: bool,
}

impl Node {
    fn live(&self) -> &[Value] {
        self.items.get(self.start..).unwrap_or_default()
    }

    /// Close the gap at the front. O(n).
    fn close_gap(&mut self) {
        if self.start > 0 {
            self.items.drain(..self.start);
            self.start = 0;
        }
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        if !self.items.is_empty() {
            release(Batch::Values(std::mem::take(&mut self.items)));
        }
    }
}

impl Vector {
    /// The empty vector.
    #[must_use]
    pub fn new() -> Vector {
        Vector::default()
    }

    /// Elements in order.
    #[must_use]
    #[inline]
    pub fn as_slice(&self) -> &[Value] {
        self.0.live()
    }

    /// Number of elements.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.0.items.len() - self.0.start
    }

    /// Whether there is no element.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The element at `index`.
    #[must_use]
    #[inline]
    pub fn get(&self, index: usize) -> Option<&Value> {
        self.0.live().get(index)
    }

    /// Elements in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Value> {
        self.0.live().iter()
    }

    /// The elements for change: in place when this is the only holder, a copy otherwise.
    pub fn to_mut(&mut self) -> &mut Vec<Value> {
        let node = self.node_mut(0);
        node.close_gap();
        &mut node.items
    }

    /// Add at the end; amortised O(1) when this is the only holder.
    pub(crate) fn push(&mut self, value: Value) {
        let node = self.node_mut(0);
        // A queue (`conj` at the end, `rest` at the front) must not grow for ever.
        if node.items.len() == node.items.capacity() && node.start > node.items.len() / 2 {
            node.close_gap();
        }
        node.items.push(value);
    }

    /// Add at the front; amortised O(1) when this is the only holder.
    pub(crate) fn push_front(&mut self, value: Value) {
        let room = self.len() + 1;
        let node = self.node_mut(room);
        if node.start == 0 {
            let mut items = Vec::with_capacity(room + node.items.len() + 1);
            items.resize(room, Value::Nil);
            items.append(&mut node.items);
            node.items = items;
            node.start = room;
        }
        node.start -= 1;
        if let Some(place) = node.items.get_mut(node.start) {
            *place = value;
        }
    }

    /// Drop the first `count` elements; O(count) when this is the only holder.
    pub(crate) fn drop_front(&mut self, count: usize) {
        let count = count.min(self.len());
        let Some(node) = Arc::get_mut(&mut self.0) else {
            let kept = self.0.live().get(count..).unwrap_or_default().to_vec();
            *self = Vector::from(kept);
            return;
        };
        for place in node.items.iter_mut().skip(node.start).take(count) {
            *place = Value::Nil;
        }
        node.start += count;
    }

    /// The node for change; a copy has `room` free places at the front.
    fn node_mut(&mut self, room: usize) -> &mut Node {
        if Arc::get_mut(&mut self.0).is_none() {
            // Room for one more: most copies are made to grow.
            let mut items = Vec::with_capacity(room + self.len() + 1);
            items.resize(room, Value::Nil);
            items.extend_from_slice(self.0.live());
            self.0 = Arc::new(Node { items, start: room, external: false });
        }
        // The branch above made this the only holder.
        match Arc::get_mut(&mut self.0) {
            Some(node) => {
                node.external = false;
                node
            }
            None => unreachable!("a fresh vector has one holder"),
        }
    }

    /// The elements, moved out when this is the only holder, else copied.
    #[must_use]
    pub fn into_vec(mut self) -> Vec<Value> {
        match Arc::get_mut(&mut self.0) {
            Some(node) => {
                node.close_gap();
                std::mem::take(&mut node.items)
            }
            None => self.0.live().to_vec(),
        }
    }

    /// Whether an update would happen in place.
    #[must_use]
    pub fn is_unique(&mut self) -> bool {
        Arc::get_mut(&mut self.0).is_some()
    }

    /// Mark as host data: free of charge for the memory limit.
    pub(crate) fn external(items: Vec<Value>) -> Vector {
        Vector(Arc::new(Node { items, start: 0, external: true }))
    }

    pub(crate) fn is_external(&self) -> bool {
        self.0.external
    }

    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }

    pub(crate) fn is_shared(&self) -> bool {
        Arc::strong_count(&self.0) > 1
    }

    pub(crate) fn capacity(&self) -> usize {
        self.0.items.capacity()
    }
}

impl From<Vec<Value>> for Vector {
    fn from(items: Vec<Value>) -> Vector {
        Vector(Arc::new(Node { items, start: 0, external: false }))
    }
}

impl FromIterator<Value> for Vector {
    fn from_iter<I: IntoIterator<Item = Value>>(items: I) -> Vector {
        Vector::from(items.into_iter().collect::<Vec<_>>())
    }
}

impl<'a> IntoIterator for &'a Vector {
    type Item = &'a Value;
    type IntoIter = std::slice::Iter<'a, Value>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for Vector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Vector({} items)", self.len())
    }
}
