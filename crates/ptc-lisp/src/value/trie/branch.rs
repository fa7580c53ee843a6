//! The inner nodes of a trie.

use std::ops::Range;
use std::sync::Arc;

use super::{BITS, Leaf, MASK, Part, Slot, WIDTH, cost_of, own};

/// A node at level 1 holds leaves, one at level n holds nodes of level n − 1. Operations descend by recursion: a level
/// is five bits of a position, so there are at most twelve levels.
#[derive(Clone)]
pub(crate) struct Branch<T> {
    /// Number of slots below that are not holes.
    filled: usize,
    children: Children<T>,
}

#[derive(Clone)]
enum Children<T> {
    Leaves([Option<Arc<Leaf<T>>>; WIDTH]),
    Branches([Option<Arc<Branch<T>>>; WIDTH]),
}

impl<T: Slot> Branch<T> {
    /// A node of this level without children.
    pub fn new(level: u32) -> Branch<T> {
        let children = if level <= 1 {
            Children::Leaves([const { None }; WIDTH])
        } else {
            Children::Branches([const { None }; WIDTH])
        };
        Branch { filled: 0, children }
    }

    /// A node with `child` in this slot.
    pub fn above(child: Arc<Branch<T>>, slot: usize) -> Branch<T> {
        let filled = child.filled;
        let mut children = [const { None }; WIDTH];
        if let Some(place) = children.get_mut(slot) {
            *place = Some(child);
        }
        Branch { filled, children: Children::Branches(children) }
    }

    pub fn filled(&self) -> usize {
        self.filled
    }

    /// The branches below; `None` when this branch is shared. Leaves are dropped.
    pub fn into_children(branch: Arc<Branch<T>>) -> Option<impl Iterator<Item = Arc<Branch<T>>>> {
        match Arc::into_inner(branch)?.children {
            Children::Leaves(_) => None,
            Children::Branches(branches) => Some(branches.into_iter().flatten()),
        }
    }

    /// The leaf that has position `place`.
    pub fn leaf(&self, level: u32, place: usize) -> Option<&Arc<Leaf<T>>> {
        let mut branch = self;
        let mut level = level;
        loop {
            let slot = slot(level, place);
            match &branch.children {
                Children::Leaves(leaves) => return leaves.get(slot)?.as_ref(),
                Children::Branches(branches) => branch = branches.get(slot)?.as_ref()?,
            }
            level = level.saturating_sub(1);
        }
    }

    /// The leaf that has position `place`, to be changed.
    pub fn leaf_mut(&mut self, level: u32, place: usize, made: &mut usize) -> Option<&mut Leaf<T>> {
        let slot = slot(level, place);
        match &mut self.children {
            Children::Leaves(leaves) => Some(own(leaves.get_mut(slot)?.as_mut()?, made)),
            Children::Branches(branches) => {
                own(branches.get_mut(slot)?.as_mut()?, made).leaf_mut(level - 1, place, made)
            }
        }
    }

    /// Put a leaf where position `place` is; branches on the way are created.
    pub fn put(&mut self, level: u32, place: usize, leaf: Arc<Leaf<T>>, made: &mut usize) {
        self.filled += filled(&leaf);
        let slot = slot(level, place);
        match &mut self.children {
            Children::Leaves(leaves) => {
                if let Some(free) = leaves.get_mut(slot) {
                    *free = Some(leaf);
                }
            }
            Children::Branches(branches) => {
                let Some(child) = branches.get_mut(slot) else { return };
                let child = child.get_or_insert_with(|| {
                    *made += cost_of::<Branch<T>>();
                    Arc::new(Branch::new(level - 1))
                });
                own(child, made).put(level - 1, place, leaf, made);
            }
        }
    }

    /// Take out the element at `place`.
    pub fn clear(&mut self, level: u32, place: usize, made: &mut usize) -> Option<T> {
        let slot = slot(level, place);
        let taken = match &mut self.children {
            Children::Leaves(leaves) => {
                own(leaves.get_mut(slot)?.as_mut()?, made).get_mut(place & MASK).map(std::mem::take)
            }
            Children::Branches(branches) => own(branches.get_mut(slot)?.as_mut()?, made).clear(level - 1, place, made),
        }?;
        if !taken.is_hole() && T::default().is_hole() {
            self.filled -= 1;
        }
        Some(taken)
    }

    /// Element number `rank`, not counting holes.
    pub fn select(&self, rank: usize) -> Option<&T> {
        let mut rank = rank;
        match &self.children {
            Children::Leaves(leaves) => {
                for leaf in leaves.iter().flatten() {
                    let here = filled(leaf);
                    if rank < here {
                        return leaf.iter().filter(|slot| !slot.is_hole()).nth(rank);
                    }
                    rank -= here;
                }
            }
            Children::Branches(branches) => {
                for branch in branches.iter().flatten() {
                    if rank < branch.filled {
                        return branch.select(rank);
                    }
                    rank -= branch.filled;
                }
            }
        }
        None
    }

    /// Drop the leaves outside `kept`, with positions counted from the first one of this node.
    pub fn keep(&mut self, level: u32, kept: Range<usize>, made: &mut usize) {
        let width = 1 << (BITS * level);
        match &mut self.children {
            Children::Leaves(leaves) => {
                for (slot, leaf) in leaves.iter_mut().enumerate() {
                    if !kept.contains(&(slot * width))
                        && let Some(gone) = leaf.take()
                    {
                        self.filled -= filled(&gone);
                    }
                }
            }
            Children::Branches(branches) => {
                for (slot, place) in branches.iter_mut().enumerate() {
                    let Some(child) = place else { continue };
                    let from = slot * width;
                    let inside = kept.start.saturating_sub(from)..kept.end.saturating_sub(from).min(width);
                    if inside == (0..width) {
                        continue;
                    }
                    self.filled -= child.filled;
                    if inside.is_empty() {
                        *place = None;
                    } else {
                        let child = own(child, made);
                        child.keep(level - 1, inside, made);
                        self.filled += child.filled;
                    }
                }
            }
        }
    }

    /// See [`super::Trie::parts`].
    pub fn parts<'t>(branch: &'t Arc<Branch<T>>, visit: &mut dyn FnMut(Part<'t, T>) -> bool) {
        if !visit(Part::node(branch)) {
            return;
        }
        match &branch.children {
            Children::Leaves(leaves) => {
                for leaf in leaves.iter().flatten() {
                    visit(Part::leaf(leaf));
                }
            }
            Children::Branches(branches) => branches.iter().flatten().for_each(|child| Branch::parts(child, visit)),
        }
    }
}

fn slot(level: u32, place: usize) -> usize {
    (place >> (BITS * level)) & MASK
}

fn filled<T: Slot>(leaf: &Leaf<T>) -> usize {
    leaf.iter().filter(|slot| !slot.is_hole()).count()
}
