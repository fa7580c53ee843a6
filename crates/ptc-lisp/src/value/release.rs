//! Letting go of values: deep ones without recursing on the native stack, and while a program runs, large ones bit by
//! bit.
//!
//! Freeing a million nodes takes tens of milliseconds, which no deadline could interrupt. So while a session is at work
//! ([`Garbage::collect_here`]) only so many elements are dropped between two looks at the clock; what is more waits in
//! a list, and every look takes some of it ([`release_some`]). A count of the live values empties the list first, so
//! what waits is never more than what was charged since.

use std::cell::{Cell, RefCell};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use indexmap::IndexMap;

use super::Value;
use super::sorted::Sorted;
use super::trie::{Branch, Entry, EntryTrie, Trie};

/// Nested drops on the native stack before the rest goes to the list.
const MAX_NESTED: u32 = 48;

/// Elements that are dropped between two looks at the clock, about.
const PORTION: usize = 1 << 14;

/// Elements of a batch that is dropped at once, whatever was dropped before: the list is not for small change.
const SMALL: usize = 64;

/// Contents of a node that is going away.
#[allow(dead_code, reason = "held only to be dropped")]
pub(crate) enum Batch {
    Values(Vec<Value>),
    Pairs(Vec<(Value, Value)>),
    Table(IndexMap<Value, Value, ()>),
    /// What is left of a table.
    Entries(indexmap::map::IntoIter<Value, Value>),
    Trie(Trie<Value>),
    EntryTrie(Box<EntryTrie>),
    /// Parts of tries.
    Branch(Arc<Branch<Value>>),
    EntryBranch(Arc<Branch<Entry>>),
    Sorted(Sorted),
    /// The unfinished groups of a pass.
    Groups(Vec<(Value, Vec<Value>)>),
}

/// Values that a node may drop where it stands, at most: to look at more costs more than it saves.
const FEW: usize = 32;

/// Whether to drop these values drops nothing else, so that they need no [`Batch`].
#[inline]
pub(crate) fn are_shallow<'v>(values: impl ExactSizeIterator<Item = &'v Value>) -> bool {
    values.len() <= FEW && { values }.all(Value::is_shallow)
}

impl Batch {
    /// Elements, without what is in them.
    fn len(&self) -> usize {
        match self {
            Batch::Values(values) => values.len(),
            Batch::Pairs(pairs) => pairs.len(),
            Batch::Table(table) => table.len(),
            Batch::Entries(entries) => entries.len(),
            Batch::Trie(trie) => trie.len(),
            Batch::EntryTrie(trie) => trie.len(),
            Batch::Branch(branch) => branch.filled(),
            Batch::EntryBranch(branch) => branch.filled(),
            Batch::Sorted(sorted) => sorted.len(),
            Batch::Groups(groups) => groups.len(),
        }
    }

    /// Drop some of it; what is left goes to `list`.
    fn drop_some(self, list: &mut Vec<Batch>) {
        const SOME: usize = 1 << 10;
        match self {
            small if small.len() <= SOME => drop(small),
            Batch::Values(mut values) => {
                values.truncate(values.len() - SOME);
                list.push(Batch::Values(values));
            }
            Batch::Pairs(mut pairs) => {
                pairs.truncate(pairs.len() - SOME);
                list.push(Batch::Pairs(pairs));
            }
            Batch::Groups(mut groups) => {
                groups.truncate(groups.len() - SOME);
                list.push(Batch::Groups(groups));
            }
            Batch::Table(table) => list.push(Batch::Entries(table.into_iter())),
            Batch::Entries(mut entries) => {
                entries.by_ref().take(SOME).for_each(drop);
                list.push(Batch::Entries(entries));
            }
            Batch::Trie(trie) => list.extend(trie.into_root().map(Batch::Branch)),
            Batch::EntryTrie(trie) => list.extend(trie.into_root().map(Batch::EntryBranch)),
            Batch::Branch(branch) => {
                list.extend(Branch::into_children(branch).into_iter().flatten().map(Batch::Branch))
            }
            Batch::EntryBranch(branch) => {
                list.extend(Branch::into_children(branch).into_iter().flatten().map(Batch::EntryBranch))
            }
            Batch::Sorted(mut sorted) => {
                sorted.drop_last_chunks(SOME);
                list.push(Batch::Sorted(sorted));
            }
        }
    }
}

