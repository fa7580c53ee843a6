//! Runs that are kept by default: `.ptc/runs/ID/` in the current folder, as many as [`Keep`] says; of further ones,
//! finished runs go first, the oldest of them first, and interrupted ones, which can be resumed, only where no other is
//! left. One that somebody has resumed, and that was interrupted again, stays.
//!
//! A run folder holds `run.json` (what was run), `answers.jsonl` (what `--record` writes) and `journal.jsonl` (what
//! `--journal` writes). It exists during the run, with `run.json` locked, and stays when the run is killed. Only files
//! of these names are ever removed, and only from folders whose `run.json` identifies them as ours.

mod folder;
#[cfg(test)]
mod tests;

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use ptc_runner::chat::shown_addresses;
use ptc_runner::config::Keep;
use ptc_runner::transcript::private_file;

pub(crate) use folder::is_large;
use folder::{ABOUT, ANSWERS, About, JOURNAL};

/// A run that is kept while it runs.
#[derive(Debug)]
pub(crate) struct KeptRun {
    folder: PathBuf,
    about: About,
    keep: Keep,
    /// `run.json`, locked during the run, so that no other process removes it.
    lock: File,
    is_new: bool,
    has_begun: bool,
}

/// What is known of the run that is to be kept.
pub(crate) struct NewRun<'a> {
    /// The mission file.
    pub(crate) mission: &'a Path,
    /// The model.
    pub(crate) model: &'a str,
    /// The journal, when the command line names one.
    pub(crate) journal: Option<&'a Path>,
    /// Whether that journal already holds a run, which is resumed.
    pub(crate) goes_on: bool,
    /// How many runs are kept.
    pub(crate) keep: Keep,
}

/// What was removed to keep a run.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Removed {
    /// Finished runs.
    pub(crate) finished: usize,
    /// The folders of interrupted ones.
    pub(crate) interrupted: Vec<PathBuf>,
}

impl KeptRun {
    /// A folder for a new run, below the folder `base`; or the existing one of a resumed run.
    pub(crate) fn begin(base: &Path, run: &NewRun<'_>) -> io::Result<KeptRun> {
        let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let journal = run.journal.map(absolute);
        let runs = folder::runs(base)?;
        let of_before = || folder::list(&runs).into_iter().find(|kept| run.goes_on && kept.about.journal == journal);
        let before = run.journal.and_then(|journal| folder_of(journal).or_else(|| Some(of_before()?.folder)));
        let is_new = before.is_none();
        let (folder, about) = match before {
            Some(folder) => {
                let about = folder::about(&folder).ok_or_else(|| io::Error::other("its run.json cannot be read"))?;
                (folder, About { resumed: Some(folder::stamp()), over: Some(false), ..about })
            }
            None => {
                let (folder, started) = folder::make(&runs)?;
                let (format, model) = (folder::FORMAT.to_owned(), run.model.to_owned());
                let mission = absolute(run.mission);
                (folder, About { format, mission, model, started, resumed: None, over: Some(false), journal })
            }
        };
        let lock = folder::write(&folder, &about)?;
        Ok(KeptRun { folder, about, keep: run.keep, lock, is_new, has_begun: !is_new })
    }

    /// Where its journal is.
    pub(crate) fn journal(&self) -> PathBuf {
        self.folder.join(JOURNAL)
    }

    /// Where its answers go; those of a resumed run follow the earlier ones.
    pub(crate) fn answers(&self) -> io::Result<(File, PathBuf)> {
        let path = self.folder.join(ANSWERS);
        Ok((private_file().append(true).create(true).open(&path)?, path))
    }

    /// The run has ended: it stays, and others are removed.
    pub(crate) fn settle(&mut self, is_over: bool) -> Removed {
        self.has_begun = true;
        if is_over {
            // A run that is not marked is only kept longer.
            let _unmarked = folder::end(&self.lock, &self.about);
        }
        let runs = self.folder.parent().filter(|_| self.is_new).map(Path::to_owned);
        runs.map_or_else(Removed::default, |runs| self.make_space(&runs))
    }

