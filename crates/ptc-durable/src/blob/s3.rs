//! Blobs in an S3-compatible store, `s3://BUCKET/PREFIX`: objects `PREFIX/ab/cd/abcd…`.

use std::fmt;

use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::path::Path;
use object_store::{ObjectStoreExt, PutPayload};
use ptc_chat::{shown_address, shown_addresses};
use ptc_lisp::BoxFuture;

use super::{BlobError, BlobStore};
use crate::wire::Blob;

/// Blobs in a bucket.
pub(super) struct S3Blobs {
    bucket: AmazonS3,
    prefix: Path,
    /// The address as shown in errors.
    place: String,
}

/// The keys of the bucket are not shown.
impl fmt::Debug for S3Blobs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("S3Blobs").field("place", &self.place).finish_non_exhaustive()
    }
}

impl S3Blobs {
    /// The bucket that `place` names, with keys and address from the environment. No request is sent.
    pub(super) fn open(place: &str) -> Result<S3Blobs, BlobError> {
        let problem =
            |problem: String| BlobError::Bucket { place: shown_address(place), problem: shown_addresses(&problem) };
        let (bucket, prefix) = place.strip_prefix("s3://").unwrap_or(place).split_once('/').unwrap_or_else(|| {
            let bucket = place.strip_prefix("s3://").unwrap_or(place);
            (bucket, "")
        });
        if bucket.is_empty() {
            return Err(problem("the name of the bucket is missing".to_owned()));
        }
        let prefix = Path::parse(prefix).map_err(|error| problem(error.to_string()))?;
        // The TLS backend is process-wide; a failure only means that the application has chosen one already.
        let _already_chosen = rustls::crypto::ring::default_provider().install_default();
        let bucket = AmazonS3Builder::from_env().with_bucket_name(bucket).build();
        let bucket = bucket.map_err(|error| problem(error.to_string()))?;
        Ok(S3Blobs { bucket, prefix, place: shown_address(place) })
    }

    fn path(&self, blob: &Blob) -> Result<Path, BlobError> {
        Ok(blob.parts()?.into_iter().fold(self.prefix.clone(), |path, part| path.join(part)))
    }

    fn failure(&self, error: object_store::Error, blob: &Blob) -> BlobError {
        match error {
            object_store::Error::NotFound { .. } => {
                BlobError::Missing { place: self.place.clone(), hash: blob.blob.clone() }
            }
            other => self.remote(&other),
        }
    }

    /// Also for a missing bucket: what is put need not exist before.
    fn remote(&self, error: &object_store::Error) -> BlobError {
        BlobError::Remote { place: self.place.clone(), problem: shown_addresses(&error.to_string()) }
    }
}

impl BlobStore for S3Blobs {
    /// An object exists as a whole or not at all; one of the same length is taken for the same, since reading it would
    /// cost as much as writing it.
    fn put(&self, bytes: Vec<u8>) -> BoxFuture<'_, Result<Blob, BlobError>> {
        Box::pin(async move {
            let blob = Blob::of(&bytes);
            let path = self.path(&blob)?;
            match self.bucket.head(&path).await {
                Ok(found) if found.size == blob.bytes => return Ok(blob),
                Ok(_) | Err(object_store::Error::NotFound { .. }) => {}
                Err(error) => return Err(self.failure(error, &blob)),
            }
            self.bucket.put(&path, PutPayload::from(bytes)).await.map_err(|error| self.remote(&error))?;
            Ok(blob)
        })
    }

    fn get<'a>(&'a self, blob: &'a Blob) -> BoxFuture<'a, Result<Vec<u8>, BlobError>> {
        Box::pin(async move {
            let found = self.bucket.get(&self.path(blob)?).await.map_err(|error| self.failure(error, blob))?;
            let bytes = found.bytes().await.map_err(|error| self.failure(error, blob))?;
            blob.checked(bytes.into(), &self.place)
        })
    }
}
