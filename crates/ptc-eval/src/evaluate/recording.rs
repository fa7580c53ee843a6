//! Recorded answers of a case: read when there is no model, written when one is recorded.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ptc_chat::{Llm, RecordingLlm, ReplayLlm};
use ptc_transcript::private_file;

use crate::case::Case;
use crate::error::EvalError;
use crate::suite::Suite;
use crate::variant::Variant;

/// A recording in progress: it replaces the previous one when it is finished and good.
pub(super) struct Recording {
    path: PathBuf,
    unfinished: PathBuf,
    file: Arc<File>,
}

impl Suite {
    /// The recorded answers of a case.
    pub(super) fn recorded(&self, case: &Case, variant: &Variant) -> Result<ReplayLlm, EvalError> {
        let path = self.recording(case, variant.mode);
        if !path.exists() {
            let (case, folder) = (case.name.clone(), self.folder.clone());
            let tools = if variant.is_by_tools() { " --as native-tools" } else { "" };
            return Err(EvalError::NoRecording { case, path, folder, tools });
        }
        Ok(ReplayLlm::open(path)?)
    }

    /// Start a new recording of a case.
    pub(super) fn record(&self, case: &Case, variant: &Variant) -> Result<Recording, EvalError> {
        let path = self.recording(case, variant.mode);
        let unfinished = path.with_extension("jsonl.new");
        let create = || {
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            private_file().write(true).create(true).truncate(true).open(&unfinished)
        };
        let file = create().map_err(|source| unwritable(&unfinished, source))?;
        Ok(Recording { path, file: Arc::new(file), unfinished })
    }
}

impl Recording {
    /// The model with recording around it.
    pub(super) fn around(&self, llm: Arc<dyn Llm>) -> Arc<dyn Llm> {
        Arc::new(RecordingLlm::new(llm, Arc::clone(&self.file)))
    }

    /// Keep it, or leave the previous recording.
    pub(super) fn finish(self, keep: bool) -> Result<(), EvalError> {
        let done = if keep { fs::rename(&self.unfinished, &self.path) } else { fs::remove_file(&self.unfinished) };
        done.map_err(|source| unwritable(&self.path, source))
    }
}

fn unwritable(path: &Path, source: io::Error) -> EvalError {
    EvalError::Unwritable { path: path.to_owned(), source }
}
