//! Names: the text of keywords, symbols and vars, shared by everyone who holds the same one.

use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use crate::hash::text_hash;

/// An interned, counted name: comparing two is comparing pointers, and a name that nobody holds is freed.
///
/// Making one from text takes a lock of one of the shards; cloning costs one atomic increment.
#[derive(Clone)]
pub struct Name(Arc<Entry>);

struct Entry {
    text: Box<str>,
    hash: u64,
    /// Whether data of a program made it, rather than the text of a program or the host.
    made: bool,
}

const SHARDS: usize = 32;

/// Bytes of a name beside its text: the entry, its place in the table and what the allocator adds.
const NAME: usize = 160;

/// What tells the hash of a keyword from that of the string with the same text.
const KEYWORD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Names for which a shard keeps capacity, whatever becomes of them.
const CAPACITY_KEPT: usize = 256;

type Shard = Mutex<HashMap<u64, Vec<Weak<Entry>>, Identity>>;

/// Names by their hashes.
pub(crate) type NameHashes = std::collections::HashSet<u64, Identity>;

/// The names are already hashed; the table uses that hash as it is.
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

/// The name with this text among these entries; those of another text go to `others`. An entry that is being dropped
/// cannot be taken up again.
fn held(bucket: &[Weak<Entry>], text: &str, others: &mut Vec<Arc<Entry>>) -> Option<Name> {
    for entry in bucket.iter().filter_map(Weak::upgrade) {
        if &*entry.text == text {
            return Some(Name(entry));
        }
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

    /// The name with this text, of data that a program made: while it lives it may count for the program's memory.
    pub(crate) fn made(text: &str) -> Name {
        Name::interned(text, true)
    }

    fn interned(text: &str, made: bool) -> Name {
        let hash = text_hash(text);
        // Entries of another text are let go after the lock: dropping the last holder takes it again.
        let mut others = Vec::new();
        let mut names = shard(hash).lock().unwrap_or_else(PoisonError::into_inner);
        let bucket = names.entry(hash).or_default();
        if let Some(known) = held(bucket, text, &mut others) {
            return known;
        }
        let entry = Arc::new(Entry { text: text.into(), hash, made });
        bucket.push(Arc::downgrade(&entry));
        Name(entry)
    }

    /// The name with this text, if anybody holds it: a lookup that makes nothing.
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

    /// The hash of the keyword of this name: another one than that of the string with the same text.
    pub(crate) fn keyword_hash(&self) -> u64 {
        self.0.hash ^ KEYWORD
    }

    /// As [`Name::keyword_hash`], without making the name.
    pub(crate) fn keyword_hash_of(text: &str) -> u64 {
        text_hash(text) ^ KEYWORD
    }

    pub(crate) fn hash_figure(&self) -> u64 {
        self.0.hash
    }

    /// Whether data of a program made it, rather than the text of a program or the host.
    #[inline]
    pub(crate) fn is_made(&self) -> bool {
        self.0.made
    }

    /// Bytes of a name with `length` bytes of text.
    pub(crate) fn bytes(length: usize) -> usize {
        NAME + length
    }

    /// Names for which the table has capacity.
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
    fn cmp(&self, other: &Name) -> std::cmp::Ordering {
        self.as_str().cmp(other.as_str())
    }
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
