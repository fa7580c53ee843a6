//! From the hash of a key to the places of entries: a persistent hash trie.

use std::sync::Arc;

use super::{cost_of, own};

/// Bits of a hash that choose a child.
const BITS: u32 = 4;
const FAN: usize = 1 << BITS;
/// Marks that stand side by side before a bucket becomes a branch.
const BUCKET: usize = 16;
/// Levels of branches; what agrees in all 32 bits of its hash stays in one bucket.
const LEVELS: u32 = 32 / BITS;

/// An entry's place under the hash of its key.
#[derive(Copy, Clone)]
pub(super) struct Mark {
    pub hash: u32,
    pub place: usize,
}

/// Marks by hash. `clone` is O(1); a write copies the nodes that somebody else holds, too, and adds their bytes to
/// `made`.
#[derive(Clone, Default)]
pub(super) struct Index(Link);

#[derive(Clone, Default)]
enum Link {
    #[default]
    Nothing,
    Bucket(Arc<Vec<Mark>>),
    Branch(Arc<[Link; FAN]>),
}

impl Index {
    /// Places under this hash.
    pub fn places(&self, hash: u32) -> impl Iterator<Item = usize> + '_ {
        let mut link = &self.0;
        let mut rest = hash;
        while let Link::Branch(children) = link {
            link = children.get(rest as usize % FAN).unwrap_or(&Link::Nothing);
            rest >>= BITS;
        }
        let marks = match link {
            Link::Bucket(marks) => marks.as_slice(),
            Link::Nothing | Link::Branch(_) => &[],
        };
        marks.iter().filter(move |mark| mark.hash == hash).map(|mark| mark.place)
    }

    /// Add a mark that is not there yet.
    pub fn insert(&mut self, mark: Mark, made: &mut usize) {
        insert(&mut self.0, mark, 0, made);
    }

    /// Take a mark away.
    pub fn remove(&mut self, mark: Mark, made: &mut usize) {
        let mut link = &mut self.0;
        let mut rest = mark.hash;
        while let Link::Branch(children) = link {
            let Some(child) = own(children, made).get_mut(rest as usize % FAN) else { return };
            link = child;
            rest >>= BITS;
        }
        if let Link::Bucket(marks) = link {
            own_bucket(marks, made).retain(|known| known.place != mark.place);
        }
    }

    /// Every mark, in no order that means anything.
    pub fn for_each(&self, visit: &mut dyn FnMut(Mark)) {
        for_each(&self.0, visit);
    }

    /// Show address, whether it is shared, and bytes of every node; `visit` returns whether to go on below.
    pub fn parts(&self, visit: &mut dyn FnMut(usize, bool, usize) -> bool) {
        parts(&self.0, visit);
    }
}

fn insert(link: &mut Link, mark: Mark, level: u32, made: &mut usize) {
    match link {
        Link::Nothing => {
            *made += cost_of::<Vec<Mark>>() + size_of::<Mark>();
            *link = Link::Bucket(Arc::new(vec![mark]));
        }
        Link::Branch(children) => {
            if let Some(child) = own(children, made).get_mut((mark.hash >> (BITS * level)) as usize % FAN) {
                insert(child, mark, level + 1, made);
            }
        }
        Link::Bucket(marks) if marks.len() < BUCKET || level >= LEVELS => {
            let marks = own_bucket(marks, made);
            let before = marks.capacity();
            marks.push(mark);
            *made += (marks.capacity() - before) * size_of::<Mark>();
        }
        Link::Bucket(marks) => {
            let marks = std::mem::take(marks);
            *made += cost_of::<[Link; FAN]>();
            *link = Link::Branch(Arc::new(std::array::from_fn(|_| Link::Nothing)));
            for mark in marks.iter().copied().chain([mark]) {
                insert(link, mark, level, made);
            }
        }
    }
}

/// The marks for change; a copy has capacity for one more.
fn own_bucket<'m>(marks: &'m mut Arc<Vec<Mark>>, made: &mut usize) -> &'m mut Vec<Mark> {
    if Arc::strong_count(marks) > 1 {
        let mut copy = Vec::with_capacity(marks.len() + 1);
        copy.extend_from_slice(marks);
        *made += cost_of::<Vec<Mark>>() + copy.capacity() * size_of::<Mark>();
        *marks = Arc::new(copy);
    }
    Arc::make_mut(marks)
}

fn for_each(link: &Link, visit: &mut dyn FnMut(Mark)) {
    match link {
        Link::Nothing => {}
        Link::Bucket(marks) => marks.iter().copied().for_each(visit),
        Link::Branch(children) => children.iter().for_each(|child| for_each(child, visit)),
    }
}

fn parts(link: &Link, visit: &mut dyn FnMut(usize, bool, usize) -> bool) {
    match link {
        Link::Nothing => {}
        Link::Bucket(marks) => {
            let bytes = cost_of::<Vec<Mark>>() + marks.capacity() * size_of::<Mark>();
            visit(Arc::as_ptr(marks) as usize, Arc::strong_count(marks) > 1, bytes);
        }
        Link::Branch(children) => {
            if visit(Arc::as_ptr(children) as usize, Arc::strong_count(children) > 1, cost_of::<[Link; FAN]>()) {
                children.iter().for_each(|child| parts(child, visit));
            }
        }
    }
}
