//! Letting go of values: deep ones without recursing on the native stack, and while a program runs, large ones bit by
//! bit.
//!
//! Freeing a million nodes takes tens of milliseconds, which no deadline could interrupt. So while a session is at work
//! ([`Garbage::collect_here`]) only so many elements are dropped between two looks at the clock; what is more waits in
//! a list, and every look takes some of it ([`release_some`]). A count of the live values empties the list first, so
//! what waits is never more than what was charged since.

use std::cell::{Cell, RefCell};
use std::ops::{Deref, DerefMut};

use indexmap::IndexMap;
use indexmap::map::IntoIter;

/// Nested drops on the native stack before the rest goes to the list.
const MAX_NESTED: u32 = 48;

/// Elements that are dropped between two looks at the clock, about.
const PORTION: usize = 1 << 14;

/// Elements of a batch that is dropped at once, whatever was dropped before: the list is not for small change.
const SMALL: usize = 64;

/// Elements of a large batch that are dropped in one step.
pub(crate) const SOME: usize = 1 << 10;

/// What may wait to be dropped.
pub(crate) trait Held: Send + Sync + 'static {}

impl<T: Send + Sync + 'static> Held for T {}

/// Contents of a node that is going away.
pub(crate) trait Contents: Held {
    /// Elements, without what is in them.
    fn elements(&self) -> usize;

    /// Drop [`SOME`] of many; what is left goes to `list`.
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

/// What a builtin has collected so far: large results that are not finished, because they came too late or there was no
/// memory, are freed bit by bit.
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

/// Drop `contents` now; or later, when already nested deep or when much was dropped since the last look at the clock.
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

/// Drop a portion of what waits; returns whether more waits. At most some milliseconds.
pub(crate) fn release_some() -> bool {
    STATE.set(State { spent: 0, ..STATE.get() });
    let mut cut = Vec::new();
    while STATE.get().spent < PORTION {
        let Some(batch) = take_pending() else { return false };
        let state = STATE.get();
        // The elements dropped here and what is in them count.
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
