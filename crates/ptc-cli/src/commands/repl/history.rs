//! Where inputs are kept from one session to the next.

use std::path::PathBuf;

use ptc_runner::transcript::private_folder;

/// Number of inputs kept.
pub(super) const MAX_INPUTS: usize = 10_000;

/// The file with the history, its folder created; none where the user has no known folder.
pub(super) fn file() -> Option<PathBuf> {
    let path = place(&|name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from))?;
    private_folder().recursive(true).create(path.parent()?).ok()?;
    Some(path)
}

/// `$XDG_STATE_HOME/ptc/history`, else below the home folder; inputs are neither configuration nor cache.
fn place(variable: &dyn Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    let state = variable("XDG_STATE_HOME").filter(|path| path.is_absolute());
    let home = || variable("HOME").map(|home| home.join(".local").join("state"));
    let folder = if cfg!(windows) { variable("LOCALAPPDATA") } else { state.or_else(home) };
    Some(folder?.join("ptc").join("history"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_history_is_where_the_system_keeps_state() {
        let with = |known: &'static [(&str, &str)]| {
            let variable =
                move |name: &str| known.iter().find(|(key, _)| *key == name).map(|(_, path)| PathBuf::from(path));
            place(&variable).map(|path| path.display().to_string())
        };
        if !cfg!(windows) {
            assert_eq!(with(&[("HOME", "/ada")]).unwrap(), "/ada/.local/state/ptc/history");
            assert_eq!(with(&[("HOME", "/h"), ("XDG_STATE_HOME", "/s")]).unwrap(), "/s/ptc/history");
            assert_eq!(with(&[("HOME", "/h"), ("XDG_STATE_HOME", "here")]).unwrap(), "/h/.local/state/ptc/history");
        }
        assert_eq!(with(&[]), None);
    }
}
