//! Why a recorded run cannot be replayed.

use std::path::PathBuf;

use ptc_runner::trace::replay::RenditionError;

/// Wrong usage of `ptc replay`, or a run that records too little.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReplayFailure {
    #[error("{} has plain values, from which requests cannot be rendered again; the record of its run has them", .path.display())]
    PlainValues { path: PathBuf },
    #[error("{} is a log of events, which holds neither values nor definitions; the record of its run has them", .path.display())]
    Log { path: PathBuf },
    #[error("{}: `{name}` of its data is too large to be in its record, so that requests cannot be rendered again; `ptc show --requests` has those that were sent", .path.display())]
    DataLeftOut { path: PathBuf, name: String },
    #[error("{}: {source}", .path.display())]
    Run { path: PathBuf, r#source: RenditionError },
    #[error("{} does not hold what was sent: the run did not collect its messages; leave `--against` out, or name a strategy", .path.display())]
    NotCollected { path: PathBuf },
    #[error("{} was run with a custom strategy, `{name}`; name the baseline with --against", .path.display())]
    OwnStrategy { path: PathBuf, name: String },
    #[error("{flag} {given}: write {usage}, N 0 or more")]
    Baseline { flag: &'static str, given: String, usage: String },
    #[error("`as-sent` is a baseline: write it after --against")]
    AsSentIsNoStrategy,
    #[error("--as {given}: write native-tools, and after commas: batches, words=N, answer=N, data=no; N 0 or more")]
    As { given: String },
    #[error("--svg draws one run, {files} files are given; call it once for each")]
    OnePicture { files: usize },
}
