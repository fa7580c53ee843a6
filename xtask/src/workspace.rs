//! The project's files as the checks see them: everything below the root that is not ignored.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Failure;

/// What is always ignored, at any depth (the same names as in `.gitignore`). In a second work tree `.git` is a file.
const IGNORED: &[&str] = &[".git", "target"];
const IGNORED_ENDINGS: &[&str] = &[".snap.new", ".pending-snap"];

/// The root folder of the project.
#[derive(Debug, Clone)]
pub struct Workspace {
    root: PathBuf,
}

impl Workspace {
    /// The workspace of this `cargo xtask`: cargo names it when it runs the program, else the one of the build.
    pub fn of_this_run() -> Self {
        let here = std::env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        Self::at(here.parent().unwrap_or(&here))
    }

    /// A workspace in another folder.
    pub fn at(root: &Path) -> Self {
        Self { root: root.to_path_buf() }
    }

    /// The root folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Names of the entries in the root folder, sorted, without ignored ones.
    pub(crate) fn top_level(&self) -> Result<Vec<String>, Failure> {
        entries(&self.root).map(|found| found.into_iter().map(|entry| entry.name).collect())
    }

    /// All files below `folder` (relative to the root; "" is all), as sorted paths relative to the root.
    pub(crate) fn files(&self, folder: &str) -> Result<Vec<PathBuf>, Failure> {
        let mut found = Vec::new();
        let mut waiting = vec![PathBuf::from(folder)];
        while let Some(folder) = waiting.pop() {
            let absolute = self.root.join(&folder);
            if !absolute.is_dir() {
                continue;
            }
            for entry in entries(&absolute)? {
                let path = folder.join(&entry.name);
                if entry.is_folder { waiting.push(path) } else { found.push(path) }
            }
        }
        found.sort();
        Ok(found)
    }

    /// Files below `folder` whose name ends in `.ending`.
    pub(crate) fn files_ending(&self, folder: &str, ending: &str) -> Result<Vec<PathBuf>, Failure> {
        let mut files = self.files(folder)?;
        files.retain(|path| has_ending(path, ending));
        Ok(files)
    }

    /// The text of a file given relative to the root; invalid UTF-8 is replaced.
    pub(crate) fn read(&self, path: &Path) -> Result<String, Failure> {
        let absolute = self.root.join(path);
        let bytes = fs::read(&absolute).map_err(Failure::file(&absolute))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Whether a file or folder exists, relative to the root.
    pub(crate) fn has(&self, path: &Path) -> bool {
        self.root.join(path).exists()
    }

    /// All members; a package that is its own workspace is not one.
    pub(crate) fn members(&self) -> Result<Vec<Member>, Failure> {
        let mut members = Vec::new();
        for path in self.files_ending("", "toml")?.into_iter().filter(|path| path.ends_with("Cargo.toml")) {
            let manifest = self.manifest(&path)?;
            if path != Path::new("Cargo.toml") && !manifest.contains_key("workspace") {
                members.push(Member { path, manifest });
            }
        }
        Ok(members)
    }

    /// A manifest as a TOML table.
    pub(crate) fn manifest(&self, path: &Path) -> Result<toml::Table, Failure> {
        let text = self.read(path)?;
        text.parse().map_err(|error: toml::de::Error| Failure::Manifest {
            path: path.to_path_buf(),
            message: error.to_string(),
        })
    }
}

/// A package of the workspace.
pub(crate) struct Member {
    /// Its manifest, relative to the root.
    pub(crate) path: PathBuf,
    pub(crate) manifest: toml::Table,
}

impl Member {
    pub(crate) fn name(&self) -> &str {
        text_at(&self.manifest, "package.name").unwrap_or_default()
    }

    /// Relative to the root.
    pub(crate) fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    /// Whether a key is taken from the workspace.
    pub(crate) fn inherits(&self, key: &str) -> bool {
        at(&self.manifest, &format!("{key}.workspace")).and_then(toml::Value::as_bool) == Some(true)
    }

    /// Names and values of its dependencies of these kinds, for all targets.
    pub(crate) fn dependencies(&self, kinds: &[&str]) -> Vec<(&String, &toml::Value)> {
        let targets =
            self.manifest.get("target").and_then(toml::Value::as_table).into_iter().flat_map(toml::Table::values);
        let tables = std::iter::once(&self.manifest).chain(targets.filter_map(toml::Value::as_table));
        tables.flat_map(|table| kinds.iter().filter_map(|kind| table.get(*kind)?.as_table())).flatten().collect()
    }
}

/// The value at a path of keys with dots between.
pub(crate) fn at<'t>(table: &'t toml::Table, path: &str) -> Option<&'t toml::Value> {
    let (first, rest) = path.split_once('.').unwrap_or((path, ""));
    rest.split('.').filter(|key| !key.is_empty()).try_fold(table.get(first)?, |value, key| value.get(key))
}

/// The text at a path of keys.
pub(crate) fn text_at<'t>(table: &'t toml::Table, path: &str) -> Option<&'t str> {
    at(table, path)?.as_str()
}

/// Whether the file name ends in `.ending`.
pub(crate) fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|found| found == ending)
}

struct Entry {
    name: String,
    is_folder: bool,
}

fn entries(folder: &Path) -> Result<Vec<Entry>, Failure> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(Failure::file(folder))? {
        let entry = entry.map_err(Failure::file(folder))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_folder = entry.file_type().map_err(Failure::file(folder))?.is_dir();
        let ignored = IGNORED.contains(&name.as_str())
            || !is_folder && IGNORED_ENDINGS.iter().any(|ending| name.ends_with(ending));
        if !ignored {
            found.push(Entry { name, is_folder });
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}
