//! Blobs in a folder, `ab/cd/abcd…`, for any number of processes at once.
//!
//! A file gets its name once its bytes are on the disk, so that a crash leaves no half blob: at most a file `.new-…`
//! that is never read. An existing blob is checked when it is put again, and replaced when it is damaged.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ptc_lisp::BoxFuture;
use tempfile::Builder;

use super::{BlobError, BlobStore};
use crate::wire::Blob;

/// Blobs in a folder. Several machines share it when it is on a shared file system.
#[derive(Debug, Clone)]
pub struct FolderBlobs {
    pub(super) folder: Arc<Path>,
}

impl FolderBlobs {
    /// The store in this folder, which is created when it is missing.
    pub fn open(folder: impl Into<PathBuf>) -> Result<FolderBlobs, BlobError> {
        let folder = folder.into();
        fs::create_dir_all(&folder).map_err(unwritable(&folder))?;
        Ok(FolderBlobs { folder: folder.into() })
    }

    /// Reads, writes and waits for the disk: for threads that may block.
    fn put_blocking(&self, bytes: &[u8]) -> Result<Blob, BlobError> {
        let blob = Blob::of(bytes);
        let [first, second, name] = blob.parts()?;
        let outer = self.folder.join(first);
        let inner = outer.join(second);
        let file = inner.join(name);
        if !is_whole(&file, bytes) {
            written(&inner, &file, bytes).map_err(unwritable(&file))?;
        }
        // Also when another process has created them: it may not have reached this point yet.
        for folder in [&inner, &outer, &*self.folder] {
            synced(folder).map_err(unwritable(folder))?;
        }
        Ok(blob)
    }

    fn get_blocking(&self, blob: &Blob) -> Result<Vec<u8>, BlobError> {
        let [first, second, name] = blob.parts()?;
        let file = self.folder.join(first).join(second).join(name);
        let place = self.folder.display().to_string();
        match fs::read(&file) {
            Ok(bytes) => blob.checked(bytes, &place),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Err(BlobError::Missing { place, hash: blob.blob.clone() })
            }
            Err(error) => Err(BlobError::Unreadable { path: file, error }),
        }
    }
}

impl BlobStore for FolderBlobs {
    fn put(&self, bytes: Vec<u8>) -> BoxFuture<'_, Result<Blob, BlobError>> {
        let store = self.clone();
        Box::pin(apart(move || store.put_blocking(&bytes), &self.folder))
    }

    fn get<'a>(&'a self, blob: &'a Blob) -> BoxFuture<'a, Result<Vec<u8>, BlobError>> {
        let (store, blob) = (self.clone(), blob.clone());
        Box::pin(apart(move || store.get_blocking(&blob), &self.folder))
    }
}

/// On a thread that may block on the disk.
async fn apart<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, BlobError> + Send + 'static,
    folder: &Path,
) -> Result<T, BlobError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| Err(BlobError::Unreadable { path: folder.to_owned(), error: io::Error::other(error) }))
}

fn is_whole(file: &Path, bytes: &[u8]) -> bool {
    let has_length = fs::metadata(file).is_ok_and(|found| found.len() == bytes.len() as u64);
    has_length && fs::read(file).is_ok_and(|found| found == bytes)
}

fn written(folder: &Path, file: &Path, bytes: &[u8]) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut new = Builder::new().prefix(".new-").tempfile_in(folder)?;
    new.write_all(bytes)?;
    new.as_file().sync_all()?;
    new.persist(file).map_err(|error| error.error)?;
    Ok(())
}

/// Names are on the disk once their folder is.
fn synced(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

fn unwritable(path: &Path) -> impl FnOnce(io::Error) -> BlobError {
    let path = path.to_owned();
    |error| BlobError::Unwritable { path, error }
}
