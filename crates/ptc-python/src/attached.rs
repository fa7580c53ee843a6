//! Threads of the library in Python, and the end of the interpreter.
//!
//! The interpreter ends any thread that wants its lock after it has begun to end, and a thread with Rust code below cannot be
//! ended so: the process would crash. So threads of the library enter Python here, and the end waits for those that are in.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::prelude::*;

/// Threads that are in Python.
static INSIDE: AtomicUsize = AtomicUsize::new(0);

/// Whether no thread may enter any more.
static IS_CLOSED: AtomicBool = AtomicBool::new(false);

/// How long the end waits. A function of the user may take longer; its thread is then left where it waits.
const PATIENCE: Duration = Duration::from_secs(1);

struct Inside;

impl Inside {
    fn new() -> Inside {
        INSIDE.fetch_add(1, Ordering::SeqCst);
        Inside
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        INSIDE.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Do this in Python, from a thread of the library. `None` when the interpreter ends.
pub(crate) fn attached<T>(work: impl FnOnce(Python<'_>) -> T) -> Option<T> {
    let _inside = Inside::new();
    if IS_CLOSED.load(Ordering::SeqCst) { None } else { Python::try_attach(work) }
}

/// Let no thread of the library enter Python any more, and wait for those that are there: for `atexit`.
#[pyfunction]
pub(crate) fn close(py: Python<'_>) {
    IS_CLOSED.store(true, Ordering::SeqCst);
    py.detach(|| {
        let began = Instant::now();
        while INSIDE.load(Ordering::SeqCst) > 0 && began.elapsed() < PATIENCE {
            thread::sleep(Duration::from_millis(1));
        }
    });
}
