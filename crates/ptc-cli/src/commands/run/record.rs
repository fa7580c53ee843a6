//! The record of a run: `--record`, `--resume`, or what is kept by default.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ptc_runner::agent::AgentError;
use ptc_runner::config::{Keep, MissionFile, RunModels};
use ptc_runner::transcript::{Journal, JournalError, JournalFile, JournalFileError, JournalWriter, Recorded};

use super::args::RunArgs;
use crate::failure::Failure;
use crate::files::{self, Format, TargetFailure, WholeFile};
use crate::kept::{self, Removed};
use crate::output::{self, counted};
use crate::recorded;

/// The file of `--requests`, unchanged until the run is over. Errors when an output is a file that the command reads.
pub(super) fn requests(
    args: &RunArgs,
    mission: &MissionFile,
    models: &RunModels,
) -> Result<Option<WholeFile>, TargetFailure> {
    let outputs = [("--record", args.record.as_deref()), ("--requests", args.requests.as_deref())];
    let answers = models.files().map(|file| ("its recorded answers", file));
    let inputs: Vec<(&'static str, &Path)> = answers.chain([("the mission", mission.path.as_path())]).collect();
    files::apart(&outputs, &inputs)?;
    args.requests.as_ref().map(|path| WholeFile::at(path, Format::REQUESTS, args.force)).transpose()
}

/// Where a run is recorded, and what the record held.
#[derive(Default)]
pub(super) struct Recording {
    pub(super) file: Option<Arc<dyn Journal>>,
    pub(super) path: Option<PathBuf>,
    /// The run so far.
    pub(super) recorded: Option<Arc<Recorded>>,
    /// How many runs are kept beside it, if nobody named its file.
    keep: Option<Keep>,
    requests: Option<Requests>,
}

/// The file of the requests.
struct Requests {
    file: WholeFile,
    /// A copy of the record, if no file has it for sure.
    lines: Option<Arc<JournalWriter<Vec<u8>>>>,
}

impl Recording {
    /// The record that the command line names, or a new one below the folder `base`. Nothing is written yet, except that
    /// a torn line is cut off.
    pub(super) fn open(args: &RunArgs, base: &Path, keep: Keep) -> Result<Recording, Failure> {
        let Some(path) = &args.record else {
            return Ok(if args.no_keep { Recording::default() } else { Recording::kept(base, keep) });
        };
        let (file, recorded) = if args.resume {
            JournalFile::resume(path)?
        } else {
            if args.force && path.is_file() {
                files::free(path, Format::RECORD)?;
            }
            let created = JournalFile::create(path).map_err(|error| match error {
                JournalFileError::NotEmpty { path } => format!(
                    "--record: {} holds a run already: add --resume to continue it, --force to replace it, or name another file",
                    path.display()
                )
                .into(),
                other => Failure::from(other),
            });
            (created?, None)
        };
        if let Some(recorded) = &recorded {
            let (replies, calls) = (recorded.replies().len(), recorded.calls().count());
            output::notes(&[format!("resuming after {} and {}", counted(replies, "answer"), counted(calls, "call"))]);
        }
        let (file, recorded) = (Some(Arc::new(file) as _), recorded.map(Arc::new));
        Ok(Recording { file, path: Some(path.clone()), recorded, keep: None, requests: None })
    }

    /// A run that cannot be kept runs nevertheless.
    fn kept(base: &Path, keep: Keep) -> Recording {
        match kept::begin(base) {
            Ok((file, path)) => Recording {
                file: Some(Arc::new(KeptFile { file, path: path.clone(), is_given_up: false.into() })),
                path: Some(path),
                recorded: None,
                keep: Some(keep),
                requests: None,
            },
            Err(error) => {
                output::notes(&[format!(
                    "this run is not kept in .ptc/runs: {error}; name a file with --record, or add --no-keep"
                )]);
                Recording::default()
            }
        }
    }

    /// This one, of which the requests are written to a file at the end.
    pub(super) fn with_requests(mut self, file: Option<WholeFile>) -> Recording {
        let Some(file) = file else { return self };
        let lines = self.file.is_none().then(Arc::<JournalWriter<_>>::default);
        if let Some(lines) = &lines {
            self.file = Some(Arc::clone(lines) as _);
        }
        self.requests = Some(Requests { file, lines });
        self
    }

    /// Write the file of `--requests`: the run is over.
    pub(super) fn write_requests(&mut self) -> Result<(), Failure> {
        // On Windows nobody reads a record as long as it is locked.
        self.file = None;
        let Some(Requests { file, lines }) = &self.requests else { return Ok(()) };
        let text = match (lines, &self.path) {
            (Some(lines), _) => lines.written(),
            (None, Some(path)) => recorded::found(path)?.bytes,
            (None, None) => Vec::new(),
        };
        if text.is_empty() {
            return Err("--requests: there are none, since the record of the run was given up".into());
        }
        Ok(file.write(&recorded::requests(&text)?)?)
    }

    /// Whether its file was not named.
    pub(super) fn is_kept(&self) -> bool {
        self.keep.is_some()
    }

    /// The run has ended: what had to be removed to keep it.
    pub(super) fn end(&self) -> Vec<String> {
        let (Some(path), Some(keep)) = (&self.path, self.keep) else { return Vec::new() };
        let Removed { finished, interrupted } = kept::make_space(path, keep);
        let finished = match finished {
            0 => None,
            1 => Some("removed the oldest run of .ptc/runs; --keep N keeps more, --keep all every one".to_owned()),
            count => {
                Some(format!("removed the {count} oldest runs of .ptc/runs; --keep N keeps more, --keep all every one"))
            }
        };
        let interrupted = interrupted.iter().map(|path| {
            format!(
                "removed {}, an interrupted run: the runs that are kept are all interrupted or newer",
                path.display()
            )
        });
        finished.into_iter().chain(interrupted).collect()
    }
}

/// A refused start leaves no record.
impl Drop for Recording {
    fn drop(&mut self) {
        let Some(path) = self.path.as_ref().filter(|_| self.recorded.is_none()) else { return };
        if fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() == 0) {
            let _ = fs::remove_file(path);
        }
    }
}

