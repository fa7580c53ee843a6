//! A persistent hash trie from the hashes of keys to the positions of entries.
//!
//! Bounded: a change adds nodes on one path, and reports their bytes to its caller, who announced the path before.

use std::sync::Arc;

use super::{cost_of, own};
use crate::limits::release::{Batch, Contents};

/// Bits of a hash that select a child.
const BITS: u32 = 4;
const FAN: usize = 1 << BITS;
/// The most marks in a bucket before it becomes a branch.
const BUCKET: usize = 16;
/// Levels of branches; marks with equal 32-bit hashes stay in one bucket.
const LEVELS: u32 = 32 / BITS;

/// An entry's position under the hash of its key.
#[derive(Copy, Clone)]
pub(super) struct Mark {
    pub hash: u32,
    pub position: usize,
}

/// Marks by hash. `clone` is O(1); a write copies shared nodes, and adds their bytes to `made`.
#[derive(Clone, Default)]
pub(super) enum Index {
    #[default]
    Nothing,
    Bucket(Arc<Vec<Mark>>),
    Branch(Arc<[Index; FAN]>),
}

impl Index {
    /// Positions under this hash.
    pub fn positions(&self, hash: u32) -> impl Iterator<Item = usize> + '_ {
        let mut index = self;
        let mut rest = hash;
        while let Index::Branch(children) = index {
            index = children.get(rest as usize % FAN).unwrap_or(&Index::Nothing);
            rest >>= BITS;
        }
        let marks = match index {
            Index::Bucket(marks) => marks.as_slice(),
            Index::Nothing | Index::Branch(_) => &[],
        };
        marks.iter().filter(move |mark| mark.hash == hash).map(|mark| mark.position)
    }

    /// Add a new mark.
    pub fn insert(&mut self, mark: Mark, made: &mut usize) {
        self.insert_at(mark, 0, made);
    }

    fn insert_at(&mut self, mark: Mark, level: u32, made: &mut usize) {
        match self {
            Index::Nothing => {
                *made += cost_of::<Vec<Mark>>() + size_of::<Mark>();
                *self = Index::Bucket(Arc::new(vec![mark]));
            }
            Index::Branch(children) => {
                if let Some(child) = own(children, made).get_mut((mark.hash >> (BITS * level)) as usize % FAN) {
                    child.insert_at(mark, level + 1, made);
                }
            }
            Index::Bucket(marks) if marks.len() < BUCKET || level >= LEVELS => {
                let marks = own_bucket(marks, made);
                let before = marks.capacity();
                marks.push(mark);
                *made += (marks.capacity() - before) * size_of::<Mark>();
            }
            Index::Bucket(marks) => {
                let marks = std::mem::take(marks);
                *made += cost_of::<[Index; FAN]>();
                *self = Index::Branch(Arc::new(std::array::from_fn(|_| Index::Nothing)));
                for mark in marks.iter().copied().chain([mark]) {
                    self.insert_at(mark, level, made);
                }
            }
        }
    }

    /// Remove a mark.
    pub fn remove(&mut self, mark: Mark, made: &mut usize) {
        let mut index = self;
        let mut rest = mark.hash;
        while let Index::Branch(children) = index {
            let Some(child) = own(children, made).get_mut(rest as usize % FAN) else { return };
            index = child;
            rest >>= BITS;
        }
        if let Index::Bucket(marks) = index {
            own_bucket(marks, made).retain(|known| known.position != mark.position);
        }
    }

    /// Visit every mark, in no particular order.
    pub fn for_each(&self, visit: &mut dyn FnMut(Mark)) {
        match self {
            Index::Nothing => {}
            Index::Bucket(marks) => marks.iter().copied().for_each(visit),
            Index::Branch(children) => children.iter().for_each(|child| child.for_each(visit)),
        }
    }

    /// Add the approximate number of marks, by which its nodes are freed in portions.
    pub fn with_about(self, marks: usize) -> Estimated {
        Estimated { index: self, marks }
    }

    /// Show every node to `visit`: its address, whether it is shared, and its bytes. `visit` returns whether to
    /// descend.
    pub fn parts(&self, visit: &mut dyn FnMut(usize, bool, usize) -> bool) {
        match self {
            Index::Nothing => {}
            Index::Bucket(marks) => {
                let bytes = cost_of::<Vec<Mark>>() + marks.capacity() * size_of::<Mark>();
                visit(Arc::as_ptr(marks) as usize, Arc::strong_count(marks) > 1, bytes);
            }
            Index::Branch(children) => {
                if visit(Arc::as_ptr(children) as usize, Arc::strong_count(children) > 1, cost_of::<[Index; FAN]>()) {
                    children.iter().for_each(|child| child.parts(visit));
                }
            }
        }
    }
}

/// An index with an approximate number of marks: hashes spread them evenly.
pub(super) struct Estimated {
    index: Index,
    marks: usize,
}

impl Contents for Estimated {
    fn elements(&self) -> usize {
        self.marks
    }

    fn drop_some(self: Box<Self>, list: &mut Vec<Batch>) {
        if let Index::Branch(children) = self.index
            && let Some(children) = Arc::into_inner(children)
        {
            let each = self.marks / FAN;
            list.extend(children.map(|child| Box::new(child.with_about(each)) as Batch));
        }
    }
}

/// The marks, to be changed; a copy has capacity for one more.
fn own_bucket<'m>(marks: &'m mut Arc<Vec<Mark>>, made: &mut usize) -> &'m mut Vec<Mark> {
    if Arc::strong_count(marks) > 1 {
        let mut copy = Vec::with_capacity(marks.len() + 1);
        copy.extend_from_slice(marks);
        *made += cost_of::<Vec<Mark>>() + copy.capacity() * size_of::<Mark>();
        *marks = Arc::new(copy);
    }
    Arc::make_mut(marks)
}