/// Drop these values, large numbers of them bit by bit while a program runs.
pub(crate) fn release_values(values: Vec<Value>) {
    if !values.is_empty() {
        release(Batch::Values(values));
    }
}

/// What a builtin has collected so far: large results that are not finished, because they came too late or there was no
/// memory, are freed bit by bit.
#[derive(Default)]
pub(crate) struct Unfinished(Vec<Value>);

impl Unfinished {
    /// The collected values.
    pub fn finish(mut self) -> Vec<Value> {
        std::mem::take(&mut self.0)
    }
}

impl Deref for Unfinished {
    type Target = Vec<Value>;

    fn deref(&self) -> &Vec<Value> {
        &self.0
    }
}

impl DerefMut for Unfinished {
    fn deref_mut(&mut self) -> &mut Vec<Value> {
        &mut self.0
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        release_values(std::mem::take(&mut self.0));
    }
}

/// What this thread is doing.
#[derive(Clone, Copy)]
struct State {
    nested: u32,
    /// Whether large batches wait for the next look at the clock.
    collecting: bool,
    /// Elements dropped since the last look.
    spent: usize,
}

thread_local! {
    static STATE: Cell<State> = const { Cell::new(State { nested: 0, collecting: false, spent: 0 }) };
    static PENDING: RefCell<Vec<Batch>> = const { RefCell::new(Vec::new()) };
}

/// Drop `batch` now; or later, when already nested deep or when much was dropped since the last look at the clock.
pub(crate) fn release(batch: Batch) {
    let state = STATE.get();
    let size = batch.len();
    let much = state.collecting && state.spent + size > PORTION && (state.nested > 0 || size > SMALL);
    if state.nested >= MAX_NESTED || much {
        postpone(batch);
        return;
    }
    STATE.set(State { nested: state.nested + 1, spent: state.spent + size, ..state });
    drop(batch);
    if state.nested == 0 && !state.collecting {
        while let Some(next) = take_pending() {
            drop(next);
        }
    }
    STATE.set(State { nested: state.nested, ..STATE.get() });
}

fn postpone(batch: Batch) {
    let mut batch = Some(batch);
    // While the thread ends its list may be gone: then the values simply drop here.
    let _ = PENDING.try_with(|pending| {
        if let Ok(mut list) = pending.try_borrow_mut() {
            list.extend(batch.take());
        }
    });
}

fn take_pending() -> Option<Batch> {
    PENDING.try_with(|pending| pending.try_borrow_mut().ok()?.pop()).ok().flatten()
}

/// Drop a portion of what waits; answers whether more waits. At most some milliseconds.
pub(crate) fn release_some() -> bool {
    STATE.set(State { spent: 0, ..STATE.get() });
    let mut cut = Vec::new();
    while STATE.get().spent < PORTION {
        let Some(batch) = take_pending() else { return false };
        let state = STATE.get();
        // The elements dropped here and what is in them count.
        STATE.set(State { nested: state.nested + 1, spent: state.spent + batch.len().clamp(1, 1 << 10), ..state });
        batch.drop_some(&mut cut);
        STATE.set(State { nested: state.nested, ..STATE.get() });
        cut.drain(..).for_each(postpone);
    }
    PENDING.try_with(|pending| pending.try_borrow().is_ok_and(|list| !list.is_empty())).unwrap_or(false)
}

/// What a session has let go of and not freed yet. Dropping it frees everything.
#[derive(Default)]
pub(crate) struct Garbage(Vec<Batch>);

impl Garbage {
    /// Let large values wait on this thread until the answer is dropped: then what is left is in `self` again.
    pub fn collect_here(&mut self) -> Collecting<'_> {
        std::mem::take(&mut self.0).into_iter().for_each(postpone);
        let state = STATE.get();
        STATE.set(State { collecting: true, spent: 0, ..state });
        Collecting { garbage: self, before: state.collecting }
    }
}

/// While this exists, large values wait.
pub(crate) struct Collecting<'g> {
    garbage: &'g mut Garbage,
    before: bool,
}

impl Drop for Collecting<'_> {
    fn drop(&mut self) {
        STATE.set(State { collecting: self.before, ..STATE.get() });
        if !self.before {
            self.garbage.0.extend(std::iter::from_fn(take_pending));
        }
    }
}
