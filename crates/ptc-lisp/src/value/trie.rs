//! A persistent vector: versions share their common parts, and a write copies one path.
//!
//! Bounded: a change adds nodes on one path, and reports their bytes to its caller, who announced the path before.

mod branch;
mod entries;
mod index;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::error::Fallible;
use crate::limits::meter::Meter;
use crate::limits::release::{Batch, Contents, Held};
pub(crate) use branch::Branch;
pub(crate) use entries::{EntryTrie, Slots};

/// Bits of a position that select a slot in one node.
const BITS: u32 = 5;
/// Slots of a node.
pub(crate) const WIDTH: usize = 1 << BITS;
const MASK: usize = WIDTH - 1;

/// Bytes of an `Arc`'s counters and of allocator overhead, without the node.
const NODE: usize = 32;

type Leaf<T> = [T; WIDTH];

/// An element of a leaf.
pub(crate) trait Slot: Clone + Default {
    /// Whether an element was removed here: [`Trie::select`] does not count it.
    fn is_hole(&self) -> bool;
}

/// Nodes of 32 slots; the last leaf, which grows, is outside the tree.
///
/// Elements have positions `start..end`; adding and dropping at the front only moves `start`. Nodes that are not shared
/// are changed in place, others are copied on the way. Reading and writing one element are O(log32 n), adding at the
/// end is O(1) amortised, `clone` is O(1). Every write adds the bytes of the nodes it created to `made`.
#[derive(Clone)]
pub(crate) struct Trie<T> {
    /// The leaves before the tail; `None` when there are none.
    root: Option<Arc<Branch<T>>>,
    /// Levels of branches: positions below `32^(height + 1)` fit.
    height: u32,
    /// The leaf with the last element.
    tail: Arc<Leaf<T>>,
    start: usize,
    end: usize,
}

impl<T: Slot> Trie<T> {
    /// A trie without elements.
    pub fn new() -> Trie<T> {
        Trie { root: None, height: 0, tail: Arc::new(empty_leaf()), start: 0, end: 0 }
    }

    /// A trie of these elements, in order. O(n).
    pub fn of(mut items: impl ExactSizeIterator<Item = T>) -> Trie<T> {
        let length = items.len();
        let mut trie = Trie::new();
        while trie.end < length {
            let leaf = Arc::new(std::array::from_fn(|_| items.next().unwrap_or_default()));
            let full = std::mem::replace(&mut trie.tail, leaf);
            if trie.end > 0 {
                trie.attach(trie.end - WIDTH, full, &mut 0);
            }
            trie.end = (trie.end + WIDTH).min(length);
        }
        trie
    }

    /// Bytes that `length` elements take, accurate enough to charge them in advance.
    pub fn bytes_of(length: usize) -> usize {
        length.saturating_mul(size_of::<T>() + 2) + 2 * cost_of::<Leaf<T>>()
    }

    /// Number of elements, holes included.
    pub fn len(&self) -> usize {
        self.end - self.start
    }

    /// The position of the first element.
    pub fn start(&self) -> usize {
        self.start
    }

    /// The element at `index`.
    pub fn get(&self, index: usize) -> Option<&T> {
        let place = self.place(index)?;
        self.leaf(place)?.get(place & MASK)
    }

    /// The elements from `index` on that are contiguous: at least one, unless `index` is beyond the end.
    pub fn chunk(&self, index: usize) -> &[T] {
        let Some(place) = self.place(index) else { return &[] };
        let first = place & MASK;
        let last = (self.end - (place - first)).min(WIDTH);
        self.leaf(place).and_then(|leaf| leaf.get(first..last)).unwrap_or_default()
    }

    /// Element number `rank`, not counting holes. O(32 log32 n).
    pub fn select(&self, rank: usize) -> Option<&T> {
        let in_tree = self.root.as_ref().map_or(0, |root| root.filled());
        match &self.root {
            Some(root) if rank < in_tree => root.select(rank),
            _ => self.tail.iter().filter(|slot| !slot.is_hole()).nth(rank - in_tree),
        }
    }

