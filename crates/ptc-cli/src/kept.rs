//! Runs that are kept by default: `.ptc/runs/ID.jsonl.gz` in the current folder, each the record of a run. As many stay as
//! [`Keep`] says; of further ones, finished runs go first, the oldest of them first, and interrupted ones, which can be
//! resumed, only where no other is left. One that somebody has resumed, and that was interrupted again, stays.
//!
//! A record is there from the start of its run, locked while that lasts, and stays when the run is killed.

#[cfg(test)]
mod tests;

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use ptc_runner::config::Keep;
use ptc_runner::lisp::Value;
use ptc_runner::lisp::text::{display_text, nearest};
use ptc_runner::transcript::{
    FailReason, JournalFile, is_record_head, private_file, private_folder, read_record, read_record_head,
};
use serde::Deserialize;

const IGNORE: &str = ".gitignore";
const ENDING: &str = ".jsonl.gz";
/// The ending of a record that is not packed.
const PLAIN: &str = ".jsonl";
/// Enough of a file to recognize it.
pub(crate) const HEAD_BYTES: u64 = 4_096;

/// What was removed to keep a run.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Removed {
    /// Finished runs.
    pub(crate) finished: usize,
    /// Interrupted ones.
    pub(crate) interrupted: Vec<PathBuf>,
}

/// How far a run has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    /// A process is at it.
    Running,
    /// It is over.
    Ended,
    /// It can be resumed.
    Interrupted,
}

impl Progress {
    /// The name in lists.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Progress::Running => "running",
            Progress::Ended => "ended",
            Progress::Interrupted => "interrupted",
        }
    }

    /// That of a run that nobody is at, whose record says that it ended, perhaps without an answer for this reason.
    pub(crate) fn at_end(reason: Option<&FailReason>) -> Progress {
        match reason {
            Some(FailReason::Cancelled | FailReason::LlmError | FailReason::JournalError) => Progress::Interrupted,
            _ => Progress::Ended,
        }
    }
}

/// Where runs are kept below `base`.
fn place(base: &Path) -> PathBuf {
    base.join(".ptc").join("runs")
}

