//! Results of runs in a file, one a line: an evaluation that was stopped continues where it ended.

#[cfg(test)]
mod tests;

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use ptc_config::named;
use ptc_trace::replay::Prices;
use ptc_transcript::{JournalFile, fingerprint, lock_private, private_file, private_folder, read_record};
use serde::{Deserialize, Serialize};

use crate::case::Case;
use crate::options::EvalOptions;
use crate::report::{RunReport, SkipReason};
use crate::suite::Suite;
use crate::variant::{Mode, Variant};

/// Characters of the name of a case in the name of a record, and of the fingerprint of how it was asked.
const NAME_CHARS: usize = 60;
const KEY_CHARS: usize = 8;

/// What each line begins with.
const HEAD: &str = "{\"suite\":";

/// A file of results, read when it is opened, and appended to with each finished run.
#[derive(Debug)]
pub struct Results {
    path: PathBuf,
    lines: Vec<ResultLine>,
    note: Option<String>,
    file: Mutex<File>,
    /// The folder of the records of its runs, where they are kept.
    runs: Option<PathBuf>,
}

/// One run: what was asked, and what was found.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ResultLine {
    /// The title of the suite.
    pub suite: String,
    #[serde(flatten)]
    asked: ResultKey,
    /// Why the run was not asked to its end: it has cost something, and is asked again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unasked: Option<String>,
    /// What was found.
    #[serde(flatten)]
    pub found: RunReport,
}

/// What was asked: equal questions have equal results.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct ResultKey {
    model: String,
    case: String,
    /// The version of the case.
    fingerprint: String,
    #[serde(rename = "as", default, skip_serializing_if = "Option::is_none")]
    mode: Option<Mode>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    compression: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    language_spec: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    retry_turns: Option<u32>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    explore: bool,
}

/// A file of results that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResultsError {
    /// It cannot be read or written.
    #[error("{}: {source}", named(.path))]
    File {
        /// The file.
        path: PathBuf,
        /// The system's message.
        r#source: io::Error,
    },
    /// Another evaluation writes to it.
    #[error("{}: another evaluation writes to this file; wait for it, or name another file", named(.path))]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// A line that is not a result.
    #[error("{}, line {line}: this is not the result of a run ({problem}); name another file", named(.path))]
    Line {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// A result of another evaluation.
    #[error("{}, line {line}: this is a result of {found}, and {wanted} is evaluated now; name another file", named(.path))]
    Other {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// What it belongs to.
        found: String,
        /// What it should belong to.
        wanted: String,
    },
    /// A result of a case that has changed since.
    #[error("{}, line {line}: the case `{case}` has changed since; name another file, or remove its lines", named(.path))]
    Changed {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// The case.
        case: String,
    },
}

impl Results {
    /// Open a file of results, or create it. A last line that was not written to its end is removed, see
    /// [`Results::note`].
    pub fn open(path: impl AsRef<Path>) -> Result<Results, ResultsError> {
        let path = path.as_ref().to_owned();
        let unusable = |source| ResultsError::File { path: path.clone(), source };
        let file = private_file().read(true).write(true).create(true).truncate(false).open(&path);
        let mut file = file.map_err(unusable)?;
        match lock_private(&file) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(ResultsError::InUse { path }),
            Err(TryLockError::Error(source)) => return Err(unusable(source)),
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(unusable)?;
        let (lines, whole) = lines(&path, &text)?;
        let is_torn = whole < text.len();
        file.set_len(whole as u64).and_then(|()| file.seek(SeekFrom::End(0))).map_err(unusable)?;
        let note = is_torn.then(|| {
            let number = lines.len() + 1;
            format!("{}, line {number} was not written to its end and is removed; its run is asked again", named(&path))
        });
        Ok(Results { path, lines, note, file: Mutex::new(file), runs: None })
    }

    /// The same, where the record of each run is kept in a folder next to the file: in `results.runs` for
    /// `results.jsonl`.
    #[must_use]
    pub fn keeping_runs(mut self) -> Results {
        self.runs = Some(self.path.with_extension("runs"));
        self
    }

    /// The runs of a file of results as far as they are written. Another evaluation may be writing to it; a last line that
    /// was not written to its end is left out.
    pub fn read(path: impl AsRef<Path>) -> Result<Vec<ResultLine>, ResultsError> {
        let path = path.as_ref();
        let unusable = |source| ResultsError::File { path: path.to_owned(), source };
        let text = String::from_utf8(read_record(path).map_err(unusable)?);
        let text = text.map_err(|error| unusable(io::Error::other(error)))?;
        Ok(lines(path, &text)?.0)
    }

    /// Whether a file that begins with these bytes could be one of results.
    #[must_use]
    pub fn is_head(bytes: &[u8]) -> bool {
        bytes.starts_with(HEAD.as_bytes())
    }

    /// What was removed when the file was opened.
    #[must_use]
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// Whether all results are of this suite and this model.
    pub(crate) fn check(&self, suite: &Suite, options: &EvalOptions) -> Result<(), ResultsError> {
        for (place, line) in self.lines.iter().enumerate() {
            let (path, number) = (self.path.clone(), place + 1);
            let other =
                |found: String, wanted: String| ResultsError::Other { path: path.clone(), line: number, found, wanted };
            let (asked, model) = (&line.asked, options.model_name());
            if line.suite != suite.title {
                return Err(other(format!("the suite `{}`", line.suite), format!("`{}`", suite.title)));
            }
            if asked.model != model {
                return Err(other(format!("the model `{}`", asked.model), format!("`{model}`")));
            }
            let Some(case) = suite.cases.iter().find(|case| case.name == asked.case) else {
                return Err(other(format!("the case `{}`", asked.case), "a suite without it".to_owned()));
            };
            if case.fingerprint != asked.fingerprint {
                return Err(ResultsError::Changed { path, line: number, case: asked.case.clone() });
            }
        }
        Ok(())
    }

