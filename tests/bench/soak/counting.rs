//! The allocator of the command, counting the bytes that it has allocated.

#![allow(unsafe_code, reason = "a global allocator is an unsafe trait; this one only counts and asks another one")]

use std::alloc::{GlobalAlloc, Layout};
use std::sync::atomic::{AtomicU64, Ordering};

struct Counting(mimalloc::MiMalloc);

#[global_allocator]
static ALLOCATOR: Counting = Counting(mimalloc::MiMalloc);

/// Bytes allocated and freed so far.
static GIVEN: AtomicU64 = AtomicU64::new(0);
static TAKEN: AtomicU64 = AtomicU64::new(0);

/// Bytes that are in use now.
pub(crate) fn allocated() -> u64 {
    GIVEN.load(Ordering::Relaxed).saturating_sub(TAKEN.load(Ordering::Relaxed))
}

// SAFETY: every request is forwarded unchanged to the other allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        GIVEN.fetch_add(layout.size() as u64, Ordering::Relaxed);
        unsafe { self.0.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        GIVEN.fetch_add(layout.size() as u64, Ordering::Relaxed);
        unsafe { self.0.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        TAKEN.fetch_add(layout.size() as u64, Ordering::Relaxed);
        unsafe { self.0.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        GIVEN.fetch_add(size as u64, Ordering::Relaxed);
        TAKEN.fetch_add(layout.size() as u64, Ordering::Relaxed);
        unsafe { self.0.realloc(place, layout, size) }
    }
}
