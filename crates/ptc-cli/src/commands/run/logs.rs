//! The files of `--record`, `--requests` and `--trace`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ptc_runner::chat::{Llm, RecordingLlm, RequestLog};
use ptc_runner::config::{MissionFile, RunModels};

use super::args::RunArgs;
use super::keep::KeptAnswers;
use crate::failure::Failure;
use crate::files::{self, Format, GrowingFile, TargetFailure};

/// What grows during a run; all models of the run share it.
#[derive(Default)]
pub(crate) struct Logs {
    record: Option<GrowingFile>,
    requests: Option<GrowingFile>,
    /// Where the answers are kept.
    pub(super) kept: Option<KeptAnswers>,
    pub(super) trace: Option<GrowingFile>,
}

impl Logs {
    /// The files, unchanged until the run has started.
    pub(super) fn open(args: &RunArgs, mission: &MissionFile, models: &RunModels) -> Result<Logs, Failure> {
        let outputs = [
            ("--record", args.record.as_deref()),
            ("--requests", args.requests.as_deref()),
            ("--trace", args.trace.as_deref()),
            ("--journal", args.journal.as_deref()),
        ];
        let answers = models.files().map(|file| ("its recorded answers", file));
        let inputs: Vec<(&'static str, &Path)> = answers.chain([("the mission", mission.path.as_path())]).collect();
        files::apart(&outputs, &inputs)?;
        let open = |path: &Option<PathBuf>, format: Format| {
            path.as_ref().map(|path| GrowingFile::at(path, format, args.force)).transpose()
        };
        Ok(Logs {
            record: open(&args.record, Format::RECORD)?,
            requests: open(&args.requests, Format::REQUESTS)?,
            kept: None,
            trace: open(&args.trace, Format::TRACE)?,
        })
    }

    /// The model with recording and logging around it.
    pub(super) fn around(&self, mut llm: Arc<dyn Llm>) -> Arc<dyn Llm> {
        if let Some(file) = &self.kept {
            llm = Arc::new(RecordingLlm::new(llm, file.clone()));
        }
        if let Some(file) = &self.record {
            llm = Arc::new(RecordingLlm::new(llm, file.clone()));
        }
        if let Some(file) = &self.requests {
            llm = Arc::new(RequestLog::new(llm, file.clone()));
        }
        llm
    }

    /// The run has ended: files in which nothing was written are also those of this run.
    pub(super) fn settle(&self) -> Result<(), TargetFailure> {
        for file in [&self.record, &self.requests, &self.trace].into_iter().flatten() {
            file.settle()?;
        }
        Ok(())
    }
}
