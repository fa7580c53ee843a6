//! `--journal` and `--resume`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ptc_runner::config::{JournalFile, JournalFileError};
use ptc_runner::transcript::Recorded;

use crate::failure::Failure;
use crate::output::{self, counted};

/// The journal of a run, and what it held.
#[derive(Default)]
pub(crate) struct Journaling {
    /// Where the run is written.
    pub(super) file: Option<Arc<JournalFile>>,
    /// Its name.
    pub(super) path: Option<PathBuf>,
    /// The run so far.
    pub(super) recorded: Option<Arc<Recorded>>,
}

/// Open the journal that the command line names; nothing is written yet, except that a torn line is cut off.
pub(super) fn open(path: Option<&Path>, resume: bool) -> Result<Journaling, Failure> {
    let Some(path) = path else { return Ok(Journaling::default()) };
    let (file, recorded) = if resume {
        JournalFile::resume(path)?
    } else {
        let created = JournalFile::create(path).map_err(|error| match error {
            JournalFileError::NotEmpty { path } => {
                let path = path.display();
                format!("--journal: {path} holds a run already: add --resume to continue it, or name another file")
                    .into()
            }
            other => Failure::from(other),
        });
        (created?, None)
    };
    if let Some(recorded) = &recorded {
        output::notes(&[format!("resuming after {}", so_far(recorded))]);
    }
    Ok(Journaling { file: Some(Arc::new(file)), path: Some(path.to_owned()), recorded: recorded.map(Arc::new) })
}

/// `2 answers and 3 calls`
fn so_far(recorded: &Recorded) -> String {
    format!("{} and {}", counted(recorded.replies().len(), "answer"), counted(recorded.calls().count(), "call"))
}
