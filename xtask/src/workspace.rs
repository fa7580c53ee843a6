//! The project's files as the checks see them: everything below the root that is not ignored.

use std::fs;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use crate::{Failure, Problem};

/// What is always ignored, at any depth (the names in `.gitignore`). In a second work tree `.git` is a file.
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
        let entries = walk(&self.root, 1)?;
        Ok(entries.iter().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect())
    }

    /// All files below `folder` (relative to the root; "" is all), as sorted paths relative to the root.
    pub(crate) fn files(&self, folder: impl AsRef<Path>) -> Result<Vec<PathBuf>, Failure> {
        let folder = self.root.join(folder);
        let entries = if folder.is_dir() { walk(&folder, usize::MAX)? } else { Vec::new() };
        let files = entries.into_iter().filter(|entry| !entry.file_type().is_dir()).map(DirEntry::into_path);
        let mut files: Vec<PathBuf> =
            files.filter_map(|path| path.strip_prefix(&self.root).ok().map(Path::to_path_buf)).collect();
        files.sort();
        Ok(files)
    }

    /// Files below `folder` whose name ends in `.ending`.
    pub(crate) fn files_ending(&self, folder: impl AsRef<Path>, ending: &str) -> Result<Vec<PathBuf>, Failure> {
        let mut files = self.files(folder)?;
        files.retain(|path| has_ending(path, ending));
        Ok(files)
    }

    /// The text of a file given relative to the root; invalid UTF-8 is replaced.
    pub(crate) fn read(&self, path: impl AsRef<Path>) -> Result<String, Failure> {
        let absolute = self.root.join(path);
        let bytes = fs::read(&absolute).map_err(Failure::file(&absolute))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Whether a file or folder exists, relative to the root.
    pub(crate) fn has(&self, path: impl AsRef<Path>) -> bool {
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

    /// A finding in each member that does not take `key` from the workspace.
    pub(crate) fn without(&self, key: &str, text: &str) -> Result<Vec<Problem>, Failure> {
        let without = self.members()?.into_iter().filter(|member| !member.inherits(key));
        Ok(without.map(|member| Problem::whole(member.path, text)).collect())
    }

    /// A manifest as a TOML table.
    pub(crate) fn manifest(&self, path: impl AsRef<Path>) -> Result<toml::Table, Failure> {
        let path = path.as_ref();
        self.read(path)?.parse().map_err(|error: toml::de::Error| Failure::measured(path.display(), error))
    }
}

/// What is below a folder, in order of names and up to this depth, without ignored files and folders.
fn walk(folder: &Path, depth: usize) -> Result<Vec<DirEntry>, Failure> {
    let is_kept = |entry: &DirEntry| {
        let name = entry.file_name().to_string_lossy();
        let is_left = !entry.file_type().is_dir() && IGNORED_ENDINGS.iter().any(|ending| name.ends_with(ending));
        entry.depth() == 0 || !IGNORED.contains(&&*name) && !is_left
    };
    let entries = WalkDir::new(folder).max_depth(depth).sort_by_file_name().into_iter().filter_entry(is_kept);
    entries.skip(1).map(|entry| entry.map_err(|error| Failure::file(folder)(error.into()))).collect()
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
        let targets = entries(&self.manifest, "target").filter_map(|(_, target)| target.as_table());
        let tables = std::iter::once(&self.manifest).chain(targets);
        tables.flat_map(|table| kinds.iter().flat_map(|kind| entries(table, kind))).collect()
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

/// The entries of the table at a path of keys; none where there is no table.
pub(crate) fn entries<'t>(table: &'t toml::Table, path: &str) -> impl Iterator<Item = (&'t String, &'t toml::Value)> {
    at(table, path).and_then(toml::Value::as_table).into_iter().flatten()
}

/// Whether the file name ends in `.ending`.
pub(crate) fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|found| found == ending)
}
