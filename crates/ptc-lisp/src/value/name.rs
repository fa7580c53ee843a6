//! Names: the text of keywords, symbols and vars, shared by all holders of the same name.

use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use crate::value::hash::text_hash;

/// An interned, reference-counted name: comparison compares pointers, and an unused name is freed.
///
/// Creating one from text takes the lock of a shard; cloning costs one atomic increment.
#[derive(Clone)]
pub struct Name(Arc<Entry>);

struct Entry {
    text: Box<str>,
    hash: u64,
    /// Whether it was created from data of a program, rather than from the text of a program or by the host.
    made: bool,
}

const SHARDS: usize = 32;

/// Bytes of a name in addition to its text: the entry, its place in the table and allocator overhead.
const NAME: usize = 160;

/// Distinguishes the hash of a keyword from that of the string with the same text.
const KEYWORD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Number of names for which a shard always keeps capacity.
const CAPACITY_KEPT: usize = 256;

type Shard = Mutex<HashMap<u64, Vec<Weak<Entry>>, Identity>>;

/// Names by their hashes.
pub(crate) type NameHashes = std::collections::HashSet<u64, Identity>;

/// The names are already hashed; the table uses that hash unchanged.
#[derive(Clone, Debug, Default)]
pub(crate) struct Identity;

impl BuildHasher for Identity {
    type Hasher = IdentityHasher;
    fn build_hasher(&self) -> IdentityHasher {
        IdentityHasher(0)
    }
}

pub(crate) struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }
    fn write_u64(&mut self, figure: u64) {
        self.0 = figure;
    }
}

fn table() -> &'static [Shard; SHARDS] {
    static TABLE: OnceLock<[Shard; SHARDS]> = OnceLock::new();
    TABLE.get_or_init(|| std::array::from_fn(|_| Mutex::new(HashMap::default())))
}

#[allow(clippy::indexing_slicing, reason = "the remainder is below the length")]
fn shard(hash: u64) -> &'static Shard {
    &table()[(hash >> 32) as usize % SHARDS]
}

/// The name with this text among these entries; those with another text go to `others`. An entry that is being dropped
/// cannot be reused.
fn held(bucket: &[Weak<Entry>], text: &str, others: &mut Vec<Arc<Entry>>) -> Option<Name> {
    for entry in bucket.iter().filter_map(Weak::upgrade) {
        if &*entry.text == text {
            return Some(Name(entry));
        }
        // Bounded: the names that share one hash.
        others.push(entry);
    }
    None
}

impl Name {
    /// The name with this text.
    #[must_use]
    pub fn new(text: &str) -> Name {
        Name::interned(text, false)
    }

    /// The name with this text, from data that a program created: while it lives, it may count towards the program's
    /// memory.
    pub(crate) fn made(text: &str) -> Name {
        Name::interned(text, true)
    }

    fn interned(text: &str, made: bool) -> Name {
        let hash = text_hash(text);
        // Entries with another text are dropped after the lock is released: dropping the last holder takes it again.
        let mut others = Vec::new();
        let mut names = shard(hash).lock().unwrap_or_else(PoisonError::into_inner);
        let bucket = names.entry(hash).or_default();
        if let Some(known) = held(bucket, text, &mut others) {
            return known;
        }
        let entry = Arc::new(Entry { text: text.into(), hash, made });
        // Bounded: one entry; what makes names for a program charges them.
        bucket.push(Arc::downgrade(&entry));
        Name(entry)
    }

    /// The name with this text, if it is in use: a lookup that creates nothing.
    pub(crate) fn known(text: &str) -> Option<Name> {
        let hash = text_hash(text);
        let mut others = Vec::new();
        let names = shard(hash).lock().unwrap_or_else(PoisonError::into_inner);
        held(names.get(&hash)?, text, &mut others)
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0.text
    }

    /// Whether the name is hidden from models: it starts with `_`.
    #[must_use]
    pub fn is_hidden(&self) -> bool {
        self.0.text.starts_with('_')
    }

    /// The hash of the keyword with this name, different from that of the string with the same text.
    pub(crate) fn keyword_hash(&self) -> u64 {
        self.0.hash ^ KEYWORD
    }

    /// Like [`Name::keyword_hash`], without creating the name.
    pub(crate) fn keyword_hash_of(text: &str) -> u64 {
        text_hash(text) ^ KEYWORD
    }

    pub(crate) fn hash_figure(&self) -> u64 {
        self.0.hash
    }

    /// Whether it was created from data of a program, rather than from the text of a program or by the host.
    #[inline]
    pub(crate) fn is_made(&self) -> bool {
        self.0.made
    }

    /// Bytes of a name with `length` bytes of text.
    pub(crate) fn bytes(length: usize) -> usize {
        NAME + length
    }

    /// The number of names for which the table has capacity.
    #[cfg(test)]
    pub(crate) fn capacity() -> usize {
        table().iter().map(|names| names.lock().unwrap_or_else(PoisonError::into_inner).capacity()).sum()
    }

    /// The address of the shared entry, to count it once.
    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        let mut names = shard(self.hash).lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bucket) = names.get_mut(&self.hash) {
            bucket.retain(|known| known.strong_count() > 0);
            if bucket.is_empty() {
                names.remove(&self.hash);
                if names.capacity() > CAPACITY_KEPT && names.len() < names.capacity() / 8 {
                    let capacity = (2 * names.len()).max(CAPACITY_KEPT / 2);
                    names.shrink_to(capacity);
                }
            }
        }
    }
}

impl PartialEq for Name {
    #[inline]
    fn eq(&self, other: &Name) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Name {}

impl Hash for Name {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
    }
}

impl PartialOrd for Name {
    fn partial_cmp(&self, other: &Name) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Name {
    /// By namespace, a name without one first, then by what follows it.
    fn cmp(&self, other: &Name) -> std::cmp::Ordering {
        let (name, other) = (self.as_str(), other.as_str());
        if name.contains('/') || other.contains('/') { parts(name).cmp(&parts(other)) } else { name.cmp(other) }
    }
}

/// The namespace, empty without one, and the rest. The name `/` has none.
fn parts(name: &str) -> (&str, &str) {
    name.split_once('/').filter(|(namespace, _)| !namespace.is_empty()).unwrap_or(("", name))
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Name {
        Name::new(text)
    }
}
