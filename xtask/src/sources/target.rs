//! The binaries that tests run in, by the names in the output of a test run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::{Failure, Workspace};

/// A root file; everything in the binary of an integration test is test code.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Target {
    /// Relative to the workspace.
    pub(super) root: PathBuf,
    /// Whether all of it is test code.
    pub(super) is_test: bool,
}

/// All targets of all members by name, `_` written as `-`; two may have the same one.
pub(super) fn all(workspace: &Workspace) -> Result<BTreeMap<String, Vec<Target>>, Failure> {
    let mut targets: BTreeMap<String, Vec<Target>> = BTreeMap::new();
    for path in workspace.member_manifests()? {
        let manifest = workspace.manifest(&path)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        for (name, root, is_test) in named(&manifest, folder).into_iter().chain(found(workspace, folder)?) {
            let known = targets.entry(name.replace('_', "-")).or_default();
            if workspace.has(&root) && !known.iter().any(|target| target.root == root) {
                known.push(Target { root, is_test });
            }
        }
    }
    Ok(targets)
}

/// Those that the manifest names: the library after its package, and targets with their own names.
fn named(manifest: &toml::Table, folder: &Path) -> Vec<(String, PathBuf, bool)> {
    let package = manifest
        .get("package")
        .and_then(|package| package.get("name"))
        .and_then(toml::Value::as_str)
        .unwrap_or_default();
    let mut targets = vec![
        (package.to_owned(), folder.join("src/lib.rs"), false),
        (package.to_owned(), folder.join("src/main.rs"), false),
    ];
    for kind in ["bin", "test", "example", "bench"] {
        let entries = manifest.get(kind).and_then(toml::Value::as_array).into_iter().flatten();
        targets.extend(entries.filter_map(|entry| {
            let text = |key: &str| entry.get(key).and_then(toml::Value::as_str);
            Some((text("name")?.to_owned(), folder.join(text("path").unwrap_or("src/main.rs")), kind != "bin"))
        }));
    }
    targets
}

/// `tests/name.rs` and `tests/name/main.rs`.
fn found(workspace: &Workspace, folder: &Path) -> Result<Vec<(String, PathBuf, bool)>, Failure> {
    let tests = folder.join("tests");
    let files = workspace.files_ending(&tests.to_string_lossy(), "rs")?;
    let named = files.into_iter().filter_map(|file| {
        let inside: Vec<String> =
            file.strip_prefix(&tests).ok()?.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let name = match inside.as_slice() {
            [file] => file.strip_suffix(".rs")?.to_owned(),
            [folder, file] if file == "main.rs" => folder.clone(),
            _ => return None,
        };
        Some((name, file, true))
    });
    Ok(named.collect())
}
