//! Fingerprints of JSON.

use std::io::{self, Write};

use serde::Serialize;

/// 16 hex digits that are the same on every machine for equal JSON: FNV-1a with 64 bits.
///
/// It distinguishes inputs but is not secure against attackers. Errors when the value cannot be written as JSON.
///
/// ```
/// assert_eq!(ptc_chat::fingerprint("a").unwrap(), "d4272417d7c77eea");
/// ```
pub fn fingerprint<T: Serialize + ?Sized>(value: &T) -> serde_json::Result<String> {
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    serde_json::to_writer(&mut hash, value)?;
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
