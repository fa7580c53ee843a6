//! Results of runs in a file, one a line: an evaluation that was stopped continues where it ended.

#[cfg(test)]
mod tests;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use ptc_config::named;
use ptc_trace::replay::Prices;
use ptc_transcript::{JournalFile, fingerprint, private_folder};
use serde::{Deserialize, Serialize};

use crate::case::Case;
use crate::lines::{LineFile, LinesError, Opened, below};
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
    file: LineFile,
    lines: Vec<ResultLine>,
    note: Option<String>,
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
    /// The mission of the suite, by its name, where the case names no mission.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mission: Option<String>,
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
    #[error(transparent)]
    Lines(#[from] LinesError),
    /// The record of a run cannot be kept.
    #[error("{}: {source}", named(.path))]
    Record {
        /// The record, or its folder.
        path: PathBuf,
        /// The system's message.
        r#source: io::Error,
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
        let Opened { file, lines, note } = LineFile::open(path.as_ref(), HEAD)?;
        Ok(Results { file, lines, note, runs: None })
    }

    /// The same, where the record of each run is kept in a folder next to the file: in `results.runs` for
    /// `results.jsonl`.
    #[must_use]
    pub fn keeping_runs(mut self) -> Results {
        self.runs = Some(self.file.path().with_extension("runs"));
        self
    }

    /// The runs of a file of results as far as they are written. Another evaluation may be writing to it; a last line that
    /// was not written to its end is left out.
    pub fn read(path: impl AsRef<Path>) -> Result<Vec<ResultLine>, ResultsError> {
        Ok(LineFile::read(path.as_ref(), HEAD)?)
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

    /// Whether all results are of this suite and of one of these models.
    pub(crate) fn check(&self, suite: &Suite, options: &EvalOptions, variants: &[Variant]) -> Result<(), ResultsError> {
        let models: Vec<String> = variants.iter().map(|variant| options.model_name(variant)).collect();
        for (place, line) in self.lines.iter().enumerate() {
            let (path, number) = (self.file.path().to_owned(), place + 1);
            let other =
                |found: String, wanted: String| ResultsError::Other { path: path.clone(), line: number, found, wanted };
            let asked = &line.asked;
            if line.suite != suite.title {
                return Err(other(format!("the suite `{}`", line.suite), format!("`{}`", suite.title)));
            }
            if !models.contains(&asked.model) {
                return Err(other(format!("the model `{}`", asked.model), format!("`{}`", models.join("`, `"))));
            }
            let Some(case) = suite.cases.iter().find(|case| case.name == asked.case) else {
                return Err(other(format!("the case `{}`", asked.case), "a suite without it".to_owned()));
            };
            // A run of a mission that is not asked now stays.
            let mission = asked.mission.as_ref();
            if mission.is_some_and(|name| suite.missions.iter().all(|mission| mission.name != *name)) {
                continue;
            }
            let now = suite.asked(case, &Variant { mission: mission.cloned(), ..Variant::default() });
            if now.fingerprint != asked.fingerprint {
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

    /// What all runs of the file have cost at the prices of their models.
    pub(crate) fn cost(&self, prices: impl Fn(&str) -> Option<Prices>) -> f64 {
        let cost = |line: &ResultLine| Some(prices(&line.asked.model)?.cost(&line.found.tokens()));
        self.lines.iter().filter_map(cost).sum()
    }

    /// The record of run `run` of a case for text `text` of the user, both from 1, where it is, and its name relative to the
    /// folder of the file; none where records are not kept. A record of the same run that was not asked to its end is replaced.
    pub(crate) fn record(
        &self,
        (case, variant, options): (&Case, &Variant, &EvalOptions),
        run: usize,
        text: usize,
    ) -> Result<Option<(JournalFile, PathBuf, String)>, ResultsError> {
        let Some(runs) = &self.runs else { return Ok(None) };
        let key = fingerprint(&ResultKey::new(case, variant, options)).unwrap_or_default();
        let key: String = key.chars().take(KEY_CHARS).collect();
        let path = runs.join(format!("{}-{key}-{run}.{text}.jsonl.gz", file_name(&case.name)));
        let unusable = |source| ResultsError::Record { path: path.clone(), source };
        private_folder().recursive(true).create(runs).map_err(unusable)?;
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(unusable(error)),
            _ => {}
        }
        let file = JournalFile::create(&path).map_err(|error| unusable(io::Error::other(error)))?;
        let folder = self.file.path().parent().unwrap_or(Path::new(""));
        let name = path.strip_prefix(folder).unwrap_or(&path);
        // A file of results is the same on all systems.
        let parts: Vec<_> = name.components().map(|part| part.as_os_str().to_string_lossy()).collect();
        let name = parts.join("/");
        Ok(Some((file, path, name)))
    }

    /// Write down a run; `unasked` says why it was not asked to its end.
    pub(crate) fn append(
        &self,
        suite: &Suite,
        (case, variant, options): (&Case, &Variant, &EvalOptions),
        found: &RunReport,
        unasked: Option<&SkipReason>,
    ) -> Result<(), ResultsError> {
        let cost = options.known_prices(variant).map(|prices| prices.cost(&found.tokens()));
        let line = ResultLine {
            suite: suite.title.clone(),
            asked: ResultKey::new(case, variant, options),
            unasked: unasked.map(ToString::to_string),
            found: RunReport { cost, ..found.clone() },
        };
        Ok(self.file.append(&line)?)
    }
}

/// A name for files: letters, digits, dashes and underscores.
fn file_name(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    name.chars().take(NAME_CHARS).map(plain).collect()
}

impl ResultLine {
    /// The records of the run, one for each text of the user: in the folder of the file of results, or below it. Empty when
    /// none were kept.
    pub fn records<'a>(&'a self, folder: &'a Path) -> impl Iterator<Item = PathBuf> + 'a {
        self.found.records.iter().filter_map(|name| below(folder, name))
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
        let ResultKey { mission, mode, compression, language_spec, .. } = &self.asked;
        let parts = [mission.as_deref(), mode.map(Mode::as_str), compression.as_deref(), language_spec.as_deref()];
        let parts: Vec<&str> = parts.into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join(" · "))
    }
}

impl ResultKey {
    fn new(case: &Case, variant: &Variant, options: &EvalOptions) -> ResultKey {
        ResultKey {
            model: options.model_name(variant),
            mission: case.asked_with.clone(),
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