    /// Remove runs above what is kept, not counting those that are running.
    fn make_space(&self, runs: &Path) -> Removed {
        let mut removed = Removed::default();
        let Keep::Newest(most) = self.keep else { return removed };
        let _turn = folder::turn(runs);
        let mut others = folder::list(runs);
        others.retain(|run| run.folder != self.folder && !run.is_running());
        let surplus = (others.len() + 1).saturating_sub(most);
        let is_interrupted = |run: &folder::Run| run.about.over == Some(false);
        others.retain(|run| !is_interrupted(run) || run.about.resumed.is_none());
        others.reverse();
        others.sort_by_key(is_interrupted);
        for run in others.into_iter().take(surplus).filter(|run| folder::remove(&run.folder)) {
            if is_interrupted(&run) {
                removed.interrupted.push(run.folder);
            } else {
                removed.finished += 1;
            }
        }
        removed
    }
}

/// A refused start leaves no run, unless its journal holds something.
impl Drop for KeptRun {
    fn drop(&mut self) {
        let is_empty = |name: &str| fs::metadata(self.folder.join(name)).map_or(true, |found| found.len() == 0);
        if !self.has_begun && is_empty(JOURNAL) && is_empty(ANSWERS) {
            folder::clear(&self.folder);
        }
    }
}

/// The run folder that this journal is in, when it is in one.
fn folder_of(journal: &Path) -> Option<PathBuf> {
    let folder = journal.parent().filter(|_| journal.file_name().is_some_and(|name| name == JOURNAL))?;
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    folder::about(folder).map(|_| folder.to_owned())
}

/// The journal of the run that was started or resumed last in the folder `base`.
pub(crate) fn last(base: &Path) -> Result<PathBuf, NoLastRun> {
    let runs = folder::place(base);
    let Some(last) = folder::list(&runs).into_iter().next() else { return Err(NoLastRun::None { runs }) };
    let journal = last.about.journal.unwrap_or_else(|| last.folder.join(JOURNAL));
    if journal.is_file() { Ok(journal) } else { Err(NoLastRun::NoJournal { about: last.folder.join(ABOUT), journal }) }
}

/// The file of a kept run.
#[derive(Debug)]
pub(crate) struct KeptFile {
    pub(crate) journal: PathBuf,
    /// The mission file that was run.
    pub(crate) mission: PathBuf,
}

/// The journals of the runs that are kept in the folder `base`, or in `base` where that is a folder of runs, newest
/// first. Runs of which no journal is kept are left out.
pub(crate) fn all(base: &Path) -> Vec<KeptFile> {
    let own = folder::list(&folder::place(base));
    let runs = if own.is_empty() && !base.as_os_str().is_empty() { folder::list(base) } else { own };
    let file = |run: folder::Run| {
        let journal = run.about.journal.unwrap_or_else(|| run.folder.join(JOURNAL));
        journal.is_file().then_some(KeptFile { journal, mission: run.about.mission })
    };
    runs.into_iter().filter_map(file).collect()
}

/// The model of the run of this journal, which is in the folder of the run, or in another place that a run of the current
/// folder names. Earlier versions wrote addresses with their keys.
pub(crate) fn model_of(journal: &Path) -> Option<String> {
    if let Some(folder) = folder_of(journal) {
        return folder::about(&folder).map(|about| shown_addresses(&about.model));
    }
    let journal = std::path::absolute(journal).ok();
    let here = folder::list(&folder::place(Path::new("")));
    let run = here.into_iter().find(|run| run.about.journal.is_some() && run.about.journal == journal);
    run.map(|run| shown_addresses(&run.about.model))
}

/// Why there is no last run to look at.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoLastRun {
    #[error("no run is kept in {}: name a file, or call this where `ptc run` was called", .runs.display())]
    None { runs: PathBuf },
    #[error("the journal {} of the last run ({}) is not there: name another file", .journal.display(), .about.display())]
    NoJournal { about: PathBuf, journal: PathBuf },
}
