//! The records of a run of a case, one for each text of the user.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use ptc_agent::RunOptions;
use ptc_transcript::{JournalError, JournalWriter, journal_answers, read_record};

use super::Job;
use crate::error::EvalError;
use crate::options::EvalOptions;

/// Where the records of a run go: to files if the results keep them, else to memory if its answers become a recording.
pub(super) struct Records<'a> {
    job: Job<'a>,
    options: &'a EvalOptions,
    /// Those that were started.
    started: Mutex<Vec<Record>>,
}

/// Where a record is.
enum Record {
    /// By this name from the file of results on.
    File {
        name: String,
        path: PathBuf,
    },
    Memory(Arc<JournalWriter<Vec<u8>>>),
}

impl<'a> Records<'a> {
    pub(super) fn new(job: Job<'a>, options: &'a EvalOptions) -> Records<'a> {
        Records { job, options, started: Mutex::default() }
    }

    /// The same options, with a record of the run that they are for.
    pub(super) fn kept(&self, run: RunOptions) -> Result<RunOptions, EvalError> {
        let Job { case, variant, run: number, .. } = self.job;
        let mut started = self.started.lock().unwrap_or_else(PoisonError::into_inner);
        let asked = (case, variant, self.options);
        let results = self.options.results.as_ref();
        if let Some((file, path, name)) =
            results.map(|results| results.record(asked, number, started.len() + 1)).transpose()?.flatten()
        {
            started.push(Record::File { name, path });
            return Ok(run.journal(Arc::new(file)));
        }
        if !self.options.record {
            return Ok(run);
        }
        let memory = Arc::<JournalWriter<Vec<u8>>>::default();
        started.push(Record::Memory(Arc::clone(&memory)));
        Ok(run.journal(memory))
    }

    /// The answers of the models, as the lines of a recording.
    pub(super) fn answers(&self) -> std::io::Result<String> {
        let started = self.started.lock().unwrap_or_else(PoisonError::into_inner);
        let answers = started.iter().map(|record| {
            let text = match record {
                Record::File { path, .. } => read_record(path)?,
                Record::Memory(memory) => memory.written(),
            };
            journal_answers(&text).map_err(|error: JournalError| std::io::Error::other(error))
        });
        answers.collect()
    }

    /// The names of the records that are kept, in order.
    pub(super) fn into_names(self) -> Vec<String> {
        let started = self.started.into_inner().unwrap_or_else(PoisonError::into_inner);
        let name = |record| match record {
            Record::File { name, .. } => Some(name),
            Record::Memory(_) => None,
        };
        started.into_iter().filter_map(name).collect()
    }
}
