//! A journal on a disk that fails.

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ptc_transcript::Journal;

use super::{Fault, Faults, panic_now};

/// A journal in memory that cannot always be written: see [`Faults::journal`].
#[derive(Debug)]
pub struct FaultyJournal {
    pub(super) bytes: Mutex<Vec<u8>>,
    pub(super) faults: Faults,
}

impl FaultyJournal {
    /// What is in it, as a crash would leave it: the last line may be torn.
    #[must_use]
    pub fn written(&self) -> Vec<u8> {
        self.bytes().clone()
    }

    fn bytes(&self) -> MutexGuard<'_, Vec<u8>> {
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Journal for FaultyJournal {
    fn write(&self, line: &str) -> io::Result<()> {
        let written = match self.faults.draw_rarely(&[Fault::DiskFull, Fault::TornWrite, Fault::JournalPanic], 5) {
            Some(Fault::JournalPanic) => panic_now(),
            Some(Fault::DiskFull) => return Err(io::ErrorKind::StorageFull.into()),
            Some(_) => line.as_bytes().get(..line.len() / 2).unwrap_or_default(),
            None => line.as_bytes(),
        };
        self.bytes().extend_from_slice(written);
        if written.len() < line.len() { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
    }

    fn sync(&self) -> io::Result<()> {
        match self.faults.draw_rarely(&[Fault::SyncFailed], 5) {
            Some(_) => Err(io::Error::other("the disk broke by the seed")),
            None => Ok(()),
        }
    }
}
