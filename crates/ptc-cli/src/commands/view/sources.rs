//! Which runs there are.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use ptc_runner::transcript::{is_record_head, read_record_head};

use super::gateways::is_state;
use crate::failure::{Failure, FileFailure};
use crate::kept::{self, HEAD_BYTES};
use crate::recorded::{has_results, is_head_of_results};

/// Where runs are looked for, again at each request.
#[derive(Debug)]
pub(super) struct Sources {
    files: Vec<PathBuf>,
    folders: Vec<PathBuf>,
    /// States of gateways that are named by their audit logs.
    states: Vec<PathBuf>,
    /// The heading of the list.
    pub(super) name: String,
}

/// A file that a run is in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Source {
    /// Its name in addresses.
    pub(super) id: String,
    /// The record or the step.
    pub(super) path: PathBuf,
}

impl Sources {
    /// What these paths name; without any, the runs that are kept in the current folder. Errors when one does not
    /// exist.
    pub(super) fn find(paths: &[PathBuf]) -> Result<Sources, Failure> {
        if paths.is_empty() {
            let folder = PathBuf::new();
            return Ok(Sources {
                files: Vec::new(),
                states: Vec::new(),
                name: ".ptc/runs".to_owned(),
                folders: vec![folder],
            });
        }
        let mut sources = Sources { files: Vec::new(), folders: Vec::new(), states: Vec::new(), name: names(paths) };
        for path in paths {
            let found = fs::metadata(path).map_err(FileFailure::unreadable(path))?;
            if let Some(state) = path.parent().filter(|state| path.ends_with("audit.jsonl") && is_state(state)) {
                sources.states.push(named_folder(state));
                continue;
            }
            if found.is_dir() { &mut sources.folders } else { &mut sources.files }.push(path.clone());
        }
        Ok(sources)
    }

    /// The only run, when a single file was named that is one.
    pub(super) fn only(&self) -> Option<String> {
        match (self.files.as_slice(), self.folders.as_slice()) {
            ([file], []) if !has_results(file) => Some(id(file)),
            _ => None,
        }
    }

    /// Where gateways keep their state: in a folder itself, or in `.ptc/mcp` below it.
    pub(super) fn gateways(&self) -> Vec<PathBuf> {
        let places = self.folders.iter().flat_map(|folder| [named_folder(folder), folder.join(".ptc").join("mcp")]);
        let mut found: Vec<PathBuf> =
            self.states.iter().cloned().chain(places.filter(|place| is_state(place))).collect();
        found.sort();
        found.dedup();
        found
    }

    /// The runs that are there now. Cost: reads the head of each file in the folders.
    pub(super) fn list(&self) -> Vec<Source> {
        let mut found: Vec<Source> = self.files.iter().map(|path| Source::of(path.clone())).collect();
        for folder in &self.folders {
            let in_runs = kept::all(folder);
            found.extend(in_runs.into_iter().map(Source::of));
            // The current folder may hold anything: only kept runs are meant.
            if !folder.as_os_str().is_empty() {
                found.extend(recorded_in(folder).into_iter().map(Source::of));
            }
        }
        let mut seen = std::collections::HashSet::new();
        found.retain(|source| seen.insert(source.id.clone()));
        found
    }
}

impl Source {
    pub(super) fn of(path: PathBuf) -> Source {
        Source { id: id(&path), path }
    }

    /// The address of its page, relative to the list.
    pub(super) fn url(&self) -> String {
        format!("run/{}", self.id)
    }
}

/// A folder by a name that is not empty.
fn named_folder(folder: &Path) -> PathBuf {
    if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder.to_owned() }
}

/// The same for the same path, also in another process.
pub(super) fn id(path: &Path) -> String {
    let mut hasher = DefaultHasher::new();
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

fn names(paths: &[PathBuf]) -> String {
    match paths {
        [only] => only.display().to_string(),
        _ => format!("{} paths", paths.len()),
    }
}

/// Records, steps and results of evaluations in a folder, by name; other files and subfolders are skipped.
fn recorded_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = entries.filter(|path| is_recorded(path).unwrap_or(false)).collect();
    files.sort();
    files
}

/// Whether a file begins as a record, a step or results do.
fn is_recorded(path: &Path) -> std::io::Result<bool> {
    let is_named = path
        .extension()
        .is_some_and(|extension| ["gz", "json", "jsonl", "journal"].iter().any(|known| extension == *known));
    if !is_named || !path.is_file() {
        return Ok(false);
    }
    let head = read_record_head(path, HEAD_BYTES)?;
    if is_head_of_results(&head) || is_record_head(&head) {
        return Ok(true);
    }
    let head = String::from_utf8_lossy(&head);
    Ok(head.trim_start().starts_with('{') && head.contains("\"ending\":") && head.contains("\"version\":"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_and_journals_of_a_folder_are_found_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write("step.json", r#"{"version":1,"values":"typed","ending":"return"}"#);
        write("run.journal", r#"{"type":"header","format":"ptc-journal","version":1}"#);
        write("results.jsonl", r#"{"suite":"T"}"#);
        write("rows.jsonl", r#"{"row":1}"#);
        write("data.json", r#"[{"ending": 1}]"#);
        write("notes.md", r#"{"version":1,"ending":"return"}"#);
        fs::create_dir(folder.path().join("deep.json")).unwrap();
        let sources = Sources::find(&[folder.path().to_owned()]).unwrap();
        let names: Vec<_> = sources.list().iter().map(|source| source.path.file_name().unwrap().to_owned()).collect();
        assert_eq!(names, ["results.jsonl", "rows.jsonl", "run.journal", "step.json"]);
        assert_eq!(sources.only(), None);
        let file = folder.path().join("data.json");
        let named = Sources::find(&[file.clone(), file]).unwrap();
        assert_eq!(named.list().len(), 1, "a file that is named is meant, once");
        let only = |name: &str| Sources::find(&[folder.path().join(name)]).unwrap().only();
        assert!(only("step.json").is_some() && only("results.jsonl").is_none(), "results are a list");
    }

    #[test]
    fn a_gateway_is_found_by_its_folder_by_its_state_and_by_its_audit_log() {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path().join(".ptc/mcp");
        fs::create_dir_all(state.join("sessions")).unwrap();
        let found = |path: &Path| {
            let sources = Sources::find(&[path.to_owned()]).unwrap();
            (sources.gateways(), sources.list().len(), sources.only())
        };
        assert_eq!(found(&state), (Vec::new(), 0, None), "any folder may have sessions");
        fs::write(state.join("audit.jsonl"), "").unwrap();
        for path in [folder.path(), &state, &state.join("audit.jsonl")] {
            assert_eq!(found(path), (vec![state.clone()], 0, None), "{}", path.display());
        }
    }

    #[test]
    fn what_is_not_there_is_an_error() {
        let error = Sources::find(&[PathBuf::from("nowhere")]).unwrap_err();
        assert!(error.to_string().starts_with("cannot read nowhere"), "{error}");
    }
}
