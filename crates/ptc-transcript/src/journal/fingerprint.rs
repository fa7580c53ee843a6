//! Fingerprints that identify the mission and data of a journal.

use std::io::{self, Write};

use serde::Serialize;

use super::JournalError;

/// 16 hex digits that are the same on every machine for equal JSON: FNV-1a with 64 bits.
///
/// It distinguishes inputs but is not secure against attackers. Errors when the value cannot be written as JSON.
///
/// ```
/// assert_eq!(ptc_transcript::fingerprint("a").unwrap(), "d4272417d7c77eea");
/// ```
pub fn fingerprint<T: Serialize + ?Sized>(value: &T) -> Result<String, JournalError> {
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    serde_json::to_writer(&mut hash, value).map_err(|error| JournalError::Unwritable(error.to_string()))?;
    Ok(format!("{:016x}", hash.0))
}

/// The hash of everything written to it.
struct Fnv(u64);

impl Write for Fnv {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
