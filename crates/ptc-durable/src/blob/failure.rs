//! Failures of the blob store.

use std::io;
use std::path::PathBuf;

use crate::wire::Blob;

/// A large value that cannot be kept or found.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BlobError {
    /// The address is of another kind.
    #[error("{place}: `{scheme}://` is not a blob store; name a folder, or s3://BUCKET/PREFIX")]
    Scheme {
        /// What was given.
        place: String,
        /// Its beginning.
        scheme: String,
    },
    /// The program was built without the feature.
    #[error(
        "{place}: S3-compatible stores are left out of this build; build with the feature `s3` (in a clone, cargo install --locked --path crates/ptc-cli --features s3), or name a folder that all machines share"
    )]
    NoS3 {
        /// What was given.
        place: String,
    },
    /// The address of a bucket cannot be used.
    #[error(
        "{place}: {problem}; write s3://BUCKET/PREFIX, and its keys, region and address into AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and AWS_ENDPOINT"
    )]
    Bucket {
        /// What was given.
        place: String,
        /// What is wrong.
        problem: String,
    },
    /// A name that is not a hash.
    #[error("'{given}' does not name a blob; its name is the SHA-256 of its bytes, 64 hex digits in lower case")]
    NotAHash {
        /// What was given.
        given: String,
    },
    /// There is nothing with that name.
    #[error(
        "{place} does not have the blob {hash}; commands and workers must name the same blob store (--blobs), and a blob must not be removed while a mission needs it"
    )]
    Missing {
        /// The store.
        place: String,
        /// What was asked for.
        hash: String,
    },
    /// The bytes are not those that were put.
    #[error("the blob {} in {place} is damaged: it has {} bytes with the hash {}, but {} bytes were stored; restore it from a backup, or submit the mission again", .wanted.blob, .found.bytes, .found.blob, .wanted.bytes)]
    Damaged {
        /// The store.
        place: String,
        /// What was asked for.
        wanted: Blob,
        /// What was found.
        found: Blob,
    },
    /// The bytes are not JSON.
    #[error("the blob {hash} is not JSON: {problem}; it is not the value that was stored")]
    NotJson {
        /// What was asked for.
        hash: String,
        /// What is wrong.
        problem: String,
    },
    /// The value cannot be written as JSON.
    #[error("the value cannot be written as JSON: {problem}")]
    NotWritten {
        /// What is wrong.
        problem: String,
    },
    /// A file that cannot be read.
    #[error("cannot read the blob store at {}: {error}", .path.display())]
    Unreadable {
        /// Where.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file that cannot be written.
    #[error("cannot write to the blob store at {}: {error}; it is a folder that commands and workers may write to", .path.display())]
    Unwritable {
        /// Where.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The store does not answer, or refuses the request.
    #[error(
        "the blob store {place} cannot be used: {problem}; look at AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and AWS_ENDPOINT (with AWS_ALLOW_HTTP=true for http://), and whether the bucket is there"
    )]
    Remote {
        /// The store.
        place: String,
        /// Its message.
        problem: String,
    },
}

impl BlobError {
    /// A stable name.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            BlobError::Scheme { .. } => "scheme",
            BlobError::NoS3 { .. } => "no_s3",
            BlobError::Bucket { .. } => "bucket",
            BlobError::NotAHash { .. } => "not_a_hash",
            BlobError::Missing { .. } => "missing",
            BlobError::Damaged { .. } => "damaged",
            BlobError::NotJson { .. } => "not_json",
            BlobError::NotWritten { .. } => "not_written",
            BlobError::Unreadable { .. } => "unreadable",
            BlobError::Unwritable { .. } => "unwritable",
            BlobError::Remote { .. } => "remote",
        }
    }

    /// Whether a retry may succeed: nothing is wrong with the request.
    #[must_use]
    pub fn is_passing(&self) -> bool {
        matches!(self, BlobError::Unreadable { .. } | BlobError::Unwritable { .. } | BlobError::Remote { .. })
    }
}
