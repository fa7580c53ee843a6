//! A blob store whose trouble is reported: missions wait for it, and someone has to free space.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ptc_lisp::BoxFuture;

use super::{BlobError, BlobStore};
use crate::wire::Blob;

/// How often trouble is reported while it lasts.
const AGAIN: Duration = Duration::from_secs(60);

/// Gets a line about the blob store.
pub(crate) type OnTrouble = Arc<dyn Fn(&str) + Send + Sync>;

/// A store, and what is wrong with it.
pub(crate) struct WatchedBlobs {
    store: Arc<dyn BlobStore>,
    on_trouble: OnTrouble,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Why nothing could be written last, and read last.
    writing: Option<String>,
    reading: Option<String>,
    reported: Option<Instant>,
}

impl WatchedBlobs {
    pub fn new(store: Arc<dyn BlobStore>, on_trouble: OnTrouble) -> WatchedBlobs {
        WatchedBlobs { store, on_trouble, state: Mutex::default() }
    }

    /// What is wrong with the store, and what to do.
    pub fn trouble(&self) -> Option<String> {
        let state = self.state();
        let problem = state.writing.as_ref().or(state.reading.as_ref())?;
        Some(format!(
            "{problem}; missions with values above 256 kB wait for it: free space or restore access, and leave the workers running, which hold results that are not stored yet"
        ))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note<T>(&self, place: fn(&mut State) -> &mut Option<String>, done: &Result<T, BlobError>) {
        let mut state = self.state();
        let was_wrong = place(&mut state).is_some();
        *place(&mut state) = done.as_ref().err().filter(|error| error.is_passing()).map(ToString::to_string);
        let is_wrong = place(&mut state).is_some();
        if is_wrong && state.reported.is_none_or(|reported| reported.elapsed() >= AGAIN) {
            state.reported = Some(Instant::now());
            drop(state);
            self.trouble().iter().for_each(|trouble| (self.on_trouble)(trouble));
        } else if was_wrong && state.writing.is_none() && state.reading.is_none() {
            state.reported = None;
            drop(state);
            (self.on_trouble)("the blob store can be used again");
        }
    }
}

impl BlobStore for WatchedBlobs {
    fn put(&self, bytes: Vec<u8>) -> BoxFuture<'_, Result<Blob, BlobError>> {
        Box::pin(async move {
            let done = self.store.put(bytes).await;
            self.note(|state| &mut state.writing, &done);
            done
        })
    }

    fn get<'a>(&'a self, blob: &'a Blob) -> BoxFuture<'a, Result<Vec<u8>, BlobError>> {
        Box::pin(async move {
            let done = self.store.get(blob).await;
            self.note(|state| &mut state.reading, &done);
            done
        })
    }
}
