//! Every run is kept, unless `--no-keep` says otherwise.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ptc_runner::config::{JournalFile, MissionFile};
use ptc_runner::transcript::{FailReason, Journal, Step};

use super::args::RunArgs;
use super::journal::Journaling;
use super::logs::Logs;
use crate::kept::{KeptRun, NewRun, Removed, is_large};
use crate::output;

/// The folder of the run, with its answers in the logs, and its journal where the command line names none.
pub(super) fn begin(
    args: &RunArgs,
    base: &Path,
    mission: &MissionFile,
    model: &str,
    journal: &mut Journaling,
    logs: &mut Logs,
) -> io::Result<KeptRun> {
    let goes_on = journal.recorded.is_some();
    let keep = args.keep.unwrap_or(mission.keep);
    let run = NewRun { mission: &mission.path, model, journal: args.journal.as_deref(), goes_on, keep };
    let kept = KeptRun::begin(base, &run)?;
    let (file, path) = kept.answers()?;
    logs.kept = Some(KeptAnswers(Arc::new(Answers { file, path, is_given_up: false.into() })));
    if args.journal.is_some() {
        return Ok(kept);
    }
    if is_large(&mission.data_map()) {
        output::notes(&[
            "no journal of this run is kept, because its data has more than 8 MB; --journal FILE writes one",
        ]);
        return Ok(kept);
    }
    let path = kept.journal();
    let file = JournalFile::create(&path).map_err(io::Error::other)?;
    journal.file = Some(Arc::new(KeptJournal { file, path: path.clone(), is_given_up: false.into() }));
    journal.path = Some(path);
    Ok(kept)
}

/// The run has ended: what had to be removed to keep it.
pub(super) fn end(kept: &mut KeptRun, step: &Step) -> Vec<String> {
    let resumable = [FailReason::Cancelled, FailReason::LlmError, FailReason::JournalError];
    let is_over = step.fail().is_none_or(|fail| !resumable.contains(&fail.reason));
    let Removed { finished, interrupted } = kept.settle(is_over);
    let finished = match finished {
        0 => None,
        1 => Some("removed the oldest run of .ptc/runs; --keep N keeps more, --keep all every one".to_owned()),
        count => {
            Some(format!("removed the {count} oldest runs of .ptc/runs; --keep N keeps more, --keep all every one"))
        }
    };
    let interrupted = interrupted.iter().map(|folder| {
        format!("removed {}, an interrupted run: the runs that are kept are all interrupted or newer", folder.display())
    });
    finished.into_iter().chain(interrupted).collect()
}

/// The file of the answers, which was not asked for: where it cannot be written, the run continues without it.
#[derive(Clone)]
pub(super) struct KeptAnswers(Arc<Answers>);

struct Answers {
    file: File,
    path: PathBuf,
    is_given_up: AtomicBool,
}

impl Write for KeptAnswers {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Answers { file, path, is_given_up } = &*self.0;
        if is_given_up.load(Ordering::Relaxed) {
            return Ok(bytes.len());
        }
        if let Err(error) = { file }.write_all(bytes)
            && !is_given_up.swap(true, Ordering::Relaxed)
        {
            output::notes(&[format!("cannot write {}: {error}; further answers are not kept", path.display())]);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A journal that was not asked for: where it cannot be written, the run continues without one.
struct KeptJournal {
    file: JournalFile,
    path: PathBuf,
    is_given_up: AtomicBool,
}

impl KeptJournal {
    /// Write no more, and remove what is written: resumed from a part of it, the run would make later calls again.
    fn unless_full(&self, written: io::Result<()>) -> io::Result<()> {
        let Err(error) = written else { return Ok(()) };
        // Where not even that is possible, the run ends before anything else is done.
        self.file.clear()?;
        self.is_given_up.store(true, Ordering::Relaxed);
        output::notes(&[format!(
            "cannot write {}: {error}; the run continues without a journal and cannot be resumed (--journal FILE writes one elsewhere)",
            self.path.display()
        )]);
        Ok(())
    }

    fn is_given_up(&self) -> bool {
        self.is_given_up.load(Ordering::Relaxed)
    }
}

impl Journal for KeptJournal {
    fn write(&self, line: &str) -> io::Result<()> {
        if self.is_given_up() { Ok(()) } else { self.unless_full(self.file.write(line)) }
    }

    fn sync(&self) -> io::Result<()> {
        if self.is_given_up() { Ok(()) } else { self.unless_full(self.file.sync()) }
    }
}
