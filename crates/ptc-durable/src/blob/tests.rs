#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails where it stands")]

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::{BlobStore, FolderBlobs, INLINE_BYTES, load, open_blobs, store};
use crate::wire::{Blob, Stored};

fn now<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap().block_on(work)
}

fn folder() -> (tempfile::TempDir, FolderBlobs) {
    let folder = tempfile::tempdir().unwrap();
    let blobs = FolderBlobs::open(folder.path().join("blobs")).unwrap();
    (folder, blobs)
}

/// All files below the folder.
fn files(folder: &std::path::Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> =
        entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect();
    found.sort();
    found
}

fn leaf() -> impl Strategy<Value = Json> {
    prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        ".*".prop_map(Json::from)
    ]
}

fn value() -> impl Strategy<Value = Json> {
    leaf().prop_recursive(6, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Json::from),
            prop::collection::vec((".{0,8}", inner), 0..6)
                .prop_map(|entries| Json::Object(entries.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn what_was_put_comes_back(contents in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..300), 1..6)) {
        let (_keep, blobs) = folder();
        now(async {
            let mut names = Vec::new();
            for bytes in &contents {
                names.push(blobs.put(bytes.clone()).await.unwrap());
                prop_assert_eq!(names.last(), Some(&blobs.put(bytes.clone()).await.unwrap()), "the same again");
            }
            for (name, bytes) in names.iter().zip(&contents) {
                prop_assert_eq!(&blobs.get(name).await.unwrap(), bytes);
            }
            Ok(())
        })?;
    }

    #[test]
    fn any_damage_is_noticed_and_mended_by_putting_it_again(
        bytes in prop::collection::vec(any::<u8>(), 1..300),
        at in any::<prop::sample::Index>(),
        way in 0..3,
    ) {
        let (_keep, blobs) = folder();
        let blob = now(blobs.put(bytes.clone())).unwrap();
        let file = files(&blobs.folder).pop().unwrap();
        let mut damaged = bytes.clone();
        match way {
            0 => damaged[at.index(bytes.len())] ^= 1,
            1 => damaged.truncate(at.index(bytes.len())),
            _ => damaged.insert(at.index(bytes.len()), 0),
        }
        fs::write(&file, &damaged).unwrap();
        prop_assert_eq!(now(blobs.get(&blob)).unwrap_err().code(), "damaged");
        now(blobs.put(bytes.clone())).unwrap();
        prop_assert_eq!(now(blobs.get(&blob)).unwrap(), bytes);
    }

    #[test]
    fn json_comes_back_however_large(value in value(), repeated in 1..5usize) {
        let (_keep, blobs) = folder();
        // Around the bound: a text fills the value up to it.
        let filler = "x".repeat(INLINE_BYTES * (repeated % 2));
        let value = json!([value, filler]);
        let stored = now(store(&blobs, value.clone())).unwrap();
        let is_large = serde_json::to_vec(&value).unwrap().len() > INLINE_BYTES;
        prop_assert_eq!(matches!(stored, Stored::Stored(_)), is_large);
        let travelled: Stored = serde_json::from_str(&serde_json::to_string(&stored).unwrap()).unwrap();
        prop_assert_eq!(now(load(&blobs, travelled)).unwrap(), value);
    }
}

#[test]
fn the_bound_is_that_of_the_json() {
    let (_keep, blobs) = folder();
    let text = |bytes: usize| Json::from("x".repeat(bytes - 2));
    assert!(matches!(now(store(&blobs, text(INLINE_BYTES))).unwrap(), Stored::Json(_)));
    let Stored::Stored(blob) = now(store(&blobs, text(INLINE_BYTES + 1))).unwrap() else { panic!("it is too large") };
    assert_eq!(blob.bytes, INLINE_BYTES as u64 + 1);
}

#[test]
fn many_at_once_put_the_same_and_leave_one_file_each() {
    let (_keep, blobs) = folder();
    let contents: Vec<Vec<u8>> = (0..4u8).map(|byte| vec![byte; 50_000]).collect();
    now(async {
        let stores: Vec<Arc<FolderBlobs>> =
            (0..4).map(|_| Arc::new(FolderBlobs::open(blobs.folder.to_path_buf()).unwrap())).collect();
        let puts = stores.iter().flat_map(|store| contents.iter().map(move |bytes| (store.clone(), bytes.clone())));
        let tasks: Vec<_> = puts
            .map(|(store, bytes)| {
                tokio::spawn(async move {
                    let blob = store.put(bytes.clone()).await.unwrap();
                    assert_eq!(store.get(&blob).await.unwrap(), bytes, "it is whole as soon as it is there");
                })
            })
            .collect();
        for task in tasks {
            task.await.unwrap();
        }
    });
    assert_eq!(files(&blobs.folder).len(), 4);
}