    /// The element at `index`, to be changed; it must not become a hole or stop being one.
    pub fn get_mut(&mut self, index: usize, made: &mut usize) -> Option<&mut T> {
        let place = self.place(index)?;
        self.leaf_mut(place, made)?.get_mut(place & MASK)
    }

    /// Take out the element at `index` and leave the [`Default`] value.
    pub fn clear(&mut self, index: usize, made: &mut usize) -> Option<T> {
        let place = self.place(index)?;
        if place >= self.tail_start() {
            return own(&mut self.tail, made).get_mut(place & MASK).map(std::mem::take);
        }
        own(self.root.as_mut()?, made).clear(self.height, place, made)
    }

    /// Add at the end.
    pub fn push(&mut self, item: T, made: &mut usize) {
        let slot = self.end & MASK;
        if slot == 0 && self.end > 0 {
            *made += cost_of::<Leaf<T>>();
            let full = std::mem::replace(&mut self.tail, Arc::new(empty_leaf()));
            self.attach(self.end - WIDTH, full, made);
        }
        if let Some(place) = own(&mut self.tail, made).get_mut(slot) {
            *place = item;
        }
        self.end += 1;
    }

    /// Add at the front. O(log32 n).
    pub fn push_front(&mut self, item: T, made: &mut usize) {
        if self.start == 0 {
            self.reserve_front(made);
        }
        self.start -= 1;
        let (place, slot) = (self.start, self.start & MASK);
        if slot == MASK && place < self.tail_start() {
            let mut leaf = empty_leaf();
            if let Some(last) = leaf.last_mut() {
                *last = item;
            }
            *made += cost_of::<Leaf<T>>();
            self.attach(place - slot, Arc::new(leaf), made);
        } else if let Some(free) = self.leaf_mut(place, made).and_then(|leaf| leaf.get_mut(slot)) {
            *free = item;
        }
    }

    /// Keep only the elements `from..to`. O(log32 n); up to 31 dropped elements before the first stay alive.
    pub fn keep(&mut self, from: usize, to: usize, made: &mut usize) {
        let (old_first, old_tail, old_end) = (self.start & !MASK, self.tail_start(), self.end);
        self.end = self.start.saturating_add(to).min(self.end);
        self.start = self.start.saturating_add(from).min(self.end);
        if self.start == self.end {
            *self = Trie::new();
            return;
        }
        let (first, tail) = (self.start & !MASK, self.tail_start());
        if tail < old_tail
            && let Some(leaf) = leaf_at(&self.root, self.height, tail).cloned()
        {
            self.tail = leaf;
        }
        if first >= tail {
            self.root = None;
            self.height = 0;
        } else if (first, tail) != (old_first, old_tail)
            && let Some(root) = &mut self.root
        {
            own(root, made).keep(self.height, first..tail, made);
        }
        let last = self.end & MASK;
        if self.end < old_end && last > 0 {
            own(&mut self.tail, made).iter_mut().skip(last).for_each(|slot| *slot = T::default());
        }
    }

    /// Show every node to `visit`, a branch before its children; `visit` returns whether to descend.
    pub fn parts<'t>(&'t self, visit: &mut dyn FnMut(Part<'t, T>) -> bool) {
        visit(Part::leaf(&self.tail));
        if let Some(root) = &self.root {
            Branch::parts(root, visit);
        }
    }

    fn place(&self, index: usize) -> Option<usize> {
        let place = self.start.checked_add(index)?;
        (place < self.end).then_some(place)
    }

    /// The first position in the tail.
    fn tail_start(&self) -> usize {
        self.end.saturating_sub(1) & !MASK
    }

    fn leaf(&self, place: usize) -> Option<&Leaf<T>> {
        if place >= self.tail_start() {
            return Some(&self.tail);
        }
        leaf_at(&self.root, self.height, place).map(|leaf| &**leaf)
    }