    /// The result of a run that was finished before.
    pub(crate) fn find(&self, case: &Case, variant: &Variant, options: &EvalOptions, run: usize) -> Option<RunReport> {
        let asked = ResultKey::new(case, variant, options);
        let found =
            self.lines.iter().find(|line| line.unasked.is_none() && line.found.run == run && line.asked == asked);
        found.map(|line| line.found.clone())
    }

    /// What all runs of the file have cost at these prices.
    pub(crate) fn cost(&self, prices: &Prices) -> f64 {
        self.lines.iter().map(|line| prices.cost(&line.found.tokens())).sum()
    }

    /// The record of run `run` of a case for text `text` of the user, both from 1, and its name relative to the folder of
    /// the file; none where records are not kept. A record of the same run that was not asked to its end is replaced.
    pub(crate) fn record(
        &self,
        (case, variant, options): (&Case, &Variant, &EvalOptions),
        run: usize,
        text: usize,
    ) -> Result<Option<(JournalFile, String)>, ResultsError> {
        let Some(runs) = &self.runs else { return Ok(None) };
        let key = fingerprint(&ResultKey::new(case, variant, options)).unwrap_or_default();
        let key: String = key.chars().take(KEY_CHARS).collect();
        let path = runs.join(format!("{}-{key}-{run}.{text}.jsonl.gz", file_name(&case.name)));
        let unusable = |source| ResultsError::File { path: path.clone(), source };
        private_folder().recursive(true).create(runs).map_err(unusable)?;
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(unusable(error)),
            _ => {}
        }
        let file = JournalFile::create(&path).map_err(|error| unusable(io::Error::other(error)))?;
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let name = path.strip_prefix(folder).unwrap_or(&path);
        // A file of results is the same on all systems.
        let parts: Vec<_> = name.components().map(|part| part.as_os_str().to_string_lossy()).collect();
        Ok(Some((file, parts.join("/"))))
    }

    /// Write down a run; `unasked` says why it was not asked to its end.
    pub(crate) fn append(
        &self,
        suite: &Suite,
        (case, variant, options): (&Case, &Variant, &EvalOptions),
        found: &RunReport,
        unasked: Option<&SkipReason>,
    ) -> Result<(), ResultsError> {
        let cost = options.known_prices().map(|prices| prices.cost(&found.tokens()));
        let line = ResultLine {
            suite: suite.title.clone(),
            asked: ResultKey::new(case, variant, options),
            unasked: unasked.map(ToString::to_string),
            found: RunReport { cost, ..found.clone() },
        };
        let written = serde_json::to_string(&line).map_err(io::Error::from).and_then(|line| {
            let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            file.write_all(format!("{line}\n").as_bytes())?;
            file.flush()
        });
        written.map_err(|source| ResultsError::File { path: self.path.clone(), source })
    }
}

/// A name for files: letters, digits, dashes and underscores.
fn file_name(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    name.chars().take(NAME_CHARS).map(plain).collect()
}

/// The results of a file, and the length of its whole lines. Errors when something else is in it.
fn lines(path: &Path, text: &str) -> Result<(Vec<ResultLine>, usize), ResultsError> {
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    let (done, torn) = text.split_at(whole);
    let wrong = |line, problem| ResultsError::Line { path: path.to_owned(), line, problem };
    let read = |(place, line)| serde_json::from_str(line).map_err(|error| wrong(place + 1, error.to_string()));
    let lines: Vec<ResultLine> = done.lines().enumerate().map(read).collect::<Result<_, _>>()?;
    if !torn.starts_with(HEAD) && !HEAD.starts_with(torn) {
        return Err(wrong(lines.len() + 1, format!("a result begins with {HEAD}")));
    }
    Ok((lines, whole))
}

impl ResultLine {
    /// The records of the run, one for each text of the user: in the folder of the file of results, or below it. Empty when
    /// none were kept.
    pub fn records<'a>(&'a self, folder: &'a Path) -> impl Iterator<Item = PathBuf> + 'a {
        // Only what is below the folder: a file may come from another author.
        let is_below = |name: &&String| {
            let mut parts = Path::new(name.as_str()).components();
            !name.contains('\\') && parts.all(|part| matches!(part, Component::Normal(_)))
        };
        self.found.records.iter().filter(is_below).map(|name| folder.join(name))
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &str {
        &self.asked.model
    }

    /// The case.
    #[must_use]
    pub fn case(&self) -> &str {
        &self.asked.case
    }

    /// How it was asked, where not as the case says.
    #[must_use]
    pub fn way(&self) -> Option<String> {
        let ResultKey { mode, compression, language_spec, .. } = &self.asked;
        let parts = [mode.map(Mode::as_str), compression.as_deref(), language_spec.as_deref()];
        let parts: Vec<&str> = parts.into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join(" · "))
    }
}

impl ResultKey {
    fn new(case: &Case, variant: &Variant, options: &EvalOptions) -> ResultKey {
        ResultKey {
            model: options.model_name(),
            case: case.name.clone(),
            fingerprint: case.fingerprint.clone(),
            mode: variant.mode,
            compression: variant.compression.as_ref().map(|chosen| chosen.as_str().to_owned()),
            language_spec: variant.language_spec.clone(),
            retry_turns: options.retry_turns,
            explore: options.explore,
        }
    }
}
