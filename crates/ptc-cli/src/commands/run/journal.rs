//! `--journal` and `--resume`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ptc_runner::agent::AgentError;
use ptc_runner::config::{JournalFile, JournalFileError};
use ptc_runner::transcript::{Journal, JournalError, Recorded};

use crate::failure::Failure;
use crate::output::{self, counted};

/// The journal of a run, and what it held.
#[derive(Default)]
pub(crate) struct Journaling {
    /// Where the run is written.
    pub(super) file: Option<Arc<dyn Journal>>,
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

/// The failure of a run that could not start, with what to do where its journal cannot be written.
pub(super) fn advised(failure: Failure, journal: Option<&Path>) -> Failure {
    match (failure.downcast_ref(), journal) {
        (Some(AgentError::Journal(JournalError::Unwritable(_))), Some(path)) => {
            format!("{failure}; make space for {}, or name another file with --journal", path.display()).into()
        }
        _ => failure,
    }
}

/// `2 answers and 3 calls`
fn so_far(recorded: &Recorded) -> String {
    format!("{} and {}", counted(recorded.replies().len(), "answer"), counted(recorded.calls().count(), "call"))
}
