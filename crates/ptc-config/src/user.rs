//! The folders of a user: for state, and for settings.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_where_the_system_keeps_them() {
        let with = |known: &'static [(&str, &str)]| {
            let variable =
                move |name: &str| known.iter().find(|(key, _)| *key == name).map(|(_, path)| PathBuf::from(path));
            let shown = |path: Option<PathBuf>| path.map(|path| path.display().to_string()).unwrap_or_default();
            let state = folder(&variable, "XDG_STATE_HOME", &[".local", "state"], "LOCALAPPDATA");
            (shown(state), shown(user_settings(&variable)))
        };
        let both = |state: &str, settings: &str| (state.to_owned(), settings.to_owned());
        if !cfg!(windows) {
            assert_eq!(with(&[("HOME", "/ada")]), both("/ada/.local/state/ptc", "/ada/.config/ptc"));
            let named: &[_] = &[("HOME", "/h"), ("XDG_STATE_HOME", "/s"), ("XDG_CONFIG_HOME", "/c")];
            assert_eq!(with(named), both("/s/ptc", "/c/ptc"));
            let relative: &[_] = &[("HOME", "/h"), ("XDG_STATE_HOME", "here"), ("XDG_CONFIG_HOME", "here")];
            assert_eq!(with(relative), both("/h/.local/state/ptc", "/h/.config/ptc"));
        }
        assert_eq!(with(&[]), both("", ""));
    }
}
