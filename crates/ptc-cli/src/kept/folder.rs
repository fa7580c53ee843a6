//! The folders of kept runs.

use std::fs::{self, File};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use ptc_runner::lisp::{Map, Value, display_text};
use ptc_runner::transcript::{private_file, private_folder, read_record};
use serde::{Deserialize, Serialize};

pub(super) const ABOUT: &str = "run.json";
pub(super) const ANSWERS: &str = "answers.jsonl";
pub(super) const JOURNAL: &str = "journal.jsonl";
const IGNORE: &str = ".gitignore";
/// The format that `run.json` names.
pub(super) const FORMAT: &str = "ptc-run";

/// Bytes of data above which a run has no journal unless it is asked for: fifty of them would fill a disk.
const MAX_DATA: usize = 8 << 20;

/// The content of `run.json`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct About {
    pub(super) format: String,
    pub(super) mission: PathBuf,
    pub(super) model: String,
    /// Also the name of the folder.
    pub(super) started: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) resumed: Option<String>,
    /// Whether the run is over, so that nothing of it can be resumed; releases before this field did not say so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) over: Option<bool>,
    /// Where the journal is when it is not in the folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) journal: Option<PathBuf>,
}

/// A run that is kept.
pub(super) struct Run {
    pub(super) folder: PathBuf,
    pub(super) about: About,
}

impl Run {
    /// Whether a process is at it.
    pub(super) fn is_running(&self) -> bool {
        let about = File::open(self.folder.join(ABOUT));
        self.about.over != Some(true) && about.is_ok_and(|file| file.try_lock().is_err())
    }
}

/// Where runs are kept below `base`.
pub(super) fn place(base: &Path) -> PathBuf {
    base.join(".ptc").join("runs")
}

/// The folder of the runs below `base`, created, private, and ignored by version control.
pub(super) fn runs(base: &Path) -> io::Result<PathBuf> {
    let runs = place(base);
    private_folder().recursive(true).create(&runs)?;
    let ignore = base.join(".ptc").join(IGNORE);
    if !ignore.exists() {
        fs::write(ignore, "*\n")?;
    }
    Ok(runs)
}

/// A new folder with its name, which is the time to the microsecond.
pub(super) fn make(runs: &Path) -> io::Result<(PathBuf, String)> {
    loop {
        let name = stamp();
        let folder = runs.join(&name);
        match private_folder().create(&folder) {
            Ok(()) => return Ok((folder, name)),
            // Another run started in the same microsecond.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => std::thread::yield_now(),
            Err(error) => return Err(error),
        }
    }
}

/// `20261123T103000.123456Z`: sorted by name, runs are sorted by time.
pub(super) fn stamp() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = i64::try_from(now.as_secs()).unwrap_or_default();
    let text: String =
        display_text(&Value::Instant(seconds * 1_000_000)).chars().filter(|c| !matches!(c, '-' | ':')).collect();
    let seconds = text.split(['.', 'Z']).next().unwrap_or_default();
    format!("{seconds}.{:06}Z", now.subsec_micros())
}

/// Whether a run could have this name.
fn is_stamp(name: &str) -> bool {
    let pattern = "00000000T000000.000000Z";
    name.len() == pattern.len()
        && name
            .bytes()
            .zip(pattern.bytes())
            .all(|(byte, wanted)| if wanted == b'0' { byte.is_ascii_digit() } else { byte == wanted })
}

/// Write `run.json`, locked by the file that this returns.
pub(super) fn write(folder: &Path, about: &About) -> io::Result<File> {
    let mut file = private_file().write(true).create(true).truncate(false).open(folder.join(ABOUT))?;
    file.try_lock().map_err(|error| io::Error::other(error.to_string()))?;
    file.set_len(0)?;
    file.write_all(&text(about)?)?;
    Ok(file)
}

/// Write in the locked `run.json` that the run is over.
pub(super) fn end(mut file: &File, about: &About) -> io::Result<()> {
    file.rewind()?;
    // In one piece, as long as what it replaces.
    file.write_all(&text(&About { over: Some(true), ..about.clone() })?)
}

fn text(about: &About) -> io::Result<Vec<u8>> {
    let mut text = serde_json::to_vec_pretty(about)?;
    text.extend_from_slice(if about.over == Some(true) { b" \n" } else { b"\n" });
    Ok(text)
}

/// The content of `run.json` of a folder; none where it is not the folder of a run.
pub(super) fn about(folder: &Path) -> Option<About> {
    let about: About = serde_json::from_slice(&read_record(&folder.join(ABOUT)).ok()?).ok()?;
    (about.format == FORMAT).then_some(about)
}

/// The kept runs, those that were started or resumed last first.
pub(super) fn list(runs: &Path) -> Vec<Run> {
    let entries = fs::read_dir(runs).into_iter().flatten().flatten();
    let folders = entries.filter(|entry| {
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        is_folder && entry.file_name().to_str().is_some_and(is_stamp)
    });
    let mut kept: Vec<Run> =
        folders.filter_map(|entry| Some(Run { about: about(&entry.path())?, folder: entry.path() })).collect();
    kept.sort_by(|one, other| latest(&other.about).cmp(latest(&one.about)));
    kept
}

fn latest(about: &About) -> &str {
    about.resumed.as_deref().unwrap_or(&about.started)
}

/// Remove a run that is not in use; foreign files in its folder stay. Returns whether it was removed.
pub(super) fn remove(folder: &Path) -> bool {
    // Both stay locked until the files are gone. A run that is resumed with `--no-keep` locks only its journal.
    let about = File::open(folder.join(ABOUT)).ok().filter(|file| file.try_lock().is_ok());
    let journal = File::open(folder.join(JOURNAL)).ok();
    let is_unused = about.is_some() && journal.as_ref().is_none_or(|file| file.try_lock().is_ok());
    if is_unused {
        clear(folder);
    }
    is_unused
}

/// Holds other processes back from removing runs while this one does.
pub(super) fn turn(runs: &Path) -> Option<File> {
    let file = File::open(runs.parent()?.join(IGNORE)).ok()?;
    file.lock().ok().map(|()| file)
}

/// Remove our files, `run.json` last: until then the folder is known as ours.
pub(super) fn clear(folder: &Path) {
    for name in [JOURNAL, ANSWERS, ABOUT] {
        // What does not exist, or cannot be removed, is left to the next run.
        let _ = fs::remove_file(folder.join(name));
    }
    let _ = fs::remove_dir(folder);
}

/// Whether input data is too large for journals that were not asked for. Cost: stops at the bound.
pub(crate) fn is_large(data: &Map) -> bool {
    let mut left = MAX_DATA;
    let mut waiting: Vec<&Value> = data.iter().map(|(_, value)| value).collect();
    while let Some(value) = waiting.pop() {
        let bytes = match value {
            Value::Str(text) => text.as_str().len() + 2,
            Value::Vector(items) => items.len(),
            Value::Map(map) => map.len() * 8,
            _ => 8,
        };
        let Some(rest) = left.checked_sub(bytes) else { return true };
        left = rest;
        match value {
            Value::Vector(items) => waiting.extend(items.iter()),
            Value::Map(map) => waiting.extend(map.iter().map(|(_, value)| value)),
            _ => {}
        }
    }
    false
}