    fn leaf_mut(&mut self, place: usize, made: &mut usize) -> Option<&mut Leaf<T>> {
        if place >= self.tail_start() {
            return Some(own(&mut self.tail, made));
        }
        own(self.root.as_mut()?, made).leaf_mut(self.height, place, made)
    }

    /// Attach `leaf` to the tree, for the positions from `place` on.
    fn attach(&mut self, place: usize, leaf: Arc<Leaf<T>>, made: &mut usize) {
        while self.height == 0 || place.checked_shr(BITS * (self.height + 1)).unwrap_or(0) != 0 {
            self.grow(0, made);
        }
        let height = self.height;
        let root = self.root.get_or_insert_with(|| {
            *made += cost_of::<Branch<T>>();
            Arc::new(Branch::new(height))
        });
        own(root, made).put(height, place, leaf, made);
    }

    /// Add a level, with the old root in `slot` of the new one.
    fn grow(&mut self, slot: usize, made: &mut usize) {
        self.height += 1;
        if let Some(root) = self.root.take() {
            *made += cost_of::<Branch<T>>();
            self.root = Some(Arc::new(Branch::above(root, slot)));
        }
    }

    /// Add free positions at the front: as many as the tree has, so that more are not needed soon.
    fn reserve_front(&mut self, made: &mut usize) {
        let places = 1 << (BITS * (self.height + 1));
        if self.root.is_some() {
            self.grow(1, made);
        }
        self.start += places;
        self.end += places;
    }
}

impl<T: Slot + Held> Contents for Trie<T> {
    fn elements(&self) -> usize {
        self.len()
    }

    fn drop_some(self: Box<Self>, list: &mut Vec<Batch>) {
        list.extend(self.root.map(|root| Box::new(root) as Batch));
    }
}

impl<T: Slot + Held> Contents for Arc<Branch<T>> {
    fn elements(&self) -> usize {
        self.filled()
    }

    fn drop_some(self: Box<Self>, list: &mut Vec<Batch>) {
        list.extend(Branch::into_children(*self).into_iter().flatten().map(|child| Box::new(child) as Batch));
    }
}

/// One node of a trie, for counting.
pub(crate) struct Part<'t, T> {
    /// Identifies the node.
    pub address: usize,
    /// Whether it is shared.
    pub shared: bool,
    pub bytes: usize,
    /// The slots of a leaf; empty for a branch.
    pub items: &'t [T],
}

impl<'t, T> Part<'t, T> {
    fn leaf(leaf: &'t Arc<Leaf<T>>) -> Part<'t, T> {
        Part { items: leaf.as_slice(), ..Part::node(leaf) }
    }

    fn node<N>(node: &Arc<N>) -> Part<'t, T> {
        Part {
            address: Arc::as_ptr(node) as usize,
            shared: Arc::strong_count(node) > 1,
            bytes: cost_of::<N>(),
            items: &[],
        }
    }
}

/// A write, charged for the nodes that it creates.
#[inline]
pub(crate) fn paid<R>(meter: &mut Meter, write: impl FnOnce(&mut usize) -> R) -> Fallible<R> {
    let mut made = 0;
    let result = write(&mut made);
    if made > 0 {
        meter.charge(made / 128)?;
        meter.allocate(made)?;
    }
    Ok(result)
}

fn leaf_at<T: Slot>(root: &Option<Arc<Branch<T>>>, height: u32, place: usize) -> Option<&Arc<Leaf<T>>> {
    root.as_ref()?.leaf(height, place)
}

fn empty_leaf<T: Default>() -> Leaf<T> {
    std::array::from_fn(|_| T::default())
}

const fn cost_of<N>() -> usize {
    size_of::<N>() + NODE
}

/// The node, to be changed: itself when this is its only holder, else a copy.
fn own<'n, N: Clone>(node: &'n mut Arc<N>, made: &mut usize) -> &'n mut N {
    if Arc::strong_count(node) > 1 {
        *made += cost_of::<N>();
    }
    Arc::make_mut(node)
}
