//! Recorded answers of a case: read when there is no model, written when one is recorded.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use ptc_chat::ReplayLlm;
use ptc_transcript::private_file;

use crate::case::Case;
use crate::error::EvalError;
use crate::suite::Suite;
use crate::variant::Variant;

/// A recording to be: it replaces the previous one when the case has passed. That it can be written is known before models are
/// asked.
pub(super) struct Recording {
    path: PathBuf,
    unfinished: PathBuf,
    file: File,
}

impl Suite {
    /// The recorded answers of a case.
    pub(super) fn recorded(&self, case: &Case, variant: &Variant) -> Result<ReplayLlm, EvalError> {
        let path = self.recording(case, variant.mode);
        if !path.exists() {
            return Err(EvalError::NoRecording { case: case.name.clone(), path });
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
        Ok(Recording { path, file, unfinished })
    }
}

impl Recording {
    /// Make these answers the recording, or leave the previous one.
    pub(super) fn finish(mut self, answers: Option<io::Result<String>>) -> Result<(), EvalError> {
        let done = match answers {
            None => fs::remove_file(&self.unfinished),
            Some(answers) => answers
                .and_then(|answers| self.file.write_all(answers.as_bytes()))
                .and_then(|()| fs::rename(&self.unfinished, &self.path)),
        };
        done.map_err(|source| unwritable(&self.path, source))
    }
}

fn unwritable(path: &Path, source: io::Error) -> EvalError {
    EvalError::Unwritable { path: path.to_owned(), source }
}
