//! The records of a run of a case, one for each text of the user.

use std::sync::{Arc, Mutex, PoisonError};

use ptc_agent::RunOptions;

use super::Job;
use crate::error::EvalError;
use crate::options::EvalOptions;

/// Where the records of a run go, if the results keep them.
pub(super) struct Records<'a> {
    job: Job<'a>,
    options: &'a EvalOptions,
    /// The names of those that were started.
    names: Mutex<Vec<String>>,
}

impl<'a> Records<'a> {
    pub(super) fn new(job: Job<'a>, options: &'a EvalOptions) -> Records<'a> {
        Records { job, options, names: Mutex::default() }
    }

    /// The same options, with a record of the run that they are for.
    pub(super) fn kept(&self, run: RunOptions) -> Result<RunOptions, EvalError> {
        let Some(results) = &self.options.results else { return Ok(run) };
        let Job { case, variant, run: number, .. } = self.job;
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        match results.record((case, variant, self.options), number, names.len() + 1)? {
            Some((file, name)) => {
                names.push(name);
                Ok(run.journal(Arc::new(file)))
            }
            None => Ok(run),
        }
    }

    /// The names of the records, in order.
    pub(super) fn into_names(self) -> Vec<String> {
        self.names.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}