/// The failure of a run that could not start, with what to do where its record cannot be written.
pub(super) fn advised(failure: Failure, record: Option<&Path>) -> Failure {
    match (failure.downcast_ref(), record) {
        (Some(AgentError::Journal(JournalError::Unwritable(_))), Some(path)) => {
            format!("{failure}; make space for {}, or name another file with --record", path.display()).into()
        }
        _ => failure,
    }
}

/// A record that was not asked for: where it cannot be written, the run continues without one.
struct KeptFile {
    file: JournalFile,
    path: PathBuf,
    is_given_up: AtomicBool,
}

impl KeptFile {
    /// Write no more, and remove what is written: resumed from a part of it, the run would make later calls again.
    fn unless_full(&self, written: io::Result<()>) -> io::Result<()> {
        let Err(error) = written else { return Ok(()) };
        // Where not even that is possible, the run ends before anything else is done.
        self.file.clear()?;
        self.is_given_up.store(true, Ordering::Relaxed);
        output::notes(&[format!(
            "cannot write {}: {error}; the run continues without a record and cannot be resumed (--record FILE writes one elsewhere)",
            self.path.display()
        )]);
        Ok(())
    }

    fn is_given_up(&self) -> bool {
        self.is_given_up.load(Ordering::Relaxed)
    }
}

impl Journal for KeptFile {
    fn write(&self, line: &str) -> io::Result<()> {
        if self.is_given_up() { Ok(()) } else { self.unless_full(self.file.write(line)) }
    }

    fn sync(&self) -> io::Result<()> {
        if self.is_given_up() { Ok(()) } else { self.unless_full(self.file.sync()) }
    }
}