/// A new record below the folder `base`, private, and ignored by version control.
pub(crate) fn begin(base: &Path) -> io::Result<(JournalFile, PathBuf)> {
    let runs = place(base);
    private_folder().recursive(true).create(&runs)?;
    let ignore = base.join(".ptc").join(IGNORE);
    if !ignore.exists() {
        fs::write(ignore, "*\n")?;
    }
    loop {
        let path = runs.join(stamp() + ENDING);
        match private_file().write(true).create_new(true).open(&path) {
            Ok(_) => return Ok((JournalFile::create(&path).map_err(io::Error::other)?, path)),
            // Another run has started in the same microsecond.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

/// `20261123T103000.123456Z`: sorted by name, runs are sorted by time.
fn stamp() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = i64::try_from(now.as_secs()).unwrap_or_default();
    let text: String =
        display_text(&Value::Instant(seconds * 1_000_000)).chars().filter(|c| !matches!(c, '-' | ':')).collect();
    let seconds = text.split(['.', 'Z']).next().unwrap_or_default();
    format!("{seconds}.{:06}Z", now.subsec_micros())
}

/// Whether a run could have this id.
fn is_stamp(name: &str) -> bool {
    let pattern = "00000000T000000.000000Z";
    name.len() == pattern.len()
        && name
            .bytes()
            .zip(pattern.bytes())
            .all(|(byte, wanted)| if wanted == b'0' { byte.is_ascii_digit() } else { byte == wanted })
}

/// The id of a kept run.
pub(crate) fn id(path: &Path) -> Option<&str> {
    path.file_name()?.to_str()?.strip_suffix(ENDING).filter(|name| is_stamp(name))
}

/// The name of the run of this record: its id, or that of its file without the ending.
pub(crate) fn name(path: &Path) -> &str {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.strip_suffix(ENDING).or_else(|| name.strip_suffix(PLAIN)).unwrap_or(name)
}

/// The records that are kept in the folder `base`; where none is, those among its files: it may be a folder of runs, also
/// that of a batch. Those that were started or resumed last come first.
pub(crate) fn all(base: &Path) -> Vec<PathBuf> {
    let own = list(&place(base), |path| id(path).is_some());
    if own.is_empty() { list(base, is_record) } else { own }
}

fn list(folder: &Path, is_meant: fn(&Path) -> bool) -> Vec<PathBuf> {
    let named = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = fs::read_dir(named).into_iter().flatten().flatten();
    let mut found: Vec<(Option<SystemTime>, PathBuf)> = entries
        .map(|entry| folder.join(entry.file_name()))
        .filter(|path| is_meant(path))
        .filter_map(|path| {
            let about = fs::metadata(&path).ok().filter(|about| about.is_file() && about.len() > 0)?;
            Some((about.modified().ok(), path))
        })
        .collect();
    found.sort_by(|one, other| other.cmp(one));
    found.into_iter().map(|(_, path)| path).collect()
}

/// Whether a file is named and begins as records are.
fn is_record(path: &Path) -> bool {
    let is_named = path.to_str().is_some_and(|path| path.ends_with(ENDING) || path.ends_with(PLAIN));
    is_named && path.is_file() && read_record_head(path, HEAD_BYTES).is_ok_and(|head| is_record_head(&head))
}

/// Whether a process is at the run of this record.
pub(crate) fn is_running(path: &Path) -> bool {
    // Other readers at the same time do not count.
    let looked = File::open(path).map(|file| file.try_lock_shared());
    matches!(looked, Ok(Err(TryLockError::WouldBlock)))
}

/// How far the run of this record has come. Cost: reads it.
pub(crate) fn progress(path: &Path) -> Progress {
    if is_running(path) {
        return Progress::Running;
    }
    let text = read_record(path).unwrap_or_default();
    let whole = text.iter().rposition(|byte| *byte == b'\n').and_then(|end| text.get(..end)).unwrap_or_default();
    let last = whole.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    match serde_json::from_slice(last) {
        Ok(LastLine { kind, reason }) if kind == "end" => Progress::at_end(reason.as_ref()),
        _ => Progress::Interrupted,
    }
}

/// What the last line of a record says of its run.
#[derive(Deserialize)]
struct LastLine {
    #[serde(rename = "type")]
    kind: String,
    reason: Option<FailReason>,
}

/// Remove runs above what is kept, not counting those that are running; the one at `own` stays.
pub(crate) fn make_space(own: &Path, keep: Keep) -> Removed {
    let mut removed = Removed::default();
    let (Keep::Newest(most), Some(runs)) = (keep, own.parent()) else { return removed };
    // One process at a time.
    let turn = runs.parent().and_then(|folder| File::open(folder.join(IGNORE)).ok());
    let _turn = turn.filter(|file| file.lock().is_ok());
    let mut others: Vec<(PathBuf, Progress)> = list(runs, |path| id(path).is_some())
        .into_iter()
        .filter(|path| path != own)
        .map(|path| (path.clone(), progress(&path)))
        .filter(|(_, progress)| *progress != Progress::Running)
        .collect();
    let surplus = (others.len() + 1).saturating_sub(most);
    others.reverse();
    others.sort_by_key(|(_, progress)| *progress == Progress::Interrupted);
    for (path, progress) in others {
        let is_interrupted = progress == Progress::Interrupted;
        if removed.finished + removed.interrupted.len() == surplus {
            break;
        }
        if (is_interrupted && was_resumed(&path)) || !remove(&path) {
            continue;
        }
        if is_interrupted {
            removed.interrupted.push(path);
        } else {
            removed.finished += 1;
        }
    }
    removed
}

fn was_resumed(path: &Path) -> bool {
    let text = read_record(path).unwrap_or_default();
    String::from_utf8_lossy(&text).contains("\n{\"type\":\"resumed\"")
}

/// Remove a run that is not in use. Returns whether it was removed.
pub(crate) fn remove(path: &Path) -> bool {
    let file = File::open(path).ok().filter(|file| file.try_lock().is_ok());
    file.is_some() && fs::remove_file(path).is_ok()
}

/// The record of a run that somebody names: a file, `last`, `-2` (the one before it), a name or the beginning of one.
pub(crate) fn find(base: &Path, name: &str) -> Result<PathBuf, NoSuchRun> {
    let runs = all(base);
    let at = match name {
        "last" => Some(0),
        _ => name.strip_prefix('-').and_then(|number| number.parse::<usize>().ok()).and_then(|n| n.checked_sub(1)),
    };
    if let Some(at) = at {
        let count = runs.len();
        return runs.into_iter().nth(at).ok_or(match count {
            0 => NoSuchRun::None { runs: place(base) },
            count => NoSuchRun::Few { count, wanted: at + 1 },
        });
    }
    if Path::new(name).exists() {
        return Ok(PathBuf::from(name));
    }
    let mut fitting = runs.iter().filter(|path| self::name(path).starts_with(name));
    match (fitting.next(), fitting.count()) {
        (Some(only), 0) => Ok(only.clone()),
        (Some(_), more) => Err(NoSuchRun::Many { name: name.to_owned(), count: more + 1 }),
        (None, _) => {
            let near = nearest(name, runs.iter().map(|path| self::name(path))).map(str::to_owned);
            Err(NoSuchRun::Unknown { name: name.to_owned(), near })
        }
    }
}

/// Why a run cannot be looked at.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoSuchRun {
    #[error("no run is kept in {}: name a file, or call this where `ptc run` was called", .runs.display())]
    None { runs: PathBuf },
    #[error("only {} kept, fewer than {wanted}; `ptc runs` lists them", if *.count == 1 { "1 run is".to_owned() } else { format!("{count} runs are") })]
    Few { count: usize, wanted: usize },
    #[error("{count} runs begin with `{name}`: write more of the id; `ptc runs` lists them")]
    Many { name: String, count: usize },
    #[error("`{name}` is neither a file nor a kept run{}; `ptc runs` lists them", .near.as_ref().map(|near| format!("; did you mean `{near}`?")).unwrap_or_default())]
    Unknown { name: String, near: Option<String> },
}
