//! Files with what runs hold, which only their owner may read.

use std::fs::OpenOptions;

/// Options for a file with contents of runs: a file that they create is for its owner only (0600), also where its folder
/// is not; one that exists keeps its mode. On Windows the folder decides.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// let file = ptc_transcript::private_file().append(true).create(true).open(folder.path().join("run.journal"))?;
/// # #[cfg(unix)]
/// assert_eq!(std::os::unix::fs::PermissionsExt::mode(&file.metadata()?.permissions()) & 0o777, 0o600);
/// # Ok::<(), std::io::Error>(())
/// ```
#[must_use]
pub fn private_file() -> OpenOptions {
    #[cfg(unix)]
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    options.mode(0o600);
    options
}
