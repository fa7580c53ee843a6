//! Threads for runs that are awaited: few for many runs, since a run only waits for models and tools.

use std::sync::{Mutex, PoisonError};
use std::thread;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use tokio::runtime::{Builder, Handle};

/// Programs of several runs compute at the same time on this many threads at most.
const MOST: usize = 4;

static WORKERS: Mutex<Option<Workers>> = Mutex::new(None);

struct Workers {
    /// A process that was forked has none of the threads of its parent.
    process: u32,
    handles: Vec<Handle>,
    next: usize,
}

impl Workers {
    fn new() -> std::io::Result<Workers> {
        let count = thread::available_parallelism().map_or(1, usize::from).min(MOST);
        let mut handles = Vec::with_capacity(count);
        for _ in 0..count {
            let runtime = Builder::new_current_thread().enable_all().build()?;
            handles.push(runtime.handle().clone());
            let work = move || runtime.block_on(std::future::pending::<()>());
            thread::Builder::new().name("ptc-run".to_owned()).spawn(work)?;
        }
        Ok(Workers { process: std::process::id(), handles, next: 0 })
    }

    fn next(&mut self) -> Option<&Handle> {
        self.next = self.next.wrapping_add(1);
        self.handles.get(self.next % self.handles.len().max(1))
    }
}

/// Run this on one of the threads; they are started with the first run.
pub(crate) fn spawn(run: impl Future<Output = ()> + Send + 'static) -> PyResult<()> {
    let failed = |error: &dyn std::fmt::Display| PyRuntimeError::new_err(format!("no thread for the run: {error}"));
    let mut workers = WORKERS.lock().unwrap_or_else(PoisonError::into_inner);
    if workers.as_ref().is_none_or(|workers| workers.process != std::process::id()) {
        *workers = Some(Workers::new().map_err(|error| failed(&error))?);
    }
    let handle = workers.as_mut().and_then(Workers::next).ok_or_else(|| failed(&"there is none"))?;
    handle.spawn(run);
    Ok(())
}
