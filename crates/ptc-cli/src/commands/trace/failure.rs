//! Why a recorded run cannot be shown.

use std::path::PathBuf;

use ptc_runner::trace::TraceError;

/// Wrong usage of `ptc trace`, or a file that is no recorded run.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TraceFailure {
    #[error(transparent)]
    Log(#[from] TraceError),
    #[error("{} is a log, which holds neither values nor definitions: --view, --raw, --usage and --html show a step, as `ptc run --json --typed` prints it", .path.display())]
    LogHasNoStep { path: PathBuf },
    #[error("{} is a recorded run, which does not say when what happened: --chrome and --json need a log, as `ptc run --trace FILE` writes it", .path.display())]
    StepHasNoTimes { path: PathBuf },
}
