//! Hashes: seeded once per process, and the same for equal texts wherever they are stored.

use std::convert::Infallible;
use std::hash::{BuildHasher, Hasher};
use std::sync::OnceLock;

use foldhash::fast::RandomState;

/// Bytes of a long text hashed between two pauses.
const PIECE: usize = 1 << 16;

/// The per-process seed of every hash of the interpreter.
pub(crate) fn seed() -> &'static RandomState {
    static SEED: OnceLock<RandomState> = OnceLock::new();
    SEED.get_or_init(RandomState::default)
}

/// The hash that keyed tables use for text. A long text is hashed piece by piece.
pub(crate) fn text_hash(text: &str) -> u64 {
    match text_hash_with(text, || Ok::<_, Infallible>(())) {
        Ok(hash) => hash,
    }
}

/// Like [`text_hash`], with a pause before each piece of a long text. Errors when `pause` does.
pub(crate) fn text_hash_with<E>(text: &str, mut pause: impl FnMut() -> Result<(), E>) -> Result<u64, E> {
    if text.len() <= PIECE {
        return Ok(seed().hash_one(text));
    }
    let mut state = seed().build_hasher();
    for piece in text.as_bytes().chunks(PIECE) {
        pause()?;
        state.write(piece);
    }
    Ok(state.finish())
}
