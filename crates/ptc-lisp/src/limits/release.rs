//! Dropping values: deep ones without recursing on the native stack, and large ones in portions while a program runs.
//!
//! Freeing a million nodes takes tens of milliseconds, which no deadline could interrupt. So while a session is at work
//! ([`Garbage::collect_here`]) only a limited number of elements is dropped between two looks at the clock. The rest
//! waits in a list, and every look frees some of it ([`release_some`]). A count of the live values empties the list
//! first, so the list never holds more than what was charged since.

use std::cell::{Cell, RefCell};
use std::ops::{Deref, DerefMut};

use indexmap::IndexMap;
use indexmap::map::IntoIter;

/// The deepest nesting of drops on the native stack before the rest goes to the list.
const MAX_NESTED: u32 = 48;

/// The approximate number of elements dropped between two looks at the clock.
const PORTION: usize = 1 << 14;

/// A batch of at most this many elements is dropped at once, whatever was dropped before: the list is not for small
/// batches.
const SMALL: usize = 64;

/// Elements of a large batch dropped in one step.
pub(crate) const SOME: usize = 1 << 10;

/// What may wait to be dropped.
pub(crate) trait Held: Send + Sync + 'static {}

impl<T: Send + Sync + 'static> Held for T {}

/// Contents of a node that is going away.
pub(crate) trait Contents: Held {
    /// The number of elements, without their contents.
    fn elements(&self) -> usize;

    /// Drop [`SOME`] of many; the rest goes to `list`.
    fn drop_some(self: Box<Self>, list: &mut Vec<Batch>);
}

/// Contents that wait to be dropped.
pub(crate) type Batch = Box<dyn Contents>;

impl<T: Held> Contents for Vec<T> {
    fn elements(&self) -> usize {
        self.len()
    }

    fn drop_some(mut self: Box<Self>, list: &mut Vec<Batch>) {
        self.truncate(self.len() - SOME);
        list.push(self);
    }
}

impl<K: Held, V: Held> Contents for IndexMap<K, V, ()> {
    fn elements(&self) -> usize {
        self.len()
    }

    fn drop_some(self: Box<Self>, list: &mut Vec<Batch>) {
        list.push(Box::new(self.into_iter()));
    }
}

impl<K: Held, V: Held> Contents for IntoIter<K, V> {
    fn elements(&self) -> usize {
        self.len()
    }

    fn drop_some(mut self: Box<Self>, list: &mut Vec<Batch>) {
        self.by_ref().take(SOME).for_each(drop);
        list.push(self);
    }
}

/// What a builtin has collected so far. Large results that stay unfinished, for lack of time or memory, are freed in
/// portions.
pub(crate) struct Unfinished<T: Held>(Vec<T>);

impl<T: Held> Unfinished<T> {
    /// The collected values.
    pub fn finish(mut self) -> Vec<T> {
        std::mem::take(&mut self.0)
    }
}

impl<T: Held> Default for Unfinished<T> {
    fn default() -> Self {
        Unfinished(Vec::new())
    }
}

impl<T: Held> From<Vec<T>> for Unfinished<T> {
    fn from(collected: Vec<T>) -> Self {
        Unfinished(collected)
    }
}

impl<T: Held> Deref for Unfinished<T> {
    type Target = Vec<T>;

    fn deref(&self) -> &Vec<T> {
        &self.0
    }
}

impl<T: Held> DerefMut for Unfinished<T> {
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.0
    }
}

impl<T: Held> Drop for Unfinished<T> {
    fn drop(&mut self) {
        release(std::mem::take(&mut self.0));
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

/// Drop `contents` now, or later when already nested deeply or when much was dropped since the last look at the clock.
pub(crate) fn release<C: Contents>(contents: C) {
    let size = contents.elements();
    if size == 0 {
        return;
    }
    let state = STATE.get();
    let much = state.collecting && state.spent + size > PORTION && (state.nested > 0 || size > SMALL);
    if state.nested >= MAX_NESTED || much {
        return postpone(Box::new(contents));
    }
    STATE.set(State { nested: state.nested + 1, spent: state.spent + size, ..state });
    drop(contents);
    if state.nested == 0 && !state.collecting {
        while let Some(next) = take_pending() {
            drop(next);
        }
    }
    STATE.set(State { nested: state.nested, ..STATE.get() });
}

#[cold]
fn postpone(batch: Batch) {
    let mut batch = Some(batch);
    // While the thread ends, its list may be gone: then the values drop here.
    let _ = PENDING.try_with(|pending| {
        if let Ok(mut list) = pending.try_borrow_mut() {
            list.extend(batch.take());
        }
    });
}

fn take_pending() -> Option<Batch> {
    PENDING.try_with(|pending| pending.try_borrow_mut().ok()?.pop()).ok().flatten()
}

/// Drop a portion of what waits; returns whether more waits. Takes at most some milliseconds.
pub(crate) fn release_some() -> bool {
    STATE.set(State { spent: 0, ..STATE.get() });
    let mut cut = Vec::new();
    while STATE.get().spent < PORTION {
        let Some(batch) = take_pending() else { return false };
        let state = STATE.get();
        // The elements dropped here and their contents count.
        STATE.set(State { nested: state.nested + 1, spent: state.spent + batch.elements().clamp(1, SOME), ..state });
        if batch.elements() > SOME {
            batch.drop_some(&mut cut);
        } else {
            drop(batch);
        }
        STATE.set(State { nested: state.nested, ..STATE.get() });
        cut.drain(..).for_each(postpone);
    }
    PENDING.try_with(|pending| pending.try_borrow().is_ok_and(|list| !list.is_empty())).unwrap_or(false)
}

/// Values that a session has dropped and not freed yet. Dropping it frees everything.
#[derive(Default)]
pub(crate) struct Garbage(Vec<Batch>);

impl Garbage {
    /// Let large values wait on this thread until the returned guard is dropped; then the rest is in `self` again.
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
