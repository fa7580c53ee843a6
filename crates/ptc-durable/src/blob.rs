//! Large values, kept outside the journal of the engine: bytes under their SHA-256, in a folder or a bucket.
//!
//! A [`Blob`] replaces a value that is larger than [`INLINE_BYTES`]. Its name is the hash of its bytes: putting the
//! same bytes twice, from any number of processes, is the same as once, and what is read is checked against the hash.

mod failure;
mod folder;
#[cfg(feature = "s3")]
mod s3;
#[cfg(test)]
mod tests;
mod watched;

use std::sync::Arc;

use ptc_chat::shown_address;
use ptc_lisp::BoxFuture;
use serde_json::Value as Json;
use sha2::{Digest, Sha256};

use crate::json::read;
use crate::wire::{Blob, Stored};

pub use failure::BlobError;
pub use folder::FolderBlobs;
pub(crate) use watched::{OnTrouble, WatchedBlobs};

/// Maximum bytes of JSON that [`store`] leaves inline.
pub const INLINE_BYTES: usize = 256 * 1024;

/// The store of large values.
pub trait BlobStore: Send + Sync {
    /// Keep these bytes under their hash. Every reader sees it once this returns, also after a crash; putting it again
    /// changes nothing.
    fn put(&self, bytes: Vec<u8>) -> BoxFuture<'_, Result<Blob, BlobError>>;

    /// The bytes, checked: always those that were put.
    fn get<'a>(&'a self, blob: &'a Blob) -> BoxFuture<'a, Result<Vec<u8>, BlobError>>;
}

/// The blob store that a command line names: a folder, which is created when it is missing, or `s3://BUCKET/PREFIX`.
///
/// - an S3-compatible store reads its keys, region and address from the environment (`AWS_ACCESS_KEY_ID`,
///   `AWS_SECRET_ACCESS_KEY`, `AWS_REGION`, `AWS_ENDPOINT`, `AWS_ALLOW_HTTP` …); feature `s3`
/// - errors: the folder cannot be created, or the address is malformed; the bucket is contacted at its first use
pub fn open_blobs(place: &str) -> Result<Arc<dyn BlobStore>, BlobError> {
    if place.starts_with("s3://") {
        return s3(place);
    }
    match place.split_once("://") {
        Some((scheme, _)) => Err(BlobError::Scheme { place: shown_address(place), scheme: scheme.to_owned() }),
        None => Ok(Arc::new(FolderBlobs::open(place)?)),
    }
}

#[cfg(feature = "s3")]
fn s3(place: &str) -> Result<Arc<dyn BlobStore>, BlobError> {
    Ok(Arc::new(s3::S3Blobs::open(place)?))
}

#[cfg(not(feature = "s3"))]
fn s3(place: &str) -> Result<Arc<dyn BlobStore>, BlobError> {
    Err(BlobError::NoS3 { place: shown_address(place) })
}

/// The value as it is, or in the blob store when its JSON has more than [`INLINE_BYTES`].
pub async fn store(blobs: &dyn BlobStore, value: Json) -> Result<Stored, BlobError> {
    let bytes = serde_json::to_vec(&value).map_err(|error| BlobError::NotWritten { problem: error.to_string() })?;
    if bytes.len() <= INLINE_BYTES {
        return Ok(Stored::Json(value));
    }
    drop(value);
    Ok(Stored::Stored(blobs.put(bytes).await?))
}

/// The value that [`store`] was given.
pub async fn load(blobs: &dyn BlobStore, stored: Stored) -> Result<Json, BlobError> {
    match stored {
        Stored::Json(value) => Ok(value),
        Stored::Stored(blob) => read(&blobs.get(&blob).await?)
            .map_err(|error| BlobError::NotJson { hash: blob.blob, problem: error.to_string() }),
    }
}

impl Blob {
    /// The name of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Blob {
        let hash = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        Blob { blob: hash, bytes: bytes.len() as u64 }
    }

    /// The two folders and the name of a blob. Errors when the name is not a hash: it comes from outside, and a name
    /// with dots and slashes would lead out of the store.
    fn parts(&self) -> Result<[&str; 3], BlobError> {
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        let whole = self.blob.as_str();
        match (whole.get(..2), whole.get(2..4)) {
            (Some(first), Some(second)) if whole.len() == 64 && whole.bytes().all(is_digit) => {
                Ok([first, second, whole])
            }
            _ => Err(BlobError::NotAHash { given: whole.to_owned() }),
        }
    }

    /// These bytes, if they are this blob.
    fn checked(&self, bytes: Vec<u8>, place: &str) -> Result<Vec<u8>, BlobError> {
        let found = Blob::of(&bytes);
        if found == *self {
            return Ok(bytes);
        }
        Err(BlobError::Damaged { place: place.to_owned(), wanted: self.clone(), found })
    }
}