#[test]
fn a_draft_of_a_writer_that_was_killed_is_nobodys_blob() {
    let (_keep, blobs) = folder();
    let blob = now(blobs.put(b"some".to_vec())).unwrap();
    let file = files(&blobs.folder).pop().unwrap();
    fs::rename(&file, file.with_file_name(".new-a1b2c3")).unwrap();
    insta::assert_snapshot!(now(blobs.get(&blob)).unwrap_err().to_string().replace(&*blobs.folder.display().to_string(), "DIR"), @"DIR does not have the blob a6b46dd0d1ae5e86cbc8f37e75ceeb6760230c1ca4ffbcb0c97b96dd7d9c464b; commands and workers must name the same blob store (--blobs), and a blob must not be removed while a mission needs it");
    now(blobs.put(b"some".to_vec())).unwrap();
    assert_eq!(now(blobs.get(&blob)).unwrap(), b"some");
}

#[test]
fn names_that_are_no_hashes_lead_nowhere() {
    let (_keep, blobs) = folder();
    for name in ["", "../../etc/passwd", &"A".repeat(64), &"é".repeat(32), &format!("{}/", "a".repeat(63))] {
        let error = now(blobs.get(&Blob { blob: name.to_owned(), bytes: 1 })).unwrap_err();
        assert_eq!(error.code(), "not_a_hash", "{name}");
    }
    insta::assert_snapshot!(now(blobs.get(&Blob { blob: "../x".to_owned(), bytes: 1 })).unwrap_err(), @"'../x' does not name a blob; its name is the SHA-256 of its bytes, 64 hex digits in lower case");
}

#[test]
fn other_addresses_are_told_what_there_is() {
    let told = |place: &str| open_blobs(place).map(|_| ()).unwrap_err().to_string();
    insta::assert_snapshot!(told("gs://bucket"), @"gs://bucket: `gs://` is not a blob store; name a folder, or s3://BUCKET/PREFIX");
    #[cfg(not(feature = "s3"))]
    insta::assert_snapshot!(told("s3://bucket/prefix"), @"s3://bucket/prefix: S3-compatible stores are left out of this build; build with the feature `s3` (in a clone, cargo install --locked --path crates/ptc-cli --features s3), or name a folder that all machines share");
    #[cfg(feature = "s3")]
    insta::assert_snapshot!(told("s3:///prefix"), @"s3:///prefix: the name of the bucket is missing; write s3://BUCKET/PREFIX, and its keys, region and address into AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and AWS_ENDPOINT");
}

/// Against a real server, when PTC_BLOBS_S3 names a bucket of it: `s3://BUCKET/PREFIX`, with the keys and AWS_ENDPOINT.
#[cfg(feature = "s3")]
#[test]
fn a_bucket_does_the_same() {
    use std::time::Instant;

    let Ok(place) = std::env::var("PTC_BLOBS_S3") else { return };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let blobs = open_blobs(&place).unwrap();
        let missing = Blob::of(b"nobody put this");
        insta::assert_snapshot!(blobs.get(&missing).await.unwrap_err().code(), @"missing");
        for size in [0, 1_000, 300_000, 20_000_000usize] {
            let bytes: Vec<u8> = (0..size).map(|index| (index % 251) as u8).collect();
            let began = Instant::now();
            let blob = blobs.put(bytes.clone()).await.unwrap();
            let put = began.elapsed();
            assert_eq!(blobs.put(bytes.clone()).await.unwrap(), blob);
            let again = began.elapsed() - put;
            assert_eq!(blobs.get(&blob).await.unwrap(), bytes);
            println!("{size} bytes: put {put:?}, again {again:?}, get {:?}", began.elapsed() - put - again);
        }
        let began = Instant::now();
        let puts: Vec<_> = (0..200u32)
            .map(|index| {
                let blobs = Arc::clone(&blobs);
                tokio::spawn(async move { blobs.put((index % 50).to_le_bytes().repeat(1000)).await.unwrap() })
            })
            .collect();
        for put in puts {
            let blob = put.await.unwrap();
            assert_eq!(blobs.get(&blob).await.unwrap().len(), 4000);
        }
        println!("200 puts at once of 50 blobs: {:?}", began.elapsed());
    });
}
