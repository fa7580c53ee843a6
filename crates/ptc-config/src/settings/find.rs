//! The files of settings: where they are, and whether they may be read.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use ptc_chat::read_open_file;

use super::{Settings, Whose};
use crate::document::Document;
use crate::error::ConfigError;
use crate::text::{MAX_BYTES, decoded};
use crate::user::{user_settings, variable};

/// The name of the file next to missions.
const PROJECT: &str = "ptc.toml";

/// The variable that names the user's own file.
const VARIABLE: &str = "PTC_CONFIG";

/// The files of settings that hold in a folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SettingsFiles {
    /// The user's own file, which need not exist: that of the environment variable `PTC_CONFIG`, else `ptc/config.toml`
    /// in the folder for settings. None where the user has no known folder.
    pub user: Option<PathBuf>,
    /// Whether `PTC_CONFIG` names the user's file: then it must exist.
    pub is_named: bool,
    /// The nearest `ptc.toml`.
    pub project: Option<PathBuf>,
    /// Who runs this process, where systems know owners of files.
    pub user_id: Option<u32>,
}

impl SettingsFiles {
    /// The user's own file, and the `ptc.toml` of `folder` or of the nearest folder above it that has one. The search ends
    /// with the root of the repository: the folder that has `.git`.
    pub fn find(folder: impl Into<PathBuf>) -> SettingsFiles {
        SettingsFiles::found(folder.into(), &variable, user_id())
    }

    pub(super) fn found(
        folder: PathBuf,
        variable: &dyn Fn(&str) -> Option<PathBuf>,
        user_id: Option<u32>,
    ) -> SettingsFiles {
        let named = variable(VARIABLE);
        let is_named = named.is_some();
        let user = named.or_else(|| Some(user_settings(variable)?.join("config.toml")));
        SettingsFiles { user, is_named, project: project(&folder), user_id }
    }

    /// What they say together.
    pub fn read(&self) -> Result<Settings, ConfigError> {
        // What is there and cannot be read, a folder or a link that leads nowhere, is an error.
        let is_there = |path: &&Path| self.is_named || path.symlink_metadata().is_ok();
        let own = self.user.as_deref().filter(is_there);
        let own = own.map(|path| self.read_file(path, &Whose::User)).transpose()?.unwrap_or_default();
        let project = self.project.as_deref();
        let whose = Whose::Project(self.user.as_deref());
        let project = project.map(|path| self.read_file(path, &whose)).transpose()?.unwrap_or_default();
        own.under(project)
    }

    fn read_file(&self, path: &Path, whose: &Whose<'_>) -> Result<Settings, ConfigError> {
        let unreadable = |source| ConfigError::Unreadable { path: path.to_owned(), source };
        let file = File::open(path).map_err(unreadable)?;
        if matches!(whose, Whose::Project(_)) {
            // Of the open file: the name could lead to another one a moment later.
            check_owner(path, owner(&file), self.user_id)?;
        }
        let bytes = read_open_file(&file, MAX_BYTES).map_err(unreadable)?;
        let text = decoded(path, bytes).map_err(|(place, source)| ConfigError::NotText { place, source })?;
        Settings::of_file(&Document::new(path, &text), whose)
    }
}

/// Refuse a file that belongs neither to the user nor to root: in a folder that others may write to, such as `/tmp`,
/// anybody could say what commands of this user do.
///
/// That others may write to the file is not looked at: file systems without modes (FAT, shares, folders of Windows in
/// WSL) show it of every file, and what the file may say neither loosens approvals nor names an address.
pub(super) fn check_owner(path: &Path, owner: Option<u32>, user: Option<u32>) -> Result<(), ConfigError> {
    match owner.zip(user) {
        Some((owner, user)) if owner != user && owner != ROOT => {
            Err(ConfigError::ForeignSettings { path: path.to_owned(), owner, user })
        }
        _ => Ok(()),
    }
}

const ROOT: u32 = 0;

#[cfg(unix)]
fn owner(file: &File) -> Option<u32> {
    use std::os::unix::fs::MetadataExt;
    file.metadata().ok().map(|found| found.uid())
}

#[cfg(not(unix))]
fn owner(_: &File) -> Option<u32> {
    None
}

#[cfg(unix)]
fn user_id() -> Option<u32> {
    Some(rustix::process::geteuid().as_raw())
}

#[cfg(not(unix))]
fn user_id() -> Option<u32> {
    None
}

/// Whether there is such a file. Where not even its folder may be entered, it is not one of this user.
fn is_there(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_dir())
}

/// The nearest `ptc.toml`; one that is not next to the mission by its whole name.
fn project(folder: &Path) -> Option<PathBuf> {
    let beside = folder.strip_prefix(".").unwrap_or(folder).join(PROJECT);
    if is_there(&beside) {
        return Some(beside);
    }
    let whole = Path::new(".").join(folder).canonicalize().ok()?;
    let root = whole.ancestors().position(|folder| folder.join(".git").symlink_metadata().is_ok());
    let above = whole.ancestors().take(root.map_or(usize::MAX, |root| root + 1)).skip(1);
    above.map(|folder| folder.join(PROJECT)).find(|path| is_there(path))
}
