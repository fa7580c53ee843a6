//! Where inputs are kept from one session to the next.

use std::path::PathBuf;

use ptc_runner::config::user_state;
use ptc_runner::transcript::private_folder;

/// Number of inputs kept.
pub(super) const MAX_INPUTS: usize = 10_000;

/// The file with the history, its folder created; none where the user has no known folder.
pub(super) fn file() -> Option<PathBuf> {
    // Inputs are neither configuration nor cache.
    let folder = user_state()?;
    private_folder().recursive(true).create(&folder).ok()?;
    Some(folder.join("history"))
}
