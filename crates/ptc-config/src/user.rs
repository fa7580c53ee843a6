//! The folders of a user: for state, and for settings.

#[cfg(test)]
mod tests;

use std::env;
use std::path::PathBuf;

use ptc_mcp::Logins;

/// Where a variable of the environment points, unless it is empty.
pub(crate) fn variable(name: &str) -> Option<PathBuf> {
    env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// The folder in which programs of this user keep their state, for `ptc`: `$XDG_STATE_HOME/ptc`, else
/// `~/.local/state/ptc`; on Windows `%LOCALAPPDATA%\ptc`. None where the user has no known folder.
#[must_use]
pub fn user_state() -> Option<PathBuf> {
    folder(&variable, "XDG_STATE_HOME", &[".local", "state"], "LOCALAPPDATA")
}

/// Where the logins of this user to MCP servers are kept. None where the user has no known folder.
#[must_use]
pub fn user_logins() -> Option<Logins> {
    user_state().map(|folder| Logins::in_folder(folder.join("logins")))
}

/// The folder of settings, for `ptc`: `$XDG_CONFIG_HOME/ptc`, else `~/.config/ptc`; on Windows `%APPDATA%\ptc`.
pub(crate) fn user_settings(variable: &dyn Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    folder(variable, "XDG_CONFIG_HOME", &[".config"], "APPDATA")
}

/// A relative folder of XDG does not count, as its specification says.
fn folder(
    variable: &dyn Fn(&str) -> Option<PathBuf>,
    xdg: &str,
    below_home: &[&str],
    of_windows: &str,
) -> Option<PathBuf> {
    let named = variable(xdg).filter(|path| path.is_absolute());
    let home = || variable("HOME").map(|home| below_home.iter().fold(home, |path, part| path.join(part)));
    let folder = if cfg!(windows) { variable(of_windows) } else { named.or_else(home) };
    Some(folder?.join("ptc"))
}
