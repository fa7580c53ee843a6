//! A counting allocator: what this thread holds, and the most it ever held. Memory accounting is compared
//! with it.

#![allow(unsafe_code, reason = "a global allocator is an unsafe trait; this one only counts and asks the system")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

thread_local! {
    static HELD: Cell<i64> = const { Cell::new(0) };
    static MOST: Cell<i64> = const { Cell::new(0) };
}

fn grow(bytes: i64) {
    // While a thread ends its counters may be gone.
    let _ = HELD.try_with(|held| {
        held.set(held.get() + bytes);
        let _ = MOST.try_with(|most| most.set(most.get().max(held.get())));
    });
}

fn signed(bytes: usize) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

// SAFETY: every request goes to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grow(signed(layout.size()));
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        grow(signed(layout.size()));
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        grow(-signed(layout.size()));
        unsafe { System.dealloc(place, layout) }
    }

    /// A block that grows counts once: large ones are moved by the pages they lie on, not copied.
    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        grow(signed(size) - signed(layout.size()));
        unsafe { System.realloc(place, layout, size) }
    }
}

/// The most bytes that `work` held at once on this thread, beyond what was held before.
pub fn most_held<R>(work: impl FnOnce() -> R) -> (R, u64) {
    let before = HELD.get();
    MOST.set(before);
    let result = work();
    (result, u64::try_from(MOST.get() - before).unwrap_or(0))
}
