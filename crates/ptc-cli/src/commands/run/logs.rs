//! The file of `--requests`.

use std::path::Path;
use std::sync::Arc;

use ptc_runner::chat::{Llm, RequestLog};
use ptc_runner::config::{MissionFile, RunModels};

use super::args::RunArgs;
use crate::failure::Failure;
use crate::files::{self, Format, GrowingFile, TargetFailure};

/// What grows during a run beside its record; all models of the run share it.
#[derive(Default)]
pub(crate) struct Logs {
    requests: Option<GrowingFile>,
}

impl Logs {
    /// The file, unchanged until the run has started.
    pub(super) fn open(args: &RunArgs, mission: &MissionFile, models: &RunModels) -> Result<Logs, Failure> {
        let outputs = [("--record", args.record.as_deref()), ("--requests", args.requests.as_deref())];
        let answers = models.files().map(|file| ("its recorded answers", file));
        let inputs: Vec<(&'static str, &Path)> = answers.chain([("the mission", mission.path.as_path())]).collect();
        files::apart(&outputs, &inputs)?;
        let requests = args.requests.as_ref();
        let requests = requests.map(|path| GrowingFile::at(path, Format::REQUESTS, args.force)).transpose()?;
        Ok(Logs { requests })
    }

    /// The model with logging around it.
    pub(super) fn around(&self, llm: Arc<dyn Llm>) -> Arc<dyn Llm> {
        match &self.requests {
            Some(file) => Arc::new(RequestLog::new(llm, file.clone())),
            None => llm,
        }
    }

    /// The run has ended: a file in which nothing was written is also that of this run.
    pub(super) fn settle(&self) -> Result<(), TargetFailure> {
        self.requests.as_ref().map_or(Ok(()), GrowingFile::settle)
    }
}
