//! Letting go of deep values without recursing on the native stack.

use std::cell::{Cell, RefCell};

use indexmap::IndexMap;

use super::Value;
use super::sorted::Sorted;
use super::trie::{EntryTrie, Trie};

/// Nested drops on the native stack before the rest goes to the list.
const MAX_NESTED: u32 = 48;

/// Contents of a node that is going away.
#[allow(dead_code, reason = "held only to be dropped")]
pub(crate) enum Batch {
    Values(Vec<Value>),
    Pairs(Vec<(Value, Value)>),
    Table(IndexMap<Value, Value, ()>),
    Trie(Trie<Value>),
    Entries(Box<EntryTrie>),
    Sorted(Sorted),
}

/// Values that a node may drop where it stands, at most: to look at more costs more than it saves.
const FEW: usize = 32;

/// Whether to drop these values drops nothing else, so that they need no [`Batch`].
#[inline]
pub(crate) fn are_shallow<'v>(values: impl ExactSizeIterator<Item = &'v Value>) -> bool {
    values.len() <= FEW && { values }.all(Value::is_shallow)
}

thread_local! {
    static NESTED: Cell<u32> = const { Cell::new(0) };
    static PENDING: RefCell<Vec<Batch>> = const { RefCell::new(Vec::new()) };
}

/// Drop `batch` now, or later from the outermost drop when already nested deep.
pub(crate) fn release(batch: Batch) {
    let nested = NESTED.get();
    if nested >= MAX_NESTED {
        let mut batch = Some(batch);
        // While the thread ends its list may be gone: then the values simply drop here.
        let _ = PENDING.try_with(|pending| {
            if let Ok(mut list) = pending.try_borrow_mut() {
                list.extend(batch.take());
            }
        });
        return;
    }
    NESTED.set(nested + 1);
    drop(batch);
    if nested == 0 {
        while let Some(next) = PENDING.try_with(|pending| pending.try_borrow_mut().ok().and_then(|mut list| list.pop())).ok().flatten() {
            drop(next);
        }
    }
    NESTED.set(nested);
}
